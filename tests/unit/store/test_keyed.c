/* Keyed values: keys of every length, order, prefixes, absence. */
#include "../table.h"

#include "common/strbuf.h"
#include "fixture.h"

enum { LONG_SAME = 1000 };

struct key_row {
    const char *name;
    size_t len;
    enum gt_err err;
};

static const struct key_row keys[] = {
    {"an empty key", 0, GT_OK},
    {"one byte", 1, GT_OK},
    {"the longest that stands as it is", 400, GT_OK},
    {"the first that is hashed", 401, GT_OK},
    {"510 bytes", 510, GT_OK},
    {"511 bytes", 511, GT_OK},
    {"512 bytes", 512, GT_OK},
    {"the longest", STORE_URL_MAX, GT_OK},
    {"one byte more", STORE_URL_MAX + 1, GT_ELIMIT},
};

static struct store *open_in(char folder[64])
{
    struct store *store = NULL;
    fixture_folder(folder);
    assert_int_equal(store_open(folder, STORE_WRITE, &store, NULL), GT_OK);
    return store;
}

static void close_in(struct store *store, const char *folder)
{
    size_t findings = 0;
    store_close(store);
    enum gt_err err = store_check(folder, NULL, NULL, &findings, NULL);
    fixture_remove(folder);
    assert_int_equal(err, GT_OK);
}

/* Written, read, written over, deleted; beside two keys that differ from it in the last byte only. */
static void check_key(void **state)
{
    const struct key_row *row = *state;
    char folder[64];
    struct store *store = open_in(folder);
    struct arena *arena = arena_new(FIXTURE_ARENA_MAX);
    struct gt_str key = arena_dup(arena, (struct gt_str){arena_alloc(arena, row->len + 1), row->len}),
                  twin = arena_dup(arena, key), value;
    if (row->len > 0) ((char *)(uintptr_t)twin.ptr)[row->len - 1] = 1;
    enum gt_err err = store_put(store, NULL, STORE_HOSTS, key, GT_STR("one"), NULL);
    assert_int_equal(err, row->err);
    if (err == GT_OK) {
        if (row->len > 0) assert_int_equal(store_put(store, NULL, STORE_HOSTS, twin, GT_STR("twin"), NULL), GT_OK);
        assert_int_equal(store_get(store, NULL, STORE_HOSTS, key, arena, &value, NULL), GT_OK);
        assert_str(value, "one");
        assert_int_equal(store_put(store, NULL, STORE_HOSTS, key, GT_STR(""), NULL), GT_OK);
        assert_int_equal(store_get(store, NULL, STORE_HOSTS, key, arena, &value, NULL), GT_OK);
        assert_int_equal(value.len, 0);
        assert_int_equal(store_get(store, NULL, STORE_ROBOTS, key, arena, &value, NULL), GT_ENOENT);
        assert_int_equal(store_put(store, NULL, STORE_HOSTS, key, (struct gt_str){NULL, 0}, NULL), GT_OK);
        assert_int_equal(store_get(store, NULL, STORE_HOSTS, key, arena, &value, NULL), GT_ENOENT);
        if (row->len > 0) assert_int_equal(store_get(store, NULL, STORE_HOSTS, twin, arena, &value, NULL), GT_OK);
        assert_int_equal(store_put(store, NULL, STORE_HOSTS, key, (struct gt_str){NULL, 0}, NULL), GT_OK);
    }
    arena_free(arena);
    close_in(store, folder);
}

struct each_row {
    const char *name;
    const char *keys; /* blank-separated, in the order in which they are put; "*" in one is LONG_SAME times 'x' */
    const char *prefix;
    const char *expected;
};

static const struct each_row eaches[] = {
    {"all, in key order", "b a c", "", "a b c"},
    {"a prefix", "ab aa b a", "a", "a aa ab"},
    {"a prefix that none has", "ab aa", "c", ""},
    {"a prefix that is longer than every key", "a b", "aaaa", ""},
    {"nothing there", "", "", ""},
    {"long keys with one beginning come in key order, not by digest", "*3 *1 *2 y", "*", "*1 *2 *3"},
    {"a long prefix tells long keys apart", "*31 *1 *32", "*3", "*31 *32"},
    {"alike to the fourth byte, and shorter than that", "abcd abc abce abcde ab abd aa", "a", "aa ab abc abcd abcde abce abd"},
    {"bytes above 127 come last", "\xff\x01 a \x80", "", "a \x80 \xff\x01"},
};

