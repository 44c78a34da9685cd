#include "common/program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/file.h"

enum { EXIT_NO_PROGRAM = 127 /* as shells have it */ };

/* The input as a file without a name: unlike a pipe it never fills, and a program that does not read it raises no signal here. */
static enum gt_err input_of(struct gt_str input, int *ret_fd, struct gt_errinfo *why)
{
    int fd = memfd_create("gputape-input", MFD_CLOEXEC);
    if (fd < 0) return file_fail(why, "cannot make", "the program's input");
    enum gt_err err = file_write_all(fd, input, why);
    if (err == GT_OK && lseek(fd, 0, SEEK_SET) != 0) err = file_fail(why, "cannot rewind", "the program's input");
    if (err == GT_OK) *ret_fd = fd;
    else close(fd);
    return err;
}

/* In the child, between fork and exec: async-signal-safe calls only. */
static void become(int input, int output, char *const *args)
{
    static char *const environment[] = {"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8",
                                        NULL};
    int nowhere = open("/dev/null", O_WRONLY);
    setpgid(0, 0);
    if (nowhere < 0 || dup2(input, STDIN_FILENO) < 0 || dup2(output < 0 ? nowhere : output, STDOUT_FILENO) < 0 ||
        dup2(nowhere, STDERR_FILENO) < 0)
        _exit(EXIT_NO_PROGRAM);
    close_range(STDERR_FILENO + 1, ~0U, 0);
    signal(SIGPIPE, SIG_DFL);
    execve(args[0], args, environment);
    _exit(EXIT_NO_PROGRAM);
}

/* Waits for the child, at most until the time is up; then it and everything it started are killed. False on a time-out. */
static bool wait_for(pid_t pid, int64_t timeout_ms, int *ret_status)
{
    int64_t end = clock_mono_ms() + timeout_ms;
    int pidfd = pidfd_open(pid, 0);
    bool is_over = false;
    for (int64_t left = timeout_ms; pidfd >= 0 && !is_over && left > 0; left = end - clock_mono_ms()) {
        struct pollfd poll_fd = {.fd = pidfd, .events = POLLIN};
        is_over = poll(&poll_fd, 1, (int)left) > 0;
    }
    kill(-pid, SIGKILL); /* the group: also what the program left behind */
    if (!is_over) kill(pid, SIGKILL);
    while (waitpid(pid, ret_status, 0) < 0 && errno == EINTR) continue;
    if (pidfd >= 0) close(pidfd);
    return is_over;
}

static enum gt_err result_of(const char *program, int status, struct gt_errinfo *why)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return GT_OK;
    if (WIFEXITED(status)) return gt_fail(why, GT_EIO, "%s ended with code %d", program, WEXITSTATUS(status));
    return gt_fail(why, GT_EIO, "%s was ended by signal %d", program, WTERMSIG(status));
}

/* In a process group of its own, so that a time-out ends whatever it has started, too. */
enum gt_err program_run(char *const *args, struct gt_str input, int output, int64_t timeout_ms, struct gt_errinfo *why)
{
    int status = 0, fd = -1;
    enum gt_err err = input_of(input, &fd, why);
    if (err != GT_OK) return err;
    pid_t pid = fork();
    if (pid == 0) become(fd, output, args);
    if (pid < 0) err = file_fail(why, "cannot start", args[0]);
    close(fd);
    if (err != GT_OK) return err;
    setpgid(pid, pid); /* in both, so that neither has to wait for the other */
    if (wait_for(pid, timeout_ms, &status)) return result_of(args[0], status, why);
    return gt_fail(why, GT_ETIMEOUT, "%s did not end within %lld ms", args[0], (long long)timeout_ms);
}
