/* One printed price by itself. The count of cards is the question on which a price is wrong by a factor of eight, so it is
 * answered in one place, for normal forms, net prices, audits and guards alike. */
#include "pricing/net_price_quote.h"

#include "common/utf8.h"
#include "pricing/guard_band.h"
#include "pricing/listing_words.h"

enum {
    MINUTE_S = 60,
    HOUR_S = 3600,
    DAY_S = 86400,
    WEEK_S = 7 * 86400,
    HOURS_OF_A_MONTH = 720,
    DIGITS_MAX = 18,
    PERIOD_COUNT_MAX = 1200 /* more whole periods in one price are a misreading */
};

/* Indexed by enum period. */
static const struct {
    int64_t seconds;
    int32_t months;
} lengths[PERIOD_WORDS] = {
    [PERIOD_SECOND] = {1, 0},
    [PERIOD_MINUTE] = {MINUTE_S, 0},
    [PERIOD_HOUR] = {HOUR_S, 0},
    [PERIOD_DAY] = {DAY_S, 0},
    [PERIOD_WEEK] = {WEEK_S, 0},
    [PERIOD_MONTH] = {0, 1},
    [PERIOD_QUARTER] = {0, QUOTE_MONTHS_OF_A_QUARTER},
    [PERIOD_YEAR] = {0, QUOTE_MONTHS_OF_A_YEAR},
};

/* The longer of two terms binds. */
static int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

struct quote_term quote_term(const struct quote *quote)
{
    struct quote_term term = {0};
    if (quote->period <= PERIOD_NONE || quote->period >= PERIOD_COUNT) return term;
    int32_t count = quote->period_count > 0 ? quote->period_count : 1;
    if (count > PERIOD_COUNT_MAX) return term;
    bool is_month_of_days = quote->period == PERIOD_DAY && count >= QUOTE_MONTH_DAYS_MIN && count <= QUOTE_MONTH_DAYS_MAX;
    /* 28 to 31 days are what a month has; a price "per 30 days" is meant as one. */
    if (is_month_of_days) {
        term.months_paid = 1;
    } else {
        term.seconds = lengths[quote->period].seconds * count;
        term.months_paid = lengths[quote->period].months * count;
    }
    /* A month's price binds for no longer than the month unless it says so; a quarter's binds for the quarter. */
    term.months_bound = larger(quote->months, term.months_paid > 1 ? term.months_paid : 0);
    return term;
}

