/* Sinks under hostile texts, full disks and sample data. */
#include <jansson.h>

#include "common/utf8.h"
#include "reports/table.h"
#include "tests/unit/reports/capture.h"

/* A report with one of everything; `text` is the hostile one. */
static enum gt_err write_all(const char *format, FILE *file, struct gt_str text, int width, bool is_sample, bool has_bom)
{
    const struct column columns[] = {{.key = "label", .title = text, .is_wrapped = true},
                                     {.key = "price", .title = GT_STR("价格"), .is_right = true, .decimals = 2},
                                     {.key = "note", .title = GT_STR("note")}};
    const struct cell cells[] = {{.kind = CELL_TEXT, .text = text, .link = text},
                                 {.kind = CELL_MONEY, .number = 1074 * INT64_C(1000000000), .text = text},
                                 {.kind = CELL_NONE}};
    const struct chart_step steps[] = {{1789905600, 1789992000, INT64_C(1074000000000), false}};
    const struct chart_line line = {text, steps, 1};
    const struct chart chart = {.caption = text, .unit = text, .lines = &line, .count = 1};
    struct report_head head = {.title = text, .terms = text, .subtitle = text, .lang = LANG_ZH, .zone_offset_s = 28800,
                               .is_sample = is_sample, .width = width, .has_bom = has_bom};
    struct gt_errinfo info = {0};
    struct sink_writer *writer;
    enum gt_err err = sink_open(sink_find(gt_str_from(format)), file, &head, &writer, &info);
    if (err != GT_OK) return err;
    sink_value(writer, "value", cell_text(text));
    sink_heading(writer, 1, text);
    sink_heading(writer, 2, text);
    sink_paragraph(writer, text);
    sink_table_begin(writer, "offers", text, columns, 3);
    sink_row(writer, cells);
    sink_row(writer, cells);
    sink_table_end(writer);
    sink_chart(writer, &chart);
    return sink_close(writer, &info);
}

/* ---- hostile texts ---- */

struct hostile_row {
    const char *name, *text;
};

static const struct hostile_row hostile[] = {
    {"plain", "NVIDIA 4090"},
    {"escape sequence", "a\x1b]0;title\x07\x1b[2Jb"},
    {"C1 control", "a\xc2\x9b" "31mb"},
    {"bidi override", "a\xe2\x80\xae" "b\xe2\x81\xa6" "c"},
    {"line ends", "a\r\nb\xe2\x80\xa8" "c"},
    {"script", "<script>alert(1)</script>"},
    {"attribute", "\" onmouseover=\"alert(1)' x='"},
    {"comment and CDATA", "--><!-- ]]> <![CDATA["},
    {"javascript address", "javascript:alert(1)"},
    {"formula =", "=cmd|'/c calc'!A1"},
    {"formula +", "+1+1"},
    {"formula -", "-2+3"},
    {"formula @", "@SUM(A1)"},
    {"formula after a tab", "\t=1"},
    {"full-width formula", "\xef\xbc\x9d" "1+1"},
    {"quotes and commas", "a,\"b\";c"},
    {"markdown", "](http://x) **b** `c` | d | # e ~~f~~ ![g](h)"},
    {"markdown list", "- a"},
    {"invalid bytes", "a\xff\xfe\xc0\x80" "b"},
    {"wide", "华为昇腾 910B 容器云 ①—×"},
    {"combining", "e\xcc\x81\xcc\x82\xcc\x83"},
    {"entity", "&lt;b&gt; &amp;amp;"},
};

