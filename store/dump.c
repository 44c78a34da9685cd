/* store_dump: the tables one after another, each stream with its runs and what follows from them. */
#include "store/dump.h"

#include <stdlib.h>

#include "store/dump_impl.h"

#define DUMP_ARENA_MAX ((size_t)2 << 30)

enum { DUMP_ITEM_MAX = 64 << 20 };

bool dump_give(struct dump *dump, enum dump_kind kind, const void *item)
{
    if (db_err(dump->txn) != GT_OK) return false;
    if (dump->options->kinds != 0 && (dump->options->kinds >> kind & 1) == 0) return true;
    dump->things++;
    enum gt_err err = dump->fn(dump->ctx, kind, item);
    if (err == GT_OK) return true;
    /* the caller has said why; the transaction only ends here */
    dump->fn_err = err;
    db_fail(dump->txn, err, "%s", gt_err_text(err));
    return false;
}

bool dump_wants_time(const struct dump *dump, int64_t t_unix_s)
{
    return !dump->options->has_times || (t_unix_s >= dump->options->since_unix_s && t_unix_s < dump->options->until_unix_s);
}

bool dump_wants_offer(struct dump *dump, uint32_t offer, uint32_t attr, uint32_t record)
{
    if (dump->options->wants == NULL) return true;
    const struct named_offer *named = reader_offer(&dump->reader, offer);
    const struct offer_attributes *attributes = reader_attributes(&dump->reader, attr);
    return named != NULL && attributes != NULL &&
           dump->options->wants(dump->options->wants_ctx, named->site, &named->identity, attributes,
                                reader_record(&dump->reader, record));
}

bool dump_wants_source(const struct dump *dump, const struct stream *stream)
{
    return dump->options->wants == NULL || dump->options->wants(dump->options->wants_ctx, stream->site, NULL, NULL, NULL);
}

/* ---- things that are called by a number ---- */

/* One entry of an interned table. */
static bool give_interned(struct dump *dump, enum dump_kind kind, uint32_t id, struct gt_str value)
{
    union {
        struct dump_stream stream;
        struct dump_offer offer;
        struct dump_attributes attributes;
        struct dump_record record;
        struct dump_facts facts;
    } item;
    enum gt_err err = GT_EINTERNAL;
    memset(&item, 0, sizeof item);
    item.stream.id = id; /* the first member of each */
    if (kind == DUMP_STREAM) err = dec_stream(value, dump->scratch, &item.stream.stream);
    if (kind == DUMP_OFFER) err = dec_identity(value, dump->scratch, &item.offer.words.site, &item.offer.words.identity);
    if (kind == DUMP_ATTRIBUTES) err = dec_attributes(value, dump->scratch, &item.attributes.attributes);
    if (kind == DUMP_RECORD) err = dec_record(value, dump->scratch, &item.record.record);
    if (kind == DUMP_FACTS) err = dec_facts(value, dump->scratch, &item.facts.facts);
    if (err != GT_OK) db_fail(dump->txn, err, "an entry of the store cannot be read: %s", gt_err_text(err));
    return err == GT_OK && dump_give(dump, kind, &item);
}

static const struct {
    enum dump_kind kind;
    enum db_table table;
} interned[] = {{DUMP_STREAM, DB_STREAMS},
                {DUMP_OFFER, DB_OFFERS},
                {DUMP_ATTRIBUTES, DB_ATTRIBUTES},
                {DUMP_RECORD, DB_RECORDS},
                {DUMP_FACTS, DB_FACTS}};

/* All of a table, whether anything refers to it or not: the numbers must stay. */
static void dump_table(struct dump *dump, enum dump_kind kind, enum db_table table)
{
    struct db_cursor cursor;
    db_cursor_init(&cursor, dump->txn, table);
    bool has = db_cursor_seek(&cursor, (struct gt_str){NULL, 0});
    for (; has; has = db_cursor_next(&cursor)) {
        arena_clear(dump->scratch);
        if (!give_interned(dump, kind, key_id_at(cursor.key, 0), cursor.value)) break;
    }
    db_cursor_done(&cursor);
}

/* A part of a history brings along what it refers to, each thing once and before its first use; of a whole one everything was given at the
 * start. */
void dump_need(struct dump *dump, enum dump_kind kind, uint32_t id)
{
    enum { BITS = 8 };
    struct gt_str value;
    if (id == 0 || dump->is_complete) return;
    if (dump->options->kinds != 0 && (dump->options->kinds >> kind & 1) == 0) return;
    struct dump_given *given = &dump->given[kind];
    if (id / BITS >= given->bytes) {
        size_t bytes = ((size_t)id / BITS + 1) * 2;
        uint8_t *grown = realloc(given->bits, bytes);
        if (grown == NULL) {
            db_fail(dump->txn, GT_ENOMEM, "out of memory");
            return;
        }
        memset(grown + given->bytes, 0, bytes - given->bytes);
        given->bits = grown;
        given->bytes = bytes;
    }
    if ((given->bits[id / BITS] >> id % BITS & 1) != 0) return;
    given->bits[id / BITS] |= (uint8_t)(1U << id % BITS);
    for (size_t i = 0; i < sizeof interned / sizeof interned[0]; i++) {
        if (interned[i].kind != kind || !intern_get(dump->txn, interned[i].table, id, &value)) continue;
        arena_clear(dump->scratch);
        give_interned(dump, kind, id, value);
    }
}

