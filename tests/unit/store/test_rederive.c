/* Deriving anew over histories drawn at random: cards become others in every run, nothing else does, and deriving back gives the
 * first history again, byte for byte. */
#include "../table.h"

#include "common/strbuf.h"
#include "fixture.h"
#include "store/rederive.h"

enum { OFFERS = 14, STREAMS = 3, RUNS = 160, MOMENTS = 9, DUMP_MAX = 8 * 1024 * 1024 };

struct history_case {
    const char *name;
    uint64_t seed;
    bool is_packed;
};

static const struct history_case histories[] = {
    {"a history", 3, false},   {"another", 17, false},     {"a third", 99, false},
    {"a fourth", 1234, false}, {"a fifth", 424242, false}, {"a packed one", 4711, true},
};

struct past {
    char folder[64];
    struct store *store;
    struct arena *arena;
    uint64_t random;
    int64_t now;
    struct shape shapes[STREAMS][OFFERS];
    struct gt_errinfo info;
};

/* What label k means in the catalogue's version v: a card, another card, or none. */
static const char *card_of(int k, int version)
{
    static const char *const cards[] = {"NVIDIA-RTX-4090", "", "NVIDIA-H800-80G"};
    return k % 5 == 0 ? cards[0] : cards[(k + version) % 3];
}

/* Derives by the version in *ctx; some records' list price follows from it. */
static bool derive(void *ctx, struct gt_str site, struct offer *offer, struct arena *arena)
{
    const int *version = ctx;
    int k = k_of(&offer->identity);
    const char *card = card_of(k, *version);
    assert_true(gt_str_is(site, "jygpu") || gt_str_is(site, "gongji"));
    if (*version < 0) offer->attributes.sku_status = (enum sku_status)99;
    if (*version >= 0 && strcmp(offer->attributes.sku, card) == 0) return false;
    snprintf(offer->attributes.sku, SKU_NAME_MAX, "%s", card);
    if (*version >= 0) offer->attributes.sku_status = card[0] != '\0' ? SKU_EXACT : SKU_UNMAPPED;
    offer->attributes.candidates = arena_printf(arena, "%s", card);
    if (offer->record.quote_count > 0)
        offer->record.hour_list_nano = offer->record.quotes[0].amount_nano + (card[0] == '\0' ? NANO / 1000 : 0);
    return true;
}

/* ---- a history ---- */

static void move(struct past *past, struct shape *shape)
{
    if (shape->price_cents == 0) *shape = (struct shape){.price_cents = 200 + random_below(&past->random, 400), .cards = 1};
    else if (random_below(&past->random, 8) == 0) shape->price_cents = 0;
    else if (random_below(&past->random, 6) == 0) shape->price_cents *= 8;
    else if (random_below(&past->random, 6) == 0) shape->cards = (uint8_t)(1 + random_below(&past->random, 3));
    else shape->price_cents += random_below(&past->random, 30) - 12;
    if (shape->price_cents < 0 || shape->price_cents > 90000) shape->price_cents = 150;
}

/* As a page's reader derives: from nothing. */
static void derive_first(struct past *past, int version, struct offer *offer)
{
    offer->attributes.sku[0] = '?';
    derive(&version, GT_STR("jygpu"), offer, past->arena);
}

static size_t draw_page(struct past *past, int s, struct gt_str part, struct offer *offers)
{
    size_t count = 0;
    for (int i = random_below(&past->random, 4); i > 0; i--) move(past, &past->shapes[s][random_below(&past->random, OFFERS)]);
    for (int k = 0; k < OFFERS; k++) {
        if (past->shapes[s][k].price_cents == 0) continue;
        offers[count] = offer_of(past->arena, part, k, past->shapes[s][k]);
        derive_first(past, 0, &offers[count++]);
    }
    return count;
}

static void run_one(struct past *past)
{
    static const enum part_status statuses[] = {STATUS_OK, STATUS_OK, STATUS_OK, STATUS_OK, STATUS_UNCHANGED, STATUS_FAILED};
    struct offer offers[OFFERS];
    int s = random_below(&past->random, STREAMS);
    struct run_part part = {.name = s == 2 ? GT_STR("b") : GT_STR("a"), .is_full_fetch = random_below(&past->random, 4) > 0};
    part.status = statuses[random_below(&past->random, 6)];
    if (part.status == STATUS_OK) {
        part.offer_count = draw_page(past, s, part.name, offers);
        part.offers = offers;
    }
    past->now += 1800 + random_below(&past->random, 3600);
    digest_of((uint64_t)past->now, part.body_sha256);
    struct run_input run = run_of(&part, 1, past->now);
    if (s == 1) run.site = GT_STR("gongji");
    if (store_run_commit(past->store, &run, NULL, NULL, past->arena, NULL, &past->info) != GT_OK) fail_msg("%s", past->info.text);
    /* An operator's word now and then; most offers have no doubt to speak of. */
    uint64_t offer = (uint64_t)(1 + random_below(&past->random, OFFERS * STREAMS));
    if (random_below(&past->random, 5) == 0) store_release(past->store, offer, past->now, GT_STR("right"), NULL);
    if (random_below(&past->random, 7) == 0)
        store_void(past->store, offer, (uint64_t)(1 + random_below(&past->random, RUNS)), past->now, GT_STR("wrong"), NULL);
    arena_clear(past->arena);
}

