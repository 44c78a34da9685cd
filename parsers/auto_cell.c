/* What one text is: a card's name, a price, neither. */
#include "common/strbuf.h"
#include "parsers/auto.h"
#include "pricing/guard_band.h"
#include "pricing/listing_spec.h"
#include "pricing/listing_terms.h"
#include "pricing/refusal.h"

enum {
    SHORT_NAME_MAX = 4,
    PLAN_NAME_MAX = 3, /* "A10", "T4" */
    GENERIC_MAX = 48,
    STOCK_MAX = 40,
    COUNT_MAX = 24,
    OTHER_MAX = 80,
    NODE_CARDS_MAX = 16, /* cards that an hour's price may be of where none are counted */
    HOURS_IN_MONTH = 730,
    TEN_THOUSAND = 10000,
    FEE_SHARE = 2,    /* a month costs no less than half of what it costs by the cheapest hour */
    FEE_GAP_MAX = 16, /* bytes between a fee and the word that it is paid once */
    DIGITS_KEPT = 9,  /* no amount of so few digits is refused for their number */
};

static bool is_one_of(struct gt_str text, const char *words)
{
    struct gt_str rest = gt_str_from(words), word;
    while (gt_str_split(&rest, '|', &word)) {
        if (gt_str_eq_nocase(text, word)) return true;
    }
    return false;
}

static bool is_number(struct gt_str text)
{
    size_t digits = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] >= '0' && text.ptr[i] <= '9') digits++;
        else if (!gt_char_is_in(text.ptr[i], ".,")) return false;
    }
    return digits > 0;
}

/* Without the signs of footnotes behind it: "0.75*", "1.24†"; and without a footnote's figure behind a fraction: "0.75 1". */
static struct gt_str without_marks(struct gt_str text)
{
    static const struct gt_str MARKS[] = {{"*", 1}, {"†", 3}, {"‡", 3}, {"§", 2}, {"¹", 2}, {"²", 2}, {"³", 2}};
    text = gt_str_trim(text);
    for (size_t i = 0; i < sizeof MARKS / sizeof MARKS[0]; i++) {
        if (text.len <= MARKS[i].len || !gt_str_ends(text, MARKS[i])) continue;
        text = gt_str_trim(gt_str_slice(text, 0, text.len - MARKS[i].len));
        i = (size_t)-1; /* anew: "**", "*†" */
    }
    bool is_raised =
        text.len > 4 && text.ptr[text.len - 2] == ' ' && text.ptr[text.len - 1] >= '1' && text.ptr[text.len - 1] <= '9';
    struct gt_str figure = is_raised ? gt_str_slice(text, 0, text.len - 2) : text;
    return is_raised && is_number(figure) && gt_str_find(figure, GT_STR("."), 0) != SIZE_MAX ? figure : text;
}

/* A name that says no more than that a card is sold. */
static bool is_generic_card(struct auto_page *page, struct gt_str text)
{
    const char *reason;
    if (text.len > GENERIC_MAX || terms_is_component(text, &reason) || auto_is_spec(text)) return false;
    return auto_has_role(page, text, AUTO_LABEL) && !auto_has_role(page, text, AUTO_VCPU) &&
           !auto_has_role(page, text, AUTO_RAM) && !auto_has_role(page, text, AUTO_DISK) &&
           !auto_has_role(page, text, AUTO_CARDS) && !auto_has_role(page, text, AUTO_EXCLUDED) &&
           !auto_has_role(page, text, AUTO_VRAM);
}

/* "P40" and "M60", which disks and tiers are called too; "A10" and "T4", which plans are. */
static bool is_name_of_else(const struct auto_page *page, struct gt_str name)
{
    if (name.len == 0) return false;
    bool is_tier = name.len <= SHORT_NAME_MAX && strchr("PpMm", name.ptr[0]) != NULL;
    bool is_plan = name.len <= PLAN_NAME_MAX && strchr("AaLlTt", name.ptr[0]) != NULL;
    return (page->evidence.lacks_cards && is_tier) || (page->evidence.lacks_names && is_plan);
}

