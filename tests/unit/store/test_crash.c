/* A writer killed with SIGKILL at random moments, again and again, and started again as cron would: it begins with the run
 * that it does not know to be acknowledged. No acknowledged run may be lost, none written twice, and `db check` is clean each
 * time. Now and then it packs, copies or migrates the store instead. Arguments: kills (220) and seed (1). */
#include "../table.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "fixture.h"

enum { KILLS = 220, OFFERS = 40, CHECK_EVERY = 4, COPY_EVERY = 23, DELAY_US_MAX = 30000, TICKS_AN_HOUR = 3600 };

static enum gt_err note_run(void *ctx, struct store_txn *txn, const struct run_input *run, const struct run_summary *summary,
                            struct gt_errinfo *info)
{
    char text[32];
    (void)ctx;
    (void)summary;
    snprintf(text, sizeof text, "%lld", (long long)run->start_unix_s / TICKS_AN_HOUR);
    return store_put(txn->store, txn, STORE_ALERT_STATE, GT_STR("last run"), gt_str_from(text), info);
}

/* Run `number` is the same whenever it is made: prices move, offers come and go, some runs fail. */
static enum gt_err commit_number(struct store *store, uint32_t number, struct arena *arena)
{
    struct offer offers[OFFERS];
    struct run_part parts[2];
    uint64_t random = number * 0x9E3779B97F4A7C15ULL + 1;
    for (int p = 0; p < 2; p++) {
        struct gt_str name = p == 0 ? GT_STR("one") : GT_STR("two");
        parts[p] = (struct run_part){.name = name,
                                     .status = random_below(&random, 9) == 0 ? STATUS_FAILED : STATUS_OK,
                                     .is_full_fetch = true,
                                     .offers = offers + p * OFFERS / 2};
        for (int k = 0; k < OFFERS / 2; k++) {
            struct shape shape = {.price_cents = 1000 + k * 10 + (int)((number + (uint32_t)k * 7) / 20 % 9)};
            if ((number + (uint32_t)k) % 40 != 0)
                offers[p * OFFERS / 2 + (int)parts[p].offer_count++] = offer_of(arena, name, k, shape);
        }
        if (parts[p].status != STATUS_OK) parts[p].offer_count = 0;
        digest_of((uint64_t)number * 2 + (uint64_t)p, parts[p].body_sha256);
    }
    struct run_input run = run_of(parts, 2, (int64_t)number * TICKS_AN_HOUR);
    return store_run_commit(store, &run, note_run, NULL, arena, NULL, NULL);
}

/* As if an older program had written it: nothing that format 2 lacks is in this store, where no doubt has cards of its own. */
static enum gt_err make_older(void *ctx, struct db_txn *txn)
{
    (void)ctx;
    db_put(txn, DB_META, GT_STR("format"), GT_STR("2"));
    db_put(txn, DB_META, GT_STR("features"), GT_STR("runblocks:r latest:r packed:r"));
    return db_err(txn);
}

/* The child that checked the copy of one who was killed may hold its lock for a moment more. */
static enum gt_err migrate(const char *folder)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    int from = 0;
    enum gt_err err = store_migrate(folder, &from, NULL);
    while (err == GT_ELOCKED && nanosleep(&moment, NULL) == 0) err = store_migrate(folder, &from, NULL);
    return err;
}

/* Packs, copies or migrates the store that nobody has open. */
static enum gt_err copy_once(const char *folder, uint32_t number)
{
    char path[96];
    struct store *store = NULL;
    if (number / COPY_EVERY % 3 == 0) return store_compact(folder, true, NULL);
    enum gt_err err = store_open(folder, STORE_WRITE, &store, NULL);
    bool backs_up = number / COPY_EVERY % 3 == 1;
    snprintf(path, sizeof path, "%s.backup", folder);
    if (err == GT_OK) err = backs_up ? store_backup(store, path, NULL) : db_write(store->db, make_older, NULL, NULL);
    store_close(store);
    return err == GT_OK && !backs_up ? migrate(folder) : err;
}

/* The child: commits from `next` on, and tells each number once it is acknowledged. */
static void write_until_killed(const char *folder, uint32_t next, int fd)
{
    struct store *store = NULL;
    struct arena *arena = arena_new(FIXTURE_ARENA_MAX);
    if (store_open(folder, STORE_WRITE, &store, NULL) != GT_OK) _exit(1);
    for (;; next++) {
        if (next % COPY_EVERY == 0) {
            store_close(store);
            enum gt_err err = copy_once(folder, next);
            store = NULL;
            if ((err != GT_OK && err != GT_ELOCKED) || store_open(folder, STORE_WRITE, &store, NULL) != GT_OK) _exit(4);
        }
        arena_clear(arena);
        if (commit_number(store, next, arena) != GT_OK) _exit(2);
        if (write(fd, &next, sizeof next) != sizeof next) _exit(3);
    }
}

