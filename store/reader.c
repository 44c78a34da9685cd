#include "store/reader.h"

#include "store/intern.h"

enum { CAP_FIRST = 256 };

void reader_init(struct reader *reader, struct db_txn *txn, struct arena *arena)
{
    *reader = (struct reader){.txn = txn, .arena = arena};
}

/* Multiplying spreads ids, which are small and dense, over the table. */
static struct reader_entry *entry_find(const struct reader *reader, uint64_t key)
{
    size_t mask = reader->cap - 1;
    size_t at = (size_t)(key * 0x9E3779B97F4A7C15ULL >> 20) & mask;
    while (reader->entries[at].key != 0 && reader->entries[at].key != key) at = (at + 1) & mask;
    return &reader->entries[at];
}

/* Doubles the table when it is half full; the old one stays in the arena. */
static bool make_room(struct reader *reader)
{
    if (reader->count * 2 < reader->cap) return true;
    struct reader old = *reader;
    size_t cap = old.cap == 0 ? CAP_FIRST : old.cap * 2;
    struct reader_entry *entries = arena_array(reader->arena, cap, sizeof *entries);
    if (entries == NULL) return false;
    reader->entries = entries;
    reader->cap = cap;
    for (size_t i = 0; i < old.cap; i++)
        if (old.entries[i].key != 0) *entry_find(reader, old.entries[i].key) = old.entries[i];
    return true;
}

static const void *decode_record(struct gt_str bytes, struct arena *arena, enum gt_err *ret_err)
{
    struct offer_record *record = arena_alloc(arena, sizeof *record);
    *ret_err = record != NULL ? dec_record(bytes, arena, record) : GT_ENOMEM;
    return record;
}

static const void *decode_attributes(struct gt_str bytes, struct arena *arena, enum gt_err *ret_err)
{
    struct offer_attributes *attributes = arena_alloc(arena, sizeof *attributes);
    *ret_err = attributes != NULL ? dec_attributes(bytes, arena, attributes) : GT_ENOMEM;
    return attributes;
}

static const void *decode_offer(struct gt_str bytes, struct arena *arena, enum gt_err *ret_err)
{
    struct named_offer *offer = arena_alloc(arena, sizeof *offer);
    *ret_err = offer != NULL ? dec_identity(bytes, arena, &offer->site, &offer->identity) : GT_ENOMEM;
    return offer;
}

static const void *decode_facts(struct gt_str bytes, struct arena *arena, enum gt_err *ret_err)
{
    struct facts *facts = arena_alloc(arena, sizeof *facts);
    *ret_err = facts != NULL ? dec_facts(bytes, arena, facts) : GT_ENOMEM;
    return facts;
}

static const void *decode_stream(struct gt_str bytes, struct arena *arena, enum gt_err *ret_err)
{
    struct stream *stream = arena_alloc(arena, sizeof *stream);
    *ret_err = stream != NULL ? dec_stream(bytes, arena, stream) : GT_ENOMEM;
    return stream;
}

static const void *decode_text(struct gt_str bytes, struct arena *arena, enum gt_err *ret_err)
{
    struct gt_str *text = arena_alloc(arena, sizeof *text);
    if (text != NULL) *text = arena_dup(arena, bytes);
    *ret_err = text != NULL && text->ptr != NULL ? GT_OK : GT_ENOMEM;
    return text;
}

typedef const void *decode_fn(struct gt_str bytes, struct arena *arena, enum gt_err *ret_err);

/* Decodes at the first request; a failure makes the transaction fail and is not remembered. */
static const void *read_entry(struct reader *reader, enum db_table table, uint32_t id, decode_fn *decode)
{
    struct gt_str bytes;
    if (id == 0 || db_err(reader->txn) != GT_OK) return NULL;
    if (!make_room(reader)) {
        db_fail(reader->txn, GT_ENOMEM, "out of memory");
        return NULL;
    }
    uint64_t key = ((uint64_t)table + 1) << 32 | id;
    struct reader_entry *entry = entry_find(reader, key);
    if (entry->key == key) return entry->value;
    if (!intern_get(reader->txn, table, id, &bytes)) return NULL;
    enum gt_err err;
    const void *value = decode(bytes, reader->arena, &err);
    if (err != GT_OK) {
        db_fail(reader->txn, err, "entry %u of table %s: %s", (unsigned)id, db_table_name(table), gt_err_text(err));
        return NULL;
    }
    *entry = (struct reader_entry){.key = key, .value = value};
    reader->count++;
    return value;
}

const struct offer_record *reader_record(struct reader *reader, uint32_t id)
{
    return read_entry(reader, DB_RECORDS, id, decode_record);
}

const struct offer_attributes *reader_attributes(struct reader *reader, uint32_t id)
{
    return read_entry(reader, DB_ATTRIBUTES, id, decode_attributes);
}

const struct named_offer *reader_offer(struct reader *reader, uint32_t id)
{
    return read_entry(reader, DB_OFFERS, id, decode_offer);
}

const struct facts *reader_facts(struct reader *reader, uint32_t id)
{
    return read_entry(reader, DB_FACTS, id, decode_facts);
}

const struct stream *reader_stream(struct reader *reader, uint32_t id)
{
    return read_entry(reader, DB_STREAMS, id, decode_stream);
}

struct gt_str reader_text(struct reader *reader, uint32_t id)
{
    const struct gt_str *text = read_entry(reader, DB_TEXTS, id, decode_text);
    return text != NULL ? *text : (struct gt_str){"", 0};
}