/* "8.98起": a number that says no more than that it is the lowest. */
static struct gt_str without_bound(struct gt_str text)
{
    static const struct gt_str BEHIND[] = {{"起", 3}, {"+", 1}}, BEFORE[] = {{"~", 1}, {"≈", 3}, {"约", 3}};
    for (size_t i = 0; i < sizeof BEHIND / sizeof BEHIND[0]; i++) {
        if (gt_str_ends(text, BEHIND[i])) return gt_str_trim(gt_str_slice(text, 0, text.len - BEHIND[i].len));
    }
    for (size_t i = 0; i < sizeof BEFORE / sizeof BEFORE[0]; i++) {
        if (gt_str_starts(text, BEFORE[i])) return gt_str_trim(gt_str_slice(text, BEFORE[i].len, SIZE_MAX));
    }
    return text;
}

struct auto_cell auto_cell_read(struct auto_page *page, struct gt_str text)
{
    struct auto_cell cell = {.text = gt_str_trim(text)};
    cell.is_empty = cell.text.len == 0 || is_one_of(cell.text, "-|--|—|–|/|n/a|na|none|null|无|暂无|×|✗|not available");
    cell.is_number = is_number(without_bound(without_marks(cell.text)));
    if (cell.is_empty || cell.text.len > AUTO_CELL_MAX) return cell;
    if (++page->work > AUTO_WORK_MAX) {
        page->err = gt_fail(page->info, GT_ELIMIT, "the page has more texts than AUTO_WORK_MAX (%d)", AUTO_WORK_MAX);
        return cell;
    }
    struct sku_match match = sku_resolve(cell.text, 0, NULL, 0);
    cell.has_sku = match.status != SKU_UNMAPPED && !is_name_of_else(page, gt_str_slice(cell.text, match.offset, match.len));
    cell.is_exact = match.status == SKU_EXACT;
    cell.cards = match.cards;
    cell.is_generic = !cell.has_sku && !cell.is_number && is_generic_card(page, cell.text);
    return cell;
}

/* A price of its own: such a text tells nothing about the unit of others. */
static bool is_price_itself(struct auto_page *page, struct gt_str text)
{
    struct price_reading reading = {0};
    return price_text_read(text, NULL, page->scratch, &reading) == GT_OK && reading.item_count > 0;
}

/* The heading with what else may name the unit behind it. */
static struct gt_str compose(struct auto_page *page, struct gt_str heading, struct gt_str more)
{
    bool counts_hours = gt_str_eq_nocase(gt_str_slice(more, 0, 9), GT_STR("hours per")); /* the label of a field to fill in */
    if (more.len == 0 || more.len > AUTO_CELL_MAX || counts_hours || is_price_itself(page, more)) return GT_STR("");
    if (heading.len == 0) return arena_dup(page->arena, more);
    return arena_printf(page->arena, "%.*s | %.*s", GT_STR_ARG(heading), GT_STR_ARG(more));
}

static bool is_inherited(const struct price_item *item)
{
    for (size_t i = 0; i < item->flag_count; i++) {
        if (gt_str_is(item->flags[i], "unit-inherited") || gt_str_is(item->flags[i], "unit-from-heading")) return true;
    }
    return false;
}

/* "ou 4 × " before an amount by the month: so many of them make up what the thing costs. */
static bool is_instalment(struct gt_str before)
{
    before = gt_str_trim(before);
    size_t times = gt_str_ends(before, GT_STR("×")) ? 2 : gt_str_ends(before, GT_STR("x")) ? 1 : 0;
    struct gt_str count = gt_str_trim(gt_str_slice(before, 0, before.len - times));
    return times > 0 && count.len > 0 && is_number(gt_str_slice(count, count.len - 1, 1));
}

