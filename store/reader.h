/* Interned things decoded into an arena, each once: a board of 100,000 offers shares few attributes and many records. */
#ifndef GT_STORE_READER_H
#define GT_STORE_READER_H

#include "store/db.h"
#include "store/part_state.h"
#include "store/stream.h"

/* An identity with its site. */
struct named_offer {
    struct gt_str site;
    struct offer_identity identity;
};

enum { READER_CHUNK = 512, READER_FRONTS = DB_TABLES, /* of records, beside the tables */ READER_TABLES };

/* What is decoded of one table, by id: ids are dense and mostly asked for in their order, which a table of hashes would scatter over memory. */
struct reader_table {
    const void ***chunks; /* READER_CHUNK ids each; NULL: none of them asked for yet */
    size_t count;
};

/* Reads through one transaction; what it hands out lives in `arena`. Failures stand in the transaction. */
struct reader {
    struct db_txn *txn;
    struct arena *arena;
    struct reader_table tables[READER_TABLES];
};

/* Begins with nothing decoded. It has no end: everything lies in the arena. */
void reader_init(struct reader *reader, struct db_txn *txn, struct arena *arena);

/* Each NULL for id 0 and once the transaction has failed. */
const struct offer_record *reader_record(struct reader *reader, uint32_t id);
/* Its availability, currency and list prices alone. */
const struct offer_record *reader_record_front(struct reader *reader, uint32_t id);
const struct offer_attributes *reader_attributes(struct reader *reader, uint32_t id);
const struct named_offer *reader_offer(struct reader *reader, uint32_t id);
const struct facts *reader_facts(struct reader *reader, uint32_t id);
const struct stream *reader_stream(struct reader *reader, uint32_t id);

/* Empty for id 0 and once the transaction has failed. */
struct gt_str reader_text(struct reader *reader, uint32_t id);

#endif
