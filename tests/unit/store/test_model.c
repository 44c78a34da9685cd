/* The store against the plainest history there is. Random runs of several streams (price moves, absence, failures, doubts,
 * clock jumps, operator's actions, runs committed twice, the log packed); after each the board is compared, now and at a random moment, and
 * now and then the whole history. How often each thing happens is drawn for each world: what needs three rare things in a row is common in
 * some. Arguments: operations (2,400) and seed (1); a failed world's seed alone gives that world again. */
#include "../table.h"

#include "naive_judge.h"
#include "store/prices.h"

enum {
    OPERATIONS = 2400,
    WORLD_OPERATIONS = 2000, /* a world's at most: looking at all observations is quadratic */
    BOARD_ROWS_MAX = NAIVE_STREAMS * NAIVE_OFFERS * 2,
    HISTORY_EVERY = 97,
    REOPEN_EVERY = 211,
    PAST = 3,
    PACK_EVERY = 97,
    CHECK_EVERY = 251
};

/* Things that happen once in so many times. */
enum habit {
    HABIT_UNIT,    /* a moved offer has other cards, whatever else moved */
    HABIT_BACK,    /* it shows what it showed some moves ago */
    HABIT_LEAVE,   /* it goes */
    HABIT_HALF,    /* half of a page goes */
    HABIT_TWIN,    /* an identity stands there twice */
    HABIT_STILL,   /* nothing of a page moves */
    HABIT_ODD,     /* a run is another one than a good one */
    HABIT_HEADER,  /* a page was not fetched in full */
    HABIT_SECOND,  /* two runs begin in one second */
    HABIT_PAST,    /* the clock is set back */
    HABIT_RELEASE, /* a person releases, */
    HABIT_VOID,    /* or voids */
    HABITS
};

static const int habits_usual[HABITS] = {12, 8, 6, 40, 150, 3, 4, 6, 15, 30, 30, 40};

struct world {
    char folder[64];
    struct store *store;
    struct arena *arena; /* one operation's */
    struct naive_stream streams[NAIVE_STREAMS];
    struct shape shapes[NAIVE_STREAMS][NAIVE_OFFERS]; /* what the pages show today; price 0: not there */
    struct shape past[NAIVE_STREAMS][NAIVE_OFFERS][PAST]; /* and what they showed before, newest first */
    int64_t stocks[NAIVE_STREAMS][NAIVE_OFFERS];
    int habits[HABITS];
    int64_t now;
    uint64_t random;
    uint64_t pages; /* numbers for digests and positions */
    int titles;
    struct naive_view view;
    struct gt_errinfo info;
};

static int below(struct world *world, int limit)
{
    return random_below(&world->random, limit);
}

/* An hour, some days behind the clock's at most. A clock that was set back often stands before the first hour. */
static int64_t any_hour(struct world *world)
{
    int hours = (int)(world->now / 3600) + 100;
    return below(world, hours > 0 ? hours : 1);
}

/* One chance in `times`. */
static bool once_in(struct world *world, int times)
{
    return below(world, times) == 0;
}

static bool does(struct world *world, enum habit habit)
{
    return once_in(world, world->habits[habit]);
}

static struct gt_str site_of(const struct naive_stream *stream)
{
    return gt_str_from(stream->site);
}

/* ---- what pages show ---- */

static void move_shape(struct world *world, struct shape *shape)
{
    switch (below(world, 11)) {
    case 0: shape->price_cents = shape->price_cents * 6 + 7; break; /* a large move */
    case 1:
        shape->price_cents = shape->price_cents > 900 ? shape->price_cents / 8 : shape->price_cents + 1;
        break; /* often a unit slip */
    case 2: shape->availability = shape->availability == AVAIL_SOLD_OUT ? AVAIL_IN_STOCK : AVAIL_SOLD_OUT; break;
    case 3: shape->discount = (uint8_t)below(world, 9); break;
    case 4: shape->promo = !shape->promo; break;
    case 5: shape->raw = (uint8_t)below(world, 3); break;
    default: shape->price_cents += below(world, 21) - 10; break;
    }
    if (shape->price_cents < 20 || shape->price_cents > 200000) shape->price_cents = 100 + below(world, 900);
}

/* An offer that comes or moves may show what it showed some moves ago: what was doubted in between is over then. */
static void move_offer(struct world *world, int s, int k)
{
    struct shape *shape = &world->shapes[s][k], *past = world->past[s][k];
    struct shape again = past[below(world, PAST)], before = *shape;
    if (before.price_cents != 0 && does(world, HABIT_LEAVE)) shape->price_cents = 0;
    else if (again.price_cents != 0 && does(world, HABIT_BACK)) *shape = again;
    else if (before.price_cents == 0) *shape = (struct shape){.price_cents = 100 + below(world, 900), .availability = AVAIL_IN_STOCK};
    else move_shape(world, shape);
    if (does(world, HABIT_UNIT)) shape->cards = (uint8_t)(1 + below(world, 3));
    if (before.price_cents == 0) return;
    memmove(&past[1], &past[0], (PAST - 1) * sizeof *past);
    past[0] = before;
}

