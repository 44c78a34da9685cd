#include "reports/out.h"

#include <errno.h>
#include <stdarg.h>

#include "common/file.h"

/* Remembers the error of the call that just failed. stdio leaves errno at 0 when the stream was broken before: EIO then. */
static void note_failure(struct out *out)
{
    if (out->first_errno == 0) out->first_errno = errno != 0 ? errno : EIO;
}

void out_break(struct out *out, int errno_code)
{
    errno = errno_code;
    note_failure(out);
}

void out_str(struct out *out, struct gt_str text)
{
    if (out->first_errno != 0 || text.len == 0) return;
    errno = 0;
    if (fwrite(text.ptr, 1, text.len, out->file) != text.len) note_failure(out);
}

void out_text(struct out *out, const char *text)
{
    out_str(out, gt_str_from(text));
}

void out_fill(struct out *out, size_t count, char byte)
{
    char block[64];
    memset(block, byte, sizeof block);
    while (count > 0) {
        size_t n = count < sizeof block ? count : sizeof block;
        out_str(out, (struct gt_str){block, n});
        count -= n;
    }
}

void out_printf(struct out *out, const char *format, ...)
{
    if (out->first_errno != 0) return;
    va_list args;
    va_start(args, format);
    errno = 0;
    if (vfprintf(out->file, format, args) < 0) note_failure(out);
    va_end(args);
}

enum gt_err out_done(struct out *out, struct gt_errinfo *info)
{
    errno = 0;
    if (fflush(out->file) != 0 || ferror(out->file) != 0) note_failure(out);
    if (out->first_errno == 0) return GT_OK;
    errno = out->first_errno;
    return file_fail(info, "cannot write", "the report");
}