/* ---- the ends ---- */

/* Whether any source's facts say that its data came from the sample market. */
static bool facts_are_sample(struct dump *dump)
{
    struct db_cursor cursor;
    struct facts facts = {.is_sample = false};
    db_cursor_init(&cursor, dump->txn, DB_FACTS);
    bool has = db_cursor_seek(&cursor, (struct gt_str){NULL, 0});
    for (; has && !facts.is_sample; has = db_cursor_next(&cursor)) {
        arena_clear(dump->scratch);
        if (dec_facts(cursor.value, dump->scratch, &facts) != GT_OK) db_fail(dump->txn, GT_ECORRUPT, "the facts of a source are damaged");
    }
    db_cursor_done(&cursor);
    return facts.is_sample;
}

static void dump_head_give(struct dump *dump)
{
    struct gt_str value;
    struct dump_head head = {.version = DUMP_VERSION, .is_complete = dump->is_complete, .is_sample = dump->is_sample};
    if (db_get(dump->txn, DB_META, GT_STR("seq"), &value)) head.seq = key_seq_at(value, 0);
    dump_give(dump, DUMP_HEAD, &head);
}

static void dump_crawls(struct dump *dump)
{
    struct db_cursor cursor;
    db_cursor_init(&cursor, dump->txn, DB_CRAWLS);
    bool has = db_cursor_seek(&cursor, (struct gt_str){NULL, 0});
    for (; has; has = db_cursor_next(&cursor)) {
        struct dump_crawl crawl;
        if (dec_crawl(cursor.value, &crawl.crawl) != GT_OK) db_fail(dump->txn, GT_ECORRUPT, "the row of a crawl is damaged");
        else if (!dump_wants_time(dump, crawl.crawl.start_unix_s)) continue;
        if (!dump_give(dump, DUMP_CRAWL, &crawl)) break;
    }
    db_cursor_done(&cursor);
}

static enum gt_err note_give(void *ctx, struct gt_str key, struct gt_str value)
{
    struct dump_note note = {key, value};
    return dump_give(ctx, DUMP_NOTE, &note) ? GT_OK : GT_EINTERRUPTED;
}

/* Read in the same state of the store as all else. */
static void dump_notes(struct dump *dump)
{
    struct store_txn own = {.store = dump->store, .txn = dump->txn};
    arena_clear(dump->arena);
    enum gt_err err = store_each(dump->store, &own, STORE_META, GT_STR(DUMP_NOTES), dump->arena, note_give, dump, NULL);
    if (err != GT_OK && err != GT_EINTERRUPTED) db_fail(dump->txn, err, "the notes cannot be read: %s", gt_err_text(err));
}

/* What nobody named is left out. */
static void dump_all(struct dump *dump)
{
    dump_head_give(dump);
    for (size_t i = 0; i < sizeof interned / sizeof interned[0] && dump->is_complete; i++)
        dump_table(dump, interned[i].kind, interned[i].table);
    for (uint32_t id = part_stream_next(dump->txn, 0); id != 0; id = part_stream_next(dump->txn, id)) {
        arena_clear(dump->arena);
        reader_init(&dump->reader, dump->txn, dump->arena);
        dump_one_stream(dump, id);
    }
    if (dump->options->wants == NULL) dump_crawls(dump);
    if (dump->is_complete) dump_notes(dump);
    struct dump_end end = {dump->things};
    dump_give(dump, DUMP_END, &end);
}

/* One transaction, however long it takes: what is dumped is one moment of the store. */
enum gt_err store_dump(struct store *store, const struct dump_options *options, dump_fn *fn, void *ctx, struct gt_errinfo *info)
{
    struct gt_errinfo own = {0};
    struct dump dump = {.store = store,
                        .options = options,
                        .fn = fn,
                        .ctx = ctx,
                        .is_complete = options->wants == NULL && !options->has_times && options->kinds == 0 && !options->is_manual_only,
                        .arena = arena_new(DUMP_ARENA_MAX),
                        .scratch = arena_new(DUMP_ITEM_MAX)};
    enum gt_err err = dump.arena != NULL && dump.scratch != NULL ? db_read_begin(store->db, &dump.txn, &own) : GT_ENOMEM;
    if (err == GT_OK) {
        dump.is_sample = facts_are_sample(&dump);
        dump_all(&dump);
        err = db_read_end(dump.txn);
    }
    for (int i = 0; i < DUMP_KINDS; i++) free(dump.given[i].bits);
    arena_free(dump.arena);
    arena_free(dump.scratch);
    if (dump.fn_err != GT_OK) return dump.fn_err;
    return err == GT_OK ? GT_OK : gt_fail(info, err, "%s", own.text[0] != '\0' ? own.text : gt_err_text(err));
}
