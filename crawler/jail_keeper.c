#include "crawler/jail_keeper.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/clock.h"

enum { CALL_NAME_MAX = 64, POLL_MS_MAX = 1000 };

void jail_keeper_init(struct jail_keeper *keeper)
{
    *keeper = (struct jail_keeper){.fd = -1};
}

/* Takes the dead worker off the system's list; its end, as waitpid has it, or -1 when somebody else took it. */
static int reap(struct jail_keeper *keeper)
{
    int status = -1;
    /* bounded: it is dead, or has a SIGKILL on its way */
    while (waitpid(keeper->pid, &status, 0) < 0)
        if (errno != EINTR) {
            status = -1;
            break;
        }
    close(keeper->fd);
    *keeper = (struct jail_keeper){.fd = -1, .sequence = keeper->sequence};
    return status;
}

void jail_keeper_stop(struct jail_keeper *keeper)
{
    if (keeper->pid == 0) return;
    kill(keeper->pid, SIGKILL);
    reap(keeper);
}

/* ---- what it died of ---- */

static enum gt_err fail_time(struct gt_errinfo *info)
{
    return gt_fail(info, GT_ETIMEOUT, JAIL_TIMED_OUT ": reading the page by these rules takes more than PAGE_SECONDS_MAX (%d) seconds",
                   PAGE_SECONDS_MAX);
}

/* The worker is at its end; says which. */
static enum gt_err fail_end(struct jail_keeper *keeper, struct gt_errinfo *info)
{
    int status = reap(keeper);
    if (status == -1) return gt_fail(info, GT_EREFUSED, JAIL_CRASHED ": the process that read the page is lost");
    if (!WIFSIGNALED(status))
        return gt_fail(info, GT_EREFUSED, JAIL_CRASHED ": the process that read the page ended with code %d", WEXITSTATUS(status));
    int number = WTERMSIG(status);
    const char *name = sigabbrev_np(number);
    if (number == SIGXCPU) return fail_time(info);
    if (number == SIGKILL)
        return gt_fail(info, GT_EREFUSED, JAIL_CRASHED ": the reading process was killed from outside: memory may be short");
    return gt_fail(info, GT_EREFUSED, JAIL_CRASHED ": reading the page by these rules ended with SIG%s: out of memory, or a fault",
                   name != NULL ? name : "?");
}

/* A packet from the worker that is none of those expected. */
static enum gt_err fail_note(struct jail_keeper *keeper, const struct jail_note *note, struct gt_errinfo *info)
{
    char name[CALL_NAME_MAX];
    jail_keeper_stop(keeper);
    if (note->kind == JAIL_NOTE_CALL) {
        jail_call_name(note->number, name);
        return gt_fail(info, GT_EREFUSED, JAIL_CRASHED ": reading the page by these rules led to the system call %s, which no parser needs", name);
    }
    if (note->kind == JAIL_NOTE_SHUT)
        return gt_fail(info, gt_err_from_errno((int)note->bytes), "pages cannot be read: the jail of their reader cannot be closed: %s: %s",
                       jail_stage_name((enum jail_stage)note->number), strerror((int)note->bytes));
    return gt_fail(info, GT_EREFUSED, JAIL_CRASHED ": the process that read the page answers what was not asked");
}

/* ---- talking ---- */

/* Looks for news of the worker for so long, as poll tells it. */
static int note_poll(const struct jail_keeper *keeper, int64_t wait_ms)
{
    struct pollfd ready = {.fd = keeper->fd, .events = POLLIN};
    return poll(&ready, 1, wait_ms < POLL_MS_MAX ? (int)wait_ms : POLL_MS_MAX);
}

/* Waits for the next packet, until keeper->due_mono_ms. GT_OK; else the worker is gone. */
static enum gt_err note_wait(struct jail_keeper *keeper, struct jail_note *ret_note, struct gt_errinfo *info)
{
    /* bounded by the time that is due; what has come by then counts, however late somebody looks for it */
    for (;;) {
        int64_t left_ms = keeper->due_mono_ms - clock_mono_ms();
        int count = note_poll(keeper, left_ms > 0 ? left_ms : 0);
        if (count < 0 && errno != EINTR) {
            int error = errno;
            jail_keeper_stop(keeper);
            return gt_fail(info, gt_err_from_errno(error), "cannot wait for the reader of pages: %s", strerror(error));
        }
        ssize_t len = count > 0 ? recv(keeper->fd, ret_note, sizeof *ret_note, MSG_DONTWAIT) : -1;
        if (len == (ssize_t)sizeof *ret_note) return GT_OK;
        if (len >= 0 || (count > 0 && errno == ECONNRESET)) {
            /* the other end is closed, or talks nonsense: the process may be on its way out, or not */
            if (len > 0) kill(keeper->pid, SIGKILL);
            return fail_end(keeper, info);
        }
        if (left_ms <= 0) {
            jail_keeper_stop(keeper);
            return fail_time(info);
        }
    }
}

