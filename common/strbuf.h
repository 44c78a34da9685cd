/* A growing text with a ceiling and a sticky error: a sequence of additions reads as prose, the end checks once. */
#ifndef GT_COMMON_STRBUF_H
#define GT_COMMON_STRBUF_H

#include <stdarg.h>
#include <stdint.h>

#include "common/err.h"
#include "common/str.h"

/* After the first failure `err` stays set and every addition does nothing. `ptr` is NUL-closed once anything was added;
 * use strbuf_str to read. */
struct strbuf {
    char *ptr;
    size_t len;
    size_t cap;
    size_t len_max;
    enum gt_err err;
};

/* Begins an empty buffer of at most `len_max` bytes. Ends with strbuf_done. */
void strbuf_init(struct strbuf *buf, size_t len_max);

/* Frees the memory; the buffer is as after a fresh init with the same ceiling. */
void strbuf_done(struct strbuf *buf);

/* Empties the buffer and forgets its error; the memory stays. */
void strbuf_clear(struct strbuf *buf);

/* Adds bytes, one byte, a NUL-closed string, printf-formatted text. Past the ceiling err becomes GT_ELIMIT. */
void strbuf_add(struct strbuf *buf, struct gt_str text);
void strbuf_addc(struct strbuf *buf, char byte);
void strbuf_adds(struct strbuf *buf, const char *text);
void strbuf_addf(struct strbuf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));
void strbuf_vaddf(struct strbuf *buf, const char *format, va_list args) __attribute__((format(printf, 2, 0)));

/* What the buffer holds, borrowed until the next change. */
struct gt_str strbuf_str(const struct strbuf *buf);

/* Hands the malloc'ed, NUL-closed text over to the caller, who frees it; NULL when an error stands. The buffer is empty
 * after it. */
char *strbuf_take(struct strbuf *buf);

#endif
