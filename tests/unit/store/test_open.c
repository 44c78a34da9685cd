/* Opening, growing, forking, dying readers, full disks, many days in one process: what LMDB needs to be kept from. Argument: how many
 * readers are killed (200). */
#include "../table.h"

#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/wait.h>

#include "fixture.h"
#include "store/db.h"

enum { SMALL_MAP = 256 * 1024, MANY_RUNS = 60, OFFERS_MANY = 60, TMPFS_KIB = 512, READERS_KILLED = 200, FULL_RUNS_MAX = 4000, DAYS = 30, DAY_RUNS = 24 };

static int readers_killed = READERS_KILLED; /* as main was told */

/* A situation is a function of its own: it gets an empty folder. */
struct situation {
    const char *name;
    void (*test)(const char *folder);
};

/* A price of its own for every offer; one in ten moves a little in each run, so that no guard minds. */
static int32_t price_of(int k, int number)
{
    return 1000 + k % 300 * 7 + (number + k) / 10 % 5;
}

/* Run `number` of a page. */
static enum gt_err commit_number(struct store *store, int number, int offer_count, struct run_summary *ret_summary,
                                 struct gt_errinfo *info)
{
    struct arena *arena = arena_new(FIXTURE_ARENA_MAX);
    struct offer *offers = arena_array(arena, (size_t)offer_count, sizeof *offers);
    struct run_part part = {
        .name = GT_STR("page"), .status = STATUS_OK, .is_full_fetch = true, .offers = offers, .offer_count = (size_t)offer_count};
    for (int k = 0; k < offer_count; k++)
        offers[k] = offer_of(arena, part.name, k, (struct shape){.price_cents = price_of(k, number)});
    digest_of((uint64_t)number, part.body_sha256);
    struct run_input run = run_of(&part, 1, 3600LL * number);
    enum gt_err err = store_run_commit(store, &run, NULL, NULL, arena, ret_summary, info);
    arena_free(arena);
    return err;
}

static struct store *open_store(const char *folder, enum store_mode mode)
{
    struct store *store = NULL;
    struct gt_errinfo info = {0};
    enum gt_err err = store_open(folder, mode, &store, &info);
    if (err != GT_OK) print_error("%s\n", info.text);
    assert_int_equal(err, GT_OK);
    return store;
}

static void expect_clean(const char *folder)
{
    size_t findings = 0;
    struct gt_errinfo info = {0};
    enum gt_err err = store_check(folder, NULL, NULL, &findings, &info);
    if (err != GT_OK) print_error("check: %s\n", info.text);
    assert_int_equal(err, GT_OK);
}

static void expect_open(const char *folder, enum store_mode mode, enum gt_err expected, const char *words)
{
    struct store *store = NULL;
    struct gt_errinfo info = {0};
    enum gt_err err = store_open(folder, mode, &store, &info);
    if (err != expected) print_error("%s: %s\n", gt_err_name(err), info.text);
    store_close(store);
    assert_int_equal(err, expected);
    assert_true(words == NULL || strstr(info.text, words) != NULL);
}

static void expect_migrate(const char *folder, enum gt_err expected, const char *words)
{
    struct gt_errinfo info = {0};
    int from = 0;
    assert_int_equal(store_migrate(folder, &from, &info), expected);
    assert_non_null(strstr(info.text, words));
}

static uint64_t count_runs(const char *folder)
{
    struct store_stat stat;
    struct store *store = open_store(folder, STORE_READ);
    assert_int_equal(store_stat(store, &stat, NULL), GT_OK);
    store_close(store);
    return stat.runs;
}

/* ---- formats ---- */

struct text_put {
    const char *key, *value;
};

static enum gt_err put_meta(void *ctx, struct db_txn *txn)
{
    const struct text_put *put = ctx;
    db_put(txn, DB_META, gt_str_from(put->key), gt_str_from(put->value));
    return db_err(txn);
}

static void set_meta(const char *folder, const char *key, const char *value)
{
    struct db *db;
    struct db_options options = {.is_write = true};
    struct text_put put = {key, value};
    assert_int_equal(db_open(folder, &options, &db, NULL), GT_OK);
    assert_int_equal(db_write(db, put_meta, &put, NULL), GT_OK);
    db_close(db);
}

static void expect_meta(const char *folder, const char *key, const char *value)
{
    struct db *db;
    struct db_txn *txn;
    struct gt_str has = {NULL, 0};
    assert_int_equal(db_open(folder, &(struct db_options){.is_write = false}, &db, NULL), GT_OK);
    assert_int_equal(db_read_begin(db, &txn, NULL), GT_OK);
    assert_true(db_get(txn, DB_META, gt_str_from(key), &has));
    assert_str(has, value);
    assert_int_equal(db_read_end(txn), GT_OK);
    db_close(db);
}

