/* Damaged files: single bits turned, ends cut off, pages swapped or zeroed. Each is found by `db check`, or changes nothing
 * that a reader can see; and whatever a damaged file does to the process that reads it, that process is a child. Arguments:
 * flips that must be found (200), until when others are turned that hit what is free, and seed (1). */
#include "../table.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

#include "common/digest.h"
#include "common/strbuf.h"
#include "fixture.h"

enum { FLIPS = 200, OTHERS = 60, TURNS_MAX = 100 /* for each that is found */, RUNS = 60, OFFERS = 30, PAGE = 4096, READER_S_MAX = 20 };

/* What a reader can see, as one digest. */
struct dump {
    struct strbuf text;
    struct arena *arena;
};

static void add_offer(struct dump *dump, const struct offer *offer)
{
    strbuf_add(&dump->text, offer->identity.label);
    strbuf_addf(&dump->text, " %lld %d %lld %zu %d;", (long long)offer->record.hour_list_nano, (int)offer->record.availability,
                (long long)offer->stock, offer->record.discount_count, offer->attributes.cards);
    for (size_t i = 0; i < offer->record.quote_count; i++) strbuf_add(&dump->text, offer->record.quotes[i].raw);
}

static enum gt_err dump_board(void *ctx, const struct board_row *row)
{
    struct dump *dump = ctx;
    add_offer(dump, &row->offer);
    strbuf_addf(&dump->text, "%llu %lld %lld %lld %d %d %lld\n", (unsigned long long)row->offer_id, (long long)row->since_unix_s,
                (long long)row->seen_unix_s, (long long)row->site_good_unix_s, row->is_doubted, row->is_listed,
                (long long)row->warc_offset);
    strbuf_add(&dump->text, row->doubt);
    strbuf_add(&dump->text, row->site_title);
    strbuf_add(&dump->text, row->url);
    strbuf_add(&dump->text, row->warc_file);
    return GT_OK;
}

static enum gt_err dump_history(void *ctx, const struct history_row *row)
{
    struct dump *dump = ctx;
    add_offer(dump, &row->offer->offer);
    strbuf_addf(&dump->text, "%llu %llu %u %d %d %d\n", (unsigned long long)row->first_seq, (unsigned long long)row->last_seq,
                row->observations, row->is_doubted, row->is_open, row->is_voided);
    return GT_OK;
}

static enum gt_err dump_change(void *ctx, const struct change *change)
{
    struct dump *dump = ctx;
    strbuf_addf(&dump->text, "%lld %llu %d %llu ", (long long)change->t_unix_s, (unsigned long long)change->seq,
                (int)change->kind, (unsigned long long)change->offer_id);
    strbuf_add(&dump->text, change->detail);
    return GT_OK;
}

static enum gt_err dump_run(void *ctx, const struct run_row *row)
{
    struct dump *dump = ctx;
    strbuf_addf(&dump->text, "%llu %lld %lld %d %d %d\n", (unsigned long long)row->seq, (long long)row->start_unix_s,
                (long long)row->latency_ms, (int)row->status, row->http_code, row->offers_seen);
    strbuf_add(&dump->text, row->reason);
    return GT_OK;
}

static enum gt_err dump_pair(void *ctx, struct gt_str key, struct gt_str value)
{
    struct dump *dump = ctx;
    strbuf_add(&dump->text, key);
    strbuf_add(&dump->text, value);
    return GT_OK;
}

/* Reads everything; its digest, or an error. */
static enum gt_err dump_all(const char *folder, uint8_t digest[SHA256_BYTES])
{
    struct store *store = NULL;
    struct dump dump = {.arena = arena_new(FIXTURE_ARENA_MAX)};
    struct gt_str none = {NULL, 0};
    strbuf_init(&dump.text, 64 << 20);
    enum gt_err err = store_open(folder, STORE_READ, &store, NULL);
    for (int64_t at = 10; err == GT_OK && at <= RUNS + 10; at += 20)
        err = store_board(store, at > RUNS ? INT64_MAX : at * 3600, dump.arena, dump_board, &dump, NULL);
    if (err == GT_OK) err = store_history(store, INT64_MIN, INT64_MAX, dump.arena, dump_history, &dump, NULL);
    if (err == GT_OK) err = store_changes(store, INT64_MIN, INT64_MAX, dump.arena, dump_change, &dump, NULL);
    if (err == GT_OK) err = store_runs(store, INT64_MIN, INT64_MAX, dump.arena, dump_run, &dump, NULL);
    for (int table = STORE_VALIDATORS; err == GT_OK && table <= STORE_META; table++)
        err = store_each(store, NULL, (enum store_table)table, none, dump.arena, dump_pair, &dump, NULL);
    if (err == GT_OK) err = digest_sha256(strbuf_str(&dump.text), digest);
    store_close(store);
    strbuf_done(&dump.text);
    arena_free(dump.arena);
    return err;
}

