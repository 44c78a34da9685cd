/* Stored values decoded and encoded again: what comes of it must be the bytes that went in, or GT_ECORRUPT. */
#ifndef GT_TESTS_STORE_AGAIN_H
#define GT_TESTS_STORE_AGAIN_H

#include "store/codec.h"
#include "store/part_state.h"
#include "store/price_row.h"
#include "store/stock.h"
#include "store/stream.h"

typedef enum gt_err again_fn(struct gt_str bytes, struct arena *arena, struct strbuf *buf);

static inline enum gt_err identity_again(struct gt_str bytes, struct arena *arena, struct strbuf *buf)
{
    struct offer_identity identity;
    struct gt_str site;
    enum gt_err err = dec_identity(bytes, arena, &site, &identity);
    if (err == GT_OK) enc_identity(buf, site, &identity);
    return err;
}

static inline enum gt_err attributes_again(struct gt_str bytes, struct arena *arena, struct strbuf *buf)
{
    struct offer_attributes attributes;
    enum gt_err err = dec_attributes(bytes, arena, &attributes);
    if (err == GT_OK) enc_attributes(buf, &attributes);
    return err;
}

static inline enum gt_err record_again(struct gt_str bytes, struct arena *arena, struct strbuf *buf)
{
    struct offer_record record, front;
    enum gt_err err = dec_record(bytes, arena, &record);
    if (err != GT_OK) return err;
    enc_record(buf, &record);
    bool is_front = dec_record_front(bytes, &front) == GT_OK && front.hour_list_nano == record.hour_list_nano &&
                    front.month_list_nano == record.month_list_nano && front.availability == record.availability;
    return is_front ? GT_OK : GT_EINTERNAL;
}

static inline enum gt_err facts_again(struct gt_str bytes, struct arena *arena, struct strbuf *buf)
{
    struct facts facts;
    enum gt_err err = dec_facts(bytes, arena, &facts);
    if (err == GT_OK) enc_facts(buf, &facts);
    return err;
}

static inline enum gt_err page_again(struct gt_str bytes, struct arena *arena, struct strbuf *buf)
{
    struct run_page page;
    enum gt_err err = dec_page(bytes, arena, &page);
    if (err == GT_OK) enc_page(buf, &page);
    return err;
}

static inline enum gt_err latest_again(struct gt_str bytes, struct arena *arena, struct strbuf *buf)
{
    struct part_state state;
    part_state_init(&state, arena, false);
    enum gt_err err = dec_latest(bytes, &state);
    if (err == GT_OK) enc_latest(buf, &state);
    return err;
}

static inline enum gt_err stock_again(struct gt_str bytes, struct arena *arena, struct strbuf *buf)
{
    uint32_t since_key;
    struct stock *items;
    size_t count;
    enum gt_err err = dec_stock(bytes, arena, &since_key, &items, &count);
    if (err == GT_OK) enc_stock(buf, since_key, items, count);
    return err;
}

static inline enum gt_err price_row_again(struct gt_str bytes, struct arena *arena, struct strbuf *buf)
{
    struct price_row row = price_row_begin(bytes);
    uint64_t last = 0;
    (void)arena;
    enc_price_row(buf);
    for (; price_row_next(&row); last = row.price.offer_id) enc_price(buf, last, &row.price);
    return row.dec.err;
}

#endif
