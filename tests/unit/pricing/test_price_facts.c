/* Real price texts with their right reading, from a collection that is kept beside the checkout.
 * Skipped where it is absent.
 *
 * Each phrase is read twice. Alone, with what any site's section says (the currency) and the
 * heading it stood under, it must never say anything wrong, but may leave open what only its
 * surroundings tell. With the site's default period and basis it must say everything. */
#include "pricing/price_text.h"
#include "tests/unit/pricing/price_table.h"
#include "tests/unit/table.h"

enum { ARENA_BYTES = 1 << 20, OPEN_PERIODS_MAX = 16, OPEN_BASES_MAX = 86 };

static const char path[] = "../shared/facts/price_phrases.tsv";

/* Columns of the file. */
enum { PHRASE, LANG, SOURCE, LOW, HIGH, CURRENCY, UNIT, BASIS, CARDS, DISCOUNT, CONDITION, NOTE };

/* Headings and units that the notes of the file name and the phrase itself does not hold. */
static const struct surroundings {
    const char *phrase, *header;
    int64_t scale_den;
} surroundings[] = {
    {"$0.000150", "Price (Per Second)", 1},     {"$0.000955", "Price (Per Second)", 1},
    {"$0.001222", "Price (Per Second)", 1},     {"$0.54", "Price (Per Hour)", 1},
    {"from $0.90", "Preemptible, GPU-hour", 1}, {"from $1.55", "On-demand, GPU-hour", 1},
    {"8x B200 SXM6 $6.69", "PRICE/GPU/HR*", 1}, {"\"payg_price\": 2720", "", 1000},
};

/* The file itself calls this one a source's error: "/m" stands for "/h". It is refused, and stays
 * so. */
static const char *const exceptions[] = {"0.77 $/m"};

static bool is_exception(const char *phrase)
{
    for (size_t i = 0; i < sizeof exceptions / sizeof exceptions[0]; i++)
        if (strcmp(phrase, exceptions[i]) == 0) return true;
    return false;
}

static bool begins(const char *text, const char *part)
{
    return strncmp(text, part, strlen(part)) == 0;
}

/* Rows that are no offer: by their note, their unit or their condition. */
static bool is_no_offer(const struct table_line *row)
{
    static const char *const units[] = {"gb-month", "gb-second", "gib-second", "core-hour", "core-second",
                                        "task",     "once",      "token",      "charge",    "term"};
    if (begins(row->field[NOTE], "REJECT") || begins(row->field[NOTE], "STOCK") || begins(row->field[NOTE], "SPEC")) return true;
    if (begins(row->field[CONDITION], "subscription plan") || begins(row->field[CONDITION], "minimum commitment")) return true;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strcmp(row->field[UNIT], units[i]) == 0) return true;
    return false;
}

static int64_t nano_of(const char *decimal)
{
    int64_t nano = 0;
    if (*decimal != '\0') assert_int_equal(money_parse(gt_str_from(decimal), &nano), GT_OK);
    return nano;
}

/* ---- reading ---- */

static struct arena *arena;
static int open_periods, open_bases;

static struct price_context context_of(const struct table_line *row, bool has_site_facts)
{
    struct price_context context = {.currency = currency_from(gt_str_from(strcmp(row->field[LANG], "zh") == 0 ? "CNY" : "USD"))};
    int word;
    for (size_t i = 0; i < sizeof surroundings / sizeof surroundings[0]; i++) {
        if (strcmp(row->field[PHRASE], surroundings[i].phrase) != 0) continue;
        context.header = gt_str_from(surroundings[i].header);
        context.scale_num = 1;
        context.scale_den = surroundings[i].scale_den;
        context.bare_number = surroundings[i].scale_den != 1;
    }
    if (!has_site_facts || is_no_offer(row)) return context;
    if (word_find(VOCABULARY_PERIOD, gt_str_from(row->field[UNIT]), &word)) context.period = (enum period)word;
    if (word_find(VOCABULARY_BASIS, gt_str_from(row->field[BASIS]), &word)) context.basis = (enum basis)word;
    return context;
}

static const struct quote *find_amount(const struct price_reading *reading, const struct table_line *row)
{
    for (size_t i = 0; i < reading->item_count; i++) {
        const struct quote *q = &reading->items[i].quote;
        if (q->amount_nano == nano_of(row->field[LOW]) && q->amount_high_nano == nano_of(row->field[HIGH])) return q;
    }
    return NULL;
}

