#include "net/url.h"

#include "net/connect_to.h"
#include "tests/unit/table.h"

static const struct row {
    const char *name;
    const char *base; /* NULL: absolute */
    const char *text;
    enum gt_err err;
    const char *href, *origin, *target;
} urls[] = {
    {"a plain address", NULL, "https://www.jygpu.com/markets", GT_OK, "https://www.jygpu.com/markets",
     "https://www.jygpu.com:443", "/markets"},
    {"no path", NULL, "http://a.com", GT_OK, "http://a.com/", "http://a.com:80", "/"},
    {"upper case host and scheme", NULL, "HTTPS://WWW.A.Com/X", GT_OK, "https://www.a.com/X", "https://www.a.com:443", "/X"},
    {"default port written", NULL, "https://a.com:443/x", GT_OK, "https://a.com/x", "https://a.com:443", "/x"},
    {"a port of its own", NULL, "http://a.com:8080/x?y=1", GT_OK, "http://a.com:8080/x?y=1", "http://a.com:8080", "/x?y=1"},
    {"fragment is dropped", NULL, "http://a.com/x#top", GT_OK, "http://a.com/x", "http://a.com:80", "/x"},
    {"Chinese in the path", NULL, "http://a.com/价格", GT_OK, "http://a.com/%e4%bb%b7%e6%a0%bc", "http://a.com:80",
     "/%e4%bb%b7%e6%a0%bc"},
    {"blank in the query", NULL, "http://a.com/x?q=a b", GT_OK, "http://a.com/x?q=a+b", "http://a.com:80", "/x?q=a+b"},
    {"dot segments", NULL, "http://a.com/a/../b/./c", GT_OK, "http://a.com/b/c", "http://a.com:80", "/b/c"},
    {"short IPv4", NULL, "http://127.1/", GT_OK, "http://127.0.0.1/", "http://127.0.0.1:80", "/"},
    {"decimal IPv4", NULL, "http://2130706433/", GT_OK, "http://127.0.0.1/", "http://127.0.0.1:80", "/"},
    {"hexadecimal IPv4", NULL, "http://0x7f.1/", GT_OK, "http://127.0.0.1/", "http://127.0.0.1:80", "/"},
    {"octal IPv4", NULL, "http://0177.0.0.1/", GT_OK, "http://127.0.0.1/", "http://127.0.0.1:80", "/"},
    {"IPv6", NULL, "http://[::1]:81/", GT_OK, "http://[::1]:81/", "http://[::1]:81", "/"},
    {"blanks around", NULL, "  http://a.com/x  ", GT_OK, "http://a.com/x", "http://a.com:80", "/x"},
    {"relative path", "http://a.com/a/b", "c", GT_OK, "http://a.com/a/c", "http://a.com:80", "/a/c"},
    {"absolute path", "http://a.com/a/b", "/c?d", GT_OK, "http://a.com/c?d", "http://a.com:80", "/c?d"},
    {"query only", "http://a.com/a/b?x", "?y=2", GT_OK, "http://a.com/a/b?y=2", "http://a.com:80", "/a/b?y=2"},
    {"host only", "https://a.com/a", "//b.com/c", GT_OK, "https://b.com/c", "https://b.com:443", "/c"},
    {"another scheme of ours", "https://a.com/a", "http://b.com/c", GT_OK, "http://b.com/c", "http://b.com:80", "/c"},
    {"climbing above the root", "http://a.com/a", "../../../x", GT_OK, "http://a.com/x", "http://a.com:80", "/x"},

    {"file", NULL, "file:///etc/passwd", GT_EREFUSED, NULL, NULL, NULL},
    {"gopher", NULL, "gopher://a.com/", GT_EREFUSED, NULL, NULL, NULL},
    {"ftp by reference", "http://a.com/", "ftp://a.com/x", GT_EREFUSED, NULL, NULL, NULL},
    {"file by reference", "http://a.com/", "file:///etc/passwd", GT_EREFUSED, NULL, NULL, NULL},
    {"user name", NULL, "http://me@a.com/", GT_EREFUSED, NULL, NULL, NULL},
    {"user and password by reference", "http://a.com/", "http://a.com:80@127.0.0.1/", GT_EREFUSED, NULL, NULL, NULL},
    {"no scheme", NULL, "www.a.com/x", GT_EFORMAT, NULL, NULL, NULL},
    {"empty", NULL, "", GT_EFORMAT, NULL, NULL, NULL},
    {"line break inside", "http://a.com/", "/x\r\nHost: b.com", GT_EFORMAT, NULL, NULL, NULL},
    {"no host", NULL, "http://", GT_EFORMAT, NULL, NULL, NULL},
    {"no host but a path", NULL, "http:/", GT_EFORMAT, NULL, NULL, NULL},
    {"host in another script", NULL, "http://算力.com/", GT_EFORMAT, NULL, NULL, NULL},
    {"port out of range", NULL, "http://a.com:65536/", GT_EFORMAT, NULL, NULL, NULL},
    {"port zero", NULL, "http://a.com:0/", GT_EFORMAT, NULL, NULL, NULL},
    {"broken bracket", NULL, "http://[::1/", GT_EFORMAT, NULL, NULL, NULL},
};