/* Nothing that steers a terminal, a page or a spreadsheet is left in any format. */
static void no_controls(const char *text, size_t len)
{
    struct gt_str all = {text, len};
    for (size_t at = 0, step; at < all.len; at += step) {
        int32_t c = utf8_decode(all, at, &step);
        bool is_control = (c < 0x20 && c != '\n') || (c >= 0x7F && c < 0xA0);
        bool is_bidi = c == 0x61C || c == 0x200E || c == 0x200F || (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
        if (is_control || is_bidi) print_error("U+%04X at byte %zu\n", (unsigned)c, at);
        assert_false(is_control || is_bidi);
    }
    assert_true(utf8_is_valid(all));
}

static void check_no_controls(void **state)
{
    const struct hostile_row *row = *state;
    for (const struct sink *const *sink = sink_list(); *sink != NULL; sink++) {
        struct capture *capture = capture_new();
        assert_int_equal(write_all((*sink)->name, capture->file, gt_str_from(row->text), 80, false, false), GT_OK);
        const char *text = capture_text(capture);
        bool is_workbook = strcmp((*sink)->name, "xlsx") == 0; /* bytes, not text: tests/cli/workbook.t reads what is inside */
        if (!is_workbook) no_controls(text, capture->len);
        capture_free(capture);
    }
}

/* The hostile text has not made an element, an attribute or a link. */
static void check_html(void **state)
{
    const struct hostile_row *row = *state;
    struct capture *plain = capture_new(), *capture = capture_new();
    write_all("html", plain->file, GT_STR("x"), 0, false, false);
    write_all("html", capture->file, gt_str_from(row->text), 0, false, false);
    const char *marks[] = {"<", ">", "<script", "onmouseover=\"", "href=", "<!--", "<![CDATA["};
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        assert_int_equal(count_of(capture_text(capture), marks[i]), count_of(capture_text(plain), marks[i]));
    assert_int_equal(count_of(capture_text(capture), "\""), count_of(capture_text(plain), "\""));
    capture_free(plain);
    capture_free(capture);
}

/* Every table line has the same number of bars that are not escaped; no HTML bracket survives. */
static void check_md(void **state)
{
    const struct hostile_row *row = *state;
    struct capture *capture = capture_new();
    write_all("md", capture->file, gt_str_from(row->text), 0, false, false);
    const char *text = capture_text(capture);
    assert_null(strchr(text, '<'));
    size_t bars = 0, rows = 0;
    for (const char *at = text; *at != '\0'; at++) {
        bool is_line = at == text || at[-1] == '\n';
        if (is_line && at[0] == '|') {
            rows++;
            bars = 0;
        }
        if (*at == '\\') at++;
        else if (*at == '|') bars++;
        else if (*at == '\n' && at[-1] == '|' && rows > 0) assert_int_equal(bars, 4);
        if (*at == '\0') break;
    }
    assert_int_equal(rows, 4);
    capture_free(capture);
}

/* No field of the csv begins a formula; four rows and their fields are where they belong. */
static void check_csv(void **state)
{
    const struct hostile_row *row = *state;
    struct capture *capture = capture_new();
    write_all("csv", capture->file, gt_str_from(row->text), 0, false, false);
    const char *text = capture_text(capture);
    bool is_quoted = false, is_start = true;
    size_t fields = 1, lines = 0;
    for (const char *at = text; *at != '\0'; at++) {
        if (is_start && *at == '"' && !is_quoted) {
            is_quoted = true;
            continue;
        }
        if (is_start) assert_null(strchr("=+-@\t\r", *at));
        if (is_start) assert_true(strncmp(at, "\xef\xbc\x9d", 3) != 0);
        is_start = false;
        if (*at == '"' && is_quoted) {
            if (at[1] == '"') at++;
            else is_quoted = false;
        } else if (*at == ',' && !is_quoted) {
            fields++;
            is_start = true;
        } else if (*at == '\n') {
            assert_false(is_quoted);
            /* The table of values has three fields, the blank line one, the table of offers four. */
            assert_int_equal(fields, lines < 2 ? 3 : lines == 2 ? 1 : 4);
            fields = 1;
            lines++;
            is_start = true;
        }
    }
    assert_int_equal(lines, 6);
    capture_free(capture);
}

/* The json is valid and gives the text back; invalid bytes as U+FFFD. */
static void check_json(void **state)
{
    const struct hostile_row *row = *state;
    struct capture *capture = capture_new();
    write_all("json", capture->file, gt_str_from(row->text), 0, false, false);
    json_error_t error;
    json_t *root = json_loads(capture_text(capture), JSON_REJECT_DUPLICATES, &error);
    if (root == NULL) print_error("%s\n", error.text);
    assert_non_null(root);
    const json_t *first = json_array_get(json_object_get(root, "offers"), 0);
    const char *label = json_string_value(json_object_get(first, "label"));
    assert_non_null(label);
    if (utf8_is_valid(gt_str_from(row->text))) assert_string_equal(label, row->text);
    else assert_non_null(strstr(label, "\xef\xbf\xbd"));
    assert_string_equal(json_string_value(json_object_get(first, "price")), "1074");
    assert_true(json_is_null(json_object_get(first, "note")));
    assert_string_equal(json_string_value(json_object_get(root, "value")), label);
    json_decref(root);
    capture_free(capture);
}

/* ---- alignment ---- */

struct align_row {
    const char *name;
    const char *labels[3];
    int width;
};

static const struct align_row alignments[] = {
    {"Latin at 80", {"a", "bbbb", "cc"}, 80},
    {"Chinese at 80", {"华为昇腾 910B 容器云", "4090", "极智算"}, 80},
    {"Chinese at 200", {"华为昇腾 910B 容器云", "4090", "极智算"}, 200},
    {"full width and combining", {"ＡＢＣ", "e\xcc\x81", "甲e\xcc\x81乙"}, 80},
    {"hostile", {"a\x1b[31m", "\xe2\x80\xae", "正常"}, 80},
    {"long labels wrap at 40", {"一二三四五六七八九十一二三四五六七八九十一二三四五六七八九十", "x", "y"}, 40},
};

/* The figures of the second column end in one display column, and no line is wider than the window. */
static void check_alignment(void **state)
{
    const struct align_row *row = *state;
    const struct column columns[] = {{.key = "label", .title = GT_STR("品名"), .is_wrapped = true},
                                     {.key = "price", .title = GT_STR("价格"), .is_right = true},
                                     {.key = "end", .title = GT_STR("完")}};
    struct report_head head = {.lang = LANG_ZH, .width = row->width};
    struct gt_errinfo info = {0};
    struct sink_writer *writer;
    struct capture *capture = capture_new();
    assert_int_equal(sink_open(&sink_text, capture->file, &head, &writer, &info), GT_OK);
    sink_table_begin(writer, "t", GT_STR(""), columns, 3);
    for (int i = 0; i < 3; i++) {
        const struct cell cells[] = {cell_words(row->labels[i]), cell_money((i == 0 ? 7 : i == 1 ? 15910 : 1074) * INT64_C(1000000000)), cell_words("|")};
        sink_row(writer, cells);
    }
    sink_table_end(writer);
    assert_int_equal(sink_close(writer, &info), GT_OK);
    size_t end = 0, seen = 0;
    for (const char *line = capture_text(capture); *line != '\0'; line = strchr(line, '\n') + 1) {
        struct gt_str text = {line, strcspn(line, "\n")};
        size_t bar = gt_str_find(text, GT_STR("|"), 0);
        assert_true(utf8_width(text) <= (size_t)row->width);
        assert_true(text.len == 0 || text.ptr[text.len - 1] != ' ');
        if (bar >= text.len) continue;
        size_t at = utf8_width(gt_str_slice(text, 0, bar));
        if (seen++ > 0) assert_int_equal(at, end);
        end = at;
        assert_true(text.ptr[bar - 1] == ' ' && text.ptr[bar - 2] == ' ' && text.ptr[bar - 3] != ' ');
    }
    assert_int_equal(seen, 3);
    capture_free(capture);
}

/* ---- tables that stop ---- */

static const struct limit_row {
    const char *name;
    size_t row_max, rows, written;
    const char *said;
} limits[] = {
    {"no limit", 0, 3, 3, NULL},
    {"fewer rows than the limit", 3, 2, 2, NULL},
    {"as many rows as the limit", 3, 3, 3, NULL},
    {"one row too many", 3, 4, 3, "1 more rows are not shown"},
    {"many rows too many", 2, 1502, 2, "1500 more rows are not shown"},
};

static void check_limit(void **state)
{
    static const struct column_def defs[] = {{"row", LABEL_OFFER, 0, 0}};
    const struct limit_row *row = *state;
    struct arena *arena = arena_new(1 << 20);
    struct report_head head = {.lang = LANG_EN, .width = 100};
    struct gt_errinfo info = {0};
    struct sink_writer *writer;
    struct capture *capture = capture_new();
    struct table table;
    assert_int_equal(sink_open(&sink_text, capture->file, &head, &writer, &info), GT_OK);
    table_init(&table, arena, LANG_EN, defs, 1);
    table.row_max = row->row_max;
    for (size_t i = 0; i < row->rows; i++)
        if (table_has_room(&table)) *table_row(&table) = cell_words("a row");
    assert_int_equal(table_write(&table, writer, "t", GT_STR("")), GT_OK);
    assert_int_equal(sink_close(writer, &info), GT_OK);
    assert_int_equal(count_of(capture_text(capture), "a row\n"), row->written);
    assert_int_equal(count_of(capture_text(capture), row->said != NULL ? row->said : "more rows"), row->said != NULL);
    capture_free(capture);
    arena_free(arena);
}

/* ---- what tables are called by who hears the page ---- */

static const struct name_row {
    const char *name, *heading, *caption;
    int tables;
    const char *label; /* of the last table */
} table_names[] = {
    {"no heading: the key", NULL, "", 1, "aria-label=\"t\""},
    {"no heading, the second table", NULL, "", 2, "aria-label=\"t 2\""},
    {"the heading above", "Moves", "", 1, "aria-label=\"Moves\""},
    {"the second table under a heading", "Moves", "", 2, "aria-label=\"Moves 2\""},
    {"a caption goes before the heading", "Moves", "A one card", 1, "aria-label=\"A one card\""},
    {"a heading that would end the attribute", "a\"b<c", "", 1, "aria-label=\"a&quot;b&lt;c\""},
};

static void check_table_name(void **state)
{
    const struct name_row *row = *state;
    const struct column columns[] = {{.key = "label", .title = GT_STR("offer")}};
    struct report_head head = {.lang = LANG_EN};
    struct gt_errinfo info = {0};
    struct sink_writer *writer;
    struct capture *capture = capture_new();
    assert_int_equal(sink_open(&sink_html, capture->file, &head, &writer, &info), GT_OK);
    if (row->heading != NULL) sink_heading(writer, 1, gt_str_from(row->heading));
    for (int i = 0; i < row->tables; i++) {
        sink_table_begin(writer, "t", gt_str_from(row->caption), columns, 1);
        sink_table_end(writer);
    }
    assert_int_equal(sink_close(writer, &info), GT_OK);
    assert_int_equal(count_of(capture_text(capture), row->label), 1);
    assert_int_equal(count_of(capture_text(capture), "role=\"region\""), row->tables);
    capture_free(capture);
}

/* ---- sample data, byte order mark, full disk ---- */

struct format_row {
    const char *name;
};

static const struct format_row formats[] = {{"text"}, {"md"}, {"html"}, {"csv"}, {"json"}};

static void check_sample(void **state)
{
    const struct format_row *row = *state;
    struct capture *with = capture_new(), *without = capture_new();
    write_all(row->name, with->file, GT_STR("x"), 80, true, false);
    write_all(row->name, without->file, GT_STR("x"), 80, false, false);
    const char *notice = "SAMPLE / 示例数据", *text = capture_text(with);
    assert_int_equal(count_of(text, notice), 2);
    assert_int_equal(count_of(capture_text(without), notice), 0);
    /* At the top: before the first word of the report; at the bottom: after its last. */
    const char *body = strstr(text, strcmp(row->name, "html") == 0 ? "<h1>" : strcmp(row->name, "json") == 0 ? "\"value\"" : "x");
    const char *last = strrchr(text, 'x');
    assert_true(strstr(text, notice) < body);
    if (strcmp(row->name, "html") != 0) assert_non_null(strstr(last, notice));
    capture_free(with);
    capture_free(without);
}

static void check_full_disk(void **state)
{
    const struct format_row *row = *state;
    FILE *file = fopen("/dev/full", "w");
    assert_non_null(file);
    assert_int_equal(write_all(row->name, file, GT_STR("x"), 80, false, false), GT_ENOSPC);
    fclose(file);
}

static void check_closed_for_writing(void **state)
{
    const struct format_row *row = *state;
    FILE *file = fopen("/dev/null", "r");
    assert_non_null(file);
    assert_int_not_equal(write_all(row->name, file, GT_STR("x"), 80, false, false), GT_OK);
    fclose(file);
}

static void check_bom(void **state)
{
    const struct format_row *row = *state;
    struct capture *capture = capture_new();
    write_all(row->name, capture->file, GT_STR("x"), 80, false, true);
    bool has_bom = strncmp(capture_text(capture), "\xef\xbb\xbf", 3) == 0;
    assert_int_equal(has_bom, strcmp(row->name, "csv") == 0);
    capture_free(capture);
}

static void check_named(void **state)
{
    const struct format_row *row = *state;
    const struct sink *sink = sink_find(gt_str_from(row->name));
    assert_non_null(sink);
    assert_string_equal(sink->name, row->name);
    assert_null(sink_find(GT_STR("xls")));
    assert_null(sink_find(GT_STR("")));
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(hostile, check_no_controls) + TABLE_RUN(hostile, check_html) + TABLE_RUN(hostile, check_md) +
           TABLE_RUN(hostile, check_csv) + TABLE_RUN(hostile, check_json) + TABLE_RUN(alignments, check_alignment) + TABLE_RUN(limits, check_limit) + TABLE_RUN(table_names, check_table_name) +
           TABLE_RUN(formats, check_sample) + TABLE_RUN(formats, check_full_disk) + TABLE_RUN(formats, check_closed_for_writing) +
           TABLE_RUN(formats, check_bom) + TABLE_RUN(formats, check_named);
}