static void move_page(struct world *world, int s)
{
    int moves = below(world, 3);
    for (int i = 0; i < moves; i++) move_offer(world, s, below(world, NAIVE_OFFERS));
    if (does(world, HABIT_HALF))
        for (int k = 0; k < NAIVE_OFFERS; k++)
            if (once_in(world, 2)) world->shapes[s][k].price_cents = 0;
    if (once_in(world, 5)) world->stocks[s][below(world, NAIVE_OFFERS)] = below(world, 9);
}

/* The page as offers; now and then one identity stands there twice. */
static size_t draw_page(struct world *world, int s, struct offer *offers)
{
    size_t count = 0;
    struct gt_str part = gt_str_from(world->streams[s].part);
    for (int k = 0; k < NAIVE_OFFERS; k++) {
        if (world->shapes[s][k].price_cents == 0) continue;
        offers[count] = offer_of(world->arena, part, k, world->shapes[s][k]);
        offers[count++].stock = world->stocks[s][k];
        if (!does(world, HABIT_TWIN)) continue;
        struct shape twin = world->shapes[s][k];
        twin.price_cents += once_in(world, 2) ? 3 : 0;
        offers[count] = offer_of(world->arena, part, k, twin);
        offers[count++].stock = world->stocks[s][k];
    }
    return count;
}

/* ---- comparing ---- */

struct expected_row {
    const struct naive_stream *stream;
    int k;
    struct shape shape;
    int64_t since, seen, site_good, stock;
    bool is_doubted, is_listed;
    int title;
};

struct comparison {
    struct expected_row rows[BOARD_ROWS_MAX];
    size_t count, at;
    const char *what;
};

/* The stream that speaks for a site's part: read successfully last, live first, then by writer. */
static bool is_speaking(const struct world *world, int s, int64_t at_unix_s)
{
    const struct naive_stream *mine = &world->streams[s];
    int cut = naive_cut(mine, at_unix_s), good = naive_last(mine, cut, true);
    if (cut == 0) return false;
    for (int other = 0; other < NAIVE_STREAMS; other++) {
        const struct naive_stream *his = &world->streams[other];
        int his_cut = naive_cut(his, at_unix_s), his_good = naive_last(his, his_cut, true);
        if (other == s || his_cut == 0 || strcmp(mine->site, his->site) != 0 || strcmp(mine->part, his->part) != 0) continue;
        if ((good > 0) != (his_good > 0)) {
            if (his_good > 0) return false;
            continue;
        }
        int64_t my_t = good > 0 ? mine->runs[good].t : 0, his_t = his_good > 0 ? his->runs[his_good].t : 0;
        if (his_t > my_t) return false;
        if (his_t == my_t && (his->provenance < mine->provenance ||
                              (his->provenance == mine->provenance && strcmp(his->writer, mine->writer) < 0)))
            return false;
    }
    return true;
}

static void expect_offer(struct world *world, const struct naive_stream *stream, int k, int cut, struct comparison *comparison)
{
    struct naive_view *view = &world->view;
    naive_look(stream, k, cut, view);
    int standing = naive_standing(view), good = naive_last(stream, cut, true);
    struct expected_row row = {.stream = stream,
                               .k = k,
                               .title = naive_title(stream, cut),
                               .stock = naive_stock(stream, k, cut),
                               .site_good = good > 0 ? stream->runs[good].t : 0};
    for (int doubted = 0; doubted < 2; doubted++) {
        int span = doubted ? view->doubt : standing;
        if (span < 0) continue;
        row.shape = view->spans[span].shape;
        row.since = stream->runs[view->spans[span].first].t;
        row.seen = stream->runs[view->spans[span].last].t;
        row.is_doubted = doubted;
        row.is_listed = doubted || naive_is_listed(stream, k, cut, view);
        comparison->rows[comparison->count++] = row;
    }
}

static int expected_cmp(const void *left, const void *right)
{
    const struct expected_row *a = left, *b = right;
    char x[64], y[64];
    int order = strcmp(a->stream->site, b->stream->site);
    snprintf(x, sizeof x, "%d", a->k);
    snprintf(y, sizeof y, "%d", b->k);
    if (order == 0) order = strcmp(x, y);
    if (order == 0) order = strcmp(a->stream->part, b->stream->part);
    return order != 0 ? order : (int)a->is_doubted - (int)b->is_doubted;
}

static void print_row(const char *who, const struct expected_row *row)
{
    print_error("%s %s/%s k%d %d/%d/%d/%d/%d/%d since %lld seen %lld good %lld stock %lld%s%s title %d\n", who, row->stream->site,
                row->stream->part, row->k, row->shape.price_cents, row->shape.availability, row->shape.discount, row->shape.promo,
                row->shape.raw, row->shape.cards, (long long)row->since, (long long)row->seen, (long long)row->site_good,
                (long long)row->stock, row->is_doubted ? " doubted" : "", row->is_listed ? " listed" : "", row->title);
}

