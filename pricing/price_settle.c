/* Settles what an amount's own words leave open, from the nearest source outwards: the amounts
 * beside it, the heading, the row, the site. */
#include "pricing/price_parse.h"

enum {
    SAME_SIZE_RATIO_MAX = 10, /* an hour's and a month's price differ by far more */
    POWER_MAX = 12,
    HOUR_PRICE_MAX = 5000, /* units of money; a rack of 72 cards is some 700 USD or 5,000 CNY an hour */
};

bool price_is_same_size(int64_t a_nano, int64_t b_nano)
{
    return a_nano > 0 && b_nano > 0 && a_nano / SAME_SIZE_RATIO_MAX <= b_nano && b_nano / SAME_SIZE_RATIO_MAX <= a_nano;
}

/* An amount that nothing speaks against so far. */
static bool is_open_amount(const struct price_find *find)
{
    return find->type == PRICE_FIND_AMOUNT && find->reason == REFUSAL_NONE;
}

/* ---- period ---- */

/* The nearest amount with a period of its own, in one direction; -1 when there is none. */
static ptrdiff_t neighbour(const struct price_parse *parse, size_t index, int step)
{
    ptrdiff_t count = (ptrdiff_t)parse->find_count;
    for (ptrdiff_t i = (ptrdiff_t)index + step; i >= 0 && i < count; i += step) {
        const struct price_find *find = &parse->finds[i];
        if (is_open_amount(find) && find->unit.period != PERIOD_NONE) return i;
    }
    return -1;
}

/* Takes the unit of the amount beside it. A basis that stood behind that one speaks of it alone. */
static void inherit(struct price_find *find, const struct price_find *from)
{
    find->unit.period = from->unit.period;
    find->unit.period_count = from->unit.period_count;
    find->is_inherited = true;
    if (find->unit.basis == BASIS_UNKNOWN && !from->is_basis_behind && find->multiplied_cards == 0) {
        find->unit.basis = from->unit.basis;
        find->unit.cards = from->unit.cards;
        find->is_prefix_count = from->is_prefix_count;
    }
}

/* The heading's period is marked: guards compare such prices with care. */
static void take_heading(struct price_find *find, const struct price_unit *unit)
{
    find->unit.period = unit->period;
    find->unit.period_count = unit->period_count;
    find->is_header_unit = true;
}

/* A period from beside is believed for an amount of the same size only: "¥1.98/时 … 1425 元" is no
 * price per hour. */
static void settle_period(struct price_parse *parse, size_t index)
{
    struct price_find *find = &parse->finds[index];
    bool is_refused = false;
    enum period beside = PERIOD_NONE;
    if (find->unit.period != PERIOD_NONE) return;
    for (int step = -1; step <= 1; step += 2) {
        ptrdiff_t i = neighbour(parse, index, step);
        if (i < 0) continue;
        if (price_is_same_size(find->low_nano, parse->finds[i].low_nano)) {
            inherit(find, &parse->finds[i]);
            return;
        }
        is_refused = true;
        beside = parse->finds[i].unit.period;
    }
    if (parse->phrase.unit.period != PERIOD_NONE) {
        take_heading(find, &parse->phrase.unit);
    } else if (parse->header.unit.period != PERIOD_NONE) {
        take_heading(find, &parse->header.unit);
        if (parse->header.unit.is_letter_m && find->low_nano < 10 * NANO) find->reason = REFUSAL_AMBIGUOUS;
    } else if (parse->context->period != PERIOD_NONE && !(is_refused && parse->context->period == beside)) {
        find->unit.period = parse->context->period;
        find->is_site_unit = true;
    } else if (is_refused) {
        find->reason = REFUSAL_AMBIGUOUS;
    }
}

/* Under one heading prices of one text are of one size; a number far off is something else. */
static void check_size(struct price_parse *parse)
{
    const struct price_find *first = NULL;
    for (size_t i = 0; i < parse->find_count; i++) {
        struct price_find *find = &parse->finds[i];
        if (!is_open_amount(find) || !(find->is_header_unit || find->is_site_unit)) continue;
        if (first == NULL) first = find;
        else if (!price_is_same_size(first->low_nano / 2, find->low_nano) &&
                 !price_is_same_size(first->low_nano * 2, find->low_nano))
            find->reason = REFUSAL_AMBIGUOUS;
    }
}

/* ---- basis ---- */

/* What a price buys is said once for those that follow ("单卡 ¥1.96/时,月付 95 折后 ¥1.57/时"), unless a
 * unit said it ("/卡"). */
static void inherit_basis(struct price_parse *parse, size_t index)
{
    struct price_find *find = &parse->finds[index];
    for (size_t i = index; find->unit.basis == BASIS_UNKNOWN && i-- > 0;) {
        const struct price_find *before = &parse->finds[i];
        if (!is_open_amount(before)) continue;
        if (before->is_suffix_basis || before->is_basis_behind || find->is_equal || find->multiplied_cards > 0) return;
        find->unit.basis = before->unit.basis;
        find->unit.cards = before->unit.cards;
        find->is_prefix_count = before->is_prefix_count;
        return;
    }
}

