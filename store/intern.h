/* Things that are kept once and called by a number: texts, streams, offers' identities, attributes, records, facts. Equal
 * bytes have one id; ids begin at 1 and are never given out again, 0 stands for "none". */
#ifndef GT_STORE_INTERN_H
#define GT_STORE_INTERN_H

#include "common/arena.h"
#include "common/strbuf.h"
#include "store/key.h"

/* The id of `bytes` in an interned table (DB_TEXTS … DB_FACTS), given out now when they are new. 0 when the transaction has
 * failed, or for empty bytes, which need no id. */
uint32_t intern_put(struct db_txn *txn, enum db_table table, struct gt_str bytes);

/* As intern_put for what an encoder filled; an encoder's error fails the transaction. */
uint32_t intern_put_buf(struct db_txn *txn, enum db_table table, const struct strbuf *buf);

/* The id, or 0 when the bytes are not known. */
uint32_t intern_find(struct db_txn *txn, enum db_table table, struct gt_str bytes);

/* Takes an entry away, unless it is the table's last (whose number would be given out again) or another's digest is looked for behind its own.
 * Nothing may refer to it. False when it stays. */
bool intern_drop(struct db_txn *txn, enum db_table table, uint32_t id);

/* Keeps bytes that are not known under a number that is larger than all: for a table that has had entries taken away. */
void intern_put_at(struct db_txn *txn, enum db_table table, uint32_t id, struct gt_str bytes);

/* The bytes of an id, borrowed until the next write. A missing one is damage: the transaction fails and false comes back. */
bool intern_get(struct db_txn *txn, enum db_table table, uint32_t id, struct gt_str *ret_bytes);

/* The text of an id copied into the arena; empty for 0. */
struct gt_str intern_text(struct db_txn *txn, uint32_t id, struct arena *arena);

#endif
