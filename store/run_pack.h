/* Packed blocks: the rows of some days or weeks by columns, each number as its distance to what the rows before let expect. What
 * comes out are the rows that went in, byte for byte, so that nobody who reads a block knows which kind it was. */
#ifndef GT_STORE_RUN_PACK_H
#define GT_STORE_RUN_PACK_H

#include "store/run_block.h"

/* Writes what follows the head of a packed block. GT_ECORRUPT (rows that are none), GT_ENOMEM, GT_ELIMIT in buf->err. */
void enc_packed_rows(struct strbuf *buf, const struct run_block *block);

/* Reads it: `count` rows, whose bytes then lie in block->plain. Failures stand in `dec`; block->count is the caller's. */
void dec_packed_rows(struct dec *dec, uint64_t first_seq, size_t count, struct run_block *block);

#endif
