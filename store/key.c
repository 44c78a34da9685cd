#include "store/key.h"

#include <endian.h>

#define SIGN_BIT ((uint64_t)1 << 63)

/* Parts that do not fit are left out rather than cut: no key of this store comes near the limit. */
static void add_number(struct key *key, uint64_t number, size_t bytes)
{
    if (bytes > KEY_BYTES_MAX - key->len) return;
    for (size_t i = 0; i < bytes; i++) key->bytes[key->len++] = (uint8_t)(number >> (8 * (bytes - 1 - i)));
}

static uint64_t number_at(struct gt_str key, size_t at, size_t bytes)
{
    if (at > key.len || bytes > key.len - at) return 0;
    uint64_t number = 0;
    for (size_t i = 0; i < bytes; i++) number = number << 8 | (uint8_t)key.ptr[at + i];
    return number;
}

void key_add_id(struct key *key, uint32_t id)
{
    add_number(key, id, KEY_ID_BYTES);
}

void key_add_seq(struct key *key, uint64_t seq)
{
    add_number(key, seq, KEY_SEQ_BYTES);
}

void key_add_time(struct key *key, int64_t t_unix_s)
{
    add_number(key, (uint64_t)t_unix_s ^ SIGN_BIT, KEY_TIME_BYTES);
}

void key_add_bytes(struct key *key, struct gt_str bytes)
{
    if (bytes.len == 0 || bytes.len > KEY_BYTES_MAX - key->len) return;
    memcpy(key->bytes + key->len, bytes.ptr, bytes.len);
    key->len += bytes.len;
}

struct gt_str key_str(const struct key *key)
{
    return (struct gt_str){(const char *)key->bytes, key->len};
}

struct key key_of_id(uint32_t id)
{
    /* Made for every look-up: as one number, not byte by byte. */
    struct key key = {.len = KEY_ID_BYTES};
    uint32_t number = htobe32(id);
    memcpy(key.bytes, &number, sizeof number);
    return key;
}

struct key key_of_run(uint32_t stream, uint64_t seq)
{
    struct key key = key_of_id(stream);
    key_add_seq(&key, seq);
    return key;
}

struct key key_of_gone(uint32_t stream, uint32_t offer)
{
    struct key key = key_of_id(stream);
    key_add_id(&key, offer);
    return key;
}

uint32_t key_id_at(struct gt_str key, size_t at)
{
    uint32_t number;
    if (at > key.len || sizeof number > key.len - at) return 0;
    memcpy(&number, key.ptr + at, sizeof number);
    return be32toh(number);
}

uint64_t key_seq_at(struct gt_str key, size_t at)
{
    return number_at(key, at, KEY_SEQ_BYTES);
}

int64_t key_time_at(struct gt_str key, size_t at)
{
    return (int64_t)(number_at(key, at, KEY_TIME_BYTES) ^ SIGN_BIT);
}
