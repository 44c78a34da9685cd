#include "store/price_row.h"

#include "store/key.h"

enum { SHAPE_VERSION = 1, KEY_MARK = 1 /* behind the stream's id, where the key of the latest block ends */ };

/* Bits behind the distance to the offer of the price before; two for enum availability. */
enum { PRICE_DOUBTED = 1, PRICE_MONTH = 2, PRICE_AVAILABILITY_SHIFT = 2, PRICE_SHIFT = 4 };

_Static_assert(AVAIL_WORDS <= 1 << (PRICE_SHIFT - PRICE_AVAILABILITY_SHIFT), "availability has two bits");

static struct key row_key(uint32_t stream)
{
    struct key key = key_of_id(stream);
    key_add_bytes(&key, (struct gt_str){(const char[]){KEY_MARK}, 1});
    return key;
}

/* ---- reading ---- */

struct price_row price_row_begin(struct gt_str bytes)
{
    struct price_row row = {.dec = dec_begin(bytes, NULL)};
    if (dec_byte(&row.dec) != SHAPE_VERSION) dec_damaged(&row.dec);
    return row;
}

bool price_row_get(struct db_txn *txn, uint32_t stream, struct price_row *ret_row)
{
    struct key key = row_key(stream);
    struct gt_str value;
    if (!db_get(txn, DB_HEADS, key_str(&key), &value)) return false;
    *ret_row = price_row_begin(value);
    return true;
}

/* Of one offer only a doubt comes behind another price. */
bool price_row_next(struct price_row *row)
{
    struct dec *dec = &row->dec;
    if (dec->at == dec->end) return false;
    uint64_t head = dec_uint(dec), distance = head >> PRICE_SHIFT;
    bool is_doubted = (head & PRICE_DOUBTED) != 0, is_second = row->price.offer_id != 0 && !row->price.is_doubted && is_doubted;
    if (distance > UINT32_MAX - row->price.offer_id || (distance == 0 && !is_second)) dec_damaged(dec);
    row->price.offer_id += distance;
    row->price.is_doubted = is_doubted;
    row->price.price.nano = dec_nano(dec);
    row->price.price.is_month = (head & PRICE_MONTH) != 0;
    row->price.price.availability = (enum availability)(head >> PRICE_AVAILABILITY_SHIFT & (AVAIL_WORDS - 1));
    return dec->err == GT_OK;
}

/* ---- writing ---- */

void enc_price_row(struct strbuf *buf)
{
    enc_byte(buf, SHAPE_VERSION);
}

void enc_price(struct strbuf *buf, uint64_t offer_before, const struct offer_price *price)
{
    unsigned bits = (price->is_doubted ? PRICE_DOUBTED : 0U) | (price->price.is_month ? PRICE_MONTH : 0U) |
                    (unsigned)price->price.availability << PRICE_AVAILABILITY_SHIFT;
    enc_uint(buf, (price->offer_id - offer_before) << PRICE_SHIFT | bits);
    enc_nano(buf, price->price.nano);
}

size_t price_of_slot(struct reader *reader, const struct slot *slot, struct offer_price ret_prices[static SLOT_PRICES_MAX])
{
    const uint32_t records[SLOT_PRICES_MAX] = {slot->good.record, slot->doubt.record};
    size_t count = 0;
    for (size_t i = 0; i < SLOT_PRICES_MAX; i++) {
        const struct offer_record *front = reader_record_front(reader, records[i]);
        if (front != NULL) ret_prices[count++] = (struct offer_price){slot->offer, price_of_record(front), i > 0};
    }
    return count;
}

/* The row of before, and the steps that came since: what they do not name is as it was. Zeroes: nothing is known. */
struct carried {
    struct price_row before;
    const struct step *steps;
    size_t step_count;
};

/* What is not carried over, the records tell. */
static void enc_listed(struct strbuf *buf, struct reader *reader, const struct part_state *state, struct carried carried)
{
    struct price_row *before = &carried.before;
    struct offer_price prices[SLOT_PRICES_MAX];
    uint64_t last = 0;
    size_t at = 0;
    bool has = price_row_next(before);
    enc_price_row(buf);
    for (size_t i = 0; i < state->count; i++) {
        const struct slot *slot = &state->slots[i];
        while (at < carried.step_count && carried.steps[at].offer < slot->offer) at++;
        while (has && before->price.offer_id < slot->offer) has = price_row_next(before);
        if (!slot->is_listed) continue;
        bool is_same = at == carried.step_count || carried.steps[at].offer != slot->offer;
        for (; is_same && has && before->price.offer_id == slot->offer; has = price_row_next(before), last = slot->offer)
            enc_price(buf, last, &before->price);
        size_t count = last != slot->offer ? price_of_slot(reader, slot, prices) : 0;
        for (size_t j = 0; j < count; j++, last = slot->offer) enc_price(buf, last, &prices[j]);
    }
}

void price_row_put(struct reader *reader, uint32_t stream, const struct part_state *state, const struct step *steps, size_t step_count)
{
    struct key key = row_key(stream);
    struct carried carried = {.steps = steps, .step_count = step_count};
    struct strbuf bytes;
    if (steps == NULL || !price_row_get(reader->txn, stream, &carried.before)) db_feature_add(reader->txn, DB_FEATURE_PRICES);
    strbuf_init(&bytes, RUN_BYTES_MAX);
    enc_listed(&bytes, reader, state, carried);
    if (bytes.err != GT_OK) db_fail(reader->txn, bytes.err, "prices of stream %u cannot be kept: %s", (unsigned)stream, gt_err_text(bytes.err));
    db_put(reader->txn, DB_HEADS, key_str(&key), strbuf_str(&bytes));
    strbuf_done(&bytes);
}

void price_row_del(struct db_txn *txn, uint32_t stream)
{
    struct key key = row_key(stream);
    db_del(txn, DB_HEADS, key_str(&key));
}

bool price_row_fits(struct reader *reader, uint32_t stream, const struct part_state *state)
{
    struct key key = row_key(stream);
    struct strbuf bytes;
    struct gt_str value;
    strbuf_init(&bytes, RUN_BYTES_MAX);
    enc_listed(&bytes, reader, state, (struct carried){.step_count = 0});
    bool fits = !db_get(reader->txn, DB_HEADS, key_str(&key), &value) || gt_str_eq(value, strbuf_str(&bytes));
    strbuf_done(&bytes);
    return fits;
}
