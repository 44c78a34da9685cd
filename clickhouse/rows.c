#include "clickhouse/rows.h"

#include <stdlib.h>

#include <jansson.h>

#include "clickhouse/body.h"

static const char *const table_names[CLICKHOUSE_TABLES] = {"offers", "changes", "spans", "runs"};

void clickhouse_rows_init(struct clickhouse_rows *rows, struct clickhouse *server)
{
    rows->server = server;
    /* one row may be larger than what a block should be */
    for (int i = 0; i < CLICKHOUSE_TABLES; i++) strbuf_init(&rows->blocks[i], (size_t)2 * CLICKHOUSE_BLOCK_BYTES);
}

void clickhouse_rows_done(struct clickhouse_rows *rows)
{
    for (int i = 0; i < CLICKHOUSE_TABLES; i++) strbuf_done(&rows->blocks[i]);
}

/* Tables in the order of their enum, runs last: a run whose row is there has everything that it refers to, whenever the push ends. */
enum gt_err clickhouse_rows_send(struct clickhouse_rows *rows, enum clickhouse_table until, struct gt_errinfo *info)
{
    enum gt_err err = GT_OK;
    for (int i = 0; i < (int)until && err == GT_OK; i++) {
        if (rows->blocks[i].len == 0) continue;
        err = clickhouse_insert(rows->server, table_names[i], strbuf_str(&rows->blocks[i]), info);
        strbuf_clear(&rows->blocks[i]);
    }
    return err;
}

/* A text as a column has it: bytes that are no UTF-8, which a body keeps, are left out. */
static json_t *text_of(struct gt_str text)
{
    json_t *value = json_stringn(text.ptr != NULL ? text.ptr : "", text.len);
    return value != NULL ? value : json_string("");
}

/* Columns that the rows of several tables share. */
static json_t *row_of(const struct clickhouse_entity *of)
{
    const struct stream *stream = of->stream;
    char entity[24];
    snprintf(entity, sizeof entity, "%llu", (unsigned long long)of->entity); /* JSON's numbers are signed here */
    return json_pack("{s:s, s:I, s:o, s:o, s:s, s:o}", "entity", entity, "epoch", (json_int_t)of->epoch, "site",
                     text_of(stream->site), "part", text_of(stream->part), "provenance",
                     word_text(VOCABULARY_PROVENANCE, (int)stream->provenance), "writer", text_of(stream->writer));
}

/* Both as one, which are taken; NULL when either is. */
static json_t *joined(json_t *row, json_t *more)
{
    bool is_whole = row != NULL && more != NULL && json_object_update(row, more) == 0;
    json_decref(more);
    if (is_whole) return row;
    json_decref(row);
    return NULL;
}

/* Takes the row and puts it on a line of its block. */
static enum gt_err row_add(struct clickhouse_rows *rows, enum clickhouse_table table, json_t *row)
{
    char *text = row != NULL ? json_dumps(row, JSON_COMPACT) : NULL;
    struct strbuf *block = &rows->blocks[table];
    if (text != NULL) strbuf_adds(block, text);
    strbuf_addc(block, '\n');
    json_decref(row);
    free(text);
    return text != NULL ? block->err : GT_ENOMEM;
}

/* Beside keys, order and digest the columns are for people's own queries: what a store is made of again is the body. */
enum gt_err clickhouse_run_add(struct clickhouse_rows *rows, const struct clickhouse_entity *of, const struct dump_run *item,
                               const struct clickhouse_run *run)
{
    const struct run_row_stored *row = &item->row;
    json_t *more = json_pack("{s:I, s:I, s:I, s:I, s:s, s:i, s:i, s:i, s:I, s:I, s:I, s:I, s:s, s:I, s:s}", "own_stream",
                             (json_int_t)item->stream_id, "n", (json_int_t)run->n, "seq", (json_int_t)row->seq, "t_unix_s",
                             (json_int_t)row->t_unix_s, "status", word_text(VOCABULARY_STATUS, (int)row->status), "is_good",
                             (int)row->is_good, "is_action", (int)row->is_action, "http_code", row->http_code, "latency_ms",
                             (json_int_t)row->latency_ms, "body_bytes", (json_int_t)row->body_bytes, "offers_seen",
                             (json_int_t)row->offers_seen, "changes", (json_int_t)run->changes, "digest", run->digest, "bytes",
                             (json_int_t)run->bytes, "body", run->body);
    return row_add(rows, TABLE_RUNS, joined(row_of(of), more));
}

