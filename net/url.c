/* libcurl's own URL parser, asked for all that we compare: a second parser that sees another host than the one that connects
 * is how address checks are walked around. */
#include "net/url.h"

#include <stdlib.h>

#include "net/http_internal.h"

enum { URL_FLAGS = CURLU_URLENCODE };

/* A CURLU failure in our words. */
static enum gt_err url_fail(CURLUcode code, struct gt_str text, struct gt_errinfo *info)
{
    struct gt_str shown = gt_str_slice(text, 0, 200);
    if (code == CURLUE_OUT_OF_MEMORY) return gt_fail(info, GT_ENOMEM, "out of memory");
    if (code == CURLUE_UNSUPPORTED_SCHEME)
        return gt_fail(info, GT_EREFUSED, "only http and https are fetched: %.*s", GT_STR_ARG(shown));
    if (code == CURLUE_USER_NOT_ALLOWED)
        return gt_fail(info, GT_EREFUSED, "an address with a user name or password in it is refused");
    return gt_fail(info, GT_EFORMAT, "not a web address: %.*s (%s)", GT_STR_ARG(shown), curl_url_strerror(code));
}

/* What no parser should be asked about. */
static enum gt_err check_text(struct gt_str text, struct gt_errinfo *info)
{
    if (text.len == 0) return gt_fail(info, GT_EFORMAT, "an empty address");
    if (text.len > URL_BYTES_MAX)
        return gt_fail(info, GT_ELIMIT, "an address of %zu bytes, more than %d", text.len, URL_BYTES_MAX);
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        if (c < 0x20 || c == 0x7F) return gt_fail(info, GT_EFORMAT, "an address with a control character in it");
    }
    return GT_OK;
}

/* Copies one part into the arena; an absent part is empty. */
static CURLUcode get_part(CURLU *handle, CURLUPart part, unsigned flags, struct arena *arena, struct gt_str *ret_text)
{
    char *text = NULL;
    CURLUcode code = curl_url_get(handle, part, &text, flags);
    if (code == CURLUE_NO_QUERY) {
        *ret_text = GT_STR("");
        return CURLUE_OK;
    }
    if (code != CURLUE_OK) return code;
    *ret_text = arena_dup(arena, gt_str_from(text));
    curl_free(text);
    return ret_text->ptr != NULL ? CURLUE_OK : CURLUE_OUT_OF_MEMORY;
}

/* Host names in other scripts would be converted by the locale of the moment: two machines, two hosts. libcurl decodes "%7f" in a
 * host, so controls are looked for again. */
static bool host_is_usable(struct gt_str host)
{
    for (size_t i = 0; i < host.len; i++)
        if ((unsigned char)host.ptr[i] >= 0x7F || (unsigned char)host.ptr[i] <= ' ' || host.ptr[i] == '%') return false;
    return host.len > 0;
}

/* A copy in lower case: hosts are compared as texts. */
static struct gt_str lower(struct gt_str host, struct arena *arena)
{
    char *copy = arena_alloc(arena, host.len + 1);
    if (copy == NULL) return (struct gt_str){NULL, 0};
    for (size_t i = 0; i < host.len; i++) {
        char c = host.ptr[i];
        copy[i] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
    }
    return (struct gt_str){copy, host.len};
}

/* The pieces one after the other, closed by a NUL. */
static struct gt_str join(const struct gt_str *pieces, size_t count, struct arena *arena)
{
    size_t len = 0;
    for (size_t i = 0; i < count; i++) len += pieces[i].len;
    char *text = arena_alloc(arena, len + 1);
    if (text == NULL) return (struct gt_str){NULL, 0};
    struct gt_str joined = {text, len};
    for (size_t i = 0; i < count; text += pieces[i++].len)
        if (pieces[i].len > 0) memcpy(text, pieces[i].ptr, pieces[i].len);
    return joined;
}

/* Reads scheme, host and port off the handle into `url`, the host in lower case, there too. */
static CURLUcode take_authority(CURLU *handle, struct arena *arena, struct url *url, struct gt_str *ret_port)
{
    struct gt_str scheme, host;
    CURLUcode code = get_part(handle, CURLUPART_SCHEME, 0, arena, &scheme);
    if (code != CURLUE_OK) return code;
    url->is_https = gt_str_is(scheme, "https");
    if (!url->is_https && !gt_str_is(scheme, "http")) return CURLUE_UNSUPPORTED_SCHEME;
    url->scheme = url->is_https ? GT_STR("https") : GT_STR("http");
    code = get_part(handle, CURLUPART_HOST, 0, arena, &host);
    if (code == CURLUE_OK) code = get_part(handle, CURLUPART_PORT, CURLU_DEFAULT_PORT, arena, ret_port);
    if (code != CURLUE_OK) return code;
    url->host = lower(host, arena);
    if (url->host.ptr == NULL) return CURLUE_OUT_OF_MEMORY;
    if (!host_is_usable(url->host)) return CURLUE_BAD_HOSTNAME;
    if (!gt_str_eq(url->host, host)) code = curl_url_set(handle, CURLUPART_HOST, url->host.ptr, 0);
    url->port = (uint16_t)strtoul(ret_port->ptr, NULL, 10);
    return url->port != 0 ? code : CURLUE_BAD_PORT_NUMBER;
}

