/* The program's log: one event name and key=value pairs a line, on stderr. Only cli/ and crawler/ write to it; libraries return. */
#ifndef GT_COMMON_LOG_H
#define GT_COMMON_LOG_H

#include <stdio.h>

enum log_level { LOG_ERROR, LOG_WARN, LOG_INFO, LOG_DEBUG };

struct log {
    FILE *out;            /* borrowed; NULL drops everything */
    enum log_level level; /* events above it are dropped */
};

/* Writes `level event key=value …`. The pairs are NUL-closed strings, closed by a NULL key; a NULL value is written as `-`.
 * Values are made printable (control characters escaped), quoted when they hold blanks. Secrets never come here. */
void log_event(const struct log *log, enum log_level level, const char *event, ... /* key, value, NULL */)
    __attribute__((sentinel));

#endif
