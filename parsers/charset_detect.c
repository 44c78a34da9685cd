/* What encoding bytes are in when nobody says. Order matters: UTF-8 proves itself, GBK is what the sites here use, the others
 * need a better fit than it. */
#include "common/utf8.h"
#include "parsers/charset_codec.h"

enum {
    SAMPLE_BYTES_MAX = 64 * 1024, /* of the page are looked at */
    FIT_MIN_PERMILLE = 700,       /* of the characters beyond ASCII must be ordinary ones of the script */
};

/* Permille of the characters beyond ASCII that are common in running East Asian text: ideographs, kana, hangul, full-width
 * forms and the punctuation that goes with them. Counts every U+FFFD against it. */
static int ordinary_permille(struct gt_str text)
{
    size_t wide = 0, ordinary = 0, len;
    for (size_t i = 0; i < text.len; i += len) {
        int32_t c = utf8_decode(text, i, &len);
        if (c < 0x80) continue;
        wide++;
        ordinary += (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3000 && c <= 0x30FF) || (c >= 0xFF01 && c <= 0xFF5E) || c == 0xFFE5 ||
                    (c >= 0xAC00 && c <= 0xD7A3);
    }
    return wide == 0 ? 0 : (int)(ordinary * 1000 / wide);
}

/* How well the encoding fits: permille of ordinary characters, 0 when any sequence is broken. A sequence cut by the sample's
 * end is none. */
static int fit_permille(const struct charset *charset, struct gt_str sample)
{
    struct strbuf out;
    size_t replaced = 0;
    strbuf_init(&out, (size_t)SAMPLE_BYTES_MAX * 4);
    enum gt_err err = charset_decode_as(charset, sample, &out, &replaced);
    int permille = err == GT_OK && replaced <= 1 ? ordinary_permille(strbuf_str(&out)) : 0;
    strbuf_done(&out);
    return permille;
}

/* Share of the two-byte sequences whose both bytes lie in A1..FE and whose lead is in the rows of frequent ideographs (B0..D7
 * in GB 2312, A4..C6 in Big5): the frequent characters of both standards sit in different rows. */
static int rows_permille(struct gt_str sample, unsigned low, unsigned high)
{
    size_t pairs = 0, frequent = 0;
    const unsigned char *at = (const unsigned char *)sample.ptr;
    for (size_t i = 0; i + 1 < sample.len; i++) {
        if (at[i] < 0x81) continue;
        pairs++;
        frequent += at[i] >= low && at[i] <= high;
        i++;
    }
    return pairs == 0 ? 0 : (int)(frequent * 1000 / pairs);
}

/* UTF-8 cannot be met by chance once there is a wide character in it; Chinese encodings are tried before others, and told apart by the rows
 * of their tables that the text uses. */
const struct charset *charset_detect(struct gt_str bytes)
{
    size_t wide;
    if (charset_utf8_is_clean(bytes, &wide) && wide > 0) return charset_find(GT_STR("utf-8"));
    struct gt_str sample = gt_str_slice(bytes, 0, SAMPLE_BYTES_MAX);
    int gbk = fit_permille(charset_find(GT_STR("gb18030")), sample);
    int big5 = fit_permille(charset_find(GT_STR("big5")), sample);
    if (gbk >= FIT_MIN_PERMILLE || big5 >= FIT_MIN_PERMILLE) {
        bool is_big5 = big5 >= FIT_MIN_PERMILLE && rows_permille(sample, 0xA4, 0xC6) > rows_permille(sample, 0xB0, 0xD7);
        return charset_find(is_big5 ? GT_STR("big5") : GT_STR("gb18030"));
    }
    static const char *const OTHERS[] = {"shift_jis", "euc-jp", "euc-kr"};
    for (size_t i = 0; i < sizeof OTHERS / sizeof OTHERS[0]; i++) {
        const struct charset *other = charset_find(gt_str_from(OTHERS[i]));
        if (fit_permille(other, sample) >= FIT_MIN_PERMILLE) return other;
    }
    return charset_find(GT_STR("windows-1252"));
}
