#include "crawler/pack_codec.h"

const char pack_magic[PACK_HEAD_BYTES + 1] = "GTPACK1\n";

void pack_put(struct strbuf *out, uint64_t number)
{
    for (; number >= 0x80; number >>= 7) strbuf_addc(out, (char)(number | 0x80));
    strbuf_addc(out, (char)number);
}

/* 63 bits at most: no number in a pack is larger, and a shift beyond the width would be undefined. */
bool pack_get(struct gt_str *rest, uint64_t max, uint64_t *ret_number)
{
    uint64_t number = 0;
    for (unsigned shift = 0; rest->len > 0 && shift < 63; shift += 7) {
        uint64_t byte = (unsigned char)rest->ptr[0];
        *rest = gt_str_slice(*rest, 1, SIZE_MAX);
        number |= (byte & 0x7F) << shift;
        if ((byte & 0x80) != 0) continue;
        *ret_number = number;
        return number <= max;
    }
    return false;
}

void pack_put_fixed(struct strbuf *out, uint64_t number, int bytes)
{
    for (int i = 0; i < bytes; i++) strbuf_addc(out, (char)(number >> 8 * i));
}

uint64_t pack_get_fixed(const char *in, int bytes)
{
    uint64_t number = 0;
    for (int i = bytes - 1; i >= 0; i--) number = number << 8 | (unsigned char)in[i];
    return number;
}

/* Where the next record of the frame is expected: behind the last one of this block. NULL when the block had none of it. */
static uint32_t *end_of(struct pack_index_state *state, uint32_t frame)
{
    for (size_t i = state->end_count; i > 0; i--)
        if (state->ends_frame[i - 1] == frame) return &state->ends_at[i - 1];
    return NULL;
}

/* Notes where an entry ends. A block has no more entries than there is room for. */
static void end_note(struct pack_index_state *state, const struct pack_entry *entry)
{
    uint32_t *end = end_of(state, entry->frame);
    if (end == NULL && state->end_count < PACK_BLOCK_ENTRIES) {
        state->ends_frame[state->end_count] = entry->frame;
        end = &state->ends_at[state->end_count++];
    }
    if (end != NULL) *end = entry->at + entry->len;
    state->frame = entry->frame;
    state->offset = entry->offset + entry->member_len;
}

/* Records stand in a frame in the order of their file, so "behind the last one" is nearly always true and costs nothing. The frame is told
 * as a zigzag distance to that of the entry before. */
void pack_entry_put(struct strbuf *out, struct pack_index_state *state, const struct pack_entry *entry)
{
    int64_t distance = (int64_t)entry->frame - (int64_t)state->frame;
    uint64_t zigzag = distance < 0 ? (uint64_t)(-distance) * 2 - 1 : (uint64_t)distance * 2;
    const uint32_t *end = end_of(state, entry->frame);
    pack_put(out, zigzag);
    if (end == NULL) pack_put(out, entry->at);
    pack_put(out, entry->len);
    pack_put(out, entry->member_len);
    end_note(state, entry);
}

/* Most entries follow the one before in the same frame, so that frame and place cost a byte or none. */
bool pack_entry_get(struct gt_str *rest, struct pack_index_state *state, struct pack_entry *ret_entry)
{
    uint64_t zigzag, at = 0, len, member_len;
    if (!pack_get(rest, UINT32_MAX, &zigzag)) return false;
    int64_t frame = (int64_t)state->frame + ((zigzag & 1) != 0 ? -(int64_t)(zigzag / 2) - 1 : (int64_t)(zigzag / 2));
    if (frame < 0 || frame > UINT32_MAX) return false;
    const uint32_t *end = end_of(state, (uint32_t)frame);
    if (end != NULL) at = *end;
    else if (!pack_get(rest, UINT32_MAX, &at)) return false;
    if (!pack_get(rest, UINT32_MAX, &len) || !pack_get(rest, UINT32_MAX, &member_len)) return false;
    if (member_len == 0 || at + len > UINT32_MAX) return false;
    ret_entry->offset = state->offset;
    ret_entry->member_len = (uint32_t)member_len;
    ret_entry->frame = (uint32_t)frame;
    ret_entry->at = (uint32_t)at;
    ret_entry->len = (uint32_t)len;
    end_note(state, ret_entry);
    return true;
}
