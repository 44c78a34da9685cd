/* Running a program to its end: no shell, a clean set of descriptors, a time-out for it and its children. */
#ifndef GT_COMMON_PROGRAM_H
#define GT_COMMON_PROGRAM_H

#include <stdint.h>

#include "common/err.h"
#include "common/str.h"

enum { PROGRAM_NO_OUTPUT = -1 };

/* Runs args[0] (a whole path; the list is closed by NULL) with `input` on its standard input, its output going to the descriptor `output`, or lost.
 * PATH and LANG alone stand in its environment. GT_OK when it ended with 0; GT_EIO for another code or a signal, GT_ETIMEOUT, or what kept it from
 * starting; `why` names the program. */
enum gt_err program_run(char *const *args, struct gt_str input, int output, int64_t timeout_ms, struct gt_errinfo *why);

#endif