static enum gt_err compare_row(void *ctx, const struct board_row *got)
{
    struct comparison *comparison = ctx;
    if (comparison->at >= comparison->count) {
        print_error("%s: a row too many: %.*s\n", comparison->what, GT_STR_ARG(got->offer.identity.label));
        return GT_EINTERNAL;
    }
    const struct expected_row *row = &comparison->rows[comparison->at++];
    struct expected_row is = {.stream = row->stream,
                              .k = k_of(&got->offer.identity),
                              .shape = shape_of(&got->offer),
                              .since = got->since_unix_s,
                              .seen = got->seen_unix_s,
                              .site_good = got->site_good_unix_s,
                              .stock = got->offer.stock,
                              .is_doubted = got->is_doubted,
                              .is_listed = got->is_listed,
                              .title = atoi(got->site_title.ptr + 1)};
    bool same = is.k == row->k && same_record(is.shape, row->shape) && is.shape.cards == row->shape.cards &&
                is.since == row->since && is.seen == row->seen && is.site_good == row->site_good && is.stock == row->stock &&
                is.is_doubted == row->is_doubted && is.is_listed == row->is_listed && is.title == row->title &&
                gt_str_is(got->site, row->stream->site) && gt_str_is(got->offer.identity.part, row->stream->part) &&
                got->provenance == row->stream->provenance;
    if (same) return GT_OK;
    print_error("%s:\n", comparison->what);
    print_row("expected", row);
    print_row("got     ", &is);
    return GT_EINTERNAL;
}

static struct comparison *expect_board(struct world *world, int64_t at_unix_s, const char *what)
{
    static const size_t bytes = sizeof(struct comparison);
    struct comparison *comparison = arena_alloc(world->arena, bytes);
    comparison->what = what;
    for (int s = 0; s < NAIVE_STREAMS; s++) {
        const struct naive_stream *stream = &world->streams[s];
        int cut = naive_cut(stream, at_unix_s);
        if (!is_speaking(world, s, at_unix_s)) continue;
        for (int k = 0; k < NAIVE_OFFERS; k++) expect_offer(world, stream, k, cut, comparison);
    }
    qsort(comparison->rows, comparison->count, sizeof comparison->rows[0], expected_cmp);
    return comparison;
}

static enum gt_err compare_rows(void *ctx, struct board_row *rows, size_t count)
{
    enum gt_err err = GT_OK;
    for (size_t i = 0; i < count && err == GT_OK; i++) err = compare_row(ctx, &rows[i]);
    return err;
}

static void compare_board(struct world *world, int64_t at_unix_s, const char *what)
{
    struct comparison *comparison = expect_board(world, at_unix_s, what);
    enum gt_err err = store_board(world->store, at_unix_s, world->arena, compare_row, comparison, &world->info);
    if (err != GT_OK) print_error("board: %s\n", world->info.text);
    assert_int_equal(err, GT_OK);
    assert_int_equal(comparison->at, comparison->count);
}

/* Two moments from one reading: the second goes on where the first has come to. */
static void compare_two_boards(struct world *world, int64_t before_unix_s, int64_t at_unix_s)
{
    struct comparison *before = expect_board(world, before_unix_s, "board before"),
                      *now = expect_board(world, at_unix_s, "board after it");
    struct board_row *rows = NULL;
    size_t count = 0;
    enum gt_err err =
        store_board_rows(world->store, before_unix_s, compare_rows, before, at_unix_s, world->arena, &rows, &count, &world->info);
    if (err == GT_OK) err = compare_rows(now, rows, count);
    if (err != GT_OK) print_error("two boards: %s\n", world->info.text);
    assert_int_equal(err, GT_OK);
    assert_int_equal(before->at, before->count);
    assert_int_equal(now->at, now->count);
}

struct expected_span {
    const struct naive_stream *stream;
    struct naive_span span;
};

struct span_comparison {
    struct expected_span *spans;
    size_t count, at;
};

static int span_cmp(const void *left, const void *right)
{
    const struct expected_span *a = left, *b = right;
    struct expected_row x = {.stream = a->stream, .k = a->span.k}, y = {.stream = b->stream, .k = b->span.k};
    int order = expected_cmp(&x, &y);
    if (order == 0) order = (int)a->stream->provenance - (int)b->stream->provenance;
    /* Streams of one part come in the order in which they began. */
    if (order == 0 && a->stream != b->stream) order = a->stream->runs[1].seq < b->stream->runs[1].seq ? -1 : 1;
    return order != 0 ? order : a->span.first - b->span.first;
}

