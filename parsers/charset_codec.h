/* The parts of charset.h that it is made of: labels, decoders, the search for <meta>. Inside parsers/ only. */
#ifndef GT_PARSERS_CHARSET_CODEC_H
#define GT_PARSERS_CHARSET_CODEC_H

#include <stdbool.h>

#include "common/strbuf.h"

/* How an encoding is decoded. */
enum charset_decoder {
    CHARSET_UTF8,
    CHARSET_GB18030, /* gbk too: the standard decodes both alike */
    CHARSET_ICONV,   /* multi-byte, by glibc */
    CHARSET_SINGLE,  /* one byte a character, by glibc, with C1 controls where glibc has holes */
    CHARSET_UTF16LE,
    CHARSET_UTF16BE,
    CHARSET_USER, /* x-user-defined */
    CHARSET_REFUSED,
};

struct charset {
    const char *name;
    enum charset_decoder decoder;
    const char *iconv_name; /* for ICONV and SINGLE */
    const char *labels;
};

/* The encoding of a label, or NULL. */
const struct charset *charset_find(struct gt_str label);

/* The encoding that these bytes (the first of a page) name in <meta> or in an XML declaration; NULL when they name none that is
 * known. utf-16 found so means utf-8, as the bytes that were searched show (HTML Standard, "prescan a byte stream"). */
const struct charset *charset_from_meta(struct gt_str bytes);

/* The `charset` parameter of a Content-Type header; empty when there is none. Borrowed from the header. */
struct gt_str charset_from_header(struct gt_str content_type);

/* What the bytes look like when nobody says: utf-8 when they are that, then the East Asian encodings in which they are mostly
 * ideographs, else windows-1252. */
const struct charset *charset_detect(struct gt_str bytes);

/* Appends `bytes` as UTF-8 to `out` and the number of U+FFFD put in to *replaced. NUL becomes U+FFFD and is counted. GT_OK;
 * GT_ENOMEM or GT_ELIMIT as `out` has them; GT_EFORMAT when glibc lacks the table. */
enum gt_err charset_decode_as(const struct charset *charset, struct gt_str bytes, struct strbuf *out, size_t *replaced);

/* The decoders behind it. Those that cannot fail leave their error in `out`. */
void charset_utf8_decode(struct gt_str bytes, struct strbuf *out, size_t *replaced);
void charset_gb18030_decode(struct gt_str bytes, struct strbuf *out, size_t *replaced);
void charset_utf16_decode(struct gt_str bytes, bool is_big_endian, struct strbuf *out, size_t *replaced);
enum gt_err charset_iconv_decode(const struct charset *charset, struct gt_str bytes, struct strbuf *out, size_t *replaced);

/* True when the bytes are UTF-8 and hold no NUL: nothing to clean. *ret_wide counts the characters beyond ASCII. */
bool charset_utf8_is_clean(struct gt_str bytes, size_t *ret_wide);

/* Appends a code point, or U+FFFD for one that is negative, and counts that. NUL is one of them. */
void charset_emit(struct strbuf *out, int32_t code_point, size_t *replaced);

#endif
