/* The "latest" block: a stream's listed offers in one value, so that the next run needs one read to know where it stands. */
#include "store/key.h"
#include "store/part_state.h"

enum { SHAPE_VERSION = 1, LATEST_SLOTS_MAX = 65536 };

/* Bits of a slot's flags; two for enum good_end. */
enum {
    SLOT_LISTED = 1,
    SLOT_GOOD = 2,
    SLOT_END_SHIFT = 2, /* 4 and 8 */
    SLOT_DOUBT = 16,
    SLOT_RELEASABLE = 32,
    SLOT_PART = 64,
    SLOT_DOUBT_ATTR = 128 /* the doubt has other attributes than the good record */
};

/* Runs are written as distances where they mostly coincide: a byte instead of three. */
static void enc_slot(struct strbuf *buf, const struct slot *slot)
{
    bool has_good = slot->good.record != 0, has_doubt = slot->doubt.record != 0;
    bool has_doubt_attr = has_doubt && slot->doubt.attr != slot->attr;
    unsigned flags = (slot->is_listed ? SLOT_LISTED : 0U) | (has_good ? SLOT_GOOD : 0U) |
                     (unsigned)slot->good.end << SLOT_END_SHIFT | (has_doubt ? SLOT_DOUBT : 0U) |
                     (slot->doubt.is_releasable ? SLOT_RELEASABLE : 0U) | (slot->doubt.is_part ? SLOT_PART : 0U) |
                     (has_doubt_attr ? SLOT_DOUBT_ATTR : 0U);
    enc_byte(buf, (uint8_t)flags);
    enc_uint(buf, slot->attr);
    /* Mostly the run that opened the good span, too. */
    enc_int(buf, (int64_t)slot->listed_since - (int64_t)(has_good ? slot->good.first : 0));
    if (has_good) {
        enc_uint(buf, slot->good.record);
        enc_uint(buf, slot->good.first);
        enc_uint(buf, slot->good.shown - slot->good.first);
    }
    if (has_doubt) {
        enc_uint(buf, slot->doubt.record);
        enc_uint(buf, slot->doubt.first);
        enc_word(buf, (int)slot->doubt.reason, GUARD_REASONS);
        enc_uint(buf, slot->doubt.detail);
    }
    if (has_doubt_attr) enc_uint(buf, slot->doubt.attr);
}

/* Takes any bytes; what no encoder writes is damage, also where each field alone could be. */
static struct slot dec_slot(struct dec *dec, uint32_t offer)
{
    struct slot slot = {.offer = offer, .good_span = SIZE_MAX, .doubt_span = SIZE_MAX};
    unsigned flags = (unsigned)dec_byte(dec);
    slot.is_listed = (flags & SLOT_LISTED) != 0;
    slot.good.end = (enum good_end)(flags >> SLOT_END_SHIFT & 3);
    slot.attr = dec_id(dec);
    int64_t since = dec_int(dec);
    if ((flags & SLOT_GOOD) != 0) {
        slot.good.record = dec_id(dec);
        slot.good.first = dec_uint_max(dec, KEY_SEQ_LAST);
        slot.good.shown = slot.good.first + dec_uint_max(dec, KEY_SEQ_LAST - slot.good.first);
        if (slot.good.record == 0) dec_damaged(dec);
    }
    if ((flags & SLOT_DOUBT) != 0) {
        slot.doubt.record = dec_id(dec);
        slot.doubt.first = dec_uint_max(dec, KEY_SEQ_LAST);
        slot.doubt.reason = (enum guard_reason)dec_word(dec, GUARD_REASONS);
        slot.doubt.detail = dec_id(dec);
        slot.doubt.attr = (flags & SLOT_DOUBT_ATTR) != 0 ? dec_id(dec) : slot.attr;
        if (slot.doubt.record == 0) dec_damaged(dec);
    }
    /* attributes of its own are others, and a doubt's */
    if ((flags & SLOT_DOUBT_ATTR) != 0 && (slot.doubt.record == 0 || slot.doubt.attr == slot.attr)) dec_damaged(dec);
    /* `first` is at most 48 bits: the sum cannot overflow for any distance that an encoder writes. */
    if (__builtin_add_overflow(since, (int64_t)slot.good.first, &since) || since < 0 || (uint64_t)since > KEY_SEQ_LAST)
        dec_damaged(dec);
    slot.listed_since = (uint64_t)since;
    slot.doubt.is_releasable = (flags & SLOT_RELEASABLE) != 0;
    slot.doubt.is_part = (flags & SLOT_PART) != 0;
    return slot;
}