static enum gt_err compare_span(void *ctx, const struct history_row *got)
{
    struct span_comparison *comparison = ctx;
    if (comparison->at >= comparison->count) return GT_EINTERNAL;
    const struct expected_span *want = &comparison->spans[comparison->at++];
    const struct naive_run *runs = want->stream->runs;
    const struct naive_span *span = &want->span;
    bool same = k_of(&got->offer->offer.identity) == span->k && got->first_unix_s == runs[span->first].t &&
                got->last_unix_s == runs[span->last].t && got->first_seq == runs[span->first].seq &&
                got->last_seq == runs[span->last].seq && same_record(shape_of(&got->offer->offer), span->shape) &&
                shape_of(&got->offer->offer).cards == span->shape.cards && (int)got->observations == span->observations &&
                got->is_doubted == span->is_doubted && got->is_voided == span->is_voided && got->is_open == span->is_open;
    if (same) return GT_OK;
    print_error("%s/%s k%d: expected runs %d-%d (%llu-%llu) x%d%s%s%s cards %d price %d, got k%d (%llu-%llu) x%u%s%s%s cards %d "
                "price %d\n",
                want->stream->site, want->stream->part, span->k, span->first, span->last,
                (unsigned long long)runs[span->first].seq, (unsigned long long)runs[span->last].seq, span->observations,
                span->is_open ? " open" : "", span->is_doubted ? " doubted" : "", span->is_voided ? " void" : "",
                span->shape.cards, span->shape.price_cents, k_of(&got->offer->offer.identity), (unsigned long long)got->first_seq,
                (unsigned long long)got->last_seq, got->observations, got->is_open ? " open" : "",
                got->is_doubted ? " doubted" : "", got->is_voided ? " void" : "", shape_of(&got->offer->offer).cards,
                shape_of(&got->offer->offer).price_cents);
    return GT_EINTERNAL;
}

struct wanted {
    const struct naive_stream *stream;
    int k;
    uint64_t id;
};

static enum gt_err take_id(void *ctx, const struct history_row *row)
{
    struct wanted *wanted = ctx;
    if (k_of(&row->offer->offer.identity) == wanted->k && gt_str_is(row->offer->site, wanted->stream->site) &&
        gt_str_is(row->offer->offer.identity.part, wanted->stream->part))
        wanted->id = row->offer->offer_id;
    return GT_OK;
}

static uint64_t id_of(struct world *world, const struct naive_stream *stream, int k)
{
    struct wanted wanted = {.stream = stream, .k = k};
    assert_int_equal(store_history(world->store, INT64_MIN, INT64_MAX, world->arena, take_id, &wanted, NULL), GT_OK);
    return wanted.id;
}

/* The history of two offers alone, which passes over the steps of all others. Takes the other spans out of what is expected. */
static void compare_history_of(struct world *world, struct span_comparison *comparison)
{
    const struct naive_stream *part = &world->streams[below(world, NAIVE_STREAMS)];
    int a = below(world, NAIVE_OFFERS), b = below(world, NAIVE_OFFERS);
    uint64_t a_id = id_of(world, part, a), b_id = id_of(world, part, b);
    uint64_t ids[] = {a_id < b_id ? a_id : b_id, a_id < b_id ? b_id : a_id};
    size_t kept = 0;
    for (size_t i = 0; i < comparison->count; i++) {
        const struct expected_span *span = &comparison->spans[i];
        bool is_of_part = strcmp(span->stream->site, part->site) == 0 && strcmp(span->stream->part, part->part) == 0;
        if (is_of_part && (span->span.k == a || span->span.k == b)) comparison->spans[kept++] = *span;
    }
    comparison->count = kept;
    comparison->at = 0;
    enum gt_err err =
        store_history_of(world->store, ids, 2, INT64_MIN, INT64_MAX, world->arena, compare_span, comparison, &world->info);
    if (err != GT_OK)
        print_error("history of %llu and %llu: %s\n", (unsigned long long)ids[0], (unsigned long long)ids[1], world->info.text);
    assert_int_equal(err, GT_OK);
    assert_int_equal(comparison->at, comparison->count);
}

/* How many changes of each kind were told. */
struct tally {
    size_t of[CHANGE_WORDS];
};

static void tally_add(struct tally *tally, unsigned kinds)
{
    for (int kind = 0; kind < CHANGE_WORDS; kind++) tally->of[kind] += (kinds & KIND_BIT(kind)) != 0;
}

static enum gt_err tally_change(void *ctx, const struct change *change)
{
    tally_add(ctx, KIND_BIT(change->kind));
    return GT_OK;
}

/* What was told when it happened is what the log tells ever after. */
static void compare_tallies(struct world *world)
{
    struct tally got = {{0}}, want = {{0}};
    for (int s = 0; s < NAIVE_STREAMS; s++)
        for (int at = 1; at <= world->streams[s].count; at++) {
            tally_add(&want, world->streams[s].runs[at].kinds);
            for (int k = 0; k < NAIVE_OFFERS; k++) tally_add(&want, world->streams[s].runs[at].seen[k].kinds);
        }
    assert_int_equal(store_changes(world->store, INT64_MIN, INT64_MAX, world->arena, tally_change, &got, &world->info), GT_OK);
    for (int kind = 0; kind < CHANGE_WORDS; kind++) {
        if (got.of[kind] != want.of[kind]) print_error("changes: %s\n", word_text(VOCABULARY_CHANGE, kind));
        assert_int_equal(got.of[kind], want.of[kind]);
    }
}

/* ---- prices ---- */

/* How often one price of one offer was observed in one window; streams of one part and provenance count together. */
struct price_count {
    uint64_t key;
    uint64_t observations;
};

struct price_counts {
    struct world *world;
    struct price_count *items;
    size_t count, cap;
    const int *k_by_id; /* NULL: counted by hand */
};

