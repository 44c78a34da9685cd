/* Encodings. Input: Content-Type, the site's label, then the page. Whatever comes in, clean UTF-8 comes out. */
#include "common/utf8.h"
#include "parsers/charset.h"
#include "tests/fuzz/fuzz.h"

enum { ARENA_BYTES_MAX = 64 * 1024 * 1024 };

/* A check of its own, by the table of RFC 3629, section 4. */
static bool is_utf8(struct gt_str text)
{
    if (text.len == 0) return true;
    const unsigned char *at = (const unsigned char *)text.ptr, *end = at + text.len;
    while (at < end) {
        size_t more = *at < 0x80                  ? 0
                      : *at >= 0xC2 && *at < 0xE0 ? 1
                      : *at >= 0xE0 && *at < 0xF0 ? 2
                      : *at >= 0xF0 && *at < 0xF5 ? 3
                                                  : 9;
        if (more == 9 || (size_t)(end - at) <= more) return false;
        for (size_t i = 1; i <= more; i++)
            if ((at[i] & 0xC0) != 0x80) return false;
        if ((*at == 0xE0 && at[1] < 0xA0) || (*at == 0xED && at[1] > 0x9F) || (*at == 0xF0 && at[1] < 0x90) ||
            (*at == 0xF4 && at[1] > 0x8F))
            return false;
        at += more + 1;
    }
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gt_str rest = fuzz_input(data, size);
    struct gt_str type = fuzz_copy(fuzz_line(&rest)), label = fuzz_copy(fuzz_line(&rest)), body = fuzz_copy(rest);
    struct arena *arena = arena_new(ARENA_BYTES_MAX);
    struct charset_text text, again;
    struct gt_errinfo info = {0};
    if (arena == NULL) return 0;
    enum gt_err err = charset_decode(body, type, label, arena, &text, &info);
    FUZZ_CHECK("a failure is told", err == GT_OK || info.text[0] != '\0');
    if (err == GT_OK) {
        FUZZ_CHECK("clean UTF-8", is_utf8(text.text));
        FUZZ_CHECK("no NUL", text.text.len == 0 || memchr(text.text.ptr, 0, text.text.len) == NULL);
        FUZZ_CHECK("the encoding has a name", charset_name(gt_str_from(text.name)) != NULL);
        FUZZ_CHECK("the decision is told", text.decision.len > 0);
        FUZZ_CHECK("replaced no more than there was", text.replaced <= body.len);
        bool has_mark = gt_str_starts(text.text, GT_STR("\xEF\xBB\xBF"));
        err = charset_decode(text.text, GT_STR("text/html; charset=utf-8"), GT_STR(""), arena, &again, &info);
        FUZZ_CHECK("what came out is UTF-8 by our own reading", err == GT_OK && again.replaced == 0);
        FUZZ_CHECK("and stays as it is", has_mark || gt_str_eq(again.text, text.text));
    } else {
        FUZZ_CHECK("only what may not be decoded is refused", err == GT_EFORMAT);
    }
    arena_free(arena);
    fuzz_free(type);
    fuzz_free(label);
    fuzz_free(body);
    return 0;
}
