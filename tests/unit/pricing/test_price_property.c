/* Writes phrases from a grammar of forms and reads back what was written: amount, currency, period,
 * basis, role, bound, discount. The seed is fixed: every run sees the same phrases. */
#include "common/strbuf.h"
#include "pricing/price_text.h"
#include "tests/unit/table.h"

enum { PHRASES = 120000, PHRASE_MAX = 512, SHOWN_MAX = 20 };

/* ---- chance ---- */

struct chance {
    uint64_t state;
};

static uint32_t draw(struct chance *chance, uint32_t below)
{
    chance->state ^= chance->state << 13;
    chance->state ^= chance->state >> 7;
    chance->state ^= chance->state << 17;
    return (uint32_t)((chance->state >> 11) % below);
}

#define PICK(chance, list) (&(list)[draw(chance, sizeof(list) / sizeof((list)[0]))])

/* ---- the forms ---- */

/* A currency: what stands before and behind the number. `code` is what it is without any context. */
struct currency_form {
    const char *before, *behind, *code;
    int is_han;
};

static const struct currency_form currencies[] = {
    {"$", "", "USD", 0},    {"$ ", "", "USD", 0},   {"US$", "", "USD", 0},      {"USD ", "", "USD", 0},
    {"", " USD", "USD", 0}, {"", "$", "USD", 0},    {"", " 美元", "USD", 1},    {"", "美元", "USD", 1},
    {"", "元", "CNY", 1},   {"", " 元", "CNY", 1},  {"¥", "元", "CNY", 1},      {"RMB ", "", "CNY", 1},
    {"CNY ", "", "CNY", 1}, {"", " CNY", "CNY", 1}, {"人民币", "元", "CNY", 1}, {"¥", "", "", 1},
    {"￥", "", "", 1},      {"¥ ", "", "", 1},      {"£", "", "GBP", 0},        {"₹", "", "INR", 0},
    {"HK$", "", "HKD", 0},  {"", "港币", "HKD", 1}, {"", "日元", "JPY", 1},     {"", "算力豆", "X-SDD", 1},
    {"＄", "", "USD", 0},
};

struct period_form {
    const char *text;
    enum period period;
    int32_t count;
    enum basis basis;
    int32_t cards;
};

