/* Encoding labels, and the decoder that goes with each. */
#include "parsers/charset.h"
#include "parsers/charset_codec.h"

static const struct charset CHARSETS[] = {
#define CHARSET(name, decoder, iconv_name, labels) {name, CHARSET_##decoder, iconv_name, labels},
#include "parsers/charset_labels.def"
#undef CHARSET
};

static bool has_label(const struct charset *charset, struct gt_str label)
{
    struct gt_str rest = gt_str_from(charset->labels), one;
    while (gt_str_split(&rest, ' ', &one)) {
        if (gt_str_eq_nocase(one, label)) return true;
    }
    return false;
}

const struct charset *charset_find(struct gt_str label)
{
    label = gt_str_trim(label);
    if (label.len == 0 || label.len > CHARSET_LABEL_MAX) return NULL;
    for (size_t i = 0; i < sizeof CHARSETS / sizeof CHARSETS[0]; i++) {
        if (has_label(&CHARSETS[i], label)) return &CHARSETS[i];
    }
    return NULL;
}

const char *charset_name(struct gt_str label)
{
    const struct charset *charset = charset_find(label);
    return charset != NULL ? charset->name : NULL;
}

/* Bytes above ASCII are U+F780 and up, as the standard maps them. */
static void user_defined_decode(struct gt_str bytes, struct strbuf *out, size_t *replaced)
{
    for (size_t i = 0; i < bytes.len && out->err == GT_OK; i++) {
        unsigned char byte = (unsigned char)bytes.ptr[i];
        charset_emit(out, byte < 0x80 ? byte : 0xF780 + byte - 0x80, replaced);
    }
}

enum gt_err charset_decode_as(const struct charset *charset, struct gt_str bytes, struct strbuf *out, size_t *replaced)
{
    switch (charset->decoder) {
    case CHARSET_UTF8: charset_utf8_decode(bytes, out, replaced); break;
    case CHARSET_GB18030: charset_gb18030_decode(bytes, out, replaced); break;
    case CHARSET_UTF16LE: charset_utf16_decode(bytes, false, out, replaced); break;
    case CHARSET_UTF16BE: charset_utf16_decode(bytes, true, out, replaced); break;
    case CHARSET_USER: user_defined_decode(bytes, out, replaced); break;
    case CHARSET_ICONV:
    case CHARSET_SINGLE: return charset_iconv_decode(charset, bytes, out, replaced);
    case CHARSET_REFUSED: return GT_EFORMAT;
    }
    return out->err;
}
