/* Addresses: what they come to, and what is refused. */
#include "web/request.h"

#include "tests/unit/table.h"
#include "web/limits.h"

static const struct row {
    const char *name;
    const char *target;
    int status;
    const char *key; /* the one spelling */
} rows[] = {
    {"the board", "/", 0, "/"},
    {"a query with a blank as plus", "/?q=4090+5090", 0, "/?q=4090%205090"},
    {"the same with an escape", "/?q=4090%205090", 0, "/?q=4090%205090"},
    {"small digits in escapes", "/?q=%e6%98%87", 0, "/?q=%E6%98%87"},
    {"raw UTF-8", "/?q=\xE6\x98\x87", 0, "/?q=%E6%98%87"},
    {"parameters in another order", "/?persona=startup&q=4090", 0, "/?q=4090&persona=startup"},
    {"fields left open in a form", "/?q=&persona=&sort=price", 0, "/?sort=price"},
    {"empty pairs", "/?&&q=a&&", 0, "/?q=a"},
    {"a question mark alone", "/?", 0, "/"},
    {"an equals sign in a value", "/?persona=pay=hour", 0, "/?persona=pay%3Dhour"},
    {"a plus in the path stays one", "/a+b", 0, "/a+b"},
    {"a proxy's absolute form", "http://prices.example/health?lang=en", 0, "/health?lang=en"},
    {"an absolute form without a path", "http://prices.example", 0, "/"},
    {"two slashes", "//evil.example/", 0, "//evil.example/"},
    {"no slash", "health", 400, NULL},
    {"an asterisk", "*", 400, NULL},
    {"another scheme", "ftp://a/", 400, NULL},
    {"nothing", "", 400, NULL},
    {"an escape cut short", "/?q=%4", 400, NULL},
    {"an escape that is none", "/?q=%zz", 400, NULL},
    {"a percent sign at the end", "/%", 400, NULL},
    {"NUL", "/?q=%00", 400, NULL},
    {"a line end", "/?q=a%0d%0ab", 400, NULL},
    {"DEL", "/?q=%7f", 400, NULL},
    {"an overlong slash", "/?q=%c0%af", 400, NULL},
    {"half a surrogate pair", "/?q=%ed%a0%80", 400, NULL},
    {"bytes that are no UTF-8", "/\xFF", 400, NULL},
    {"a parameter that nobody knows", "/?quer=4090", 400, NULL},
    {"one in capitals", "/?Q=4090", 400, NULL},
    {"one that comes twice", "/?q=a&q=a", 400, NULL},
    {"one without a name", "/?=a", 400, NULL},
    {"a fragment", "/?q=a#b", 400, NULL},
};

static void check_request(void **state)
{
    const struct row *row = *state;
    struct arena *arena = arena_new(WEB_REQUEST_ARENA_BYTES);
    struct web_request request;
    const char *why = NULL;
    assert_non_null(arena);
    int status = web_request_read(gt_str_from(row->target), arena, &request, &why);
    if (status != row->status) print_error("%s\n", why);
    assert_int_equal(status, row->status);
    if (row->key != NULL) assert_str(web_request_key(&request, 0, arena), row->key);
    arena_free(arena);
}

/* Lengths at their limits: `len` letters in a value. */
static const struct length_row {
    const char *name;
    size_t len;
    int status;
} lengths[] = {
    {"the longest value", WEB_VALUE_BYTES_MAX, 0},
    {"a byte more", WEB_VALUE_BYTES_MAX + 1, 414},
    {"the longest address, with too long a value", WEB_TARGET_BYTES_MAX - 4, 414},
    {"a longer address", WEB_TARGET_BYTES_MAX, 414},
    {"a very long one", 100 * 1000, 414},
};

static void check_length(void **state)
{
    const struct length_row *row = *state;
    struct arena *arena = arena_new(WEB_REQUEST_ARENA_BYTES);
    struct web_request request;
    const char *why = NULL;
    char *target = malloc(row->len + 5);
    assert_non_null(arena);
    assert_non_null(target);
    memcpy(target, "/?q=", 4);
    memset(target + 4, 'a', row->len);
    assert_int_equal(web_request_read((struct gt_str){target, row->len + 4}, arena, &request, &why), row->status);
    free(target);
    arena_free(arena);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(rows, check_request) + TABLE_RUN(lengths, check_length);
}
