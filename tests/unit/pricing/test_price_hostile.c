/* Texts that nobody means well with: long, cut, mangled, repeated. The reader must end, stay within
 * its limits, and never hand out anything that does not hold. */
#include <time.h>

#include "pricing/price_text.h"
#include "tests/unit/table.h"

enum { MEGABYTE = 1 << 20, MUTATIONS = 60000, ROOM = 64 << 20, CPU_S_MAX = 5, FACTOR_ONE = 1000000000 };

/* ---- what must hold of any reading ---- */

static void check_item(const struct price_item *item, struct gt_str text)
{
    const struct quote *q = &item->quote;
    assert_true(q->amount_nano > 0);
    assert_true(q->amount_high_nano == 0 || q->amount_high_nano > q->amount_nano);
    assert_true(q->period_count >= 1 && q->cards >= 0 && q->cards <= CARDS_MAX && q->months >= 0);
    assert_true(item->offset + item->len <= text.len && q->raw.len == item->len && q->raw.ptr == text.ptr + item->offset);
    assert_true(item->flag_count <= PRICE_FLAGS_MAX && q->condition_count <= CONDITIONS_MAX);
}

static void check_sane(const struct price_reading *r, struct gt_str text, enum gt_err err)
{
    assert_true(r->item_count <= PRICE_QUOTES_MAX && r->discount_count <= OFFER_DISCOUNTS_MAX);
    assert_int_equal(err, r->item_count + r->discount_count > 0 ? GT_OK : GT_ENOPRICE);
    assert_true(r->item_count > 0 ? r->refused_all.len == 0 : r->discount_count > 0 || r->refused_all.len > 0);
    for (size_t i = 0; i < r->item_count; i++) check_item(&r->items[i], text);
    for (size_t i = 0; i < r->discount_count; i++) {
        const struct discount *d = &r->discounts[i];
        assert_true(d->factor_nano >= 0 && d->factor_nano < FACTOR_ONE && d->factor_alt_nano >= 0 &&
                    d->factor_alt_nano < FACTOR_ONE);
        assert_true(d->amount_off_nano >= 0 && d->condition_count <= CONDITIONS_MAX);
    }
    for (size_t i = 0; i < r->refused_count; i++) assert_true(r->refused[i].reason.len > 0 && r->refused[i].raw.len > 0);
}

/* ---- repetition to the limit ---- */

struct repeated {
    const char *name;
    const char *unit;
};

static const struct repeated repetitions[] = {
    {"prices", "¥1.96/时,"},
    {"discounts", "8折"},
    {"open brackets", "("},
    {"closed brackets", ")"},
    {"digits and commas", "1,"},
    {"digits and points", "1."},
    {"dollar signs", "$"},
    {"names with hyphens", "a-1"},
    {"months", "月"},
    {"ranges", "1-"},
    {"times", "x8"},
    {"every", "每"},
    {"fractions", "1/"},
    {"percentages", "30% "},
    {"about", "约"},
    {"numerals", "四"},
    {"codes between numbers", "1 usd "},
    {"slashes", "/"},
    {"per", "per "},
    {"currency words", "元"},
    {"one word without end", "a"},
    {"zeros", "0"},
    {"bytes that are no text", "\xFF"},
    {"half characters", "\xE6"},
    {"long known words", "minimum monthly commitment "},
    {"comparisons", "30% 较"},
    {"dates", "2026-01-01"},
    {"units", "/卡"},
    {"scales", "万"},
    {"bare numbers", "7 "},
    {"counts", "8卡"},
    {"a ligature that grows", "\xEF\xB7\xBA"},
    {"brackets around prices", "(1元"},
    {"equations", "1元/卡="},
    {"terms", "3个月"},
    {"quotes", "\"A"},
    {"points with blanks", "1 . "},
    {"tags that never close", "<a"},
    {"tags", "<b>1</b>"},
    {"named blanks", "1&nbsp;"},
    {"emphasis", "**1*"},
    {"dashes for no cents", "1,-"},
    {"plans", "会员 ¥29/月 "},
    {"news", "1元上调至"},
    {"ends of ranges with units", "$1/hr - "},
    {"glued scales", "1.3w-"},
    {"codes before signs", "hkd $1 "},
    {"lakhs", "₹1 lakh "},
    {"tenths", "2块5"},
    {"tax between", "1€ ht/"},
    {"sellers in brackets that do not close", "(aws $1/hr "},
    {"sellers compared with", "vs aws "},
    {"counts and what each costs", "8x H100 @ $1/hr "},
};

