/* The closed vocabularies of the domain as enums with their words. The list is words.def. */
#ifndef GT_PRICING_WORDS_H
#define GT_PRICING_WORDS_H

#include <stdbool.h>

#include "common/str.h"

/* What a price is for: one second .. one year of use; COUNT is "per order, task, piece": never a rental price. */
enum period {
    PERIOD_NONE,
    PERIOD_SECOND,
    PERIOD_MINUTE,
    PERIOD_HOUR,
    PERIOD_DAY,
    PERIOD_WEEK,
    PERIOD_MONTH,
    PERIOD_QUARTER,
    PERIOD_YEAR,
    PERIOD_COUNT,
    PERIOD_WORDS
};

/* What a price buys: one card, a whole node, a part of a card. */
enum basis {
    BASIS_UNKNOWN,
    BASIS_CARD,
    BASIS_NODE,
    BASIS_SLICE,
    BASIS_WORDS
};

/* Which of several printed prices this is. */
enum role {
    ROLE_LIST,
    ROLE_SALE,
    ROLE_MEMBER,
    ROLE_SPOT,
    ROLE_DERIVED,
    ROLE_WORDS
};

/* How a printed price is hedged. */
enum bound {
    BOUND_EXACT,
    BOUND_FROM,
    BOUND_UPTO,
    BOUND_APPROX,
    BOUND_RANGE,
    BOUND_WORDS
};

/* Whether tax is in the price, as printed. */
enum tax {
    TAX_UNKNOWN,
    TAX_INCLUDED,
    TAX_EXCLUDED,
    TAX_WORDS
};

/* What must hold for a discount or a price. N, amount and text stand beside it in struct condition. */
enum cond_kind {
    COND_PREPAY_MONTH, /* prepay-month */
    COND_PREPAY_YEAR, /* prepay-year */
    COND_MIN_MONTHS, /* min-months */
    COND_MIN_CARDS, /* min-cards */
    COND_MIN_SPEND, /* min-spend */
    COND_STUDENT,
    COND_ENTERPRISE,
    COND_NEW_CUSTOMER, /* new-customer */
    COND_MEMBER,
    COND_NIGHT,
    COND_HOLIDAY,
    COND_UNTIL,
    COND_PROMOTION,
    COND_UNKNOWN,
    COND_FROM, /* behind the others: stores hold places in this list */
    COND_WORDS
};

/* Whether a discount goes together with others. */
enum stacks {
    STACKS_UNKNOWN,
    STACKS_YES,
    STACKS_NO,
    STACKS_WORDS
};

/* Whether it can be had now, as printed. */
enum availability {
    AVAIL_UNKNOWN,
    AVAIL_IN_STOCK, /* in-stock */
    AVAIL_SOLD_OUT, /* sold-out */
    AVAIL_LIMITED,
    AVAIL_WORDS
};

/* How a card is handed over. */
enum delivery {
    DELIVERY_UNKNOWN,
    DELIVERY_CONTAINER,
    DELIVERY_VM,
    DELIVERY_BARE_METAL, /* bare-metal */
    DELIVERY_SERVERLESS,
    DELIVERY_WORDS
};

/* Interruption only: a monthly lease is on-demand. */
enum tier {
    TIER_UNKNOWN,
    TIER_ON_DEMAND, /* on-demand */
    TIER_SPOT,
    TIER_WORDS
};

/* Whether CPU, memory and disk are in the price. */
enum includes {
    INCLUDES_WHOLE,
    INCLUDES_GPU_ONLY, /* gpu-only */
    INCLUDES_WORDS
};

/* Where it is sold. */
enum market {
    MARKET_DOMESTIC,
    MARKET_OVERSEAS,
    MARKET_WORDS
};

/* What sort of platform a site is. */
enum site_kind {
    KIND_VERTICAL,
    KIND_CLOUD,
    KIND_IDC,
    KIND_MARKET,
    KIND_SERVERLESS,
    KIND_FX, /* publishes exchange rates: its rows are no offers of cards and stand on no board */
    KIND_WORDS
};

/* How far a label could be resolved. */
enum sku_status {
    SKU_UNMAPPED,
    SKU_AMBIGUOUS,
    SKU_FAMILY,
    SKU_EXACT,
    SKU_WORDS
};

/* Where a figure comes from. */
enum evidence {
    EVIDENCE_NONE,
    EVIDENCE_PRINTED,
    EVIDENCE_COMPUTED,
    EVIDENCE_INFERRED,
    EVIDENCE_WORDS
};

/* How an observation reached us. */
enum provenance {
    PROVENANCE_LIVE,
    PROVENANCE_WAYBACK,
    PROVENANCE_COMMONCRAWL,
    PROVENANCE_WARC,
    PROVENANCE_GIT,
    PROVENANCE_MANUAL,
    PROVENANCE_WORDS
};

/* How a part of a run ended. */
enum part_status {
    STATUS_OK,
    STATUS_UNCHANGED,
    STATUS_FAILED,
    STATUS_BLOCKED,
    STATUS_DRIFTED,
    STATUS_INCOMPLETE,
    STATUS_WORDS
};

/* What happened to an offer (or, the last two, to a source). */
enum change_kind {
    CHANGE_APPEARED,
    CHANGE_PRICE,
    CHANGE_TERMS,
    CHANGE_PROMOTION_BEGAN, /* promotion-began */
    CHANGE_PROMOTION_ENDED, /* promotion-ended */
    CHANGE_SOLD_OUT, /* sold-out */
    CHANGE_BACK_IN_STOCK, /* back-in-stock */
    CHANGE_DELISTED,
    CHANGE_RELISTED,
    CHANGE_UNIT,
    CHANGE_DOUBTED,
    CHANGE_RELEASED,
    CHANGE_VOIDED,
    CHANGE_SOURCE_FAILED, /* source-failed */
    CHANGE_SOURCE_RECOVERED, /* source-recovered */
    CHANGE_WORDS
};

/* One vocabulary: the enums above by name, for word_text and word_find. */
enum vocabulary {
    VOCABULARY_PERIOD,
    VOCABULARY_BASIS,
    VOCABULARY_ROLE,
    VOCABULARY_BOUND,
    VOCABULARY_TAX,
    VOCABULARY_COND,
    VOCABULARY_STACKS,
    VOCABULARY_AVAIL,
    VOCABULARY_DELIVERY,
    VOCABULARY_TIER,
    VOCABULARY_INCLUDES,
    VOCABULARY_MARKET,
    VOCABULARY_KIND,
    VOCABULARY_SKU,
    VOCABULARY_EVIDENCE,
    VOCABULARY_PROVENANCE,
    VOCABULARY_STATUS,
    VOCABULARY_CHANGE,
    VOCABULARY_COUNT
};

/* The word of a value as it stands in JSON, the store's dumps and sites.conf; "?" for a number outside. Static storage. */
const char *word_text(enum vocabulary vocabulary, int value);

/* The value of a word. False when the vocabulary does not have it. */
bool word_find(enum vocabulary vocabulary, struct gt_str word, int *ret_value);

/* How many words the vocabulary has. */
int word_count(enum vocabulary vocabulary);

#endif