static void check_url(void **state)
{
    const struct row *row = *state;
    struct arena *arena = arena_new(1 << 20);
    struct url base, url = {0};
    struct gt_errinfo info = {0};
    enum gt_err err;
    if (row->base != NULL) {
        assert_int_equal(url_parse(gt_str_from(row->base), arena, &base, &info), GT_OK);
        err = url_resolve(&base, gt_str_from(row->text), arena, &url, &info);
    } else {
        err = url_parse(gt_str_from(row->text), arena, &url, &info);
    }
    assert_int_equal(err, row->err);
    if (err == GT_OK) {
        assert_str(url.href, row->href);
        assert_str(url.origin, row->origin);
        assert_str(url.target, row->target);
    } else {
        assert_true(strlen(info.text) > 0);
    }
    arena_free(arena);
}

static const struct scheme_row {
    const char *name;
    const char *text;
} schemes[] = {{"javascript", "javascript:alert(1)"}, {"data", "data:text/html,x"}, {"mailto", "mailto:a@b.com"}};

/* Whatever libcurl makes of them, none may come out as an address. */
static void check_scheme(void **state)
{
    const struct scheme_row *row = *state;
    struct arena *arena = arena_new(1 << 20);
    struct url base, url;
    assert_int_equal(url_parse(GT_STR("http://a.com/x/"), arena, &base, NULL), GT_OK);
    assert_int_not_equal(url_parse(gt_str_from(row->text), arena, &url, NULL), GT_OK);
    /* as a reference it is either refused or a path on the same host */
    if (url_resolve(&base, gt_str_from(row->text), arena, &url, NULL) == GT_OK) assert_true(url_is_same_origin(&base, &url));
    arena_free(arena);
}

static const struct length_row {
    const char *name;
    size_t bytes;
    enum gt_err err;
} lengths[] = {
    {"as long as may be", URL_BYTES_MAX, GT_OK}, {"one more", URL_BYTES_MAX + 1, GT_ELIMIT}, {"64 KiB", 65536, GT_ELIMIT}};

static void check_length(void **state)
{
    const struct length_row *row = *state;
    struct arena *arena = arena_new(1 << 20);
    char *text = malloc(row->bytes);
    struct url url;
    memset(text, 'x', row->bytes);
    memcpy(text, "http://a.com/", 13);
    assert_int_equal(url_parse((struct gt_str){text, row->bytes}, arena, &url, NULL), row->err);
    free(text);
    arena_free(arena);
}

static const struct connect_row {
    const char *name;
    const char *rule;
    const char *host;
    uint16_t port;
    bool applies;
} connects[] = {
    {"host and port", "a.com:443:127.0.0.1:8443", "a.com", 443, true},
    {"any host", ":443:127.0.0.1:8443", "b.com", 443, true},
    {"any host and port", "::127.0.0.1:8443", "b.com", 80, true},
    {"IPv6 target", "a.com:443:[::1]:8443", "a.com", 443, true},
    {"another host", "a.com:443:127.0.0.1:8443", "b.com", 443, false},
    {"a subdomain", "a.com:443:127.0.0.1:8443", "x.a.com", 443, false},
    {"another port", "a.com:443:127.0.0.1:8443", "a.com", 80, false},
    {"leads nowhere", "a.com:443::", "a.com", 443, false},
    {"three parts", "a.com:443:127.0.0.1", "a.com", 443, false},
    {"five parts", "a.com:443:127.0.0.1:1:2", "a.com", 443, false},
    {"port is no number", "a.com:https:127.0.0.1:1", "a.com", 443, false},
};

static void check_connect(void **state)
{
    const struct connect_row *row = *state;
    const char *rules[] = {row->rule, NULL};
    assert_int_equal(connect_to_applies(rules, gt_str_from(row->host), row->port), row->applies);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(urls, check_url) + TABLE_RUN(schemes, check_scheme) + TABLE_RUN(lengths, check_length) +
           TABLE_RUN(connects, check_connect);
}
