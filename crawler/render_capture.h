/* The JSON answers of a page that `capture` names, in the order in which they were asked for. Pure. */
#ifndef GT_CRAWLER_RENDER_CAPTURE_H
#define GT_CRAWLER_RENDER_CAPTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/arena.h"
#include "common/err.h"
#include "common/str.h"

enum {
    CAPTURE_ANSWERS_MAX = 64,
    CAPTURE_PATTERNS_MAX = 32,
};

struct capture_answer {
    int64_t order;
    struct gt_str body;
};

/* What was captured so far. Zero-initialise. */
struct capture {
    struct capture_answer answers[CAPTURE_ANSWERS_MAX];
    size_t count, bytes;
    struct gt_str fault; /* why the whole cannot be had; "" when it can */
};

/* True when a line of `patterns` matches the whole address; '*' stands for any characters, everything else for itself. No
 * pattern needs more time than its length times the address's. */
bool capture_matches(struct gt_str patterns, struct gt_str url);

/* Keeps an answer (copied into the arena) that matched. What is no JSON array or object is passed over. Past CAPTURE_ANSWERS_MAX or `bytes_max`
 * the fault is set: a part of a listing is not the listing. */
void capture_add(struct capture *capture, int64_t order, struct gt_str body, size_t bytes_max, struct arena *arena);

/* One JSON array of all of them, digit for digit as received; malloc'ed, closed by a NUL. NULL when memory is out. */
char *capture_join(struct capture *capture, size_t *ret_len);

#endif
