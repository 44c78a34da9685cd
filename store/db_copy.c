#include "store/db_copy.h"

#include <signal.h>

#include "store/db_impl.h"

enum gt_err db_copy(struct db *db, int fd, struct gt_errinfo *info)
{
    /* LMDB writes from a thread of its own, which inherits the mask: signals stay with the caller's thread. */
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    int rc = mdb_env_copyfd2(db->env, fd, MDB_CP_COMPACT);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return rc == 0 ? GT_OK : db_fail_code(db, info, "cannot copy the store in", rc);
}
