/* Texts: pieces, buffers with a ceiling, folding with offsets, widths, nearest words, digests. */
#include "tests/unit/table.h"

#include "common/digest.h"
#include "common/nearest.h"
#include "common/strbuf.h"
#include "common/utf8.h"

static const struct fold_row {
    const char *name, *text, *folded;
} fold_rows[] = {
    {"ASCII stays", "RTX 4090", "RTX 4090"},
    {"full-width digits and letters", "\xef\xbc\x91\xef\xbc\x92\xef\xbc\x8c\xef\xbc\x98\xef\xbc\x90\xef\xbc\x90", "12,800"},
    {"full-width yen is yen", "\xef\xbf\xa5" "9", "\xc2\xa5" "9"},
    {"no-break space", "1\xc2\xa0" "649", "1 649"},
    {"narrow no-break space", "1\xe2\x80\xaf" "649", "1 649"},
    {"ideographic space", "\xe6\x9c\x88\xe3\x80\x80\xe4\xbb\x98", "\xe6\x9c\x88 \xe4\xbb\x98"},
    {"zero width goes", "4\xe2\x80\x8b" "090", "4090"},
    {"a ligature comes apart", "\xef\xac\x81n", "fin"},
    {"CJK compatibility square", "\xe3\x8e\x87", "GB"},
    {"an invalid byte is replaced", "a\xff" "b", "a\xef\xbf\xbd" "b"},
    {"a cut character at the end", "a\xe6\x9c", "a\xef\xbf\xbd\xef\xbf\xbd"},
    {"empty", "", ""},
};

static void check_fold(void **state)
{
    const struct fold_row *row = *state;
    struct arena *arena = arena_new(1 << 20);
    struct utf8_folded folded;
    assert_int_equal(utf8_fold(gt_str_from(row->text), arena, &folded), GT_OK);
    assert_str(folded.text, row->folded);
    assert_int_equal(folded.origin[folded.text.len], strlen(row->text));
    for (size_t i = 1; i <= folded.text.len; i++) assert_true(folded.origin[i - 1] <= folded.origin[i]);
    arena_free(arena);
}

static const struct width_row {
    const char *name, *text;
    size_t width;
} width_rows[] = {
    {"ASCII", "abc", 3},           {"Chinese is two columns a character", "\xe6\x98\x87\xe8\x85\xbe" "910B", 8},
    {"combining marks take none", "e\xcc\x81", 1}, {"the yen sign", "\xc2\xa5", 1}, {"full-width forms", "\xef\xbf\xa5", 2},
    {"empty", "", 0},
};

static void check_width(void **state)
{
    const struct width_row *row = *state;
    assert_int_equal(utf8_width(gt_str_from(row->text)), row->width);
}

static const struct printable_row {
    const char *name, *text, *printed;
} printable_rows[] = {
    {"plain", "a b", "a b"},
    {"escape sequences", "\x1b[31mred", "\\u{1B}[31mred"},
    {"newlines", "a\nb", "a\\u{A}b"},
    {"right-to-left override", "a\xe2\x80\xae" "b", "a\\u{202E}b"},
    {"no character: U+FFFE", "a\xef\xbf\xbe" "b", "a\\u{FFFE}b"},
    {"U+FFFD is one", "a\xef\xbf\xbd" "b", "a\xef\xbf\xbd" "b"},
    {"C1 controls", "a\xc2\x9b" "b", "a\\u{9B}b"},
    {"invalid bytes", "\xc3(", "\xef\xbf\xbd("},
    {"Chinese stays", "\xe6\x9c\x88\xe4\xbb\x98", "\xe6\x9c\x88\xe4\xbb\x98"},
};

static void check_printable(void **state)
{
    const struct printable_row *row = *state;
    struct arena *arena = arena_new(1 << 20);
    assert_str(utf8_printable(gt_str_from(row->text), arena), row->printed);
    arena_free(arena);
}

static const struct nearest_row {
    const char *name, *word, *nearest;
} nearest_rows[] = {
    {"one letter wrong", "prise", "price"}, {"two swapped", "lable", "label"}, {"exact", "price", "price"},
    {"nothing near", "banana", NULL},       {"empty", "", NULL},        {"one letter is not a slip for nothing", "0", NULL},
    {"longer than any word", "ppppppppppppppppppppppppppppppppppppppppppppppppppppppppp", NULL},
};