static const struct period_form units[] = {
    {"/时", PERIOD_HOUR, 1, BASIS_UNKNOWN, 0},
    {"/小时", PERIOD_HOUR, 1, BASIS_UNKNOWN, 0},
    {" / 小时", PERIOD_HOUR, 1, BASIS_UNKNOWN, 0},
    {"/h", PERIOD_HOUR, 1, BASIS_UNKNOWN, 0},
    {"/hr", PERIOD_HOUR, 1, BASIS_UNKNOWN, 0},
    {" /hr", PERIOD_HOUR, 1, BASIS_UNKNOWN, 0},
    {" per hour", PERIOD_HOUR, 1, BASIS_UNKNOWN, 0},
    {" an hour", PERIOD_HOUR, 1, BASIS_UNKNOWN, 0},
    {"每小时", PERIOD_HOUR, 1, BASIS_UNKNOWN, 0},
    {"/月", PERIOD_MONTH, 1, BASIS_UNKNOWN, 0},
    {"/个月", PERIOD_MONTH, 1, BASIS_UNKNOWN, 0},
    {"/month", PERIOD_MONTH, 1, BASIS_UNKNOWN, 0},
    {"/mo", PERIOD_MONTH, 1, BASIS_UNKNOWN, 0},
    {" per month", PERIOD_MONTH, 1, BASIS_UNKNOWN, 0},
    {"/天", PERIOD_DAY, 1, BASIS_UNKNOWN, 0},
    {"/日", PERIOD_DAY, 1, BASIS_UNKNOWN, 0},
    {"/day", PERIOD_DAY, 1, BASIS_UNKNOWN, 0},
    {"/周", PERIOD_WEEK, 1, BASIS_UNKNOWN, 0},
    {"/年", PERIOD_YEAR, 1, BASIS_UNKNOWN, 0},
    {" per year", PERIOD_YEAR, 1, BASIS_UNKNOWN, 0},
    {"/季度", PERIOD_QUARTER, 1, BASIS_UNKNOWN, 0},
    {"/秒", PERIOD_SECOND, 1, BASIS_UNKNOWN, 0},
    {"/s", PERIOD_SECOND, 1, BASIS_UNKNOWN, 0},
    {" / sec", PERIOD_SECOND, 1, BASIS_UNKNOWN, 0},
    {"/分钟", PERIOD_MINUTE, 1, BASIS_UNKNOWN, 0},
    {"/30天", PERIOD_DAY, 30, BASIS_UNKNOWN, 0},
    {"/3个月", PERIOD_MONTH, 3, BASIS_UNKNOWN, 0},
    {" per 6 months", PERIOD_MONTH, 6, BASIS_UNKNOWN, 0},
    {"/卡/时", PERIOD_HOUR, 1, BASIS_CARD, 1},
    {"/卡/小时", PERIOD_HOUR, 1, BASIS_CARD, 1},
    {"/小时/卡", PERIOD_HOUR, 1, BASIS_CARD, 1},
    {"/卡时", PERIOD_HOUR, 1, BASIS_CARD, 1},
    {"/卡·时", PERIOD_HOUR, 1, BASIS_CARD, 1},
    {"/月/卡", PERIOD_MONTH, 1, BASIS_CARD, 1},
    {"/张/月", PERIOD_MONTH, 1, BASIS_CARD, 1},
    {"/GPU/hr", PERIOD_HOUR, 1, BASIS_CARD, 1},
    {" / GPU-hr", PERIOD_HOUR, 1, BASIS_CARD, 1},
    {"/GPU-hour", PERIOD_HOUR, 1, BASIS_CARD, 1},
    {" per GPU hour", PERIOD_HOUR, 1, BASIS_CARD, 1},
    {" per GPU per hour", PERIOD_HOUR, 1, BASIS_CARD, 1},
    {"/hr per GPU", PERIOD_HOUR, 1, BASIS_CARD, 1},
    {"/台/月", PERIOD_MONTH, 1, BASIS_NODE, 0},
    {"/月/台", PERIOD_MONTH, 1, BASIS_NODE, 0},
    {"/8卡整机/月", PERIOD_MONTH, 1, BASIS_NODE, 8},
    {"/台(8卡)/月", PERIOD_MONTH, 1, BASIS_NODE, 8},
    {"/node/month", PERIOD_MONTH, 1, BASIS_NODE, 0},
    {" per node per hour", PERIOD_HOUR, 1, BASIS_NODE, 0},
};

struct label_form {
    const char *text;
    enum basis basis;
    int32_t cards;
};

static const struct label_form labels[] = {
    {"", BASIS_UNKNOWN, 0},
    {"RTX 4090 ", BASIS_UNKNOWN, 0},
    {"4090 ", BASIS_UNKNOWN, 0},
    {"H100: ", BASIS_UNKNOWN, 0},
    {"A100-SXM4-80GB ", BASIS_UNKNOWN, 0},
    {"昇腾 910B ", BASIS_UNKNOWN, 0},
    {"天垓100：", BASIS_UNKNOWN, 0},
    {"L40s | ", BASIS_UNKNOWN, 0},
    {"单卡 ", BASIS_CARD, 1},
    {"每卡", BASIS_CARD, 1},
    {"8卡整机 ", BASIS_NODE, 8},
    {"8×H100 ", BASIS_NODE, 8},
    {"八卡服务器 ", BASIS_NODE, 8},
    {"4x A100 80GB ", BASIS_NODE, 4},
    {"整机 ", BASIS_NODE, 0},
    {"H20 96G 八卡 ", BASIS_NODE, 8},
    {"5090 24GB 显存 / 15核 / 60GB内存 ", BASIS_UNKNOWN, 0},
    {"GB200 NVL72 ", BASIS_UNKNOWN, 0},
};

struct mark_form {
    const char *before, *behind;
    enum bound bound;
    enum role role;
};

