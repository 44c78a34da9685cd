/* Closes the cell around a worker: from jail_box_enter on the process can compute, and talk over one descriptor. */
#ifndef GT_CRAWLER_JAIL_BOX_H
#define GT_CRAWLER_JAIL_BOX_H

#include <stdint.h>
#include <sys/types.h>

enum { JAIL_FD = 3 }; /* the one that stays open, beside 0 to 2, which lead nowhere */

/* The address sanitizer maps terabytes, which a limit of address space forbids, and says what it found on stderr, by calls of its own. So does
 * the thread sanitizer. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { JAIL_IS_SANITIZED = 1 };
#else
enum { JAIL_IS_SANITIZED = 0 };
#endif

/* What can be refused on the way in. */
enum jail_stage { JAIL_STAGE_NONE, JAIL_STAGE_PARENT, JAIL_STAGE_FILES, JAIL_STAGE_RIGHTS, JAIL_STAGE_LIMITS, JAIL_STAGE_FILTER, JAIL_STAGES };

/* What a worker says over its descriptor: 16 bytes, one packet. */
enum jail_note_kind {
    JAIL_NOTE_ASK,   /* to the worker: `number` is the sequence, `bytes` the request's length */
    JAIL_NOTE_READY, /* it is inside */
    JAIL_NOTE_DONE,  /* `number` is the sequence, `bytes` the answer's length */
    JAIL_NOTE_SHUT,  /* it could not get in: `number` is the jail_stage, `bytes` errno */
    JAIL_NOTE_CALL,  /* its last words: `number` is the system call that it may not make */
};
struct jail_note {
    uint32_t kind, number;
    uint64_t bytes;
};

/* In the new process, first thing: makes `fd` JAIL_FD and closes the others, gives up rights, sets limits, loads the filter. Signals that
 * ask to stop are the parent's to obey and are ignored; the process dies with its parent. A call that the filter does not know ends
 * the process after a JAIL_NOTE_CALL.
 *
 *  parent      whose child this is.
 *  ret_errno   why a stage was refused.
 *
 * JAIL_STAGE_NONE when inside. Landlock is used where the kernel has it and not missed where it has not: the filter lets no path
 * through either way. */
enum jail_stage jail_box_enter(int fd, pid_t parent, int *ret_errno);

/* The name of a stage, for a message; of a system call by its number, "?" when there is none (`ret_name` has room for 64 bytes). */
const char *jail_stage_name(enum jail_stage stage);
void jail_call_name(uint32_t number, char ret_name[64]);

#endif