static void make(const char *folder)
{
    struct store *store = open_store(folder, STORE_WRITE);
    assert_int_equal(commit_number(store, 1, 3, NULL, NULL), GT_OK);
    store_close(store);
}

static void test_newer_write(const char *folder)
{
    make(folder);
    set_meta(folder, "format", "4");
    expect_open(folder, STORE_WRITE, GT_ENEWER, "format 4");
    expect_migrate(folder, GT_ENEWER, "format 4");
}

static void test_newer_read(const char *folder)
{
    make(folder);
    set_meta(folder, "format", "4");
    expect_open(folder, STORE_READ, GT_OK, NULL);
    assert_int_equal(count_runs(folder), 1);
}

static void test_older(const char *folder)
{
    make(folder);
    set_meta(folder, "format", "1");
    expect_migrate(folder, GT_EFORMAT, "db rebuild");
    expect_open(folder, STORE_READ, GT_EFORMAT, "db rebuild");
    expect_open(folder, STORE_WRITE, GT_EFORMAT, "db rebuild");
}

static void test_feature_read(const char *folder)
{
    make(folder);
    set_meta(folder, "features", "runblocks:r latest2:r prices:w packs:r");
    expect_open(folder, STORE_READ, GT_ENEWER, "packs:r");
}

static void test_feature_write(const char *folder)
{
    make(folder);
    set_meta(folder, "features", "runblocks:r latest2:r prices:w byprice:w");
    expect_open(folder, STORE_READ, GT_OK, NULL);
}

static void test_feature_write_refused(const char *folder)
{
    make(folder);
    set_meta(folder, "features", "runblocks:r latest2:r prices:w byprice:w");
    expect_open(folder, STORE_WRITE, GT_ENEWER, "byprice:w");
}

/* Who does not know packed blocks must see at once that there may be some; a store that was never packed is for everybody. */
static void test_feature_packed(const char *folder)
{
    make(folder);
    expect_meta(folder, "features", "runblocks:r latest2:r prices:w");
    for (int i = 0; i < 2; i++) {
        fixture_pack(folder);
        expect_meta(folder, "features", "runblocks:r latest2:r prices:w packed:r");
    }
    expect_open(folder, STORE_WRITE, GT_OK, NULL);
    assert_int_equal(count_runs(folder), 1);
}

static void test_no_version(const char *folder)
{
    make(folder);
    set_meta(folder, "format", "none");
    expect_open(folder, STORE_READ, GT_ECORRUPT, "format");
}

/* ---- folders ---- */

static void test_missing(const char *folder)
{
    expect_open(folder, STORE_READ, GT_ENOENT, "no store");
}

static void test_empty_file(const char *folder)
{
    char path[128];
    snprintf(path, sizeof path, "%s/data.mdb", folder);
    close(open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0640));
    expect_open(folder, STORE_READ, GT_ENOENT, "empty");
}

static void test_not_lmdb(const char *folder)
{
    char path[128], junk[8192];
    snprintf(path, sizeof path, "%s/data.mdb", folder);
    FILE *file = fopen(path, "we");
    memset(junk, 'x', sizeof junk);
    fwrite(junk, 1, sizeof junk, file);
    fclose(file);
    expect_open(folder, STORE_READ, GT_ECORRUPT, NULL);
}

static void test_world_writable(const char *folder)
{
    make(folder);
    assert_int_equal(chmod(folder, 0777), 0);
    expect_open(folder, STORE_READ, GT_EACCES, "chmod o-w");
}

static void test_modes(const char *folder)
{
    struct stat st;
    char path[128];
    mode_t before = umask(0);
    snprintf(path, sizeof path, "%s/data/store", folder);
    make(path);
    umask(before);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0750);
    snprintf(path, sizeof path, "%s/data/store/data.mdb", folder);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0640);
    snprintf(path, sizeof path, "%s/data/store", folder);
    fixture_remove(path);
    snprintf(path, sizeof path, "%s/data", folder);
    fixture_remove(path);
}

static void test_twice(const char *folder)
{
    struct store *store = open_store(folder, STORE_WRITE);
    expect_open(folder, STORE_READ, GT_EUSAGE, "open in this process already");
    store_close(store);
    expect_open(folder, STORE_READ, GT_OK, NULL);
}

