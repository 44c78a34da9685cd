/* Guards end to end: histories of pages of our own, through the store, and what may stand after each run. The failures a to f are
 * those seen in public price histories (node prices that became card prices overnight, rows that vanished, answers cut at a
 * limit, absurd figures); each is played here with cards and prices made up for it.
 *
 * Script: runs divided by ';'. A run is a number of rows, then what is different from the usual page:
 *   own        every price times the row's count of cards (a node's price where a card's belongs)
 *   xN/D       every price times N/D; x1N/D the first row's alone
 *   cur=USD    prices in another currency         same=K  the first K rows cost what the first does
 *   click=K    row K shows the price of row K-1   reword  other labels for the same cards
 *   month=H    a month for H hours                year=P  a year at P percent of the month, a month
 *   spot=P     a spot price at P percent          dup     the first row twice, at two prices
 *   spotrow=P  a spot row beside each, at P percent
 *   slow       no full fetch                      page    the same bytes as the run before
 * "304" repeats the last page; "release" is a person's word on the first row. Expected, a word a run: rows that stand at the
 * usual price / rows that are doubted. */
#include "../table.h"

#include "fixture.h"

enum { ROWS_MAX = 1200, TEXT_MAX = 1024, HOUR_S = 3600 };

struct guard_case {
    const char *name;
    const char *script;
    const char *expected;
    const char *detail; /* a part of the last doubt that was told; NULL: none was */
};