static const struct mark_form marks[] = {
    {"", "", BOUND_EXACT, ROLE_LIST},          {"", "", BOUND_EXACT, ROLE_LIST},
    {"约 ", "", BOUND_APPROX, ROLE_LIST},      {"低至 ", "", BOUND_FROM, ROLE_LIST},
    {"", " 起", BOUND_FROM, ROLE_LIST},        {"", "起", BOUND_FROM, ROLE_LIST},
    {"from ", "", BOUND_FROM, ROLE_LIST},      {"starting at ", "", BOUND_FROM, ROLE_LIST},
    {"up to ", "", BOUND_UPTO, ROLE_LIST},     {"最高", "", BOUND_UPTO, ROLE_LIST},
    {"会员价 ", "", BOUND_EXACT, ROLE_MEMBER}, {"抢占 ", "", BOUND_EXACT, ROLE_SPOT},
    {"Spot: ", "", BOUND_EXACT, ROLE_SPOT},    {"原价 ", "", BOUND_EXACT, ROLE_LIST},
    {"现价", "", BOUND_EXACT, ROLE_SALE},      {"按量：", "", BOUND_EXACT, ROLE_LIST},
    {"", "（抢占）", BOUND_EXACT, ROLE_SPOT},  {"仅需 ", "", BOUND_EXACT, ROLE_LIST},
    {"≈ ", "", BOUND_APPROX, ROLE_LIST},       {"", " (on-demand)", BOUND_EXACT, ROLE_LIST},
};

static const char *const tails[] = {
    "", "", "", "，售罄", "，起租 8 卡", " (NA)", "，库存 12", "；按秒计费", "，有效期至 2026-12-31", " 可租1/6"};

/* ---- writing ---- */

struct written {
    char text[PHRASE_MAX];
    int64_t low_nano, high_nano;
    const char *code;
    struct period_form unit;
    struct mark_form mark;
    enum basis basis;
    int32_t cards;
};

/* Digits of the whole part, parted in threes by `sign`. */
static void add_grouped(struct strbuf *out, int64_t whole, const char *sign)
{
    char digits[24];
    int len = snprintf(digits, sizeof digits, "%lld", (long long)whole);
    for (int i = 0; i < len; i++) {
        if (i > 0 && (len - i) % 3 == 0) strbuf_adds(out, sign);
        strbuf_addc(out, digits[i]);
    }
}

static void add_decimals(struct strbuf *out, int64_t nano, int decimals)
{
    char digits[16];
    snprintf(digits, sizeof digits, "%09lld", (long long)(nano % NANO));
    if (decimals > 0) strbuf_addf(out, ".%.*s", decimals, digits);
}

/* The same number in full-width digits. */
static void add_wide(struct strbuf *out, const char *text)
{
    for (; *text != '\0'; text++) {
        char wide[4] = {(char)0xEF, (char)0xBC, (char)(0x80 + (*text - ' ')), '\0'};
        strbuf_adds(out, wide);
    }
}

static void add_number(struct strbuf *out, struct chance *chance, int64_t nano, int decimals)
{
    static const char *const signs[] = {"", "", ",", "'", "\xC2\xA0", "\xE2\x80\xAF", "’"};
    struct strbuf plain;
    if (draw(chance, 12) > 0) {
        add_grouped(out, nano / NANO, *PICK(chance, signs));
        add_decimals(out, nano, decimals);
        return;
    }
    strbuf_init(&plain, 64);
    add_grouped(&plain, nano / NANO, draw(chance, 2) ? "," : "");
    add_decimals(&plain, nano, decimals);
    add_wide(out, plain.ptr);
    strbuf_done(&plain);
}

/* A value that has `decimals` digits behind the point, the last of them not zero. */
static int64_t value_of(struct chance *chance, int *ret_decimals)
{
    static const int64_t steps[] = {NANO, NANO / 10, NANO / 100, NANO / 1000, NANO / 10000, NANO / 1000000};
    static const int decimals[] = {0, 1, 2, 3, 4, 6};
    size_t i = draw(chance, 6);
    int64_t value = 1 + draw(chance, draw(chance, 2) ? 99 : 99999);
    if (i > 0 && value % 10 == 0) value++;
    *ret_decimals = decimals[i];
    return value * steps[i];
}

