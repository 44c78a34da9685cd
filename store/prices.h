/* What offers cost, and nothing else: for questions that need no words, no cards and no pages. They read the runs as a board or a history
 * does, by the same steps, but of a record only its front, and make no rows. */
#ifndef GT_STORE_PRICES_H
#define GT_STORE_PRICES_H

#include "store/store.h"

/* The list price per card at the front of a record, in the currency that its page prints. */
struct record_price {
    int64_t nano;  /* an hour's; where the record has none the month's; 0: it has neither */
    bool is_month;
    enum availability availability;
};

/* The price that a record has at its front. */
struct record_price price_of_record(const struct offer_record *front);

/* What a listed offer costs now; where something else is doubted beside what stands, that comes behind it. */
struct offer_price {
    uint64_t offer_id;
    struct record_price price;
    bool is_doubted;
};
typedef enum gt_err offer_price_fn(void *ctx, const struct offer_price *price);

/* All listed offers, those of one site and part together, by number: who speaks for a part is as on a board. `fn` is called while the store is
 * read: it must not write to it. GT_ECORRUPT, GT_EIO, GT_ENOMEM; what `fn` returns. */
enum gt_err store_prices(struct store *store, offer_price_fn *fn, void *ctx, struct gt_errinfo *info);

/* Times cut into windows: the i'th begins at bounds[i] and ends before bounds[i + 1]. Ascending. */
struct price_windows {
    const int64_t *bounds;
    size_t count; /* of bounds: one more than windows */
};

/* One price of an offer in one stream and one window. What lies in several windows is given once for each, and so is what is interrupted by a
 * doubt or by runs whose clock was set back. What was voided is left out. */
struct price_span {
    uint64_t offer_id;
    struct record_price price;
    size_t window;
    struct gt_str site, part; /* of the stream; until `fn` returns */
    enum provenance provenance;
    uint64_t first_seq, last_seq; /* runs: no other of the stream showed it in this window */
    uint32_t observations;        /* good runs (of a doubted one: runs that were read) in the window that showed it; at least one */
    bool is_doubted;
};
typedef enum gt_err price_span_fn(void *ctx, const struct price_span *span);

/* All prices that runs in the windows showed: of the offers named (`offer_count` ids in `offers`, ascending; NULL: of all). By stream; of one
 * stream in the order of runs. `fn` is called while the store is read: it must not write to it. GT_ECORRUPT, GT_EIO, GT_ENOMEM; what `fn`
 * returns, which may be after some were given. */
enum gt_err store_price_spans(struct store *store, const uint64_t *offers, size_t offer_count, struct price_windows windows,
                              price_span_fn *fn, void *ctx, struct gt_errinfo *info);

#endif
