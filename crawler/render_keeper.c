/* Runs between fork and _exit: whatever happens here, the last three acts are the tree's end, the folder's end, and its own. */
#include "crawler/render_keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/clock.h"
#include "crawler/render_tree.h"

enum {
    ARGUMENT_BYTES_MAX = 1024,
    ENVIRONMENT_BYTES_MAX = RENDER_FOLDER_MAX + 16,
    FLAGS_MAX = 64,
    WATCH_MS = 200, /* between two looks at the memory */
    FILES_MAX = 4096,
    FD_FIRST = 10, /* where descriptors are kept out of the way of those that the browser expects */
    FTW_FILES_MAX = 16,
    PIPE_IN = 3, /* as --remote-debugging-pipe has them */
    PIPE_OUT = 4,
};

/* Everything that would speak without being asked, keep something, or ask the user. What gets past the first group ends at the
 * closed proxy. There is no --no-sandbox here and never will be. */
static const char *const fixed_flags[] = {
    "--headless=new",
    "--remote-debugging-pipe",
    "--no-startup-window",
    /* no way out: names cannot be resolved, loopback is no exception from the proxy, UDP is not spoken */
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--proxy-bypass-list=<-loopback>",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-quic",
    /* nothing of its own accord */
    "--disable-background-networking",
    "--disable-client-side-phishing-detection",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-sync",
    "--metrics-recording-only",
    "--no-first-run",
    "--no-default-browser-check",
    "--no-pings",
    /* nothing left behind, nobody asked */
    "--disable-breakpad",
    "--disable-crash-reporter",
    "--disable-dev-shm-usage",
    "--password-store=basic",
    "--block-new-web-contents",
    "--deny-permission-prompts",
    "--mute-audio",
    "--log-level=3", /* only what it dies of */
    "--disable-gpu",
    "--renderer-process-limit=8",
    NULL,
};

/* ---- the browser ---- */

/* Lowers what one process may use. Addresses are not limited: V8 reserves far more than it uses. */
static void limits_set(void)
{
    const struct rlimit none = {0, 0}, file = {RENDER_FILE_BYTES_MAX, RENDER_FILE_BYTES_MAX}, files = {FILES_MAX, FILES_MAX};
    setrlimit(RLIMIT_CORE, &none);
    setrlimit(RLIMIT_FSIZE, &file);
    setrlimit(RLIMIT_NOFILE, &files);
}

/* Gives up root for good. False when some of it would stay. */
static bool identity_take(const struct keeper_job *job)
{
    if (geteuid() != 0) return true;
    if (setgroups(0, NULL) != 0 || setresgid(job->gid, job->gid, job->gid) != 0) return false;
    return setresuid(job->uid, job->uid, job->uid) == 0 && setuid(0) != 0;
}

/* Puts the descriptors where the browser looks for them, and closes all others. */
static bool descriptors_set(const struct keeper_job *job, int errors_fd)
{
    int null_fd = open("/dev/null", O_RDWR);
    int browser_fd = fcntl(job->browser_fd, F_DUPFD, FD_FIRST), errors = fcntl(errors_fd, F_DUPFD, FD_FIRST);
    if (null_fd < 0 || browser_fd < 0 || errors < 0) return false;
    if (dup2(null_fd, 0) < 0 || dup2(null_fd, 1) < 0 || dup2(errors, 2) < 0) return false;
    if (dup2(browser_fd, PIPE_IN) < 0 || dup2(browser_fd, PIPE_OUT) < 0) return false;
    return close_range(PIPE_OUT + 1, ~0U, 0) == 0;
}

