/* Stock counts and what `auto` believes of its guesses: they move all the time, so they stand beside the spans. A row holds
 * what differs from the row before it; every STOCK_KEY_EVERYth holds everything, so that any moment needs few rows. */
#ifndef GT_STORE_STOCK_H
#define GT_STORE_STOCK_H

#include "store/codec.h"
#include "store/db.h"
#include "store/key.h"

enum { STOCK_KEY_EVERY = 32 };

struct stock {
    uint32_t offer;
    int64_t units; /* -1 unknown */
    int32_t confidence_permille;
    uint32_t reasons; /* text */
};

/* All offers of a stream that say something, by offer. */
struct stock_list {
    struct stock *items;
    size_t count, cap;
    uint32_t since_key; /* rows since the last whole one */
    bool has_row;
};

/* Reads the stock as it was after run `cut_seq`. False on failure, which stands in the transaction. */
bool stock_load(struct db_txn *txn, uint32_t stream, uint64_t cut_seq, struct arena *arena, struct stock_list *ret_list);

/* The entry of an offer; one that says nothing (-1, 1000, 0) when there is none. */
struct stock stock_of(const struct stock_list *list, uint32_t offer);

/* One row: `is_whole` or what differs. */
void enc_stock(struct strbuf *buf, uint32_t since_key, const struct stock *items, size_t count);
enum gt_err dec_stock(struct gt_str bytes, struct arena *arena, uint32_t *ret_since_key, struct stock **ret_items,
                      size_t *ret_count);

#endif