/* ---- starting ---- */

static enum gt_err fail_start(const char *what, struct gt_errinfo *info)
{
    int error = errno;
    /* too many files or processes, not a disk at fault */
    enum gt_err code = error == EMFILE || error == ENFILE || error == EAGAIN ? GT_ELIMIT : gt_err_from_errno(error);
    return gt_fail(info, code, "pages cannot be read: there can be no %s for their reader: %s", what, strerror(error));
}

/* A socket that keeps messages whole: half a note cannot be read as one. The worker is believed only once it has said that it is locked in.
 */
enum gt_err jail_keeper_start(struct jail_keeper *keeper, const struct jail_post *post, struct gt_errinfo *info)
{
    int ends[2];
    struct jail_note note = {.kind = JAIL_NOTE_SHUT};
    pid_t parent = getpid();
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return fail_start("socket", info);
    pid_t pid = fork();
    if (pid == 0) jail_worker_run(post, ends[1], parent);
    close(ends[1]);
    if (pid < 0) {
        enum gt_err err = fail_start("process", info);
        close(ends[0]);
        return err;
    }
    *keeper = (struct jail_keeper){.pid = pid, .fd = ends[0], .sequence = keeper->sequence, .due_mono_ms = clock_mono_ms() + JAIL_START_MS};
    enum gt_err err = note_wait(keeper, &note, info);
    if (err == GT_OK && note.kind != JAIL_NOTE_READY) err = fail_note(keeper, &note, info);
    if (err == GT_ETIMEOUT) gt_fail(info, err, "pages cannot be read: their reader did not begin within %d ms", JAIL_START_MS);
    return err;
}

/* Gives the worker as much more processor time as a page may take. Best effort: the clock on the wall is the limit that counts. */
static void move_cpu_limit(struct jail_keeper *keeper)
{
    struct timespec used;
    struct rlimit now;
    clockid_t clock;
    if (clock_getcpuclockid(keeper->pid, &clock) != 0 || clock_gettime(clock, &used) != 0) return;
    int64_t max_s = (int64_t)used.tv_sec + PAGE_SECONDS_MAX + 1;
    if (max_s == keeper->cpu_max_s || prlimit(keeper->pid, RLIMIT_CPU, NULL, &now) != 0) return;
    now.rlim_cur = (rlim_t)max_s < now.rlim_max ? (rlim_t)max_s : now.rlim_max;
    if (prlimit(keeper->pid, RLIMIT_CPU, &now, NULL) == 0) keeper->cpu_max_s = max_s;
}

enum gt_err jail_keeper_ask(struct jail_keeper *keeper, const struct jail_post *post, size_t bytes, struct gt_errinfo *info)
{
    enum gt_err err = GT_OK;
    if (keeper->pages >= JAIL_PAGES_MAX) jail_keeper_stop(keeper);
    struct jail_note note = {.kind = JAIL_NOTE_ASK, .number = ++keeper->sequence, .bytes = bytes};
    /* one that died between two pages has done them no harm */
    bool is_sent = keeper->pid != 0 && send(keeper->fd, &note, sizeof note, MSG_NOSIGNAL) == (ssize_t)sizeof note;
    if (!is_sent) {
        jail_keeper_stop(keeper);
        err = jail_keeper_start(keeper, post, info);
        if (err == GT_OK && send(keeper->fd, &note, sizeof note, MSG_NOSIGNAL) != (ssize_t)sizeof note) return fail_end(keeper, info);
    }
    if (err != GT_OK) return err;
    move_cpu_limit(keeper);
    keeper->due_mono_ms = clock_mono_ms() + PAGE_SECONDS_MAX * 1000;
    return GT_OK;
}

bool jail_keeper_is_ready(const struct jail_keeper *keeper)
{
    return note_poll(keeper, 0) > 0 || clock_mono_ms() >= keeper->due_mono_ms;
}

/* Only the answer to the last question counts: a worker that was taken over might send an earlier one again. */
enum gt_err jail_keeper_answer(struct jail_keeper *keeper, size_t *ret_bytes, struct gt_errinfo *info)
{
    struct jail_note note = {.kind = JAIL_NOTE_SHUT};
    enum gt_err err = note_wait(keeper, &note, info);
    if (err != GT_OK) return err;
    bool is_answer = note.kind == JAIL_NOTE_DONE && note.number == keeper->sequence && note.bytes <= JAIL_ANSWER_BYTES_MAX;
    if (!is_answer) return fail_note(keeper, &note, info);
    keeper->pages++;
    *ret_bytes = (size_t)note.bytes;
    return GT_OK;
}