/* One reading under one header. */
static bool read_under(struct auto_page *page, struct gt_str text, struct gt_str header, struct gt_str row, bool takes_bare,
                       struct auto_price *ret)
{
    struct price_reading reading = {0};
    const struct price_context context = {
        .header = header, .context = row, .bare_number = takes_bare, .decimal = page->evidence.decimal};
    if (++page->work > AUTO_WORK_MAX) {
        page->err = gt_fail(page->info, GT_ELIMIT, "the page has more texts than AUTO_WORK_MAX (%d)", AUTO_WORK_MAX);
        return false;
    }
    enum gt_err err = price_text_read(text, &context, page->scratch, &reading);
    if (err == GT_ENOMEM) auto_fail_full(page);
    if (err != GT_OK || reading.item_count == 0) return false;
    const struct price_item *first = &reading.items[0];
    if (first->quote.period == PERIOD_MONTH && is_instalment(gt_str_slice(text, 0, first->offset))) return false;
    *ret = (struct auto_price){.text = text,
                               .header = header,
                               .name = GT_STR("price"),
                               .items = reading.item_count,
                               .has_currency = first->quote.currency.code[0] != '\0',
                               .has_period = first->quote.period != PERIOD_NONE,
                               .is_period_printed = first->quote.period != PERIOD_NONE && !is_inherited(first),
                               .is_zero = first->quote.amount_nano == 0,
                               .has_two_units = reading.item_count == 2 && first->quote.period != PERIOD_NONE &&
                                                reading.items[1].quote.period != PERIOD_NONE &&
                                                reading.items[1].quote.period != first->quote.period,
                               .first = *first};
    return first->quote.period != PERIOD_COUNT;
}

/* Prices of models, of energy, and instalments: money by time or use that is no rent of a card. */
static bool is_foreign(struct gt_str text)
{
    static const char *const WORDS[] = {"token", "Token", "kWh",  "/度",        "免息",      "分期",   "期 ¥",
                                        "期¥",   "月供",  "首付", "nstallment", "nstalment", "Affirm", "Klarna",
                                        " mos",  "inancing", "inanzier", "Store Card", "store card", "sans frais", "分割", "할부",
                                        "무이자", "рассроч", "cuotas", "parcelas", "sem juros"};
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++) {
        if (gt_str_find(text, gt_str_from(WORDS[i]), 0) != SIZE_MAX) return true;
    }
    return false;
}

bool auto_unit_is_known(struct auto_page *page, struct gt_str heading, const struct auto_around *around)
{
    struct auto_price price;
    return auto_price_read(page, GT_STR("1"), heading, GT_STR(""), around, true, &price) && price.has_currency &&
           price.has_period;
}

/* Where a word of time is glued to the figure before it ("$1.29per hour": an element of its own, apart only on the screen);
 * SIZE_MAX where none is. */
static size_t glued_unit(struct gt_str text, size_t from)
{
    static const struct gt_str WORDS[] = {{"per", 3}, {"hour", 4}, {"month", 5}, {"an hour", 7}, {"a month", 7}, {"p/h", 3}};
    for (size_t at = from > 0 ? from : 1; at < text.len; at++) {
        if (text.ptr[at - 1] < '0' || text.ptr[at - 1] > '9') continue;
        for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++) {
            if (gt_str_eq_nocase(gt_str_slice(text, at, WORDS[i].len), WORDS[i])) return at;
        }
    }
    return SIZE_MAX;
}

static struct gt_str with_gaps(struct auto_page *page, struct gt_str text)
{
    if (glued_unit(text, 0) == SIZE_MAX) return text;
    struct strbuf out;
    strbuf_init(&out, text.len * 2);
    for (size_t from = 0; from < text.len;) {
        size_t at = glued_unit(text, from + 1);
        strbuf_add(&out, gt_str_slice(text, from, at == SIZE_MAX ? SIZE_MAX : at - from));
        if (at != SIZE_MAX) strbuf_addc(&out, ' ');
        from = at == SIZE_MAX ? text.len : at;
    }
    struct gt_str copy = arena_dup(page->arena, strbuf_str(&out));
    strbuf_done(&out);
    return copy.ptr != NULL ? copy : text;
}