static const struct guard_case cases[] = {
    {"the same page again and again", "40; 40; 304; 40", "40/0 40/0 40/0 40/0", NULL},
    {"a market: one price moves by a tenth", "40; 40 x19/10; 40", "40/0 39/0 40/0", NULL},

    /* a: 133 series fell by 87.5, 75 and 50 % in one night */
    {"a: one node price becomes a card price", "40; 40 x11/8", "40/0 40/1", "÷8: "},
    {"a: whose count is known", "8 own; 8; 8; 8; 8", "2/0 2/6 2/6 2/6 2/6", "per-node became per-card"},
    {"a: and back: nothing was ever told", "8 own; 8; 8 own; 8 own", "2/0 2/6 2/0 2/0", "per-node became per-card"},
    {"a: it does not release itself, however often it is fetched", "40; 40 x11/8; 40 x11/8; 304; 40 x11/8; 40 x11/8 slow",
     "40/0 40/1 40/1 40/1 40/1 40/1", "÷8"},
    {"a: nor by moving on a little", "40; 40 x11/8; 40 x19/80; 40 x19/80; 40 x111/80; 40 x113/40; 40 x113/40",
     "40/0 40/1 40/1 40/1 40/1 40/1 40/1", "goes on from the doubted"},
    {"a: a person releases it", "40; 40 x11/8; release; 40 x11/8", "40/0 40/1 39/0 39/0", "÷8"},
    {"a: and it heals when the page does", "40; 40 x11/8; 40; 40 x11/8; 40", "40/0 40/1 40/0 40/1 40/0", "÷8"},
    {"a: the whole page, under the same labels", "24; 24 x1/8; 24 x1/8", "24/0 24/24 24/24", "24 of 24 prices moved by one factor: ÷8"},
    {"a: the whole page, under new labels", "12; 12 x1/8 reword; 12 x1/8 reword", "12/0 12/12 12/12", "moved by one factor: ÷8"},
    {"new labels alone", "12; 12 reword", "12/0 12/0", NULL},

    /* b, c: rows that vanish are not delisted */
    {"b: 367 rows become 104", "367; 367; 367; 104; 104; 367", "367/0 367/0 367/0 367/104 367/104 367/0",
     "104 rows, the median of recent runs is 367"},
    {"b: 28 become one", "28; 28; 28; 1; 1", "28/0 28/0 28/0 28/1 28/1", "1 rows"},
    {"b: sixteen become two", "16; 16; 16; 2; 16", "16/0 16/0 16/0 16/2 16/0", "2 rows"},
    {"c: six become two, then one, day after day", "6; 6; 6; 2; 1; 2; 2; 6", "6/0 6/0 6/0 6/2 6/1 6/2 6/2 6/0", "the median of recent runs is 6"},
    {"none at all", "6; 6; 0; 0", "6/0 6/0 6/0 6/0", "0 rows"},
    {"a few fewer are a market's", "40; 40; 40; 31", "40/0 40/0 40/0 31/0", NULL},

    /* d: an answer cut at the limit that was asked for */
    {"d: exactly 500 from the first", "500; 500", "0/500 0/500", "exactly 500 rows"},
    {"d: 500 become 64 for a while", "470; 470; 64; 64; 470; 64", "470/0 470/0 470/64 470/64 470/0 470/64", "64 rows"},
    {"d: grown to a limit", "490; 495; 500; 500", "490/0 495/0 495/500 495/500", "exactly 500 rows"},
    {"d: a person knows that there are just so many", "100; release; 100; 100", "0/100 1/99 100/0 100/0", "exactly 100 rows"},
    {"many more rows are no limit", "113; 113; 549", "113/0 113/0 549/0", NULL},

    /* f: what no card costs */
    {"f: a newcomer for a thirtieth", "40 x11/30", "39/1", "an hour and card"},
    {"f: for thirty times the price", "40 x130/1", "39/1", "an hour and card"},
    {"f: seen again, it is as absurd", "40 x11/30; 40 x11/30; 40 x11/30", "39/1 39/1 39/1", "costs"},

    /* units and currencies */
    {"hours become days", "20; 20 x24/1; 20 x24/1", "20/0 20/20 20/20", "×24"},
    {"one hour becomes a month", "20; 20 x1720/1", "20/0 20/1", "×720: per-hour became per-month"},
    {"cents", "20; 20 x100/1", "20/0 20/20", "×100"},
    {"a lost 万", "20; 20 x11/10000", "20/0 20/1", "÷10000"},
    {"yuan shown as dollars under the same sign", "20; 20 x10/71; 20 x10/71", "20/0 20/20 20/20", "yuan became dollars"},
    {"the sign changes, the figures stay", "20; 20 cur=USD; 20 cur=USD; 20 cur=USD", "20/0 20/20 20/20 20/20", "CNY became USD, the figure stayed"},
    {"yen under the same sign: a rate, not a market", "20; 20 x208/10; 20 x208/10", "20/0 20/20 20/20", "CNY/JPY"},
    {"another currency with its own figures wants a second look", "20; 20 x10/71 cur=USD; 20 x10/71 cur=USD",
     "20/0 20/20 0/0", "the currency was CNY and is USD"},
    {"a sale on everything stands at once", "20; 20 x8/10; 20 x8/10", "20/0 0/0 0/0", NULL},

    /* a plain large move: a second full fetch, and nothing less */
    {"a large move", "20; 20 x16/1; 20 x16/1", "20/0 20/1 19/0", "more than 5 times"},
    {"not by a 304", "20; 20 x16/1; 304; 304", "20/0 20/1 20/1 20/1", "more than 5 times"},
    {"not by a fetch that was none", "20; 20 x16/1; 20 x16/1 slow", "20/0 20/1 20/1", "more than 5 times"},
    {"not by the same bytes, fully fetched", "20; 20 x16/1; 20 x16/1 page; 20 x16/1 page", "20/0 20/1 20/1 20/1", "more than 5 times"},
    {"by other bytes after all", "20; 20 x16/1; 20 x16/1 page; 304; 20 x16/1", "20/0 20/1 20/1 20/1 19/0", "more than 5 times"},
    {"by another price it is another doubt", "20; 20 x16/1; 20 x165/10; 20 x165/10", "20/0 20/1 20/1 19/0", "more than 5 times"},
    {"gone again", "20; 20 x16/1; 20; 20", "20/0 20/1 20/0 20/0", "more than 5 times"},

    /* prices against each other */
    {"one price under all cards", "12; 12 same=12; 12 same=12; 12", "12/0 12/12 12/12 12/0", "different cards all cost"},
    {"a click that did not register", "12; 12 click=4; 12 click=4; 12", "12/0 12/1 12/1 12/0", "just what its neighbour"},
    {"another one in each run", "12; 12 click=4; 12 click=7; 12 click=2", "12/0 12/1 12/1 12/1", "just what its neighbour"},
    {"spot above on demand", "12 spot=60; 12 spot=130; 12 spot=130", "12/0 12/12 12/12", "spot is"},
    {"spot above on demand, each a row", "12 spotrow=60; 12 spotrow=60; 12 spotrow=130; 12 spotrow=60", "12/0 12/0 12/12 12/0",
     "on demand in the row"},
    {"a month above its hours", "12 month=500; 12 month=800; 12 month=800", "12/0 12/12 12/12", "the month is"},
    {"a year above the month", "12 month=500; 12 month=500 year=80; 12 month=500 year=130", "12/0 12/0 12/12", "bound for 12 months"},
    {"one identity at two prices", "12; 12 dup; 12 dup; 12", "12/0 12/1 12/1 12/0", "one identity twice"},
};

