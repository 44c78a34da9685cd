/* What can be said of one printed price alone: how long its period is, for how many cards it pays, what its last digit is
 * worth. */
#ifndef GT_PRICING_NET_PRICE_QUOTE_H
#define GT_PRICING_NET_PRICE_QUOTE_H

#include <stdbool.h>

#include "pricing/offer.h"

enum {
    QUOTE_MONTHS_OF_A_QUARTER = 3,
    QUOTE_MONTHS_OF_A_YEAR = 12,
    QUOTE_MONTH_DAYS_MIN = 28, /* "per 30 days" is a month's price */
    QUOTE_MONTH_DAYS_MAX = 31,
};

/* The period of a quote brought to one kind: seconds for everything up to a week, months for everything from a month on. */
struct quote_term {
    int64_t seconds;      /* length of the paid period; 0 when it is reckoned in months or not known */
    int32_t months_paid;  /* months that the amount pays for; 0 when it is reckoned in seconds or not known */
    int32_t months_bound; /* how long who takes it is bound; 0: by the hour */
};

/* The term of a quote. Both lengths are 0 for prices per piece and prices without a period. */
struct quote_term quote_term(const struct quote *quote);

/* True for a row that names a card and nowhere a count or a machine: it sells one card. */
bool offer_is_single_card(const struct offer *offer);

/* True when such a row has prices and none of them is for a node, a slice or several cards: then it is known to sell one card. */
bool offer_sells_single(const struct offer *offer);

/* True when everybody can have the price and is bound to no term: no conditions but a least number of cards, and for a month's
 * price that the month is paid. */
bool quote_is_plain(const struct quote *quote);

/* For how many cards the amount pays: 1 for a price per card, the printed count for a node. A price that names no basis pays for
 * what its row describes: the printed number of cards, or the one card that the label names. 0 when no words say it: slices,
 * machines without a count, labels that name no card, and counts under which the card would cost less than it can. */
int32_t quote_cards(const struct offer *offer, const struct quote *quote);

/* The worth of one last printed digit of `amount_nano` as it stands in `raw`: 0.01 for "¥6.20/时", 1000 for "1.2万"; when the
 * words do not show the number, the largest step that is sure to be printed (cents, or whole units from 100 on). */
int64_t quote_step_nano(int64_t amount_nano, struct gt_str raw);

/* The amount per card as `amount × num ÷ den`, brought to an hour (hour = true) or a month of `hours` hours. False when the
 * quote's period or cards are not known, or the figure does not fit. */
bool quote_per_card(const struct offer *offer, const struct quote *quote, bool hour, int32_t hours, int64_t *ret_nano);

/* True when any of the conditions is of the kind. */
bool conditions_have(const struct condition *conditions, size_t count, enum cond_kind kind);

#endif
