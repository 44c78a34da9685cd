/* XPaths: which rules are one, and that the simple ones find what libxml2 finds, node for node. */
#include "parsers/xpath.h"

#include <dirent.h>

#include "parsers/html_tree.h"
#include "tests/unit/parsers/page.h"

/* What a rule is. */
static const struct kind_case {
    const char *name; /* the rule */
    bool is_xpath;
} KINDS[] = {
    {".", true}, {"td[1]", true}, {".//span", true}, {"//a/@href", true}, {"@data-id", true}, {"*", true}, {"div/span", true},
    {"ancestor::tr", true}, {"string(.)", true}, {"normalize-space(td[1])", true}, {"(//a)[1]", true}, {"c-table/li", true},
    {"text()", true}, {"section[2]", true},
    {"价格（元/月）", false}, {"Price/hr", false}, {"price", false}, {"td", false}, {"GPU [x]", false}, {"label", false}, {"hour(s)", false},
    {"显存", false}, {"vram/gb", false}, {"a b", false}, {"", false}, {"price::x", false},
};

static void check_kind(void **state)
{
    const struct kind_case *row = *state;
    assert_int_equal(rule_is_xpath(gt_str_from(row->name)), row->is_xpath);
}

/* Expressions, relative to the document, and to every element of it. */
static const struct path_case {
    const char *name; /* the expression */
    bool is_simple;
} PATHS[] = {
    {"//td", true}, {"//tr/td", true}, {"//*", true}, {".//td", true}, {"td", true}, {"td[1]", true}, {"td[2]", true}, {"*[2]", true},
    {"./td[3]", true}, {"tr[1]/td[2]", true}, {"tr/td[1]/b", true}, {"/html/body", true}, {"/html/body/*[1]", true}, {"//a/@href", true},
    {"@class", true}, {"./@class", true}, {"td/@class", true}, {"//tr[td]", true}, {"//tr[th]/th", true}, {"//*[@class]", true},
    {"//*[@class='x y']", true}, {"//*[@class=\"x\"]", true}, {"//*[contains(@class,'x')]", true}, {" // tr [ td ] / td ", true},
    {"//td[contains(concat(' ',normalize-space(@class),' '),' x ')]", true},
    {"td[contains(concat( ' ', normalize-space(@class), ' ' ), ' x ')][1]", true}, {"td[1][contains(@class,'x')]", true},
    {"td[@class][2]", true}, {"//div//td", false}, {"//td[1]", false}, {"//td | //th", false}, {"//td[last()]", false},
    {"//td[position()<3]", false}, {"//td[not(@class)]", false}, {"//text()", false}, {"..", false}, {"//td[.='1']", false},
    {"//td[contains(.,'1')]", false}, {"string(//td)", false}, {"count(//td)", false}, {"//*[contains(concat(' ',@class,' '),' x ')]", false},
    {"//td[@class='x' or @id]", false}, {"following-sibling::td", false}, {"//@class", false}, {"//*[contains(@class,'')]", false},
    {"(//td)[1]", false}, {"td[td[1]]", false}, {"//*[@class='']", false}, {"td[0]", true}, {"//a[@href]/@href", true}, {".", false},
};

static const char *const PAGES[] = {
    "<html><body class='x'><div class='x y'><div class=y><table><tr><th>a<th class=x>b<tr><td class=' x '>1<td class='xx'>2<td class='y x'>3"
    "<tr><td>4<b>5</b><td class=x>6</table></div><a href=1>p</a><a>q</a></div><table><tr><td><table><tr><td class=x>7</table><td>8</table>",
    "<p>no table</p>",
    "<ul><li class='x'>a<ul><li>b<li class='x'>c</ul><li>d</ul>",
};

static void compare(struct xpath_run *run, const struct xpath *xpath, struct _xmlNode *node)
{
    struct xpath_result ours = {0}, theirs = {0};
    assert_int_equal(xpath_evaluate(run, xpath, node, &ours, NULL), GT_OK);
    assert_int_equal(xpath_evaluate_by_libxml(run, xpath, node, &theirs, NULL), GT_OK);
    assert_int_equal(ours.is_text, theirs.is_text);
    assert_int_equal(ours.count, theirs.count);
    for (size_t i = 0; i < ours.count; i++) assert_ptr_equal(ours.nodes[i], theirs.nodes[i]);
    xpath_result_done(&ours);
    xpath_result_done(&theirs);
}

/* Compares both on the document and on its first elements. */
static void compare_on(const struct xpath *xpath, struct gt_str html)
{
    enum { ELEMENTS_MAX = 60 };
    struct arena *arena = arena_new(PAGE_TEST_ARENA);
    struct _xmlDoc *doc = NULL;
    struct xpath_run *run = NULL;
    size_t elements = 0;
    if (html_tree_parse(html, arena, &doc, NULL) == GT_OK) {
        assert_int_equal(xpath_run_begin(doc, &run), GT_OK);
        compare(run, xpath, NULL);
        for (struct _xmlNode *node = html_first(doc); node != NULL && elements < ELEMENTS_MAX; node = html_next(node, NULL, true), elements++)
            compare(run, xpath, node);
    }
    xpath_run_end(run);
    html_tree_free(doc);
    arena_free(arena);
}

static void compare_on_files(const struct xpath *xpath)
{
    DIR *folder = opendir("../shared/data/pages/raw");
    struct strbuf bytes;
    if (folder == NULL) return;
    strbuf_init(&bytes, PAGE_BYTES_MAX);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char path[512], chunk[8192];
        snprintf(path, sizeof path, "../shared/data/pages/raw/%s", entry->d_name);
        FILE *file = strstr(entry->d_name, ".html") != NULL ? fopen(path, "rb") : NULL;
        if (file == NULL) continue;
        strbuf_clear(&bytes);
        for (size_t got; (got = fread(chunk, 1, sizeof chunk, file)) > 0;) strbuf_add(&bytes, (struct gt_str){chunk, got});
        fclose(file);
        compare_on(xpath, strbuf_str(&bytes));
    }
    closedir(folder);
    strbuf_done(&bytes);
}

static void check_path(void **state)
{
    const struct path_case *row = *state;
    const struct conf_value origin = {.name = GT_STR("rows"), .file = "x", .line = 1};
    struct xpath *xpath = NULL;
    assert_int_equal(xpath_new(&origin, gt_str_from(row->name), &xpath, NULL), GT_OK);
    assert_int_equal(xpath_is_simple(xpath), row->is_simple);
    if (row->is_simple) {
        for (size_t i = 0; i < sizeof PAGES / sizeof PAGES[0]; i++) compare_on(xpath, gt_str_from(PAGES[i]));
        compare_on_files(xpath);
    }
    xpath_free(xpath);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(KINDS, check_kind) + TABLE_RUN(PATHS, check_path);
}
