/* HTML: what libxml2 loses without a word must be read whole or be an error. The pages are twenty rows long; each row counts. */
#include "parsers/html_tree.h"

#include <libxml/tree.h>

#include "tests/unit/parsers/page.h"

enum { ROWS = 20 };

/* A page of ROWS rows under a content type and a <meta>, with `bytes` put into row 8. */
static const struct trap_case {
    const char *name;
    const char *content_type;
    const char *meta;
    struct gt_str bytes;
    size_t replaced; /* U+FFFD that decoding has to put in */
} TRAPS[] = {
    {"gb2312: a character that only GBK has", "text/html", "gb2312", {"\xE9\x46", 2}, 0},
    {"gb2312: a lone 0x80", "text/html", "gb2312", {"\x80", 1}, 0},
    {"gb18030: a lone 0x80", "text/html", "gb18030", {"\x80", 1}, 0},
    {"gbk: four bytes", "text/html", "gbk", {"\x95\x32\x82\x36", 4}, 0},
    {"gbk: FF FF", "text/html", "gbk", {"\xFF\xFF", 2}, 2},
    {"gbk: cut in mid-character", "text/html", "gbk", {"\xC4", 1}, 1},
    {"big5: a bad byte", "text/html", "big5", {"\xFF", 1}, 1},
    {"shift_jis: a bad byte", "text/html", "shift_jis", {"\xFD", 1}, 1},
    {"utf-8: a bad byte, encoding from meta alone", "text/html", "utf-8", {"\xFF", 1}, 1},
    {"utf-8: NUL", "text/html", "utf-8", {"\0", 1}, 1},
    {"gbk: NUL", "text/html; charset=gbk", "utf-8", {"\0", 1}, 1},
    {"utf-8 under a stale meta gb2312", "text/html; charset=utf-8", "gb2312", {"\xE4\xBD\xA0", 3}, 0},
    {"utf-8 under a stale meta gb2312, no header", "text/html", "gb2312", {"\xE4\xBD\xA0\xE5\xA5\xBD\xE4\xBD\xA0\xE5\xA5\xBD", 12}, 0},
    {"meta of an encoding nobody knows", "text/html", "utf-99", {"x", 1}, 0},
    {"control characters", "text/html", "utf-8", {"\x01\x02\x1B", 3}, 0},
    {"noncharacters", "text/html; charset=utf-8", "utf-8", {"\xEF\xBF\xBE\xEF\xBF\xBF", 6}, 0},
};

/* The text of a listing's field. */
static struct gt_str field_of(const struct listing *listing, const char *name)
{
    for (size_t i = 0; i < listing->field_count; i++) {
        if (gt_str_is(listing->fields[i].name, name)) return listing->fields[i].text;
    }
    return GT_STR("");
}

static void check_trap(void **state)
{
    const struct trap_case *row = *state;
    struct strbuf body;
    strbuf_init(&body, 1 << 16);
    strbuf_addf(&body, "<html><head><meta charset=%s></head><body><table>", row->meta);
    for (int i = 0; i < ROWS; i++) {
        strbuf_addf(&body, "<tr><td>R%d", i);
        if (i == 8) strbuf_add(&body, row->bytes);
        strbuf_adds(&body, "</td><td>1</td></tr>\n");
    }
    strbuf_adds(&body, "</table>");
    const struct page_input page = {.body = strbuf_str(&body), .content_type = gt_str_from(row->content_type), .url = GT_STR("")};
    struct page_run run;
    page_read(&run, "extract = table\nrows = //tr[td]\nlabel = td[1]\nprice = td[2]", &page);
    assert_int_equal(run.err, GT_OK);
    assert_int_equal(run.extraction.count, ROWS);
    assert_int_equal(run.extraction.replaced_chars, row->replaced);
    assert_str(field_of(&run.extraction.listings[ROWS - 1], "label"), "R19");
    page_done(&run);
    strbuf_done(&body);
}