/* ---- pages ---- */

static const struct {
    const char *sku;
    int32_t cents; /* of an hour of one card, in yuan */
} cards[] = {
    {"NVIDIA-H800-80G", 1200}, {"NVIDIA-RTX-4090", 198}, {"NVIDIA-RTX-5090", 298},  {"NVIDIA-H20-96G", 750},
    {"ASCEND-910B", 500},      {"NVIDIA-A100-80G", 620}, {"NVIDIA-V100-32G", 220},  {"NVIDIA-T4", 110},
    {"NVIDIA-L20", 420},       {"NVIDIA-L40S", 510},     {"NVIDIA-A800-80G", 710},  {"NVIDIA-RTX-3090", 120},
    {"NVIDIA-A10", 205},       {"NVIDIA-L4", 180},       {"NVIDIA-H100-SXM", 1800}, {"NVIDIA-A40", 310},
};
enum { CARDS_COUNT = sizeof cards / sizeof cards[0] };

/* One run's page, as its words say. */
struct page {
    int rows, same, click, month, year, spot, spot_row;
    int64_t num, den, num_first, den_first;
    bool is_own, is_dup, is_slow, is_repeat, is_reworded;
    const char *currency;
};

struct player {
    struct store *store;
    struct arena *arena;
    int runs;
    uint64_t pages;
    char detail[TEXT_MAX];
    struct gt_errinfo info;
};

static int32_t cards_of(int i)
{
    static const int32_t counts[] = {8, 1, 4, 2};
    return counts[i % 4];
}

/* The price of row i on the usual page. */
static int64_t usual_nano(int i)
{
    return (int64_t)cards[i % CARDS_COUNT].cents * (100 + i / CARDS_COUNT % 9) / 100 * (NANO / 100);
}

static int64_t price_of(const struct page *page, int i)
{
    int from = i < page->same ? 0 : page->click > 0 && i == page->click ? i - 1 : i;
    int64_t nano = usual_nano(from) * page->num / page->den;
    if (i == 0) nano = nano * page->num_first / page->den_first;
    return page->is_own ? nano * cards_of(i) : nano;
}

static struct quote quote_of(struct player *player, int64_t nano, const char *currency)
{
    return (struct quote){.amount_nano = nano,
                          .currency = currency_from(gt_str_from(currency)),
                          .period = PERIOD_HOUR,
                          .period_count = 1,
                          .basis = BASIS_CARD,
                          .role = ROLE_LIST,
                          .raw = arena_printf(player->arena, "%lld", (long long)nano),
                          .where = GT_STR("td[2]")};
}