static void add_amount(struct strbuf *out, struct chance *chance, struct written *w, const struct currency_form *currency)
{
    static const char *const joints[] = {"-", "–", "~", " - ", "至"};
    int decimals;
    w->low_nano = value_of(chance, &decimals);
    w->high_nano = 0;
    bool is_scaled = currency->is_han && draw(chance, 6) == 0 && decimals <= 2 && w->low_nano < 100000 * NANO;
    bool is_range = draw(chance, 6) == 0;
    strbuf_adds(out, currency->before);
    add_number(out, chance, w->low_nano, decimals);
    if (is_range) {
        w->high_nano = w->low_nano + (1 + draw(chance, 9)) * (w->low_nano / 10 > 0 ? w->low_nano / 10 : 1);
        w->high_nano -= w->high_nano % 1000;
        if (w->high_nano <= w->low_nano) w->high_nano = w->low_nano + 1000;
        strbuf_adds(out, *PICK(chance, joints));
        add_number(out, chance, w->high_nano, 6);
    }
    if (is_scaled) {
        strbuf_adds(out, currency->before[0] == '\0' && draw(chance, 2) ? " 万" : "万");
        w->low_nano *= 10000;
        w->high_nano *= 10000;
    }
    strbuf_adds(out, currency->behind);
}

static void write_phrase(struct chance *chance, struct written *w)
{
    struct strbuf out;
    const struct currency_form *currency = PICK(chance, currencies);
    const struct label_form *label = PICK(chance, labels);
    strbuf_init(&out, PHRASE_MAX);
    w->code = currency->code;
    w->unit = *PICK(chance, units);
    w->mark = *PICK(chance, marks);
    strbuf_adds(&out, label->text);
    strbuf_adds(&out, w->mark.before);
    add_amount(&out, chance, w, currency);
    strbuf_adds(&out, w->unit.text);
    strbuf_adds(&out, w->mark.behind);
    strbuf_adds(&out, *PICK(chance, tails));
    w->basis = w->unit.basis != BASIS_UNKNOWN ? w->unit.basis : label->basis;
    w->cards = w->unit.basis == BASIS_UNKNOWN ? label->cards : w->unit.cards;
    if (w->unit.basis == BASIS_NODE && w->unit.cards == 0 && label->basis == BASIS_NODE) w->cards = label->cards;
    if (w->high_nano != 0) w->mark.bound = BOUND_RANGE;
    /* 每卡约 … is worked out from a node's price. */
    if (w->mark.role == ROLE_LIST && label->basis == BASIS_CARD && w->basis == BASIS_CARD &&
        strncmp(w->mark.before, "约", 3) == 0)
        w->mark.role = ROLE_DERIVED;
    if (w->mark.role == ROLE_LIST && label->basis == BASIS_CARD && w->basis == BASIS_CARD && strncmp(w->mark.before, "≈", 3) == 0)
        w->mark.role = ROLE_DERIVED;
    memcpy(w->text, out.ptr, out.len + 1);
    strbuf_done(&out);
}

/* ---- reading back ---- */

static bool is_read_back(const struct written *w, struct arena *arena)
{
    struct price_reading reading;
    arena_clear(arena);
    if (price_text_read(gt_str_from(w->text), NULL, arena, &reading) != GT_OK || reading.item_count != 1) return false;
    const struct quote *q = &reading.items[0].quote;
    return q->amount_nano == w->low_nano && q->amount_high_nano == w->high_nano && strcmp(q->currency.code, w->code) == 0 &&
           q->period == w->unit.period && q->period_count == w->unit.count && q->basis == w->basis && q->cards == w->cards &&
           q->role == w->mark.role && q->bound == w->mark.bound && reading.discount_count == 0;
}