static void check_nearest(void **state)
{
    static const char *const words[] = {"", "label", "price", "discount"};
    const struct nearest_row *row = *state;
    const char *found = nearest_word(gt_str_from(row->word), words, 4);
    if (row->nearest == NULL) assert_null(found);
    else assert_string_equal(found != NULL ? found : "(none)", row->nearest);
}

static void buffer_stops_at_its_ceiling(void **state)
{
    (void)state;
    struct strbuf buf;
    strbuf_init(&buf, 5);
    strbuf_adds(&buf, "abc");
    strbuf_addf(&buf, "%d", 12);
    assert_int_equal(buf.err, GT_OK);
    strbuf_addc(&buf, 'x');
    assert_int_equal(buf.err, GT_ELIMIT);
    strbuf_clear(&buf);
    strbuf_adds(&buf, "again");
    assert_str(strbuf_str(&buf), "again");
    char *taken = strbuf_take(&buf);
    assert_string_equal(taken, "again");
    free(taken);
    strbuf_done(&buf);
}

static void arena_keeps_its_limit(void **state)
{
    (void)state;
    struct arena *arena = arena_new(1000);
    assert_non_null(arena_alloc(arena, 900));
    assert_null(arena_alloc(arena, 200));
    assert_null(arena_alloc(arena, SIZE_MAX - 4));
    assert_null(arena_array(arena, SIZE_MAX / 2, 3));
    arena_clear(arena);
    assert_int_equal(arena_used(arena), 0);
    char *zeroed = arena_alloc(arena, 900);
    for (int i = 0; i < 900; i++) assert_int_equal(zeroed[i], 0);
    arena_free(arena);
}

static void pieces_are_cut(void **state)
{
    (void)state;
    struct gt_str rest = GT_STR("a, b ,,c"), piece;
    assert_true(gt_str_split(&rest, ',', &piece));
    assert_str(piece, "a");
    assert_true(gt_str_split(&rest, ',', &piece));
    assert_str(piece, "b");
    assert_true(gt_str_split(&rest, ',', &piece));
    assert_str(piece, "");
    assert_true(gt_str_split(&rest, ',', &piece));
    assert_str(piece, "c");
    assert_false(gt_str_split(&rest, ',', &piece));
    assert_str(gt_str_slice(GT_STR("abc"), 1, 99), "bc");
    assert_int_equal(gt_str_find(GT_STR("abcabc"), GT_STR("ca"), 0), 2);
    assert_int_equal(gt_str_find(GT_STR("abc"), GT_STR("abcd"), 0), SIZE_MAX);
}

/* Known answers: FIPS 180 "abc"; the empty payload as WARC files name it; RFC 4231 test case 2. */
static void digests_match_published_vectors(void **state)
{
    (void)state;
    uint8_t digest[SHA256_BYTES];
    char hex[SHA256_HEX_MAX], base32[SHA1_BASE32_MAX];
    assert_int_equal(digest_sha256(GT_STR("abc"), digest), GT_OK);
    digest_hex(digest, sizeof digest, hex);
    assert_string_equal(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    uint8_t back[SHA256_BYTES];
    assert_true(digest_hex_read(gt_str_from(hex), back, sizeof back));
    assert_memory_equal(back, digest, sizeof back);
    assert_false(digest_hex_read(GT_STR("BA"), back, 1));
    assert_false(digest_hex_read(GT_STR("bag"), back, 1));
    assert_false(digest_hex_read(GT_STR("b"), back, 1));
    assert_false(digest_hex_read((struct gt_str){"b\0", 2}, back, 1));
    assert_int_equal(digest_sha1_base32(GT_STR(""), base32), GT_OK);
    assert_string_equal(base32, "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
    assert_int_equal(digest_hmac_sha256(GT_STR("Jefe"), GT_STR("what do ya want for nothing?"), digest), GT_OK);
    digest_hex(digest, sizeof digest, hex);
    assert_string_equal(hex, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    const struct CMUnitTest alone[] = {cmocka_unit_test(buffer_stops_at_its_ceiling), cmocka_unit_test(arena_keeps_its_limit),
                                       cmocka_unit_test(pieces_are_cut), cmocka_unit_test(digests_match_published_vectors)};
    return TABLE_RUN(fold_rows, check_fold) + TABLE_RUN(width_rows, check_width) + TABLE_RUN(printable_rows, check_printable) +
           TABLE_RUN(nearest_rows, check_nearest) + cmocka_run_group_tests(alone, NULL, NULL);
}
