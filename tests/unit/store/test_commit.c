/* What runs mean, one situation a row: a script of runs, and the changes, board and history that must follow.
 *
 * Script: runs divided by ';', run N begins N hours after 1970 (an "@H" in it sets its hour). A run is a status and offers,
 * "A=100" at 1.00 a card and hour; letters behind the price: s sold out, dN discount N/10, p promotion, rN other words, cN
 * cards. "ok!" is no full fetch. "release A", "void A N" (the span that began in run N) are the operator's, "stock A=5" sets a
 * count for the next runs. Changes: "run:kind:offer"; board: "A=100[since-seen]", '!' doubted, '-' delisted; history adds "xN"
 * observations, '*' open, '~' voided. */
#include "../table.h"

#include "fixture.h"
#include "store/thin.h"

enum { OFFERS = 26, RUNS_MAX = 40, TEXT_MAX = 2048 };

struct situation {
    const char *name;
    const char *script;
    const char *changes; /* NULL: not compared */
    const char *board;
    const char *history;
};

static const struct situation situations[] = {
    {"a first run makes every offer appear", "ok A=100 B=200", "1:appeared:A 1:appeared:B", "A=100[1-1] B=200[1-1]",
     "A=100[1-1]x1* B=200[1-1]x1*"},
    {"an equal page tells nothing and is seen", "ok A=100; ok A=100; ok! A=100", "1:appeared:A", "A=100[1-3]", "A=100[1-3]x3*"},
    {"a 304 is an observation", "ok A=100; unchanged; unchanged", "1:appeared:A", "A=100[1-3]", "A=100[1-3]x3*"},
    {"a 304 before any page shows nothing", "unchanged; ok A=100", "1:source-failed:- 2:source-recovered:- 2:appeared:A",
     "A=100[2-2]", "A=100[2-2]x1*"},
    {"a price moves", "ok A=100; ok A=110", "1:appeared:A 2:price:A", "A=110[2-2]", "A=100[1-1]x1 A=110[2-2]x1*"},
    {"a price goes back: three spans", "ok A=100; ok A=110; ok A=100", "1:appeared:A 2:price:A 3:price:A", "A=100[3-3]",
     "A=100[1-1]x1 A=110[2-2]x1 A=100[3-3]x1*"},
    {"other words for one price: a span without a change", "ok A=100; ok A=100r1", "1:appeared:A", "A=100r1[2-2]",
     "A=100[1-1]x1 A=100r1[2-2]x1*"},
    {"a discount is terms, not price", "ok A=100; ok A=100d8", "1:appeared:A 2:terms:A", "A=100d8[2-2]", NULL},
    {"a promotion begins and ends", "ok A=100; ok A=90p; ok A=100",
     "1:appeared:A 2:price:A 2:terms:A 2:promotion-began:A 3:price:A 3:terms:A 3:promotion-ended:A", NULL, NULL},
    {"sold out and back", "ok A=100; ok A=100s; ok A=100", "1:appeared:A 2:sold-out:A 3:back-in-stock:A", "A=100[3-3]",
     "A=100[1-1]x1 A=100s[2-2]x1 A=100[3-3]x1*"},
    {"the unit sold changes under one price", "ok A=100c1; ok A=100c8", "1:appeared:A 2:unit:A", "A=100c8[1-2]",
     "A=100c8[1-2]x2*"},
    {"the unit changes while a doubt goes away", "ok A=100c1; ok A=601c1; ok A=100c8", "1:appeared:A 2:doubted:A 3:unit:A", "A=100c8[1-3]",
     "A=100c8[1-3]x2* A=601c1[2-2]x1!"},
    {"so it does behind a page that was not believed", "ok A=100c1 B=1; ok A=601c1 B=1; drifted B=1; ok A=100c8 B=1",
     "1:appeared:A 1:appeared:B 2:doubted:A 3:source-failed:- 4:source-recovered:- 4:unit:A", "A=100c8[1-4] B=1[1-4]", NULL},
    {"and behind a void of the doubt", "ok A=100c1; ok A=601c1; void A 2; ok A=100c8", "1:appeared:A 2:doubted:A 3:voided:A 4:unit:A",
     "A=100c8[1-4]", NULL},
    {"other cards of a doubt are told when it is released", "ok A=100c1; ok A=601c8; ok A=601c8", "1:appeared:A 2:doubted:A 3:price:A 3:unit:A 3:released:A",
     "A=601c8[2-3]", "A=100c1[1-1]x1 A=601c8[2-3]x2*"},
    {"also by a person", "ok A=800c1; ok A=100c4; ok A=100c8; release A", "1:appeared:A 2:doubted:A 4:price:A 4:unit:A 4:released:A",
     "A=100c8[2-3]", "A=800c1[1-1]x1 A=100c8[2-3]x2*"},
    {"cards of a page that is not believed are not those of what stands", "ok A=100c1; drifted A=100c8; ok A=100c1",
     "1:appeared:A 2:source-failed:- 3:source-recovered:-", "A=100c1[1-3]", "A=100c1[1-3]x2* A=100c8[2-2]x1!"},
    {"they stand beside each other", "ok A=100c1; drifted A=100c8", "1:appeared:A 2:source-failed:-", "A=100c1[1-1] A=100c8[2-2]!", NULL},
    {"nor are they, when it has gone", "ok A=100c1 B=1; ok A=601c8 B=1; ok B=1; ok A=100c1 B=1",
     "1:appeared:A 1:appeared:B 2:doubted:A 3:delisted:A 4:relisted:A", "A=100c1[4-4] B=1[1-4]", NULL},
    {"a void price takes its unit along", "ok A=100c1; ok A=110c8; void A 2", "1:appeared:A 2:price:A 2:unit:A 3:voided:A", "A=100c1[1-1]",
     "A=100c1[1-1]x1 A=110c8[2-2]x1~"},
    {"an absent offer is delisted at its last sight", "ok A=100 B=200 C=300; unchanged; ok A=100 C=300; ok A=100 C=300",
     "1:appeared:A 1:appeared:B 1:appeared:C 3:delisted:B", "A=100[1-4] B=200[1-2]- C=300[1-4]",
     "A=100[1-4]x4* B=200[1-2]x2 C=300[1-4]x4*"},
    {"it comes back as it was: a new span", "ok A=100 B=200; ok A=100; ok A=100 B=200",
     "1:appeared:A 1:appeared:B 2:delisted:B 3:relisted:B", "A=100[1-3] B=200[3-3]", "A=100[1-3]x3* B=200[1-1]x1 B=200[3-3]x1*"},
    {"it comes back dearer", "ok A=100 B=200; ok A=100; ok A=100 B=220",
     "1:appeared:A 1:appeared:B 2:delisted:B 3:price:B 3:relisted:B", "A=100[1-3] B=220[3-3]", NULL},
    {"a failure changes no price and delists nothing", "ok A=100; failed; blocked; failed; ok A=100",
     "1:appeared:A 2:source-failed:- 5:source-recovered:-", "A=100[1-5]", "A=100[1-5]x2*"},
    {"failing from the start", "failed; failed; ok A=100", "1:source-failed:- 3:source-recovered:- 3:appeared:A", "A=100[3-3]",
     NULL},
    {"an incomplete part shows nothing", "ok A=100 B=200; incomplete A=150; ok A=100 B=200",
     "1:appeared:A 1:appeared:B 2:source-failed:- 3:source-recovered:-", "A=100[1-3] B=200[1-3]", "A=100[1-3]x2* B=200[1-3]x2*"},
    {"a 304 after a failure has recovered", "ok A=100; failed; unchanged", "1:appeared:A 2:source-failed:- 3:source-recovered:-",
     "A=100[1-3]", "A=100[1-3]x2*"},
    {"a drifted page: what is guessed stays doubted", "ok A=100; drifted B=100; ok A=100",
     "1:appeared:A 2:source-failed:- 3:source-recovered:-", "A=100[1-3]", "A=100[1-3]x2* B=100[2-2]x1!"},
    {"a 304 on a drifted page is drifted", "ok A=100; drifted A=100; unchanged", "1:appeared:A 2:source-failed:-",
     "A=100[1-1] A=100[2-3]!", "A=100[1-1]x1* A=100[2-3]x2*!"},
    {"a large move is doubted beside the good price", "ok A=100; ok A=601", "1:appeared:A 2:doubted:A", "A=100[1-1] A=601[2-2]!",
     "A=100[1-1]x1* A=601[2-2]x1*!"},
    {"a second full fetch releases it, from its beginning", "ok A=100; ok A=601; ok A=601; ok A=601",
     "1:appeared:A 2:doubted:A 3:price:A 3:released:A", "A=601[2-4]", "A=100[1-1]x1 A=601[2-4]x3*"},
    {"a 304 does not release it", "ok A=100; ok A=601; unchanged; ok! A=601", "1:appeared:A 2:doubted:A",
     "A=100[1-1] A=601[2-4]!", "A=100[1-1]x1* A=601[2-4]x3*!"},
    {"the doubt goes away: the good span goes on", "ok A=100; ok A=601; ok A=100", "1:appeared:A 2:doubted:A", "A=100[1-3]",
     "A=100[1-3]x2* A=601[2-2]x1!"},
    {"one doubt after another", "ok A=100; ok A=601; ok A=651; ok A=651",
     "1:appeared:A 2:doubted:A 3:doubted:A 4:price:A 4:released:A", "A=651[3-4]", "A=100[1-1]x1 A=601[2-2]x1! A=651[3-4]x2*"},
    {"doubted, then gone", "ok A=100 B=1; ok A=601 B=1; ok B=1", "1:appeared:A 1:appeared:B 2:doubted:A 3:delisted:A",
     "A=100[1-1]- B=1[1-3]", "A=100[1-1]x1 A=601[2-2]x1! B=1[1-3]x3*"},
    {"a unit slip never releases itself", "ok A=800; ok A=100; ok A=100; ok A=100", "1:appeared:A 2:doubted:A",
     "A=800[1-1] A=100[2-4]!", "A=800[1-1]x1* A=100[2-4]x3*!"},
    {"a person releases it", "ok A=800; ok A=100; release A; ok A=100", "1:appeared:A 2:doubted:A 3:price:A 3:released:A",
     "A=100[2-4]", "A=800[1-1]x1 A=100[2-4]x2*"},
    {"a person voids a doubt; the same sight is doubted anew", "ok A=800; ok A=100; void A 2; ok A=100",
     "1:appeared:A 2:doubted:A 3:voided:A 4:doubted:A", "A=800[1-1] A=100[4-4]!", "A=800[1-1]x1* A=100[2-2]x1!~ A=100[4-4]x1*!"},
    {"a void price gives way to the one before", "ok A=100; ok A=110; void A 2", "1:appeared:A 2:price:A 3:voided:A",
     "A=100[1-1]", "A=100[1-1]x1 A=110[2-2]x1~"},
    {"after a void the next sight begins a span", "ok A=100; ok A=110; void A 2; ok A=100", "1:appeared:A 2:price:A 3:voided:A",
     "A=100[4-4]", "A=100[1-1]x1 A=110[2-2]x1~ A=100[4-4]x1*"},
    {"the only price is void", "ok A=100; void A 1; ok A=100", "1:appeared:A 2:voided:A 3:appeared:A", "A=100[3-3]",
     "A=100[1-1]x1~ A=100[3-3]x1*"},
    {"a void of what no good run has shown: it is gone, and comes back again",
     "ok A=100 B=1; ok B=1; drifted A=100 B=1; release A; void A 3; drifted A=100 B=1; release A",
     "1:appeared:A 1:appeared:B 2:delisted:A 3:source-failed:- 4:relisted:A 4:released:A 5:voided:A 7:relisted:A 7:released:A", NULL, NULL},
    {"an old span is void: nothing stands differently", "ok A=100; ok A=110; void A 1; unchanged",
     "1:appeared:A 2:price:A 3:voided:A", "A=110[2-4]", "A=100[1-1]x1~ A=110[2-4]x2*"},
    {"rows collapse: doubted once, delists nobody", "ok A=1 B=2 C=3 D=4 E=5; ok A=1; ok A=1; ok A=1 B=2 C=3 D=4 E=5",
     "1:appeared:A 1:appeared:B 1:appeared:C 1:appeared:D 1:appeared:E 2:doubted:-",
     "A=1[1-4] B=2[1-4] C=3[1-4] D=4[1-4] E=5[1-4]", NULL},
    {"a person accepts the smaller page", "ok A=1 B=2 C=3 D=4; ok A=1 B=2; release A; ok A=1 B=2",
     "1:appeared:A 1:appeared:B 1:appeared:C 1:appeared:D 2:doubted:- 3:released:A 4:delisted:C 4:delisted:D",
     "A=1[2-4] B=2[1-4] C=3[1-1]- D=4[1-1]-", NULL},
    {"one identity twice, two prices: doubted", "ok A=100; ok A=100 A=120", "1:appeared:A 2:doubted:A", NULL, NULL},
    {"one identity twice, one price: once", "ok A=100 A=100; ok A=100", "1:appeared:A", "A=100[1-2]", "A=100[1-2]x2*"},
    {"a doubted newcomer, released", "ok A=100; ok A=100 B=200 B=220; ok A=100 B=200",
     "1:appeared:A 2:doubted:B 3:appeared:B 3:released:B", "A=100[1-3] B=200[2-3]", NULL},
    {"the clock jumps back: the sequence is the order", "@100 ok A=100; @50 ok A=110; @51 ok A=110", "50:price:A 100:appeared:A",
     "A=110[50-51]", "A=100[100-100]x1 A=110[50-51]x2*"},
    {"two runs in one second", "@7 ok A=100; @7 ok A=110", "7:appeared:A 7:price:A", "A=110[7-7]", "A=100[7-7]x1 A=110[7-7]x1*"},
    {"an empty page on the first day", "ok; ok A=100", "2:appeared:A", "A=100[2-2]", NULL},
};