/* "$2.49 1 / GPU-hr", where a raised figure stood between the amount and its unit: without it. */
static struct gt_str without_inner_mark(struct auto_page *page, struct gt_str text)
{
    for (size_t at = 2; at + 1 < text.len; at++) {
        size_t begin = at - 1, unit = text.ptr[at + 1] == ' ' ? at + 2 : at + 1;
        if (text.ptr[at] < '1' || text.ptr[at] > '9' || text.ptr[at - 1] != ' ' || unit >= text.len) continue;
        while (begin > 0 && text.ptr[begin - 1] >= '0' && text.ptr[begin - 1] <= '9') begin--;
        bool has_decimals = begin > 1 && begin < at - 1 && text.ptr[begin - 1] == '.' && is_number(gt_str_slice(text, begin - 2, 1));
        if (!has_decimals || !(text.ptr[unit] == '/' || gt_str_starts(gt_str_slice(text, unit, SIZE_MAX), GT_STR("per ")))) continue;
        struct gt_str rest = arena_printf(page->arena, "%.*s%.*s", (int)(at - 1), text.ptr, GT_STR_ARG(gt_str_slice(text, at + 1, SIZE_MAX)));
        return rest.ptr != NULL ? rest : text;
    }
    return text;
}

/* A text up to a fee that is paid once: "184 € mtl. zzgl. 264 € einmalig" is "184 € mtl.". "" when the fee is all. */
static struct gt_str without_fee(struct auto_page *page, struct gt_str text)
{
    static const char *const WORDS[] = {"einmalig", "Einrichtung", "one-time",       "one time", "One-time",
                                        "setup",    "Setup",       "activation",     "一次性",   "初装费",
                                        "开通费",   "安装费",      "安裝費",         "初裝費",   "設置費",   "mise en service"};
    size_t word = SIZE_MAX;
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++) {
        size_t at = gt_str_find(text, gt_str_from(WORDS[i]), 0);
        if (at < word) word = at;
    }
    struct price_reading reading = {0};
    if (word == SIZE_MAX || price_text_read(text, NULL, page->scratch, &reading) != GT_OK || reading.item_count == 0) return text;
    for (size_t i = 0; i < reading.refused_count; i++) { /* "$209 Monthly $0.00 Setup Fee": a fee of nothing is no price, but a fee */
        size_t at = gt_str_find(text, reading.refused[i].raw, 0), end = at + reading.refused[i].raw.len;
        bool is_free = gt_str_eq(reading.refused[i].reason, refusal_code(REFUSAL_ZERO));
        if (is_free && at != SIZE_MAX && end <= word && word - end <= FEE_GAP_MAX) return gt_str_slice(text, 0, at);
    }
    size_t before = SIZE_MAX; /* the price right before the word: the fee, unless the word leads to one behind it */
    for (size_t i = 0; i < reading.item_count; i++) {
        if (reading.items[i].offset < word) before = i;
    }
    size_t behind = word; /* "Einrichtungsgebühr: 79,00 €" */
    while (behind < text.len && text.ptr[behind] != ' ' && text.ptr[behind] != ':') behind++;
    bool has_colon = behind < text.len && text.ptr[behind] == ':';
    bool is_led = before != SIZE_MAX && (has_colon || before + 1 < reading.item_count);
    if (is_led) return gt_str_slice(text, 0, word);
    if (before == SIZE_MAX) return reading.item_count == 1 ? GT_STR("") : text;
    size_t end = reading.items[before].offset + reading.items[before].len;
    return end <= word && word - end <= FEE_GAP_MAX ? gt_str_slice(text, 0, reading.items[before].offset) : text;
}

/* True for the same amount, or the same figure in 万元, which only what stands around may say. */
static bool is_same_figure(const struct auto_price *own, const struct auto_price *again)
{
    int64_t ten_thousand;
    int64_t one = own->first.quote.amount_nano, other = again->first.quote.amount_nano;
    return one == other || (!own->has_currency && !__builtin_mul_overflow(one, (int64_t)TEN_THOUSAND, &ten_thousand) && ten_thousand == other);
}

