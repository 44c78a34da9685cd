/* Answers are joined as bytes and not as values: a number's digits must reach the price reader as the server wrote them. */
#include "crawler/render_capture.h"

#include <jansson.h>
#include <stdlib.h>

#include "common/strbuf.h"

/* The usual walk with one place to go back to: behind a star that was passed, the newest one is the only one worth retrying. */
static bool pattern_matches(struct gt_str pattern, struct gt_str text)
{
    size_t p = 0, t = 0, star = SIZE_MAX, retry = 0;
    while (t < text.len) {
        if (p < pattern.len && pattern.ptr[p] == '*') {
            star = p++;
            retry = t;
        } else if (p < pattern.len && pattern.ptr[p] == text.ptr[t]) {
            p++;
            t++;
        } else if (star != SIZE_MAX) {
            p = star + 1;
            t = ++retry;
        } else {
            return false;
        }
    }
    while (p < pattern.len && pattern.ptr[p] == '*') p++;
    return p == pattern.len;
}

bool capture_matches(struct gt_str patterns, struct gt_str url)
{
    struct gt_str rest = patterns, pattern;
    for (int i = 0; i < CAPTURE_PATTERNS_MAX && gt_str_split(&rest, '\n', &pattern); i++)
        if (pattern.len > 0 && pattern_matches(pattern, url)) return true;
    return false;
}

void capture_add(struct capture *capture, int64_t order, struct gt_str body, size_t bytes_max, struct arena *arena)
{
    struct gt_str text = body;
    /* a byte-order mark is no JSON, but some servers send it */
    if (gt_str_starts(text, GT_STR("\xEF\xBB\xBF"))) text = gt_str_slice(text, 3, SIZE_MAX);
    /* only whether it is JSON: a number too large for an integer is none the less */
    json_t *value = json_loadb(text.ptr != NULL ? text.ptr : "", text.len, JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL, NULL);
    if (value == NULL) return;
    json_decref(value);
    if (capture->count == CAPTURE_ANSWERS_MAX) {
        capture->fault = GT_STR("more answers match capture than one page may have");
    } else if (text.len > bytes_max || capture->bytes > bytes_max - text.len) {
        capture->fault = GT_STR("the captured answers are larger than body_max");
    } else {
        struct gt_str copy = arena_dup(arena, text);
        if (copy.ptr == NULL) capture->fault = GT_STR("out of memory");
        else capture->answers[capture->count++] = (struct capture_answer){order, copy};
        capture->bytes += text.len;
    }
}

/* Orders as asked for: which answer comes first is the network's whim. */
static int answer_cmp(const void *left, const void *right)
{
    const struct capture_answer *a = left, *b = right;
    return a->order < b->order ? -1 : a->order > b->order;
}

/* In the order in which the page asked, not in which answers came: the same page gives the same bytes. */
char *capture_join(struct capture *capture, size_t *ret_len)
{
    struct strbuf all;
    qsort(capture->answers, capture->count, sizeof capture->answers[0], answer_cmp);
    strbuf_init(&all, capture->bytes + 2 * CAPTURE_ANSWERS_MAX + 2);
    strbuf_addc(&all, '[');
    for (size_t i = 0; i < capture->count; i++) {
        if (i > 0) strbuf_adds(&all, ",\n");
        strbuf_add(&all, capture->answers[i].body);
    }
    strbuf_addc(&all, ']');
    *ret_len = all.len;
    char *joined = strbuf_take(&all);
    strbuf_done(&all);
    return joined;
}
