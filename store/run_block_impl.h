/* What the files about blocks share. */
#ifndef GT_STORE_RUN_BLOCK_IMPL_H
#define GT_STORE_RUN_BLOCK_IMPL_H

#include "store/run_block.h"

/* Writes a block; its times must have been settled. One that is_packed is packed if it may be. */
void enc_block(struct strbuf *buf, const struct run_block *block);

/* Any bytes into a block, whose memory is used again; rows point into the bytes or into it. GT_OK; GT_ECORRUPT; GT_ENOMEM. */
enum gt_err dec_block(struct gt_str bytes, uint64_t first_seq, struct run_block *block);

/* Points the rows, whose lengths are known, at their bytes, which lie one behind the other. False when these are too few or too many, and when
 * the rows are not what the head says of their times, or not in order of sequence: who skips a block, or looks into it by halves, relies on it. */
bool run_block_point(struct run_block *block, struct gt_str bytes);

/* Frees what a block holds. */
void run_block_done(struct run_block *block);

/* The kind and times of a block, as far as its head tells them; *ret_count is how many rows follow. Failures stand in `dec`. */
void dec_block_times(struct dec *dec, struct run_block *block, size_t *ret_count);

/* Room for so many rows; false when memory is out. The rows are freed with free. */
bool run_block_room(struct run_block *block, size_t count);

/* A cursor over the rows of the log (DB_RUNS) or their pages (DB_RUN_PAGES). */
void run_cursor_init_table(struct run_cursor *cursor, struct db_txn *txn, enum db_table table, uint32_t stream);

#endif