static void check_repeated(void **state)
{
    const struct repeated *row = *state;
    struct arena *arena = arena_new(ROOM);
    char *bytes = malloc(PRICE_TEXT_MAX);
    size_t unit = strlen(row->unit), len = 0;
    assert_true(arena != NULL && bytes != NULL);
    for (; len + unit <= PRICE_TEXT_MAX; len += unit) memcpy(bytes + len, row->unit, unit);
    struct price_reading reading = {0};
    struct price_context context = {.header = {bytes, len}, .context = {bytes, len}, .currency = {"CNY"}};
    clock_t began = clock();
    enum gt_err err = price_text_read((struct gt_str){bytes, len}, &context, arena, &reading);
    assert_true((clock() - began) / CLOCKS_PER_SEC < CPU_S_MAX);
    check_sane(&reading, (struct gt_str){bytes, len}, err);
    free(bytes);
    arena_free(arena);
}

/* A megabyte of any shape is refused before anything is looked at: with no room at all the answer is still that it is too long, and the
 * reading is untouched. What a megabyte costs is a comparison, whatever stands in it. */
static void check_megabyte(void **state)
{
    const struct repeated *row = *state;
    char *bytes = malloc(MEGABYTE);
    struct arena *arena = arena_new(0);
    size_t unit = strlen(row->unit);
    assert_true(arena != NULL && bytes != NULL);
    for (size_t i = 0; i < MEGABYTE; i++) bytes[i] = row->unit[i % unit];
    struct gt_str shape = {bytes, MEGABYTE}, shorter = gt_str_from("¥1.98/时");
    struct price_context as_header = {.header = shape}, as_row = {.context = shape};
    struct price_reading reading = {.item_count = 99};
    assert_int_equal(price_text_read(shape, NULL, arena, &reading), GT_ELIMIT);
    assert_int_equal(price_text_read(shorter, &as_header, arena, &reading), GT_ELIMIT);
    assert_int_equal(price_text_read(shorter, &as_row, arena, &reading), GT_ELIMIT);
    assert_int_equal(reading.item_count, 99);
    arena_free(arena);
    free(bytes);
}

/* ---- mutation ---- */

static const char *const seeds[] = {
    "¥1.96/时,月付 95 折后 ¥1.57/时",
    "$42.00 per hour (GB200 NVL72, 4 GPUs)",
    "8 卡 × 2500 元/卡/月 = 20000 元/月",
    "1.299,00 €/h",
    "SMM 样本：约 7.5-8.0 万元/8卡整机/月",
    "RTX 4090 月均费用 1260 元（小时租 1800 元）",
    "up to 35% less than on-demand rates",
    "P100卡 | 12 (定价 CNY/卡/小时)",
    "满1000减100，有效期至 2026-12-31",
    "\"price_cents_per_hour\": 429",
    "五元三毛",
    "１２，８００元/月",
    "1 649 €/mo",
    "买满1年,立享官网价格8.5折优惠。",
    "$0.34 社区 / $0.74 安全",
    "8×24GB,NVLink + IB 网卡",
    "学生/企业 95折",
    "<del>¥2.50</del> **$1.25**/hr&nbsp;起",
    "由 7.5 万元/月下调至 7.0 万元/月",
    "会员 ¥29/月，$49/mo Pro plan",
    "between $1.10/hr and $1.90/hr",
    "0/24 available, 1.3w-1.6w 月租",
    "HKD $28 HT/mois 449,- 2块5",
    "8x H100 SXM @ $15.92/hr, 8 GPUs at $1.10 each",
    "比阿里云便宜 60%（阿里云 34.7 元/时），AWS charges $98/hr vs. $4.10 on Azure",
};

static uint32_t draw(uint64_t *state, uint32_t below)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (uint32_t)((*state >> 11) % below);
}

/* Cuts, doubles, swaps and overwrites; pieces of other seeds are put in. */
static size_t mutate(uint64_t *chance, char *text, size_t len, size_t cap)
{
    static const char spice[] = "0123456789.,/%$-~*x()| \xC2\xA5\xE6\x9C\x88\xE5\x85\x83\xFF\x80";
    size_t at = len > 0 ? draw(chance, (uint32_t)len) : 0;
    switch (draw(chance, 4)) {
    case 0: return at;
    case 1:
        if (len > 0) text[at] = spice[draw(chance, sizeof spice - 1)];
        return len;
    case 2: {
        const char *other = seeds[draw(chance, sizeof seeds / sizeof seeds[0])];
        size_t more = strlen(other) < cap - at ? strlen(other) : cap - at;
        memcpy(text + at, other, more);
        return at + more;
    }
    default:
        if (len + 1 >= cap) return len;
        memmove(text + at + 1, text + at, len - at);
        text[at] = spice[draw(chance, sizeof spice - 1)];
        return len + 1;
    }
}

