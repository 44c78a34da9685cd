#include "crawler/jail_box.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "crawler/jail.h"

enum {
    NOBODY = 65534,
    SECONDS_MAX = 3600, /* of processor time in a worker's whole life; each page has its own limit, which the parent sets */
    STATM_BYTES = 64,
};

const char *jail_stage_name(enum jail_stage stage)
{
    static const char *const names[JAIL_STAGES] = {[JAIL_STAGE_NONE] = "none",           [JAIL_STAGE_PARENT] = "its parent",
                                                   [JAIL_STAGE_FILES] = "descriptors",   [JAIL_STAGE_RIGHTS] = "no_new_privs",
                                                   [JAIL_STAGE_LIMITS] = "its limits",   [JAIL_STAGE_FILTER] = "the seccomp filter"};
    return stage < JAIL_STAGES ? names[stage] : "?";
}

void jail_call_name(uint32_t number, char ret_name[64])
{
    char *name = number <= INT32_MAX ? seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, (int)number) : NULL;
    snprintf(ret_name, 64, "%s", name != NULL ? name : "?");
    free(name);
}

/* ---- signals ---- */

/* The filter's answer to a call that it does not know. Says which it was and ends: nothing of this process is to be used any more. */
static void on_forbidden_call(int number, siginfo_t *about, void *context)
{
    struct jail_note note = {.kind = JAIL_NOTE_CALL, .number = (uint32_t)about->si_syscall};
    (void)number;
    (void)context;
    ssize_t ignored = write(JAIL_FD, &note, sizeof note);
    (void)ignored;
    _exit(EXIT_FAILURE);
}

/* Requests to stop reach the whole process group of a terminal: the parent decides, so that a reading cut short does not look like a
 * bad page. Handlers of the parent's are not for here. */
static void set_signals(void)
{
    static const int ENDS[] = {SIGALRM, SIGXCPU, SIGXFSZ, SIGUSR1, SIGUSR2, SIGCHLD}, STOPS[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    static const int FAULTS[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    struct sigaction forbidden = {.sa_sigaction = on_forbidden_call, .sa_flags = SA_SIGINFO};
    sigset_t none;
    for (size_t i = 0; i < sizeof ENDS / sizeof ENDS[0]; i++) signal(ENDS[i], SIG_DFL);
    for (size_t i = 0; i < sizeof STOPS / sizeof STOPS[0]; i++) signal(STOPS[i], SIG_IGN);
    /* a sanitizer's own handlers say what went wrong */
    for (size_t i = 0; !JAIL_IS_SANITIZED && i < sizeof FAULTS / sizeof FAULTS[0]; i++) signal(FAULTS[i], SIG_DFL);
    sigaction(SIGSYS, &forbidden, NULL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

/* ---- descriptors ---- */

/* Archive, store, lock and sockets were inherited: a lock held here would outlive the parent's. */
static bool keep_one_descriptor(int fd)
{
    if (fd != JAIL_FD && dup2(fd, JAIL_FD) < 0) return false;
    if (close_range(JAIL_FD + 1, ~0U, 0) != 0) return false;
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nowhere < 0 || dup2(nowhere, STDIN_FILENO) < 0 || dup2(nowhere, STDOUT_FILENO) < 0) return false;
    if (!JAIL_IS_SANITIZED && dup2(nowhere, STDERR_FILENO) < 0) return false;
    return nowhere <= JAIL_FD || close(nowhere) == 0;
}

/* ---- rights ---- */

/* Rights over files, network and signals that Landlock can take, by the version of its interface (linux/landlock.h of a newer kernel than
 * the one this is built on). No rule is added, so nothing is left. */
static void deny_paths(void)
{
    struct landlock_rights {
        uint64_t fs, net, scoped;
    } rights = {.fs = (UINT64_C(1) << 13) - 1};
    static const size_t SIZES[] = {0, 8, 8, 8, 16, 16};
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, 1 /* LANDLOCK_CREATE_RULESET_VERSION */);
    if (version <= 0) return;
    if (version >= 2) rights.fs |= UINT64_C(1) << 13; /* REFER */
    if (version >= 3) rights.fs |= UINT64_C(1) << 14; /* TRUNCATE */
    if (version >= 4) rights.net = 3;                 /* BIND_TCP, CONNECT_TCP */
    if (version >= 5) rights.fs |= UINT64_C(1) << 15; /* IOCTL_DEV */
    if (version >= 6) rights.scoped = 3;              /* abstract sockets, signals */
    size_t size = version < (long)(sizeof SIZES / sizeof SIZES[0]) ? SIZES[version] : sizeof rights;
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &rights, size, 0);
    if (ruleset < 0) return;
    syscall(SYS_landlock_restrict_self, ruleset, 0);
    close(ruleset);
}

/* Root becomes nobody; where that is not allowed (a container without the right) the capabilities go all the same. */
static bool drop_rights(void)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {0};
    if (geteuid() == 0 && setgroups(0, NULL) == 0 && setresgid(NOBODY, NOBODY, NOBODY) == 0) {
        int refused = setresuid(NOBODY, NOBODY, NOBODY);
        (void)refused;
    }
    syscall(SYS_capset, &header, none);
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0;
}

