/* The short cut around scripts and styles, and libxml2's memory from one block: the trees are those that the plain way gives. */
#include "parsers/html_tree.h"

#include <dirent.h>

#include <libxml/tree.h>

#include "parsers/charset.h"
#include "parsers/html_heap.h"
#include "parsers/html_raw.h"
#include "parsers/xpath.h"
#include "tests/unit/parsers/page.h"

enum { DUMP_MAX = 256 * 1024 * 1024, CUTS = 6, OPEN_TREES = 4, LARGE_BYTES = 3 * HTML_HEAP_BYTES };

/* Something long enough to be taken out. */
#define LONG                                                                                                                     \
    "var a = {\"label\": \"RTX 4090\", \"price\": 1.98, \"text\": \"价格 <b>bold</b> & <p class='x'>\", \"more\": [1, 2, 3, 4, 5]};\n\t" \
    "function f(x) { return x < 3 && x > 1 ? \"</div>\" : '<!-- no comment -->'; }\n" \
    "/* filler filler filler filler filler filler filler filler filler filler filler filler filler */"

/* ---- trees as text ---- */

static void dump_node(const xmlNode *node, struct strbuf *out)
{
    strbuf_addf(out, "%d %s", node->type, node->type == XML_ELEMENT_NODE ? (const char *)node->name : "");
    for (const xmlAttr *a = node->type == XML_ELEMENT_NODE ? node->properties : NULL; a != NULL; a = a->next)
        strbuf_addf(out, " %s=[%s]", (const char *)a->name, a->children != NULL ? (const char *)a->children->content : "(none)");
    if (node->type != XML_ELEMENT_NODE && node->content != NULL) strbuf_addf(out, "{%s}", (const char *)node->content);
    strbuf_addc(out, '\n');
}

static void dump(struct _xmlDoc *doc, struct strbuf *out)
{
    const xmlNode *node = doc->children;
    int depth = 0;
    while (node != NULL) {
        strbuf_addf(out, "%d:", depth);
        dump_node(node, out);
        if (node->type == XML_ELEMENT_NODE && node->children != NULL) {
            node = node->children;
            depth++;
            continue;
        }
        while (node->next == NULL && node->parent != (xmlNode *)doc) {
            node = node->parent;
            depth--;
        }
        node = node->next;
    }
}

/* Both ways over one text: the same error, or the same tree. */
static void assert_alike(struct gt_str text)
{
    struct strbuf cut, uncut;
    struct _xmlDoc *a = NULL, *b = NULL;
    struct arena *arena = arena_new(PAGE_TEST_ARENA);
    strbuf_init(&cut, DUMP_MAX);
    strbuf_init(&uncut, DUMP_MAX);
    if (gt_str_trim(text).len > 0) {
        assert_int_equal(html_tree_parse(text, arena, &a, NULL), html_tree_parse_uncut(text, arena, &b, NULL));
        if (a != NULL) dump(a, &cut);
        if (b != NULL) dump(b, &uncut);
        assert_int_equal(cut.err, GT_OK);
        if (!gt_str_eq(strbuf_str(&cut), strbuf_str(&uncut))) print_error("cut:\n%.2000s\nuncut:\n%.2000s\n", cut.ptr, uncut.ptr);
        assert_true(gt_str_eq(strbuf_str(&cut), strbuf_str(&uncut)));
    }
    html_tree_free(a);
    html_tree_free(b);
    strbuf_done(&cut);
    strbuf_done(&uncut);
    arena_free(arena);
}