static void show(const struct written *w, struct arena *arena)
{
    struct price_reading reading = {0};
    char low[MONEY_TEXT_MAX], high[MONEY_TEXT_MAX];
    print_error("wrote \"%s\": %s..%s %s %s basis %d cards %d role %d bound %d\n", w->text, money_format(w->low_nano, low),
                money_format(w->high_nano, high), w->code, word_text(VOCABULARY_PERIOD, (int)w->unit.period), (int)w->basis,
                (int)w->cards, (int)w->mark.role, (int)w->mark.bound);
    price_text_read(gt_str_from(w->text), NULL, arena, &reading);
    for (size_t i = 0; i < reading.item_count; i++) {
        const struct quote *q = &reading.items[i].quote;
        print_error("  read %s..%s %s %s basis %d cards %d role %d bound %d\n", money_format(q->amount_nano, low),
                    money_format(q->amount_high_nano, high), q->currency.code, word_text(VOCABULARY_PERIOD, (int)q->period),
                    (int)q->basis, (int)q->cards, (int)q->role, (int)q->bound);
    }
    for (size_t i = 0; i < reading.refused_count; i++)
        print_error("  refused \"%.*s\" %.*s\n", GT_STR_ARG(reading.refused[i].raw), GT_STR_ARG(reading.refused[i].reason));
}

struct property {
    const char *name;
    uint64_t seed;
    int phrases;
};

static const struct property single_prices[] = {
    {"one price in every form of number, currency, unit, basis and mark", 0x9E3779B97F4A7C15u, PHRASES / 2},
    {"the same grammar from another seed", 0xD1B54A32D192ED03u, PHRASES / 4},
};

static void check_single(void **state)
{
    const struct property *row = *state;
    struct chance chance = {row->seed};
    struct arena *arena = arena_new(1 << 20);
    int failed = 0;
    assert_non_null(arena);
    for (int i = 0; i < row->phrases; i++) {
        struct written w;
        write_phrase(&chance, &w);
        if (is_read_back(&w, arena)) continue;
        if (failed++ < SHOWN_MAX) show(&w, arena);
    }
    arena_free(arena);
    assert_int_equal(failed, 0);
}

/* ---- discounts ---- */

struct cut_form {
    const char *before, *behind;
    int kind; /* 0: tenths or hundredths to pay (折), 1: percent off, 2: percent to pay */
};

static const struct cut_form cut_forms[] = {
    {"", "折", 0},
    {"", " 折", 0},
    {"打 ", " 折", 0},
    {"月付", "折", 0},
    {"学生 ", "折优惠", 0},
    {"", "% off", 1},
    {"save ", "%", 1},
    {"可省", "%", 1},
    {"", "% discount", 1},
    {"较按量低 ", "%", 1},
    {"", "% less than on-demand", 1},
    {"原价的 ", "%", 2},
    {"", "% of the list price", 2},
    {"立省", "%", 1},
};

static bool is_cut_read(struct chance *chance, struct arena *arena, char *text)
{
    const struct cut_form *form = PICK(chance, cut_forms);
    int hundredths = 11 + (int)draw(chance, 88); /* 11 to 98 */
    int64_t factor = hundredths * (NANO / 100);
    if (form->kind == 0 && hundredths % 10 == 0)
        snprintf(text, PHRASE_MAX, "%s%d%s", form->before, hundredths / 10, form->behind);
    else if (form->kind == 0 && draw(chance, 2))
        snprintf(text, PHRASE_MAX, "%s%d.%d%s", form->before, hundredths / 10, hundredths % 10, form->behind);
    else snprintf(text, PHRASE_MAX, "%s%d%s", form->before, form->kind == 1 ? 100 - hundredths : hundredths, form->behind);
    struct price_reading reading;
    arena_clear(arena);
    return price_text_read(gt_str_from(text), NULL, arena, &reading) == GT_OK && reading.item_count == 0 &&
           reading.discount_count == 1 && reading.discounts[0].factor_nano == factor && reading.discounts[0].factor_alt_nano == 0;
}

/* ---- what is no rental ---- */

static const char *const no_rentals[] = {
    "RTX 4090 售价 %d 元",
    "服务器约 %d 万元",
    "%d 元/百万 tokens",
    "$%d per 1M tokens",
    "云盘 %d 元/GB/月",
    "$%d/GB/mo",
    "%d 元代金券",
    "$%d free credits",
    "%d 元/核时",
    "市场规模 %d 亿元",
    "最低消费 %d 元",
    "押金 ¥%d",
    "单次任务 %d 元",
    "$%d minimum monthly spend",
    "RTX 5090 (%d/2288)",
    "库存 %d",
    "%dGB 显存",
    "H100 %dGB",
    "%d.5%% 利用率",
    "%d 小时",
    "%d 元/张",
    "%d 元/次",
    "$%dM",
    "$%dXX/hr",
};