/* One script being run. */
struct player {
    struct store *store;
    struct arena *arena;
    uint64_t runs;
    uint64_t seqs[RUNS_MAX];
    struct gt_errinfo info;
};

static void print_shape(char *text, const struct offer *offer)
{
    struct shape s = shape_of(offer);
    int n = sprintf(text, "%c=%d", 'A' + k_of(&offer->identity), s.price_cents);
    if (s.availability == AVAIL_SOLD_OUT) n += sprintf(text + n, "s");
    if (s.discount != 0) n += sprintf(text + n, "d%d", s.discount);
    if (s.promo != 0) n += sprintf(text + n, "p");
    if (s.raw != 0) n += sprintf(text + n, "r%d", s.raw);
    if (s.cards != 0) sprintf(text + n, "c%d", s.cards);
}

static void add(char *text, const char *piece)
{
    size_t used = strlen(text);
    assert_true(used + strlen(piece) + 2 < TEXT_MAX);
    snprintf(text + used, TEXT_MAX - used, "%s%s", used > 0 ? " " : "", piece);
}

static enum gt_err take_board(void *ctx, const struct board_row *row)
{
    char shape[64], piece[128];
    print_shape(shape, &row->offer);
    snprintf(piece, sizeof piece, "%s[%lld-%lld]%s%s", shape, (long long)row->since_unix_s / 3600,
             (long long)row->seen_unix_s / 3600, row->is_listed ? "" : "-", row->is_doubted ? "!" : "");
    assert_true(row->is_doubted == (row->doubt.len > 0));
    add(ctx, piece);
    return GT_OK;
}

