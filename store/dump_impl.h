/* What the files of store_dump share. */
#ifndef GT_STORE_DUMP_IMPL_H
#define GT_STORE_DUMP_IMPL_H

#include "store/dump.h"
#include "store/intern.h"
#include "store/part_load.h"
#include "store/reader.h"
#include "store/store_impl.h"

/* Which numbers were given already, a bit each. */
struct dump_given {
    uint8_t *bits;
    size_t bytes;
};

struct dump {
    struct store *store;
    const struct dump_options *options;
    dump_fn *fn;
    void *ctx;
    bool is_complete, is_sample;
    struct db_txn *txn;
    struct arena *arena;   /* of one stream */
    struct arena *scratch; /* of one thing */
    struct reader reader;
    struct dump_given given[DUMP_KINDS];
    uint64_t things; /* handed over so far */
    enum gt_err fn_err; /* what the caller's function returned */
};

/* Hands a thing over. False once the dump has ended. */
bool dump_give(struct dump *dump, enum dump_kind kind, const void *item);

/* What the options say of a run's time, of an offer as it stood, of a source. */
bool dump_wants_time(const struct dump *dump, int64_t t_unix_s);
bool dump_wants_offer(struct dump *dump, uint32_t offer, uint32_t attr, uint32_t record);
bool dump_wants_source(const struct dump *dump, const struct stream *stream);

/* In a dump of a choice: hands over what a number stands for, before its first use. */
void dump_need(struct dump *dump, enum dump_kind kind, uint32_t id);

/* One stream: its runs with changes and stock counts, then its observations. */
void dump_one_stream(struct dump *dump, uint32_t id);

/* The row that closes a crawl. GT_OK; GT_ECORRUPT. */
enum gt_err dec_crawl(struct gt_str bytes, struct crawl_input *ret_crawl);
void enc_crawl(struct strbuf *buf, const struct crawl_input *crawl);

#endif
