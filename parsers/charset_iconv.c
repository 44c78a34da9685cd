/* The rarer encodings, by glibc's tables. Errors follow the WHATWG Encoding Standard: a byte that cannot be read becomes one
 * U+FFFD and the next one is read afresh, so that no markup is swallowed. */
#include <errno.h>
#include <iconv.h>

#include "parsers/charset_codec.h"

enum { NO_CHARACTER = -1, OUT_CHUNK = 16 * 1024 };

/* One call of iconv into a buffer on the stack; the bytes made go to `out`. Returns errno, 0 when all was read. */
static int convert_chunk(iconv_t converter, char **in, size_t *in_left, struct strbuf *out)
{
    char chunk[OUT_CHUNK];
    char *to = chunk;
    size_t to_left = sizeof chunk;
    size_t rc = iconv(converter, in, in_left, &to, &to_left);
    int error = rc == (size_t)-1 ? errno : 0;
    strbuf_add(out, (struct gt_str){chunk, sizeof chunk - to_left});
    return error;
}

/* What stands for a byte that glibc does not know: the C1 control of the same number in a single-byte table (as the standard
 * has it), else nothing. */
static int32_t substitute(const struct charset *charset, unsigned char byte)
{
    return charset->decoder == CHARSET_SINGLE && byte >= 0x80 && byte <= 0x9F ? byte : NO_CHARACTER;
}

/* Converts a run without NUL (glibc would pass it on; the page must not have one). */
static void convert_run(const struct charset *charset, iconv_t converter, struct gt_str run, struct strbuf *out, size_t *replaced)
{
    char *in = (char *)(uintptr_t)run.ptr; /* iconv takes char ** and does not write */
    size_t left = run.len;
    while (left > 0 && out->err == GT_OK) {
        int error = convert_chunk(converter, &in, &left, out);
        if (error == 0 || error == E2BIG || left == 0) continue;
        charset_emit(out, substitute(charset, (unsigned char)*in), replaced);
        in++;
        left--;
        iconv(converter, NULL, NULL, NULL, NULL);
    }
}

enum gt_err charset_iconv_decode(const struct charset *charset, struct gt_str bytes, struct strbuf *out, size_t *replaced)
{
    iconv_t converter = iconv_open("UTF-8", charset->iconv_name);
    /* (iconv_t)-1 is how iconv_open says no; the usual cause is a system without gconv modules. */
    if (converter == (iconv_t)-1) return errno == ENOMEM ? GT_ENOMEM : GT_EFORMAT;
    size_t at = 0;
    while (at < bytes.len && out->err == GT_OK) {
        const char *nul = memchr(bytes.ptr + at, 0, bytes.len - at);
        size_t end = nul != NULL ? (size_t)(nul - bytes.ptr) : bytes.len;
        convert_run(charset, converter, gt_str_slice(bytes, at, end - at), out, replaced);
        if (nul != NULL) charset_emit(out, NO_CHARACTER, replaced);
        at = nul != NULL ? end + 1 : end;
    }
    iconv_close(converter);
    return out->err;
}