static struct gt_str expand(struct arena *arena, struct gt_str word)
{
    struct strbuf buf;
    strbuf_init(&buf, STORE_URL_MAX);
    for (size_t i = 0; i < word.len; i++) {
        if (word.ptr[i] != '*') strbuf_addc(&buf, word.ptr[i]);
        for (int j = 0; word.ptr[i] == '*' && j < LONG_SAME; j++) strbuf_addc(&buf, 'x');
    }
    struct gt_str text = arena_dup(arena, strbuf_str(&buf));
    strbuf_done(&buf);
    return text;
}

struct collected {
    struct store *store;
    struct strbuf text;
};

/* Also writes: no snapshot is open while the pairs are handed over. */
static enum gt_err collect(void *ctx, struct gt_str key, struct gt_str value)
{
    struct collected *collected = ctx;
    if (collected->text.len > 0) strbuf_addc(&collected->text, ' ');
    if (key.len > LONG_SAME) strbuf_addf(&collected->text, "*%.*s", (int)key.len - LONG_SAME, key.ptr + LONG_SAME);
    else strbuf_add(&collected->text, key);
    return store_put(collected->store, NULL, STORE_OUTBOX, key, value, NULL);
}

static void check_each(void **state)
{
    const struct each_row *row = *state;
    char folder[64];
    struct collected collected = {.store = open_in(folder)};
    struct arena *arena = arena_new(FIXTURE_ARENA_MAX);
    struct gt_str rest = gt_str_from(row->keys), word;
    strbuf_init(&collected.text, 4096);
    while (gt_str_split(&rest, ' ', &word))
        assert_int_equal(store_put(collected.store, NULL, STORE_PAGES, expand(arena, word), GT_STR("v"), NULL), GT_OK);
    assert_int_equal(
        store_each(collected.store, NULL, STORE_PAGES, expand(arena, gt_str_from(row->prefix)), arena, collect, &collected, NULL),
        GT_OK);
    assert_str(strbuf_str(&collected.text), row->expected);
    strbuf_done(&collected.text);
    arena_free(arena);
    close_in(collected.store, folder);
}

/* ---- changes by time, the rows of runs, sample data ---- */

struct range_row {
    const char *name;
    int64_t since, until;
    size_t changes, runs;
};

/* One price change an hour, ten of them. */
static const struct range_row ranges[] = {
    {"all", INT64_MIN, INT64_MAX, 10, 10}, {"the last is left out", 0, 10 * 3600, 9, 9}, {"the first is in", 3600, 3601, 1, 1},
    {"between two", 3601, 7199, 0, 0},     {"turned round", 7200, 3600, 0, 0},           {"before 1970", -100, 0, 0, 0},
};

static enum gt_err count_change(void *ctx, const struct change *change)
{
    size_t *count = ctx;
    assert_true(change->identity != NULL && change->attributes != NULL && change->after != NULL);
    assert_true((change->before == NULL) == (change->kind == CHANGE_APPEARED));
    (*count)++;
    return GT_OK;
}

static enum gt_err count_run(void *ctx, const struct run_row *row)
{
    size_t *count = ctx;
    assert_str(row->site, "jygpu");
    assert_str(row->site_title, "极智算");
    assert_str(row->part, "page");
    assert_str(row->url, "https://x/");
    assert_int_equal(row->http_code, 200);
    assert_int_equal(row->offers_seen, 1);
    assert_int_equal(row->latency_ms, 12);
    (*count)++;
    return GT_OK;
}