/* Big and deep pages: `count` times `piece`, then one row. All of it or an error, never less. */
static const struct size_case {
    const char *name;
    const char *before;
    const char *piece;
    size_t count;
    const char *after;
    enum gt_err err;
} SIZES[] = {
    {"depth 255", "", "<div>", 255, "", GT_OK},
    {"depth 256", "", "<div>", 256, "", GT_OK},
    {"depth 2,000", "", "<div>", 2000, "", GT_OK},
    {"depth 4,000 of a tag that is never closed", "", "<font>x", 4000, "", GT_OK},
    {"depth 5,000", "", "<div>", 5000, "", GT_ELIMIT},
    {"depth 100,000", "", "<div>", 100000, "", GT_ELIMIT},
    {"depth 200,000 and as many stray ends", "", "<div></p>", 200000, "", GT_ELIMIT},
    {"20,000 nested tables", "", "<table><tr><td>", 20000, "", GT_ELIMIT},
    {"a script of 11 MB", "<script>", "xxxxxxxxxxx", 1000000, "</script>", GT_OK},
    {"a text of 11 MB", "<p>", "xxxxxxxxxx ", 1000000, "</p>", GT_OK},
    {"a script of 17 MB", "<script>", "xxxxxxxxxxxxxxxxx", 1000000, "</script>", GT_ELIMIT},
    {"a text of 17 MB", "<p>", "xxxxxxxxxxxxxxxx ", 1000000, "</p>", GT_ELIMIT},
    {"50,000 attributes", "<p", " a", 50000, ">", GT_ELIMIT},
    {"200 attributes", "<p", " a=b", 200, ">", GT_OK},
    {"200 attributes in quotes with > in them", "<p", " a='>'", 200, ">", GT_OK},
    {"many words in a script are no attributes", "<script>", "a<b c d e f g ", 10000, "</script>", GT_OK},
    {"many words in a comment are no attributes", "<!--", "<b c d e f g ", 10000, "-->", GT_OK},
    {"a million and a half of elements", "", "<b></b>", 1500000, "", GT_ELIMIT},
    {"100,000 comments", "", "<!-- x -->", 100000, "", GT_OK},
    {"100,000 comments that end with --!>", "", "<!-- x --!>", 100000, "", GT_OK},
    {"half a million comments without an end", "", "<!--", 500000, "", GT_ELIMIT},
    {"17 comments without an end", "", "<!-- x ", 17, "", GT_ELIMIT},
    {"half a million beginnings with one end", "", "<!--", 500000, "-->", GT_OK},
    {"beginnings of comments in a script", "<script>", "<!-- x ", 1000, "</script>", GT_OK},
    {"entities by the thousand", "<p>", "&amp;&#20320;&nbsp;", 10000, "</p>", GT_OK},
};

static void check_size(void **state)
{
    const struct size_case *row = *state;
    struct strbuf body;
    struct _xmlDoc *doc = NULL;
    struct arena *arena = arena_new(PAGE_TEST_ARENA);
    struct gt_errinfo info = {0};
    strbuf_init(&body, 32 << 20);
    strbuf_adds(&body, row->before);
    for (size_t i = 0; i < row->count; i++) strbuf_adds(&body, row->piece);
    strbuf_addf(&body, "%s<i id=last>end</i>", row->after);
    assert_int_equal(body.err, GT_OK);
    enum gt_err err = html_tree_parse(strbuf_str(&body), arena, &doc, &info);
    if (err != row->err) print_error("%s\n", info.text);
    assert_int_equal(err, row->err);
    if (err == GT_OK) {
        bool has_end = false;
        for (struct _xmlNode *node = (struct _xmlNode *)doc->children; node != NULL; node = html_next(node, NULL, true))
            has_end = has_end || gt_str_is(html_attribute(node, "id"), "last");
        assert_true(has_end);
    }
    html_tree_free(doc);
    arena_free(arena);
    strbuf_done(&body);
}

