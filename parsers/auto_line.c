#include "parsers/auto_line.h"

enum {
    LEFTOVER_MAX = 48, /* bytes beside card and price in a line that holds both */
    REMARK_MAX = 20,   /* bytes of words between commas that are no clause of a sentence */
    STATEMENT_MAX = 100, /* bytes of a sentence that may be an offer */
    ABBREVIATED_WORDS = 5, /* words of a line whose full stop ends an abbreviation: "или 18 900 ₽/мес." */
    LEAD_MAX = 24,     /* bytes of a line that is a unit, and of the amount below it */
    FEATURE_MAX = 80,  /* bytes of a feature among those of a plan */
    COUNT_LEAD_MAX = 16, /* … before the card's name */
    ENDED_MAX = 16,    /* bytes of a line that may end in a full stop without being a sentence */
};

static const struct auto_around NOTHING = {{"", 0}, {"", 0}, {"", 0}};

/* Without the signs that stand between a name and its price, or open a list's item. */
struct gt_str auto_line_strip(struct gt_str text)
{
    static const struct gt_str SIGNS[] = {{":", 1},  {"-", 1}, {"*", 1}, {"|", 1}, {",", 1}, {"=", 1}, {"~", 1},
                                          {"：", 3}, {"—", 3}, {"–", 3}, {"·", 2}, {"•", 3}, {"，", 3}};
    for (bool has_more = true; has_more;) {
        has_more = false;
        text = gt_str_trim(text);
        for (size_t i = 0; i < sizeof SIGNS / sizeof SIGNS[0]; i++) {
            if (gt_str_ends(text, SIGNS[i])) text = gt_str_slice(text, 0, text.len - SIGNS[i].len), has_more = true;
            if (gt_str_starts(text, SIGNS[i])) text = gt_str_slice(text, SIGNS[i].len, SIZE_MAX), has_more = true;
        }
    }
    return text;
}

/* True when a comma parts off words without a figure that are longer than a remark: "A800 8卡，2T内存，7.5万/月，一年起" is a list. */
static bool has_clause(struct gt_str text)
{
    struct gt_str comma = GT_STR("，");
    for (size_t from = 0, at = gt_str_find(text, comma, 0); from < text.len; at = gt_str_find(text, comma, from)) {
        size_t end = at == SIZE_MAX ? text.len : at, digits = 0;
        if (from == 0 && end == text.len) return false;
        for (size_t i = from; i < end; i++) digits += text.ptr[i] >= '0' && text.ptr[i] <= '9';
        if (digits == 0 && end - from > REMARK_MAX) return true;
        from = end + comma.len;
    }
    return false;
}

static bool has_any(struct gt_str text, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (gt_str_find(text, gt_str_from(words[i]), 0) != SIZE_MAX) return true;
    }
    return false;
}

/* "An H100 instance costs $2.85 per hour.": a sentence that says no more than what a card costs here, and does not guess, report or
 * reckon. */
static bool is_plain_statement(struct gt_str text)
{
    static const char *const VERBS[] = {" costs $", " costs €", " cost $", " cost €", " is $", " is €", " at $", " at €",
                                        " for $", " for €", " from $", " from €", "价格为", "价格是", "收费", "租金为", "售价"};
    static const char *const DOUBTS[] = {"about", "around", "roughly", "almost", "nearly", "over ", "would", "could", " if ", "If ", "?", "？",
                                         " was ", " were ", "than", "market", "typical", "several", "providers",
                                         "We ", "we paid", " our ", " I ", "last ", "million",
                                         " to $", " to €", "约", "大概", "左右", "如果", "假设", "曾", "以前", "例如", "xample", ", ", "，"};
    return text.len <= STATEMENT_MAX && has_any(text, VERBS, sizeof VERBS / sizeof VERBS[0]) &&
           !has_any(text, DOUBTS, sizeof DOUBTS / sizeof DOUBTS[0]);
}

static size_t count_words(struct gt_str text)
{
    struct gt_str rest = text, word;
    size_t words = 0;
    while (gt_str_split(&rest, ' ', &word)) words += word.len > 0;
    return words;
}

