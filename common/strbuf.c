#include "common/strbuf.h"

#include <stdio.h>
#include <stdlib.h>

enum { CAP_FIRST = 256 };

void strbuf_init(struct strbuf *buf, size_t len_max)
{
    *buf = (struct strbuf){.len_max = len_max};
}

void strbuf_done(struct strbuf *buf)
{
    free(buf->ptr);
    strbuf_init(buf, buf->len_max);
}

void strbuf_clear(struct strbuf *buf)
{
    buf->len = 0;
    buf->err = GT_OK;
    if (buf->ptr != NULL) buf->ptr[0] = '\0';
}

/* Makes room for `more` bytes and the closing NUL. */
static int reserve(struct strbuf *buf, size_t more)
{
    if (buf->err != GT_OK) return 0;
    if (more > buf->len_max - buf->len) {
        buf->err = GT_ELIMIT;
        return 0;
    }
    size_t need = buf->len + more + 1;
    if (need <= buf->cap) return 1;
    size_t cap = buf->cap == 0 ? CAP_FIRST : buf->cap;
    while (cap < need) cap *= 2;
    char *grown = realloc(buf->ptr, cap);
    if (grown == NULL) {
        buf->err = GT_ENOMEM;
        return 0;
    }
    buf->ptr = grown;
    buf->cap = cap;
    return 1;
}

void strbuf_add(struct strbuf *buf, struct gt_str text)
{
    if (!reserve(buf, text.len)) return;
    if (text.len > 0) memcpy(buf->ptr + buf->len, text.ptr, text.len);
    buf->len += text.len;
    buf->ptr[buf->len] = '\0';
}

void strbuf_addc(struct strbuf *buf, char byte)
{
    strbuf_add(buf, (struct gt_str){&byte, 1});
}

void strbuf_adds(struct strbuf *buf, const char *text)
{
    strbuf_add(buf, gt_str_from(text));
}

/* Printed for its length first: the limit is asked before anything is written. */
void strbuf_vaddf(struct strbuf *buf, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, args);
    if (len < 0) {
        if (buf->err == GT_OK) buf->err = GT_EFORMAT;
    } else if (reserve(buf, (size_t)len)) {
        vsnprintf(buf->ptr + buf->len, (size_t)len + 1, format, again);
        buf->len += (size_t)len;
    }
    va_end(again);
}

void strbuf_addf(struct strbuf *buf, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    strbuf_vaddf(buf, format, args);
    va_end(args);
}

struct gt_str strbuf_str(const struct strbuf *buf)
{
    return (struct gt_str){buf->ptr, buf->len};
}

char *strbuf_take(struct strbuf *buf)
{
    if (!reserve(buf, 0)) return NULL;
    char *text = buf->ptr;
    text[buf->len] = '\0';
    strbuf_init(buf, buf->len_max);
    return text;
}