static void price_add(struct price_counts *counts, const char *site, const char *part, int k, size_t window, bool is_doubted,
                      const struct record_price *price, uint64_t observations)
{
    void *items = counts->items;
    uint64_t place = (uint64_t)site[0] << 8 | (uint64_t)(uint8_t)part[0], cents = (uint64_t)price->nano / (NANO / 100);
    assert_true(arena_grow(counts->world->arena, &items, counts->count, &counts->cap, sizeof *counts->items));
    assert_false(price->is_month);
    counts->items = items;
    counts->items[counts->count++] = (struct price_count){
        place << 48 | (uint64_t)k << 40 | (uint64_t)window << 36 | (uint64_t)price->availability << 33 | (uint64_t)is_doubted << 32 | cents, observations};
}

static int price_cmp(const void *left, const void *right)
{
    const struct price_count *a = left, *b = right;
    return (a->key > b->key) - (a->key < b->key);
}

/* In order, each key once: a price may be given in pieces. */
static void prices_sum(struct price_counts *counts)
{
    size_t kept = 0;
    if (counts->count > 0) qsort(counts->items, counts->count, sizeof *counts->items, price_cmp);
    for (size_t i = 0; i < counts->count; i++) {
        if (kept > 0 && counts->items[kept - 1].key == counts->items[i].key) counts->items[kept - 1].observations += counts->items[i].observations;
        else counts->items[kept++] = counts->items[i];
    }
    counts->count = kept;
}

static enum gt_err take_price(void *ctx, const struct price_span *span)
{
    struct price_counts *counts = ctx;
    char site[16], part[16];
    snprintf(site, sizeof site, "%.*s", GT_STR_ARG(span->site));
    snprintf(part, sizeof part, "%.*s", GT_STR_ARG(span->part));
    assert_true(span->observations > 0 && span->first_seq <= span->last_seq);
    price_add(counts, site, part, counts->k_by_id[span->offer_id], span->window, span->is_doubted, &span->price, span->observations);
    return GT_OK;
}

enum { MODEL_IDS_MAX = 1024 };

static enum gt_err take_k(void *ctx, const struct history_row *row)
{
    int *k_by_id = ctx;
    assert_true(row->offer->offer_id < MODEL_IDS_MAX);
    k_by_id[row->offer->offer_id] = k_of(&row->offer->offer.identity);
    return GT_OK;
}

/* What each span that counts was observed to cost, in windows that begin and end anywhere. */
static void compare_prices(struct world *world)
{
    struct naive_view *view = &world->view;
    int k_by_id[MODEL_IDS_MAX] = {0};
    struct price_counts want = {.world = world}, got = {.world = world, .k_by_id = k_by_id};
    for (int i = 0; i <= NAIVE_WINDOWS; i++) {
        int64_t bound = any_hour(world) * 3600 + 1;
        view->bounds[i] = i > 0 && bound < view->bounds[i - 1] ? view->bounds[i - 1] : bound;
    }
    if (once_in(world, 2)) view->bounds[NAIVE_WINDOWS] = INT64_MAX;
    if (once_in(world, 2)) view->bounds[0] = INT64_MIN;
    for (int s = 0; s < NAIVE_STREAMS; s++)
        for (int k = 0; k < NAIVE_OFFERS; k++) {
            naive_look(&world->streams[s], k, world->streams[s].count, view);
            for (int i = 0; i < view->count; i++)
                for (size_t window = 0; window < NAIVE_WINDOWS; window++) {
                    const struct naive_span *span = &view->spans[i];
                    struct record_price price = {span->shape.price_cents * (NANO / 100), false, (enum availability)span->shape.availability};
                    if (span->is_voided || span->observed[window] == 0) continue;
                    price_add(&want, world->streams[s].site, world->streams[s].part, k, window, span->is_doubted, &price, (uint64_t)span->observed[window]);
                }
        }
    assert_int_equal(store_history(world->store, INT64_MIN, INT64_MAX, world->arena, take_k, k_by_id, &world->info), GT_OK);
    struct price_windows windows = {view->bounds, NAIVE_WINDOWS + 1};
    enum gt_err err = store_price_spans(world->store, NULL, 0, windows, take_price, &got, &world->info);
    if (err != GT_OK) print_error("prices: %s\n", world->info.text);
    assert_int_equal(err, GT_OK);
    prices_sum(&want);
    prices_sum(&got);
    for (size_t i = 0; i < want.count || i < got.count; i++) {
        const struct price_count none = {0}, *a = i < want.count ? &want.items[i] : &none, *b = i < got.count ? &got.items[i] : &none;
        if (a->key != b->key || a->observations != b->observations)
            print_error("prices: expected %llx x%llu, got %llx x%llu\n", (unsigned long long)a->key, (unsigned long long)a->observations,
                        (unsigned long long)b->key, (unsigned long long)b->observations);
        assert_true(a->key == b->key && a->observations == b->observations);
    }
}

/* The listed rows of the board as it was compared just before: their offers, prices and doubts. */
struct listed_prices {
    struct listed_price {
        uint64_t offer_id;
        int64_t nano;
        enum availability availability;
        bool is_doubted;
    } items[BOARD_ROWS_MAX];
    size_t count, at;
};

