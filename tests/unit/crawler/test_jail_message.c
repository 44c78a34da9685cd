/* What travels between the crawler and the jail: comes out as it went in, and nothing else is believed. */
#include "crawler/jail_message.h"
#include "tests/unit/table.h"

enum { ARENA_BYTES = 64 * 1024 * 1024, BUFFER_BYTES = 4 * 1024 * 1024, FLIPS = 20000, NOISES = 20000 };

/* ---- the sample ---- */

/* GT_STR for static storage. */
#define TEXT(literal) {(literal), sizeof(literal) - 1}

static const struct listing_field fields[] = {
    {TEXT("label"), TEXT("昇腾910B"), TEXT("型号"), TEXT("td[1]")},
    {TEXT("price.hour"), TEXT("¥ 1.98"), TEXT("价格（元/小时）"), TEXT("td[2]")},
};
static const struct listing listings[] = {{fields, 2, 1000, TEXT("")}, {fields, 1, 640, TEXT("a card's name")}, {NULL, 0, 0, TEXT("")}};
static struct refusal refused[] = {{TEXT("no label here"), TEXT("no-label")}};

static struct jail_answer sample(void)
{
    struct jail_answer answer = {.err = GT_ENOROWS, .message = GT_STR("why"), .is_same = true};
    answer.verdict = (struct page_verdict){.status = STATUS_DRIFTED, .reason = GT_STR("行 too few"), .is_rowless = true, .has_extraction = true};
    answer.verdict.extraction = (struct extraction){.listings = listings,
                                                    .count = 3,
                                                    .rows_found = 17,
                                                    .refused = refused,
                                                    .refused_count = 1,
                                                    .follow = {GT_STR("https://a.test/2"), GT_STR("https://a.test/3")},
                                                    .follow_count = 2,
                                                    .extractor = GT_STR("table"),
                                                    .is_drifted = true,
                                                    .charset = GT_STR("gbk (meta)"),
                                                    .replaced_chars = 5};
    answer.proposal = (struct proposal){GT_STR("extract = auto\n"), true, 9, GT_STR("标题")};
    return answer;
}

/* Both answers written afresh; equal bytes are equal answers. */
static void assert_same_answer(const struct jail_answer *a, const struct jail_answer *b)
{
    static char bytes[2][BUFFER_BYTES];
    struct wire_writer first = {.ptr = bytes[0], .cap = BUFFER_BYTES}, second = {.ptr = bytes[1], .cap = BUFFER_BYTES};
    jail_answer_put(&first, a);
    jail_answer_put(&second, b);
    assert_false(first.is_full || second.is_full);
    assert_true(gt_str_eq((struct gt_str){first.ptr, first.len}, (struct gt_str){second.ptr, second.len}));
}

static void check_round_trip(void **state)
{
    (void)state;
    static char bytes[BUFFER_BYTES];
    struct wire_writer writer = {.ptr = bytes, .cap = sizeof bytes};
    struct arena *arena = arena_new(ARENA_BYTES);
    struct jail_answer in = sample(), out;
    jail_answer_put(&writer, &in);
    assert_int_equal(jail_answer_get((struct gt_str){bytes, writer.len}, arena, &out), GT_OK);
    assert_same_answer(&in, &out);
    assert_str(out.verdict.extraction.listings[0].fields[1].header, "价格（元/小时）");
    assert_int_equal(out.verdict.extraction.listings[1].confidence_permille, 640);
    assert_str(out.verdict.extraction.follow[1], "https://a.test/3");
    assert_int_equal(out.proposal.offers, 9);
    arena_free(arena);
}

static void check_request(void **state)
{
    (void)state;
    static char bytes[BUFFER_BYTES];
    struct wire_writer writer = {.ptr = bytes, .cap = sizeof bytes};
    struct jail_request in = {JAIL_COMPARE, 7, 200, true, false, GT_STR("\0\xff page"), GT_STR("u"), GT_STR("h"), GT_STR("w"), GT_STR("s")}, out;
    jail_request_put(&writer, &in);
    assert_true(jail_request_get((struct gt_str){bytes, writer.len}, &out));
    assert_true(out.job == in.job && out.rules == 7 && out.status == 200 && out.is_length_known && !out.is_followed);
    assert_true(gt_str_eq(out.body, in.body) && gt_str_eq(out.url, in.url) && gt_str_eq(out.head, in.head));
    assert_true(gt_str_eq(out.word, in.word) && gt_str_eq(out.section, in.section));
    for (size_t len = 0; len < writer.len; len++) assert_false(jail_request_get((struct gt_str){bytes, len}, &out));
}

/* ---- hostile bytes ---- */

