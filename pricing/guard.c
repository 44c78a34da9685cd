/* One offer against what was known of it, against what such a card can cost, and against itself. The order matters: a unit slip
 * is named before the band that it also leaves, because the name says what happened and that it will not heal by itself. A
 * market's own moves must pass: list prices change by some tens of percent, spot prices by halves. */
#include "pricing/guard.h"

#include "pricing/guard_band.h"
#include "pricing/guard_slip.h"
#include "pricing/net_price_chain.h"
#include "pricing/net_price_quote.h"
#include "pricing/net_price_terms.h"

enum {
    MOVE_FACTOR_MAX = 5, /* last/5 .. last*5 passes */
    HOURS_LONGEST_MONTH = 744,
    HOURS_MONTH = 720,
    SLACK_PER_MILLE = 20, /* above what rounding and a 31st day can do */
    PER_MILLE = 1000,
    SPOT_LOW_SHARE = 2, /* spot goes down to half of what a list price can */
};

struct price_text {
    char text[MONEY_TEXT_MAX];
};
#define TEXT(nano) money_format((nano), (struct price_text){{0}}.text)

/* Codes are stored and exported: add, never rename. */
const char *guard_reason_code(enum guard_reason reason)
{
    static const char *const codes[GUARD_REASONS] = {
        [GUARD_NONE] = "none",
        [GUARD_UNIT_SLIP] = "unit-slip",
        [GUARD_ROWS_COLLAPSED] = "rows-collapsed",
        [GUARD_ROWS_PINNED] = "rows-pinned",
        [GUARD_SAME_PRICE] = "same-price",
        [GUARD_BAND] = "out-of-band",
        [GUARD_LARGE_MOVE] = "large-move",
        [GUARD_SPOT_ABOVE] = "spot-above-on-demand",
        [GUARD_MONTH_ABOVE] = "month-above-hours",
        [GUARD_DUPLICATE] = "duplicate-identity",
        [GUARD_DRIFTED] = "drifted",
        [GUARD_RESERVED_ABOVE] = "reserved-above-on-demand",
    };
    return reason >= GUARD_NONE && reason < GUARD_REASONS ? codes[reason] : "?";
}

/* One offer under guard. The verdict is the first that any check reaches. */
struct watch {
    const struct offer *now;
    const struct offer_record *before;
    struct arena *arena;
    struct guard_verdict verdict;
};

/* Only a plain large move is released by seeing it again; everything else would be seen again in any case. */
static void doubt(struct watch *watch, enum guard_reason reason, struct gt_str detail)
{
    watch->verdict = (struct guard_verdict){reason, reason == GUARD_LARGE_MOVE, detail};
}

/* True when the larger is more than `times` the smaller. */
static bool is_beyond(int64_t a, int64_t b, int64_t times)
{
    int64_t large = a > b ? a : b, small = a > b ? b : a, limit;
    return !__builtin_mul_overflow(small, times, &limit) && large > limit;
}

/* One term's list price then and now. */
static void check_move(struct watch *watch, const char *term, int64_t before_nano, int64_t now_nano)
{
    struct slip slip;
    if (watch->verdict.reason != GUARD_NONE || before_nano <= 0 || now_nano <= 0 || before_nano == now_nano) return;
    if (slip_find(before_nano, now_nano, watch->now->attributes.cards, &slip))
        doubt(watch, GUARD_UNIT_SLIP,
              arena_printf(watch->arena, "%s%lld: %s (%s %s → %s)", slip.is_down ? "÷" : "×", (long long)slip.factor, slip.words,
                           term, TEXT(before_nano), TEXT(now_nano)));
    else if (is_beyond(before_nano, now_nano, MOVE_FACTOR_MAX))
        doubt(watch, GUARD_LARGE_MOVE,
              arena_printf(watch->arena, "%s moved from %s to %s, more than %d times", term, TEXT(before_nano), TEXT(now_nano),
                           MOVE_FACTOR_MAX));
}

/* The same figure under another term: an hour's price read as a month's, or the other way round. */
static void check_term(struct watch *watch)
{
    const struct offer_record *now = &watch->now->record, *before = watch->before;
    bool hour_to_month = before->hour_list_nano > 0 && before->month_list_nano == 0 && now->hour_list_nano == 0 &&
                         now->month_list_nano == before->hour_list_nano;
    bool month_to_hour = before->month_list_nano > 0 && before->hour_list_nano == 0 && now->month_list_nano == 0 &&
                         now->hour_list_nano == before->month_list_nano;
    if (watch->verdict.reason != GUARD_NONE || (!hour_to_month && !month_to_hour)) return;
    doubt(watch, GUARD_UNIT_SLIP,
          hour_to_month ? arena_printf(watch->arena, "×1: per-hour became per-month (%s)", TEXT(now->month_list_nano))
                        : arena_printf(watch->arena, "×1: per-month became per-hour (%s)", TEXT(now->hour_list_nano)));
}