static bool is_filled(const struct table_line *row, int column)
{
    return row->field[column][0] != '\0' && strcmp(row->field[column], "unknown") != 0;
}

/* What was read must be what is printed; what was left open is counted. */
static void check_quote(const struct quote *q, const struct table_line *row, bool has_site_facts)
{
    if (is_filled(row, CURRENCY)) assert_string_equal(q->currency.code, row->field[CURRENCY]);
    if (is_filled(row, UNIT)) {
        bool is_open = q->period == PERIOD_NONE && !has_site_facts;
        open_periods += is_open;
        if (!is_open) assert_string_equal(word_text(VOCABULARY_PERIOD, (int)q->period), row->field[UNIT]);
    }
    if (is_filled(row, BASIS)) {
        bool is_open = q->basis == BASIS_UNKNOWN && !has_site_facts;
        open_bases += is_open;
        if (!is_open) assert_string_equal(word_text(VOCABULARY_BASIS, (int)q->basis), row->field[BASIS]);
    }
    if (is_filled(row, CARDS) && q->cards != 0) assert_int_equal(q->cards, atoi(row->field[CARDS]));
}

static void check_discount(const struct price_reading *reading, const struct table_line *row)
{
    if (row->field[DISCOUNT][0] == '\0') {
        bool is_open = strstr(row->field[NOTE], "AMBIGUOUS") != NULL || strstr(row->field[NOTE], "no single multiplier") != NULL;
        for (size_t i = 0; i < reading->discount_count && is_open; i++) assert_int_equal(reading->discounts[i].factor_nano, 0);
        return;
    }
    bool is_found = false;
    for (size_t i = 0; i < reading->discount_count; i++)
        is_found |= reading->discounts[i].factor_nano == nano_of(row->field[DISCOUNT]);
    assert_true(is_found);
}

static void check_reading(const struct table_line *row, bool has_site_facts)
{
    struct price_context context = context_of(row, has_site_facts);
    struct price_reading reading = {0};
    arena_clear(arena);
    enum gt_err err = price_text_read(gt_str_from(row->field[PHRASE]), &context, arena, &reading);
    assert_true(err == GT_OK || err == GT_ENOPRICE);
    if (is_no_offer(row)) {
        assert_int_equal(reading.item_count, 0);
        return;
    }
    check_discount(&reading, row);
    if (row->field[LOW][0] == '\0') {
        assert_int_equal(reading.item_count, 0);
        return;
    }
    const struct quote *q = find_amount(&reading, row);
    assert_non_null(q);
    check_quote(q, row, has_site_facts);
}

static void check_refused(const struct table_line *row)
{
    struct price_context context = context_of(row, false);
    struct price_reading reading = {0};
    assert_int_equal(price_text_read(gt_str_from(row->field[PHRASE]), &context, arena, &reading), GT_ENOPRICE);
    assert_string_equal(reading.refused_all.ptr, "ambiguous");
}

static void check_row(void **state)
{
    const struct table_line *row = *state;
    if (is_exception(row->field[PHRASE])) {
        check_refused(row);
        return;
    }
    check_reading(row, false);
    check_reading(row, true);
}

/* ---- order and openness ---- */

struct claim {
    const char *name;
    int *counted, most;
};

static const struct claim claims[] = {
    {"few periods are left to the surroundings", &open_periods, OPEN_PERIODS_MAX},
    {"few bases are left to the surroundings", &open_bases, OPEN_BASES_MAX},
};

static void check_claim(void **state)
{
    const struct claim *row = *state;
    if (*row->counted > row->most) print_error("%d are open, %d at most\n", *row->counted, row->most);
    assert_true(*row->counted <= row->most);
}

int main(void)
{
    struct table table;
    cmocka_set_message_output(CM_OUTPUT_TAP);
    if (!table_load(path, &table)) {
        printf("1..0 # skipped: %s is absent\n", path);
        return 0;
    }
    arena = arena_new(ARENA_BYTES);
    int failures = table_run("price_phrases.tsv", table.lines, table.count, sizeof *table.lines, check_row);
    failures += TABLE_RUN(claims, check_claim);
    arena_free(arena);
    table_free(&table);
    return failures;
}
