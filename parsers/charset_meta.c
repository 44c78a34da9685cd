/* "Prescan a byte stream to determine its encoding", HTML Standard: what <meta> says, read before anything is decoded. */
#include "parsers/charset.h"
#include "parsers/charset_codec.h"

/* Where the search stands. Past `end` every reader says "nothing more", as the standard aborts there. */
struct prescan {
    const char *at;
    const char *end;
};

/* One attribute; both parts borrowed. */
struct attribute {
    struct gt_str name;
    struct gt_str value;
};

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool skip_spaces(struct prescan *scan, bool slashes_too)
{
    while (scan->at < scan->end && (is_space(*scan->at) || (slashes_too && *scan->at == '/'))) scan->at++;
    return scan->at < scan->end;
}

/* Takes bytes up to one of those that end a name or a bare value. */
static struct gt_str take_word(struct prescan *scan, const char *stops)
{
    const char *from = scan->at;
    while (scan->at < scan->end && !is_space(*scan->at) && (*scan->at == 0 || strchr(stops, *scan->at) == NULL)) scan->at++;
    return (struct gt_str){from, (size_t)(scan->at - from)};
}

static bool take_value(struct prescan *scan, struct gt_str *ret_value)
{
    if (!skip_spaces(scan, false)) return false;
    char quote = *scan->at;
    if (quote != '"' && quote != '\'') {
        *ret_value = take_word(scan, ">");
        return scan->at < scan->end;
    }
    const char *from = ++scan->at;
    const char *close = memchr(from, quote, (size_t)(scan->end - from));
    if (close == NULL) {
        scan->at = scan->end;
        return false;
    }
    *ret_value = (struct gt_str){from, (size_t)(close - from)};
    scan->at = close + 1;
    return true;
}

/* The standard's "get an attribute". False at the tag's end or the end of the bytes. */
static bool take_attribute(struct prescan *scan, struct attribute *ret_attribute)
{
    if (!skip_spaces(scan, true) || *scan->at == '>') return false;
    const char *from = scan->at;
    if (*scan->at == '=') scan->at++; /* a name may begin with '=' */
    take_word(scan, "/>=");
    ret_attribute->name = (struct gt_str){from, (size_t)(scan->at - from)};
    ret_attribute->value = GT_STR("");
    if (!skip_spaces(scan, false)) return false;
    if (*scan->at != '=') return true;
    scan->at++;
    return take_value(scan, &ret_attribute->value);
}

/* "Extracting a character encoding from a meta element": the charset=… within a content attribute. */
static const struct charset *charset_from_content(struct gt_str content)
{
    struct prescan scan = {content.ptr, content.ptr + content.len};
    for (; scan.at < scan.end; scan.at++) {
        struct gt_str rest = {scan.at, (size_t)(scan.end - scan.at)};
        if (!gt_str_eq_nocase(gt_str_slice(rest, 0, 7), GT_STR("charset"))) continue;
        scan.at += 7;
        if (!skip_spaces(&scan, false)) return NULL;
        if (*scan.at != '=') {
            scan.at--; /* what stands here may itself begin a "charset" */
            continue;
        }
        scan.at++;
        if (!skip_spaces(&scan, false)) return NULL;
        if (*scan.at == '"' || *scan.at == '\'') {
            struct gt_str value;
            return take_value(&scan, &value) ? charset_find(value) : NULL;
        }
        return charset_find(take_word(&scan, ";"));
    }
    return NULL;
}

/* Reads the attributes of a <meta>; the encoding when it names one. */
static const struct charset *read_meta(struct prescan *scan)
{
    bool is_pragma = false, needs_pragma = false, has_charset = false;
    const struct charset *charset = NULL;
    struct attribute attribute;
    bool seen_http_equiv = false, seen_content = false; /* the first of each name counts */
    while (take_attribute(scan, &attribute)) {
        if (gt_str_eq_nocase(attribute.name, GT_STR("http-equiv")) && !seen_http_equiv) {
            seen_http_equiv = true;
            is_pragma = gt_str_eq_nocase(attribute.value, GT_STR("content-type"));
        } else if (gt_str_eq_nocase(attribute.name, GT_STR("content")) && !seen_content) {
            seen_content = true;
            const struct charset *found = has_charset ? NULL : charset_from_content(attribute.value);
            if (found == NULL) continue;
            charset = found;
            needs_pragma = true;
        } else if (gt_str_eq_nocase(attribute.name, GT_STR("charset")) && !has_charset) {
            has_charset = true;
            charset = charset_find(attribute.value);
            needs_pragma = false;
        }
    }
    /* Cut off by the end of the bytes: the standard gives up on the whole search. */
    if (scan->at >= scan->end) return NULL;
    return needs_pragma && !is_pragma ? NULL : charset;
}