static void test_network(const char *folder)
{
    (void)folder;
    assert_string_equal(db_network_name(0x6969), "NFS");
    assert_string_equal(db_network_name(0x01021997), "9P");
    assert_null(db_network_name(0xEF53));     /* ext4 */
    assert_null(db_network_name(0x01021994)); /* tmpfs */
}

/* ---- processes ---- */

/* Runs `body` in a child; its return value is the exit code. */
static int in_child(const char *folder, int (*body)(const char *folder, struct store *inherited), struct store *inherited)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) _exit(body(folder, inherited));
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int use_inherited(const char *folder, struct store *inherited)
{
    struct store_stat stat;
    struct gt_errinfo info = {0};
    (void)folder;
    bool refuses_write = commit_number(inherited, 2, 3, NULL, &info) == GT_EUSAGE && strstr(info.text, "fork") != NULL;
    (void)stat;
    return refuses_write ? 0 : 1;
}

static int open_anew(const char *folder, struct store *inherited)
{
    struct store *store = NULL;
    (void)inherited;
    if (store_open(folder, STORE_WRITE, &store, NULL) != GT_OK) return 1;
    enum gt_err err = commit_number(store, 3, 3, NULL, NULL);
    store_close(store);
    return err == GT_OK ? 0 : 2;
}

static void test_fork(const char *folder)
{
    struct store *store = open_store(folder, STORE_WRITE);
    assert_int_equal(commit_number(store, 1, 3, NULL, NULL), GT_OK);
    assert_int_equal(in_child(folder, use_inherited, store), 0);
    assert_int_equal(in_child(folder, open_anew, store), 0);
    assert_int_equal(commit_number(store, 4, 3, NULL, NULL), GT_OK);
    store_close(store);
    assert_int_equal(count_runs(folder), 3);
}

static int write_much(const char *folder, struct store *inherited)
{
    struct store *store = NULL;
    (void)inherited;
    if (store_open(folder, STORE_WRITE, &store, NULL) != GT_OK) return 1;
    for (int i = 100; i < 100 + MANY_RUNS; i++)
        if (commit_number(store, i, OFFERS_MANY, NULL, NULL) != GT_OK) return 2;
    store_close(store);
    return 0;
}

static enum gt_err count_row(void *ctx, const struct board_row *row)
{
    int *count = ctx;
    *count += row->is_listed;
    return GT_OK;
}

/* A reader whose map is small meets a file that another process has made larger. */
static void test_resized(const char *folder)
{
    struct store *store = NULL;
    struct arena *arena = arena_new(FIXTURE_ARENA_MAX);
    struct db_options small = {.is_write = true, .map_bytes = SMALL_MAP, .is_growth_late = true};
    int rows = 0;
    assert_int_equal(store_open_with(folder, &small, &store, NULL), GT_OK);
    assert_int_equal(commit_number(store, 1, 3, NULL, NULL), GT_OK);
    assert_int_equal(in_child(folder, write_much, NULL), 0);
    assert_int_equal(store_board(store, INT64_MAX, arena, count_row, &rows, NULL), GT_OK);
    assert_int_equal(rows, OFFERS_MANY);
    assert_int_equal(commit_number(store, 500, 3, NULL, NULL), GT_OK);
    store_close(store);
    arena_free(arena);
    expect_clean(folder);
}

/* ---- the map ---- */

static enum gt_err count_calls(void *ctx, struct store_txn *txn, const struct run_input *run, const struct run_summary *summary,
                               struct gt_errinfo *info)
{
    int *calls = ctx;
    char name[32];
    (void)run;
    (*calls)++;
    snprintf(name, sizeof name, "run %llu", (unsigned long long)summary->seq);
    return store_put(txn->store, txn, STORE_ALERT_STATE, gt_str_from(name), GT_STR("state"), info);
}

/* The map is full in the middle of a run, again and again: each run is replayed after it has grown. */
static void test_growth(const char *folder)
{
    struct store *store = NULL;
    struct gt_errinfo info = {0};
    struct db_options small = {.is_write = true, .map_bytes = SMALL_MAP, .is_growth_late = true};
    struct arena *arena = arena_new(FIXTURE_ARENA_MAX);
    struct offer *offers = arena_array(arena, 2000, sizeof *offers);
    struct run_part part = {
        .name = GT_STR("page"), .status = STATUS_OK, .is_full_fetch = true, .offers = offers, .offer_count = 2000};
    int calls = 0;
    assert_int_equal(store_open_with(folder, &small, &store, &info), GT_OK);
    for (int number = 1; number <= 8; number++) {
        for (int k = 0; k < 2000; k++)
            offers[k] = offer_of(arena, part.name, k + (number == 1), (struct shape){.price_cents = price_of(k, number)});
        part.offer_count = 1990 + (size_t)number;
        digest_of((uint64_t)number, part.body_sha256);
        struct run_input run = run_of(&part, 1, 3600 * number);
        enum gt_err err = store_run_commit(store, &run, count_calls, &calls, arena, NULL, &info);
        if (err != GT_OK) print_error("%s\n", info.text);
        assert_int_equal(err, GT_OK);
    }
    store_close(store);
    arena_free(arena);
    assert_true(calls >= 8);
    assert_int_equal(count_runs(folder), 8);
    expect_clean(folder);
}