/* Starts the writer, kills it, returns the last number that it acknowledged (or `acked` when none). */
static uint32_t kill_once(const char *folder, uint32_t acked, uint64_t *random)
{
    int ends[2], status = 0;
    uint32_t number;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        write_until_killed(folder, acked + 1, ends[1]);
    }
    close(ends[1]);
    /* Most come while runs are committed; one in four lives long enough to come through a copy. */
    int times = random_below(random, 4) == 0 ? 8 : 1;
    struct timespec delay = {.tv_nsec = (long)random_below(random, DELAY_US_MAX * times) * 1000};
    nanosleep(&delay, NULL);
    kill(child, SIGKILL);
    while (read(ends[0], &number, sizeof number) == (ssize_t)sizeof number) acked = number;
    close(ends[0]);
    waitpid(child, &status, 0);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    return acked;
}

struct seen_runs {
    uint32_t last, acked;
    size_t count;
};

/* Each part's runs come in order, none missing, none twice. */
static enum gt_err take_run(void *ctx, const struct run_row *row)
{
    struct seen_runs *seen = ctx;
    uint32_t number = (uint32_t)(row->start_unix_s / TICKS_AN_HOUR);
    bool is_first = gt_str_is(row->part, "one");
    if (is_first && number != seen->last + 1) return GT_ECORRUPT;
    if (!is_first && number != seen->last) return GT_ECORRUPT;
    seen->last = number;
    seen->count++;
    return GT_OK;
}

/* After a kill: every acknowledged run is there once; one more may be; what the hook wrote is of the same transaction. True when
 * there was one more: committed, but killed before it was acknowledged. */
static bool look_after(const char *folder, uint32_t acked, bool is_checked)
{
    struct store *store = NULL;
    struct gt_errinfo info = {0};
    struct arena *arena = arena_new(FIXTURE_ARENA_MAX);
    struct seen_runs seen = {.acked = acked};
    struct gt_str last = {NULL, 0};
    size_t findings = 0;
    if (is_checked && store_check(folder, NULL, NULL, &findings, &info) != GT_OK) print_error("check: %s\n", info.text);
    assert_int_equal(findings, 0);
    assert_int_equal(store_open(folder, STORE_READ, &store, &info), GT_OK);
    assert_int_equal(store_runs(store, INT64_MIN, INT64_MAX, arena, take_run, &seen, &info), GT_OK);
    assert_true(seen.last == acked || seen.last == acked + 1);
    enum gt_err err = store_get(store, NULL, STORE_ALERT_STATE, GT_STR("last run"), arena, &last, &info);
    assert_int_equal(err, seen.last > 0 ? GT_OK : GT_ENOENT);
    if (seen.last > 0) assert_int_equal(atoi(last.ptr), seen.last);
    store_close(store);
    arena_free(arena);
    return seen.last > acked;
}

struct crash_row {
    const char *name;
    int kills;
    uint64_t seed;
};

static bool store_exists(const char *folder)
{
    struct store *store = NULL;
    enum gt_err err = store_open(folder, STORE_READ, &store, NULL);
    store_close(store);
    return err == GT_OK;
}

static void check_crash(void **state)
{
    const struct crash_row *row = *state;
    static const char *const left[] = {".gputape-part", ".old", ".backup", ".backup.gputape-part"};
    char folder[64], path[96];
    uint32_t acked = 0, looked = 0, unacknowledged = 0;
    uint64_t random = row->seed * 0x9E3779B97F4A7C15ULL + 1;
    fixture_folder(folder);
    for (int i = 0; i < row->kills; i++) {
        acked = kill_once(folder, acked, &random);
        enum gt_err err = migrate(folder);
        assert_true(err == GT_OK || acked == 0);
        /* Killed before the file had its format: there is nothing yet, and the next start makes it. */
        if (acked == 0 && !store_exists(folder)) continue;
        unacknowledged += look_after(folder, acked, i % CHECK_EVERY == 0 || i == row->kills - 1);
        looked++;
    }
    for (size_t i = 0; i < sizeof left / sizeof left[0]; i++) {
        snprintf(path, sizeof path, "%s%s", folder, left[i]);
        unlink(path);
        fixture_remove(path);
    }
    fixture_remove(folder);
    print_message("# %d kills, %u runs acknowledged, %u committed without being acknowledged\n", row->kills, (unsigned)acked,
                  (unsigned)unacknowledged);
    assert_true(looked > 0 && acked > 0);
}

int main(int argc, char **argv)
{
    enum { ROWS = 2, ROWS_MAX = 64, ROW_KILLS = 500 /* looking at all runs after each kill is quadratic */ };
    struct crash_row rows[ROWS_MAX];
    int kills = argc > 1 ? atoi(argv[1]) : KILLS;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    int count = kills / ROW_KILLS > ROWS ? kills / ROW_KILLS : ROWS;
    if (count > ROWS_MAX) count = ROWS_MAX;
    cmocka_set_message_output(CM_OUTPUT_TAP);
    for (int i = 0; i < count; i++)
        rows[i] = (struct crash_row){"killed at random, started again", kills / count, seed + (uint64_t)i};
    return table_run("crashes", rows, (size_t)count, sizeof rows[0], check_crash);
}