static enum gt_err take_history(void *ctx, const struct history_row *row)
{
    char shape[64], piece[128];
    print_shape(shape, &row->offer->offer);
    snprintf(piece, sizeof piece, "%s[%lld-%lld]x%u%s%s%s", shape, (long long)row->first_unix_s / 3600,
             (long long)row->last_unix_s / 3600, row->observations, row->is_open ? "*" : "", row->is_doubted ? "!" : "",
             row->is_voided ? "~" : "");
    add(ctx, piece);
    return GT_OK;
}

/* The spans of one offer after another, as store_history gives all of them. */
struct one_by_one {
    struct store *store;
    struct arena *arena;
    void *text;
    uint64_t last;
};

static enum gt_err take_history_of(void *ctx, const struct history_row *row)
{
    struct one_by_one *walk = ctx;
    uint64_t ids[] = {row->offer->offer_id};
    bool is_known = ids[0] == walk->last;
    walk->last = ids[0];
    return is_known ? GT_OK : store_history_of(walk->store, ids, 1, INT64_MIN, INT64_MAX, walk->arena, take_history, walk->text, NULL);
}

static enum gt_err take_change(void *ctx, const struct change *change)
{
    char piece[128], offer[2] = "-";
    if (change->identity != NULL) offer[0] = (char)('A' + k_of(change->identity));
    snprintf(piece, sizeof piece, "%lld:%s:%s", (long long)change->t_unix_s / 3600,
             word_text(VOCABULARY_CHANGE, (int)change->kind), offer);
    add(ctx, piece);
    return GT_OK;
}