/* Every byte that the answer refers to, so that a sanitizer sees a wrong one. */
static uint64_t touch(const struct jail_answer *answer)
{
    uint64_t sum = 0;
    const struct extraction *found = &answer->verdict.extraction;
    for (size_t i = 0; i < found->count; i++)
        for (size_t k = 0; k < found->listings[i].field_count; k++) {
            const struct listing_field *field = &found->listings[i].fields[k];
            const struct gt_str texts[] = {field->name, field->text, field->header, field->rule};
            for (size_t t = 0; t < 4; t++)
                for (size_t n = 0; n < texts[t].len; n++) sum += (unsigned char)texts[t].ptr[n];
        }
    assert_true(found->count <= LISTINGS_MAX && found->follow_count <= EXTRACT_FOLLOW_MAX);
    return sum;
}

/* Reads a copy in memory of just that length. GT_OK answers must be sound all over. */
static enum gt_err read_hostile(const char *bytes, size_t len, struct arena *arena)
{
    struct jail_answer answer;
    char *copy = malloc(len > 0 ? len : 1);
    assert_non_null(copy);
    memcpy(copy, bytes, len);
    arena_clear(arena);
    enum gt_err err = jail_answer_get((struct gt_str){copy, len}, arena, &answer);
    if (err == GT_OK) touch(&answer);
    assert_true(err == GT_OK || err == GT_EFORMAT || err == GT_ENOMEM);
    free(copy);
    return err;
}

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static void check_cuts(void **state)
{
    (void)state;
    static char bytes[BUFFER_BYTES];
    struct wire_writer writer = {.ptr = bytes, .cap = sizeof bytes};
    struct arena *arena = arena_new(ARENA_BYTES);
    struct jail_answer in = sample();
    jail_answer_put(&writer, &in);
    for (size_t len = 0; len < writer.len; len++) assert_int_equal(read_hostile(bytes, len, arena), GT_EFORMAT);
    assert_int_equal(read_hostile(bytes, writer.len + 1, arena), GT_EFORMAT); /* one byte left over */
    arena_free(arena);
}

static void check_flips(void **state)
{
    (void)state;
    static char bytes[BUFFER_BYTES];
    struct wire_writer writer = {.ptr = bytes, .cap = sizeof bytes};
    struct arena *arena = arena_new(ARENA_BYTES);
    struct jail_answer in = sample();
    uint32_t seed = 20260920;
    int refused_count = 0;
    jail_answer_put(&writer, &in);
    for (int i = 0; i < FLIPS; i++) {
        size_t at = next_random(&seed) % writer.len, other = next_random(&seed) % writer.len;
        char before = bytes[at], before_other = bytes[other];
        bytes[at] = (char)next_random(&seed);
        if (i % 2 == 0) bytes[other] = (char)0xff;
        refused_count += read_hostile(bytes, writer.len, arena) != GT_OK;
        bytes[other] = before_other;
        bytes[at] = before;
    }
    assert_true(refused_count > FLIPS / 4);
    arena_free(arena);
}

static void check_noise(void **state)
{
    (void)state;
    char bytes[512];
    struct arena *arena = arena_new(ARENA_BYTES);
    uint32_t seed = 7;
    for (int i = 0; i < NOISES; i++) {
        size_t len = next_random(&seed) % sizeof bytes;
        /* small numbers get further than large ones */
        for (size_t n = 0; n < len; n++) bytes[n] = (char)(next_random(&seed) % (n % 4 == 0 ? 5 : 256) * (n % 4 == 0 || i % 3 == 0));
        read_hostile(bytes, len, arena);
    }
    arena_free(arena);
}

/* ---- one lie each ---- */

static void lie_listings(struct jail_answer *answer)
{
    answer->verdict.extraction.count = LISTINGS_MAX + 1;
}

static void lie_fields(struct jail_answer *answer)
{
    static struct listing_field many[LISTING_FIELDS_MAX + 1];
    static const struct listing one[] = {{many, LISTING_FIELDS_MAX + 1, 0, TEXT("")}};
    answer->verdict.extraction.listings = one;
    answer->verdict.extraction.count = 1;
}

static void lie_confidence(struct jail_answer *answer)
{
    static const struct listing one[] = {{NULL, 0, 1001, TEXT("")}};
    answer->verdict.extraction.listings = one;
    answer->verdict.extraction.count = 1;
}

static void lie_status(struct jail_answer *answer)
{
    answer->verdict.status = STATUS_WORDS;
}

static void lie_unchanged(struct jail_answer *answer)
{
    answer->verdict.status = STATUS_UNCHANGED;
}

static void lie_error(struct jail_answer *answer)
{
    answer->err = GT_ERR_COUNT;
}

static void lie_rows(struct jail_answer *answer)
{
    answer->verdict.extraction.rows_found = (size_t)INT32_MAX + 1;
}

