/* What every fuzz target shares. A target defines LLVMFuzzerTestOneInput: any bytes go in, and what must hold of the answer is
 * checked; a crash is only the loudest way to be wrong. `make check` replays the seeds, `make fuzz` makes new inputs. */
#ifndef GT_TESTS_FUZZ_FUZZ_H
#define GT_TESTS_FUZZ_FUZZ_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/str.h"

/* One input; returns 0. Ends the process when something does not hold. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the process unless `condition` holds; `what` says what should have been. */
#define FUZZ_CHECK(what, condition)                                                                                              \
    do {                                                                                                                         \
        if (!(condition)) {                                                                                                      \
            fprintf(stderr, "\n%s:%d: does not hold: %s (%s)\n", __FILE__, __LINE__, what, #condition);                          \
            abort();                                                                                                             \
        }                                                                                                                        \
    } while (0)

/* The input as a text. */
static inline struct gt_str fuzz_input(const uint8_t *data, size_t size)
{
    return (struct gt_str){(const char *)data, size};
}

/* Takes the first line off, without its line end: arguments beside the bytes under test stand in lines before them. */
static inline struct gt_str fuzz_line(struct gt_str *rest)
{
    size_t len = 0;
    while (len < rest->len && rest->ptr[len] != '\n') len++;
    struct gt_str line = gt_str_slice(*rest, 0, len);
    *rest = gt_str_slice(*rest, len + 1, SIZE_MAX);
    return line;
}

/* True when `part` is empty or lies within `whole`. */
static inline int fuzz_lies_in(struct gt_str part, struct gt_str whole)
{
    return part.len == 0 || (part.ptr >= whole.ptr && part.ptr + part.len <= whole.ptr + whole.len);
}

/* A copy of its own of exactly that size, so that a read past either end is seen. */
static inline struct gt_str fuzz_copy(struct gt_str text)
{
    char *copy = malloc(text.len > 0 ? text.len : 1);
    if (copy == NULL) exit(1);
    if (text.len > 0) memcpy(copy, text.ptr, text.len);
    return (struct gt_str){copy, text.len};
}

static inline void fuzz_free(struct gt_str copy)
{
    free((char *)(uintptr_t)copy.ptr);
}

#endif