static struct shape read_shape(const char *text)
{
    struct shape shape = {.price_cents = atoi(text), .availability = AVAIL_IN_STOCK};
    for (; *text != '\0' && *text != ' '; text++) {
        if (*text == 's') shape.availability = AVAIL_SOLD_OUT;
        if (*text == 'd') shape.discount = (uint8_t)atoi(text + 1);
        if (*text == 'p') shape.promo = 1;
        if (*text == 'r') shape.raw = (uint8_t)atoi(text + 1);
        if (*text == 'c') shape.cards = (uint8_t)atoi(text + 1);
    }
    return shape;
}

/* The id of the offer with a letter. */
struct wanted {
    int k;
    uint64_t id;
};

static enum gt_err take_id(void *ctx, const struct history_row *row)
{
    struct wanted *wanted = ctx;
    if (k_of(&row->offer->offer.identity) == wanted->k) wanted->id = row->offer->offer_id;
    return GT_OK;
}

static void act(struct player *player, struct gt_str verb, struct gt_str letter, struct gt_str run, int64_t now)
{
    struct wanted wanted = {.k = letter.ptr[0] - 'A'};
    assert_int_equal(store_history(player->store, INT64_MIN, INT64_MAX, player->arena, take_id, &wanted, NULL), GT_OK);
    enum gt_err err = gt_str_is(verb, "release") ? store_release(player->store, wanted.id, now, GT_STR("I looked"), &player->info)
                                                 : store_void(player->store, wanted.id, player->seqs[atoi(run.ptr)], now,
                                                              GT_STR("wrong"), &player->info);
    if (err != GT_OK) print_error("%s\n", player->info.text);
    assert_int_equal(err, GT_OK);
}