bool auto_price_read(struct auto_page *page, struct gt_str text, struct gt_str heading, struct gt_str row,
                     const struct auto_around *around, bool takes_bare, struct auto_price *ret_price)
{
    text = without_marks(text);
    if (text.len <= AUTO_CELL_MAX) text = without_fee(page, without_inner_mark(page, with_gaps(page, text)));
    if (text.len == 0 || text.len > AUTO_CELL_MAX || is_foreign(text)) return false;
    const struct gt_str more[] = {around->caption, around->heading, around->before};
    bool is_read = read_under(page, text, heading, row, takes_bare, ret_price);
    /* "1,60" is a price only where a currency says that the comma is a decimal one. */
    for (size_t i = 0; i < sizeof more / sizeof more[0] && takes_bare && !is_read; i++) {
        struct gt_str header = compose(page, heading, more[i]);
        is_read = header.len > 0 && read_under(page, text, header, row, true, ret_price) && ret_price->has_period &&
                  ret_price->has_currency;
    }
    if (!is_read) return false;
    for (size_t i = 0; i < sizeof more / sizeof more[0] && !(ret_price->has_period && ret_price->has_currency); i++) {
        struct auto_price again;
        struct gt_str header = compose(page, heading, more[i]);
        if (header.len == 0 || !read_under(page, text, header, row, takes_bare, &again)) continue;
        /* What stands around may add a unit; it must not change what was read without it. */
        bool adds = (!ret_price->has_period && again.has_period) ||
                    (again.has_period == ret_price->has_period && !ret_price->has_currency && again.has_currency);
        if (adds && is_same_figure(ret_price, &again)) *ret_price = again;
    }
    if (!ret_price->has_period) {
        ret_price->name = auto_price_name(page, heading);
        ret_price->has_period = ret_price->name.len > GT_STR("price").len;
    }
    return true;
}

bool auto_is_amount(struct auto_page *page, struct gt_str text)
{
    const struct auto_around nothing = {GT_STR(""), GT_STR(""), GT_STR("")};
    struct price_reading reading = {0};
    struct auto_price price;
    if (auto_price_read(page, text, GT_STR(""), GT_STR(""), &nothing, false, &price)) return true;
    return text.len <= AUTO_CELL_MAX && price_text_read(text, NULL, page->scratch, &reading) == GT_ENOPRICE &&
           is_one_of(reading.refused_all, "cpu|component");
}

struct refusal auto_price_refusal(struct auto_page *page, struct gt_str text)
{
    struct refusal none = {GT_STR(""), GT_STR("")};
    struct price_reading reading = {0};
    size_t digits = 0;
    for (size_t i = 0; i < text.len; i++) digits += text.ptr[i] >= '0' && text.ptr[i] <= '9';
    if (digits <= DIGITS_KEPT || text.len > AUTO_CELL_MAX) return none;
    if (price_text_read(text, NULL, page->scratch, &reading) == GT_ENOMEM) auto_fail_full(page);
    for (size_t i = 0; i < reading.refused_count; i++) {
        struct gt_str reason = reading.refused[i].reason;
        if (gt_str_eq(reason, refusal_code(REFUSAL_PRECISION)) || gt_str_eq(reason, refusal_code(REFUSAL_RANGE))) return reading.refused[i];
    }
    return none;
}

/* The band of an hour, of the widest currency that the amount may be in. */
static bool find_band(struct gt_str sku, struct currency currency, struct guard_band *ret_band)
{
    if (guard_band_find(sku, currency, ret_band)) return true;
    struct guard_band yuan;
    if (currency.code[0] != '\0' || !guard_band_find(sku, currency_from(GT_STR("USD")), ret_band)) return false;
    if (guard_band_find(sku, currency_from(GT_STR("CNY")), &yuan)) ret_band->high_hour_nano = yuan.high_hour_nano;
    return true;
}

/* An hour whose unit stands only around the price: no node costs that much; and where the page speaks of energy, earnings or the
 * like as well, no card is rented that cheaply. */
static bool is_hour_of_else(const struct auto_page *page, const struct auto_price *price, const struct guard_band *band)
{
    const struct quote *quote = &price->first.quote;
    int64_t hour = quote->amount_nano, high;
    if (quote->period == PERIOD_MONTH) hour /= HOURS_IN_MONTH;
    else if (quote->period != PERIOD_HOUR) return false;
    if (__builtin_mul_overflow(band->high_hour_nano, (int64_t)NODE_CARDS_MAX, &high)) high = INT64_MAX;
    return hour > high || (page->evidence.other > 0 && hour < band->low_hour_nano);
}