/* ---- hooks ---- */

static enum gt_err refuse(void *ctx, struct store_txn *txn, const struct run_input *run, const struct run_summary *summary,
                          struct gt_errinfo *info)
{
    (void)ctx;
    (void)txn;
    (void)run;
    (void)summary;
    return gt_fail(info, GT_EREFUSED, "the hook says no");
}

static void test_hook_refuses(const char *folder)
{
    struct store *store = open_store(folder, STORE_WRITE);
    struct gt_errinfo info = {0};
    struct arena *arena = arena_new(FIXTURE_ARENA_MAX);
    struct run_part part = {.name = GT_STR("page"), .status = STATUS_FAILED};
    struct run_input run = run_of(&part, 1, 5);
    assert_int_equal(store_run_commit(store, &run, refuse, NULL, arena, NULL, &info), GT_EREFUSED);
    assert_string_equal(info.text, "the hook says no");
    store_close(store);
    arena_free(arena);
    assert_int_equal(count_runs(folder), 0);
}

static enum gt_err write_within(void *ctx, struct store_txn *txn, const struct run_input *run, const struct run_summary *summary,
                                struct gt_errinfo *info)
{
    enum gt_err *err = ctx;
    (void)run;
    (void)summary;
    *err = store_put(txn->store, NULL, STORE_META, GT_STR("a"), GT_STR("b"), info);
    return GT_OK;
}

/* A hook that forgets the transaction would wait for itself. */
static void test_hook_writes_apart(const char *folder)
{
    struct store *store = open_store(folder, STORE_WRITE);
    enum gt_err inner = GT_OK;
    struct crawl_input crawl = {.start_unix_s = 1, .end_unix_s = 2, .sites_ok = 3};
    assert_int_equal(store_crawl_commit(store, &crawl, write_within, &inner, NULL), GT_OK);
    assert_int_equal(inner, GT_EUSAGE);
    store_close(store);
    expect_clean(folder);
}

static void test_read_only(const char *folder)
{
    make(folder);
    struct store *store = open_store(folder, STORE_READ);
    assert_int_equal(commit_number(store, 2, 3, NULL, NULL), GT_EACCES);
    store_close(store);
}

/* ---- readers that die, disks that fill ---- */

static int die_reading(const char *folder, struct store *inherited)
{
    struct db *db;
    struct db_txn *txn;
    struct db_options options = {.is_write = false};
    (void)inherited;
    if (db_open(folder, &options, &db, NULL) != GT_OK || db_read_begin(db, &txn, NULL) != GT_OK) return 1;
    kill(getpid(), SIGKILL);
    return 2;
}

/* Readers killed with a snapshot open keep no pages for ever, and slots do not run out (there are 126). */
static void test_dead_readers(const char *folder)
{
    make(folder);
    struct store_stat before, after;
    struct store *store = open_store(folder, STORE_WRITE);
    for (int i = 0; i < 40; i++) assert_int_equal(commit_number(store, 2 + i, 100, NULL, NULL), GT_OK);
    assert_int_equal(store_stat(store, &before, NULL), GT_OK);
    store_close(store);
    for (int i = 0; i < readers_killed; i++) {
        assert_int_equal(in_child(folder, die_reading, NULL), -1);
        if (i % 5 != 0) continue;
        store = open_store(folder, STORE_WRITE);
        assert_int_equal(commit_number(store, 100 + i, 100, NULL, NULL), GT_OK);
        store_close(store);
    }
    store = open_store(folder, STORE_WRITE);
    assert_int_equal(store_stat(store, &after, NULL), GT_OK);
    store_close(store);
    print_message("# %d readers killed: %llu KiB, %llu before\n", readers_killed, (unsigned long long)after.file_bytes / 1024,
                  (unsigned long long)before.file_bytes / 1024);
    assert_true(after.file_bytes <= 3 * before.file_bytes);
}