/* The text that is seen. */
static const struct text_case {
    const char *name;
    const char *html;
    const char *text;
    bool keeps_lines;
} TEXTS[] = {
    {"white space is one blank", "<p> a \n\t b&nbsp;&#12288;c ", "a b c", false},
    {"blocks and breaks part words", "<div>a</div><div>b<br>c<p>d", "a b c d", false},
    {"lines where they are wanted", "<div>a</div><div>b<br>c<p>d e", "a\nb\nc\nd e", true},
    {"inline elements do not", "a<b>b</b>c", "abc", false},
    {"two elements that touch do, between words", "<span>4090</span><span>24GB</span>", "4090 24GB", false},
    {"but not beside a sign", "<span>¥</span><span>1</span><span>.96</span>", "¥ 1.96", false},
    {"script, style and template are not seen", "a<script>b</script><style>c</style><template>d</template>e", "ae", false},
    {"entities of all kinds", "&lt;&#65;&#x42;&yen;&#20803;", "<AB¥元", false},
    {"an unknown entity stays", "a&foo;b", "a&foo;b", false},
    {"struck-out text is text", "<del>¥2</del> <b>¥1</b>", "¥2 ¥1", false},
    {"options are lines", "<select><option>a<option>b</select>", "a b", false},
    {"an unclosed comment", "a<!-- b", "a", false},
    {"an unclosed tag", "a<b title='x", "a", false},
};

static void check_text(void **state)
{
    const struct text_case *row = *state;
    struct strbuf body, text;
    struct _xmlDoc *doc = NULL;
    struct arena *arena = arena_new(PAGE_TEST_ARENA);
    strbuf_init(&body, 1 << 16);
    strbuf_init(&text, 1 << 16);
    strbuf_addf(&body, "<html><body>%s", row->html);
    assert_int_equal(html_tree_parse(strbuf_str(&body), arena, &doc, NULL), GT_OK);
    html_text_add((struct _xmlNode *)doc, row->keeps_lines, &text);
    assert_str(strbuf_str(&text), row->text);
    html_tree_free(doc);
    arena_free(arena);
    strbuf_done(&body);
    strbuf_done(&text);
}

/* Pages that try to make the parser open something. They are read; a run under strace shows that nothing is opened. */
static const struct text_case ENTITIES[] = {
    {"an external entity", "<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><p>&e;</p>", NULL, false},
    {"a parameter entity", "<!DOCTYPE x [<!ENTITY % e SYSTEM 'http://127.0.0.1/x'> %e;]><p>a</p>", NULL, false},
    {"laughs by the billion", "<!DOCTYPE x [<!ENTITY a 'ha'><!ENTITY b '&a;&a;&a;&a;&a;&a;'><!ENTITY c '&b;&b;&b;&b;'>]><p>&c;</p>", NULL, false},
    {"an include", "<xi:include href='file:///etc/passwd' xmlns:xi='http://www.w3.org/2001/XInclude'/>", NULL, false},
};

static void check_entity(void **state)
{
    const struct text_case *row = *state;
    struct strbuf text;
    struct _xmlDoc *doc = NULL;
    struct arena *arena = arena_new(PAGE_TEST_ARENA);
    strbuf_init(&text, 1 << 16);
    assert_int_equal(html_tree_parse(gt_str_from(row->html), arena, &doc, NULL), GT_OK);
    html_text_add((struct _xmlNode *)doc, false, &text);
    assert_int_equal(gt_str_find(strbuf_str(&text), GT_STR("root:"), 0), SIZE_MAX);
    assert_true(text.len < 200);
    html_tree_free(doc);
    arena_free(arena);
    strbuf_done(&text);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(TRAPS, check_trap) + TABLE_RUN(SIZES, check_size) + TABLE_RUN(TEXTS, check_text) + TABLE_RUN(ENTITIES, check_entity);
}
