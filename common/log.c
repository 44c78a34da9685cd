#include "common/log.h"

#include <stdarg.h>

#include "common/utf8.h"

enum { LOG_VALUE_MAX = 4096 };

static const char *const level_names[] = {"error", "warn", "info", "debug"};

static void write_value(FILE *out, const char *value)
{
    struct gt_str text = gt_str_cut(gt_str_from(value), LOG_VALUE_MAX);
    struct arena *arena = arena_new(LOG_VALUE_MAX * 16);
    struct gt_str printable = arena != NULL ? utf8_printable(text, arena) : (struct gt_str){NULL, 0};
    bool is_quoted = printable.len == 0 || memchr(printable.ptr, ' ', printable.len) != NULL;
    fprintf(out, is_quoted ? "\"%.*s\"" : "%.*s", GT_STR_ARG(printable));
    arena_free(arena);
}

/* A value that is not known prints "-": no key is left out, so that all lines of one event have one shape. */
void log_event(const struct log *log, enum log_level level, const char *event, ...)
{
    if (log->out == NULL || level > log->level) return;
    fprintf(log->out, "%s %s", level_names[level], event);
    va_list args;
    va_start(args, event);
    for (const char *key = va_arg(args, const char *); key != NULL; key = va_arg(args, const char *)) {
        fprintf(log->out, " %s=", key);
        const char *value = va_arg(args, const char *);
        write_value(log->out, value != NULL ? value : "-");
    }
    va_end(args);
    fputc('\n', log->out);
}