/* ---- everything that a reader sees, as text ---- */

struct dump {
    struct strbuf text;
    bool has_cards; /* cards and what follows from them are written, too */
    int version;    /* … and must be those of this version; -1: any */
};

static void dump_offer(struct dump *dump, const struct gt_str site, const struct offer_identity *identity,
                       const struct offer_attributes *attributes, const struct offer_record *record)
{
    strbuf_addf(&dump->text, " %.*s/%.*s/%.*s", GT_STR_ARG(site), GT_STR_ARG(identity->part), GT_STR_ARG(identity->label));
    if (record != NULL && record->quote_count > 0)
        strbuf_addf(&dump->text, " %lld", (long long)record->quotes[0].amount_nano);
    if (attributes == NULL) return;
    strbuf_addf(&dump->text, " c%d", (int)attributes->cards);
    if (dump->version >= 0) assert_string_equal(attributes->sku, card_of(k_of(identity), dump->version));
    if (dump->has_cards)
        strbuf_addf(&dump->text, " %s(%.*s) %lld", attributes->sku, GT_STR_ARG(attributes->candidates),
                    record != NULL ? (long long)record->hour_list_nano : 0);
}

static enum gt_err dump_board(void *ctx, const struct board_row *row)
{
    struct dump *dump = ctx;
    dump_offer(dump, row->site, &row->offer.identity, &row->offer.attributes, &row->offer.record);
    strbuf_addf(&dump->text, " %lld %lld %d%d %.*s\n", (long long)row->since_unix_s, (long long)row->seen_unix_s, row->is_doubted,
                row->is_listed, GT_STR_ARG(row->doubt));
    return GT_OK;
}

static enum gt_err dump_span(void *ctx, const struct history_row *row)
{
    struct dump *dump = ctx;
    dump_offer(dump, row->offer->site, &row->offer->offer.identity, &row->offer->offer.attributes, &row->offer->offer.record);
    strbuf_addf(&dump->text, " %llu-%llu x%u %d%d%d\n", (unsigned long long)row->first_seq, (unsigned long long)row->last_seq,
                row->observations, row->is_doubted, row->is_open, row->is_voided);
    return GT_OK;
}

static enum gt_err dump_change(void *ctx, const struct change *change)
{
    struct dump *dump = ctx;
    strbuf_addf(&dump->text, "%llu %d", (unsigned long long)change->seq, (int)change->kind);
    if (change->identity != NULL)
        dump_offer(dump, change->site, change->identity, change->attributes, change->after != NULL ? change->after : change->before);
    strbuf_addf(&dump->text, " %.*s\n", GT_STR_ARG(change->detail));
    return GT_OK;
}

static void finding(void *ctx, struct gt_str sentence)
{
    (void)ctx;
    print_error("%.*s\n", GT_STR_ARG(sentence));
}

/* Boards at several moments, spans and changes; and the store is clean. */
static void dump_all(struct past *past, struct dump *dump)
{
    size_t findings = 0;
    strbuf_init(&dump->text, DUMP_MAX);
    for (int64_t i = 0; i <= MOMENTS; i++)
        assert_int_equal(store_board(past->store, past->now * i / MOMENTS, past->arena, dump_board, dump, NULL), GT_OK);
    assert_int_equal(store_history(past->store, 0, INT64_MAX, past->arena, dump_span, dump, NULL), GT_OK);
    assert_int_equal(store_changes(past->store, 0, INT64_MAX, past->arena, dump_change, dump, NULL), GT_OK);
    assert_int_equal(dump->text.err, GT_OK);
    assert_true(dump->text.len > 10000);
    assert_int_equal(store_check(past->folder, finding, NULL, &findings, NULL), GT_OK);
    assert_int_equal(findings, 0);
    arena_clear(past->arena);
}

static void assert_same(struct dump *a, struct dump *b)
{
    struct gt_str left = strbuf_str(&a->text), right = strbuf_str(&b->text), x, y;
    while (gt_str_split(&left, '\n', &x) && gt_str_split(&right, '\n', &y))
        if (!gt_str_eq(x, y)) fail_msg("was \"%.*s\", is \"%.*s\"", GT_STR_ARG(x), GT_STR_ARG(y));
    assert_true(gt_str_eq(strbuf_str(&a->text), strbuf_str(&b->text)));
    strbuf_done(&b->text);
}

/* ---- the checks ---- */

