/* Phrases that were written, and their readings decided by hand, before the reader had seen them: price_phrases_blind.tsv, batch by
 * batch. One line a printed price or discount; lines that begin with the same phrase and `given` belong together. A phrase is right
 * only when nothing is missing and nothing stands beside it: a wrong amount is worse than none.
 *
 * Columns as in the collection of real texts (test_price_facts.c), with `given` instead of the source: what the caller knows beside
 * the words, in the notation of price_given.h. An empty basis is not looked at, an empty unit or currency must be empty in the
 * reading. `condition` names role, bound, months (m12) and availability where the phrase prints them. REJECT: no offer at all. */
#include "tests/unit/pricing/price_given.h"
#include "tests/unit/pricing/price_table.h"
#include "tests/unit/table.h"

enum { ARENA_BYTES = 1 << 20, GROUPS_LEAST = 500 };

static const char path[] = "tests/unit/pricing/price_phrases_blind.tsv";

enum { PHRASE, LANG, GIVEN, LOW, HIGH, CURRENCY, UNIT, BASIS, CARDS, DISCOUNT, CONDITION, NOTE };

/* The lines of one phrase. */
struct group {
    const char *name;
    const struct table_line *lines;
    size_t count;
};

/* What a bare ¥ or number is in, by the language of the page. */
static const char *const homes[][2] = {{"zh", "CNY"}, {"en", "USD"}, {"ja", "JPY"}, {"de", "EUR"}, {"fr", "EUR"}};

static bool is_filled(const struct table_line *row, int column)
{
    return row->field[column][0] != '\0';
}

static int64_t nano_of(const char *decimal)
{
    int64_t nano = 0;
    if (*decimal != '\0') assert_int_equal(money_parse(gt_str_from(decimal), &nano), GT_OK);
    return nano;
}

static struct price_context context_of(const struct table_line *row)
{
    struct price_context context;
    assert_true(given_read(gt_str_from(row->field[GIVEN]), &context));
    context.bare_number |= context.header.len > 0; /* as `explain price --header` says */
    for (size_t i = 0; i < sizeof homes / sizeof homes[0] && context.currency.code[0] == '\0'; i++)
        if (strcmp(homes[i][0], row->field[LANG]) == 0) context.currency = currency_from(gt_str_from(homes[i][1]));
    return context;
}

/* The word stands in the row's conditions. */
static bool has_word(const struct table_line *row, const char *word)
{
    struct gt_str left = gt_str_from(row->field[CONDITION]), part;
    while (gt_str_split(&left, ' ', &part))
        if (gt_str_is(part, word)) return true;
    return false;
}

/* What the row names of role, bound and term. */
static void check_condition(const struct table_line *row, const struct quote *q)
{
    struct gt_str left = gt_str_from(row->field[CONDITION]), part;
    int word;
    while (gt_str_split(&left, ' ', &part)) {
        if (word_find(VOCABULARY_ROLE, part, &word))
            assert_string_equal(word_text(VOCABULARY_ROLE, (int)q->role), word_text(VOCABULARY_ROLE, word));
        else if (word_find(VOCABULARY_BOUND, part, &word)) assert_int_equal(q->bound, word);
        else if (part.len > 1 && part.ptr[0] == 'm') assert_int_equal(q->months, atoi(part.ptr + 1));
    }
}

static void check_quote(const struct table_line *row, const struct quote *q)
{
    assert_string_equal(q->currency.code, row->field[CURRENCY]);
    assert_string_equal(word_text(VOCABULARY_PERIOD, (int)q->period), row->field[UNIT]);
    if (is_filled(row, BASIS)) assert_string_equal(word_text(VOCABULARY_BASIS, (int)q->basis), row->field[BASIS]);
    if (is_filled(row, CARDS)) assert_int_equal(q->cards, atoi(row->field[CARDS]));
    check_condition(row, q);
}

static const struct quote *find_amount(const struct price_reading *reading, const struct table_line *row)
{
    for (size_t i = 0; i < reading->item_count; i++) {
        const struct quote *q = &reading->items[i].quote;
        if (q->amount_nano == nano_of(row->field[LOW]) && q->amount_high_nano == nano_of(row->field[HIGH])) return q;
    }
    return NULL;
}

static void check_discount(const struct table_line *row, const struct price_reading *reading)
{
    bool is_found = false;
    for (size_t i = 0; i < reading->discount_count; i++)
        is_found |= reading->discounts[i].factor_nano == nano_of(row->field[DISCOUNT]);
    assert_true(is_found);
}

/* Factors that no line names; those that two prices prove are no words of the phrase. */
static void check_no_discount(const struct price_reading *reading)
{
    for (size_t i = 0; i < reading->discount_count; i++)
        if (!reading->discounts[i].is_inferred) assert_int_equal(reading->discounts[i].factor_nano, 0);
}

static void check_group(void **state)
{
    const struct group *group = *state;
    struct price_context context = context_of(group->lines);
    struct arena *arena = arena_new(ARENA_BYTES);
    struct price_reading reading = {0};
    size_t prices = 0;
    assert_non_null(arena);
    enum gt_err err = price_text_read(gt_str_from(group->name), &context, arena, &reading);
    assert_int_equal(err, reading.item_count + reading.discount_count > 0 ? GT_OK : GT_ENOPRICE);
    for (size_t i = 0; i < group->count; i++) {
        const struct table_line *row = &group->lines[i];
        if (is_filled(row, DISCOUNT)) check_discount(row, &reading);
        if (strcmp(row->field[NOTE], "REJECT") == 0) check_no_discount(&reading);
        if (has_word(row, "sold-out")) assert_int_equal(reading.availability, AVAIL_SOLD_OUT);
        if (has_word(row, "quote-only")) assert_true(reading.is_quote_only);
        if (!is_filled(row, LOW)) continue;
        const struct quote *q = find_amount(&reading, row);
        if (q == NULL) print_error("%s is missing\n", row->field[LOW]);
        assert_non_null(q);
        check_quote(row, q);
        prices++;
    }
    assert_int_equal(reading.item_count, prices);
    arena_free(arena);
}

/* Lines that follow each other with the same phrase and the same surroundings are one group. */
static size_t groups_make(const struct table *table, struct group *groups)
{
    size_t count = 0;
    for (size_t i = 0; i < table->count; i++) {
        const struct table_line *line = &table->lines[i];
        bool is_next = i > 0 && strcmp(line[-1].field[PHRASE], line->field[PHRASE]) == 0 &&
                       strcmp(line[-1].field[GIVEN], line->field[GIVEN]) == 0;
        if (is_next) groups[count - 1].count++;
        else groups[count++] = (struct group){line->field[PHRASE], line, 1};
    }
    return count;
}

int main(void)
{
    struct table table;
    cmocka_set_message_output(CM_OUTPUT_TAP);
    if (!table_load(path, &table)) {
        printf("Bail out! %s is missing\n", path);
        return 1;
    }
    struct group *groups = calloc(table.count + 1, sizeof *groups);
    size_t count = groups != NULL ? groups_make(&table, groups) : 0;
    int failures = count < GROUPS_LEAST;
    if (failures > 0) printf("Bail out! %s is short\n", path);
    else failures = table_run("price_phrases_blind.tsv", groups, count, sizeof *groups, check_group);
    free(groups);
    table_free(&table);
    return failures;
}