/* The parent's end is the worker's; it may have come before the worker could ask for that. */
static bool die_with(pid_t parent)
{
    return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0 && getppid() == parent;
}

/* ---- limits ---- */

/* Bytes of address space in use; 0 where /proc does not say. */
static rlim_t address_space_bytes(void)
{
    char text[STATM_BYTES] = {0};
    int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (fd < 0) return 0;
    ssize_t len = read(fd, text, sizeof text - 1);
    close(fd);
    return len > 0 ? (rlim_t)strtoull(text, NULL, 10) * (rlim_t)sysconf(_SC_PAGESIZE) : 0;
}

/* One limit; a lower one that the process already has stands. */
static bool limit(int what, rlim_t most)
{
    struct rlimit now;
    if (getrlimit(what, &now) != 0) return false;
    struct rlimit wanted = {most, most};
    if (now.rlim_max < most) wanted.rlim_cur = wanted.rlim_max = now.rlim_max;
    return setrlimit(what, &wanted) == 0;
}

static bool set_limits(rlim_t in_use_bytes)
{
    if (!JAIL_IS_SANITIZED && in_use_bytes > 0 && !limit(RLIMIT_AS, in_use_bytes + JAIL_GROWTH_BYTES)) return false;
    if (!JAIL_IS_SANITIZED && !limit(RLIMIT_DATA, in_use_bytes + JAIL_GROWTH_BYTES)) return false;
    struct rlimit cpu = {SECONDS_MAX, RLIM_INFINITY}; /* the parent moves it on with every page, so the upper bound has to stay */
    if (getrlimit(RLIMIT_CPU, &cpu) == 0) cpu.rlim_cur = cpu.rlim_max < SECONDS_MAX ? cpu.rlim_max : SECONDS_MAX;
    return setrlimit(RLIMIT_CPU, &cpu) == 0 && limit(RLIMIT_CORE, 0) && limit(RLIMIT_FSIZE, 0) && limit(RLIMIT_NOFILE, 0) &&
           limit(RLIMIT_MEMLOCK, 0) && limit(RLIMIT_NPROC, 0) && limit(RLIMIT_MSGQUEUE, 0);
}

/* ---- system calls ---- */