static enum gt_err take_listed(void *ctx, const struct board_row *row)
{
    struct listed_prices *prices = ctx;
    const struct offer_record *record = &row->offer.record;
    if (!row->is_listed) return GT_OK;
    prices->items[prices->count++] = (struct listed_price){row->offer_id, record->hour_list_nano, record->availability, row->is_doubted};
    return GT_OK;
}

static int listed_cmp(const void *left, const void *right)
{
    const struct listed_price *a = left, *b = right;
    if (a->offer_id != b->offer_id) return a->offer_id < b->offer_id ? -1 : 1;
    return (int)a->is_doubted - (int)b->is_doubted;
}

static enum gt_err take_now(void *ctx, const struct offer_price *price)
{
    struct listed_prices *prices = ctx;
    assert_true(prices->at < BOARD_ROWS_MAX && !price->price.is_month);
    prices->items[prices->at++] = (struct listed_price){price->offer_id, price->price.nano, price->price.availability, price->is_doubted};
    return GT_OK;
}

static void compare_prices_now(struct world *world)
{
    struct listed_prices want = {.count = 0}, got = {.count = 0};
    assert_int_equal(store_board(world->store, INT64_MAX, world->arena, take_listed, &want, &world->info), GT_OK);
    assert_int_equal(store_prices(world->store, take_now, &got, &world->info), GT_OK);
    assert_int_equal(got.at, want.count);
    qsort(want.items, want.count, sizeof want.items[0], listed_cmp);
    qsort(got.items, got.at, sizeof got.items[0], listed_cmp);
    for (size_t i = 0; i < want.count; i++) {
        const struct listed_price *a = &want.items[i], *b = &got.items[i];
        assert_true(a->offer_id == b->offer_id && a->nano == b->nano && a->availability == b->availability && a->is_doubted == b->is_doubted);
    }
}

static void compare_history(struct world *world)
{
    struct span_comparison comparison = {.count = 0};
    size_t cap = 0;
    for (int s = 0; s < NAIVE_STREAMS; s++)
        for (int k = 0; k < NAIVE_OFFERS; k++) {
            naive_look(&world->streams[s], k, world->streams[s].count, &world->view);
            for (int i = 0; i < world->view.count; i++) {
                void *spans = comparison.spans;
                assert_true(arena_grow(world->arena, &spans, comparison.count, &cap, sizeof *comparison.spans));
                comparison.spans = spans;
                comparison.spans[comparison.count++] = (struct expected_span){&world->streams[s], world->view.spans[i]};
            }
        }
    qsort(comparison.spans, comparison.count, sizeof *comparison.spans, span_cmp);
    enum gt_err err = store_history(world->store, INT64_MIN, INT64_MAX, world->arena, compare_span, &comparison, &world->info);
    if (err != GT_OK) print_error("history: %s\n", world->info.text);
    assert_int_equal(err, GT_OK);
    assert_int_equal(comparison.at, comparison.count);
    compare_history_of(world, &comparison);
    for (int i = 0; i < 5; i++) compare_prices(world);
    compare_tallies(world);
}

/* ---- operations ---- */

/* Which streams run together: one run of one site may have two parts. */
static const struct {
    int first, count;
} groups[] = {{0, 2}, {0, 2}, {2, 1}, {3, 1}, {4, 1}, {5, 1}};

static void move_clock(struct world *world)
{
    if (does(world, HABIT_SECOND)) return;
    if (does(world, HABIT_PAST)) world->now -= below(world, 50) * 3600;
    else if (once_in(world, 60)) world->now += 1000 * 3600;
    else world->now += 3600;
}

static enum part_status draw_status(struct world *world)
{
    static const enum part_status odd[] = {STATUS_UNCHANGED, STATUS_UNCHANGED, STATUS_FAILED,
                                           STATUS_BLOCKED,   STATUS_DRIFTED,   STATUS_INCOMPLETE};
    return does(world, HABIT_ODD) ? odd[below(world, 6)] : STATUS_OK;
}

static void draw_part(struct world *world, int s, struct run_part *part)
{
    struct offer *offers = arena_array(world->arena, NAIVE_OFFERS * 2, sizeof *offers);
    *part = (struct run_part){.name = gt_str_from(world->streams[s].part),
                              .status = draw_status(world),
                              .http_code = 200,
                              .url = GT_STR("https://example.org/prices"),
                              .offers = offers};
    if (!does(world, HABIT_STILL)) move_page(world, s);
    if (part->status == STATUS_OK || part->status == STATUS_DRIFTED) part->offer_count = draw_page(world, s, offers);
    part->is_full_fetch = !does(world, HABIT_HEADER);
    part->record_id = text_of(world->arena, "urn:uuid:00000000-0000-4000-8000-", (int)(1000000 + world->pages));
    digest_of(++world->pages, part->body_sha256);
    part->warc_file = GT_STR("a.warc.gz");
    part->warc_offset = (int64_t)world->pages;
}