/* The same printed price in an older record: same role, period, term and basis; NULL when it was not there. */
static const struct quote *quote_before(const struct offer_record *before, const struct quote *quote)
{
    for (size_t i = 0; i < before->quote_count; i++) {
        const struct quote *old = &before->quotes[i];
        bool is_same = old->role == quote->role && old->period == quote->period && old->period_count == quote->period_count &&
                       old->months == quote->months && old->basis == quote->basis && old->bound == BOUND_EXACT;
        if (is_same && !quote_is_promotion(old)) return old;
    }
    return NULL;
}

/* An offer without a list price (only reduced, spot or yearly ones) is held to its first exact price. */
static void check_headline(struct watch *watch)
{
    const struct offer_record *now = &watch->now->record;
    /* With a list price the others follow it, and reductions may come and go by halves. */
    if (now->hour_list_nano > 0 || now->month_list_nano > 0) return;
    for (size_t i = 0; i < now->quote_count; i++) {
        const struct quote *quote = &now->quotes[i];
        const struct quote *old = NULL;
        if (quote->bound == BOUND_EXACT && !quote_is_promotion(quote)) old = quote_before(watch->before, quote);
        if (old == NULL) continue;
        check_move(watch, word_text(VOCABULARY_PERIOD, (int)quote->period), old->amount_nano, quote->amount_nano);
        return;
    }
}

/* Two figures that a market's move, but no exchange, may lie between. */
static bool is_same_figure(int64_t before_nano, int64_t now_nano)
{
    enum { SAME_PERCENT = 10, ALL_PERCENT = 100 };
    int64_t apart = before_nano > now_nano ? before_nano - now_nano : now_nano - before_nano;
    return before_nano > 0 && now_nano > 0 && apart <= before_nano / ALL_PERCENT * SAME_PERCENT;
}

/* Another currency: with other figures it may be true (a site that shows each visitor his own) and wants a second look; with the
 * same figures only the sign has changed. */
static void check_currency(struct watch *watch)
{
    const struct offer_record *now = &watch->now->record, *before = watch->before;
    const char *was = before->currency.code, *is = now->currency.code;
    bool is_hour = is_same_figure(before->hour_list_nano, now->hour_list_nano);
    if (is_hour || is_same_figure(before->month_list_nano, now->month_list_nano))
        doubt(watch, GUARD_UNIT_SLIP,
              arena_printf(watch->arena, "×1: %s became %s, the figure stayed (%s → %s)", was, is,
                           TEXT(is_hour ? before->hour_list_nano : before->month_list_nano),
                           TEXT(is_hour ? now->hour_list_nano : now->month_list_nano)));
    else doubt(watch, GUARD_LARGE_MOVE, arena_printf(watch->arena, "the currency was %s and is %s", was, is));
}

/* Against the last good record. Prices in two currencies cannot be compared; the change itself wants a second look. */
static void check_before(struct watch *watch)
{
    const struct offer_record *now = &watch->now->record, *before = watch->before;
    if (before == NULL) return;
    /* A currency that was not known before is no change: the record has become better. */
    bool both = before->currency.code[0] != '\0' && now->currency.code[0] != '\0';
    if (both && !currency_eq(before->currency, now->currency)) {
        check_currency(watch);
        return;
    }
    check_move(watch, "hour", before->hour_list_nano, now->hour_list_nano);
    check_move(watch, "month", before->month_list_nano, now->month_list_nano);
    check_term(watch);
    check_headline(watch);
}

/* One price per card and hour against what the card can cost. */
static void check_band_of(struct watch *watch, const struct guard_band *band, int64_t hour_nano, bool is_spot)
{
    int64_t low_nano = is_spot ? band->low_hour_nano / SPOT_LOW_SHARE : band->low_hour_nano;
    if (watch->verdict.reason != GUARD_NONE || hour_nano <= 0) return;
    if (hour_nano >= low_nano && hour_nano <= band->high_hour_nano) return;
    doubt(watch, GUARD_BAND,
          arena_printf(watch->arena, "%s an hour and card, %s costs %s to %s %s", TEXT(hour_nano), watch->now->attributes.sku,
                       TEXT(low_nano), TEXT(band->high_hour_nano), watch->now->record.currency.code));
}

