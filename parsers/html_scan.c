/* A look at the raw tags before libxml2 gets them. */
#include "parsers/html_raw.h"
#include "parsers/html_tree.h"

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Bytes that mean something within a tag: blanks, quotes, '=', '/' and '>'. */
static const unsigned char CLASSES[256] = {
    [' '] = 1, ['\t'] = 1, ['\n'] = 1, ['\f'] = 1, ['\r'] = 1, ['"'] = 1, ['\''] = 1, ['='] = 1, ['/'] = 1, ['>'] = 1,
};

/* The offset behind the tag that begins at `at`, and how many attributes it has, about: words outside quotes. */
static size_t tag_end(struct gt_str text, size_t at, size_t *ret_attributes)
{
    size_t words = 0;
    bool in_word = false, is_value = false; /* what follows '=' is no attribute of its own */
    for (; at < text.len && text.ptr[at] != '>'; at++) {
        char c = text.ptr[at];
        /* Most bytes are the inside of a word or value. */
        if (in_word && CLASSES[(unsigned char)c] == 0) continue;
        if ((c == '"' || c == '\'') && at > 0 && (text.ptr[at - 1] == '=' || is_space(text.ptr[at - 1]))) {
            const char *close = memchr(text.ptr + at + 1, c, text.len - at - 1);
            at = close != NULL ? (size_t)(close - text.ptr) : text.len - 1;
            in_word = is_value = false; /* a quote ends an attribute even when the next one touches it */
            continue;
        }
        bool is_word = !is_space(c) && c != '=' && c != '/';
        if (is_word && !in_word && !is_value) words++;
        if (c == '=') is_value = true;
        else if (is_word) is_value = false;
        in_word = is_word;
    }
    *ret_attributes = words > 0 ? words - 1 : 0;
    return at;
}

/* Where the content of a raw-text element ends: at "</name". */
static size_t raw_end(struct gt_str text, size_t at, struct gt_str name)
{
    while (at < text.len) {
        size_t close = gt_str_find(text, GT_STR("</"), at);
        if (close == SIZE_MAX) return text.len;
        if (gt_str_eq_nocase(gt_str_slice(text, close + 2, name.len), name)) return close;
        at = close + 2;
    }
    return text.len;
}

/* Where the comment that begins at `at` ends, "--!>" being an end as well; SIZE_MAX when it does not. */
static size_t comment_end(struct gt_str text, size_t at)
{
    size_t first = at + 2; /* "<!-->" is a whole comment: its dashes are both */
    for (size_t from = first; from < text.len;) {
        const char *close = memchr(text.ptr + from, '>', text.len - from);
        if (close == NULL) return SIZE_MAX;
        size_t end = (size_t)(close - text.ptr);
        if (end >= first + 2 && memcmp(close - 2, "--", 2) == 0) return end + 1;
        if (end >= first + 3 && memcmp(close - 3, "--!", 3) == 0) return end + 1;
        from = end + 1;
    }
    return SIZE_MAX;
}

/* What was counted on the way through a page. */
struct tally {
    size_t attributes;    /* of the tag stepped over last */
    size_t open_comments; /* that have no end */
    struct gt_str raw;    /* what the tag stepped over last began, when it is a script or style */
};

/* Steps over one piece of markup at `at`; counts. */
static size_t step(struct gt_str text, size_t at, struct tally *tally)
{
    struct gt_str rest = gt_str_slice(text, at, SIZE_MAX);
    tally->attributes = 0;
    tally->raw.len = 0;
    if (rest.len > 1 && rest.ptr[1] == '!' && gt_str_starts(rest, GT_STR("<!--"))) {
        /* behind one that has no end there is no end for another */
        size_t close = tally->open_comments > 0 ? SIZE_MAX : comment_end(text, at);
        if (close != SIZE_MAX) return close;
        tally->open_comments++;
        return at + 4;
    }
    if (rest.len < 2 || !is_letter(rest.ptr[1])) return at + 1;
    size_t end = tag_end(text, at + 1, &tally->attributes);
    if ((rest.ptr[1] | 0x20) != 's') return end;
    static const char *const RAW[] = {"script", "style"};
    for (size_t i = 0; i < sizeof RAW / sizeof RAW[0]; i++) {
        struct gt_str name = gt_str_from(RAW[i]);
        if (gt_str_eq_nocase(gt_str_slice(rest, 1, name.len), name) && rest.len > name.len + 1 &&
            !is_letter(rest.ptr[name.len + 1])) {
            size_t close = raw_end(text, end, name);
            /* one that has no end is not taken out: what there is behind it may be read otherwise */
            if (end < close && close < text.len) tally->raw = gt_str_slice(text, end + 1, close - end - 1);
            return close;
        }
    }
    return end;
}

/* Before the parser: on what is refused here its time grows with the square of the page. */
enum gt_err html_scan(struct gt_str text, struct arena *arena, struct html_raw *raw, struct gt_errinfo *info)
{
    struct tally tally = {0};
    size_t at = 0;
    while (at < text.len) {
        const char *open = memchr(text.ptr + at, '<', text.len - at);
        if (open == NULL) return GT_OK;
        at = step(text, (size_t)(open - text.ptr), &tally);
        if (tally.attributes > HTML_TAG_ATTRIBUTES_MAX)
            return gt_fail(info, GT_ELIMIT, "a tag has more attributes than HTML_TAG_ATTRIBUTES_MAX (%d)", HTML_TAG_ATTRIBUTES_MAX);
        if (tally.open_comments > HTML_OPEN_COMMENTS_MAX)
            return gt_fail(info, GT_ELIMIT, "more comments without an end than HTML_OPEN_COMMENTS_MAX (%d)", HTML_OPEN_COMMENTS_MAX);
        if (raw != NULL && tally.raw.len > 0 && !html_raw_add(raw, arena, tally.raw))
            return gt_fail(info, GT_ELIMIT, "the page has more than EXTRACT_ARENA_MAX bytes of scripts");
    }
    return GT_OK;
}