/* The kinds of a step, as words with commas between them. */
static json_t *kinds_of(uint32_t kinds)
{
    struct strbuf words;
    strbuf_init(&words, 4096);
    for (int kind = 0; kind < 32; kind++)
        if ((kinds >> kind & 1) != 0) strbuf_addf(&words, "%s%s", words.len > 0 ? "," : "", word_text(VOCABULARY_CHANGE, kind));
    json_t *text = text_of(strbuf_str(&words));
    strbuf_done(&words);
    return text;
}

enum gt_err clickhouse_change_add(struct clickhouse_rows *rows, const struct clickhouse_entity *of,
                                  const struct dump_change *item, uint32_t n, uint32_t i, const char *offer, const char *body)
{
    const struct offer_record *before = &item->before, *after = &item->after;
    const char *currency = after->currency.code[0] != '\0' ? after->currency.code : before->currency.code;
    json_t *more = json_pack("{s:I, s:I, s:I, s:s, s:o, s:s, s:o, s:s, s:I, s:I, s:I, s:I, s:s}", "n", (json_int_t)n, "i",
                             (json_int_t)i, "t_unix_s", (json_int_t)item->t_unix_s, "offer", offer != NULL ? offer : "", "label",
                             text_of(item->identity.label), "sku", item->attributes.sku, "changes", kinds_of(item->step.kinds),
                             "currency", currency, "hour_list_before_nano", (json_int_t)before->hour_list_nano, "hour_list_nano",
                             (json_int_t)after->hour_list_nano, "month_list_before_nano", (json_int_t)before->month_list_nano,
                             "month_list_nano", (json_int_t)after->month_list_nano, "body", body);
    return row_add(rows, TABLE_CHANGES, joined(row_of(of), more));
}

/* The words of an offer that are columns. */
static json_t *words_of(const struct offer_identity *identity, const char *offer)
{
    return json_pack("{s:s, s:o, s:o, s:o}", "offer", offer, "label", text_of(identity->label), "plan", text_of(identity->plan),
                     "region", text_of(identity->region));
}

enum gt_err clickhouse_offer_add(struct clickhouse_rows *rows, const struct clickhouse_entity *of,
                                 const struct clickhouse_offer *offer, const struct offer_identity *identity)
{
    static const char *const not_of_an_offer[] = {"epoch", "provenance", "writer"};
    json_t *row = row_of(of);
    for (size_t i = 0; i < sizeof not_of_an_offer / sizeof not_of_an_offer[0]; i++) json_object_del(row, not_of_an_offer[i]);
    json_t *more =
        json_pack("{s:o, s:o, s:s}", "variant", text_of(identity->variant), "key", text_of(identity->key), "body", offer->body);
    return row_add(rows, TABLE_OFFERS, joined(joined(row, words_of(identity, offer->digest)), more));
}

/* What a span costs and of whom. */
static json_t *price_of(const struct offer_attributes *attributes, const struct offer_record *record)
{
    return json_pack("{s:s, s:i, s:i, s:s, s:s, s:s, s:s, s:I, s:I}", "sku", attributes->sku, "vram_gb", (int)attributes->vram_gb,
                     "cards", (int)attributes->cards, "delivery", word_text(VOCABULARY_DELIVERY, (int)attributes->delivery),
                     "tier", word_text(VOCABULARY_TIER, (int)attributes->tier), "availability",
                     word_text(VOCABULARY_AVAIL, (int)record->availability), "currency", record->currency.code, "hour_list_nano",
                     (json_int_t)record->hour_list_nano, "month_list_nano", (json_int_t)record->month_list_nano);
}

enum gt_err clickhouse_span_add(struct clickhouse_rows *rows, const struct clickhouse_entity *of, const struct dump_span *item,
                                const struct clickhouse_span *span)
{
    json_int_t ended = !item->is_open; /* while it is open its end is that of its stream */
    json_t *row = joined(joined(row_of(of), words_of(&item->identity, span->offer)), price_of(&item->attributes, &item->record));
    json_t *more = json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:i, s:i, s:i}", "first_n", (json_int_t)span->first_n, "version",
                             (json_int_t)span->version, "first_unix_s", (json_int_t)span->first_unix_s, "last_unix_s",
                             ended * (json_int_t)span->last_unix_s, "last_n", ended * (json_int_t)span->last_n, "observations",
                             ended * (json_int_t)item->observations, "is_doubted", (int)item->is_doubted, "is_voided",
                             (int)item->is_voided, "is_open", (int)item->is_open);
    return row_add(rows, TABLE_SPANS, joined(row, more));
}