static const struct page_row {
    const char *name;
    const char *html;
    int taken; /* contents that are taken out */
} PAGES[] = {
    {"a script and a style", "<p>a<script>" LONG "</script><style>" LONG "</style><p>b", 2},
    {"in the head", "<html><head><title>t</title><script type='application/json'>" LONG "</script></head><body>b", 1},
    {"capitals, blanks in the end tag", "<SCRIPT>" LONG "</ScRiPt  ><p>b", 1},
    {"short ones stay", "<script>var a;</script><style>b {}</style>c", 0},
    {"attributes with > and quotes", "<script data-a=\"x > y\" data-b='</script>'>" LONG "</script>b", 1},
    {"a self-closed one", "<script src=a />" LONG "</script>b", 1},
    {"one in a comment", "a<!-- <script>" LONG "</script> -->b", 0},
    {"a comment that begins in a script", "<script><!--" LONG "//--></script>b", 1},
    {"one in an attribute", "<p title='<script>" LONG "</script>'>b", 0},
    {"one behind an attribute that never ends", "<p title='x><script>" LONG "</script>b", 0},
    {"one in a title", "<title><script>" LONG "</script></title>b", 1},
    {"one in a text area", "<textarea><script>" LONG "</script></textarea>b", 1},
    {"one in an option", "<select><option>a<script>" LONG "</script></select>b", 1},
    {"one without an end", "<p>a<script>" LONG, 0},
    {"a style that a script's end ends not", "<style>" LONG "</script></style>b", 1},
    {"an end tag of a longer name", "<script>" LONG "</scripty>b</script>c", 1},
    {"a longer name", "<scripty>" LONG "</scripty>b", 0},
    {"one in one", "<script>" LONG "<script>" LONG "</script>b</script>c", 1},
    {"in a document type", "<!DOCTYPE x \"<script>" LONG "</script>\"><p>b", 1},
    {"in an instruction", "<?php <script>" LONG "</script> ?><p>b", 1},
    {"in a section of characters", "<![CDATA[<script>" LONG "</script>]]><p>b", 1},
    {"in a template and in svg", "<template><script>" LONG "</script></template><svg><style>" LONG "</style></svg>", 2},
    {"control characters stay", "<script>\x01" LONG "</script>b", 0},
    {"carriage returns stay", "<script>a\r\n" LONG "</script>b", 0},
    {"somebody else's token", "<script>gputape-raw-content-0;</script><script>" LONG "</script>b", 1},
    {"a token behind its own", "<script>" LONG "</script><script>gputape-raw-content-0;</script><script>gputape-raw-content-1;</script>b", 1},
    {"a token that comes late", "<script>" LONG "</script><script>gputape-raw-content-1;</script><script>" LONG "</script>b", 2},
    {"a token for one in a comment", "<title><script>" LONG "</script></title><style>gputape-raw-content-0;</style>", 1},
    {"nothing else", "<script>" LONG "</script>", 1},
    {"an end tag in a string", "<script>x = '</scr' + 'ipt>'; y = '</script>" LONG "'</script>b", 0},
};

static void check_raw(void **state)
{
    const struct page_row *row = *state;
    struct html_raw raw = {.pieces = NULL};
    struct arena *arena = arena_new(PAGE_TEST_ARENA);
    struct gt_str text = gt_str_from(row->html);
    assert_int_equal(html_scan(text, arena, &raw, NULL), GT_OK);
    assert_int_equal(raw.count, row->taken);
    for (size_t len = 0; len <= text.len; len++) assert_alike(gt_str_slice(text, 0, len));
    arena_free(arena);
}

/* ---- many ---- */

static void check_many(void **state)
{
    (void)state;
    struct strbuf page;
    strbuf_init(&page, DUMP_MAX);
    for (int i = 0; i < HTML_RAW_PIECES_MAX + 100; i++) strbuf_addf(&page, "<p>%d<script>" LONG "%d</script>", i, i);
    assert_alike(strbuf_str(&page));
    strbuf_clear(&page);
    strbuf_adds(&page, "<p>a<script>");
    while (page.len < LARGE_BYTES) strbuf_adds(&page, LONG);
    strbuf_adds(&page, "</script><p id=last>b");
    assert_alike(strbuf_str(&page));
    strbuf_done(&page);
}

/* ---- pages of files ---- */

static bool read_file(const char *folder, const char *name, struct strbuf *bytes)
{
    char path[512], chunk[8192];
    snprintf(path, sizeof path, "%s/%.200s", folder, name);
    FILE *file = fopen(path, "rb");
    strbuf_clear(bytes);
    for (size_t got; file != NULL && (got = fread(chunk, 1, sizeof chunk, file)) > 0;) strbuf_add(bytes, (struct gt_str){chunk, got});
    if (file != NULL) fclose(file);
    return bytes->len > 0;
}

static const struct folder_row {
    const char *name;
} FOLDERS[] = {{"tests/auto/pages"}, {"../shared/data/pages/raw"}};

static void check_folder(void **state)
{
    const struct folder_row *row = *state;
    struct strbuf bytes;
    size_t pages = 0;
    DIR *dir = opendir(row->name);
    if (dir == NULL) skip();
    strbuf_init(&bytes, DUMP_MAX);
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        struct charset_text text;
        if (entry->d_name[0] == '.' || !read_file(row->name, entry->d_name, &bytes)) continue;
        struct arena *arena = arena_new(PAGE_TEST_ARENA);
        if (charset_decode(strbuf_str(&bytes), GT_STR(""), GT_STR(""), arena, &text, NULL) == GT_OK) {
            pages++;
            for (size_t i = 1; i <= CUTS; i++) assert_alike(gt_str_slice(text.text, 0, text.text.len * i / CUTS));
        }
        arena_free(arena);
    }
    closedir(dir);
    strbuf_done(&bytes);
    if (pages == 0) skip();
}

/* ---- the block ---- */

