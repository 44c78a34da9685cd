/* PCRE2 with bounds: what a pattern may be, and how much work a match may cost. Inside parsers/ only. */
#ifndef GT_PARSERS_REGEX_H
#define GT_PARSERS_REGEX_H

#include <stdbool.h>

#include "common/conf.h"

enum {
    REGEX_PATTERN_MAX = 8 * 1024, /* bytes of a pattern: deeper nesting overflows the JIT compiler's stack (pcre2#329) */
    REGEX_SUBJECT_MAX = 32 * 1024 * 1024,
    REGEX_WORK_MAX = 10 * 1000 * 1000, /* characters passed plus steps taken, for all matches on one subject; some 0.05 s */
    REGEX_WORK_PER_BYTE = 10,          /* … or so many for each byte of a long subject, whichever is more */
    REGEX_HEAP_MAX_KIB = 64 * 1024,
    REGEX_BACKTRACKS_MAX = 10 * 1000 * 1000,
    REGEX_DEPTH_MAX = 10 * 1000 * 1000, /* of the interpreter's frames: REGEX_HEAP_MAX_KIB stops them first */
    REGEX_JIT_STACK_MAX = 1024 * 1024,
    REGEX_NAMES_MAX = 64, /* named groups */
};

struct regex;

/* Compiles a pattern (UTF, no \C, duplicate names allowed). The value is where it was written. GT_OK; GT_ECONF with file:line;
 * GT_ENOMEM. Free with regex_free. */
enum gt_err regex_new(const struct conf_value *origin, struct gt_str pattern, struct regex **ret_regex, struct gt_errinfo *info);

/* NULL is accepted. */
void regex_free(struct regex *regex);

/* A named group of the pattern. Several may have one name; at most one of them takes part in a match. */
struct regex_name {
    struct gt_str name; /* borrowed from the regex */
    int group;
};

/* The named groups in name order; NULL and 0 when there are none. */
const struct regex_name *regex_names(const struct regex *regex, size_t *ret_count);

/* One subject being searched. The counters run on over all matches, so that a page as a whole is bounded. */
struct regex_run;

/* Begins on a subject of clean UTF-8, at most REGEX_SUBJECT_MAX bytes, borrowed until regex_run_end. GT_OK; GT_ELIMIT;
 * GT_ENOMEM.
 * */
enum gt_err regex_run_begin(const struct regex *regex, struct gt_str subject, struct regex_run **ret_run,
                            struct gt_errinfo *info);
void regex_run_end(struct regex_run *run);

/* Finds the next match, which begins where the last one ended (one character on after an empty one).
 *
 * GT_OK with *ret_found; GT_ELIMIT when the work, heap or backtracking limit stopped it: that is never "no match". The answer
 * depends on pattern and subject alone: work is counted, no clock is looked at. */
enum gt_err regex_run_next(struct regex_run *run, bool *ret_found, struct gt_errinfo *info);

/* The text of a group (0: the whole match) of the last match; false when it took no part. Borrowed from the subject. */
bool regex_run_group(const struct regex_run *run, int group, struct gt_str *ret_text);

/* True in *ret_found when the pattern matches somewhere. Errors as regex_run_next. */
enum gt_err regex_search(const struct regex *regex, struct gt_str subject, bool *ret_found, struct gt_errinfo *info);

#endif
