#include "store/reader.h"

#include "store/intern.h"

void reader_init(struct reader *reader, struct db_txn *txn, struct arena *arena)
{
    *reader = (struct reader){.txn = txn, .arena = arena};
}

/* Where what is decoded of an id stands; NULL when memory is out. Lists that grew stay in the arena. */
static const void **place_of(struct reader *reader, struct reader_table *known, uint32_t id)
{
    size_t chunk = id / READER_CHUNK;
    if (chunk >= known->count) {
        size_t count = chunk + 1 > known->count * 2 ? chunk + 1 : known->count * 2;
        const void ***chunks = arena_array(reader->arena, count, sizeof *chunks);
        if (chunks == NULL) return NULL;
        if (known->count > 0) memcpy(chunks, known->chunks, known->count * sizeof *chunks);
        *known = (struct reader_table){chunks, count};
    }
    const void ***place = &known->chunks[chunk];
    if (*place == NULL) *place = arena_array(reader->arena, READER_CHUNK, sizeof **place);
    return *place != NULL ? &(*place)[id % READER_CHUNK] : NULL;
}

static enum gt_err decode_record(struct gt_str bytes, struct arena *arena, const void **ret_value)
{
    struct offer_record *record = arena_alloc(arena, sizeof *record);
    *ret_value = record;
    return record != NULL ? dec_record(bytes, arena, record) : GT_ENOMEM;
}

static enum gt_err decode_front(struct gt_str bytes, struct arena *arena, const void **ret_value)
{
    struct offer_record *record = arena_alloc(arena, sizeof *record);
    *ret_value = record;
    return record != NULL ? dec_record_front(bytes, record) : GT_ENOMEM;
}

static enum gt_err decode_attributes(struct gt_str bytes, struct arena *arena, const void **ret_value)
{
    struct offer_attributes *attributes = arena_alloc(arena, sizeof *attributes);
    *ret_value = attributes;
    return attributes != NULL ? dec_attributes(bytes, arena, attributes) : GT_ENOMEM;
}

static enum gt_err decode_offer(struct gt_str bytes, struct arena *arena, const void **ret_value)
{
    struct named_offer *offer = arena_alloc(arena, sizeof *offer);
    *ret_value = offer;
    return offer != NULL ? dec_identity(bytes, arena, &offer->site, &offer->identity) : GT_ENOMEM;
}

static enum gt_err decode_facts(struct gt_str bytes, struct arena *arena, const void **ret_value)
{
    struct facts *facts = arena_alloc(arena, sizeof *facts);
    *ret_value = facts;
    return facts != NULL ? dec_facts(bytes, arena, facts) : GT_ENOMEM;
}

static enum gt_err decode_stream(struct gt_str bytes, struct arena *arena, const void **ret_value)
{
    struct stream *stream = arena_alloc(arena, sizeof *stream);
    *ret_value = stream;
    return stream != NULL ? dec_stream(bytes, arena, stream) : GT_ENOMEM;
}

static enum gt_err decode_text(struct gt_str bytes, struct arena *arena, const void **ret_value)
{
    struct gt_str *text = arena_alloc(arena, sizeof *text);
    if (text != NULL) *text = arena_dup(arena, bytes);
    *ret_value = text;
    return text != NULL && text->ptr != NULL ? GT_OK : GT_ENOMEM;
}

typedef enum gt_err decode_fn(struct gt_str bytes, struct arena *arena, const void **ret_value);

/* Decodes at the first request; a failure makes the transaction fail and is not remembered. */
static const void *read_into(struct reader *reader, struct reader_table *known, enum db_table table, uint32_t id, decode_fn *decode)
{
    struct gt_str bytes;
    if (id == 0 || db_err(reader->txn) != GT_OK) return NULL;
    const void **place = place_of(reader, known, id);
    if (place == NULL) {
        db_fail(reader->txn, GT_ENOMEM, "out of memory");
        return NULL;
    }
    if (*place != NULL) return *place;
    if (!intern_get(reader->txn, table, id, &bytes)) return NULL;
    const void *value = NULL;
    enum gt_err err = decode(bytes, reader->arena, &value);
    if (err == GT_OK) return *place = value;
    db_fail(reader->txn, err, "entry %u of table %s: %s", (unsigned)id, db_table_name(table), gt_err_text(err));
    return NULL;
}

static const void *read_entry(struct reader *reader, enum db_table table, uint32_t id, decode_fn *decode)
{
    return read_into(reader, &reader->tables[table], table, id, decode);
}

const struct offer_record *reader_record(struct reader *reader, uint32_t id)
{
    return read_entry(reader, DB_RECORDS, id, decode_record);
}

const struct offer_record *reader_record_front(struct reader *reader, uint32_t id)
{
    return read_into(reader, &reader->tables[READER_FRONTS], DB_RECORDS, id, decode_front);
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
