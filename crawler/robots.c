/* The behaviour, line by line, follows RFC 9309 and, where that is silent, the published reader of Google (google/robotstxt). */
#include "crawler/robots.h"

#include <stdio.h>

enum { DELAY_MAX_S = INT32_MAX };

/* The best match so far: the pattern's length, -1 for none, and the line. */
struct best {
    int64_t priority;
    struct gt_str line;
};

/* Which groups a rule belongs to. */
struct scope {
    struct best allow, disallow;
    int64_t crawl_delay_ms;
};

struct matcher {
    struct gt_str agent;
    struct gt_str path;
    struct scope specific, global;
    bool is_specific, is_global; /* the present group's agents */
    bool is_specific_ever;
    bool is_rule_seen; /* a user-agent line after a rule begins a new group */
    char path_buffer[ROBOTS_PATH_BYTES_MAX];
    char pattern_buffer[ROBOTS_LINE_BYTES_MAX * 3];
};

/* White space of the C locale, whatever the locale. */
static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* A hexadecimal digit. */
static bool is_hex(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* True when the text begins with the word, in any case of letters. */
static bool starts_nocase(struct gt_str text, const char *word)
{
    struct gt_str wanted = gt_str_from(word);
    return gt_str_eq_nocase(gt_str_slice(text, 0, wanted.len), wanted);
}

/* Literal pieces between stars, each found as far to the left as possible: linear in path and pattern together. */
static bool pattern_matches(struct gt_str path, struct gt_str pattern)
{
    bool is_anchored = pattern.len > 0 && pattern.ptr[pattern.len - 1] == '$';
    if (is_anchored) pattern.len--;
    size_t at = 0;
    bool is_first = true;
    for (;;) {
        const char *star = pattern.len > 0 ? memchr(pattern.ptr, '*', pattern.len) : NULL;
        struct gt_str piece = star != NULL ? (struct gt_str){pattern.ptr, (size_t)(star - pattern.ptr)} : pattern;
        /* the last piece of an anchored pattern is held against the end; it must not reach back over what is used up */
        if (star == NULL && is_anchored) {
            if (piece.len > path.len - at) return false;
            size_t begin = path.len - piece.len;
            return (!is_first || begin == 0) && gt_str_eq(gt_str_slice(path, begin, SIZE_MAX), piece);
        }
        size_t found = is_first ? (gt_str_starts(path, piece) ? 0 : SIZE_MAX) : gt_str_find(path, piece, at);
        if (found == SIZE_MAX) return false;
        if (star == NULL) return true;
        at = found + piece.len;
        is_first = false;
        pattern = gt_str_slice(pattern, piece.len + 1, SIZE_MAX);
    }
}

/* Bytes outside ASCII are percent-encoded and hexadecimal digits put in upper case, so that "/ツ" and "/%e3%83%84" are one
 * pattern. */
static struct gt_str pattern_escape(struct matcher *matcher, struct gt_str value)
{
    static const char digits[] = "0123456789ABCDEF";
    char *out = matcher->pattern_buffer;
    size_t len = 0;
    for (size_t i = 0; i < value.len && len + 3 <= sizeof matcher->pattern_buffer; i++) {
        unsigned char c = (unsigned char)value.ptr[i];
        if (c == '%' && i + 2 < value.len && is_hex(value.ptr[i + 1]) && is_hex(value.ptr[i + 2])) {
            out[len++] = '%';
            for (int n = 1; n <= 2; n++) {
                char h = value.ptr[i + (size_t)n];
                out[len++] = h >= 'a' ? (char)(h - 'a' + 'A') : h;
            }
            i += 2;
        } else if (c >= 0x80) {
            out[len++] = '%';
            out[len++] = digits[c >> 4];
            out[len++] = digits[c & 15];
        } else {
            out[len++] = (char)c;
        }
    }
    return (struct gt_str){out, len};
}

/* Keeps the longer pattern; the first of equals. */
static void note(struct best *best, int64_t priority, struct gt_str line)
{
    if (priority > best->priority) *best = (struct best){priority, line};
}

/* Holds one pattern against the path, in the group's own account: rules for the agent by name are never mixed with those for
 * all. */
static void take_rule(struct matcher *matcher, bool is_allow, struct gt_str pattern, struct gt_str line)
{
    if (!pattern_matches(matcher->path, pattern)) return;
    struct scope *scope = matcher->is_specific ? &matcher->specific : &matcher->global;
    note(is_allow ? &scope->allow : &scope->disallow, (int64_t)pattern.len, line);
}

/* An Allow or Disallow line. */
static void on_rule(struct matcher *matcher, bool is_allow, struct gt_str value, struct gt_str line)
{
    if (!matcher->is_specific && !matcher->is_global) return;
    matcher->is_rule_seen = true;
    struct gt_str pattern = pattern_escape(matcher, value);
    take_rule(matcher, is_allow, pattern, line);
    if (!is_allow || pattern_matches(matcher->path, pattern)) return;
    /* an allowed index page allows its folder too */
    size_t slash = pattern.len; /* behind the last one */
    while (slash > 0 && pattern.ptr[slash - 1] != '/') slash--;
    if (slash == 0 || !gt_str_starts(gt_str_slice(pattern, slash, SIZE_MAX), GT_STR("index.htm"))) return;
    matcher->pattern_buffer[slash] = '$';
    take_rule(matcher, true, (struct gt_str){pattern.ptr, slash + 1}, line);
}

/* A user-agent line. It begins a new group only when a rule stood before it: several agents may share one. */
static void on_agent(struct matcher *matcher, struct gt_str value)
{
    if (matcher->is_rule_seen) matcher->is_specific = matcher->is_global = matcher->is_rule_seen = false;
    if (value.len > 0 && value.ptr[0] == '*' && (value.len == 1 || is_space(value.ptr[1]))) {
        matcher->is_global = true;
        return;
    }
    size_t len = 0;
    while (len < value.len) {
        char c = value.ptr[len];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-')) break;
        len++;
    }
    if (gt_str_eq_nocase(gt_str_slice(value, 0, len), matcher->agent) && len > 0)
        matcher->is_specific = matcher->is_specific_ever = true;
}

/* "0.5", "10", "1e9": seconds. What does not begin with a digit is no delay; what overflows is the longest. */
static bool delay_read(struct gt_str value, int64_t *ret_ms)
{
    size_t i = 0;
    const int64_t max_ms = (int64_t)DELAY_MAX_S * 1000;
    int64_t ms = 0, step = 100; /* step: milliseconds of the next decimal; the fourth counts nothing */
    if (value.len == 0 || value.ptr[0] < '0' || value.ptr[0] > '9') return false;
    for (; i < value.len && value.ptr[i] >= '0' && value.ptr[i] <= '9'; i++) {
        ms = ms * 10 + (value.ptr[i] - '0') * 1000;
        if (ms > max_ms) ms = max_ms;
    }
    if (i < value.len && value.ptr[i] == '.')
        for (i++; i < value.len && value.ptr[i] >= '0' && value.ptr[i] <= '9'; i++, step /= 10) ms += (value.ptr[i] - '0') * step;
    if (i < value.len && (value.ptr[i] == 'e' || value.ptr[i] == 'E')) ms = max_ms;
    *ret_ms = ms < max_ms ? ms : max_ms;
    return true;
}

/* The longest of a group's delays: never faster than asked. */
static void on_delay(struct matcher *matcher, struct gt_str value)
{
    int64_t ms;
    if ((!matcher->is_specific && !matcher->is_global) || !delay_read(value, &ms)) return;
    if (matcher->is_specific && ms > matcher->specific.crawl_delay_ms) matcher->specific.crawl_delay_ms = ms;
    if (matcher->is_global && ms > matcher->global.crawl_delay_ms) matcher->global.crawl_delay_ms = ms;
}

enum directive { DIRECTIVE_NONE, DIRECTIVE_AGENT, DIRECTIVE_ALLOW, DIRECTIVE_DISALLOW, DIRECTIVE_DELAY };

/* By beginning, as sites expect; with the misspellings that are common in the wild. */
static enum directive directive_of(struct gt_str key)
{
    static const struct {
        const char *word;
        enum directive directive;
    } words[] = {
        {"user-agent", DIRECTIVE_AGENT},  {"useragent", DIRECTIVE_AGENT},   {"user agent", DIRECTIVE_AGENT},
        {"allow", DIRECTIVE_ALLOW},       {"disallow", DIRECTIVE_DISALLOW}, {"dissallow", DIRECTIVE_DISALLOW},
        {"dissalow", DIRECTIVE_DISALLOW}, {"disalow", DIRECTIVE_DISALLOW},  {"diasllow", DIRECTIVE_DISALLOW},
        {"disallaw", DIRECTIVE_DISALLOW}, {"crawl-delay", DIRECTIVE_DELAY}, {"crawldelay", DIRECTIVE_DELAY},
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (starts_nocase(key, words[i].word)) return words[i].directive;
    return DIRECTIVE_NONE;
}

/* "key: value", or exactly two words where the colon was forgotten. */
static bool line_split(struct gt_str line, struct gt_str *ret_key, struct gt_str *ret_value)
{
    const char *colon = line.len > 0 ? memchr(line.ptr, ':', line.len) : NULL;
    size_t at = colon != NULL ? (size_t)(colon - line.ptr) : 0;
    if (colon == NULL) {
        while (at < line.len && line.ptr[at] != ' ' && line.ptr[at] != '\t') at++;
        if (at == line.len) return false;
        struct gt_str rest = gt_str_trim(gt_str_slice(line, at, SIZE_MAX));
        for (size_t i = 0; i < rest.len; i++)
            if (rest.ptr[i] == ' ' || rest.ptr[i] == '\t') return false;
    }
    *ret_key = gt_str_trim(gt_str_slice(line, 0, at));
    *ret_value = gt_str_trim(gt_str_slice(line, at + 1, SIZE_MAX));
    return ret_key->len > 0;
}

/* One line: cut to its limit and at a NUL, comment and blanks taken off. */
static void on_line(struct matcher *matcher, struct gt_str line)
{
    struct gt_str key, value;
    line = gt_str_slice(line, 0, ROBOTS_LINE_BYTES_MAX);
    const char *end = line.len > 0 ? memchr(line.ptr, '\0', line.len) : NULL;
    if (end != NULL) line.len = (size_t)(end - line.ptr);
    end = line.len > 0 ? memchr(line.ptr, '#', line.len) : NULL;
    if (end != NULL) line.len = (size_t)(end - line.ptr);
    line = gt_str_trim(line);
    if (!line_split(line, &key, &value)) return;
    switch (directive_of(key)) {
    case DIRECTIVE_AGENT: on_agent(matcher, value); break;
    case DIRECTIVE_ALLOW: on_rule(matcher, true, value, line); break;
    case DIRECTIVE_DISALLOW: on_rule(matcher, false, value, line); break;
    case DIRECTIVE_DELAY: on_delay(matcher, value); break;
    case DIRECTIVE_NONE: break;
    }
}

/* Path and query of the address, without the fragment; "/" when it has none. */
static struct gt_str path_of(struct matcher *matcher, struct gt_str url)
{
    size_t at = gt_str_starts(url, GT_STR("//")) ? 2 : 0, begin = at;
    size_t scheme = gt_str_find(url, GT_STR("://"), at);
    while (begin < url.len && !gt_char_is_in(url.ptr[begin], "/?;")) begin++;
    if (scheme != SIZE_MAX && begin >= scheme) {
        begin = scheme + 3;
        while (begin < url.len && !gt_char_is_in(url.ptr[begin], "/?;")) begin++;
    }
    size_t hash = gt_str_find(url, GT_STR("#"), at);
    struct gt_str path = gt_str_slice(url, begin, hash == SIZE_MAX ? SIZE_MAX : hash - (hash < begin ? hash : begin));
    if (path.len == 0) return GT_STR("/");
    if (path.ptr[0] == '/') return path;
    int len = snprintf(matcher->path_buffer, sizeof matcher->path_buffer, "/%.*s", GT_STR_ARG(path));
    return (struct gt_str){matcher->path_buffer, (size_t)len < sizeof matcher->path_buffer ? (size_t)len : 0};
}

/* All lines, by LF, CR or both. */
static void read_lines(struct matcher *matcher, struct gt_str text)
{
    static const char bom[] = "\xEF\xBB\xBF";
    text = gt_str_slice(text, 0, ROBOTS_BYTES_MAX);
    /* a byte order mark, or the part of one that a proxy left */
    for (size_t i = 0; i < sizeof bom - 1 && text.len > 0 && text.ptr[0] == bom[i]; i++) text = gt_str_slice(text, 1, SIZE_MAX);
    while (text.len > 0) {
        size_t len = 0;
        while (len < text.len && text.ptr[len] != '\n' && text.ptr[len] != '\r') len++;
        on_line(matcher, gt_str_slice(text, 0, len));
        text = gt_str_slice(text, len + 1, SIZE_MAX);
    }
}

struct robots_verdict robots_match(struct gt_str robots_txt, struct gt_str agent, struct gt_str url)
{
    struct matcher matcher;
    static const struct scope none = {{-1, {NULL, 0}}, {-1, {NULL, 0}}, -1};
    matcher.specific = matcher.global = none;
    matcher.is_specific = matcher.is_global = matcher.is_specific_ever = matcher.is_rule_seen = false;
    size_t slash = gt_str_find(agent, GT_STR("/"), 0);
    matcher.agent = gt_str_slice(agent, 0, slash);
    matcher.path = path_of(&matcher, url);
    if (matcher.path.len > ROBOTS_PATH_BYTES_MAX) matcher.path = gt_str_slice(matcher.path, 0, ROBOTS_PATH_BYTES_MAX);
    read_lines(&matcher, robots_txt);
    const struct scope *scope = matcher.is_specific_ever ? &matcher.specific : &matcher.global;
    struct robots_verdict verdict = {.is_allowed = true, .crawl_delay_ms = scope->crawl_delay_ms};
    /* an empty pattern, length 0, says nothing */
    if (scope->allow.priority <= 0 && scope->disallow.priority <= 0) return verdict;
    verdict.is_allowed = scope->disallow.priority <= scope->allow.priority;
    verdict.rule = verdict.is_allowed ? scope->allow.line : scope->disallow.line;
    return verdict;
}

struct gt_str robots_agent_token(struct gt_str user_agent)
{
    size_t len = 0;
    while (len < user_agent.len && !gt_char_is_in(user_agent.ptr[len], "/ (")) len++;
    return gt_str_slice(user_agent, 0, len);
}