struct mangled {
    const char *name;
    uint64_t seed;
    int is_heading;
};

static const struct mangled mangles[] = {
    {"mangled phrases", 0x9E3779B97F4A7C15u, 0},
    {"mangled headings and rows beside a phrase", 0xC2B2AE3D27D4EB4Fu, 1},
};

static void check_mangled(void **state)
{
    const struct mangled *row = *state;
    uint64_t chance = row->seed;
    struct arena *arena = arena_new(1 << 20);
    assert_non_null(arena);
    for (int i = 0; i < MUTATIONS / 2; i++) {
        char bytes[400];
        const char *seed = seeds[draw(&chance, sizeof seeds / sizeof seeds[0])];
        size_t len = strlen(seed);
        memcpy(bytes, seed, len);
        for (uint32_t n = draw(&chance, 6); n > 0; n--) len = mutate(&chance, bytes, len, sizeof bytes);
        /* A copy of just its size, so that a sanitizer sees any step over the end. */
        char *exact = malloc(len + (len == 0));
        memcpy(exact, bytes, len);
        struct gt_str text = {exact, len};
        struct price_context context = {.currency = {"CNY"}, .bare_number = draw(&chance, 2) == 0};
        if (row->is_heading) context.header = context.context = text;
        if (row->is_heading) text = gt_str_from("4.8");
        struct price_reading reading = {0};
        arena_clear(arena);
        enum gt_err err = price_text_read(text, &context, arena, &reading);
        check_sane(&reading, text, err);
        free(exact);
    }
    arena_free(arena);
}

/* ---- limits ---- */

struct limit {
    const char *name;
    size_t text_len, header_len, context_len;
    enum gt_err err;
};

static const struct limit limits[] = {
    {"a text of just the limit is read", PRICE_TEXT_MAX, 0, 0, GT_ENOPRICE},
    {"one byte more is refused", PRICE_TEXT_MAX + 1, 0, 0, GT_ELIMIT},
    {"a heading over the limit is refused", 3, PRICE_TEXT_MAX + 1, 0, GT_ELIMIT},
    {"a row over the limit is refused", 3, 0, PRICE_TEXT_MAX + 1, GT_ELIMIT},
    {"an empty text holds no price", 0, 0, 0, GT_ENOPRICE},
};

static void check_limit(void **state)
{
    const struct limit *row = *state;
    char *bytes = malloc(PRICE_TEXT_MAX + 1);
    struct arena *arena = arena_new(ROOM);
    assert_true(bytes != NULL && arena != NULL);
    memset(bytes, ' ', PRICE_TEXT_MAX + 1);
    struct price_context context = {.header = {bytes, row->header_len}, .context = {bytes, row->context_len}};
    struct price_reading reading = {0};
    assert_int_equal(price_text_read((struct gt_str){bytes, row->text_len}, &context, arena, &reading), row->err);
    arena_free(arena);
    free(bytes);
}

struct scarce {
    const char *name;
    const char *text;
};

static const struct scarce scarcities[] = {
    {"a short phrase", "¥1.96/时,月付 95 折后 ¥1.57/时，学生/企业 95折"},
    {"characters that need the general folding", "¥1.96¹/时 ½ 8折 ① 元"},
    {"more finds than fit inline", "1元/时,2元/时,3元/时,4元/时,5元/时,6元/时,7元/时,8元/时,9元/时,10元/时"},
};

/* With too little memory the answer is GT_ENOMEM and the result untouched; with enough it is as
 * always. */
static void check_scarce(void **state)
{
    const struct scarce *row = *state;
    int failures = 0;
    for (size_t room = 0; room < 16384; room += 16) {
        struct arena *arena = arena_new(room);
        struct price_reading reading = {.item_count = 99};
        enum gt_err err = price_text_read(gt_str_from(row->text), NULL, arena, &reading);
        assert_true(err == GT_ENOMEM || err == GT_OK);
        if (err == GT_ENOMEM) assert_int_equal(reading.item_count, 99);
        failures += err == GT_ENOMEM;
        arena_free(arena);
    }
    assert_in_range(failures, 1, 1023);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(repetitions, check_repeated) +
           table_run("megabytes", repetitions, sizeof repetitions / sizeof repetitions[0], sizeof repetitions[0],
                     check_megabyte) +
           TABLE_RUN(mangles, check_mangled) + TABLE_RUN(limits, check_limit) + TABLE_RUN(scarcities, check_scarce);
}
