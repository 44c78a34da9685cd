#include "store/offer_name.h"

#include "store/codec.h"
#include "store/intern.h"
#include "store/part_load.h"
#include "store/reader.h"
#include "store/store_impl.h"

#define NAME_ARENA_MAX ((size_t)1 << 30)

/* Numbers are this store's own; whoever keeps one longer than a run keeps the words. */
enum gt_err store_offer_name(struct store *store, uint64_t offer_id, struct arena *arena, struct gt_str *ret_site,
                             struct offer_identity *ret_identity, struct gt_errinfo *info)
{
    struct db_txn *txn = NULL;
    struct gt_str bytes;
    struct key key = key_of_id((uint32_t)offer_id);
    if (offer_id == 0 || offer_id > UINT32_MAX) return gt_fail(info, GT_ENOENT, "no offer %llu", (unsigned long long)offer_id);
    enum gt_err err = db_read_begin(store->db, &txn, info);
    if (err != GT_OK) return err;
    bool is_known = db_get(txn, DB_OFFERS, key_str(&key), &bytes);
    if (is_known && dec_identity(bytes, arena, ret_site, ret_identity) != GT_OK)
        db_fail(txn, GT_ECORRUPT, "an offer cannot be decoded");
    err = db_read_end(txn);
    if (err == GT_OK && !is_known) err = gt_fail(info, GT_ENOENT, "no offer %llu", (unsigned long long)offer_id);
    return err;
}

/* By the digest of the words, as a commit finds it. */
enum gt_err store_offer_find(struct store *store, struct gt_str site, const struct offer_identity *identity,
                             uint64_t *ret_offer_id, struct gt_errinfo *info)
{
    struct db_txn *txn = NULL;
    struct strbuf bytes;
    enum gt_err err = db_read_begin(store->db, &txn, info);
    if (err != GT_OK) return err;
    strbuf_init(&bytes, CODEC_VALUE_MAX);
    enc_identity(&bytes, site, identity);
    uint32_t id = bytes.err == GT_OK ? intern_find(txn, DB_OFFERS, strbuf_str(&bytes)) : 0;
    strbuf_done(&bytes);
    err = db_read_end(txn);
    if (err != GT_OK) return err;
    if (id == 0) return gt_fail(info, GT_ENOENT, "%.*s has no offer \"%.*s\"", GT_STR_ARG(site), GT_STR_ARG(identity->label));
    *ret_offer_id = id;
    return GT_OK;
}

/* Looks at all runs of the streams that an offer belongs to: by number, or (seq 0) by beginning. */
static enum gt_err run_find(struct store *store, uint64_t offer_id, uint64_t *seq, int64_t *t_unix_s, struct gt_errinfo *info)
{
    struct db_txn *txn = NULL;
    struct reader reader;
    struct run_cursor cursor;
    uint64_t found = 0;
    struct arena *arena = arena_new(NAME_ARENA_MAX);
    enum gt_err err = arena != NULL ? db_read_begin(store->db, &txn, info) : gt_fail(info, GT_ENOMEM, "out of memory");
    if (err != GT_OK) {
        arena_free(arena);
        return err;
    }
    reader_init(&reader, txn, arena);
    const struct named_offer *offer = reader_offer(&reader, (uint32_t)offer_id);
    for (uint32_t id = offer != NULL ? part_stream_next(txn, 0) : 0; id != 0; id = part_stream_next(txn, id)) {
        const struct stream *stream = reader_stream(&reader, id);
        if (stream == NULL || !gt_str_eq(stream->site, offer->site) || !gt_str_eq(stream->part, offer->identity.part)) continue;
        run_cursor_init(&cursor, txn, id);
        for (bool has = run_cursor_seek(&cursor, *seq); has; has = run_cursor_next(&cursor)) {
            struct run_row_stored row;
            if (*seq != 0 && cursor.row->seq != *seq) break;
            if (run_cursor_row(&cursor, NULL, &row) != GT_OK || row.is_action || (*seq == 0 && row.t_unix_s != *t_unix_s)) continue;
            found = row.seq;
            *t_unix_s = row.t_unix_s;
        }
        run_cursor_done(&cursor);
    }
    err = db_read_end(txn);
    arena_free(arena);
    if (err == GT_OK && found == 0) err = gt_fail(info, GT_ENOENT, "no such run of offer %llu", (unsigned long long)offer_id);
    if (err == GT_OK) *seq = found;
    return err;
}

enum gt_err store_run_start(struct store *store, uint64_t offer_id, uint64_t seq, int64_t *ret_t_unix_s, struct gt_errinfo *info)
{
    int64_t t_unix_s = 0;
    if (seq == 0 || seq > KEY_SEQ_LAST) return gt_fail(info, GT_ENOENT, "no run %llu", (unsigned long long)seq);
    enum gt_err err = run_find(store, offer_id, &seq, &t_unix_s, info);
    if (err == GT_OK) *ret_t_unix_s = t_unix_s;
    return err;
}

enum gt_err store_run_at(struct store *store, uint64_t offer_id, int64_t t_unix_s, uint64_t *ret_seq, struct gt_errinfo *info)
{
    uint64_t seq = 0;
    enum gt_err err = run_find(store, offer_id, &seq, &t_unix_s, info);
    if (err == GT_OK) *ret_seq = seq;
    return err;
}
