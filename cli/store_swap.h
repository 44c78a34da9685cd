/* A new store in the place of the old one: made beside it, and exchanged with it in one step. */
#ifndef GT_CLI_STORE_SWAP_H
#define GT_CLI_STORE_SWAP_H

#include "cli/command.h"

/* Opens an empty store beside the data folder's own ("store.new"), whatever lay there. The caller holds the run lock. */
enum gt_err store_swap_begin(struct cli *cli, struct store **ret_store);

/* The same, beginning as a copy of the store. Nobody writes to it: the caller holds the run lock, and has it closed. */
enum gt_err store_swap_copy(struct cli *cli, struct store **ret_store);

/* Puts the new store, closed, in the place of the old one, which is kept as "store.old" until the next time. Readers see one or the other. */
enum gt_err store_swap_commit(struct cli *cli);

/* Removes what store_swap_begin made. */
void store_swap_abort(struct cli *cli);

#endif