/* Normal form first, then every exact price of the row: a wrong column need not be the list price. */
static void check_band(struct watch *watch)
{
    const struct offer *now = watch->now;
    struct guard_band band;
    if (!guard_band_find(gt_str_from(now->attributes.sku), now->record.currency, &band)) return;
    check_band_of(watch, &band, now->record.hour_list_nano, now->attributes.tier == TIER_SPOT);
    check_band_of(watch, &band, now->record.month_list_nano / HOURS_MONTH, now->attributes.tier == TIER_SPOT);
    for (size_t i = 0; i < now->record.quote_count; i++) {
        const struct quote *quote = &now->record.quotes[i];
        int64_t hour_nano;
        bool is_same = memcmp(&quote->currency, &now->record.currency, sizeof quote->currency) == 0;
        if (is_same && quote->bound == BOUND_EXACT && quote_per_card(now, quote, true, HOURS_MONTH, &hour_nano))
            check_band_of(watch, &band, hour_nano, quote->role == ROLE_SPOT || quote_is_promotion(quote));
    }
}

/* `dear` is above `cheap` by more than slack. */
static bool is_above(int64_t dear, int64_t cheap)
{
    int64_t limit;
    return money_scale(cheap, PER_MILLE + SLACK_PER_MILLE, PER_MILLE, ROUND_HALF_UP, &limit) == GT_OK && dear > limit;
}

/* What can be taken away at any moment never costs more than what cannot; where it seems to, columns are mixed up or one is
 * stale. */
static void check_spot(struct watch *watch)
{
    const struct offer *now = watch->now;
    for (size_t i = 0; i < now->record.quote_count && watch->verdict.reason == GUARD_NONE; i++) {
        const struct quote *quote = &now->record.quotes[i];
        int64_t hour_nano;
        if (quote->role != ROLE_SPOT || quote->bound != BOUND_EXACT || now->attributes.tier == TIER_SPOT) continue;
        if (now->record.hour_list_nano <= 0 || quote_term(quote).seconds == 0) continue;
        if (!quote_per_card(now, quote, true, HOURS_MONTH, &hour_nano) || !is_above(hour_nano, now->record.hour_list_nano))
            continue;
        doubt(watch, GUARD_SPOT_ABOVE,
              arena_printf(watch->arena, "spot is %s an hour, on demand %s", TEXT(hour_nano), TEXT(now->record.hour_list_nano)));
    }
}

/* Who binds himself for months pays no more than who does not: else the columns are mixed up, or one of them is the node's. */
static void check_reserved(struct watch *watch)
{
    const struct offer *now = watch->now;
    int64_t month_nano = now->record.month_list_nano, bound_nano;
    if (month_nano <= 0 && __builtin_mul_overflow(now->record.hour_list_nano, (int64_t)HOURS_LONGEST_MONTH, &month_nano)) return;
    for (size_t i = 0; i < now->record.quote_count && month_nano > 0 && watch->verdict.reason == GUARD_NONE; i++) {
        const struct quote *quote = &now->record.quotes[i];
        bool is_list = quote->role == ROLE_LIST && quote->bound == BOUND_EXACT && !quote_is_promotion(quote);
        bool is_same = memcmp(&quote->currency, &now->record.currency, sizeof quote->currency) == 0;
        if (!is_list || !is_same || quote_term(quote).months_bound <= 1) continue;
        if (!quote_per_card(now, quote, false, HOURS_MONTH, &bound_nano) || !is_above(bound_nano, month_nano)) continue;
        doubt(watch, GUARD_RESERVED_ABOVE,
              arena_printf(watch->arena, "bound for %d months the month is %s, unbound %s", (int)quote_term(quote).months_bound,
                           TEXT(bound_nano), TEXT(month_nano)));
    }
}

/* A month never costs more than its hours; where it seems to, one of them is the node's. */
static void check_month(struct watch *watch)
{
    const struct offer_record *record = &watch->now->record;
    int64_t hours_nano;
    if (watch->verdict.reason != GUARD_NONE || record->hour_list_nano <= 0 || record->month_list_nano <= 0) return;
    if (__builtin_mul_overflow(record->hour_list_nano, (int64_t)HOURS_LONGEST_MONTH, &hours_nano)) return;
    if (is_above(record->month_list_nano, hours_nano))
        doubt(watch, GUARD_MONTH_ABOVE,
              arena_printf(watch->arena, "the month is %s, %d hours at %s are %s", TEXT(record->month_list_nano),
                           HOURS_LONGEST_MONTH, TEXT(record->hour_list_nano), TEXT(hours_nano)));
}

/* What moved first, then what no such card costs, then the offer against itself: the first doubt is the one that says most. */
struct guard_verdict guard_offer(const struct offer *now, const struct offer_record *before, struct arena *arena)
{
    struct watch watch = {.now = now, .before = before, .arena = arena};
    check_before(&watch);
    check_band(&watch);
    check_spot(&watch);
    check_month(&watch);
    check_reserved(&watch);
    return watch.verdict;
}