/* What computing takes. */
static const int ALLOWED[] = {
    SCMP_SYS(read),         SCMP_SYS(write),         SCMP_SYS(brk),        SCMP_SYS(munmap),        SCMP_SYS(mremap),
    SCMP_SYS(madvise),      SCMP_SYS(futex),         SCMP_SYS(exit),       SCMP_SYS(exit_group),    SCMP_SYS(rt_sigreturn),
    SCMP_SYS(gettid),       SCMP_SYS(getpid),        SCMP_SYS(getrandom),  SCMP_SYS(clock_gettime), SCMP_SYS(gettimeofday),
    SCMP_SYS(time),         SCMP_SYS(rt_sigprocmask), SCMP_SYS(close),     SCMP_SYS(sched_yield),   SCMP_SYS(restart_syscall),
};

/* What libraries ask in good faith and can do without: stdio wants to know its descriptor. */
static const struct {
    int call, error;
} ANSWERED[] = {
    {SCMP_SYS(fstat), EBADF}, {SCMP_SYS(newfstatat), EBADF}, {SCMP_SYS(ioctl), ENOTTY}, {SCMP_SYS(lseek), ESPIPE},
};

/* What the sanitizers call, mostly to say what they found. Still no socket, no new process, and no path that Landlock does not see. */
static const int SANITIZERS[] = {
    SCMP_SYS(sigaltstack), SCMP_SYS(rt_sigaction), SCMP_SYS(prctl), SCMP_SYS(readlink), SCMP_SYS(getrlimit), SCMP_SYS(prlimit64),
};

/* Memory may be had, but none that can be run: PCRE2 does without its compiler then. */
static int add_memory_rules(scmp_filter_ctx filter)
{
    static const int CALLS[] = {SCMP_SYS(mmap), SCMP_SYS(mprotect)};
    int error = 0;
    for (size_t i = 0; error == 0 && i < sizeof CALLS / sizeof CALLS[0]; i++) {
        error = seccomp_rule_add(filter, SCMP_ACT_ALLOW, CALLS[i], 1, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
        if (error == 0)
            error = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EACCES), CALLS[i], 1, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, PROT_EXEC));
    }
    return error;
}

/* Builds and loads the filter. 0, or errno. */
static int load_filter(void)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_TRAP);
    int error = filter != NULL ? add_memory_rules(filter) : -ENOMEM;
    for (size_t i = 0; error == 0 && i < sizeof ALLOWED / sizeof ALLOWED[0]; i++)
        error = seccomp_rule_add(filter, SCMP_ACT_ALLOW, ALLOWED[i], 0);
    for (size_t i = 0; error == 0 && i < sizeof ANSWERED / sizeof ANSWERED[0]; i++)
        error = seccomp_rule_add(filter, SCMP_ACT_ERRNO((uint32_t)ANSWERED[i].error), ANSWERED[i].call, 0);
    for (size_t i = 0; JAIL_IS_SANITIZED && error == 0 && i < sizeof SANITIZERS / sizeof SANITIZERS[0]; i++)
        error = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SANITIZERS[i], 0);
    /* abort() signals itself; nobody else may be signalled */
    if (error == 0)
        error = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1, SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid()));
    if (error == 0) error = seccomp_load(filter);
    if (filter != NULL) seccomp_release(filter);
    return -error;
}

enum jail_stage jail_box_enter(int fd, pid_t parent, int *ret_errno)
{
    set_signals();
    errno = 0;
    enum jail_stage refused = JAIL_STAGE_NONE;
    if (!keep_one_descriptor(fd)) refused = JAIL_STAGE_FILES;
    else if (!drop_rights()) refused = JAIL_STAGE_RIGHTS;
    else if (!die_with(parent)) refused = JAIL_STAGE_PARENT; /* behind the change of user, which would undo it */
    if (refused == JAIL_STAGE_NONE) {
        rlim_t in_use_bytes = address_space_bytes();
        deny_paths();
        if (!set_limits(in_use_bytes)) refused = JAIL_STAGE_LIMITS;
    }
    *ret_errno = errno;
    if (refused != JAIL_STAGE_NONE) return refused;
    *ret_errno = load_filter();
    return *ret_errno == 0 ? JAIL_STAGE_NONE : JAIL_STAGE_FILTER;
}
