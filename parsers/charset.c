/* Decides which encoding a page is in and decodes it. */
#include "parsers/charset.h"
#include "parsers/charset_codec.h"

enum {
    OUT_PER_BYTE_MAX = 3, /* no decoder makes more than one U+FFFD (3 bytes) of a byte, nor 4 bytes of fewer than 2 */
    WIDE_PROOF_MIN = 4,   /* characters beyond ASCII that make valid UTF-8 proof enough against a legacy label */
    BAD_PER_MILLE = 2,    /* more U+FFFD than this many in a thousand bytes: the label is doubted */
};

/* An encoding and who named it. */
struct decision {
    const struct charset *charset;
    const char *source;
};

/* The standard's precedence. The site's label is what an operator knows when the page says nothing. */
static struct decision decide(struct gt_str body, struct gt_str content_type, struct gt_str site_label, size_t *ret_bom_len)
{
    static const struct {
        struct gt_str bytes;
        const char *name;
    } MARKS[] = {
        {{"\xEF\xBB\xBF", 3}, "utf-8"},
        {{"\xFE\xFF", 2}, "utf-16be"},
        {{"\xFF\xFE", 2}, "utf-16le"},
    };
    *ret_bom_len = 0;
    for (size_t i = 0; i < sizeof MARKS / sizeof MARKS[0]; i++) {
        if (!gt_str_starts(body, MARKS[i].bytes)) continue;
        *ret_bom_len = MARKS[i].bytes.len;
        return (struct decision){charset_find(gt_str_from(MARKS[i].name)), "bom"};
    }
    const struct charset *charset = charset_find(charset_from_header(content_type));
    if (charset != NULL) return (struct decision){charset, "header"};
    charset = charset_from_meta(gt_str_slice(body, 0, CHARSET_PRESCAN_BYTES));
    if (charset != NULL) return (struct decision){charset, "meta"};
    charset = charset_find(site_label);
    if (charset != NULL) return (struct decision){charset, "site"};
    charset = charset_from_meta(gt_str_slice(body, 0, CHARSET_LATE_META_BYTES));
    if (charset != NULL) return (struct decision){charset, "late meta"};
    return (struct decision){charset_detect(body), "detected"};
}

/* Decodes into arena memory. */
static enum gt_err decode(const struct charset *charset, struct gt_str body, struct arena *arena, struct charset_text *ret)
{
    struct strbuf out;
    size_t wide, replaced = 0;
    enum gt_err err = GT_OK;
    struct gt_str text = body;
    strbuf_init(&out, body.len * OUT_PER_BYTE_MAX + 8);
    if (charset->decoder != CHARSET_UTF8 || !charset_utf8_is_clean(body, &wide)) {
        err = charset_decode_as(charset, body, &out, &replaced);
        if (err != GT_OK) goto out;
        text = arena_dup(arena, strbuf_str(&out));
        if (text.ptr == NULL) err = GT_ELIMIT;
    }
    if (err != GT_OK) goto out;
    *ret = (struct charset_text){.text = text, .name = charset->name, .replaced = replaced};
out:
    strbuf_done(&out);
    return err;
}

/* The encoding that the bytes themselves speak for against the one named, or NULL. Only unmistakable cases: a whole page of
 * valid UTF-8, or many characters that the named encoding cannot read. */
static const struct charset *contradiction(const struct decision *named, struct gt_str body, size_t replaced)
{
    size_t wide;
    if (gt_str_is(gt_str_from(named->source), "bom") || named->charset->decoder == CHARSET_UTF16LE ||
        named->charset->decoder == CHARSET_UTF16BE)
        return NULL;
    if (charset_utf8_is_clean(body, &wide) && wide >= WIDE_PROOF_MIN)
        return named->charset->decoder == CHARSET_UTF8 ? NULL : charset_find(GT_STR("utf-8"));
    if (replaced * 1000 <= body.len * BAD_PER_MILLE) return NULL;
    const struct charset *other = charset_detect(body);
    return other == named->charset || other->decoder == CHARSET_SINGLE ? NULL : other;
}

/* Tries what the bytes speak for; keeps it when a tenth or less of the bad characters is left. */
static enum gt_err overrule(const struct charset *other, struct gt_str body, struct arena *arena, struct charset_text *text)
{
    struct charset_text again;
    enum gt_err err = decode(other, body, arena, &again);
    if (err != GT_OK) return err;
    if (again.replaced * 10 > text->replaced) return GT_OK;
    again.decision = arena_printf(arena, "%.*s; read as %s: %zu bad characters instead of %zu", GT_STR_ARG(text->decision),
                                  again.name, again.replaced, text->replaced);
    *text = again;
    return GT_OK;
}

/* What the page says of itself is tried first; only bytes that contradict it clearly are believed more than words. */
enum gt_err charset_decode(struct gt_str body, struct gt_str content_type, struct gt_str site_label, struct arena *arena,
                           struct charset_text *ret_text, struct gt_errinfo *info)
{
    size_t bom_len;
    struct decision named = decide(body, content_type, site_label, &bom_len);
    if (named.charset->decoder == CHARSET_REFUSED)
        return gt_fail(info, GT_EFORMAT, "the %s names an encoding that may not be decoded (WHATWG \"replacement\")",
                       named.source);
    struct gt_str bytes = gt_str_slice(body, bom_len, SIZE_MAX);
    struct charset_text text;
    enum gt_err err = decode(named.charset, bytes, arena, &text);
    if (err != GT_OK) return gt_fail(info, err, "cannot decode %s: %s", named.charset->name, gt_err_text(err));
    text.decision = arena_printf(arena, "%s (%s)", named.charset->name, named.source);
    const struct charset *other = contradiction(&named, bytes, text.replaced);
    if (other != NULL) err = overrule(other, bytes, arena, &text);
    if (err != GT_OK) return gt_fail(info, err, "cannot decode %s: %s", other->name, gt_err_text(err));
    if (text.decision.ptr == NULL) return gt_fail(info, GT_ELIMIT, "the page's arena is full");
    *ret_text = text;
    return GT_OK;
}
