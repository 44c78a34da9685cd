/* Lines and columns of the terminal: display widths, wrapping, what gives way when the window is narrow. */
#include "common/utf8.h"
#include "reports/text_layout.h"
#include "tests/unit/table.h"

struct wrap_row {
    const char *name, *text;
    size_t width;
    const char *lines; /* joined by '/' */
};

static const struct wrap_row wraps[] = {
    {"fits", "abc", 10, "abc"},
    {"empty gives one empty line", "", 10, ""},
    {"breaks after a blank", "alpha beta gamma", 11, "alpha beta/gamma"},
    {"a blank at the edge hangs over", "alpha beta", 5, "alpha/beta"},
    {"several blanks go with the break", "alpha    beta", 7, "alpha/beta"},
    {"wide characters count two columns", "甲乙丙丁戊", 4, "甲乙/丙丁/戊"},
    {"a wide character does not half fit", "a甲乙", 2, "a/甲/乙"},
    {"breaks between wide and narrow", "价格1234元", 6, "价格/1234元"},
    {"a word longer than the line is cut", "abcdefghij", 4, "abcd/efgh/ij"},
    {"a closing mark stays with its word", "甲乙丙,丁", 6, "甲乙/丙,丁"},
    {"a full stop does not begin a line", "甲乙丙。丁", 6, "甲乙/丙。丁"},
    {"narrower than one character", "甲乙", 1, "甲/乙"},
    {"combining marks take no column", "e\xcc\x81" "e\xcc\x81" "e", 3, "e\xcc\x81" "e\xcc\x81" "e"},
    {"invalid bytes are one column each", "\xff\xfe" "ab", 2, "\xff\xfe/ab"},
};

static void check_wrap(void **state)
{
    const struct wrap_row *row = *state;
    struct gt_str rest = gt_str_from(row->text);
    char lines[256] = "";
    do {
        struct gt_str line = text_line_take(&rest, row->width);
        if (utf8_width(line) > row->width) assert_true(row->width < 2);
        snprintf(lines + strlen(lines), sizeof lines - strlen(lines), "%.*s%s", GT_STR_ARG(line), rest.len > 0 ? "/" : "");
    } while (rest.len > 0);
    assert_string_equal(lines, row->lines);
}

enum { FIT_COLUMNS = 4 };
struct fit_row {
    const char *name;
    size_t natural[FIT_COLUMNS];
    const char *kinds; /* of each column: '-' fixed, 'w' wrapped, 'e' extra, 'b' both */
    size_t limit;
    const char *expected; /* widths joined by ' ', '-' for a column left out */
};

static const struct fit_row fits[] = {
    {"no limit", {50, 50, 50, 50}, "-web", 0, "50 50 50 50"},
    {"all fits exactly", {10, 10, 10, 10}, "-web", 46, "10 10 10 10"},
    {"one too many: the wrapped one narrows", {10, 40, 10, 10}, "-w--", 75, "10 39 10 10"},
    {"an extra column goes before a wrapped one loses much", {10, 40, 10, 10}, "-we-", 50, "10 26 - 10"},
    {"extras go from the right", {10, 10, 10, 10}, "-eee", 24, "10 10 - -"},
    {"an extra that fits narrowed stays", {10, 60, 10, 10}, "-b--", 80, "10 44 10 10"},
    {"a wrapped one keeps its least", {10, 40, 10, 10}, "-w--", 20, "10 10 10 10"},
    {"fixed columns are never cut", {30, 30, 30, 30}, "----", 40, "30 30 30 30"},
    {"two wrapped ones share the loss", {40, 40, 10, 10}, "ww--", 66, "20 20 10 10"},
};

static void check_fit(void **state)
{
    const struct fit_row *row = *state;
    struct text_width columns[FIT_COLUMNS] = {0};
    char widths[64] = "";
    for (size_t i = 0; i < FIT_COLUMNS; i++) {
        char kind = row->kinds[i];
        columns[i] = (struct text_width){.natural = row->natural[i], .is_extra = kind == 'e' || kind == 'b', .is_wrapped = kind == 'w' || kind == 'b'};
    }
    text_columns_fit(columns, FIT_COLUMNS, row->limit);
    for (size_t i = 0; i < FIT_COLUMNS; i++) {
        size_t len = strlen(widths);
        if (columns[i].is_left_out) snprintf(widths + len, sizeof widths - len, "%s-", i > 0 ? " " : "");
        else snprintf(widths + len, sizeof widths - len, "%s%zu", i > 0 ? " " : "", columns[i].width);
    }
    assert_string_equal(widths, row->expected);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(wraps, check_wrap) + TABLE_RUN(fits, check_fit);
}
