/* One cell, as people and as programs see it. */
#include "pricing/money.h"
#include "reports/sink_writer.h"
#include "tests/unit/table.h"

enum { NOON = 1789905600 }; /* 2026-09-20 12:00 UTC */

struct row {
    const char *name;
    enum cell_kind kind;
    int64_t number;
    const char *text;
    int decimals;
    const char *shown, *note, *plain;
};

static const struct row cells[] = {
    {"not known", CELL_NONE, 0, "", 0, "—", "", ""},
    {"text", CELL_TEXT, 0, "容器", 0, "容器", "", "容器"},
    {"nothing to say is blank, not a dash", CELL_TEXT, 0, "", 0, "", "", ""},
    {"text with an escape sequence", CELL_TEXT, 0, "\x1b[31mred", 0, "\\u{1B}[31mred", "", "\x1b[31mred"},
    {"text with a bidi override", CELL_TEXT, 0, "a\xe2\x80\xae" "b", 0, "a\\u{202E}b", "", "a\xe2\x80\xae" "b"},
    {"text with a line end", CELL_TEXT, 0, "a\nb", 0, "a\\u{A}b", "", "a\nb"},
    {"whole amount", CELL_MONEY, 1074 * NANO, "", 2, "1074", "", "1074"},
    {"amount in shortest form", CELL_MONEY, 1570000000, "", 0, "1.57", "", "1.57"},
    {"people see four decimals", CELL_MONEY, 3413333333, "", 4, "3.4133", "", "3.413333333"},
    {"zeros at the end go", CELL_MONEY, 6200000000, "", 4, "6.2", "", "6.2"},
    {"a tiny price does not become 0", CELL_MONEY, 164000, "", 2, "0.000164", "", "0.000164"},
    {"half up", CELL_MONEY, 1988750000000, "", 0, "1988.75", "", "1988.75"},
    {"half up to a decimal", CELL_MONEY, 1985000000, "", 2, "1.99", "", "1.985"},
    {"amount with a note", CELL_MONEY, 1074 * NANO, "(另解1130)", 2, "1074", "(另解1130)", "1074"},
    {"rise", CELL_PERCENT, 23889666199, "", 0, "+23.9%", "", "23.89"},
    {"fall", CELL_PERCENT, -7821229050, "", 0, "-7.8%", "", "-7.82"},
    {"no move", CELL_PERCENT, 0, "", 0, "0.0%", "", "0"},
    {"a move below a tenth of a percent", CELL_PERCENT, -40000000, "", 0, "0.0%", "", "-0.04"},
    {"count", CELL_COUNT, 12, "", 0, "12", "", "12"},
    {"a count of 0 is known", CELL_COUNT, 0, "", 0, "0", "", "0"},
    {"yes", CELL_BOOL, 1, "", 0, "是", "", "true"},
    {"no", CELL_BOOL, 0, "", 0, "否", "", "false"},
    {"time in the zone, UTC for programs", CELL_TIME, NOON, "", 0, "2026-09-20 20:00", "", "2026-09-20T12:00:00Z"},
    {"day changes with the zone", CELL_DAY, NOON + 5 * 3600, "", 0, "2026-09-21", "", "2026-09-20T17:00:00Z"},
    {"short day", CELL_DAY_SHORT, NOON, "", 0, "09-20", "", "2026-09-20T12:00:00Z"},
    {"minutes", CELL_AGE, 599, "", 0, "9m", "", "599"},
    {"hours up to two days", CELL_AGE, 47 * 3600, "", 0, "47h", "", "169200"},
    {"days", CELL_AGE, 5 * 86400, "", 0, "5d", "", "432000"},
    {"an age before now is none", CELL_AGE, -5, "", 0, "0m", "", "-5"},
    {"the largest amount", CELL_MONEY, INT64_MAX, "", 2, "9223372036.85", "", "9223372036.854775807"},
    {"the largest amount without rounding", CELL_MONEY, INT64_MAX, "", 0, "9223372036.854775807", "", "9223372036.854775807"},
};

static void check_cell(void **state)
{
    const struct row *row = *state;
    struct sink_writer writer = {.head = {.lang = LANG_ZH, .zone_offset_s = 8 * 3600}, .scratch = arena_new(1 << 20)};
    struct column column = {.key = "k", .decimals = row->decimals};
    struct cell cell = {.kind = row->kind, .number = row->number, .text = gt_str_from(row->text)};
    struct cell_shown shown = cell_show(&writer, &column, &cell);
    struct gt_str plain = cell_plain(&writer, &cell);
    assert_str(shown.main, row->shown);
    assert_str(shown.note, row->note);
    assert_str(plain, row->plain);
    assert_false(writer.is_out_of_memory);
    arena_free(writer.scratch);
}

struct link_row {
    const char *name, *address;
    bool is_link;
};

static const struct link_row links[] = {
    {"https", "https://www.jygpu.com/markets", true},
    {"http with a query", "http://a.example/p?x=1&y=2#z", true},
    {"empty", "", false},
    {"script", "javascript:alert(1)", false},
    {"script behind an upper-case https", "HTTPS://a.example", false},
    {"data", "data:text/html,<script>", false},
    {"closes the attribute", "https://a.example/\"onclick=x", false},
    {"closes a markdown link", "https://a.example/)](b", false},
    {"blank", "https://a.example/a b", false},
    {"control character", "https://a.example/\x01", false},
    {"not ASCII", "https://例.example/", false},
    {"relative", "/markets", false},
};

static void check_link(void **state)
{
    const struct link_row *row = *state;
    assert_int_equal(sink_is_link(gt_str_from(row->address)), row->is_link);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(cells, check_cell) + TABLE_RUN(links, check_link);
}