/* A unit phrase in the text is nearer than the column's heading. */
static const struct price_unit *heading_basis(const struct price_parse *parse)
{
    return parse->phrase.unit.basis != BASIS_UNKNOWN ? &parse->phrase.unit : &parse->header.unit;
}

/* A heading "PRICE/GPU/HR" is stronger than a count in the label ("8x B200"), which then says how
 * large the unit sold is. */
static void settle_basis(struct price_parse *parse, size_t index)
{
    struct price_find *find = &parse->finds[index];
    const struct price_unit *heading = heading_basis(parse), *beside = &parse->beside;
    inherit_basis(parse, index);
    bool is_open = find->unit.basis == BASIS_UNKNOWN;
    if (heading->basis == BASIS_CARD && (is_open || find->is_prefix_count)) {
        int32_t named = find->is_prefix_count ? find->unit.cards : beside->basis == BASIS_NODE ? beside->cards : 0;
        find->unit.basis = BASIS_CARD;
        find->unit.cards = named > 0 ? named : 1;
        return;
    }
    if (is_open && heading->basis != BASIS_UNKNOWN) {
        find->unit.basis = heading->basis;
        find->unit.cards = heading->cards;
    } else if (is_open && beside->basis != BASIS_UNKNOWN) {
        find->unit.basis = beside->basis;
        find->unit.cards = beside->cards;
    } else if (is_open) {
        find->unit.basis = parse->context->basis;
    }
    if (find->unit.basis == BASIS_NODE && find->unit.cards == 0 && beside->basis == BASIS_NODE) find->unit.cards = beside->cards;
}

/* ---- currency and scale ---- */

/* The currency printed nearest in the text. */
static enum price_currency currency_beside(const struct price_parse *parse, size_t index)
{
    for (size_t distance = 1; distance < parse->find_count; distance++) {
        if (index >= distance && parse->finds[index - distance].currency != PRICE_CUR_NONE)
            return parse->finds[index - distance].currency;
        if (index + distance < parse->find_count && parse->finds[index + distance].currency != PRICE_CUR_NONE)
            return parse->finds[index + distance].currency;
    }
    return PRICE_CUR_NONE;
}

/* Exact or refused: a scale must not round. */
static enum refusal_reason multiply(int64_t *nano, int64_t num, int64_t den)
{
    int64_t ret, back;
    if (*nano == 0) return REFUSAL_NONE;
    if (money_scale(*nano, num, den, ROUND_DOWN, &ret) != GT_OK) return REFUSAL_RANGE;
    if (money_scale(ret, den, num, ROUND_DOWN, &back) != GT_OK || back != *nano) return REFUSAL_PRECISION;
    *nano = ret;
    return REFUSAL_NONE;
}

/* 10 to the power, which the vocabulary keeps small. */
static int64_t power_of_ten(int power)
{
    int64_t ret = 1;
    for (; power > 0 && power <= POWER_MAX; power--) ret *= 10;
    return ret;
}

/* 万元 in a heading and the site's own scale hold for numbers that print no currency. */
static void settle_scale(struct price_parse *parse, struct price_find *find)
{
    const struct price_heading *heading = parse->phrase.has_unit ? &parse->phrase : &parse->header;
    int64_t num = 1, den = 1;
    if (find->currency != PRICE_CUR_NONE || find->is_scaled || find->is_cents) return;
    bool has_scale =
        parse->context->scale_num > 0 && parse->context->scale_den > 0 && parse->context->scale_num != parse->context->scale_den;
    if (has_scale) {
        num = parse->context->scale_num;
        den = parse->context->scale_den;
    } else {
        num = power_of_ten(heading->scale_power);
        den = power_of_ten(find->cents_before > 0 ? find->cents_before : heading->cents_power);
    }
    enum refusal_reason reason = multiply(&find->low_nano, num, den);
    if (reason == REFUSAL_NONE) reason = multiply(&find->high_nano, num, den);
    if (reason != REFUSAL_NONE) find->reason = reason;
}

/* Printed, else of the text's unit phrase, the heading, the amount beside; the site's comes last
 * (price_emit). */
static void settle_currency(struct price_parse *parse, size_t index)
{
    struct price_find *find = &parse->finds[index];
    settle_scale(parse, find);
    if (find->currency != PRICE_CUR_NONE) return;
    find->currency = parse->phrase.currency != PRICE_CUR_NONE   ? parse->phrase.currency
                     : parse->header.currency != PRICE_CUR_NONE ? parse->header.currency
                                                                : currency_beside(parse, index);
    if (find->currency == PRICE_CUR_NONE && !parse->has_loose_two) find->currency = parse->loose;
}

