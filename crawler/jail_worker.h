/* What runs inside the jail. */
#ifndef GT_CRAWLER_JAIL_WORKER_H
#define GT_CRAWLER_JAIL_WORKER_H

#include <sys/types.h>

#include "crawler/jail_message.h"

/* What a worker is born with: memory that it shares with its parent, and the rules. */
struct jail_post {
    char *request; /* JAIL_REQUEST_BYTES_MAX, shared */
    char *answer;  /* JAIL_ANSWER_BYTES_MAX, shared */
    const struct site_rules *const *rules;
    size_t rules_count;
};

/* Enters the box and answers requests until the other end of `fd` is closed. Called in a process just made; does not return. */
_Noreturn void jail_worker_run(const struct jail_post *post, int fd, pid_t parent);

#endif