/* Reads a handle out into `url`. The address is put together here, out of the parts as libcurl normalised them: its own printing
 * of the whole takes as long as a quarter of a small request, and would spell the host as it came. */
static CURLUcode take_apart(CURLU *handle, struct arena *arena, struct url *url)
{
    struct gt_str port, path, query = GT_STR("");
    CURLUcode code = take_authority(handle, arena, url, &port);
    if (code == CURLUE_OK) code = get_part(handle, CURLUPART_PATH, 0, arena, &path);
    if (code == CURLUE_OK) code = get_part(handle, CURLUPART_QUERY, 0, arena, &query);
    /* a question mark alone is not sent */
    if (code == CURLUE_OK && query.len == 0) code = curl_url_set(handle, CURLUPART_QUERY, NULL, 0);
    if (code != CURLUE_OK) return code;
    struct gt_str colon = GT_STR(":"), mark = query.len > 0 ? GT_STR("?") : GT_STR("");
    bool is_usual = url->port == (url->is_https ? 443 : 80);
    const struct gt_str href[] = {url->scheme, GT_STR("://"), url->host, is_usual ? GT_STR("") : colon, is_usual ? GT_STR("") : port,
                                  path,        mark,          query};
    const struct gt_str origin[] = {url->scheme, GT_STR("://"), url->host, colon, port};
    url->href = join(href, sizeof href / sizeof href[0], arena);
    url->target = gt_str_slice(url->href, url->href.len - path.len - mark.len - query.len, SIZE_MAX);
    url->origin = join(origin, sizeof origin / sizeof origin[0], arena);
    return url->href.ptr != NULL && url->origin.ptr != NULL ? CURLUE_OK : CURLUE_OUT_OF_MEMORY;
}

/* libcurl decodes "%2e" in a host after it has looked for numbers: "88%2e888" is a name to it, and the address 88.0.3.120 once
 * it was printed. Only a host that stays what it is may be judged and then connected to. */
static bool reads_back(const struct url *url)
{
    CURLU *handle = curl_url();
    char *host = NULL;
    bool is_same = handle != NULL && curl_url_set(handle, CURLUPART_URL, url->href.ptr, 0) == CURLUE_OK &&
                   curl_url_get(handle, CURLUPART_HOST, &host, 0) == CURLUE_OK && gt_str_is(url->host, host);
    curl_free(host);
    curl_url_cleanup(handle);
    return is_same;
}

/* One way for all: with a base, `text` is a reference; ret_address may be NULL. */
static enum gt_err parse(const char *base, struct gt_str text, struct arena *arena, struct url *ret_url, CURLU **ret_address,
                         struct gt_errinfo *info)
{
    text = gt_str_trim(text);
    struct url url = {0};
    enum gt_err err = check_text(text, info);
    if (err != GT_OK) return err;
    struct gt_str copy = arena_dup(arena, text);
    CURLU *handle = curl_url();
    CURLUcode code = handle != NULL && copy.ptr != NULL ? CURLUE_OK : CURLUE_OUT_OF_MEMORY;
    if (code == CURLUE_OK && base != NULL) code = curl_url_set(handle, CURLUPART_URL, base, 0);
    if (code == CURLUE_OK) code = curl_url_set(handle, CURLUPART_URL, copy.ptr, URL_FLAGS | CURLU_DISALLOW_USER);
    if (code == CURLUE_OK) code = take_apart(handle, arena, &url);
    if (code != CURLUE_OK) err = url_fail(code, text, info);
    else if (gt_str_find(text, GT_STR("%"), 0) != SIZE_MAX && !reads_back(&url))
        err = gt_fail(info, GT_EFORMAT, "a host that can be read two ways: %.*s", GT_STR_ARG(url.host));
    else if (url.href.len > URL_BYTES_MAX) err = gt_fail(info, GT_ELIMIT, "an address of more than %d bytes", URL_BYTES_MAX);
    if (err == GT_OK) *ret_url = url;
    if (err == GT_OK && ret_address != NULL) *ret_address = handle;
    else curl_url_cleanup(handle);
    return err;
}

enum gt_err url_parse(struct gt_str text, struct arena *arena, struct url *ret_url, struct gt_errinfo *info)
{
    return parse(NULL, text, arena, ret_url, NULL, info);
}

enum gt_err url_parse_address(struct gt_str text, struct arena *arena, struct url *ret_url, CURLU **ret_address, struct gt_errinfo *info)
{
    return parse(NULL, text, arena, ret_url, ret_address, info);
}

enum gt_err url_resolve(const struct url *base, struct gt_str reference, struct arena *arena, struct url *ret_url,
                        struct gt_errinfo *info)
{
    return parse(base->href.ptr, reference, arena, ret_url, NULL, info);
}

bool url_is_same_origin(const struct url *a, const struct url *b)
{
    return gt_str_eq(a->origin, b->origin);
}
