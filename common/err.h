/* The one list of errors, and the message that goes with one. */
#ifndef GT_COMMON_ERR_H
#define GT_COMMON_ERR_H

#include <stdarg.h>

enum gt_err {
#define GT_ERR(name, text) GT_##name,
#include "common/err.def"
#undef GT_ERR
    GT_ERR_COUNT
};

/* Longest message kept, in bytes with the closing NUL; longer ones are cut at a character. */
enum { GT_ERRINFO_MAX = 1024 };

/* What went wrong, ready to be shown to a person: `sites.conf:14: unknown key "prise", did you mean "price"?`.
 * The code is for programs, the text for people. Zero-initialise: `struct gt_errinfo info = {0};`. */
struct gt_errinfo {
    enum gt_err code;
    char text[GT_ERRINFO_MAX];
};

/* Fills `info` (may be NULL) with `code` and the formatted text, and returns `code`, so that a failure is one line:
 * `return gt_fail(info, GT_ECONF, "%s:%d: ...", file, line);`. */
enum gt_err gt_fail(struct gt_errinfo *info, enum gt_err code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* As gt_fail, for callers that have a va_list. */
enum gt_err gt_vfail(struct gt_errinfo *info, enum gt_err code, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));

/* The general text of a code, such as "out of memory". Static storage. */
const char *gt_err_text(enum gt_err code);

/* The name of a code without its prefix, such as "ENOMEM". Static storage. */
const char *gt_err_name(enum gt_err code);

/* Translates an errno value of the system; unknown ones are GT_EIO. */
enum gt_err gt_err_from_errno(int errno_value);

#endif
