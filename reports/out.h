/* A FILE with a sticky error: after the first failed write nothing more is tried, and out_done says what it was. */
#ifndef GT_REPORTS_OUT_H
#define GT_REPORTS_OUT_H

#include <stdio.h>

#include "common/err.h"
#include "common/str.h"

struct out {
    FILE *file;      /* borrowed */
    int first_errno; /* of the first failed write; 0 while all is well */
};

/* Writes bytes; a NUL-closed text; `count` times one byte. Nothing happens once an error stands. */
void out_str(struct out *out, struct gt_str text);
void out_text(struct out *out, const char *text);
void out_fill(struct out *out, size_t count, char byte);

/* Writes by printf's rules. */
void out_printf(struct out *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Notes a failure that a sink met on its own, as errno has it. */
void out_break(struct out *out, int errno_code);

/* Flushes and reports the first failure: GT_OK, GT_ENOSPC, GT_EIO and what else the system names. The FILE stays open. */
enum gt_err out_done(struct out *out, struct gt_errinfo *info);

#endif