/* Moves behind a comment, or to the end when it is not closed. "<!-->" is a whole one. */
static void skip_comment(struct prescan *scan)
{
    struct gt_str rest = {scan->at + 2, (size_t)(scan->end - scan->at) - 2};
    size_t close = gt_str_find(rest, GT_STR("-->"), 0);
    scan->at = close == SIZE_MAX ? scan->end : rest.ptr + close + 3;
}

static void skip_to_close(struct prescan *scan)
{
    const char *close = memchr(scan->at, '>', (size_t)(scan->end - scan->at));
    scan->at = close != NULL ? close : scan->end;
}

static void skip_tag(struct prescan *scan)
{
    struct attribute attribute;
    take_word(scan, ">");
    while (take_attribute(scan, &attribute)) {
    }
}

static bool begins_meta(struct gt_str rest)
{
    return rest.len > 5 && gt_str_eq_nocase(gt_str_slice(rest, 0, 5), GT_STR("<meta")) &&
           (is_space(rest.ptr[5]) || rest.ptr[5] == '/');
}

/* Handles what begins with '<'; the encoding when it was a <meta> that names one. Leaves scan->at on the last byte it used. */
static const struct charset *scan_markup(struct prescan *scan)
{
    struct gt_str rest = {scan->at, (size_t)(scan->end - scan->at)};
    char second = rest.len > 1 ? rest.ptr[1] : 0;
    char third = rest.len > 2 ? rest.ptr[2] : 0;
    if (gt_str_starts(rest, GT_STR("<!--"))) {
        skip_comment(scan);
        scan->at--;
    } else if (begins_meta(rest)) {
        scan->at += 5;
        return read_meta(scan);
    } else if (is_letter(second) || (second == '/' && is_letter(third))) {
        skip_tag(scan);
    } else if (second == '!' || second == '/' || second == '?') {
        skip_to_close(scan);
    }
    return NULL;
}

/* The encoding of an XML declaration, "get an XML encoding" of the same standard. */
static const struct charset *charset_from_xml(struct gt_str bytes)
{
    if (!gt_str_starts(bytes, GT_STR("<?xml"))) return NULL;
    size_t close = gt_str_find(bytes, GT_STR(">"), 0);
    size_t name = gt_str_find(bytes, GT_STR("encoding"), 0);
    if (name == SIZE_MAX || close == SIZE_MAX || name > close) return NULL;
    struct prescan scan = {bytes.ptr + name, bytes.ptr + close};
    struct attribute attribute = {GT_STR(""), GT_STR("")};
    take_attribute(&scan, &attribute);
    return charset_find(attribute.value);
}

/* WHATWG: a page whose bytes could be scanned for this is no UTF-16, whatever it says. */
const struct charset *charset_from_meta(struct gt_str bytes)
{
    const struct charset *charset = NULL;
    if (bytes.len == 0) return NULL;
    struct prescan scan = {bytes.ptr, bytes.ptr + bytes.len};
    for (; charset == NULL && scan.at < scan.end; scan.at++) {
        if (*scan.at == '<') charset = scan_markup(&scan);
    }
    if (charset == NULL) charset = charset_from_xml(bytes);
    if (charset == NULL) return NULL;
    if (charset->decoder == CHARSET_UTF16BE || charset->decoder == CHARSET_UTF16LE) return charset_find(GT_STR("utf-8"));
    return charset->decoder == CHARSET_USER ? charset_find(GT_STR("windows-1252")) : charset;
}

struct gt_str charset_from_header(struct gt_str content_type)
{
    struct gt_str rest = content_type, parameter;
    gt_str_split(&rest, ';', &parameter); /* the type itself */
    while (gt_str_split(&rest, ';', &parameter)) {
        if (!gt_str_eq_nocase(gt_str_slice(parameter, 0, 7), GT_STR("charset"))) continue;
        struct gt_str value = gt_str_trim(gt_str_slice(parameter, 7, SIZE_MAX));
        if (value.len == 0 || value.ptr[0] != '=') continue;
        value = gt_str_trim(gt_str_slice(value, 1, SIZE_MAX));
        if (value.len >= 2 && (value.ptr[0] == '"' || value.ptr[0] == '\'') && value.ptr[value.len - 1] == value.ptr[0])
            value = gt_str_slice(value, 1, value.len - 2);
        return value;
    }
    return GT_STR("");
}
