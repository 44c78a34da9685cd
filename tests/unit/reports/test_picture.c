/* Charts as commands for gnuplot: what stands in them, what is left out, what words may not do. */
#include "reports/picture.h"
#include "tests/unit/reports/capture.h"

enum { DAY = 86400, START = 1789920000, NANO = 1000000000, LINES = 10 };

/* Two steps of ten days; the second may begin later, or be sold out. */
struct picture_row {
    const char *name;
    const struct sink *sink;
    const char *offer;
    int charts, lines, gap_days;
    bool is_sold_out, is_sample;
    const char *has, *lacks; /* in the commands; NULL: nothing is asked */
};

static const struct picture_row pictures[] = {
    {"a message's picture", &picture_sink, "x", 1, 1, 0, false, false, "set terminal pngcairo noenhanced size 1200,440 ", "dashtype '.'"},
    {"a PNG is twice as fine", &picture_sink_png, "x", 1, 1, 0, false, false, "pngcairo noenhanced size 2000,964 font 'sans,11' fontscale 2", NULL},
    {"an SVG", &picture_sink_svg, "x", 1, 1, 0, false, false, "set terminal svg noenhanced size 1000,482 ", NULL},
    {"every name has a line of its own", &picture_sink_svg, "x", 2, 3, 0, false, false, "size 1000,992 ", NULL},
    {"joined steps", &picture_sink_svg, "x", 1, 1, 0, false, false, "1790812800 1074 0\n1790812800 1080 0\n", "1790812800 1074 0\n\n"},
    {"a gap where it was not listed", &picture_sink_svg, "x", 1, 1, 2, false, false, "1790812800 1074 0\n\n1790985600 1080 0\n", NULL},
    {"sold out: thin dots", &picture_sink_svg, "x", 1, 1, 0, true, false, "1790812800 1080 1\n", NULL},
    {"sold out is said", &picture_sink_svg, "x", 1, 1, 0, true, false, "set title 'c'.'  '.'细点线为售罄'", NULL},
    {"never sold out: not said", &picture_sink_svg, "x", 1, 1, 0, false, false, "set title 'c' \n", "售罄"},
    {"an axis not from 0 says so", &picture_sink_svg, "x", 1, 1, 0, false, false, "set ylabel 'CNY'.' · '.'纵轴不从 0 起'", NULL},
    {"eight lines, the others are counted", &picture_sink_svg, "x", 1, 10, 0, false, false, "'另有 2 条报价未画出(见表)。'", "$d0_8"},
    {"eight lines are all", &picture_sink_svg, "x", 1, 8, 0, false, false, "$d0_7", "另有"},
    {"six charts in a message", &picture_sink, "x", 7, 1, 0, false, false, "set title 'c' ", "$d6_0"},
    {"a file has more", &picture_sink_svg, "x", 7, 1, 0, false, false, "$d6_0", "另有"},
    {"charts too many are counted", &picture_sink_svg, "x", 27, 1, 0, false, false, "'另有 3 张图未画出'", "$d24_0"},
    {"a file names the terms", &picture_sink_svg, "x", 1, 1, 0, false, false, "title 'T'.'  '.'terms'", NULL},
    {"a message's title is short", &picture_sink, "x", 1, 1, 0, false, false, "title 'T' \n", "terms"},
    {"a sample says so", &picture_sink_png, "x", 1, 1, 0, false, true, "SAMPLE / 示例数据", NULL},
    {"quotes end no text", &picture_sink_svg, "a'; system 'x", 1, 1, 0, false, false, "title 'a''; system ''x'", NULL},
    {"line ends end no command", &picture_sink_svg, "a'\nsystem 'x'", 1, 1, 0, false, false, NULL, "\nsystem"},
    {"html: sold out", &sink_html, "x", 1, 1, 0, true, false, "class=\"l k0 o\"", NULL},
    {"html: sold out is said", &sink_html, "x", 1, 1, 0, true, false, "<p class=\"note\">细点线为售罄</p>", NULL},
    {"html: never sold out", &sink_html, "x", 1, 1, 0, false, false, "class=\"l k0\"", "k0 o"},
    {"nothing drawn, nothing written", &picture_sink_svg, "x", 0, 1, 0, false, true, NULL, "set"},
    {"a chart without lines is none", &picture_sink_svg, "x", 1, 0, 0, false, true, NULL, "set"},
};

static void check_picture(void **state)
{
    const struct picture_row *row = *state;
    int64_t middle = START + 10 * DAY, second = middle + row->gap_days * (int64_t)DAY;
    const struct chart_step steps[] = {{START, middle, INT64_C(1074) * NANO, false},
                                       {second, second + 10 * DAY, INT64_C(1080) * NANO, row->is_sold_out}};
    struct chart_line lines[LINES];
    for (int i = 0; i < LINES; i++) lines[i] = (struct chart_line){gt_str_from(row->offer), steps, 2};
    const struct chart chart = {.caption = GT_STR("c"), .unit = GT_STR("CNY"), .lines = lines, .count = (size_t)row->lines};
    struct report_head head = {.title = GT_STR("T"), .terms = GT_STR("terms"), .lang = LANG_ZH, .zone_offset_s = 28800, .is_sample = row->is_sample};
    struct gt_errinfo info = {0};
    struct sink_writer *writer;
    char *text = NULL;
    size_t len = 0;
    FILE *file = open_memstream(&text, &len);
    assert_non_null(file);
    assert_int_equal(sink_open(row->sink, file, &head, &writer, &info), GT_OK);
    for (int i = 0; i < row->charts; i++) sink_chart(writer, &chart);
    assert_int_equal(sink_close(writer, &info), GT_OK);
    assert_int_equal(fclose(file), 0);
    if (row->has != NULL && strstr(text, row->has) == NULL) print_error("%s\n", text);
    assert_true(row->has == NULL || strstr(text, row->has) != NULL);
    assert_true(row->lacks == NULL || strstr(text, row->lacks) == NULL);
    free(text);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(pictures, check_picture);
}
