/* The phrases of price_phrases_own.tsv, and those of discounts that were written before the reader was asked (discount_blind.tsv says how
 * their answers came about): each must read exactly as its last column says. */
#include "tests/unit/pricing/price_given.h"
#include "tests/unit/pricing/price_show.h"
#include "tests/unit/pricing/price_table.h"
#include "tests/unit/table.h"

enum { ARENA_BYTES = 1 << 20, PHRASES_LEAST = 300 };

enum { DISCOUNTS_LEAST = 240 };

static const char path[] = "tests/unit/pricing/price_phrases_own.tsv";
static const char discounts_path[] = "tests/unit/pricing/discount_blind.tsv";

static void check_phrase(void **state)
{
    const struct table_line *row = *state;
    struct price_context context;
    struct price_reading reading = {0};
    struct arena *arena = arena_new(ARENA_BYTES);
    struct strbuf shown;
    strbuf_init(&shown, SHOW_MAX);
    assert_non_null(arena);
    assert_true(given_read(gt_str_from(row->field[1]), &context));
    enum gt_err err = price_text_read(gt_str_from(row->field[0]), &context, arena, &reading);
    assert_int_equal(err, reading.item_count + reading.discount_count > 0 ? GT_OK : GT_ENOPRICE);
    show_reading(&shown, &reading);
    if (strcmp(strbuf_str(&shown).ptr, row->field[2]) != 0) print_error("line %d: \"%s\"\n", row->number, row->field[0]);
    assert_string_equal(strbuf_str(&shown).ptr, row->field[2]);
    strbuf_done(&shown);
    arena_free(arena);
}

static int run_file(const char *file, size_t least)
{
    struct table table;
    if (!table_load(file, &table) || table.count < least) {
        printf("Bail out! %s is missing or short\n", file);
        return 1;
    }
    int failures = table_run(file, table.lines, table.count, sizeof *table.lines, check_phrase);
    table_free(&table);
    return failures;
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return run_file(path, PHRASES_LEAST) + run_file(discounts_path, DISCOUNTS_LEAST);
}