static void commit(struct player *player, struct gt_str status, struct gt_str rest, int64_t now)
{
    struct offer offers[OFFERS];
    struct run_summary summary = {.seq = 0};
    struct run_part part = {.name = GT_STR("page"), .offers = offers, .url = GT_STR("https://x/"), .http_code = 200};
    struct gt_str word;
    part.is_full_fetch = !gt_str_ends(status, GT_STR("!"));
    if (!part.is_full_fetch) status.len--;
    int value;
    assert_true(word_find(VOCABULARY_STATUS, status, &value));
    part.status = (enum part_status)value;
    while (gt_str_split(&rest, ' ', &word))
        if (word.len > 2)
            offers[part.offer_count++] = offer_of(player->arena, part.name, word.ptr[0] - 'A', read_shape(word.ptr + 2));
    digest_of(player->runs, part.body_sha256);
    struct run_input run = run_of(&part, 1, now);
    enum gt_err err = store_run_commit(player->store, &run, NULL, NULL, player->arena, &summary, &player->info);
    if (err != GT_OK) print_error("%s\n", player->info.text);
    assert_int_equal(err, GT_OK);
    player->seqs[player->runs] = summary.seq;
}

static void play(struct player *player, const char *script)
{
    struct gt_str rest = gt_str_from(script), line, word, second, third;
    while (gt_str_split(&rest, ';', &line)) {
        int64_t now = (int64_t)++player->runs * 3600;
        assert_true(player->runs < RUNS_MAX && gt_str_split(&line, ' ', &word));
        if (word.ptr[0] == '@') {
            now = atoi(word.ptr + 1) * 3600;
            gt_str_split(&line, ' ', &word);
        }
        if (gt_str_is(word, "release") || gt_str_is(word, "void")) {
            gt_str_split(&line, ' ', &second);
            third = line;
            act(player, word, second, third, now);
        } else {
            commit(player, word, line, now);
        }
    }
}

static void expect(const char *what, const char *got, const char *expected)
{
    if (expected == NULL || strcmp(got, expected) == 0) return;
    print_error("%s:\n  got      %s\n  expected %s\n", what, got, expected);
    fail();
}

