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

/* The widest word of each text. */
struct word_row {
    const char *name, *text;
    size_t width;
};

static const struct word_row words[] = {
    {"empty", "", 0}, {"one word", "container", 9}, {"two words", "price moved", 5}, {"after a slash", "container/month", 10},
    {"Chinese breaks anywhere", "容器包月", 2}, {"a closing mark stays", "月)", 3}, {"mixed", "卡4090卡", 4}, {"blanks alone", "   ", 0},
};

static void check_word(void **state)
{
    const struct word_row *row = *state;
    assert_int_equal(text_word_width(gt_str_from(row->text)), row->width);
}

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
    size_t cells[FIT_COLUMNS], title; /* words are 8 wide, or all of a narrower text */
    const char *kinds; /* of each column: '-' text, 'r' figures, 'w' wrapped, 'e' extra, 'b' wrapped and extra */
    size_t limit;
    const char *expected; /* widths joined by ' ', '-' for a column left out */
};

static const struct fit_row fits[] = {
    {"no limit", {50, 50, 50, 50}, 4, "-web", 0, "50 50 50 50"},
    {"all fits exactly", {10, 10, 10, 10}, 4, "-web", 46, "10 10 10 10"},
    {"one too many: the wrapped one narrows", {10, 40, 10, 10}, 4, "-w--", 75, "10 39 10 10"},
    {"an extra column goes before a wrapped one loses much", {10, 40, 10, 10}, 4, "-we-", 50, "10 26 - 10"},
    {"extras go from the right", {10, 10, 10, 10}, 4, "-eee", 24, "10 10 - -"},
    {"an extra that fits narrowed stays", {10, 60, 10, 10}, 4, "-b--", 80, "10 44 10 10"},
    {"a wrapped one keeps its least, then the others give", {10, 40, 10, 10}, 4, "-w--", 40, "8 10 8 8"},
    {"figures are never cut", {30, 30, 30, 30}, 4, "rrrr", 40, "30 30 30 30"},
    {"two wrapped ones share the loss", {40, 40, 10, 10}, 4, "ww--", 66, "20 20 10 10"},
    {"titles are broken before cells", {10, 10, 10, 10}, 18, "r-r-", 50, "11 11 11 11"},
    {"and no further than cells", {10, 10, 10, 10}, 18, "rrrr", 20, "10 10 10 10"},
    {"texts give way between words when nothing else can", {10, 10, 10, 10}, 4, "r-r-", 44, "10 9 10 9"},
    {"then within words", {10, 10, 10, 10}, 4, "r-r-", 40, "10 7 10 7"},
    {"but not below their least", {10, 10, 10, 10}, 4, "r-r-", 20, "10 6 10 6"},
};

static void check_fit(void **state)
{
    const struct fit_row *row = *state;
    struct text_width columns[FIT_COLUMNS] = {0};
    char widths[64] = "";
    for (size_t i = 0; i < FIT_COLUMNS; i++) {
        char kind = row->kinds[i];
        columns[i] = (struct text_width){.cells = row->cells[i], .title = row->title,
                                           .word = row->cells[i] < 8 ? row->cells[i] : 8, .title_word = row->title < 8 ? row->title : 8, .is_right = kind == 'r', .is_extra = kind == 'e' || kind == 'b', .is_wrapped = kind == 'w' || kind == 'b'};
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
    return TABLE_RUN(wraps, check_wrap) + TABLE_RUN(words, check_word) + TABLE_RUN(fits, check_fit);
}
