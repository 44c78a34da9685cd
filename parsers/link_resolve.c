#include "parsers/link_resolve.h"

#include "common/strbuf.h"

/* The five parts of a reference (RFC 3986, appendix B). An absent part has a NULL pointer; an empty one has not. */
struct url_parts {
    struct gt_str scheme, authority, path, query;
};

static const struct gt_str ABSENT = {NULL, 0};

static bool is_scheme(struct gt_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = (char)(text.ptr[i] | 0x20);
        bool is_letter = c >= 'a' && c <= 'z';
        if (!is_letter && (i == 0 || !gt_char_is_in(text.ptr[i], "0123456789+-."))) return false;
    }
    return text.len > 0;
}

/* The part of *rest before any of `stops`; *rest keeps what begins with the stop. */
static struct gt_str take_until(struct gt_str *rest, const char *stops)
{
    size_t len = 0;
    while (len < rest->len && !gt_char_is_in(rest->ptr[len], stops)) len++;
    struct gt_str part = gt_str_slice(*rest, 0, len);
    *rest = gt_str_slice(*rest, len, SIZE_MAX);
    return part;
}

/* RFC 3986, appendix B. An absent part and an empty one are different things there. */
static struct url_parts split(struct gt_str url)
{
    struct url_parts parts = {ABSENT, ABSENT, ABSENT, ABSENT};
    struct gt_str rest = url;
    struct gt_str first = take_until(&rest, ":/?#");
    if (rest.len > 0 && rest.ptr[0] == ':' && is_scheme(first)) {
        parts.scheme = first;
        rest = gt_str_slice(rest, 1, SIZE_MAX);
    } else {
        rest = url;
    }
    if (gt_str_starts(rest, GT_STR("//"))) {
        rest = gt_str_slice(rest, 2, SIZE_MAX);
        parts.authority = take_until(&rest, "/?#");
    }
    parts.path = take_until(&rest, "?#");
    if (rest.len > 0 && rest.ptr[0] == '?') {
        rest = gt_str_slice(rest, 1, SIZE_MAX);
        parts.query = take_until(&rest, "#");
        if (parts.query.ptr == NULL) parts.query = GT_STR("");
    }
    return parts;
}

/* Cuts the last segment off what stands in `out` since `begin`, with its slash. */
static void drop_segment(struct strbuf *out, size_t begin)
{
    while (out->len > begin && out->ptr[out->len - 1] != '/') out->len--;
    if (out->len > begin) out->len--;
}

/* RFC 3986 section 5.2.4, "remove dot segments", for a path that begins with a slash. */
static void add_path(struct strbuf *out, struct gt_str path)
{
    size_t begin = out->len;
    while (path.len > 0) {
        path = gt_str_slice(path, 1, SIZE_MAX); /* the slash */
        struct gt_str segment = take_until(&path, "/");
        bool is_up = gt_str_is(segment, ".."), is_here = gt_str_is(segment, ".");
        if (is_up) drop_segment(out, begin);
        if (is_up || is_here) {
            if (path.len == 0) strbuf_addc(out, '/');
            continue;
        }
        strbuf_addc(out, '/');
        strbuf_add(out, segment);
    }
    if (out->len == begin) strbuf_addc(out, '/');
}

/* The base's path up to its last slash with the reference's behind it (section 5.2.3). */
static void merge_path(struct gt_str base_path, struct gt_str path, struct strbuf *merged)
{
    size_t len = base_path.len;
    while (len > 0 && base_path.ptr[len - 1] != '/') len--;
    if (len == 0) strbuf_addc(merged, '/');
    strbuf_add(merged, gt_str_slice(base_path, 0, len));
    strbuf_add(merged, path);
}

/* Section 5.2.2: which parts come from where. `merged` holds a merged path. */
static struct url_parts transform(const struct url_parts *base, const struct url_parts *reference, struct strbuf *merged)
{
    struct url_parts target = *reference;
    if (reference->scheme.ptr != NULL) return target;
    target.scheme = base->scheme;
    if (reference->authority.ptr != NULL) return target;
    target.authority = base->authority;
    if (reference->path.len == 0) {
        target.path = base->path;
        if (reference->query.ptr == NULL) target.query = base->query;
    } else if (reference->path.ptr[0] != '/') {
        merge_path(base->path, reference->path, merged);
        target.path = strbuf_str(merged);
    }
    return target;
}

/* The reference as it is sent: see link_resolve. */
static void add_encoded(struct strbuf *out, struct gt_str text)
{
    text = gt_str_trim(text);
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        if (c == '\t' || c == '\n' || c == '\r') continue;
        if (c <= ' ' || c >= 0x7F || strchr("\"<>\\^`{|}", c) != NULL) strbuf_addf(out, "%%%02X", c);
        else strbuf_addc(out, (char)c);
    }
}

static bool may_be_followed(const struct url_parts *target)
{
    bool is_web = gt_str_eq_nocase(target->scheme, GT_STR("http")) || gt_str_eq_nocase(target->scheme, GT_STR("https"));
    return is_web && target->authority.len > 0 && memchr(target->authority.ptr, '@', target->authority.len) == NULL;
}

/* Without its fragment: two names of one page would be fetched twice. */
bool link_resolve(struct gt_str base, struct gt_str reference, struct arena *arena, struct gt_str *ret_url)
{
    struct strbuf encoded, merged, out;
    strbuf_init(&encoded, LINK_BYTES_MAX);
    strbuf_init(&merged, (size_t)LINK_BYTES_MAX * 2);
    strbuf_init(&out, LINK_BYTES_MAX);
    add_encoded(&encoded, reference);
    struct url_parts base_parts = split(gt_str_trim(base)), parts = split(strbuf_str(&encoded));
    struct url_parts target = transform(&base_parts, &parts, &merged);
    bool is_good = encoded.err == GT_OK && may_be_followed(&target);
    if (is_good) {
        strbuf_addf(&out, "%.*s://%.*s", GT_STR_ARG(target.scheme), GT_STR_ARG(target.authority));
        add_path(&out, target.path);
        if (target.query.ptr != NULL) strbuf_addf(&out, "?%.*s", GT_STR_ARG(target.query));
        struct gt_str url = arena_dup(arena, strbuf_str(&out));
        is_good = out.err == GT_OK && merged.err == GT_OK && url.ptr != NULL;
        if (is_good) *ret_url = url;
    }
    strbuf_done(&encoded);
    strbuf_done(&merged);
    strbuf_done(&out);
    return is_good;
}
