#include "web/request.h"

#include "common/utf8.h"
#include "web/limits.h"

enum { STATUS_BAD = 400, STATUS_TOO_LONG = 414, STATUS_FAILED = 500 };

_Static_assert(WEB_PARAMS <= 32, "a set of parameters is 32 bits");

static const char *const names[WEB_PARAMS] = {
#define PARAM(id, name, field, zh, en) [WEB_##id] = (name),
#include "web/params.def"
#undef PARAM
};

const char *web_param_name(enum web_param param)
{
    return names[param];
}

static int hex_value(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/* One byte of the address: itself, a blank for '+' in a value, or what an escape says. -1 for an escape that is none. */
static int byte_take(struct gt_str text, size_t *at, bool is_value)
{
    char c = text.ptr[(*at)++];
    if (c == '+' && is_value) return ' ';
    if (c != '%') return (unsigned char)c;
    if (text.len - *at < 2) return -1;
    int high = hex_value(text.ptr[*at]), low = hex_value(text.ptr[*at + 1]);
    *at += 2;
    return high < 0 || low < 0 ? -1 : high * 16 + low;
}

/* Control characters have no business in a name or a query, and NUL would cut it for half of the code. */
static int decode(struct gt_str text, bool is_value, struct arena *arena, struct gt_str *ret_text, const char **ret_why)
{
    char *bytes = arena_alloc(arena, text.len + 1);
    size_t len = 0;
    if (bytes == NULL) return STATUS_FAILED;
    for (size_t at = 0; at < text.len;) {
        int byte = byte_take(text, &at, is_value);
        *ret_why = "an escape in the address is none";
        if (byte < 0) return STATUS_BAD;
        *ret_why = "a control character in the address";
        if (byte < 0x20 || byte == 0x7F) return STATUS_BAD;
        bytes[len++] = (char)byte;
    }
    *ret_text = (struct gt_str){bytes, len};
    *ret_why = "the address is not UTF-8";
    if (!utf8_is_valid(*ret_text)) return STATUS_BAD;
    *ret_why = "a value in the address is too long";
    return len > WEB_VALUE_BYTES_MAX ? STATUS_TOO_LONG : 0;
}

/* One "name=value". An empty value is as good as none: forms send those of fields left open. */
static int param_read(struct gt_str pair, struct arena *arena, struct web_request *request, uint32_t *seen, const char **ret_why)
{
    size_t equals = gt_str_find(pair, GT_STR("="), 0);
    struct gt_str name = gt_str_slice(pair, 0, equals), value = {NULL, 0};
    if (equals != SIZE_MAX) value = gt_str_slice(pair, equals + 1, SIZE_MAX);
    for (unsigned i = 0; i < WEB_PARAMS; i++) {
        if (!gt_str_is(name, names[i])) continue;
        *ret_why = "a parameter comes twice";
        if ((*seen & 1U << i) != 0) return STATUS_BAD;
        *seen |= 1U << i;
        return decode(value, true, arena, &request->params[i], ret_why);
    }
    *ret_why = "no such parameter: see /openapi.json";
    return STATUS_BAD;
}

/* A proxy's absolute form (RFC 9112, 3.2.2) as the origin form. */
static struct gt_str origin_form(struct gt_str target)
{
    struct gt_str scheme = GT_STR("http://");
    if (!gt_str_eq_nocase(gt_str_slice(target, 0, scheme.len), scheme)) return target;
    size_t slash = gt_str_find(target, GT_STR("/"), scheme.len);
    return slash == SIZE_MAX ? GT_STR("/") : gt_str_slice(target, slash, SIZE_MAX);
}

/* Decoded once and here alone; what is not clear is refused. Reading leniently is how two programs come to see two addresses. */
int web_request_read(struct gt_str target, struct arena *arena, struct web_request *ret_request, const char **ret_why)
{
    struct web_request request = {0};
    uint32_t seen = 0;
    *ret_why = "the address is too long";
    if (target.len > WEB_TARGET_BYTES_MAX) return STATUS_TOO_LONG;
    struct gt_str rest = origin_form(target), pair;
    *ret_why = "the address does not begin with a slash";
    if (!gt_str_starts(rest, GT_STR("/"))) return STATUS_BAD;
    *ret_why = "a fragment in the address";
    if (gt_str_find(rest, GT_STR("#"), 0) != SIZE_MAX) return STATUS_BAD;
    size_t mark = gt_str_find(rest, GT_STR("?"), 0);
    int status = decode(gt_str_slice(rest, 0, mark), false, arena, &request.path, ret_why);
    rest = mark == SIZE_MAX ? (struct gt_str){NULL, 0} : gt_str_slice(rest, mark + 1, SIZE_MAX);
    while (status == 0 && gt_str_split(&rest, '&', &pair))
        if (pair.len > 0) status = param_read(pair, arena, &request, &seen, ret_why);
    if (status == 0) *ret_request = request;
    return status;
}

/* RFC 3986's unreserved characters stay, everything else is encoded: the result stands in HTML, headers and keys without further thought. */
struct gt_str web_encode(struct gt_str text, struct arena *arena)
{
    static const char digits[] = "0123456789ABCDEF";
    char *bytes = arena_array(arena, text.len + 1, 3);
    size_t len = 0;
    if (bytes == NULL) return (struct gt_str){NULL, 0};
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        bool is_plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || gt_char_is_in((char)c, "-._~");
        if (is_plain) {
            bytes[len++] = (char)c;
            continue;
        }
        bytes[len++] = '%';
        bytes[len++] = digits[c >> 4];
        bytes[len++] = digits[c & 15];
    }
    return (struct gt_str){bytes, len};
}

/* Parameters in their own order, not the visitor's: one question has one key and one place in the cache. */
struct gt_str web_request_key(const struct web_request *request, uint32_t skip, struct arena *arena)
{
    struct gt_str key = arena_dup(arena, request->path);
    char sign = '?';
    for (unsigned i = 0; i < WEB_PARAMS && key.ptr != NULL; i++) {
        if (request->params[i].len == 0 || (skip & 1U << i) != 0) continue;
        struct gt_str value = web_encode(request->params[i], arena);
        if (value.ptr == NULL) return value;
        key = arena_printf(arena, "%.*s%c%s=%.*s", GT_STR_ARG(key), sign, names[i], GT_STR_ARG(value));
        sign = '&';
    }
    return key;
}