static struct offer offer_at(struct player *player, const struct page *page, int i)
{
    struct offer offer = {.stock = -1, .confidence_permille = 1000};
    struct quote *quotes = arena_array(player->arena, 3, sizeof *quotes);
    int64_t nano = price_of(page, i);
    offer.identity.part = GT_STR("page");
    offer.identity.label = arena_printf(player->arena, "%s %d", page->is_reworded ? "Neu" : "row", i);
    offer.attributes.cards = cards_of(i);
    offer.attributes.tier = TIER_ON_DEMAND;
    offer.attributes.sku_status = SKU_EXACT;
    snprintf(offer.attributes.sku, SKU_NAME_MAX, "%s", cards[i % CARDS_COUNT].sku);
    offer.record.quotes = quotes;
    offer.record.currency = currency_from(gt_str_from(page->currency));
    offer.record.hour_list_nano = nano;
    offer.record.month_list_nano = nano * page->month;
    quotes[offer.record.quote_count++] = quote_of(player, nano, page->currency);
    if (page->spot > 0) {
        quotes[1] = quote_of(player, nano * page->spot / 100, page->currency);
        quotes[offer.record.quote_count++].role = ROLE_SPOT;
    }
    if (page->year > 0) {
        quotes[1] = quote_of(player, nano * page->month / 100 * page->year, page->currency);
        quotes[1].period = PERIOD_MONTH;
        quotes[offer.record.quote_count++].months = 12;
    }
    return offer;
}

/* The same thing as a spot offer, a row of its own under another plan. */
static struct offer spot_at(struct player *player, const struct page *page, int i)
{
    struct page spot = *page;
    spot.num *= page->spot_row;
    spot.den *= 100;
    struct offer offer = offer_at(player, &spot, i);
    offer.identity.plan = GT_STR("spot");
    offer.attributes.tier = TIER_SPOT;
    return offer;
}

/* ---- playing ---- */

static bool read_number(struct gt_str word, const char *key, int *ret)
{
    if (!gt_str_starts(word, gt_str_from(key))) return false;
    *ret = atoi(word.ptr + strlen(key));
    return true;
}

static void read_word(struct page *page, struct gt_str word)
{
    size_t slash = gt_str_find(word, GT_STR("/"), 0);
    if (gt_str_starts(word, GT_STR("x")) && slash != SIZE_MAX) {
        /* "x1N/D" is the first row's: no other factor of these scripts begins with a 1 and has more behind it. */
        bool is_first = word.ptr[1] == '1' && word.ptr[2] != '/' && !gt_str_starts(word, GT_STR("x10"));
        int64_t num = atoi(word.ptr + (is_first ? 2 : 1)), den = atoi(word.ptr + slash + 1);
        if (is_first) page->num_first = num, page->den_first = den;
        else page->num = num, page->den = den;
    } else if (gt_str_starts(word, GT_STR("cur="))) {
        page->currency = "USD";
    } else {
        bool is_read = read_number(word, "same=", &page->same) || read_number(word, "click=", &page->click) ||
                       read_number(word, "month=", &page->month) || read_number(word, "spot=", &page->spot) ||
                       read_number(word, "year=", &page->year) || read_number(word, "spotrow=", &page->spot_row);
        page->is_own |= gt_str_is(word, "own");
        page->is_dup |= gt_str_is(word, "dup");
        page->is_slow |= gt_str_is(word, "slow");
        page->is_repeat |= gt_str_is(word, "page");
        page->is_reworded |= gt_str_is(word, "reword");
        assert_true(is_read || page->is_own || page->is_dup || page->is_slow || page->is_repeat || page->is_reworded);
    }
}

static void commit(struct player *player, const struct page *page, bool is_304)
{
    struct offer *offers = arena_array(player->arena, ROWS_MAX, sizeof *offers);
    struct run_part part = {.name = GT_STR("page"), .http_code = is_304 ? 304 : 200, .is_full_fetch = !page->is_slow && !is_304};
    part.status = is_304 ? STATUS_UNCHANGED : STATUS_OK;
    for (int i = 0; i < page->rows && !is_304; i++) {
        offers[part.offer_count++] = offer_at(player, page, i);
        if (page->spot_row > 0) offers[part.offer_count++] = spot_at(player, page, i);
    }
    if (page->is_dup) {
        offers[part.offer_count] = offers[0];
        offers[part.offer_count++].record.hour_list_nano += NANO;
    }
    part.offers = offers;
    if (!page->is_repeat) player->pages++;
    digest_of(player->pages, part.body_sha256);
    struct run_input run = run_of(&part, 1, (int64_t)player->runs * HOUR_S);
    enum gt_err err = store_run_commit(player->store, &run, NULL, NULL, player->arena, NULL, &player->info);
    if (err != GT_OK) fail_msg("%s", player->info.text);
}