/* The tree of a page as text; asks for an id in between, whose table is not of the block. */
static void print_page(const char *html, size_t repeat, struct strbuf *out)
{
    struct strbuf page;
    struct _xmlDoc *doc = NULL;
    struct arena *arena = arena_new(PAGE_TEST_ARENA);
    strbuf_init(&page, DUMP_MAX);
    for (size_t i = 0; i < repeat; i++) strbuf_adds(&page, html);
    strbuf_clear(out);
    assert_int_equal(html_tree_parse(strbuf_str(&page), arena, &doc, NULL), GT_OK);
    struct xpath *path = NULL;
    struct xpath_run *run = NULL;
    struct xpath_result result;
    const struct conf_value origin = {.text = GT_STR("id('x')/b")};
    assert_int_equal(xpath_new(&origin, origin.text, &path, NULL), GT_OK);
    assert_int_equal(xpath_run_begin(doc, &run), GT_OK);
    assert_int_equal(xpath_evaluate(run, path, NULL, &result, NULL), GT_OK);
    strbuf_addf(out, "%zu nodes by id\n", result.count);
    xpath_result_done(&result);
    xpath_run_end(run);
    xpath_free(path);
    dump(doc, out);
    html_tree_free(doc);
    strbuf_done(&page);
    arena_free(arena);
}

static const struct block_row {
    const char *name;
    const char *html;
    size_t repeat;
} BLOCKS[] = {
    {"a small page", "<nav><p id=x class='a b'>x<b>y</b></p></nav><details>z</details>", 1},
    {"many errors", "<nope a=1 a=2></wrong>&nope;<p id=x><b>", 300},
    {"more than the block", "<section data-long='0123456789 0123456789 0123456789 0123456789'><p>x &amp; 价格</section>", 200000},
};

/* Without the block first, then with it: in that order, for there is no way back. */
static void check_blocks(void **state)
{
    (void)state;
    enum { COUNT = sizeof BLOCKS / sizeof BLOCKS[0], ROUNDS = 3 };
    static struct strbuf before[COUNT];
    struct strbuf now;
    strbuf_init(&now, DUMP_MAX);
    for (size_t i = 0; i < COUNT; i++) {
        strbuf_init(&before[i], DUMP_MAX);
        print_page(BLOCKS[i].html, BLOCKS[i].repeat, &before[i]);
    }
    html_heap_install();
    html_heap_install(); /* twice is once */
    for (int round = 0; round < ROUNDS; round++)
        for (size_t i = 0; i < COUNT; i++) {
            print_page(BLOCKS[i].html, BLOCKS[i].repeat, &now);
            assert_true(gt_str_eq(strbuf_str(&now), strbuf_str(&before[i])));
        }
    for (size_t i = 0; i < COUNT; i++) strbuf_done(&before[i]);
    strbuf_done(&now);
}

/* Trees that are open at the same time keep theirs; let go in either order, one of them larger than the block. */
static void check_open(void **state)
{
    (void)state;
    struct strbuf page, first, again;
    struct _xmlDoc *docs[OPEN_TREES] = {NULL};
    struct arena *arena = arena_new(PAGE_TEST_ARENA);
    strbuf_init(&page, DUMP_MAX);
    strbuf_init(&first, DUMP_MAX);
    strbuf_init(&again, DUMP_MAX);
    for (int i = 0; i < 1000; i++) strbuf_adds(&page, BLOCKS[0].html);
    for (int backwards = 0; backwards < 2; backwards++) {
        for (int i = 0; i < OPEN_TREES; i++) assert_int_equal(html_tree_parse(strbuf_str(&page), arena, &docs[i], NULL), GT_OK);
        strbuf_clear(&first);
        dump(docs[0], &first);
        for (int i = 0; i < OPEN_TREES; i++) {
            int at = backwards ? OPEN_TREES - 1 - i : i;
            strbuf_clear(&again);
            dump(docs[at], &again);
            assert_true(gt_str_eq(strbuf_str(&first), strbuf_str(&again)));
            html_tree_free(docs[at]);
        }
    }
    strbuf_done(&page);
    strbuf_done(&first);
    strbuf_done(&again);
    arena_free(arena);
}

static const struct page_row MANY[] = {{"more than HTML_RAW_PIECES_MAX, and a large one", "", 0}}, HEAP[] = {{"the same trees from the block", "", 0}},
                             OPEN[] = {{"several trees at a time", "", 0}};

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    int failures = TABLE_RUN(PAGES, check_raw) + TABLE_RUN(MANY, check_many) + TABLE_RUN(FOLDERS, check_folder);
    failures += TABLE_RUN(HEAP, check_blocks) + TABLE_RUN(OPEN, check_open);
    /* and all of it once more from the block */
    return failures + TABLE_RUN(PAGES, check_raw) + TABLE_RUN(MANY, check_many) + TABLE_RUN(FOLDERS, check_folder);
}
