/* What the listed offers of a stream cost, in a value beside its latest block: who asks for nothing else reads nothing else. It follows from the
 * block and the records, which never change; where an older program wrote the block last there is none. */
#ifndef GT_STORE_PRICE_ROW_H
#define GT_STORE_PRICE_ROW_H

#include "store/prices.h"
#include "store/reader.h"

/* A row while it is read. */
struct price_row {
    struct dec dec;           /* its error is the row's */
    struct offer_price price; /* what was read last */
};

/* The stream's row, before its first price. False when there is none, and on failure (in the transaction). It lives as long as what db_get
 * gives. */
bool price_row_get(struct db_txn *txn, uint32_t stream, struct price_row *ret_row);

/* Any bytes as a row, before its first price. */
struct price_row price_row_begin(struct gt_str bytes);

/* Goes on to the next price. False behind the last one, and on damage. */
bool price_row_next(struct price_row *row);

/* What a row begins with, and a price behind one of the offer `offer_before` (0: it is the first). */
void enc_price_row(struct strbuf *buf);
void enc_price(struct strbuf *buf, uint64_t offer_before, const struct offer_price *price);

enum { SLOT_PRICES_MAX = 2 };

/* The prices of an offer, from its records: how many. Failures stand in the transaction. */
size_t price_of_slot(struct reader *reader, const struct slot *slot, struct offer_price ret_prices[static SLOT_PRICES_MAX]);

/* Writes the row of a state. `steps` are those of the state's last run, by offer: what the row had of all others is taken over, since reading
 * every record would make a commit a fifth slower. NULL: all are read. Failures stand in the transaction. */
void price_row_put(struct reader *reader, uint32_t stream, const struct part_state *state, const struct step *steps, size_t step_count);

/* Takes it away. */
void price_row_del(struct db_txn *txn, uint32_t stream);

/* False when there is a row, and it is not the state's to the byte. */
bool price_row_fits(struct reader *reader, uint32_t stream, const struct part_state *state);

#endif
