/* exec: a program that gets the digest on its standard input. No shell, a clean set of descriptors, a time-out for it and its
 * children. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "alerts/channel.h"
#include "alerts/message.h"
#include "common/clock.h"
#include "common/file.h"

enum {
    ARGS_MAX = 64,
    COMMAND_BYTES_MAX = 16 * 1024,
    EXIT_NO_PROGRAM = 127, /* as shells have it */
};

static enum gt_err check(const struct conf_section *section, struct gt_errinfo *info)
{
    const struct conf_value *command = conf_get(section, "command");
    if (command == NULL || command->text.len == 0)
        return gt_fail(info, GT_ECONF, "%s:%d: [channel %.*s] has no `command`", conf_section_file(section),
                       conf_section_line(section), GT_STR_ARG(conf_section_name(section)));
    size_t lines = 1;
    for (size_t i = 0; i < command->text.len; i++) lines += command->text.ptr[i] == '\n';
    if (lines > ARGS_MAX || command->text.len > COMMAND_BYTES_MAX)
        return conf_fail(command, info, "more arguments than can be passed");
    if (command->text.ptr[0] != '/')
        return conf_fail(command, info, "the program needs its whole path, such as /usr/local/bin/notify");
    return GT_OK;
}

/* The command as an argument list: one a line. `text` is the memory it points into. */
static void split_command(struct gt_str command, char text[COMMAND_BYTES_MAX + 1], char *args[ARGS_MAX + 1])
{
    size_t count = 0, out = 0;
    struct gt_str line;
    while (count < ARGS_MAX && gt_str_split(&command, '\n', &line)) {
        args[count++] = text + out;
        memcpy(text + out, line.ptr, line.len);
        out += line.len;
        text[out++] = '\0';
    }
    args[count] = NULL;
}

/* The digest as a file without a name: unlike a pipe it never fills, and a program that does not read it raises no signal
 * here. */
static int input_of(struct gt_str digest, struct gt_errinfo *why)
{
    int fd = memfd_create("gputape-digest", MFD_CLOEXEC);
    if (fd < 0) {
        file_fail(why, "cannot make", "the program's input");
        return -1;
    }
    if (file_write_all(fd, digest, why) == GT_OK && lseek(fd, 0, SEEK_SET) == 0) return fd;
    close(fd);
    return -1;
}

/* In the child, between fork and exec: async-signal-safe calls only. */
static void become(int input, char *const *args)
{
    static char *const environment[] = {"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8",
                                        NULL};
    int nowhere = open("/dev/null", O_WRONLY);
    setpgid(0, 0);
    if (nowhere < 0 || dup2(input, STDIN_FILENO) < 0 || dup2(nowhere, STDOUT_FILENO) < 0 || dup2(nowhere, STDERR_FILENO) < 0)
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

/* How a program ended. Any other code than 0 may pass by itself: a mail queue that is full, a host that is down. */
static enum delivery_result result_of(const char *program, int status, struct gt_errinfo *why)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return DELIVERY_DONE;
    if (WIFEXITED(status)) gt_fail(why, GT_EIO, "%s ended with code %d", program, WEXITSTATUS(status));
    else gt_fail(why, GT_EIO, "%s was ended by signal %d", program, WTERMSIG(status));
    return DELIVERY_LATER;
}

/* Starts the program in a process group of its own, so that a time-out ends whatever it has started, too. */
static enum delivery_result run(char *const *args, int input, int64_t timeout_ms, struct gt_errinfo *why)
{
    int status = 0;
    pid_t pid = fork();
    if (pid < 0) {
        file_fail(why, "cannot start", args[0]);
        return DELIVERY_LATER;
    }
    if (pid == 0) become(input, args);
    setpgid(pid, pid); /* in both, so that neither has to wait for the other */
    if (!wait_for(pid, timeout_ms, &status)) {
        gt_fail(why, GT_ETIMEOUT, "%s did not end within %lld ms", args[0], (long long)timeout_ms);
        return DELIVERY_LATER;
    }
    return result_of(args[0], status, why);
}

static enum delivery_result send(const struct channel *channel, const struct message *message, int64_t *ret_hold_s,
                                 struct gt_errinfo *why)
{
    (void)ret_hold_s;
    char text[COMMAND_BYTES_MAX + ARGS_MAX + 1];
    char *args[ARGS_MAX + 1];
    split_command(conf_text(channel->section, "command"), text, args);
    if (access(args[0], X_OK) != 0) {
        file_fail(why, "cannot run", args[0]);
        return DELIVERY_NEVER;
    }
    char *digest = message_digest(message);
    int input = digest != NULL ? input_of(gt_str_from(digest), why) : -1;
    free(digest);
    if (input < 0) return DELIVERY_LATER;
    enum delivery_result result =
        run(args, input, conf_duration_ms(channel->section, "timeout", CHANNEL_TIMEOUT_DEFAULT_MS), why);
    close(input);
    return result;
}

const struct channel_type channel_exec = {.name = "exec", .check = check, .send = send};