static size_t open_files(void)
{
    size_t count = 0;
    DIR *folder = opendir("/proc/self/fd");
    while (folder != NULL && readdir(folder) != NULL) count++;
    if (folder != NULL) closedir(folder);
    return count;
}

/* One day of a process that never ends: a run an hour, the board after each, a backup at night. */
static void live_day(struct store *store, const char *backup, int day)
{
    struct arena *arena = arena_new(FIXTURE_ARENA_MAX);
    for (int hour = 1; hour <= DAY_RUNS; hour++) {
        int rows = 0;
        arena_clear(arena);
        assert_int_equal(commit_number(store, day * DAY_RUNS + hour, OFFERS_MANY, NULL, NULL), GT_OK);
        assert_int_equal(store_board(store, INT64_MAX, arena, count_row, &rows, NULL), GT_OK);
        assert_int_equal(rows, OFFERS_MANY);
    }
    assert_int_equal(store_backup(store, backup, NULL), GT_OK);
    arena_free(arena);
}

/* What the store itself keeps in memory, and its files, are as many on the last day as on the second. */
static void test_days(const char *folder)
{
    char backup[96];
    size_t bytes = 0, files = 0;
    struct store *store = open_store(folder, STORE_WRITE);
    snprintf(backup, sizeof backup, "%s/backup", folder);
    for (int day = 0; day < DAYS; day++) {
        live_day(store, backup, day);
        if (day != 1) continue;
        bytes = mallinfo2().uordblks;
        files = open_files();
    }
    print_message("# %d days: %zu bytes in use, %zu on the second day\n", DAYS, mallinfo2().uordblks, bytes);
    assert_int_equal(open_files(), files);
    assert_true(mallinfo2().uordblks <= bytes + bytes / 10);
    store_close(store);
    expect_clean(folder);
}

/* Fills a small file system: the last run is refused as "disk full", all before it are there. */
static void test_disk_full(const char *folder)
{
    struct gt_errinfo info = {0};
    enum gt_err err = GT_OK;
    int runs = 0;
    char options[32], path[128];
    snprintf(options, sizeof options, "size=%dk", TMPFS_KIB);
    if (geteuid() != 0 || mount("tmpfs", folder, "tmpfs", 0, options) != 0) {
        skip();
        return;
    }
    snprintf(path, sizeof path, "%s/s", folder);
    struct store *store = open_store(path, STORE_WRITE);
    for (; runs < FULL_RUNS_MAX && err == GT_OK; runs += err == GT_OK)
        err = commit_number(store, runs + 1, OFFERS_MANY, NULL, &info);
    store_close(store);
    uint64_t kept = count_runs(path);
    expect_clean(path);
    umount2(folder, MNT_DETACH);
    if (err != GT_ENOSPC) print_error("%s: %s\n", gt_err_name(err), info.text);
    assert_int_equal(err, GT_ENOSPC);
    assert_non_null(strstr(info.text, "disk is full"));
    assert_int_equal(kept, runs);
}

static const struct situation situations[] = {
    {"reading where there is no store", test_missing},
    {"an empty data file is no store", test_empty_file},
    {"a file that is something else", test_not_lmdb},
    {"anyone may write to the folder: refused", test_world_writable},
    {"folder and file modes under umask 0", test_modes},
    {"network file systems are known by number", test_network},
    {"a second open in one process is refused", test_twice},
    {"a newer format is not written to", test_newer_write},
    {"a newer format is read where its features allow", test_newer_read},
    {"an unknown feature that readers must know", test_feature_read},
    {"an unknown feature that only writers must know", test_feature_write},
    {"the same, written to: refused", test_feature_write_refused},
    {"a packed store says so, once", test_feature_packed},
    {"an older format is refused with the way out", test_older},
    {"a format without a version", test_no_version},
    {"a handle across a fork is refused, a fresh one works", test_fork},
    {"another process has made the map larger", test_resized},
    {"the map is full in the middle of a run", test_growth},
    {"a hook's refusal undoes the run", test_hook_refuses},
    {"a hook that writes beside its transaction", test_hook_writes_apart},
    {"writing to a store opened for reading", test_read_only},
    {"readers killed with a snapshot open", test_dead_readers},
    {"thirty days in one process", test_days},
    {"a full disk is told as such and loses nothing", test_disk_full},
};

static void check_situation(void **state)
{
    const struct situation *row = *state;
    char folder[64];
    fixture_folder(folder);
    row->test(folder);
    fixture_remove(folder);
}

int main(int argc, char **argv)
{
    if (argc > 1) readers_killed = atoi(argv[1]);
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(situations, check_situation);
}