/* The same in a child. False when it fails, crashes or does not end. */
static bool dump_in_child(const char *folder, uint8_t digest[SHA256_BYTES])
{
    int ends[2], status = 0;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        fixture_settle_child();
        alarm(READER_S_MAX);
        bool is_read = dump_all(folder, digest) == GT_OK;
        _exit(is_read && write(ends[1], digest, SHA256_BYTES) == SHA256_BYTES ? 0 : 1);
    }
    close(ends[1]);
    ssize_t n = read(ends[0], digest, SHA256_BYTES);
    close(ends[0]);
    waitpid(child, &status, 0);
    return n == SHA256_BYTES && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* ---- the store that is damaged ---- */

static void commit_number(struct store *store, int number, struct arena *arena)
{
    struct offer offers[OFFERS];
    struct run_part part = {.name = GT_STR("page"),
                            .status = number % 11 == 5 ? STATUS_FAILED : STATUS_OK,
                            .is_full_fetch = true,
                            .offers = offers,
                            .url = GT_STR("https://x/"),
                            .warc_file = GT_STR("a.warc.gz"),
                            .warc_offset = number * 100};
    for (int k = 0; k < OFFERS; k++) {
        struct shape shape = {.price_cents = 1000 + k * 10 + (number + k) / 9 % 5, .cards = 1};
        if (number == 20 && k == 3) shape.price_cents *= 8;
        if ((number + k) % 25 == 0) continue;
        offers[part.offer_count] = offer_of(arena, part.name, k, shape);
        offers[part.offer_count++].stock = (number + k) / 7 % 4;
    }
    if (part.status != STATUS_OK) part.offer_count = 0;
    if (part.status != STATUS_OK) part.reason = GT_STR("connection refused");
    digest_of((uint64_t)number, part.body_sha256);
    part.record_id = arena_printf(arena, "urn:uuid:00000000-0000-4000-8000-%012d", number);
    struct run_input run = run_of(&part, 1, number * 3600);
    struct crawl_input crawl = {.start_unix_s = number * 3600, .end_unix_s = number * 3600 + 9, .sites_ok = 1};
    assert_int_equal(store_run_commit(store, &run, NULL, NULL, arena, NULL, NULL), GT_OK);
    assert_int_equal(store_crawl_commit(store, &crawl, NULL, NULL, NULL), GT_OK);
    assert_int_equal(store_put(store, NULL, STORE_VALIDATORS, text_of(arena, "https://x/", number % 5), part.record_id, NULL),
                     GT_OK);
}

static void make_store(const char *folder, bool is_packed)
{
    struct store *store = NULL;
    struct arena *arena = arena_new(FIXTURE_ARENA_MAX);
    assert_int_equal(store_open(folder, STORE_WRITE, &store, NULL), GT_OK);
    for (int number = 1; number <= RUNS; number++) commit_number(store, number, arena);
    store_close(store);
    arena_free(arena);
    if (is_packed) fixture_pack(folder);
}

/* ---- damage ---- */

struct victim {
    char folder[64];
    int fd;
    off_t bytes;
    char *whole; /* the file as it was */
    uint8_t digest[SHA256_BYTES];
    uint64_t random;
};

/* Changes the file; undone by writing `whole` again. */
typedef void damage_fn(struct victim *victim);

static void flip_bit(struct victim *victim)
{
    char byte;
    off_t at = (off_t)(random_next(&victim->random) % (uint64_t)victim->bytes);
    assert_int_equal(pread(victim->fd, &byte, 1, at), 1);
    byte = (char)(byte ^ 1 << random_below(&victim->random, 8));
    assert_int_equal(pwrite(victim->fd, &byte, 1, at), 1);
}