/* The changes that the commit told against those that follow from the observations. */
static void compare_changes(struct world *world, int first, int count, const struct run_summary *summary)
{
    unsigned told[2][NAIVE_OFFERS] = {{0}}, wanted_source = 0;
    size_t wanted = 0;
    for (size_t i = 0; i < summary->changes; i++) {
        const struct change *change = &summary->change_list[i];
        if (change->identity == NULL) continue;
        int s = count > 1 && gt_str_is(change->identity->part, world->streams[first + 1].part) ? 1 : 0;
        told[s][k_of(change->identity)] |= KIND_BIT(change->kind);
    }
    for (int i = 0; i < count; i++) {
        const struct naive_stream *stream = &world->streams[first + i];
        const struct naive_run *run = &stream->runs[stream->count];
        wanted_source += (unsigned)__builtin_popcount(run->kinds);
        for (int k = 0; k < NAIVE_OFFERS; k++) {
            if (told[i][k] != run->seen[k].kinds)
                print_error("%s/%s k%d run %d: told %x, expected %x\n", stream->site, stream->part, k, stream->count, told[i][k],
                            run->seen[k].kinds);
            assert_int_equal(told[i][k], run->seen[k].kinds);
            wanted += (size_t)__builtin_popcount(run->seen[k].kinds);
        }
    }
    assert_int_equal(summary->changes, wanted + wanted_source);
}

static void operate_run(struct world *world)
{
    int group = below(world, 6);
    struct run_part parts[2];
    struct run_summary summary, again;
    struct naive_stream *stream = &world->streams[groups[group].first];
    move_clock(world);
    if (once_in(world, 50)) world->titles++;
    for (int i = 0; i < groups[group].count; i++) draw_part(world, groups[group].first + i, &parts[i]);
    struct run_input run = run_of(parts, (size_t)groups[group].count, world->now);
    run.site = site_of(stream);
    run.provenance = stream->provenance;
    run.writer = gt_str_from(stream->writer);
    run.title = text_of(world->arena, "T", world->titles);
    enum gt_err err = store_run_commit(world->store, &run, NULL, NULL, world->arena, &summary, &world->info);
    if (err != GT_OK) print_error("commit: %s\n", world->info.text);
    assert_int_equal(err, GT_OK);
    for (int i = 0; i < groups[group].count; i++)
        naive_commit(world->arena, &world->view, &world->streams[groups[group].first + i], &parts[i], world->now, world->titles)
            ->seq = summary.seq;
    compare_changes(world, groups[group].first, groups[group].count, &summary);
    if (!once_in(world, 12)) return;
    assert_int_equal(store_run_commit(world->store, &run, NULL, NULL, world->arena, &again, &world->info), GT_OK);
    assert_int_equal(again.seq, summary.seq);
    assert_int_equal(again.changes, 0);
}

/* An action's row carries the stream's state on. */
static struct naive_run *naive_act(struct world *world, struct naive_stream *stream)
{
    const struct naive_run *before = &stream->runs[stream->count];
    struct naive_run run = {.t = world->now,
                            .is_action = true,
                            .is_failing = before->is_failing,
                            .is_part_doubted = before->is_part_doubted,
                            .is_part_releasable = before->is_part_releasable};
    stream->runs[++stream->count] = run;
    return &stream->runs[stream->count];
}

/* Releases every open doubt of one offer, in each stream of its part. */
static void operate_release(struct world *world)
{
    const struct naive_stream *chosen = &world->streams[below(world, NAIVE_STREAMS)];
    int k = below(world, NAIVE_OFFERS), released = 0;
    uint64_t id = id_of(world, chosen, k);
    if (id == 0) return;
    for (int s = 0; s < NAIVE_STREAMS; s++) {
        struct naive_stream *stream = &world->streams[s];
        if (strcmp(stream->site, chosen->site) != 0 || strcmp(stream->part, chosen->part) != 0) continue;
        naive_look(stream, k, stream->count, &world->view);
        if (world->view.doubt < 0) continue;
        int content = naive_last(stream, stream->count, false);
        const struct naive_run *first = &stream->runs[world->view.spans[world->view.doubt].first];
        /* A doubt from a page that was doubted as a whole accepts that page's row count. */
        if (first->seen[k].is_part) {
            stream->baseline_run = stream->count + 1;
            stream->baseline_rows = stream->runs[content].rows;
            stream->baseline_reason = first->seen[k].reason;
        }
        int standing = naive_standing(&world->view);
        struct seen seen = {.releases = true, .shape = world->view.spans[world->view.doubt].shape};
        seen.kinds = naive_told(stream, &world->view, k, standing, &seen);
        naive_act(world, stream)->seen[k] = seen;
        released++;
    }
    enum gt_err err = store_release(world->store, id, world->now, GT_STR("looked at it"), &world->info);
    assert_int_equal(err, released > 0 ? GT_OK : GT_ENOENT);
}

static void operate_void(struct world *world)
{
    struct naive_stream *stream = &world->streams[below(world, NAIVE_STREAMS)];
    int k = below(world, NAIVE_OFFERS);
    naive_look(stream, k, stream->count, &world->view);
    if (world->view.count == 0) return;
    const struct naive_span *span =
        &world->view.spans[once_in(world, 3) ? below(world, world->view.count) : world->view.count - 1];
    bool was_void = span->is_voided;
    int first = span->first;
    enum gt_err err =
        store_void(world->store, id_of(world, stream, k), stream->runs[first].seq, world->now, GT_STR("wrong"), &world->info);
    assert_int_equal(err, was_void ? GT_ENOENT : GT_OK);
    if (was_void) return;
    naive_act(world, stream)->kinds = KIND_BIT(CHANGE_VOIDED);
    stream->runs[first].seen[k].voided_at = stream->count;
}