static enum gt_err take_first(void *ctx, const struct board_row *row)
{
    uint64_t *id = ctx;
    if (gt_str_is(row->offer.identity.label, "row 0")) *id = row->offer_id;
    return GT_OK;
}

static void release(struct player *player)
{
    uint64_t id = 0;
    assert_int_equal(store_board(player->store, INT64_MAX, player->arena, take_first, &id, NULL), GT_OK);
    enum gt_err err = store_release(player->store, id, (int64_t)player->runs * HOUR_S, GT_STR("looked"), &player->info);
    if (err != GT_OK) fail_msg("%s", player->info.text);
}

static void play_run(struct player *player, struct gt_str line)
{
    struct page page = {.num = 1, .den = 1, .num_first = 1, .den_first = 1, .currency = "CNY"};
    struct gt_str word;
    player->runs++;
    assert_true(gt_str_split(&line, ' ', &word));
    if (gt_str_is(word, "release")) {
        release(player);
        return;
    }
    page.rows = atoi(word.ptr);
    bool is_304 = gt_str_is(word, "304");
    while (gt_str_split(&line, ' ', &word)) read_word(&page, word);
    commit(player, &page, is_304);
}

/* ---- what stands ---- */

struct tally {
    int standing, doubted;
};

static enum gt_err count_row(void *ctx, const struct board_row *row)
{
    struct tally *tally = ctx;
    int i = atoi(row->offer.identity.label.ptr + 4);
    bool is_usual = row->offer.record.hour_list_nano == usual_nano(i) && strcmp(row->offer.record.currency.code, "CNY") == 0;
    if (row->is_doubted) assert_true(row->doubt.len > 0);
    tally->doubted += row->is_doubted;
    tally->standing += !row->is_doubted && row->is_listed && is_usual;
    return GT_OK;
}

/* The last doubt's sentence; a doubt is no price: it is told as such and as nothing else. */
static enum gt_err take_detail(void *ctx, const struct change *change)
{
    struct player *player = ctx;
    if (change->is_doubted) assert_int_equal(change->kind, CHANGE_DOUBTED);
    if (change->kind == CHANGE_DOUBTED) snprintf(player->detail, TEXT_MAX, "%.*s", GT_STR_ARG(change->detail));
    return GT_OK;
}

static void check_case(void **state)
{
    const struct guard_case *row = *state;
    char folder[64], got[TEXT_MAX] = "";
    struct player player = {.arena = arena_new(FIXTURE_ARENA_MAX)};
    struct gt_str rest = gt_str_from(row->script), line;
    size_t findings = 0;
    fixture_folder(folder);
    assert_int_equal(store_open(folder, STORE_WRITE, &player.store, &player.info), GT_OK);
    while (gt_str_split(&rest, ';', &line)) {
        struct tally tally = {0, 0};
        play_run(&player, line);
        assert_int_equal(store_board(player.store, INT64_MAX, player.arena, count_row, &tally, NULL), GT_OK);
        size_t len = strlen(got);
        snprintf(got + len, sizeof got - len, "%s%d/%d", len > 0 ? " " : "", tally.standing, tally.doubted);
    }
    assert_int_equal(store_changes(player.store, INT64_MIN, INT64_MAX, player.arena, take_detail, &player, NULL), GT_OK);
    store_close(player.store);
    assert_int_equal(store_check(folder, NULL, NULL, &findings, NULL), GT_OK);
    fixture_remove(folder);
    arena_free(player.arena);
    if (strcmp(got, row->expected) != 0) fail_msg("stands/doubted %s, expected %s (%s)", got, row->expected, player.detail);
    if (row->detail == NULL) assert_string_equal(player.detail, "");
    else if (strstr(player.detail, row->detail) == NULL) fail_msg("doubt is \"%s\"", player.detail);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(cases, check_case);
}
