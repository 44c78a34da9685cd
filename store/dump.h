/* The whole history as a list of things with names, and such a list as a store again: what `export` writes and `import --history` reads.
 * Nothing of the file's layout shows, only ids: they begin at 1 in each list and are given in order. */
#ifndef GT_STORE_DUMP_H
#define GT_STORE_DUMP_H

#include "store/run_log.h"
#include "store/store.h"
#include "store/stream.h"

/* Archives hold dumps in the place of pages (crawler/archive_history.h): whoever raises the version goes on reading those of the ones before. */
enum { DUMP_VERSION = 2, DUMP_SHA256_BYTES = 32 };

/* What there is. The order is that in which a dump gives them: what is referred to comes before what refers to it. */
enum dump_kind {
    DUMP_HEAD,
    DUMP_STREAM,
    DUMP_OFFER,
    DUMP_ATTRIBUTES,
    DUMP_RECORD,
    DUMP_FACTS,
    DUMP_RUN,         /* then the changes and stock counts of it; all runs of a stream, then its observations */
    DUMP_CHANGE,
    DUMP_STOCK,
    DUMP_OBSERVATION,
    DUMP_SPAN,        /* where the options say so, in place of observations */
    DUMP_CRAWL,
    DUMP_NOTE,        /* what is kept of spans that were let go */
    DUMP_END,
    DUMP_KINDS
};

/* The first thing. */
struct dump_head {
    uint32_t version;
    uint64_t seq;     /* the last run number that was given out */
    bool is_complete; /* everything: only then does it make a store again */
    bool is_sample;   /* some of it came from the sample market */
};

struct dump_stream {
    uint32_t id;
    struct stream stream;
};

struct dump_offer {
    uint32_t id;
    struct named_offer_words {
        struct gt_str site;
        struct offer_identity identity;
    } words;
};

struct dump_attributes {
    uint32_t id;
    struct offer_attributes attributes;
};

struct dump_record {
    uint32_t id;
    struct offer_record record;
};

struct dump_facts {
    uint32_t id;
    struct facts facts;
};

/* One part of one attempt, or an action of the operator. */
struct dump_run {
    uint32_t stream_id;
    struct stream stream;
    struct run_row_stored row; /* without steps */
    struct gt_str reason;
    struct gt_str warc_file, record_id;
    int64_t warc_offset;
    uint8_t sha256[DUMP_SHA256_BYTES]; /* of the page; zero when there was none */
};

/* What a run did to an offer or to its source: a change where `step.kinds` says one, else how the history went on. */
struct dump_change {
    uint32_t stream_id;
    struct stream stream;
    uint64_t seq;
    int64_t t_unix_s;
    struct step step;     /* offer 0: the source */
    struct gt_str detail; /* a sentence; step.detail is not used */
    /* what it is about, for people; empty where there is none */
    struct offer_identity identity;
    struct offer_attributes attributes;
    struct offer_record before, after;
};

/* A stock count that differs from the one before, or one of a whole list. */
struct dump_stock {
    uint32_t stream_id;
    struct stream stream;
    uint64_t seq;
    int64_t t_unix_s;
    uint32_t since_whole; /* rows since the last whole list; 0: this is one */
    uint32_t offer;       /* 0: a list without entries */
    int64_t units;        /* -1 unknown */
    int32_t confidence_permille;
    struct gt_str reasons;
};

/* One offer as one run showed it. */
struct dump_observation {
    uint32_t stream_id;
    struct stream stream;
    uint64_t seq, first_seq; /* the run, and the one that began the span */
    int64_t t_unix_s;
    uint32_t offer, attributes_id, record_id;
    struct offer_identity identity;
    struct offer_attributes attributes;
    struct offer_record record;
    bool is_doubted, is_voided; /* as is known today: a doubt that was released is none */
    struct gt_str doubt;
};

/* Consecutive runs in which an offer stood with one record, as is known today. */
struct dump_span {
    uint32_t stream_id;
    struct stream stream;
    uint32_t offer;
    struct offer_identity identity;
    struct offer_attributes attributes; /* of its last run */
    struct offer_record record;
    uint64_t first_seq, last_seq; /* the first and last run that showed it */
    uint32_t observations;        /* runs that did */
    bool is_doubted, is_voided, is_open;
};

struct dump_crawl {
    struct crawl_input crawl;
};

/* A value of STORE_META whose key begins with DUMP_NOTES. */
#define DUMP_NOTES "spread"
struct dump_note {
    struct gt_str key, value;
};

/* The last thing: a dump without it was cut. */
struct dump_end {
    uint64_t things; /* before it */
};

/* What is wanted. Zero times and no function: everything, which alone is a complete dump. */
struct dump_options {
    int64_t since_unix_s, until_unix_s; /* of runs, [since, until) */
    bool has_times;
    /* NULL: all; else which offers and, with an `identity` of NULL, which sources. */
    bool (*wants)(void *ctx, struct gt_str site, const struct offer_identity *identity, const struct offer_attributes *attributes,
                  const struct offer_record *record);
    void *wants_ctx;
    bool is_manual_only; /* streams of provenance manual alone */
    bool has_spans;      /* spans in place of observations; does not make a dump less complete */
    uint32_t kinds;      /* bits 1 << DUMP_…: only these; 0: all */
};

/* `item` is the struct of the kind, borrowed until the function returns. Other than GT_OK ends the dump. */
typedef enum gt_err dump_fn(void *ctx, enum dump_kind kind, const void *item);

/* Gives everything that is wanted, in one state of the store, writers or not. Observations of one offer of one stream come together,
 * in order of the sequence. Needs memory for one stream's spans and run times, however many observations follow from them. Whatever
 * `fn` returned; GT_ECORRUPT, GT_EIO, GT_ENOMEM. */
enum gt_err store_dump(struct store *store, const struct dump_options *options, dump_fn *fn, void *ctx, struct gt_errinfo *info);

/* The next thing, in `arena`, which lives until it has been stored. GT_ENOENT at the end; other errors end the filling. */
typedef enum gt_err fill_next_fn(void *ctx, struct arena *arena, enum dump_kind *ret_kind, const void **ret_item,
                                 struct gt_errinfo *info);

/* Makes a store of a complete dump: same numbers, same steps, so that a dump of it gives the same things. Only for an empty store beside
 * the own one: what a failure leaves is not whole. Observations and spans are passed over, for they follow from the rest; run store_check and
 * compare a dump before it is used, since the bytes are a stranger's. GT_EFORMAT when the things do not fit each other; GT_ELIMIT,
 * GT_ENOMEM, GT_ENOSPC, GT_EIO; what `next` returned. */
enum gt_err store_fill(struct store *store, fill_next_fn *next, void *ctx, struct gt_errinfo *info);

#endif