static void check_situation(void **state)
{
    const struct situation *row = *state;
    char folder[64], changes[TEXT_MAX] = "", board[TEXT_MAX] = "", history[TEXT_MAX] = "", offers[TEXT_MAX] = "", none[TEXT_MAX] = "";
    struct player player = {.arena = arena_new(FIXTURE_ARENA_MAX)};
    size_t findings = 0;
    fixture_folder(folder);
    assert_int_equal(store_open(folder, STORE_WRITE, &player.store, &player.info), GT_OK);
    play(&player, row->script);
    assert_int_equal(store_changes(player.store, INT64_MIN, INT64_MAX, player.arena, take_change, changes, NULL), GT_OK);
    assert_int_equal(store_board(player.store, INT64_MAX, player.arena, take_board, board, NULL), GT_OK);
    assert_int_equal(store_history(player.store, INT64_MIN, INT64_MAX, player.arena, take_history, history, NULL), GT_OK);
    struct one_by_one walk = {.store = player.store, .arena = player.arena, .text = offers};
    assert_int_equal(store_history(player.store, INT64_MIN, INT64_MAX, player.arena, take_history_of, &walk, NULL), GT_OK);
    assert_int_equal(store_history_of(player.store, &walk.last, 0, INT64_MIN, INT64_MAX, player.arena, take_history, none, NULL), GT_OK);
    store_close(player.store);
    enum gt_err err = store_check(folder, NULL, NULL, &findings, &player.info);
    if (err != GT_OK) print_error("check: %s\n", player.info.text);
    fixture_remove(folder);
    arena_free(player.arena);
    expect("changes", changes, row->changes);
    expect("board", board, row->board);
    expect("history", history, row->history);
    expect("history, offer by offer", offers, history);
    expect("history of no offer", none, "");
    assert_int_equal(err, GT_OK);
}

/* ---- old offers let go ---- */

static const struct thinning {
    const char *name;
    const char *script;
    uint64_t run; /* up to which */
    const char *changes, *board, *history;
} thinnings[] = {
    {"prices of before", "ok A=100; ok A=110; ok A=120; ok A=130", 3, "3:price:A 4:price:A", "A=130[4-4]", "A=120[3-3]x1 A=130[4-4]x1*"},
    {"a span that goes on keeps its beginning", "ok A=100; ok A=100; ok A=100; ok A=100", 3, "1:appeared:A", "A=100[1-4]", "A=100[1-4]x4*"},
    {"who had left is not known", "ok A=100 B=200; ok A=100; ok A=100; ok A=100 B=200", 3, "1:appeared:A 4:relisted:B", "A=100[1-4] B=200[4-4]",
     "A=100[1-4]x4* B=200[4-4]x1*"},
    {"who leaves later is", "ok A=100 B=200; ok A=100 B=200; ok A=100", 2, "1:appeared:A 1:appeared:B 3:delisted:B", "A=100[1-3] B=200[1-2]-",
     "A=100[1-3]x3* B=200[1-2]x2"},
    {"a failure stays", "ok A=100; failed; ok A=110; ok A=110", 3, "2:source-failed:- 3:source-recovered:- 3:price:A", "A=110[3-4]", "A=110[3-4]x2*"},
    {"an open doubt, released later", "ok A=800 B=1; ok A=100 B=1; release A; ok A=100 B=1", 2,
     "1:appeared:A 1:appeared:B 2:doubted:A 3:price:A 3:released:A", "A=100[2-4] B=1[1-4]", "A=800[1-1]x1 A=100[2-4]x2* B=1[1-4]x3*"},
    {"the price before the one that stands goes", "ok A=100; ok A=110; ok A=601; ok A=110", 3, "2:price:A 3:doubted:A", "A=110[2-4]", "A=110[2-4]x2* A=601[3-3]x1!"},
    {"a void of a span that stood", "ok A=100; ok A=110; ok A=110; void A 2", 3, "2:price:A 4:voided:A", "A=100[1-1]", "A=110[2-3]x2~"},
    {"a void of a span that is gone", "ok A=100; ok A=110; ok A=110; void A 1; unchanged", 3, "2:price:A 4:voided:A", "A=110[2-5]", "A=110[2-5]x3*"},
};