static bool is_prose(struct gt_str text)
{
    static const struct gt_str STOPS[] = {{"。", 3}, {"！", 3}, {"？", 3}, {"；", 3}, {". ", 2}};
    size_t stops = 0;
    if (text.len > AUTO_LINE_MAX) return true;
    while (text.len > 0 && (text.ptr[text.len - 1] == '"' || gt_str_ends(text, GT_STR("”"))))
        text.len -= text.ptr[text.len - 1] == '"' ? 1 : GT_STR("”").len;
    for (size_t i = 0; i < sizeof STOPS / sizeof STOPS[0]; i++) stops += gt_str_find(text, STOPS[i], 0) != SIZE_MAX;
    stops += has_clause(text);
    /* A full stop at the end makes a sentence of it too, unless it is a word or two. */
    bool is_ended = (gt_str_ends(text, GT_STR(".")) && count_words(text) > ABBREVIATED_WORDS) || gt_str_ends(text, GT_STR("。")) ||
                    gt_str_ends(text, GT_STR("!"));
    return (stops > 0 && text.len > 40) || (is_ended && text.len > ENDED_MAX && !is_plain_statement(text));
}

bool auto_line_is_dated(struct gt_str text)
{
    if (text.len < 10 || text.ptr[0] != '2' || text.ptr[1] != '0') return false;
    return (text.ptr[4] == '-' || text.ptr[4] == '/' || text.ptr[4] == '.') && text.ptr[7] == text.ptr[4];
}

bool auto_line_compares(struct auto_page *page, struct gt_str title)
{
    return gt_str_ends(title, GT_STR("?")) || gt_str_ends(title, GT_STR("？")) || auto_has_words(page, title, "vs|versus|compared|explained|review");
}

/* Words that speak about prices instead of naming one, and questions. */
static bool is_news(struct gt_str text)
{
    if (auto_line_is_dated(text) || gt_str_ends(text, GT_STR("?")) || gt_str_ends(text, GT_STR("？"))) return true;
    static const char *const VERBS[] = {"跌",        "涨",      "下调",     "上调",   "降至", "升至",        "曝",
                                        "预计",      "报道",    "消息",     "均价",   "平均", "普遍",        "约合",
                                        "相当于",    "下降",    "上升",     "宣布",   "去年", "average",     "median",
                                        "fell",      "rose",    "dropped",  "reduced", "increased", "lowered", "compared",
                                        "versus",    " vs ",    "cheaper than", "last year", "a year ago", "peaked",
                                        "stood at",  "stands at", "laptop", ", down ", ", up "};
    return has_any(text, VERBS, sizeof VERBS / sizeof VERBS[0]);
}

/* "All prices are per GPU and hour, in US dollars": what a list below leaves out. */
static bool is_unit(struct auto_lines *lines, const struct auto_line *line)
{
    static const char *const WORDS[] = {"单位", "价格", "单价", "计价", "price", "Price", "rate", "Rate", "cost", "Cost"};
    return has_any(line->text, WORDS, sizeof WORDS / sizeof WORDS[0]) && line->text.len <= AUTO_CELL_MAX &&
           auto_unit_is_known(lines->page, line->text, &NOTHING);
}

/* "RTX 4090: 1.98" under such a unit; and "8*4090 - 7800/月", where the name by itself would be taken for a number. */
static bool read_behind_name(struct auto_lines *lines, struct auto_line *line)
{
    struct sku_match match = sku_resolve(line->text, 0, NULL, 0);
    struct gt_str rest = auto_line_strip(gt_str_slice(line->text, match.offset + match.len, SIZE_MAX));
    bool is_led = rest.len > 0 &&
                  ((rest.ptr[0] >= '0' && rest.ptr[0] <= '9') || ((unsigned char)rest.ptr[0] & 0x80) != 0 || rest.ptr[0] == '$');
    if (match.len == 0 || !is_led) return false;
    if (!auto_price_read(lines->page, rest, lines->unit, GT_STR(""), &NOTHING, lines->unit.len > 0, &line->price)) return false;
    line->price.first.offset += (size_t)(rest.ptr - line->text.ptr);
    return line->price.has_period && !line->price.is_zero;
}

/* Tells why a line gives no price, when its amount has more digits than can be kept. A number alone may be anything. */
static void tell_refusal(struct auto_page *page, const struct auto_line *line)
{
    struct refusal refusal = auto_price_refusal(page, line->text);
    if (refusal.raw.len == 0 || (!line->has_sku && auto_cell_read(page, refusal.raw).is_number)) return;
    listing_builder_refuse(&page->builder, refusal.raw, refusal.reason);
}