/* Becomes the browser. An empty environment: nothing of the crawler's has any business there. */
static _Noreturn void browser_exec(const struct keeper_job *job, pid_t keeper, int errors_fd)
{
    char profile[ARGUMENT_BYTES_MAX], proxy[ARGUMENT_BYTES_MAX], agent[ARGUMENT_BYTES_MAX];
    char home[ENVIRONMENT_BYTES_MAX], temporary[ENVIRONMENT_BYTES_MAX];
    const char *arguments[FLAGS_MAX] = {job->path};
    size_t count = 1;
    sigset_t none;
    snprintf(profile, sizeof profile, "--user-data-dir=%s/profile", job->folder);
    snprintf(proxy, sizeof proxy, "--proxy-server=http://127.0.0.1:%u", (unsigned)job->program->proxy_port);
    snprintf(agent, sizeof agent, "--user-agent=%.*s", GT_STR_ARG(job->program->agent));
    snprintf(home, sizeof home, "HOME=%s", job->folder);
    snprintf(temporary, sizeof temporary, "TMPDIR=%s", job->folder);
    const char *const environment[] = {home, temporary, "PATH=/usr/bin:/bin", "LANG=C.UTF-8", "TZ=Asia/Shanghai", NULL};
    for (size_t i = 0; fixed_flags[i] != NULL; i++) arguments[count++] = fixed_flags[i];
    arguments[count++] = profile;
    arguments[count++] = proxy;
    arguments[count++] = agent;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    limits_set();
    /* the death signal is forgotten with a change of identity: set after it */
    bool is_ready = setpgid(0, 0) == 0 && identity_take(job) && prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && chdir(job->folder) == 0;
    if (is_ready && getppid() == keeper && descriptors_set(job, errors_fd))
        execve(job->path, (char *const *)(uintptr_t)arguments, (char *const *)(uintptr_t)environment);
    _exit(127);
}

/* ---- keeping it ---- */

struct keeper {
    const struct keeper_job *job;
    int signal_fd, errors_fd;
    pid_t browser;
    int64_t end_mono_ms, look_mono_ms;
    struct keeper_word word;
    size_t words_len;
};

/* Keeps the end of what the browser says on standard error. One that does not start says why there. */
static void words_take(struct keeper *keeper)
{
    char bytes[4096];
    ssize_t n = read(keeper->errors_fd, bytes, sizeof bytes);
    if (n < 0 && errno == EINTR) return;
    if (n <= 0) {
        close(keeper->errors_fd);
        keeper->errors_fd = -1;
        return;
    }
    for (ssize_t i = 0; i < n; i++) {
        char *words = keeper->word.words;
        char byte = bytes[i] >= ' ' && bytes[i] < 0x7F ? bytes[i] : ' ';
        if (keeper->words_len == RENDER_WORDS_MAX - 1) memmove(words, words + 1, --keeper->words_len);
        words[keeper->words_len++] = byte;
    }
}

/* Reaps what ended; the browser's own end is told. Others are its children, brought here by their parents' end. */
static void reap(struct keeper *keeper)
{
    struct signalfd_siginfo signal_info;
    ssize_t n = read(keeper->signal_fd, &signal_info, sizeof signal_info);
    if (n == (ssize_t)sizeof signal_info && signal_info.ssi_signo != SIGCHLD) keeper->word.end = RENDER_END_EXIT;
    for (pid_t gone; (gone = waitpid(-1, NULL, WNOHANG)) > 0;)
        if (gone == keeper->browser) keeper->word.end = RENDER_END_EXIT;
}

/* True when the crawler is gone or wants no more: it never writes, so any news from there is the end. */
static bool is_parent_gone(const struct keeper *keeper, short events)
{
    return events != 0 || getppid() != keeper->job->parent;
}

/* Looks at the memory and the time. */
static void look(struct keeper *keeper)
{
    int64_t now_mono_ms = clock_mono_ms();
    if (now_mono_ms < keeper->look_mono_ms) return;
    keeper->look_mono_ms = now_mono_ms + WATCH_MS;
    if (tree_memory_bytes() > keeper->job->program->memory_bytes) keeper->word.end = RENDER_END_MEMORY;
    else if (now_mono_ms >= keeper->end_mono_ms) keeper->word.end = RENDER_END_TIME;
}