bool auto_price_is_fee(const struct auto_price *price, struct gt_str label)
{
    const struct quote *quote = &price->first.quote;
    struct sku_match match = sku_resolve(label, 0, NULL, 0);
    const struct sku_node *node = match.node != NULL ? match.node : match.candidate_count > 0 ? match.candidates[0] : NULL;
    struct guard_band band;
    if (quote->period != PERIOD_MONTH || match.slice_den > 0 || node == NULL) return false;
    return find_band(gt_str_from(node->name), quote->currency, &band) && quote->amount_nano / HOURS_IN_MONTH < band.low_hour_nano / FEE_SHARE;
}

bool auto_price_is_usual(const struct auto_price *price, struct gt_str label, int32_t cards)
{
    const struct quote *quote = &price->first.quote;
    const struct sku_match match = sku_resolve(label, 0, NULL, 0);
    const struct sku_node *node = match.node != NULL ? match.node : match.candidate_count > 0 ? match.candidates[0] : NULL;
    int64_t hour = quote->period == PERIOD_MONTH ? quote->amount_nano / HOURS_IN_MONTH : quote->amount_nano, high;
    struct guard_band band;
    bool is_timed = (quote->period == PERIOD_HOUR || quote->period == PERIOD_MONTH) && quote->period_count <= 1 && price->is_period_printed;
    if (!is_timed || !price->has_currency || quote->bound == BOUND_RANGE || node == NULL ||
        !guard_band_find(gt_str_from(node->name), quote->currency, &band))
        return false;
    if (cards <= 0) cards = match.cards > 0 ? match.cards : 1;
    if (__builtin_mul_overflow(band.high_hour_nano, (int64_t)cards, &high)) high = INT64_MAX;
    return hour >= band.low_hour_nano && hour <= high;
}

bool auto_price_is_plausible(struct auto_page *page, const struct auto_price *price, struct gt_str label, int32_t cards)
{
    const struct quote *quote = &price->first.quote;
    struct guard_band band;
    if (price->is_period_printed) return true;
    if (!price->has_period && quote->bound == BOUND_RANGE) return false; /* what a task comes to */
    int rental = page->evidence.rental + auto_evidence_of(page, label).rental;
    if (!price->has_period && rental < page->evidence.purchase) return false;
    struct sku_match match = sku_resolve(label, 0, NULL, 0);
    const struct sku_node *node = match.node != NULL ? match.node : match.candidate_count > 0 ? match.candidates[0] : NULL;
    bool has_band = node != NULL && find_band(gt_str_from(node->name), quote->currency, &band);
    if (price->has_period) return !has_band || !is_hour_of_else(page, price, &band);
    if (!has_band) return rental > 0;
    int64_t high, node_cards = cards > 0 ? cards : match.cards > 0 ? match.cards : 1;
    if (__builtin_mul_overflow(band.high_hour_nano, node_cards, &high)) high = INT64_MAX;
    return quote->amount_nano >= band.low_hour_nano && quote->amount_nano <= high;
}

bool auto_is_spec(struct gt_str text)
{
    static const char *const WORDS[] = {"显存", "内存",   "核",         "VRAM",  "vCPU",
                                        "RAM",  "NVLink", "InfiniBand", "IB 网", "GPU memory"};
    bool has_digit = false, has_word = false;
    for (size_t i = 0; i < text.len && !has_digit; i++) has_digit = text.ptr[i] >= '0' && text.ptr[i] <= '9';
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0] && !has_word; i++)
        has_word = gt_str_find(text, gt_str_from(WORDS[i]), 0) != SIZE_MAX;
    return has_digit && has_word;
}

bool auto_is_stock(struct auto_page *page, struct gt_str text)
{
    return text.len > 0 && text.len <= STOCK_MAX &&
           auto_has_words(
               page, text,
               "售罄|售空|无货|缺货|有货|紧张|充足|余|剩|仅剩|空闲|满租|sold out|out of stock|in stock|low stock|out of capacity|"
               "no capacity|not available|unavailable|waitlist");
}

bool auto_is_count(struct gt_str text)
{
    bool is_times = gt_str_starts(text, GT_STR("x")) || gt_str_starts(text, GT_STR("×"));
    if (text.len == 0 || text.len > COUNT_MAX) return false;
    return is_times ? is_number(gt_str_slice(text, text.ptr[0] == 'x' ? 1 : 2, SIZE_MAX)) : spec_cards_find(text) > 0;
}

