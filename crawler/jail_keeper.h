/* Keeps one worker alive: starts it, waits for it with a clock in hand, ends it, and says in words what it died of. */
#ifndef GT_CRAWLER_JAIL_KEEPER_H
#define GT_CRAWLER_JAIL_KEEPER_H

#include "crawler/jail_box.h"
#include "crawler/jail_worker.h"

struct jail_keeper {
    pid_t pid; /* of the worker; 0: none */
    int fd;    /* to it; -1: none */
    uint32_t sequence;
    uint32_t pages;    /* that it has read */
    int64_t cpu_max_s; /* the limit of processor time last set for it */
    int64_t due_mono_ms; /* when the worker has to have answered */
};

/* A keeper without a worker. */
void jail_keeper_init(struct jail_keeper *keeper);

/* Ends the worker, if there is one, and waits until it is gone. */
void jail_keeper_stop(struct jail_keeper *keeper);

/* Starts a worker and waits until it is inside. GT_OK; else there is none and `info` says why. */
enum gt_err jail_keeper_start(struct jail_keeper *keeper, const struct jail_post *post, struct gt_errinfo *info);

/* Tells the worker of the request in post->request (`bytes` long); starts one when there is none, or when the present one has read
 * JAIL_PAGES_MAX pages. GT_OK: jail_keeper_answer has to follow. GT_EREFUSED (JAIL_CRASHED), or as jail_keeper_start. */
enum gt_err jail_keeper_ask(struct jail_keeper *keeper, const struct jail_post *post, size_t bytes, struct gt_errinfo *info);

/* True when jail_keeper_answer will not wait: the worker has answered or died, or its time is over. */
bool jail_keeper_is_ready(const struct jail_keeper *keeper);

/* Waits for the answer to jail_keeper_ask.
 *
 *  ret_bytes  length of what stands in post->answer then. The worker can still change that.
 *
 * GT_OK; GT_ETIMEOUT (JAIL_TIMED_OUT: more than PAGE_SECONDS_MAX), GT_EREFUSED (JAIL_CRASHED): the worker is gone. */
enum gt_err jail_keeper_answer(struct jail_keeper *keeper, size_t *ret_bytes, struct gt_errinfo *info);

#endif
