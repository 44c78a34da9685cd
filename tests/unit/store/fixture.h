/* A folder of its own, offers of any shape, runs in a line each. For the store's tests. */
#ifndef GT_TESTS_UNIT_STORE_FIXTURE_H
#define GT_TESTS_UNIT_STORE_FIXTURE_H

#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/store.h"
#include "store/store_impl.h"

#define FIXTURE_ARENA_MAX ((size_t)1 << 30)

/* What one offer shows; `cards` is an attribute, the rest is its record. */
struct shape {
    int32_t price_cents;
    uint8_t availability;
    uint8_t discount; /* tenths to pay; 0 none */
    uint8_t promo;    /* 1: a promotion is printed */
    uint8_t raw;      /* other words for the same price */
    uint8_t cards;
};

static inline struct gt_str text_of(struct arena *arena, const char *name, int number)
{
    return arena_printf(arena, "%s%d", name, number);
}

/* The k'th offer of a part. */
static inline struct offer offer_of(struct arena *arena, struct gt_str part, int k, struct shape shape)
{
    static const struct condition promotion = {.kind = COND_PROMOTION};
    struct offer offer = {.stock = -1, .confidence_permille = 1000};
    struct quote *quote = arena_array(arena, 1, sizeof *quote);
    struct discount *discount = arena_array(arena, 1, sizeof *discount);
    int64_t nano = (int64_t)shape.price_cents * (NANO / 100);
    memcpy(offer.record.currency.code, "CNY", 4);
    *quote = (struct quote){.amount_nano = nano,
                            .currency = offer.record.currency,
                            .period = PERIOD_HOUR,
                            .period_count = 1,
                            .basis = BASIS_CARD,
                            .role = ROLE_LIST,
                            .raw = text_of(arena, "raw", shape.raw),
                            .where = GT_STR("td[2]")};
    if (shape.promo != 0) quote->conditions = &promotion;
    quote->condition_count = shape.promo != 0 ? 1 : 0;
    *discount =
        (struct discount){.factor_nano = shape.discount * (NANO / 10), .currency = offer.record.currency, .raw = GT_STR("折")};
    offer.identity.part = part;
    offer.identity.label = text_of(arena, "RTX 4090 #", k);
    offer.attributes.cards = shape.cards;
    offer.record.quotes = quote;
    offer.record.quote_count = 1;
    offer.record.discounts = discount;
    offer.record.discount_count = shape.discount != 0 ? 1 : 0;
    offer.record.availability = (enum availability)shape.availability;
    offer.record.hour_list_nano = nano;
    return offer;
}

/* The shape of what came back. */
static inline struct shape shape_of(const struct offer *offer)
{
    const struct offer_record *record = &offer->record;
    return (struct shape){.price_cents = (int32_t)(record->hour_list_nano / (NANO / 100)),
                          .availability = (uint8_t)record->availability,
                          .discount = record->discount_count > 0 ? (uint8_t)(record->discounts[0].factor_nano / (NANO / 10)) : 0,
                          .promo = record->quotes[0].condition_count > 0,
                          .raw = (uint8_t)atoi(record->quotes[0].raw.ptr + 3),
                          .cards = (uint8_t)offer->attributes.cards};
}

static inline int k_of(const struct offer_identity *identity)
{
    return atoi(strchr(identity->label.ptr, '#') + 1);
}

/* The same sequence on every machine: xorshift64*. */
static inline uint64_t random_next(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 0x2545F4914F6CDD1DULL;
}

static inline int random_below(uint64_t *state, int limit)
{
    return (int)(random_next(state) >> 33) % limit;
}

/* A new folder; fixture_remove takes it away with all that is in it. */
static inline void fixture_folder(char path[64])
{
    snprintf(path, 64, "/tmp/gputape-store-XXXXXX");
    if (mkdtemp(path) == NULL) {
        printf("Bail out! no folder: %s\n", path);
        exit(1);
    }
}

static inline void fixture_remove(const char *path)
{
    DIR *folder = opendir(path);
    struct dirent *entry;
    char name[512];
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        unlink(name);
    }
    if (folder != NULL) closedir(folder);
    rmdir(path);
}

/* In a child that may crash: cmocka's handlers would jump back into the tests, and LMDB's last words are not for the terminal. */
static inline void fixture_settle_child(void)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) signal(signals[i], SIG_DFL);
    if (freopen("/dev/null", "w", stderr) == NULL) _exit(99);
}

/* A run of one part with usual facts, to be changed by the caller. */
static inline struct run_input run_of(const struct run_part *parts, size_t count, int64_t t_unix_s)
{
    return (struct run_input){.site = GT_STR("jygpu"),
                              .title = GT_STR("极智算"),
                              .net_rules = {.hours_per_month = 720},
                              .writer = GT_STR("test"),
                              .start_unix_s = t_unix_s,
                              .latency_ms = 12,
                              .rule_version = GT_STR("r1"),
                              .parts = parts,
                              .part_count = count};
}

/* A digest that no other number gives. */
static inline void digest_of(uint64_t number, uint8_t digest[32])
{
    memset(digest, 0x5a, 32);
    memcpy(digest, &number, sizeof number);
}

/* What `db compact --pack` does to a store that nobody has open. */
static inline void fixture_pack(const char *folder)
{
    struct gt_errinfo info = {0};
    if (store_compact(folder, true, &info) == GT_OK) return;
    printf("Bail out! packing %s: %s\n", folder, info.text);
    exit(1);
}

#endif
