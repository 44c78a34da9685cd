/* Composite keys: numbers in big-endian order of bytes, so that LMDB's order of keys is theirs. */
#ifndef GT_STORE_KEY_H
#define GT_STORE_KEY_H

#include <stdint.h>

#include "store/db.h"

enum {
    KEY_BYTES_MAX = 32,
    KEY_ID_BYTES = 4,   /* streams, offers, records … */
    KEY_SEQ_BYTES = 6,  /* run sequence numbers */
    KEY_TIME_BYTES = 8, /* UTC seconds, the sign turned so that earlier comes first */
};

#define KEY_SEQ_LAST (((uint64_t)1 << 48) - 1)

/* A key being put together; small, since every look-up makes one. */
struct key {
    uint8_t bytes[KEY_BYTES_MAX];
    size_t len;
};

/* Adds one part at the end. Numbers wider than their field are cut: ids and sequences are checked where they are given out. */
void key_add_id(struct key *key, uint32_t id);
void key_add_seq(struct key *key, uint64_t seq);
void key_add_time(struct key *key, int64_t t_unix_s);
void key_add_bytes(struct key *key, struct gt_str bytes);

/* The key so far, borrowed. */
struct gt_str key_str(const struct key *key);

/* Frequent keys whole. */
struct key key_of_id(uint32_t id);
struct key key_of_run(uint32_t stream, uint64_t seq);
struct key key_of_gone(uint32_t stream, uint32_t offer);

/* Reads a part at an offset of a stored key; 0 when the key is shorter. */
uint32_t key_id_at(struct gt_str key, size_t at);
uint64_t key_seq_at(struct gt_str key, size_t at);
int64_t key_time_at(struct gt_str key, size_t at);

#endif