static bool is_refused(struct chance *chance, struct arena *arena, char *text)
{
    char number[16];
    const char *form = *PICK(chance, no_rentals), *at = strstr(form, "%d");
    snprintf(number, sizeof number, "%u", 2 + draw(chance, 9000));
    snprintf(text, PHRASE_MAX, "%.*s%s%s", (int)(at - form), form, number, at + 2);
    for (char *percent = strstr(text, "%%"); percent != NULL; percent = strstr(text, "%%"))
        memmove(percent, percent + 1, strlen(percent));
    struct price_reading reading;
    arena_clear(arena);
    return price_text_read(gt_str_from(text), NULL, arena, &reading) == GT_ENOPRICE && reading.item_count == 0 &&
           reading.refused_all.len > 0;
}

/* ---- two prices, rate words, headings ---- */

/* Where `A` and `B` stand for amounts of yuan with their unit. */
struct pair_form {
    const char *text;
    enum role first, second;
    int64_t factor_nano; /* of a discount between them; 0: none */
};

static const struct pair_form pair_forms[] = {
    {"原价 A，现价 B", ROLE_LIST, ROLE_SALE, 0},
    {"原价A 现价B", ROLE_LIST, ROLE_SALE, 0},
    {"A,月付 95 折后 B", ROLE_LIST, ROLE_SALE, 950000000},
    {"A，8折后 B", ROLE_LIST, ROLE_SALE, 800000000},
    {"按量 A | 抢占 B", ROLE_LIST, ROLE_SPOT, 0},
    {"A（按量），B（抢占）", ROLE_LIST, ROLE_SPOT, 0},
    {"5090 A 会员 B", ROLE_LIST, ROLE_MEMBER, 0},
    {"A（会员 B）", ROLE_LIST, ROLE_MEMBER, 0},
    {"A on-demand / B spot", ROLE_LIST, ROLE_SPOT, 0},
    {"4090 A；5090 B", ROLE_LIST, ROLE_LIST, 0},
    {"was A now B", ROLE_LIST, ROLE_SALE, 0},
};

static int64_t add_yuan(struct strbuf *out, struct chance *chance, const char *unit)
{
    int decimals;
    int64_t nano = value_of(chance, &decimals);
    bool is_before = draw(chance, 2) == 0;
    strbuf_adds(out, is_before ? "¥" : "");
    add_grouped(out, nano / NANO, draw(chance, 2) ? "," : "");
    add_decimals(out, nano, decimals);
    strbuf_addf(out, "%s%s", is_before ? "" : "元", unit);
    return nano;
}

static bool is_pair_read(struct chance *chance, struct arena *arena, char *text)
{
    static const char *const pair_units[] = {"/时", "/小时", "/月", "/卡/时", "/天"};
    const struct pair_form *form = PICK(chance, pair_forms);
    const char *unit = *PICK(chance, pair_units);
    int64_t nano[2] = {0};
    struct strbuf out;
    strbuf_init(&out, PHRASE_MAX);
    for (const char *c = form->text; *c != '\0'; c++) {
        if (*c == 'A' || *c == 'B') nano[*c - 'A'] = add_yuan(&out, chance, unit);
        else strbuf_addc(&out, *c);
    }
    memcpy(text, out.ptr, out.len + 1);
    strbuf_done(&out);
    struct price_context context = {.currency = {"CNY"}};
    struct price_reading r;
    arena_clear(arena);
    if (price_text_read(gt_str_from(text), &context, arena, &r) != GT_OK || r.item_count != 2) return false;
    const struct quote *a = &r.items[0].quote, *b = &r.items[1].quote;
    bool is_cut =
        form->factor_nano == 0 ? r.discount_count == 0 : r.discount_count == 1 && r.discounts[0].factor_nano == form->factor_nano;
    return is_cut && a->amount_nano == nano[0] && b->amount_nano == nano[1] && a->role == form->first &&
           b->role == form->second && a->period == b->period && a->period != PERIOD_NONE &&
           strcmp(a->currency.code, "CNY") == 0 && strcmp(b->currency.code, "CNY") == 0;
}

