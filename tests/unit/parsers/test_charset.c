/* Bytes to text: precedence, labels, the gb18030 decoder, and what happens when a label lies. */
#include "common/strbuf.h"
#include "parsers/charset.h"
#include "parsers/charset_codec.h"
#include "tests/unit/table.h"

#define BYTES(literal) {(literal), sizeof(literal) - 1}

/* How bytes decode under a label. FFFD is written out as \xEF\xBF\xBD. */
static const struct decode_case {
    const char *name;
    const char *label;
    struct gt_str bytes;
    const char *text;
    size_t replaced;
} DECODES[] = {
    {"gbk: two bytes", "gbk", BYTES("\xC4\xE3\xBA\xC3"), "你好", 0},
    {"gb2312 is gbk: a character that only GBK has", "gb2312", BYTES("\xE9\x46"), "镕", 0},
    {"gb2312: the euro of code page 936", "gb2312", BYTES("\x80" "9"), "€9", 0},
    {"gb18030: the euro of code page 936", "gb18030", BYTES("\x80"), "€", 0},
    {"gbk: four bytes", "gbk", BYTES("\x95\x32\x82\x36"), "𠀀", 0},
    {"gb18030: the first and last of the basic plane", "gb18030", BYTES("\x81\x30\x81\x30\x84\x31\xA4\x39"), "\xC2\x80\xEF\xBF\xBF", 0},
    {"gb18030: the last code point", "gb18030", BYTES("\xE3\x32\x9A\x35"), "\xF4\x8F\xBF\xBF", 0},
    {"gb18030: the pair that differs from glibc", "gb18030", BYTES("\xA8\xBC\x81\x35\xF4\x37"), "\xE1\xB8\xBF\xEE\x9F\x87", 0},
    {"gb18030: full-width blank of A3A0", "gb18030", BYTES("\xA3\xA0"), "\xE3\x80\x80", 0},
    {"gbk: the dash of A1AA", "gbk", BYTES("\xA1\xAA"), "\xE2\x80\x94", 0},
    {"gbk: a lead byte before markup swallows nothing", "gbk", BYTES("\xC4<b>"), "\xEF\xBF\xBD<b>", 1},
    {"gbk: FF", "gbk", BYTES("\xFF" "a"), "\xEF\xBF\xBD" "a", 1},
    {"gbk: a trail byte of FF goes with its lead", "gbk", BYTES("\xC4\xFF" "a"), "\xEF\xBF\xBD" "a", 1},
    {"gbk: cut in mid-character", "gbk", BYTES("a\xC4"), "a\xEF\xBF\xBD", 1},
    {"gb18030: four bytes that begin well and end in markup", "gb18030", BYTES("\x81\x30\x81<"), "\xEF\xBF\xBD" "0\xEF\xBF\xBD<", 2},
    {"gb18030: four bytes beyond the last range", "gb18030", BYTES("\xFE\x39\xFE\x39" "a"), "\xEF\xBF\xBD" "a", 1},
    {"gb18030: cut after three bytes", "gb18030", BYTES("\x81\x30\x81"), "\xEF\xBF\xBD", 1},
    {"gbk: NUL", "gbk", BYTES("a\0b"), "a\xEF\xBF\xBD" "b", 1},
    {"utf-8: sound", "utf-8", BYTES("a\xE4\xBD\xA0"), "a你", 0},
    {"utf-8: NUL in a long run", "utf-8", BYTES("0123456789\0" "0123456789"), "0123456789\xEF\xBF\xBD" "0123456789", 1},
    {"utf-8: one bad byte is one character", "utf-8", BYTES("\xE4\xBD\xA0\xFF\xE5\xA5\xBD"), "你\xEF\xBF\xBD好", 1},
    {"utf-8: a cut sequence before markup", "utf-8", BYTES("\xE4\xBD<"), "\xEF\xBF\xBD<", 1},
    {"utf-8: overlong", "utf-8", BYTES("\xC0\xAF"), "\xEF\xBF\xBD\xEF\xBF\xBD", 2},
    {"utf-8: a surrogate", "utf-8", BYTES("\xED\xA0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD", 3},
    {"utf-8: above 10FFFF", "utf-8", BYTES("\xF4\x90\x80\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD", 4},
    {"utf-16: little end first", "utf-16le", BYTES("a\0\x60\x4F"), "a你", 0},
    {"utf-16: big end first, a pair", "utf-16be", BYTES("\xD8\x40\xDC\x00"), "𠀀", 0},
    {"utf-16: half a pair and half a unit", "utf-16le", BYTES("\x40\xD8" "a"), "\xEF\xBF\xBD", 1},
    {"windows-1252: quotes and a hole", "latin1", BYTES("\x93\x81\x80"), "\xE2\x80\x9C\xC2\x81€", 0},
    {"big5", "big5", BYTES("\xA7\x41\xA6\x6E"), "你好", 0},
    {"big5: a lead byte before markup", "big5", BYTES("\xA7<"), "\xEF\xBF\xBD<", 1},
    {"shift_jis", "sjis", BYTES("\x83\x65\x83\x58\x83\x67"), "テスト", 0},
    {"euc-jp", "euc-jp", BYTES("\xA5\xC6"), "テ", 0},
    {"euc-kr", "ks_c_5601-1987", BYTES("\xB0\xA1"), "가", 0},
    {"iconv: NUL", "big5", BYTES("a\0b"), "a\xEF\xBF\xBD" "b", 1},
};

static void check_decode(void **state)
{
    const struct decode_case *row = *state;
    struct strbuf out;
    size_t replaced = 0;
    strbuf_init(&out, 4096);
    assert_int_equal(charset_decode_as(charset_find(gt_str_from(row->label)), row->bytes, &out, &replaced), GT_OK);
    assert_str(strbuf_str(&out), row->text);
    assert_int_equal(replaced, row->replaced);
    strbuf_done(&out);
}

static const struct label_case {
    const char *name;
    const char *standard; /* NULL: no such label */
} LABELS[] = {
    {"gb2312", "gbk"},       {"GB_2312-80", "gbk"},     {"csgb2312", "gbk"},   {"chinese", "gbk"},     {"iso-ir-58", "gbk"},
    {"csiso58gb231280", "gbk"}, {"x-gbk", "gbk"},       {" GBK ", "gbk"},      {"gb18030", "gb18030"}, {"utf8", "utf-8"},
    {"latin1", "windows-1252"}, {"ascii", "windows-1252"}, {"iso8859-2", "iso-8859-2"}, {"utf-16", "utf-16le"},
    {"hz-gb-2312", "replacement"}, {"iso-2022-cn", "replacement"}, {"iso-2022-cn-ext", "replacement"}, {"iso-2022-kr", "replacement"},
    {"utf-7", NULL},         {"gb-2312x", NULL},        {"", NULL},            {"gbk2312", NULL},      {"utf-8 gbk", NULL},
};

static void check_label(void **state)
{
    const struct label_case *row = *state;
    const char *name = charset_name(gt_str_from(row->name));
    if (row->standard == NULL) assert_null(name);
    else assert_string_equal(name, row->standard);
}

/* Who decides. Bytes of a page, its header, the section's label; the decision in words begins with `decision`. */
static const struct decision_case {
    const char *name;
    struct gt_str bytes;
    const char *content_type;
    const char *site;
    const char *decision;
    const char *text; /* NULL: not compared */
} DECISIONS[] = {
    {"a mark beats the header", BYTES("\xEF\xBB\xBFx\xE4\xBD\xA0"), "text/html; charset=gbk", "", "utf-8 (bom)", "x你"},
    {"a mark of utf-16", BYTES("\xFF\xFE" "a\0"), "text/html; charset=gbk", "", "utf-16le (bom)", "a"},
    {"the header beats meta", BYTES("<meta charset=big5>\xC4\xE3"), "text/html; charset=gb2312", "", "gbk (header)", "<meta charset=big5>你"},
    {"a header in quotes and capitals", BYTES("\xC4\xE3"), "text/html; Charset=\"GB2312\"", "", "gbk (header)", "你"},
    {"an unknown label in the header is passed over", BYTES("<meta charset=gbk>\xC4\xE3"), "text/html; charset=utf-7", "", "gbk (meta)", NULL},
    {"meta beats the site", BYTES("<meta charset=gbk>\xC4\xE3"), "text/html", "big5", "gbk (meta)", NULL},
    {"meta with a pragma", BYTES("<META http-equiv=Content-Type content='text/html; charset=gb2312'>\xC4\xE3"), "", "", "gbk (meta)", NULL},
    {"content without a pragma is none", BYTES("<meta content='text/html; charset=gb2312'>abc"), "", "big5", "big5 (site)", NULL},
    {"utf-16 in meta means utf-8", BYTES("<meta charset=utf-16>x"), "", "", "utf-8 (meta)", NULL},
    {"meta in a comment", BYTES("<!-- <meta charset=gbk> -->x"), "", "", "windows-1252 (detected)", NULL},
    {"meta in an attribute", BYTES("<a title='<meta charset=gbk>'>x"), "", "", "windows-1252 (detected)", NULL},
    {"an XML declaration", BYTES("<?xml version='1.0' encoding='gbk'?><a/>"), "", "", "gbk (meta)", NULL},
    {"the site decides when nobody else does", BYTES("\xC4\xE3"), "text/plain", "gbk", "gbk (site)", "你"},
    {"utf-8 is seen", BYTES("\xE4\xBD\xA0\xE5\xA5\xBD"), "", "", "utf-8 (detected)", "你好"},
    {"gbk is seen", BYTES("\xCF\xD4\xBF\xA8\xD7\xE2\xC1\xDE\xBC\xDB\xB8\xF1"), "", "", "gb18030 (detected)", "显卡租赁价格"},
    {"big5 is seen", BYTES("\xC5\xE3\xA5\xDC\xA5\x64\xAF\xB2\xB8\xEE\xBB\xF9\xAE\xE6"), "", "", "big5 (detected)", NULL},
    {"ASCII alone", BYTES("abc"), "", "", "windows-1252 (detected)", "abc"},
    {"western bytes", BYTES("caf\xE9 pr\xEAt na\xEFve"), "", "", "windows-1252 (detected)", "café prêt naïve"},
    {"a stale meta over utf-8", BYTES("<meta charset=gb2312>\xE4\xBD\xA0\xE5\xA5\xBD\xE4\xBD\xA0\xE5\xA5\xBD"), "", "",
     "gbk (meta); read as utf-8: 0 bad characters", "<meta charset=gb2312>你好你好"},
    {"a header of utf-8 over gbk", BYTES("\xCF\xD4\xBF\xA8\xD7\xE2\xC1\xDE\xBC\xDB\xB8\xF1"), "text/html; charset=utf-8", "",
     "utf-8 (header); read as gb18030: 0 bad characters instead of", "显卡租赁价格"},
    {"two characters are no proof against a label", BYTES("\xC3\xA4\xC3\xB6"), "text/html; charset=windows-1252", "", "windows-1252 (header)", NULL},
    {"a few bad bytes do not overrule", BYTES("\xE4\xBD\xA0\xE5\xA5\xBD aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\xFF"), "text/html; charset=utf-8", "",
     "utf-8 (header)", NULL},
};

static void check_decision(void **state)
{
    const struct decision_case *row = *state;
    struct arena *arena = arena_new(1 << 20);
    struct charset_text text;
    struct gt_errinfo info = {0};
    assert_int_equal(charset_decode(row->bytes, gt_str_from(row->content_type), gt_str_from(row->site), arena, &text, &info), GT_OK);
    if (!gt_str_starts(text.decision, gt_str_from(row->decision))) print_error("decision %.*s\n", GT_STR_ARG(text.decision));
    assert_true(gt_str_starts(text.decision, gt_str_from(row->decision)));
    if (row->text != NULL) assert_str(text.text, row->text);
    arena_free(arena);
}

/* Encodings that are refused, by whoever names them. */
static const struct decision_case REFUSALS[] = {
    {"hz-gb-2312 in the header", BYTES("x"), "text/html; charset=hz-gb-2312", "", NULL, NULL},
    {"iso-2022-kr in meta", BYTES("<meta charset=iso-2022-kr>"), "", "", NULL, NULL},
    {"iso-2022-cn of the site", BYTES("x"), "", "iso-2022-cn", NULL, NULL},
};

static void check_refusal(void **state)
{
    const struct decision_case *row = *state;
    struct arena *arena = arena_new(1 << 20);
    struct charset_text text;
    struct gt_errinfo info = {0};
    assert_int_equal(charset_decode(row->bytes, gt_str_from(row->content_type), gt_str_from(row->site), arena, &text, &info), GT_EFORMAT);
    assert_non_null(strstr(info.text, "may not be decoded"));
    arena_free(arena);
}

/* Every two-byte sequence: none is unreadable, and those with an ASCII trail byte outside the table give it back. */
static void check_all_pairs(void **state)
{
    (void)state;
    size_t read = 0, given_back = 0;
    for (int lead = 0x81; lead <= 0xFE; lead++) {
        for (int trail = 0x01; trail <= 0xFF; trail++) {
            char bytes[2] = {(char)lead, (char)trail};
            struct strbuf out;
            size_t replaced = 0;
            strbuf_init(&out, 64);
            charset_gb18030_decode((struct gt_str){bytes, 2}, &out, &replaced);
            bool is_pair = (trail >= 0x40 && trail <= 0x7E) || (trail >= 0x80 && trail <= 0xFE);
            if (is_pair) assert_int_equal(replaced, 0);
            read += is_pair && replaced == 0;
            given_back += trail < 0x80 && out.ptr[out.len - 1] == trail && replaced == 1;
            strbuf_done(&out);
        }
    }
    assert_int_equal(read, 23940);
    assert_int_equal(given_back, 126 * (0x3F - 10 + 1)); /* 01..3F without the digits, and 7F */
}

static const struct {
    const char *name;
} PAIRS[] = {{"all 23,940 two-byte sequences are read, no ASCII byte is swallowed"}};

/* html5lib's own cases, where they are at hand: "#data" BYTES "#encoding" NAME. */
static const struct suite_case {
    const char *name; /* the file's */
} SUITES[] = {{"tests1.dat"}, {"tests2.dat"}, {"test-yahoo-jp.dat"}};

static size_t run_suite(struct gt_str file)
{
    size_t at = 0, cases = 0;
    for (;;) {
        size_t data = gt_str_find(file, GT_STR("#data\n"), at);
        size_t name = data == SIZE_MAX ? SIZE_MAX : gt_str_find(file, GT_STR("\n#encoding\n"), data);
        if (name == SIZE_MAX) return cases;
        size_t end = gt_str_find(file, GT_STR("\n"), name + 11);
        at = end == SIZE_MAX ? file.len : end;
        struct gt_str bytes = gt_str_slice(file, data + 6, name - data - 6);
        struct gt_str expected = gt_str_trim(gt_str_slice(file, name + 11, at - name - 11));
        struct arena *arena = arena_new(1 << 20);
        struct charset_text text;
        struct gt_errinfo info = {0};
        assert_int_equal(charset_decode(bytes, GT_STR(""), GT_STR(""), arena, &text, &info), GT_OK);
        struct gt_str decided = gt_str_slice(text.decision, 0, gt_str_find(text.decision, GT_STR(" ("), 0));
        if (!gt_str_eq_nocase(decided, expected)) print_error("%.*s\n=> %.*s\n", GT_STR_ARG(bytes), GT_STR_ARG(text.decision));
        assert_true(gt_str_eq_nocase(decided, expected));
        arena_free(arena);
        cases++;
    }
}

static void check_suite(void **state)
{
    const struct suite_case *row = *state;
    char path[256];
    struct gt_errinfo info = {0};
    struct strbuf bytes;
    strbuf_init(&bytes, 1 << 20);
    snprintf(path, sizeof path, "../shared/data/html5lib-encoding/%s", row->name);
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        strbuf_done(&bytes);
        print_message("skipped: no suite data\n");
        skip();
    }
    for (int c = getc(file); c != EOF; c = getc(file)) strbuf_addc(&bytes, (char)c);
    fclose(file);
    assert_int_equal(info.code, GT_OK);
    assert_true(run_suite(strbuf_str(&bytes)) > 0);
    strbuf_done(&bytes);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(DECODES, check_decode) + TABLE_RUN(LABELS, check_label) + TABLE_RUN(DECISIONS, check_decision) +
           TABLE_RUN(REFUSALS, check_refusal) + TABLE_RUN(PAIRS, check_all_pairs) + TABLE_RUN(SUITES, check_suite);
}
