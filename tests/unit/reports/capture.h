/* Running reports and sinks into memory. */
#ifndef GT_TESTS_CAPTURE_H
#define GT_TESTS_CAPTURE_H

#include "reports/sink.h"
#include "tests/unit/table.h"

/* A FILE in memory. */
struct capture {
    char *bytes;
    size_t len;
    FILE *file;
};

static inline struct capture *capture_new(void)
{
    struct capture *capture = calloc(1, sizeof *capture);
    assert_non_null(capture);
    capture->file = open_memstream(&capture->bytes, &capture->len);
    assert_non_null(capture->file);
    return capture;
}

/* What was written so far, closed by NUL. */
static inline char *capture_text(struct capture *capture)
{
    fflush(capture->file);
    return capture->bytes;
}

static inline void capture_free(struct capture *capture)
{
    fclose(capture->file);
    free(capture->bytes);
    free(capture);
}

static inline size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at += strlen(part)) count++;
    return count;
}

#endif
