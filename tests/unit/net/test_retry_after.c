#include "net/retry_after.h"

#include "net/header.h"
#include "tests/unit/table.h"

enum { NOW = 1789905600 }; /* 2026-09-20T12:00:00Z */

static const struct row {
    const char *name;
    const char *value;
    bool is_read;
    int64_t wait_s;
} values[] = {
    {"two minutes", "120", true, 120},
    {"at once", "0", true, 0},
    {"blanks around", "  7 ", true, 7},
    {"a day", "86400", true, 86400},
    {"more than a day", "86401", true, 86400},
    {"twenty digits", "99999999999999999999", true, 86400},
    {"two hundred digits", "1111111111111111111111111111111111111111111111111111111111111111111111111111111111111", true, 86400},
    {"a date in ten minutes", "Sun, 20 Sep 2026 12:10:00 GMT", true, 600},
    {"a date next year", "Mon, 20 Sep 2027 12:00:00 GMT", true, 86400},
    {"a date gone by", "Fri, 31 Dec 1999 23:59:59 GMT", true, 0},
    {"RFC 850 form", "Sunday, 20-Sep-26 12:01:00 GMT", true, 60},
    {"asctime form", "Sun Sep 20 12:00:30 2026", true, 30},
    {"asctime with one digit", "Sun Sep  6 12:00:30 2026", true, 0},
    {"below zero", "-5", false, 0},
    {"a fraction", "1.5", false, 0},
    {"a word", "soon", false, 0},
    {"empty", "", false, 0},
    {"date without a zone", "Sun, 20 Sep 2026 12:10:00", false, 0},
    {"hour 24", "Sun, 20 Sep 2026 24:10:00 GMT", false, 0},
    {"no such month", "Sun, 20 Sux 2026 12:10:00 GMT", false, 0},
    {"number with a unit", "120s", false, 0},
    {"text behind the date", "Sun, 20 Sep 2026 12:10:00 GMT x", false, 0},
};

static void check_value(void **state)
{
    const struct row *row = *state;
    int64_t wait_s = -1;
    assert_int_equal(retry_after_parse(gt_str_from(row->value), NOW, &wait_s), row->is_read);
    assert_int_equal(wait_s, row->is_read ? row->wait_s : -1);
}

static const struct block_row {
    const char *name;
    const char *block;
    bool is_read;
    int64_t wait_s;
} blocks[] = {
    {"one", "HTTP/1.1 429 Too Many\r\nRetry-After: 5\r\n\r\n", true, 5},
    {"two: the longer", "HTTP/1.1 429 x\r\nretry-after: 5\r\nRETRY-AFTER: 9\r\n\r\n", true, 9},
    {"one of two is rubbish", "HTTP/1.1 429 x\r\nRetry-After: -5\r\nRetry-After: 3\r\n\r\n", true, 3},
    {"none", "HTTP/1.1 429 x\r\nServer: y\r\n\r\n", false, 0},
    {"only rubbish", "HTTP/1.1 429 x\r\nRetry-After: x\r\n\r\n", false, 0},
    {"line feeds only", "HTTP/1.1 429 x\nRetry-After: 5\n\n", true, 5},
};

static void check_block(void **state)
{
    const struct block_row *row = *state;
    int64_t wait_s = -1;
    assert_int_equal(retry_after_find(gt_str_from(row->block), NOW, &wait_s), row->is_read);
    if (row->is_read) assert_int_equal(wait_s, row->wait_s);
}

static const struct header_row {
    const char *name;
    const char *block;
    const char *wanted;
    size_t index;
    const char *value; /* NULL: none */
} headers[] = {
    {"any case", "HTTP/1.1 200 OK\r\nCONTENT-type: text/html\r\n\r\n", "Content-Type", 0, "text/html"},
    {"the second of two", "HTTP/1.1 200 OK\r\nA: 1\r\nA: 2\r\n\r\n", "a", 1, "2"},
    {"folded", "HTTP/1.1 200 OK\r\nA: 1\r\n 2\r\nB: 3\r\n\r\n", "A", 0, "1\r\n 2"},
    {"after a folded one", "HTTP/1.1 200 OK\r\nA: 1\r\n 2\r\nB: 3\r\n\r\n", "B", 0, "3"},
    {"empty value", "HTTP/1.1 200 OK\r\nA:\r\n\r\n", "A", 0, ""},
    {"colon in the value", "A: b:c\r\n", "A", 0, "b:c"},
    {"eight-bit bytes", "A: \xE9\xFF\r\n", "A", 0, "\xE9\xFF"},
    {"no last line end", "A: 1", "A", 0, "1"},
    {"absent", "A: 1\r\n", "B", 0, NULL},
    {"no third", "A: 1\r\nA: 2\r\n", "A", 2, NULL},
    {"line without a colon", "garbage\r\nA: 1\r\n", "garbage", 0, NULL},
    {"status line is no field", "HTTP/1.1 200 a: b\r\n", "HTTP/1.1 200 a", 0, NULL},
    {"fold before any field", " x: 1\r\nA: 2\r\n", "x", 0, NULL},
};

static void check_header(void **state)
{
    const struct header_row *row = *state;
    struct gt_str value = header_find(gt_str_from(row->block), row->wanted, row->index);
    if (row->value == NULL) assert_null(value.ptr);
    else assert_str(value, row->value);
    if (row->value != NULL) assert_non_null(value.ptr);
}

static const struct valid_row {
    const char *name;
    const char *field, *value;
    bool field_ok, value_ok;
} valids[] = {
    {"a token", "X-Api.Key_1", "abc", true, true},
    {"tab in the value", "A", "a\tb", true, true},
    {"eight-bit value", "A", "价", true, true},
    {"blank in the name", "A B", "x", false, true},
    {"colon in the name", "A:", "x", false, true},
    {"empty name", "", "", false, true},
    {"line break in the value", "A", "x\r\nB: y", true, false},
    {"line feed in the value", "A", "x\ny", true, false},
    {"DEL in the value", "A", "x\x7F", true, false},
};

static void check_valid(void **state)
{
    const struct valid_row *row = *state;
    assert_int_equal(header_name_is_valid(gt_str_from(row->field)), row->field_ok);
    assert_int_equal(header_value_is_valid(gt_str_from(row->value)), row->value_ok);
    assert_false(header_value_is_valid((struct gt_str){"a\0b", 3}));
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(values, check_value) + TABLE_RUN(blocks, check_block) + TABLE_RUN(headers, check_header) +
           TABLE_RUN(valids, check_valid);
}
