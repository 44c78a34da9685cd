#include "common/err.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char *const err_texts[GT_ERR_COUNT] = {
#define GT_ERR(name, text) [GT_##name] = text,
#include "common/err.def"
#undef GT_ERR
};

static const char *const err_names[GT_ERR_COUNT] = {
#define GT_ERR(name, text) [GT_##name] = #name,
#include "common/err.def"
#undef GT_ERR
};

/* vsnprintf cuts at a byte; a message must stay valid UTF-8. */
static void cut_at_character(char *text, size_t len)
{
    while (len > 0 && ((unsigned char)text[len - 1] & 0xC0) == 0x80) len--;
    if (len > 0 && ((unsigned char)text[len - 1] & 0xC0) == 0xC0) text[len - 1] = '\0';
}

/* Cut at a whole character: half a Chinese one would make the terminal show rubbish behind it. */
enum gt_err gt_vfail(struct gt_errinfo *info, enum gt_err code, const char *format, va_list args)
{
    if (info != NULL) {
        info->code = code;
        int n = vsnprintf(info->text, sizeof info->text, format, args);
        if (n < 0) info->text[0] = '\0';
        if (n >= (int)sizeof info->text) cut_at_character(info->text, strlen(info->text));
    }
    return code;
}

enum gt_err gt_fail(struct gt_errinfo *info, enum gt_err code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    gt_vfail(info, code, format, args);
    va_end(args);
    return code;
}

const char *gt_err_text(enum gt_err code)
{
    return (unsigned)code < GT_ERR_COUNT ? err_texts[code] : "unknown error";
}

const char *gt_err_name(enum gt_err code)
{
    return (unsigned)code < GT_ERR_COUNT ? err_names[code] : "unknown";
}

/* Only what callers tell apart; everything else is a failure of the machine. */
enum gt_err gt_err_from_errno(int errno_value)
{
    switch (errno_value) {
    case 0: return GT_OK;
    case ENOMEM: return GT_ENOMEM;
    case ENOSPC:
    case EDQUOT: return GT_ENOSPC;
    case ENOENT:
    case ENOTDIR: return GT_ENOENT;
    case EACCES:
    case EPERM:
    case EROFS: return GT_EACCES;
    case EEXIST: return GT_EEXIST;
    case EINTR: return GT_EINTERRUPTED;
    default: return GT_EIO;
    }
}
