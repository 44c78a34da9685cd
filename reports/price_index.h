/* The price index: how prices moved, apart from who offers what. A matched-model Jevons index, chained by weeks, as statistical
 * offices make elementary indexes (ILO and others, Consumer Price Index Manual: Theory, 2004, chapter 20, "Elementary indices";
 * https://www.ilo.org/public/english/bureau/stat/guides/cpi/).
 *
 * From one week to the next, an offer counts that was usable at the end of both, in one comparison class and one currency. Its relative is
 * its price divided by the week before's. Inside a platform the relatives' geometric mean is taken, then the geometric mean of the
 * platforms, each counting once: L = (Π_s (Π_i p_i(t) / p_i(t-1))^(1/n_s))^(1/S). The index is the product of these links, 100 in the base
 * week. Who joins, leaves or returns moves nothing; nor does a rate of exchange, since each relative is in the currency printed. A week
 * without a matched offer breaks the chain: what lies beyond is not comparable with the base and has no value. */
#ifndef GT_REPORTS_PRICE_INDEX_H
#define GT_REPORTS_PRICE_INDEX_H

#include <stdbool.h>

#include "common/arena.h"
#include "pricing/offer.h"

enum {
    INDEX_WEEKS_MAX = 520,
    INDEX_SERIES_MAX = 200 * 1000,
    INDEX_SHARES_MAX = 4 * 1000 * 1000,
};

/* A usable offer at a week's end: no mark, an exact card, a price. Texts live at least as long as the index's arena. */
struct index_quote {
    uint64_t offer_id;
    struct gt_str class; /* comparison class: begins with "SKU/VRAM/" */
    struct gt_str sku;
    int32_t vram_gb; /* 0 not known */
    struct gt_str site;
    struct currency currency;
    int64_t price_nano; /* per card; above 0 */
};

/* Why the best price differs from the week before's, which the index does not follow. */
enum index_low {
    INDEX_LOW_NONE,   /* no best price: nothing usable, or several currencies */
    INDEX_LOW_FIRST,  /* none the week before */
    INDEX_LOW_SAME,   /* the same offer at the same price */
    INDEX_LOW_MOVED,  /* an offer that was there moved its price */
    INDEX_LOW_JOINED, /* an offer that was not there the week before is the cheapest */
    INDEX_LOW_LEFT,   /* last week's cheapest is not there any more */
};

/* One week of one series. */
struct index_point {
    bool has_value;
    int64_t value_nano; /* 100e9 in the base week, rounded to a hundredth */
    bool has_link;
    int64_t link_percent_nano; /* the move against the week before, rounded to a hundredth of a percent */
    int32_t offers, sellers;                 /* usable */
    int32_t matched, matched_sellers;        /* of them, also in the week before */
    int64_t low_nano;                        /* the best price of a class; 0 none: a card's classes are not compared */
    struct currency low_currency;
    struct gt_str low_site;
    uint64_t low_offer_id;
    enum index_low low_reason;
    double log_link, log_chain; /* chain: since the segment began */
    int32_t segment;            /* stretches between breaks of the chain, from 1; 0: no offers yet */
};

/* One comparison class, or one card over all its classes. */
struct index_series {
    struct gt_str key; /* the class; for a card "SKU/VRAM", so that nothing is averaged over different VRAM */
    bool is_card;
    struct gt_str sku;
    int32_t vram_gb;
    struct index_point *points; /* one a week */
};

/* What one platform did to one link: the points of a week add up to the link's percent. */
struct index_share {
    struct gt_str key;
    bool is_card;
    size_t week;
    struct gt_str site;
    int32_t matched;
    int64_t percent_nano; /* the platform's own move */
    int64_t share_nano;   /* its part of the link, in percent */
    double log_mean;      /* the mean of its offers' logarithms */
};

struct price_index {
    struct arena *arena;
    size_t week_count;
    struct index_series *series; /* cards first, then classes, by key */
    size_t series_count, series_cap;
    struct index_share *shares; /* by week, then as the series, then by site */
    size_t share_count, share_cap;
    struct index_quote *before; /* the week before's quotes by offer id; malloc'ed */
    size_t before_count;
    size_t weeks_done;
};

/* Begins an index over `week_count` weeks (at most INDEX_WEEKS_MAX), in the arena. GT_OK; GT_ELIMIT. */
enum gt_err price_index_init(struct price_index *index, struct arena *arena, size_t week_count);

/* Adds the next week's usable offers, in any order; they are copied. Two quotes of one offer are the caller's error. GT_OK; GT_ENOMEM;
 * GT_ELIMIT. */
enum gt_err price_index_add(struct price_index *index, const struct index_quote *quotes, size_t count);

/* Sets values: 100 in week `base`; SIZE_MAX: each series in the first week of its newest unbroken stretch. A series has no value
 * in weeks that no chain connects with its base. */
void price_index_finish(struct price_index *index, size_t base);

/* Frees what does not live in the arena. Series and shares stay good. */
void price_index_done(struct price_index *index);

#endif
