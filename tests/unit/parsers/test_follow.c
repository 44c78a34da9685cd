/* `follow`: addresses that a page leads to, and the resolver behind it. */
#include "parsers/link_resolve.h"
#include "tests/unit/parsers/page.h"

/* The examples of RFC 3986, section 5.4, against http://a/b/c/d;p?q, and some that pages have. NULL: not to be followed. */
static const struct resolve_case {
    const char *name; /* the reference */
    const char *url;
} RESOLVES[] = {
    {"g", "http://a/b/c/g"},           {"./g", "http://a/b/c/g"},       {"g/", "http://a/b/c/g/"},
    {"/g", "http://a/g"},              {"//g", "http://g/"},            {"?y", "http://a/b/c/d;p?y"},
    {"g?y", "http://a/b/c/g?y"},       {"#s", "http://a/b/c/d;p?q"},    {"g#s", "http://a/b/c/g"},
    {"g?y#s", "http://a/b/c/g?y"},     {";x", "http://a/b/c/;x"},       {"g;x", "http://a/b/c/g;x"},
    {"", "http://a/b/c/d;p?q"},        {".", "http://a/b/c/"},          {"./", "http://a/b/c/"},
    {"..", "http://a/b/"},             {"../g", "http://a/b/g"},        {"../..", "http://a/"},
    {"../../g", "http://a/g"},         {"../../../g", "http://a/g"},    {"/./g", "http://a/g"},
    {"/../g", "http://a/g"},           {"g.", "http://a/b/c/g."},       {"..g", "http://a/b/c/..g"},
    {"./g/.", "http://a/b/c/g/"},      {"g/../h", "http://a/b/c/h"},    {"g;x=1/../y", "http://a/b/c/y"},
    {"g?y/../x", "http://a/b/c/g?y/../x"}, {"HTTPS://X/y", "HTTPS://X/y"}, {"https://x", "https://x/"},
    {"价格 1", "http://a/b/c/%E4%BB%B7%E6%A0%BC%201"}, {" g\n", "http://a/b/c/g"}, {"g\th", "http://a/b/c/gh"},
    {"javascript:alert(1)", NULL},     {"data:text/html,x", NULL},      {"file:///etc/passwd", NULL},
    {"mailto:a@b", NULL},              {"gopher://x/", NULL},           {"http://", NULL},
    {"http:///x", NULL},               {"http://u:p@x/", NULL},         {"//u@x/", NULL},
    {"g:h", NULL},
};

static void check_resolve(void **state)
{
    const struct resolve_case *row = *state;
    struct arena *arena = arena_new(1 << 20);
    struct gt_str url;
    bool is_good = link_resolve(GT_STR("http://a/b/c/d;p?q"), gt_str_from(row->name), arena, &url);
    assert_int_equal(is_good, row->url != NULL);
    if (row->url != NULL) assert_str(url, row->url);
    arena_free(arena);
}

#define TABLE "extract = table\nrows = //tr[td]\nlabel = td[1]\n"

/* A section and a page at https://example.com/a/b; the addresses joined by blanks, then the number of listings. */
static const struct follow_case {
    const char *name;
    const char *section;
    const char *body;
    const char *expected;
    enum gt_err err;
    const char *content_type;
    bool is_followed;
} FOLLOWS[] = {
    {"links by XPath", TABLE "follow = //a/@href", "<a href='../x?a=1&amp;b=2'>1</a><a href=/y>2</a>", "https://example.com/x?a=1&b=2 https://example.com/y 0",
     GT_OK, "text/html", false},
    {"elements stand for their address", TABLE "follow = //a[contains(.,'下载')]", "<a href=p.json>下载</a><a href=q>x</a>", "https://example.com/a/p.json 0", GT_OK,
     "text/html", false},
    {"each once", TABLE "follow = //a", "<a href=x>1</a><a href=./x>2</a>", "https://example.com/a/x 0", GT_OK, "text/html", false},
    {"<base> takes the page's place", TABLE "follow = //a", "<head><base href='//cdn.example.net/d/'></head><a href=x>1</a>", "https://cdn.example.net/d/x 0", GT_OK,
     "text/html", false},
    {"rows beside it are read too", TABLE "follow = //a", "<table><tr><td>A100</table><a href=x>1</a>", "https://example.com/a/x 1", GT_OK, "text/html", false},
    {"by regex on the raw page", TABLE "follow = /fetch\\(\"([^\"]+)\"/", "<script>fetch(\"\\/api\\/p?x=1&amp;y=2\")</script>", "https://example.com/api/p?x=1&y=2 0",
     GT_OK, "text/html", false},
    {"by jq", "extract = json\nrows = {label: (.urls|length)}\nfollow = .urls[]", "{\"urls\":[\"x\",\"/y\",\"javascript:1\"]}",
     "https://example.com/a/x https://example.com/y 1", GT_OK, "application/json", false},
    {"from HTML to JSON", "extract = json\nrows = .[]|{label:.n}\nfollow = //script/@src", "<script src=/p.json></script>", "https://example.com/p.json 0", GT_OK,
     "text/html", false},
    {"not from a page that was followed", TABLE "follow = //a", "<table><tr><td>A100</table><a href=x>1</a>", "1", GT_OK, "text/html", true},
    {"nothing to follow and no rows", TABLE "follow = //a", "<p>x", NULL, GT_ENOROWS, "text/html", false},
    {"a broken rule", TABLE "follow = //a[", "<p>x", NULL, GT_ECONF, "text/html", false},
};

static void check_follow(void **state)
{
    const struct follow_case *row = *state;
    struct page_run run;
    struct strbuf text;
    const struct page_input page = {.body = gt_str_from(row->body), .url = GT_STR("https://example.com/a/b"),
                                    .content_type = gt_str_from(row->content_type), .is_followed = row->is_followed};
    strbuf_init(&text, 4096);
    page_read(&run, row->section, &page);
    if (run.err != row->err) print_error("%s\n", run.info.text);
    assert_int_equal(run.err, row->err);
    for (size_t i = 0; i < run.extraction.follow_count; i++) strbuf_addf(&text, "%.*s ", GT_STR_ARG(run.extraction.follow[i]));
    strbuf_addf(&text, "%zu", run.extraction.count);
    if (row->expected != NULL) assert_str(strbuf_str(&text), row->expected);
    strbuf_done(&text);
    page_done(&run);
}

/* More addresses than may be followed are an error, not a part of them. */
static void check_many(void **state)
{
    (void)state;
    struct strbuf body;
    struct page_run run;
    strbuf_init(&body, 1 << 16);
    for (int i = 0; i <= EXTRACT_FOLLOW_MAX; i++) strbuf_addf(&body, "<a href=x%d>x</a>", i);
    const struct page_input page = {.body = strbuf_str(&body), .url = GT_STR("http://x/"), .content_type = GT_STR("text/html")};
    page_read(&run, TABLE "follow = //a", &page);
    assert_int_equal(run.err, GT_ELIMIT);
    assert_non_null(strstr(run.info.text, "EXTRACT_FOLLOW_MAX"));
    page_done(&run);
    strbuf_done(&body);
}

static const struct {
    const char *name;
} MANY[] = {{"one address too many"}};

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(RESOLVES, check_resolve) + TABLE_RUN(FOLLOWS, check_follow) + TABLE_RUN(MANY, check_many);
}