/* Turns until something ends it. */
static void keep(struct keeper *keeper)
{
    while (keeper->word.end == RENDER_END_NONE) {
        struct pollfd waits[] = {{.fd = keeper->job->parent_fd, .events = POLLIN},
                                 {.fd = keeper->signal_fd, .events = POLLIN},
                                 {.fd = keeper->errors_fd, .events = POLLIN}};
        if (poll(waits, 3, WATCH_MS) < 0 && errno != EINTR) return;
        if (is_parent_gone(keeper, waits[0].revents)) return;
        if (waits[2].revents != 0) words_take(keeper);
        if (waits[1].revents != 0) reap(keeper);
        look(keeper);
    }
    while (keeper->errors_fd >= 0 && poll(&(struct pollfd){.fd = keeper->errors_fd, .events = POLLIN}, 1, 0) > 0) words_take(keeper);
}

/* One entry of the folder. */
static int entry_remove(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status;
    (void)place;
    if (kind == FTW_DP || kind == FTW_D || kind == FTW_DNR) rmdir(path);
    else unlink(path);
    return 0;
}

/* Removes the folder as the user who may write in it and nowhere else: what stands in there is the browser's to choose. */
static void folder_remove(const struct keeper_job *job)
{
    if (!identity_take(job)) return;
    nftw(job->folder, entry_remove, FTW_FILES_MAX, FTW_DEPTH | FTW_PHYS);
}

/* A child that is told of its parent's end, gathers orphans, hears signals in its own time, and has nothing open but its ends. */
static bool keeper_init(struct keeper *keeper, int errors[2])
{
    const struct keeper_job *job = keeper->job;
    sigset_t heard;
    sigemptyset(&heard);
    sigaddset(&heard, SIGCHLD);
    sigaddset(&heard, SIGTERM);
    sigaddset(&heard, SIGINT);
    sigaddset(&heard, SIGHUP);
    sigprocmask(SIG_SETMASK, &heard, NULL);
    signal(SIGPIPE, SIG_IGN);
    /* a session of its own: what is typed at the crawler's terminal is the crawler's to pass on */
    if (prctl(PR_SET_PDEATHSIG, SIGTERM) != 0 || setsid() < 0 || prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) return false;
    /* the lock, the store and the archive are the crawler's alone: held open here, they would outlive it */
    unsigned low = (unsigned)(job->parent_fd < job->browser_fd ? job->parent_fd : job->browser_fd);
    unsigned high = (unsigned)(job->parent_fd < job->browser_fd ? job->browser_fd : job->parent_fd);
    if (low > 3) close_range(3, low - 1, 0);
    if (high > low + 1) close_range(low + 1, high - 1, 0);
    close_range(high + 1, ~0U, 0);
    keeper->signal_fd = signalfd(-1, &heard, SFD_CLOEXEC | SFD_NONBLOCK);
    return keeper->signal_fd >= 0 && pipe2(errors, O_CLOEXEC) == 0 && getppid() == job->parent;
}

/* Stands between crawl and browser: whatever ends the crawl, this process ends the browser's whole tree and removes its folder. */
_Noreturn void keeper_run(const struct keeper_job *job)
{
    struct keeper keeper = {.job = job, .signal_fd = -1, .errors_fd = -1};
    int errors[2] = {-1, -1};
    keeper.end_mono_ms = clock_mono_ms() + job->program->time_ms + RENDER_KEEPER_EXTRA_MS;
    if (keeper_init(&keeper, errors)) {
        pid_t self = getpid();
        keeper.browser = fork();
        if (keeper.browser == 0) browser_exec(job, self, errors[1]);
        close(errors[1]);
        close(job->browser_fd);
        keeper.errors_fd = errors[0];
        if (keeper.browser > 0) keep(&keeper);
    }
    if (keeper.word.end == RENDER_END_NONE) keeper.word.end = RENDER_END_EXIT;
    tree_end();
    folder_remove(job);
    if (send(job->parent_fd, &keeper.word, sizeof keeper.word, MSG_NOSIGNAL | MSG_DONTWAIT) < 0) _exit(1);
    _exit(0);
}
