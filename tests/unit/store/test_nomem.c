/* Memory that runs out: each allocation of a run's way through the store fails, once or from there on. Nothing crashes, what
 * is reported as written is there, what is not is not, and the file stays clean. (Under AddressSanitizer, which owns malloc,
 * it only runs through.) */
#include "../table.h"

#include "common/digest.h"
#include "fixture.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define OWNS_MALLOC 0
#else
#define OWNS_MALLOC 1
#endif

enum { OFFERS = 12, ALLOCATIONS_MAX = 20000 };

/* Counts down to the allocation that fails; the test's only state beside the stack, as malloc has no context. */
static long countdown = -1;
static bool fails_on;

#if OWNS_MALLOC
extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t bytes);
extern void *__libc_realloc(void *old, size_t bytes);

static bool is_refused(void)
{
    if (countdown < 0) return false;
    if (countdown > 0) {
        countdown--;
        return false;
    }
    if (!fails_on) countdown = -1;
    return true;
}

void *malloc(size_t bytes)
{
    return is_refused() ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    return is_refused() ? NULL : __libc_calloc(count, bytes);
}

void *realloc(void *old, size_t bytes)
{
    return is_refused() ? NULL : __libc_realloc(old, bytes);
}
#endif

static enum gt_err take_row(void *ctx, const struct board_row *row)
{
    size_t *count = ctx;
    *count += row->is_listed;
    return GT_OK;
}

/* A run whose prices are its number's. */
static void make_run(struct arena *arena, int number, struct run_part *part, struct run_input *run)
{
    struct offer *offers = arena_array(arena, OFFERS, sizeof *offers);
    *part = (struct run_part){.name = GT_STR("page"), .status = STATUS_OK, .is_full_fetch = true, .offers = offers};
    for (int k = 0; k < OFFERS; k++) {
        if ((k + number) % 7 == 0) continue;
        offers[part->offer_count] =
            offer_of(arena, part->name, k, (struct shape){.price_cents = 1000 + k * 50 + (number + k) % 5});
        offers[part->offer_count++].stock = number;
    }
    digest_of((uint64_t)number, part->body_sha256);
    *run = run_of(part, 1, number * 3600);
}

struct attempt {
    bool has_failed; /* the allocation was reached */
    bool is_committed;
};

/* Opens, commits, reads, closes, with the allocation `at` failing. */
static struct attempt attempt(const char *folder, const struct run_input *run, long at, bool on)
{
    struct store *store = NULL;
    struct gt_errinfo info = {0};
    size_t rows = 0;
    struct arena *arena = arena_new(FIXTURE_ARENA_MAX);
    fails_on = on;
    countdown = at;
    enum gt_err err = store_open(folder, STORE_WRITE, &store, &info);
    if (err == GT_OK) err = store_run_commit(store, run, NULL, NULL, arena, NULL, &info);
    struct attempt got = {.is_committed = err == GT_OK};
    if (err == GT_OK) err = store_board(store, INT64_MAX, arena, take_row, &rows, &info);
    store_close(store);
    got.has_failed = OWNS_MALLOC && countdown <= 0;
    countdown = -1;
    arena_free(arena);
    if (err != GT_OK && err != GT_ENOMEM && err != GT_EINTERNAL) print_error("%s: %s\n", gt_err_name(err), info.text);
    assert_true(err == GT_OK || err == GT_ENOMEM || err == GT_EINTERNAL);
    assert_true(err == GT_OK || got.has_failed);
    return got;
}

static uint64_t count_runs(const char *folder)
{
    struct store *store = NULL;
    struct store_stat stat = {0};
    struct gt_errinfo info = {0};
    enum gt_err err = store_open(folder, STORE_READ, &store, &info);
    if (err != GT_OK && err != GT_ENOENT) print_error("%s: %s\n", gt_err_name(err), info.text);
    if (err == GT_OK) assert_int_equal(store_stat(store, &stat, NULL), GT_OK);
    store_close(store);
    return stat.runs;
}

struct nomem_row {
    const char *name;
    bool on;
};

static const struct nomem_row nomems[] = {{"one allocation fails", false}, {"all fail from one on", true}};

/* Run after run, with one allocation after the other failing, until there are no more. A run that was written is followed by
 * the next, one that was not is tried again. */
static void check_nomem(void **state)
{
    const struct nomem_row *row = *state;
    char folder[64];
    struct run_part part;
    struct run_input run;
    struct arena *arena = arena_new(FIXTURE_ARENA_MAX);
    int number = 1;
    long at = 0;
    fixture_folder(folder);
    for (struct attempt got = {.has_failed = true}; got.has_failed && at < ALLOCATIONS_MAX; at++) {
        make_run(arena, number, &part, &run);
        got = attempt(folder, &run, at, row->on);
        number += got.is_committed;
        assert_int_equal(count_runs(folder), number - 1);
    }
    size_t findings = 0;
    assert_int_equal(store_check(folder, NULL, NULL, &findings, NULL), GT_OK);
    assert_true(!OWNS_MALLOC || (at > 50 && number > 1));
    print_message("# %s: %ld times, %d runs written meanwhile\n", row->name, at, number - 1);
    fixture_remove(folder);
    arena_free(arena);
}

/* Packing with one allocation after the other failing: what was there stays, whole, until it is packed. */
static void check_nomem_pack(void **state)
{
    enum { PACKED_RUNS = 40 };
    const struct nomem_row *row = *state;
    char folder[64];
    struct run_part part;
    struct run_input run;
    struct arena *arena = arena_new(FIXTURE_ARENA_MAX);
    struct gt_errinfo info = {0};
    bool has_failed = true;
    long at = 0;
    fixture_folder(folder);
    for (int number = 1; number <= PACKED_RUNS; number++) {
        make_run(arena, number, &part, &run);
        assert_true(attempt(folder, &run, -1, false).is_committed);
    }
    for (; has_failed && at < ALLOCATIONS_MAX; at++) {
        fails_on = row->on;
        countdown = at;
        enum gt_err err = store_compact(folder, true, &info);
        /* it may also have failed in the child that checks, which does not call a store clean that it could not read */
        has_failed = OWNS_MALLOC && (countdown <= 0 || err != GT_OK);
        countdown = -1;
        if (err != GT_OK && err != GT_ENOMEM && err != GT_ECORRUPT) print_error("%s: %s\n", gt_err_name(err), info.text);
        assert_true(err == GT_OK || (has_failed && (err == GT_ENOMEM || err == GT_ECORRUPT)));
        assert_int_equal(count_runs(folder), PACKED_RUNS);
    }
    size_t findings = 0;
    assert_int_equal(store_check(folder, NULL, NULL, &findings, NULL), GT_OK);
    assert_true(!OWNS_MALLOC || at > 50);
    print_message("# packing, %s: %ld times\n", row->name, at);
    fixture_remove(folder);
    arena_free(arena);
}

int main(void)
{
    uint8_t digest[SHA256_BYTES];
    cmocka_set_message_output(CM_OUTPUT_TAP);
    /* OpenSSL sets itself up once in a process, and stays broken when that fails. */
    if (digest_sha256(GT_STR("x"), digest) != GT_OK) return 1;
    return TABLE_RUN(nomems, check_nomem) + TABLE_RUN(nomems, check_nomem_pack);
}
