/* The cache: what stays, what goes, and that its bytes never exceed what it may have. */
#include "web/cache.h"

#include "tests/unit/table.h"

enum { STEPS_MAX = 12, BODY_SMALL = 100, BODY_HALF_SHARE = 1000, ENTRY_COST = 1024, CACHE_BYTES = 16 * 1024, ENTRIES = 4 };

/* A step: "+a" puts a small answer under a, "*a" one that is too large, "?a" asks and must find it, "!a" asks and must not. */
static const struct row {
    const char *name;
    const char *steps[STEPS_MAX];
    size_t living; /* answers that are alive at the end */
} rows[] = {
    {"what was put is found", {"+a", "?a"}, 1},
    {"what was not put is not", {"+a", "!b"}, 1},
    {"nothing in it", {"!a"}, 0},
    {"twice under one key is one", {"+a", "+a", "?a"}, 1},
    {"the oldest goes", {"+a", "+b", "+c", "+d", "+e", "!a", "?b", "?e"}, 4},
    {"a use makes young", {"+a", "+b", "+c", "+d", "?a", "+e", "?a", "!b"}, 4},
    {"one that is too large is not kept", {"*a", "!a"}, 0},
    {"and drives nothing out", {"+a", "+b", "*c", "?a", "?b"}, 2},
    {"nor replaces one", {"+a", "*a", "?a"}, 1},
};

static struct web_answer *answer_of(size_t len, atomic_size_t *living)
{
    char *text = malloc(len + 1);
    struct web_answer_terms terms = {.living = living};
    assert_non_null(text);
    memset(text, 'x', len);
    text[len] = '\0';
    struct web_answer *answer = web_answer_refuse(200, text, &terms);
    free(text);
    assert_non_null(answer);
    return answer;
}

static void step(struct web_cache *cache, const char *text, atomic_size_t *living)
{
    uint8_t key[SHA256_BYTES] = {(uint8_t)text[1]};
    if (text[0] == '+' || text[0] == '*') {
        struct web_answer *answer = answer_of(text[0] == '+' ? BODY_SMALL : CACHE_BYTES / 4, living);
        web_cache_put(cache, key, answer);
        web_answer_unref(answer);
        return;
    }
    struct web_answer *found = web_cache_get(cache, key);
    if ((found != NULL) != (text[0] == '?')) print_error("step %s\n", text);
    assert_int_equal(found != NULL, text[0] == '?');
    web_answer_unref(found);
}

static void check_cache(void **state)
{
    const struct row *row = *state;
    atomic_size_t living = 0;
    struct web_cache *cache = web_cache_new(CACHE_BYTES, ENTRIES);
    assert_non_null(cache);
    for (size_t i = 0; i < STEPS_MAX && row->steps[i] != NULL; i++) step(cache, row->steps[i], &living);
    assert_int_equal(atomic_load(&living), row->living * (BODY_SMALL + 1));
    web_cache_free(cache);
    assert_int_equal(atomic_load(&living), 0);
}

/* However many are put, bytes stay below the ceiling: entries are not what limits here. */
static void check_bytes(void **state)
{
    (void)state;
    atomic_size_t living = 0;
    struct web_cache *cache = web_cache_new(CACHE_BYTES, 1000);
    assert_non_null(cache);
    for (uint8_t i = 1; i < 200; i++) {
        uint8_t key[SHA256_BYTES] = {i};
        struct web_answer *answer = answer_of(BODY_HALF_SHARE, &living);
        web_cache_put(cache, key, answer);
        web_answer_unref(answer);
        assert_true(atomic_load(&living) <= CACHE_BYTES);
    }
    assert_int_equal(atomic_load(&living), CACHE_BYTES / (BODY_HALF_SHARE + 1 + ENTRY_COST) * (BODY_HALF_SHARE + 1));
    web_cache_free(cache);
    assert_int_equal(atomic_load(&living), 0);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    const struct CMUnitTest bytes[] = {cmocka_unit_test(check_bytes)};
    return TABLE_RUN(rows, check_cache) + cmocka_run_group_tests(bytes, NULL, NULL);
}