static void check_range(void **state)
{
    const struct range_row *row = *state;
    char folder[64];
    size_t changes = 0, runs = 0;
    bool is_sample = false;
    struct store_stat stat;
    struct store *store = open_in(folder);
    struct arena *arena = arena_new(FIXTURE_ARENA_MAX);
    for (int i = 1; i <= 10; i++) {
        struct offer offer = offer_of(arena, GT_STR("page"), 0, (struct shape){.price_cents = 1000 + i});
        struct run_part part = {.name = GT_STR("page"),
                                .status = STATUS_OK,
                                .offers = &offer,
                                .offer_count = 1,
                                .http_code = 200,
                                .url = GT_STR("https://x/"),
                                .is_full_fetch = true};
        struct run_input run = run_of(&part, 1, i * 3600);
        run.is_sample = i == 7;
        assert_int_equal(store_run_commit(store, &run, NULL, NULL, arena, NULL, NULL), GT_OK);
        assert_int_equal(store_is_sample(store, &is_sample, NULL), GT_OK);
        assert_true(is_sample == (i >= 7));
    }
    assert_int_equal(store_changes(store, row->since, row->until, arena, count_change, &changes, NULL), GT_OK);
    assert_int_equal(store_runs(store, row->since, row->until, arena, count_run, &runs, NULL), GT_OK);
    assert_int_equal(store_stat(store, &stat, NULL), GT_OK);
    assert_int_equal(changes, row->changes);
    assert_int_equal(runs, row->runs);
    assert_int_equal(stat.changes, 10);
    assert_int_equal(stat.runs, 10);
    assert_int_equal(stat.spans, 10);
    assert_int_equal(stat.format_version, STORE_FORMAT_VERSION);
    assert_true(stat.first_run_unix_s == 3600 && stat.last_run_unix_s == 36000);
    arena_free(arena);
    close_in(store, folder);
}

/* ---- an unchanged run ---- */

struct quiet_row {
    const char *name;
    enum part_status status; /* of 50 runs after the first */
    bool moves_stock;
    uint64_t stock_rows;
};

static const struct quiet_row quiets[] = {
    {"equal pages write run rows only", STATUS_OK, false, 1},
    {"304s write run rows only", STATUS_UNCHANGED, false, 1},
    {"stock counts start no spans", STATUS_OK, true, 51},
};

struct table_count {
    uint64_t entries[DB_TABLES];
};

static struct table_count count_tables(struct store *store)
{
    struct table_count count;
    struct db_txn *txn;
    assert_int_equal(db_read_begin(store->db, &txn, NULL), GT_OK);
    for (int i = 0; i < DB_TABLES; i++) count.entries[i] = db_count(txn, (enum db_table)i);
    assert_int_equal(db_read_end(txn), GT_OK);
    return count;
}

static void check_quiet(void **state)
{
    const struct quiet_row *row = *state;
    char folder[64];
    struct store *store = open_in(folder);
    struct arena *arena = arena_new(FIXTURE_ARENA_MAX);
    struct offer offers[3];
    struct table_count before = {{0}}, after;
    struct store_stat stat_before = {0}, stat;
    for (int i = 0; i <= 50; i++) {
        for (int k = 0; k < 3; k++) {
            offers[k] = offer_of(arena, GT_STR("page"), k, (struct shape){.price_cents = 1000 + k});
            offers[k].stock = row->moves_stock ? i : 4;
        }
        struct run_part part = {
            .name = GT_STR("page"), .status = i == 0 ? STATUS_OK : row->status, .offers = offers, .is_full_fetch = true};
        part.offer_count = part.status == STATUS_OK ? 3 : 0;
        digest_of((uint64_t)i, part.body_sha256);
        struct run_input run = run_of(&part, 1, i * 3600);
        assert_int_equal(store_run_commit(store, &run, NULL, NULL, arena, NULL, NULL), GT_OK);
        if (i == 0) before = count_tables(store);
        if (i == 0) assert_int_equal(store_stat(store, &stat_before, NULL), GT_OK);
    }
    after = count_tables(store);
    assert_int_equal(store_stat(store, &stat, NULL), GT_OK);
    for (int i = 0; i < DB_TABLES; i++) {
        if (i == DB_STOCKS) assert_int_equal(after.entries[i], row->stock_rows);
        else assert_int_equal(after.entries[i], before.entries[i]);
    }
    assert_int_equal(stat.spans, stat_before.spans);
    assert_int_equal(stat.changes, stat_before.changes);
    arena_free(arena);
    close_in(store, folder);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(keys, check_key) + TABLE_RUN(eaches, check_each) + TABLE_RUN(ranges, check_range) +
           TABLE_RUN(quiets, check_quiet);
}