/* Words that make a row a machine: without a count nobody knows how many cards it has. */
static bool names_machine(struct gt_str text)
{
    static const char *const words[] = {"整机",       "服务器",    "一台", "/台",    "整台", "裸金属", "一体机",  "bare metal",
                                        "bare-metal", "baremetal", "node", "server", "hgx",  "dgx",    "cluster", "集群",
                                        "xlarge",     "bm.gpu",    "vm.gpu", "standard_n"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (words_have(text, words[i])) return true;
    return false;
}

bool offer_is_single_card(const struct offer *offer)
{
    const struct offer_attributes *attributes = &offer->attributes;
    if (attributes->sku_status == SKU_UNMAPPED || attributes->slice_den != 0) return false;
    if (attributes->delivery == DELIVERY_BARE_METAL) return false;
    return !names_machine(offer->identity.label) && !names_machine(offer->identity.plan);
}

bool offer_sells_single(const struct offer *offer)
{
    for (size_t i = 0; i < offer->record.quote_count; i++) {
        const struct quote *quote = &offer->record.quotes[i];
        if (quote->basis == BASIS_NODE || quote->basis == BASIS_SLICE || quote->cards > 1) return false;
    }
    return offer->record.quote_count > 0 && offer_is_single_card(offer);
}

/* amount / cards per hour; the month is taken at 720 hours, which is near enough for a band as wide as the market. */
static bool hour_of(const struct quote *quote, int32_t cards, int64_t *ret_nano)
{
    struct quote_term term = quote_term(quote);
    int64_t seconds = term.seconds != 0 ? term.seconds : (int64_t)term.months_paid * HOURS_OF_A_MONTH * HOUR_S;
    return seconds != 0 && money_scale(quote->amount_nano, HOUR_S, seconds * cards, ROUND_HALF_UP, ret_nano) == GT_OK;
}

/* "H100 x8, $2.49/hr" prints no basis: divided by eight it would be less than any H100 costs, so it is not divided (nor
 * believed). */
static bool is_too_cheap(const struct offer *offer, const struct quote *quote, int32_t cards)
{
    struct guard_band band;
    int64_t hour_nano;
    if (!guard_band_find(gt_str_from(offer->attributes.sku), quote->currency, &band)) return false;
    return hour_of(quote, cards, &hour_nano) && hour_nano < band.low_hour_nano;
}

/* 0: not known, and no price per card is made up. A price too small for the node that it stands beside is for one card of it or for all, and
 * nobody can tell. */
int32_t quote_cards(const struct offer *offer, const struct quote *quote)
{
    int32_t cards = quote->cards > 0 ? quote->cards : offer->attributes.cards;
    switch (quote->basis) {
    case BASIS_CARD: return 1;
    case BASIS_NODE: return cards;
    case BASIS_SLICE:
    case BASIS_WORDS: return 0;
    case BASIS_UNKNOWN: break;
    }
    if (offer->attributes.slice_den != 0) return 0;
    if (cards == 0) return offer_is_single_card(offer) ? 1 : 0;
    return cards > 1 && is_too_cheap(offer, quote, cards) ? 0 : cards;
}

/* Hour and month by one multiplication and one division: rounded once, whatever the period that is printed. */
bool quote_per_card(const struct offer *offer, const struct quote *quote, bool hour, int32_t hours, int64_t *ret_nano)
{
    struct quote_term term = quote_term(quote);
    int32_t cards = quote_cards(offer, quote);
    int64_t month_s = (int64_t)hours * HOUR_S;
    int64_t wanted_s = hour ? HOUR_S : month_s;
    int64_t paid_s = term.seconds != 0 ? term.seconds : (int64_t)term.months_paid * month_s;
    if (cards == 0 || paid_s == 0) return false;
    return money_scale(quote->amount_nano, wanted_s, paid_s * cards, ROUND_HALF_UP, ret_nano) == GT_OK;
}

/* The digit that a character is, ASCII or full width; -1 for others. */
static int digit_of(int32_t c)
{
    if (c >= '0' && c <= '9') return (int)(c - '0');
    return c >= 0xFF10 && c <= 0xFF19 ? (int)(c - 0xFF10) : -1;
}

/* Reads the digits at *at, across separators that stand between digits, into one whole number. 0 when there are too many. */
static int64_t mantissa_at(struct gt_str raw, size_t *at)
{
    int64_t mantissa = 0;
    int digits = 0;
    while (*at < raw.len) {
        size_t len, next_len = 0;
        int32_t c = utf8_decode(raw, *at, &len);
        int digit = digit_of(c);
        bool is_separator = c == '.' || c == ',' || c == 0xFF0E || c == 0xFF0C || c == '\'';
        if (digit < 0 && is_separator && *at + len < raw.len) digit = digit_of(utf8_decode(raw, *at + len, &next_len));
        if (digit < 0) break;
        *at += len + next_len;
        if (++digits <= DIGITS_MAX) mantissa = mantissa * 10 + digit;
    }
    return digits <= DIGITS_MAX ? mantissa : 0;
}

/* A digit's worth; a quotient that is none came from a number that is not the amount. */
static bool is_power_of_ten(int64_t value)
{
    while (value > 1 && value % 10 == 0) value /= 10;
    return value == 1;
}

/* For numbers that the words do not show (numerals, a scale): cents, whole units from 100 on, or as fine as the amount is. */
static int64_t step_of_amount(int64_t amount_nano)
{
    enum { WHOLE_FROM = 100 };
    if (amount_nano % NANO == 0 && amount_nano >= WHOLE_FROM * NANO) return NANO;
    int64_t step = NANO / 100;
    while (step > 1 && amount_nano % step != 0) step /= 10;
    return step;
}

int64_t quote_step_nano(int64_t amount_nano, struct gt_str raw)
{
    int64_t best = 0;
    for (size_t at = 0; at < raw.len && amount_nano > 0;) {
        size_t len, begin = at;
        int64_t mantissa = mantissa_at(raw, &at);
        if (at == begin) {
            utf8_decode(raw, at, &len);
            at += len;
        }
        /* All digits of the number as one whole: what the amount is a multiple of is the worth of its last digit, 万 and scales
         * included. Of several numbers that divide it, the one with the most digits is the amount itself. */
        if (mantissa == 0 || amount_nano % mantissa != 0) continue;
        int64_t step = amount_nano / mantissa;
        if (is_power_of_ten(step) && (best == 0 || step < best)) best = step;
    }
    return best != 0 ? best : step_of_amount(amount_nano);
}

/* Paying by the month is no condition of a monthly price; a least number of cards says who may buy, not at what price. */
bool quote_is_plain(const struct quote *quote)
{
    if (quote->months > 1) return false;
    for (size_t i = 0; i < quote->condition_count; i++) {
        enum cond_kind kind = quote->conditions[i].kind;
        bool is_of_course = kind == COND_PREPAY_MONTH && quote_term(quote).months_paid > 0;
        if (kind != COND_MIN_CARDS && !is_of_course) return false;
    }
    return true;
}

bool conditions_have(const struct condition *conditions, size_t count, enum cond_kind kind)
{
    for (size_t i = 0; i < count; i++)
        if (conditions[i].kind == kind) return true;
    return false;
}
