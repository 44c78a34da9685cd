/* Pages are strangers' and rules may loop, and neither libxml2 nor libjq can be told to stop. So a page is read twice: first in a
 * child that the kernel ends when it takes too long or too much, then, when the child came through, here. Reading is pure: what
 * the child could do, this process can. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "parsers/extract.h"

enum { REHEARSAL_GROWTH_BYTES = 1024 * 1024 * 1024 }; /* of memory: the arena's cap, and room for libjq, which has none */

/* AddressSanitizer maps terabytes that count as data; it has limits of its own. */
#ifdef __SANITIZE_ADDRESS__
static const bool LIMITS_MEMORY = false;
#else
static const bool LIMITS_MEMORY = true;
#endif

/* The child's own limits. Requests to stop are the parent's to obey: a reading cut short by one would look like a bad page. */
static void limit_child(void)
{
    static const int SIGNALS[] = {SIGALRM, SIGXCPU, SIGABRT, SIGSEGV, SIGBUS}, STOPS[] = {SIGINT, SIGTERM, SIGHUP};
    struct rlimit cpu = {PAGE_SECONDS_MAX, PAGE_SECONDS_MAX + 1}, none = {0, 0};
    struct rlimit data = {REHEARSAL_GROWTH_BYTES, REHEARSAL_GROWTH_BYTES};
    sigset_t empty;
    sigemptyset(&empty);
    for (size_t i = 0; i < sizeof SIGNALS / sizeof SIGNALS[0]; i++) signal(SIGNALS[i], SIG_DFL);
    for (size_t i = 0; i < sizeof STOPS / sizeof STOPS[0]; i++) signal(STOPS[i], SIG_IGN);
    sigprocmask(SIG_SETMASK, &empty, NULL);
    setrlimit(RLIMIT_CORE, &none);
    setrlimit(RLIMIT_CPU, &cpu);
    if (LIMITS_MEMORY) setrlimit(RLIMIT_DATA, &data);
    alarm(PAGE_SECONDS_MAX);
    /* libjq prints when it is out of memory, and then aborts; the parent says so in its own words */
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nowhere >= 0) {
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
    }
}

/* What the end of the child says of the page. */
static enum gt_err judge_end(int status, struct gt_errinfo *info)
{
    if (!WIFSIGNALED(status)) return GT_OK;
    int sig = WTERMSIG(status);
    if (sig == SIGALRM || sig == SIGXCPU || sig == SIGKILL)
        return gt_fail(info, GT_ELIMIT, "reading the page by these rules takes more than PAGE_SECONDS_MAX (%d) seconds", PAGE_SECONDS_MAX);
    return gt_fail(info, GT_ELIMIT, "reading the page by these rules ends with signal %d: out of memory, or a fault", sig);
}

enum gt_err page_extract_bounded(const struct site_rules *rules, const struct page_input *page, struct arena *arena,
                                 struct extraction *ret_extraction, struct gt_errinfo *info)
{
    int status = 0;
    pid_t child = fork();
    if (child < 0) return gt_fail(info, gt_err_from_errno(errno), "cannot start a process to read the page in");
    if (child == 0) {
        struct extraction rehearsed = {0};
        limit_child();
        (void)page_extract(rules, page, arena, &rehearsed, NULL);
        _exit(EXIT_SUCCESS);
    }
    /* bounded: the child's alarm rings */
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return gt_fail(info, gt_err_from_errno(errno), "lost the process that reads the page");
    enum gt_err err = judge_end(status, info);
    return err == GT_OK ? page_extract(rules, page, arena, ret_extraction, info) : err;
}
