/* A store in a folder of its own, rules from a text, runs in a word each, events as words. For the alert engine's tests. */
#ifndef GT_TESTS_UNIT_ALERTS_FIXTURE_H
#define GT_TESTS_UNIT_ALERTS_FIXTURE_H

#include <ftw.h>
#include <jansson.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#include "alerts/alerts.h"
#include "common/digest.h"
#include "tests/unit/table.h"

enum {
    FIXTURE_FILLERS = 4, /* offers of the page that never change */
    FIXTURE_TEXT_MAX = 8192,
    FIXTURE_DAY_S = 86400,
    FIXTURE_START = 1780000000, /* 2026-05-28 */
};

struct fixture {
    char folder[64];
    struct conf *conf;
    struct store *store;
    struct gt_clock clock;
    struct alerts *alerts;
    struct arena *arena;
    struct gt_errinfo info;
    int64_t step_s;
};

static inline int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st;
    (void)type;
    (void)ftw;
    return remove(path);
}

/* A folder for a fixture that wants files in it before it opens. */
static inline void fixture_folder(struct fixture *f)
{
    *f = (struct fixture){.folder = "/tmp/gputape-alerts-XXXXXX"};
    assert_non_null(mkdtemp(f->folder));
}

/* Opens everything in the fixture's folder; the rules are `text`, a piece of sites.conf. */
static inline void fixture_open_here(struct fixture *f, const char *text)
{
    f->conf = conf_new();
    f->arena = arena_new((size_t)1 << 28);
    f->step_s = FIXTURE_DAY_S;
    f->clock = (struct gt_clock){.is_fixed = true, .fixed_unix_s = FIXTURE_START};
    enum gt_err err = conf_read_text(f->conf, "test.conf", gt_str_from(text), &f->info);
    if (err == GT_OK) err = store_open(f->folder, STORE_WRITE, &f->store, &f->info);
    if (err == GT_OK) err = alerts_new(f->conf, f->store, &f->clock, &f->alerts, &f->info);
    if (err != GT_OK) print_error("%s\n", f->info.text);
    assert_int_equal(err, GT_OK);
}

static inline void fixture_open(struct fixture *f, const char *text)
{
    fixture_folder(f);
    fixture_open_here(f, text);
}

