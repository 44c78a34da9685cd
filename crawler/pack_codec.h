/* Numbers in a pack: seven bits a byte, low ones first, or of a fixed width. Shared by the pack's reader and writer. */
#ifndef GT_CRAWLER_PACK_CODEC_H
#define GT_CRAWLER_PACK_CODEC_H

#include "crawler/pack.h"

enum {
    PACK_HEAD_BYTES = 8,
    PACK_TAIL_BYTES = 32,
    PACK_DIGEST_BYTES = 16,
    PACK_VERSION = 1,
    PACK_VERSION_DROPPED = 2, /* with pages that were dropped: an older program must not take them for damage */
    PACK_ZSTD_LEVEL = 9,
    PACK_WINDOW_LOG = 22,    /* that is written with: key and frame are seen together */
    PACK_WINDOW_LOG_MAX = 27 /* that is read */
};

/* "GTPACK1\n" opens the file and closes it. */
extern const char pack_magic[PACK_HEAD_BYTES + 1];

/* A piece of the file. */
struct pack_piece {
    int64_t at;
    uint32_t packed_len, plain_len;
};

/* Records of one address, unpacked together. */
struct pack_frame {
    struct pack_piece piece;
    uint8_t digest[PACK_DIGEST_BYTES]; /* of its plain bytes: the first of SHA-256 */
    uint32_t key;                      /* 1 + the frame against which it is packed; 0: alone */
};

/* Entries of one source file, unpacked together. */
struct pack_block {
    struct pack_piece piece;
    int64_t offset; /* of its first entry */
    uint32_t count;
};

/* What a block says of one entry, relative to the one before it. */
struct pack_index_state {
    int64_t offset;
    uint32_t frame;
    uint32_t ends_frame[PACK_BLOCK_ENTRIES], ends_at[PACK_BLOCK_ENTRIES]; /* where the last record of a frame ended */
    size_t end_count;
};

/* Adds a number. */
void pack_put(struct strbuf *out, uint64_t number);

/* Takes a number off *rest. False at the end and for what is too long. */
bool pack_get(struct gt_str *rest, uint64_t max, uint64_t *ret_number);

/* A number of `bytes` bytes, low one first: adds it, or reads it. */
void pack_put_fixed(struct strbuf *out, uint64_t number, int bytes);
uint64_t pack_get_fixed(const char *in, int bytes);

/* Adds an entry to a block, or takes one off it. `state` begins zeroed, with the block's offset. */
void pack_entry_put(struct strbuf *out, struct pack_index_state *state, const struct pack_entry *entry);
bool pack_entry_get(struct gt_str *rest, struct pack_index_state *state, struct pack_entry *ret_entry);

#endif