/* An amount alone on its line has the unit that the line above says: "from monthly", "489 €". */
static void read_below_lead(struct auto_lines *lines, struct auto_line *line)
{
    struct auto_price price;
    bool is_alone = line->has_price && !line->has_sku && !line->price.has_period && line->text.len <= LEAD_MAX;
    bool is_led = is_alone && lines->lead.len > 0 && auto_price_read(lines->page, line->text, lines->lead, GT_STR(""), &NOTHING, false, &price);
    if (is_led && price.has_period) line->price = price;
    bool has_digit = false;
    for (size_t i = 0; i < line->text.len; i++) has_digit |= line->text.ptr[i] >= '0' && line->text.ptr[i] <= '9';
    bool is_unit = !has_digit && line->text.len <= LEAD_MAX && auto_unit_has_time(lines->page, line->text);
    lines->lead = is_unit ? line->text : GT_STR("");
}

/* "1-512 HGX H100 GPUs for experiments.": a feature that counts cards, though it ends like a sentence. */
static bool is_counted_feature(struct auto_page *page, struct gt_str text)
{
    struct sku_match match = sku_resolve(text, 0, NULL, 0);
    struct gt_str behind = gt_str_trim(gt_str_slice(text, match.offset + match.len, SIZE_MAX));
    bool is_led = text.len <= FEATURE_MAX && text.ptr[0] >= '0' && text.ptr[0] <= '9' && match.offset <= COUNT_LEAD_MAX;
    return is_led && match.status != SKU_UNMAPPED && gt_str_starts(behind, GT_STR("GPU")) && !auto_is_amount(page, text);
}

void auto_line_judge(struct auto_lines *lines, struct auto_line *line)
{
    struct auto_cell cell = auto_cell_read(lines->page, line->text);
    if (cell.is_empty) return;
    if (!cell.has_sku && is_unit(lines, line)) lines->unit = line->text;
    line->is_prose = is_prose(line->text) && !is_counted_feature(lines->page, line->text);
    if (line->is_prose) return;
    line->has_price =
        auto_price_read(lines->page, line->text, GT_STR(""), GT_STR(""), &NOTHING, false, &line->price) && !line->price.is_zero;
    line->has_sku = cell.has_sku && !cell.is_number;
    line->is_other = !line->has_sku && auto_is_other_thing(lines->page, line->text);
    if (line->has_sku) line->sku = sku_resolve(line->text, 0, NULL, 0).node;
    if (line->has_sku && !line->has_price) line->has_price = read_behind_name(lines, line);
    read_below_lead(lines, line);
    if (!line->has_price) tell_refusal(lines->page, line);
    if (line->has_price) {
        line->price_offset = line->price.first.offset;
        line->price_len = line->price.first.len;
        line->price.first = (struct price_item){.quote = {.amount_nano = line->price.first.quote.amount_nano,
                                                          .currency = line->price.first.quote.currency,
                                                          .period = line->price.first.quote.period,
                                                          .role = line->price.first.quote.role,
                                                          .bound = line->price.first.quote.bound,
                                                          .months = line->price.first.quote.months}};
        if (is_news(line->text)) line->has_price = line->has_sku = false;
    }
}

/* A line that holds both card and price must hold little else, or it is a sentence about them. */
bool auto_line_is_terse(const struct auto_line *line)
{
    struct sku_match match = sku_resolve(line->text, 0, NULL, 0);
    size_t used = match.len + line->price_len;
    return line->text.len <= used + LEFTOVER_MAX + 24;
}

/* The words of a line that holds a price too: what is left without it. A label must not change with the price. */
struct gt_str auto_line_label(struct auto_page *page, const struct auto_line *line)
{
    struct gt_str text = line->text, before, behind;
    if (!line->has_price || line->price_offset + line->price_len > text.len) return text;
    before = auto_line_strip(gt_str_slice(text, 0, line->price_offset));
    behind = auto_line_strip(gt_str_slice(text, line->price_offset + line->price_len, SIZE_MAX));
    if (sku_resolve(before, 0, NULL, 0).status != SKU_UNMAPPED || behind.len == 0) return before;
    if (before.len == 0) return behind;
    struct gt_str both = arena_printf(page->arena, "%.*s %.*s", GT_STR_ARG(before), GT_STR_ARG(behind));
    return both.ptr != NULL ? both : text;
}

bool auto_line_is_spec(const struct auto_line *line)
{
    if (line->has_sku || line->has_price || line->is_heading || line->is_struck) return false;
    return !is_prose(line->text) && auto_is_spec(line->text);
}