/* "XYZ 30.000/hr": thousands, as likely as not, of a currency that is not known; nobody prints three noughts behind a price. */
static bool is_round_by_custom(const struct price_find *find)
{
    return find->currency == PRICE_CUR_NONE && find->is_by_custom && find->decimals > 0 && find->low_nano % NANO == 0;
}

/* ---- role and reason ---- */

/* What the heading says of the whole column, where the text does not say otherwise. */
static void settle_heading_words(struct price_parse *parse, struct price_find *find)
{
    const struct price_heading *header = &parse->header;
    if (header->has_role && !find->has_role) {
        bool is_second = header->has_role2 && find > parse->finds && price_is_punct(&parse->tokens[find->first] - 1, '/');
        find->role = is_second ? header->role2 : header->role;
        find->has_role = true;
    }
    if (header->has_bound && find->bound == BOUND_EXACT) find->bound = header->bound;
    if (header->months > 0 && find->months == 0 &&
        header->months > price_period_months(find->unit.period, find->unit.period_count))
        find->months = header->months;
    if (header->unit.reason != REFUSAL_NONE && !find->is_suffix_period) find->reason = header->unit.reason;
}

/* 服务器, 工作站 before the amount. */
static bool names_hardware(const struct price_parse *parse, const struct price_find *find)
{
    for (size_t i = find->pre_from; i < find->first; i++)
        if (parse->tokens[i].kind == PK_HARDWARE) return true;
    return false;
}

/* An amount without any printed period that is large, per piece or beside hardware buys the thing.
 * A site's default period does not make 26 万元 a price per hour. */
static bool is_purchase(const struct price_parse *parse, const struct price_find *find)
{
    enum period site = parse->context->period;
    if (site == PERIOD_MONTH || site == PERIOD_QUARTER || site == PERIOD_YEAR) return false;
    bool is_piece = find->is_suffix_basis && site == PERIOD_NONE && parse->lexed.has_han;
    bool is_dear = find->is_suffix_basis && find->low_nano >= HOUR_PRICE_MAX * NANO; /* $40,000 per GPU */
    return find->is_scaled || is_piece || is_dear || names_hardware(parse, find);
}

/* A site's default of an hour does not make $30,000 the price of one; no machine costs that.
 * Currencies of small units are left out. */
static bool is_beyond_hour(const struct price_parse *parse, const struct price_find *find)
{
    static const enum price_currency large[] = {PRICE_CUR_CNY, PRICE_CUR_USD, PRICE_CUR_EUR, PRICE_CUR_GBP,
                                                PRICE_CUR_DOLLAR_SIGN};
    enum period site = parse->context->period;
    if (!find->is_site_unit || (site != PERIOD_SECOND && site != PERIOD_MINUTE && site != PERIOD_HOUR)) return false;
    bool is_large = find->currency == PRICE_CUR_NONE || find->currency == PRICE_CUR_YEN_SIGN
                        ? strncmp(parse->context->currency.code, "CNY", CURRENCY_MAX) == 0
                        : false;
    for (size_t i = 0; i < sizeof large / sizeof large[0]; i++) is_large |= find->currency == large[i];
    return is_large && find->low_nano >= HOUR_PRICE_MAX * NANO;
}

/* Reasons that only the absence of a printed period gives. */
static void settle_reason(const struct price_parse *parse, struct price_find *find)
{
    if (is_beyond_hour(parse, find)) find->reason = REFUSAL_AMBIGUOUS;
    bool is_told = find->unit.period != PERIOD_NONE && !find->is_site_unit;
    if (is_told || find->is_bare) return;
    if (is_purchase(parse, find)) find->reason = REFUSAL_PURCHASE;
    else if (find->is_lowest && !parse->context->bare_number) find->reason = REFUSAL_MIN_SPEND;
}

/* Currency first: relations compare amounts of one currency. Basis last: it needs the period, since what a card can cost is known by the
 * hour. */
void price_settle_all(struct price_parse *parse)
{
    for (size_t i = 0; i < parse->find_count; i++)
        if (is_open_amount(&parse->finds[i])) settle_currency(parse, i);
    price_relate_all(parse);
    for (size_t i = 0; i < parse->find_count; i++) {
        struct price_find *find = &parse->finds[i];
        if (!is_open_amount(find)) continue;
        if (is_round_by_custom(find)) find->reason = REFUSAL_AMBIGUOUS;
        settle_period(parse, i);
        settle_reason(parse, find);
        if (!is_open_amount(find)) continue;
        settle_basis(parse, i);
        if (find->is_prefix_count && find->unit.basis == BASIS_NODE) price_piece_settle(parse, find);
        settle_heading_words(parse, find);
    }
    check_size(parse);
    price_reject_all(parse);
}