static inline void fixture_close(struct fixture *f)
{
    alerts_free(f->alerts);
    store_close(f->store);
    conf_free(f->conf);
    arena_free(f->arena);
    nftw(f->folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static inline enum gt_err fixture_hook(void *ctx, struct store_txn *txn, const struct run_input *run,
                                       const struct run_summary *summary, struct gt_errinfo *info)
{
    struct fixture *f = ctx;
    return alerts_on_run(f->alerts, txn, run, summary, info);
}

/* A month's price of one offer, as a page prints it. */
static inline struct offer fixture_offer(struct fixture *f, const char *label, int64_t nano, enum bound bound,
                                         const char *currency)
{
    struct offer offer = {.stock = -1, .confidence_permille = 1000};
    struct quote *quote = arena_alloc(f->arena, sizeof *quote);
    offer.record.currency = currency_from(gt_str_from(currency));
    *quote = (struct quote){.amount_nano = nano,
                            .currency = offer.record.currency,
                            .period = PERIOD_MONTH,
                            .period_count = 1,
                            .basis = BASIS_CARD,
                            .role = ROLE_LIST,
                            .bound = bound,
                            .raw = GT_STR("raw"),
                            .where = GT_STR("td[2]")};
    offer.identity.part = GT_STR("page");
    offer.identity.label = gt_str_from(label);
    memcpy(offer.attributes.sku, "NVIDIA-RTX-4090", sizeof "NVIDIA-RTX-4090");
    offer.attributes.sku_status = SKU_EXACT;
    offer.attributes.vram_gb = 24;
    offer.attributes.cards = 1;
    offer.attributes.delivery = DELIVERY_CONTAINER;
    offer.attributes.tier = TIER_ON_DEMAND;
    offer.record.quotes = quote;
    offer.record.quote_count = 1;
    offer.record.availability = AVAIL_IN_STOCK;
    if (bound == BOUND_EXACT) offer.record.month_list_nano = nano;
    return offer;
}

/* The page of one run, from a word:
 *   100      the offer at 100 CNY a month     100$  in USD      100~  "from 100"
 *   so:100   sold out                         pr:100  with a promotion   8c:100  eight cards in the unit
 *   am:100   a label that may mean several cards
 *   2l:100   with another list price beside it, half as much again
 *   u5:100   with a promotion until the fifth day after FIXTURE_START
 *   all:so:100  all offers of the page sold out
 *   -        the page without the offer       d:100  drifted: guessed, to be doubted
 *   =        304                              !      failed */
struct fixture_page {
    struct offer offers[FIXTURE_FILLERS + 1];
    size_t count;
    enum part_status status;
};

static inline const char *fixture_prefix(const char *word, const char *prefix, bool *has)
{
    size_t len = strlen(prefix);
    *has = strncmp(word, prefix, len) == 0;
    return *has ? word + len : word;
}

static inline struct offer fixture_main(struct fixture *f, const char *word)
{
    bool sold_out, promo, eight, ambiguous, ending, two_lists;
    static const struct condition promotion = {.kind = COND_PROMOTION};
    static const struct condition until[] = {{.kind = COND_PROMOTION}, {.kind = COND_UNTIL, .n = FIXTURE_START + 5 * FIXTURE_DAY_S}};
    word = fixture_prefix(word, "so:", &sold_out);
    word = fixture_prefix(word, "pr:", &promo);
    word = fixture_prefix(word, "8c:", &eight);
    word = fixture_prefix(word, "am:", &ambiguous);
    word = fixture_prefix(word, "u5:", &ending);
    word = fixture_prefix(word, "2l:", &two_lists);
    char number[32];
    size_t digits = strspn(word, "0123456789.");
    snprintf(number, sizeof number, "%.*s", (int)digits, word);
    int64_t nano = 0;
    assert_int_equal(money_parse(gt_str_from(number), &nano), GT_OK);
    struct offer offer =
        fixture_offer(f, "4090 main", nano, word[digits] == '~' ? BOUND_FROM : BOUND_EXACT, word[digits] == '$' ? "USD" : "CNY");
    if (sold_out) offer.record.availability = AVAIL_SOLD_OUT;
    if (eight) offer.attributes.cards = 8;
    if (ambiguous) {
        offer.attributes.sku[0] = '\0';
        offer.attributes.sku_status = SKU_AMBIGUOUS;
    }
    if (two_lists) {
        struct quote *quotes = arena_array(f->arena, 2, sizeof *quotes);
        assert_non_null(quotes);
        quotes[0] = quotes[1] = offer.record.quotes[0];
        quotes[1].amount_nano = nano / 2 * 3;
        offer.record.quotes = quotes;
        offer.record.quote_count = 2;
    }
    if (ending) {
        ((struct quote *)(uintptr_t)offer.record.quotes)->conditions = until;
        ((struct quote *)(uintptr_t)offer.record.quotes)->condition_count = 2;
    }
    if (promo) {
        ((struct quote *)(uintptr_t)offer.record.quotes)->conditions = &promotion;
        ((struct quote *)(uintptr_t)offer.record.quotes)->condition_count = 1;
    }
    return offer;
}

static inline void fixture_page_make(struct fixture *f, const char *word, struct fixture_page *page)
{
    bool drifted, are_all;
    *page = (struct fixture_page){.status = STATUS_OK};
    if (strcmp(word, "=") == 0) page->status = STATUS_UNCHANGED;
    if (strcmp(word, "!") == 0) page->status = STATUS_FAILED;
    if (page->status != STATUS_OK) return;
    word = fixture_prefix(word, "d:", &drifted);
    if (drifted) page->status = STATUS_DRIFTED;
    word = fixture_prefix(word, "all:", &are_all);
    bool is_out = are_all && strncmp(word, "so:", 3) == 0;
    for (int i = 0; i < FIXTURE_FILLERS; i++)
        page->offers[page->count++] =
            fixture_offer(f, arena_printf(f->arena, "4090 filler %d", i).ptr, (900 + i * 7) * (int64_t)NANO, BOUND_EXACT, "CNY");
    for (size_t i = 0; i < page->count && is_out; i++) page->offers[i].record.availability = AVAIL_SOLD_OUT;
    if (strcmp(word, "-") != 0) page->offers[page->count++] = fixture_main(f, word);
}

/* Commits one part as a run of a site at the fixture's clock. A site whose name begins with m is a marketplace. */
static inline enum gt_err fixture_commit(struct fixture *f, const char *site, const struct run_part *part, int64_t round_month_nano)
{
    struct run_input run = {.site = gt_str_from(site),
                            .title = gt_str_from(site),
                            .kind = site[0] == 'm' ? KIND_MARKET : KIND_CLOUD,
                            .net_rules = {.hours_per_month = 720, .round_site_nano = NANO / 100, .round_month_nano = round_month_nano},
                            .provenance = PROVENANCE_LIVE,
                            .writer = GT_STR("local"),
                            .start_unix_s = f->clock.fixed_unix_s,
                            .rule_version = GT_STR("v1"),
                            .parts = part,
                            .part_count = 1};
    struct run_summary summary;
    return store_run_commit(f->store, &run, fixture_hook, f, f->arena, &summary, &f->info);
}

/* Commits the page that the word stands for. */
static inline enum gt_err fixture_run(struct fixture *f, const char *site, const char *word)
{
    struct fixture_page page;
    fixture_page_make(f, word, &page);
    bool has_body = page.count > 0;
    struct run_part part = {.name = GT_STR("page"),
                            .status = page.status,
                            .url = GT_STR("https://example.com/prices"),
                            .is_full_fetch = has_body,
                            .offers = page.offers,
                            .offer_count = page.count,
                            .rows_found = (int32_t)page.count};
    if (page.status == STATUS_FAILED) part.reason = GT_STR("connection refused");
    struct gt_str body = arena_printf(f->arena, "%s %s", site, word);
    assert_int_equal(digest_sha256(body, part.body_sha256), GT_OK);
    return fixture_commit(f, site, &part, NANO);
}

/* Events one after the other, as they are recorded. */
struct fixture_log {
    char text[4 * FIXTURE_TEXT_MAX];
};

static inline enum gt_err fixture_log_add(void *ctx, int64_t t_unix_s, struct gt_str json)
{
    struct fixture_log *log = ctx;
    size_t len = strlen(log->text);
    (void)t_unix_s;
    snprintf(log->text + len, sizeof log->text - len, "%.*s\n", GT_STR_ARG(json));
    return GT_OK;
}

/* Events as words: "2:1000>900", with "@site" where asked for; "2:source-failed". */
struct fixture_heard {
    char text[FIXTURE_TEXT_MAX];
    bool names_sites;
};

static inline const char *fixture_string_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

static inline enum gt_err fixture_hear(void *ctx, int64_t t_unix_s, struct gt_str json)
{
    struct fixture_heard *heard = ctx;
    json_t *event = json_loadb(json.ptr, json.len, 0, NULL);
    if (event == NULL) fail_msg("an event is no JSON: %.*s", GT_STR_ARG(json));
    size_t len = strlen(heard->text), room = sizeof heard->text - len;
    char *out = heard->text + len;
    int day = (int)((t_unix_s - FIXTURE_START) / FIXTURE_DAY_S) + 1;
    const char *gap = len > 0 ? " " : "";
    bool is_told = !json_is_true(json_object_get(event, "inhibited")); /* else recorded alone, and another event tells it */
    bool has_price = json_is_string(json_object_get(event, "new"));
    if (is_told && !has_price) snprintf(out, room, "%s%d:%s", gap, day, fixture_string_of(event, "what"));
    if (is_told && has_price)
        snprintf(out, room, "%s%d:%s>%s%s%s", gap, day, fixture_string_of(event, "old"), fixture_string_of(event, "new"),
                 heard->names_sites ? "@" : "", heard->names_sites ? fixture_string_of(event, "site") : "");
    json_decref(event);
    return GT_OK;
}

/* What was told is what was expected; and the same rules over the same history say the same again, in words and in every byte. Closes. */
static inline void fixture_told(struct fixture *f, bool names_sites, const char *expected)
{
    struct fixture_heard heard = {"", names_sites}, again = {"", names_sites};
    struct fixture_log live = {""}, replayed = {""};
    assert_int_equal(alerts_list(f->alerts, 0, INT64_MAX, fixture_hear, &heard, &f->info), GT_OK);
    assert_int_equal(alerts_replay(f->alerts, 0, INT64_MAX, fixture_hear, &again, &f->info), GT_OK);
    assert_int_equal(alerts_list(f->alerts, 0, INT64_MAX, fixture_log_add, &live, &f->info), GT_OK);
    assert_int_equal(alerts_replay(f->alerts, 0, INT64_MAX, fixture_log_add, &replayed, &f->info), GT_OK);
    fixture_close(f);
    assert_string_equal(heard.text, expected);
    assert_string_equal(again.text, expected);
    assert_string_equal(replayed.text, live.text);
}

static inline enum gt_err fixture_crawl_end(struct fixture *f)
{
    struct crawl_input crawl = {.start_unix_s = f->clock.fixed_unix_s, .end_unix_s = f->clock.fixed_unix_s};
    return store_crawl_commit(f->store, &crawl, fixture_hook, f, &f->info);
}

#endif