struct gt_str auto_count_word(struct gt_str label)
{
    static const char *const WORDS[][2] = {{"two", "2"}, {"four", "4"}, {"six", "6"}, {"eight", "8"}, {"sixteen", "16"}};
    static const char *const MAKERS[] = {"nvidia", "amd", "tesla", "geforce"};
    struct sku_match match = sku_resolve(label, 0, NULL, 0);
    struct gt_str before = gt_str_trim(gt_str_slice(label, 0, match.offset));
    struct gt_str behind = gt_str_trim(gt_str_slice(label, match.offset + match.len, SIZE_MAX));
    /* Korean and Japanese counters: "A100 8개", "H100 8基". */
    bool is_counted = gt_str_ends(behind, GT_STR("개")) || gt_str_ends(behind, GT_STR("基")) || gt_str_ends(behind, GT_STR("枚"));
    struct gt_str counted = gt_str_trim(gt_str_slice(behind, 0, is_counted ? behind.len - 3 : 0));
    if (counted.len > 0 && counted.len <= 2 && is_number(counted)) return counted;
    /* The word before the card's name and its maker's. */
    for (size_t i = 0; i < sizeof MAKERS / sizeof MAKERS[0]; i++) {
        size_t len = strlen(MAKERS[i]);
        bool is_maker =
            before.len >= len && gt_str_eq_nocase(gt_str_slice(before, before.len - len, len), gt_str_from(MAKERS[i]));
        if (is_maker) before = gt_str_trim(gt_str_slice(before, 0, before.len - len));
    }
    size_t from = before.len;
    while (from > 0 && before.ptr[from - 1] != ' ') from--;
    struct gt_str word = gt_str_slice(before, from, SIZE_MAX);
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++) {
        if (gt_str_is(word, WORDS[i][0])) return gt_str_from(WORDS[i][1]);
    }
    struct gt_str lead = gt_str_trim(gt_str_slice(before, 0, from));
    if (word.len > 3 && gt_str_eq_nocase(gt_str_slice(word, 0, 3), GT_STR("gpu"))) word = gt_str_slice(word, 3, SIZE_MAX);
    bool is_led = lead.len == 0 || is_one_of(lead, "gpu|gpu:|gpus|gpus:|accelerator|显卡|显卡：|GPU：");
    return is_led && word.len <= 2 && is_number(word) ? word : GT_STR("");
}

struct gt_str auto_count_behind(struct gt_str text)
{
    static const struct gt_str WORDS[] = {{"GPUs:", 5}, {"GPU:", 4},       {"GPU count:", 10}, {"GPU 数量：", 13},
                                          {"GPU：", 6}, {"GPU数量：", 12}, {"显卡：", 9},      {"卡数：", 9}};
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++) {
        size_t at = gt_str_find(text, WORDS[i], 0);
        if (at == SIZE_MAX) continue;
        struct gt_str rest = gt_str_trim(gt_str_slice(text, at + WORDS[i].len, SIZE_MAX));
        size_t digits = 0;
        while (digits < rest.len && rest.ptr[digits] >= '0' && rest.ptr[digits] <= '9') digits++;
        bool is_whole = digits > 0 && digits <= 2 && (digits == rest.len || strchr(" ,;/", rest.ptr[digits]) != NULL);
        /* "可用卡数：5 / 8": so many are free. */
        struct gt_str behind = gt_str_trim(gt_str_slice(rest, digits, SIZE_MAX));
        if (gt_str_starts(behind, GT_STR("/")) && is_number(gt_str_slice(gt_str_trim(gt_str_slice(behind, 1, SIZE_MAX)), 0, 1))) continue;
        if (is_whole) return gt_str_slice(rest, 0, digits);
    }
    return GT_STR("");
}

bool auto_is_other_thing(struct auto_page *page, struct gt_str text)
{
    const char *reason;
    return text.len <= OTHER_MAX &&
           (gt_str_eq_nocase(text, GT_STR("CPU")) || terms_is_component(text, &reason) ||
            auto_has_words(page, text, "ipv4|ip address|public ip|load balancer|snapshot|backup|addon|licen|rtx|gtx|quadro|radeon|tpu|"
                                       "ストレージ|グローバル|스토리지|хранилище|диск|лицензия|公网|域名"));
}