static void cut_file(struct victim *victim)
{
    assert_int_equal(ftruncate(victim->fd, (off_t)(random_next(&victim->random) % (uint64_t)victim->bytes)), 0);
}

static off_t random_page(struct victim *victim)
{
    return (off_t)random_below(&victim->random, (int)(victim->bytes / PAGE)) * PAGE;
}

static void zero_page(struct victim *victim)
{
    static const char zero[PAGE];
    assert_int_equal(pwrite(victim->fd, zero, PAGE, random_page(victim)), PAGE);
}

static void swap_pages(struct victim *victim)
{
    off_t a = random_page(victim), b = random_page(victim);
    assert_int_equal(pwrite(victim->fd, victim->whole + a, PAGE, b), PAGE);
    assert_int_equal(pwrite(victim->fd, victim->whole + b, PAGE, a), PAGE);
}

static void restore(struct victim *victim)
{
    assert_int_equal(ftruncate(victim->fd, victim->bytes), 0);
    assert_int_equal(pwrite(victim->fd, victim->whole, (size_t)victim->bytes, 0), (ssize_t)victim->bytes);
}

struct damage_row {
    const char *name;
    damage_fn *damage;
    int times; /* that it is done; of single bits, that it is found */
    uint64_t seed;
    bool is_packed;
};

static void victim_open(struct victim *victim, bool is_packed)
{
    char path[128];
    fixture_folder(victim->folder);
    make_store(victim->folder, is_packed);
    snprintf(path, sizeof path, "%s/data.mdb", victim->folder);
    victim->fd = open(path, O_RDWR | O_CLOEXEC);
    victim->bytes = lseek(victim->fd, 0, SEEK_END);
    victim->whole = malloc((size_t)victim->bytes);
    assert_int_equal(pread(victim->fd, victim->whole, (size_t)victim->bytes, 0), (ssize_t)victim->bytes);
    assert_true(dump_in_child(victim->folder, victim->digest));
}

/* True when the damage was found; fails the test when it was not and shows. */
static bool look(struct victim *victim, const char *what, int number)
{
    size_t findings = 0;
    uint8_t digest[SHA256_BYTES];
    if (store_check(victim->folder, NULL, NULL, &findings, NULL) != GT_OK) return true;
    assert_int_equal(findings, 0);
    bool same = dump_in_child(victim->folder, digest) && memcmp(digest, victim->digest, sizeof digest) == 0;
    if (!same) print_error("%s, number %d: not found, and readers see something else\n", what, number);
    assert_true(same);
    return false;
}

static void check_damage(void **state)
{
    const struct damage_row *row = *state;
    struct victim victim = {.random = row->seed * 0x9E3779B97F4A7C15ULL + 1};
    int found = 0, done = 0;
    victim_open(&victim, row->is_packed);
    while ((row->damage == flip_bit ? found : done) < row->times && done < row->times * TURNS_MAX) {
        row->damage(&victim);
        found += look(&victim, row->name, done++);
        restore(&victim);
    }
    assert_false(look(&victim, "the file as it was", 0));
    print_message("# %s: %d times in %lld KiB, %d found, the rest harmless\n", row->name, done,
                  (long long)victim.bytes / 1024, found);
    assert_true(found > done / 20);
    close(victim.fd);
    free(victim.whole);
    fixture_remove(victim.folder);
}

int main(int argc, char **argv)
{
    int flips = argc > 1 ? atoi(argv[1]) : FLIPS;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    struct damage_row rows[] = {{"a bit turned", flip_bit, flips, seed, false},
                                {"a bit turned in a packed store", flip_bit, flips / 2, seed, true},
                                {"the end cut off", cut_file, flips * OTHERS / FLIPS, seed, false},
                                {"a page zeroed", zero_page, flips * OTHERS / FLIPS, seed, false},
                                {"a page zeroed in a packed store", zero_page, flips * OTHERS / FLIPS, seed, true},
                                {"two pages swapped", swap_pages, flips * OTHERS / FLIPS, seed, false}};
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(rows, check_damage);
}
