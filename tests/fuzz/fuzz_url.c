/* Addresses. Input: a base address, then a reference. What is printed is read again as the same. */
#include "net/connect_to.h"
#include "net/url.h"
#include "tests/fuzz/fuzz.h"

enum { ARENA_BYTES_MAX = 4 * 1024 * 1024 };

/* What holds of every address that was accepted. */
static void check_url(const struct url *url, struct arena *arena)
{
    struct url again;
    struct gt_errinfo info = {0};
    FUZZ_CHECK("http or https", gt_str_is(url->scheme, "http") || gt_str_is(url->scheme, "https"));
    FUZZ_CHECK("https is https", url->is_https == gt_str_is(url->scheme, "https"));
    FUZZ_CHECK("a host and a port", url->host.len > 0 && url->port > 0);
    for (size_t i = 0; i < url->host.len; i++) {
        unsigned char c = (unsigned char)url->host.ptr[i];
        FUZZ_CHECK("a host in plain lower case", c > ' ' && c < 0x7F && !(c >= 'A' && c <= 'Z') && strchr("/?#@%\\", c) == NULL);
    }
    for (size_t i = 0; i < url->href.len; i++) {
        unsigned char c = (unsigned char)url->href.ptr[i];
        FUZZ_CHECK("nothing in it ends a request line", c > ' ' && c != 0x7F);
    }
    FUZZ_CHECK("no fragment is sent", memchr(url->href.ptr, '#', url->href.len) == NULL);
    FUZZ_CHECK("a target", url->target.len > 0 && url->target.ptr[0] == '/' && gt_str_ends(url->href, url->target));
    enum gt_err err = url_parse(url->href, arena, &again, &info);
    if (err != GT_OK) fprintf(stderr, "%.*s: %s\n", GT_STR_ARG(url->href), info.text);
    FUZZ_CHECK("what was printed can be read", err == GT_OK);
    if (!gt_str_eq(again.href, url->href)) fprintf(stderr, "%.*s\n%.*s\n", GT_STR_ARG(url->href), GT_STR_ARG(again.href));
    FUZZ_CHECK("and is the same",
               gt_str_eq(again.href, url->href) && gt_str_eq(again.host, url->host) && again.port == url->port);
    FUZZ_CHECK("to its parts",
               gt_str_eq(again.target, url->target) && gt_str_eq(again.origin, url->origin) && url_is_same_origin(&again, url));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gt_str rest = fuzz_input(data, size), first = fuzz_line(&rest);
    struct arena *arena = arena_new(ARENA_BYTES_MAX);
    struct url base, to;
    struct connect_rule rule;
    struct gt_errinfo info = {0};
    if (arena == NULL) return 0;
    if (url_parse(first, arena, &base, &info) == GT_OK) {
        check_url(&base, arena);
        if (url_resolve(&base, rest, arena, &to, &info) == GT_OK) check_url(&to, arena);
        else FUZZ_CHECK("a failure has a sentence", info.text[0] != '\0');
    } else {
        FUZZ_CHECK("a failure has a sentence", info.text[0] != '\0');
    }
    if (connect_rule_parse(rest, &rule, &info) == GT_OK)
        FUZZ_CHECK("a rule's parts are pieces of it", fuzz_lies_in(rule.host, rest) && fuzz_lies_in(rule.port, rest) &&
                                                          fuzz_lies_in(rule.to_host, rest) && fuzz_lies_in(rule.to_port, rest));
    arena_free(arena);
    return 0;
}