static uint64_t rederive(struct past *past, int version, uint64_t *ret_runs)
{
    const struct rederived *list = NULL;
    size_t count = 0;
    struct rederive_counts counts = {0};
    enum gt_err err = store_rederive(past->store, derive, &version, past->arena, &list, &count, &counts, &past->info);
    if (err != GT_OK) fail_msg("%s", past->info.text);
    uint64_t offers = 0;
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(list[i].after.sku, card_of(k_of(&list[i].identity), version));
        assert_string_not_equal(list[i].after.sku, list[i].before.sku);
        offers += i == 0 || list[i].offer_id != list[i - 1].offer_id;
    }
    assert_int_equal(counts.changed, offers);
    *ret_runs = counts.runs;
    arena_clear(past->arena);
    return counts.changed;
}

static void open_past(struct past *past, uint64_t seed)
{
    *past = (struct past){.random = seed, .arena = arena_new(FIXTURE_ARENA_MAX)};
    fixture_folder(past->folder);
    if (store_open(past->folder, STORE_WRITE, &past->store, &past->info) != GT_OK) fail_msg("%s", past->info.text);
    for (int s = 0; s < STREAMS; s++)
        for (int k = 0; k < OFFERS; k++) past->shapes[s][k] = (struct shape){.price_cents = 300 + 10 * k, .cards = 1};
    for (int i = 0; i < RUNS; i++) run_one(past);
}

static void pack_past(struct past *past)
{
    store_close(past->store);
    fixture_pack(past->folder);
    if (store_open(past->folder, STORE_WRITE, &past->store, &past->info) != GT_OK) fail_msg("%s", past->info.text);
}

static void close_past(struct past *past)
{
    store_close(past->store);
    fixture_remove(past->folder);
    arena_free(past->arena);
}

static void check_history(void **state)
{
    const struct history_case *row = *state;
    struct past past;
    struct dump first = {.has_cards = true, .version = 0}, plain = {.version = 0}, now = {.version = 1}, back = first;
    uint64_t runs = 0;
    open_past(&past, row->seed);
    dump_all(&past, &first);
    dump_all(&past, &plain);
    if (row->is_packed) pack_past(&past);
    assert_int_equal(rederive(&past, 0, &runs), 0);
    assert_int_equal(runs, 0);
    assert_true(rederive(&past, 1, &runs) > 5);
    assert_true(runs > 5);
    dump_all(&past, &now);
    assert_same(&plain, &now);
    assert_int_equal(rederive(&past, 1, &runs), 0);
    assert_int_equal(runs, 0);
    rederive(&past, 0, &runs);
    dump_all(&past, &back);
    assert_same(&first, &back);
    strbuf_done(&first.text);
    strbuf_done(&plain.text);
    close_past(&past);
}

/* A derivation that the store cannot keep: told, and nothing is written. */
static void check_failure(void **state)
{
    struct past past;
    struct dump first = {.has_cards = true, .version = 0}, after = first;
    const struct rederived *list = NULL;
    size_t count = 77;
    struct rederive_counts counts = {.runs = 77};
    struct gt_errinfo info = {0};
    int version = -1;
    open_past(&past, 5);
    dump_all(&past, &first);
    assert_int_equal(store_rederive(past.store, derive, &version, past.arena, &list, &count, &counts, &info), GT_EUSAGE);
    assert_true(info.text[0] != '\0');
    assert_int_equal(count, 77);
    assert_int_equal(counts.runs, 77);
    dump_all(&past, &after);
    assert_same(&first, &after);
    strbuf_done(&first.text);
    close_past(&past);
    (void)state;
}

/* The next page read by the new rules tells nothing: what was derived anew is what it derives. */
static void check_next(void **state)
{
    struct past past;
    struct offer offers[OFFERS];
    struct run_summary summary;
    uint64_t runs;
    int version = 1;
    open_past(&past, 8);
    /* A good page, twice, so that no doubt is open. */
    for (int pass = 0; pass < 2; pass++) {
        struct run_part part = {.name = GT_STR("a"), .status = STATUS_OK, .is_full_fetch = true, .offers = offers};
        if (pass == 1) rederive(&past, version, &runs);
        for (int k = 0; k < OFFERS; k++) {
            offers[k] = offer_of(past.arena, part.name, 100 + k, (struct shape){.price_cents = 300 + k, .cards = 1});
            derive_first(&past, pass == 1 ? version : 0, &offers[k]);
        }
        part.offer_count = OFFERS;
        past.now += 3600;
        digest_of((uint64_t)past.now, part.body_sha256);
        struct run_input run = run_of(&part, 1, past.now);
        assert_int_equal(store_run_commit(past.store, &run, NULL, NULL, past.arena, &summary, &past.info), GT_OK);
    }
    assert_int_equal(summary.changes, 0);
    assert_int_equal(summary.spans_opened, 0);
    close_past(&past);
    (void)state;
}

static const struct {
    const char *name;
} failures[] = {{"a derivation that cannot be kept writes nothing"}}, nexts[] = {{"the next page finds what it derives itself"}};

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(histories, check_history) + TABLE_RUN(failures, check_failure) + TABLE_RUN(nexts, check_next);
}