static const struct lie {
    const char *name;
    void (*tell)(struct jail_answer *answer);
} lies[] = {
    {"more listings than LISTINGS_MAX", lie_listings}, {"more fields than LISTING_FIELDS_MAX", lie_fields},
    {"a confidence over 1000", lie_confidence},        {"a status that does not exist", lie_status},
    {"unchanged, which is not its to say", lie_unchanged}, {"an error that does not exist", lie_error},
    {"more rows than can be counted", lie_rows},
};

static void check_lie(void **state)
{
    const struct lie *lie = *state;
    static char bytes[BUFFER_BYTES];
    static struct listing empty[LISTINGS_MAX + 1];
    struct wire_writer writer = {.ptr = bytes, .cap = sizeof bytes};
    struct arena *arena = arena_new(ARENA_BYTES);
    struct jail_answer answer = sample(), out;
    answer.verdict.extraction.listings = empty;
    lie->tell(&answer);
    jail_answer_put(&writer, &answer);
    assert_false(writer.is_full);
    assert_int_equal(jail_answer_get((struct gt_str){bytes, writer.len}, arena, &out), GT_EFORMAT);
    arena_free(arena);
}

/* ---- texts ---- */

static const struct text_row {
    const char *name;
    struct gt_str in;
    const char *out; /* NULL: the reader refuses it when it is sent as it is */
} texts[] = {
    {"ascii", TEXT("RTX 4090, twelve"), "RTX 4090, twelve"},
    {"empty", TEXT(""), ""},
    {"Chinese", TEXT("算力价格表"), "算力价格表"},
    {"cut in a character", TEXT("价格\xe5\x85"), NULL},
    {"a lone continuation byte", TEXT("eight by\x80te"), NULL},
    {"a surrogate", TEXT("\xed\xa0\x80"), NULL},
    {"an overlong form", TEXT("\xc0\xaf"), NULL},
};

/* Sent as text, it arrives as UTF-8 whatever it was; sent as bytes, it is refused as text when it is none. */
static void check_text(void **state)
{
    const struct text_row *row = *state;
    char bytes[256];
    struct wire_writer writer = {.ptr = bytes, .cap = sizeof bytes};
    wire_put_text(&writer, row->in);
    struct wire_reader reader = {.rest = {bytes, writer.len}};
    struct gt_str got = wire_get_text(&reader);
    assert_true(wire_is_done(&reader));
    if (row->out != NULL) assert_str(got, row->out);
    else assert_true(gt_str_find(got, GT_STR("\xef\xbf\xbd"), 0) != SIZE_MAX);
    writer = (struct wire_writer){.ptr = bytes, .cap = sizeof bytes};
    wire_put_bytes(&writer, row->in);
    reader = (struct wire_reader){.rest = {bytes, writer.len}};
    wire_get_text(&reader);
    assert_int_equal(reader.is_bad, row->out == NULL);
}

static void check_full(void **state)
{
    (void)state;
    static char large[WIRE_TEXT_BYTES_MAX + 1];
    struct jail_answer in = sample();
    static char bytes[BUFFER_BYTES];
    struct wire_writer whole = {.ptr = bytes, .cap = sizeof bytes};
    jail_answer_put(&whole, &in);
    for (size_t cap = 0; cap < whole.len; cap++) {
        struct wire_writer writer = {.ptr = bytes, .cap = cap};
        jail_answer_put(&writer, &in);
        assert_true(writer.is_full && writer.len <= cap);
    }
    memset(large, 'x', sizeof large);
    struct wire_writer writer = {.ptr = bytes, .cap = sizeof bytes};
    wire_put_text(&writer, (struct gt_str){large, sizeof large});
    assert_true(writer.is_full);
    writer = (struct wire_writer){.ptr = bytes, .cap = sizeof bytes};
    memset(large, '\x80', sizeof large);
    wire_put_text(&writer, (struct gt_str){large, WIRE_TEXT_BYTES_MAX / 2});
    assert_true(writer.is_full);
    writer = (struct wire_writer){.ptr = bytes, .cap = sizeof bytes};
    wire_put_number(&writer, (uint64_t)UINT32_MAX + 1);
    assert_true(writer.is_full);
}

static const struct single {
    const char *name;
} answers[] = {{"an answer with everything in it"}}, requests[] = {{"a request, and every cut of it"}}, cuts[] = {{"every cut, and a byte too many"}},
  flips[] = {{"flipped bytes"}}, noises[] = {{"noise"}}, fulls[] = {{"every size too small, texts and numbers too large"}};

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(answers, check_round_trip) + TABLE_RUN(requests, check_request) + TABLE_RUN(cuts, check_cuts) +
           TABLE_RUN(flips, check_flips) + TABLE_RUN(noises, check_noise) + TABLE_RUN(lies, check_lie) + TABLE_RUN(texts, check_text) +
           TABLE_RUN(fulls, check_full);
}
