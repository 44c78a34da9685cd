#include "crawler/warc_fields.h"

#include "common/civil.h"
#include "net/header.h"

enum { DIGITS_MAX = 18 };

void fields_add(struct strbuf *out, const char *name, struct gt_str value)
{
    if (value.len == 0) return;
    strbuf_addf(out, "%s: ", name);
    for (size_t i = 0; i < value.len; i++) strbuf_addc(out, (unsigned char)value.ptr[i] < 0x20 ? ' ' : value.ptr[i]);
    strbuf_adds(out, "\r\n");
}

void fields_add_number(struct strbuf *out, const char *name, int64_t number)
{
    strbuf_addf(out, "%s: %lld\r\n", name, (long long)number);
}

void fields_add_time(struct strbuf *out, const char *name, int64_t t_unix_s)
{
    char text[CIVIL_TEXT_MAX];
    strbuf_addf(out, "%s: %s\r\n", name, civil_rfc3339(t_unix_s, text));
}

/* What is no number is as if it were not there: foreign archives write what they like into such fields. */
int64_t fields_number(struct gt_str fields, const char *name, int64_t otherwise)
{
    struct gt_str text = header_find(fields, name, 0);
    bool is_negative = text.len > 0 && text.ptr[0] == '-';
    int64_t number = 0;
    if (is_negative) text = gt_str_slice(text, 1, SIZE_MAX);
    if (text.len == 0 || text.len > DIGITS_MAX) return otherwise;
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] < '0' || text.ptr[i] > '9') return otherwise;
        number = number * 10 + (text.ptr[i] - '0');
    }
    return is_negative ? -number : number;
}

int64_t fields_time(struct gt_str fields, const char *name, int64_t otherwise)
{
    int64_t t_unix_s;
    return civil_parse(header_find(fields, name, 0), &t_unix_s) ? t_unix_s : otherwise;
}