/* Plays the script, lets go of what had ended by a run, twice, and prints what is left. GT_ENOENT when the run is no good one. */
static enum gt_err thin(const char *script, uint64_t run, char *changes, char *board, char *history)
{
    char folder[64];
    struct player player = {.arena = arena_new(FIXTURE_ARENA_MAX)};
    struct thin_counts counts, again;
    size_t findings = 0;
    fixture_folder(folder);
    assert_int_equal(store_open(folder, STORE_WRITE, &player.store, &player.info), GT_OK);
    play(&player, script);
    enum gt_err err = store_thin(player.store, GT_STR("jygpu"), player.seqs[run], GT_STR("note"), GT_STR("v"), &counts, &player.info);
    if (err == GT_OK) {
        assert_int_equal(store_thin(player.store, GT_STR("jygpu"), player.seqs[run], GT_STR("note"), GT_STR("v"), &again, &player.info), GT_OK);
        assert_int_equal(again.runs + again.records + again.spans, 0);
        assert_int_equal(store_changes(player.store, INT64_MIN, INT64_MAX, player.arena, take_change, changes, NULL), GT_OK);
        assert_int_equal(store_board(player.store, INT64_MAX, player.arena, take_board, board, NULL), GT_OK);
        assert_int_equal(store_history(player.store, INT64_MIN, INT64_MAX, player.arena, take_history, history, NULL), GT_OK);
    }
    store_close(player.store);
    enum gt_err checked = store_check(folder, NULL, NULL, &findings, &player.info);
    if (checked != GT_OK) print_error("check: %s\n", player.info.text);
    assert_int_equal(checked, GT_OK);
    fixture_remove(folder);
    arena_free(player.arena);
    return err;
}

static void check_thinning(void **state)
{
    const struct thinning *row = *state;
    char changes[TEXT_MAX] = "", board[TEXT_MAX] = "", history[TEXT_MAX] = "";
    assert_int_equal(thin(row->script, row->run, changes, board, history), GT_OK);
    expect("changes", changes, row->changes);
    expect("board", board, row->board);
    expect("history", history, row->history);
}

/* Of changes those behind the run (by its hour) and those of the source: they must be among what is left. */
static void expect_later(const char *all, uint64_t run, const char *got)
{
    struct gt_str rest = gt_str_from(all), word;
    char piece[128];
    while (rest.len > 0 && gt_str_split(&rest, ' ', &word)) {
        snprintf(piece, sizeof piece, "%.*s", GT_STR_ARG(word));
        bool is_later = (uint64_t)atoi(piece) > run || gt_str_ends(word, GT_STR(":-"));
        if (is_later && strstr(got, piece) == NULL) expect("changes", got, piece);
    }
}

/* A board without those who left, of whom some are not known any more. */
static void keep_listed(const char *all, char *listed)
{
    struct gt_str rest = gt_str_from(all), word;
    char piece[128];
    while (rest.len > 0 && gt_str_split(&rest, ' ', &word)) {
        snprintf(piece, sizeof piece, "%.*s", GT_STR_ARG(word));
        if (gt_str_find(word, GT_STR("]-"), 0) == SIZE_MAX) add(listed, piece);
    }
}

/* Every situation cut at each of its runs: later changes, and what is listed on the board to the hour, are those of the whole. */
static void check_cut(void **state)
{
    const struct situation *row = *state;
    size_t runs = 1;
    if (row->changes == NULL || row->board == NULL || strchr(row->script, '@') != NULL) return;
    for (const char *c = row->script; *c != '\0'; c++) runs += *c == ';';
    for (uint64_t run = 1; run <= runs; run++) {
        char changes[TEXT_MAX] = "", board[TEXT_MAX] = "", history[TEXT_MAX] = "", want[TEXT_MAX] = "", got[TEXT_MAX] = "";
        enum gt_err err = thin(row->script, run, changes, board, history);
        if (err == GT_ENOENT) continue; /* no good run */
        assert_int_equal(err, GT_OK);
        expect_later(row->changes, run, changes);
        keep_listed(row->board, want);
        keep_listed(board, got);
        expect("board", got, want);
    }
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(situations, check_situation) + TABLE_RUN(thinnings, check_thinning) + table_run("cuts", situations, sizeof situations / sizeof situations[0], sizeof situations[0], check_cut);
}