static void reopen(struct world *world, bool packs)
{
    store_close(world->store);
    if (packs) fixture_pack(world->folder);
    assert_int_equal(store_open(world->folder, STORE_WRITE, &world->store, &world->info), GT_OK);
}

static void check(struct world *world)
{
    size_t findings = 0;
    enum gt_err err = store_check(world->folder, NULL, NULL, &findings, &world->info);
    if (err != GT_OK) print_error("check: %s\n", world->info.text);
    assert_int_equal(err, GT_OK);
}

static void operate(struct world *world, int number)
{
    arena_clear(world->arena);
    if (does(world, HABIT_RELEASE)) operate_release(world);
    else if (does(world, HABIT_VOID)) operate_void(world);
    else operate_run(world);
    compare_board(world, INT64_MAX, "board now");
    compare_prices_now(world);
    if (number % 5 == 0) {
        int64_t at_unix_s = any_hour(world) * 3600;
        compare_board(world, at_unix_s, "board at a moment");
        compare_two_boards(world, at_unix_s,
                           at_unix_s < world->now ? at_unix_s + (world->now - at_unix_s) / (1 + number % 4) : at_unix_s);
    }
    if (number % HISTORY_EVERY == 0) compare_history(world);
    if (number % REOPEN_EVERY == 0) reopen(world, false);
    if (number % PACK_EVERY == 0) {
        reopen(world, true);
        compare_history(world);
    }
    if (number % CHECK_EVERY == 0) check(world);
}

static void world_open(struct world *world, uint64_t seed)
{
    static const struct naive_stream streams[NAIVE_STREAMS] = {
        {.site = "alpha", .part = "one", .writer = "w1"},
        {.site = "alpha", .part = "two", .writer = "w1"},
        {.site = "alpha", .part = "one", .writer = "w2"},
        {.site = "alpha", .part = "one", .writer = "w1", .provenance = PROVENANCE_WAYBACK},
        {.site = "beta", .part = "one", .writer = "w1"},
        {.site = "gamma", .part = "", .writer = "w1"},
    };
    memcpy(world->streams, streams, sizeof streams);
    world->random = seed * 0x9E3779B97F4A7C15ULL + 1;
    world->now = 1000000;
    for (int i = 0; i < HABITS; i++) world->habits[i] = 1 + (habits_usual[i] << below(world, 3)) / (1 << below(world, 4));
    world->arena = arena_new(FIXTURE_ARENA_MAX);
    world->view.spans = calloc(NAIVE_SPANS, sizeof *world->view.spans);
    for (int s = 0; s < NAIVE_STREAMS; s++) {
        world->streams[s].runs = calloc(NAIVE_RUNS, sizeof *world->streams[s].runs);
        for (int k = 0; k < NAIVE_OFFERS; k++) {
            world->shapes[s][k] =
                (struct shape){.price_cents = once_in(world, 3) ? 0 : 100 + below(world, 900), .availability = AVAIL_IN_STOCK};
            world->stocks[s][k] = -1;
        }
    }
    fixture_folder(world->folder);
    assert_int_equal(store_open(world->folder, STORE_WRITE, &world->store, &world->info), GT_OK);
}

/* A world in a row of the table: so many operations from a seed. */
struct world_row {
    const char *name;
    int operations;
    uint64_t seed;
};

static void check_world(void **state)
{
    const struct world_row *row = *state;
    struct world *world = calloc(1, sizeof *world);
    world_open(world, row->seed);
    for (int i = 1; i <= row->operations; i++) operate(world, i);
    compare_history(world);
    check(world);
    store_close(world->store);
    fixture_remove(world->folder);
    for (int s = 0; s < NAIVE_STREAMS; s++) free(world->streams[s].runs);
    free(world->view.spans);
    arena_free(world->arena);
    free(world);
}

int main(int argc, char **argv)
{
    enum { WORLDS = 8, WORLDS_MAX = 64 };
    struct world_row worlds[WORLDS_MAX];
    char names[WORLDS_MAX][48];
    int operations = argc > 1 ? atoi(argv[1]) : OPERATIONS;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    int count = operations / WORLD_OPERATIONS + 1 > WORLDS ? operations / WORLD_OPERATIONS + 1 : WORLDS;
    if (count > WORLDS_MAX) count = WORLDS_MAX;
    cmocka_set_message_output(CM_OUTPUT_TAP);
    for (int i = 0; i < count; i++) {
        worlds[i] = (struct world_row){names[i], operations / count, seed + (uint64_t)i};
        snprintf(names[i], sizeof names[i], "a world of its own, seed %llu", (unsigned long long)worlds[i].seed);
    }
    print_message("# %d operations in each of %d worlds\n", operations / count, count);
    return table_run("worlds", worlds, (size_t)count, sizeof worlds[0], check_world);
}