/* Only listed offers: one that left a year ago must not be rewritten with every price that moves. */
void enc_latest(struct strbuf *buf, const struct part_state *state)
{
    size_t listed = 0;
    for (size_t i = 0; i < state->count; i++) listed += state->slots[i].is_listed;
    if (listed > LATEST_SLOTS_MAX && buf->err == GT_OK) buf->err = GT_ELIMIT;
    enc_byte(buf, SHAPE_VERSION);
    enc_uint(buf, state->facts);
    enc_uint(buf, state->baseline_seq);
    enc_uint(buf, state->baseline_rows);
    enc_word(buf, (int)state->baseline_reason, GUARD_REASONS);
    enc_uint(buf, state->spans);
    enc_int(buf, state->until_next_unix_s);
    enc_uint(buf, listed);
    uint32_t before = 0;
    for (size_t i = 0; i < state->count; i++) {
        const struct slot *slot = &state->slots[i];
        if (!slot->is_listed) continue;
        enc_uint(buf, slot->offer - before);
        enc_slot(buf, slot);
        before = slot->offer;
    }
}

enum gt_err dec_latest(struct gt_str bytes, struct part_state *state)
{
    struct dec dec = dec_begin(bytes, state->arena);
    if (dec_byte(&dec) != SHAPE_VERSION) dec_damaged(&dec);
    state->facts = dec_id(&dec);
    state->baseline_seq = dec_uint_max(&dec, KEY_SEQ_LAST);
    state->baseline_rows = dec_id(&dec);
    state->baseline_reason = (enum guard_reason)dec_word(&dec, GUARD_REASONS);
    state->spans = dec_uint(&dec);
    state->until_next_unix_s = dec_int(&dec);
    size_t count = (size_t)dec_uint_max(&dec, LATEST_SLOTS_MAX);
    if (count > (size_t)(dec.end - dec.at) / 4) dec_damaged(&dec);
    /* Room for a few newcomers, so that the usual run does not move the slots. */
    state->cap = dec.err == GT_OK ? count + 8 : 0;
    state->slots = dec_array(&dec, state->cap, sizeof *state->slots);
    uint32_t offer = 0;
    for (size_t i = 0; i < count && dec.err == GT_OK; i++) {
        uint32_t step = dec_id(&dec);
        if (step == 0 || step > UINT32_MAX - offer) dec_damaged(&dec);
        offer += step;
        state->slots[i] = dec_slot(&dec, offer);
        if (!state->slots[i].is_listed) dec_damaged(&dec);
    }
    state->count = dec.err == GT_OK ? count : 0;
    return dec_end(&dec);
}

void enc_gone(struct strbuf *buf, const struct slot *slot)
{
    enc_byte(buf, SHAPE_VERSION);
    enc_slot(buf, slot);
}

enum gt_err dec_gone(struct gt_str bytes, uint32_t offer, struct slot *ret_slot)
{
    struct dec dec = dec_begin(bytes, NULL);
    if (dec_byte(&dec) != SHAPE_VERSION) dec_damaged(&dec);
    struct slot slot = dec_slot(&dec, offer);
    if (slot.is_listed || slot.good.record == 0 || slot.doubt.record != 0) dec_damaged(&dec);
    if (dec_end(&dec) == GT_OK) *ret_slot = slot;
    return dec_end(&dec);
}
