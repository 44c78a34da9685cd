/* The run lock: one crawl at a time on a data folder. */
#ifndef GT_CRAWLER_LOCK_H
#define GT_CRAWLER_LOCK_H

#include "common/err.h"

struct run_lock;

/* Takes <data_folder>/lock, a file that is made once and never deleted, for as long as this process lives or until
 * run_lock_free; the kernel lets go of it when the holder dies. The holder's pid stands in it. Children that exec do not
 * inherit it. GT_ELOCKED with the holder's pid in the message; GT_EACCES, GT_ENOSPC, GT_EIO. */
enum gt_err run_lock_take(const char *data_folder, struct run_lock **ret_lock, struct gt_errinfo *info);

/* Lets go. NULL is accepted. */
void run_lock_free(struct run_lock *lock);

#endif