struct rate_form {
    const char *before, *header;
    enum period period;
    enum basis basis;
    int64_t scale;
};

/* A word before the amount, or a heading over a bare number. */
static const struct rate_form rate_forms[] = {
    {"月租 ", NULL, PERIOD_MONTH, BASIS_UNKNOWN, 1},          {"时租", NULL, PERIOD_HOUR, BASIS_UNKNOWN, 1},
    {"每小时 ", NULL, PERIOD_HOUR, BASIS_UNKNOWN, 1},         {"包月", NULL, PERIOD_MONTH, BASIS_UNKNOWN, 1},
    {"按天计费 ", NULL, PERIOD_DAY, BASIS_UNKNOWN, 1},        {"年租：", NULL, PERIOD_YEAR, BASIS_UNKNOWN, 1},
    {"RTX 4090 月租 ", NULL, PERIOD_MONTH, BASIS_UNKNOWN, 1}, {"单卡月租 ", NULL, PERIOD_MONTH, BASIS_CARD, 1},
    {"per hour: ", NULL, PERIOD_HOUR, BASIS_UNKNOWN, 1},      {"monthly price ", NULL, PERIOD_MONTH, BASIS_UNKNOWN, 1},
    {"", "价格（元/月）", PERIOD_MONTH, BASIS_UNKNOWN, 1},    {"", "按需价格(元/小时)", PERIOD_HOUR, BASIS_UNKNOWN, 1},
    {"", "PRICE/GPU/HR*", PERIOD_HOUR, BASIS_CARD, 1},        {"", "价格（万元/台/月）", PERIOD_MONTH, BASIS_NODE, 10000},
    {"", "定价(CNY/卡/小时)", PERIOD_HOUR, BASIS_CARD, 1},    {"", "Price (Per Second)", PERIOD_SECOND, BASIS_UNKNOWN, 1},
};

static bool is_rate_read(struct chance *chance, struct arena *arena, char *text)
{
    const struct rate_form *form = PICK(chance, rate_forms);
    struct strbuf out;
    int decimals;
    int64_t nano = 0;
    strbuf_init(&out, PHRASE_MAX);
    strbuf_adds(&out, form->before);
    if (form->header == NULL) {
        nano = add_yuan(&out, chance, "");
    } else {
        nano = value_of(chance, &decimals);
        add_grouped(&out, nano / NANO, ",");
        add_decimals(&out, nano, decimals);
        nano *= form->scale;
    }
    memcpy(text, out.ptr, out.len + 1);
    strbuf_done(&out);
    struct price_context context = {.currency = {"CNY"}, .header = gt_str_from(form->header)};
    struct price_reading r;
    arena_clear(arena);
    if (price_text_read(gt_str_from(text), &context, arena, &r) != GT_OK || r.item_count != 1) return false;
    const struct quote *q = &r.items[0].quote;
    return q->amount_nano == nano && q->period == form->period && q->basis == form->basis && q->amount_high_nano == 0;
}

struct yes_no {
    const char *name;
    bool (*is_right)(struct chance *chance, struct arena *arena, char *text);
    int phrases;
};

static const struct yes_no others[] = {
    {"discounts in every spelling", is_cut_read, PHRASES / 8},
    {"amounts that are no rental price", is_refused, PHRASES / 8},
    {"two prices in one phrase", is_pair_read, PHRASES / 8},
    {"rate words and headings", is_rate_read, PHRASES / 8},
};

static void check_other(void **state)
{
    const struct yes_no *row = *state;
    struct chance chance = {0xA0761D6478BD642Fu};
    struct arena *arena = arena_new(1 << 20);
    int failed = 0;
    assert_non_null(arena);
    for (int i = 0; i < row->phrases; i++) {
        char text[PHRASE_MAX];
        if (row->is_right(&chance, arena, text)) continue;
        if (failed++ < SHOWN_MAX) print_error("misread \"%s\"\n", text);
    }
    arena_free(arena);
    assert_int_equal(failed, 0);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(single_prices, check_single) + TABLE_RUN(others, check_other);
}
