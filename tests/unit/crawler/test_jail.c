/* Pages that try everything on the process that reads them. page_extract is replaced in this program alone (--wrap): a page whose body
 * begins with "HOOK:" does what it says, all others are read as they are. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "crawler/jail.h"
#include "crawler/jail_box.h"
#include "tests/unit/crawler/crawl_bench.h"

enum { ARENA_BYTES = 64 * 1024 * 1024, BLOCK_BYTES = 16 * 1024 * 1024, GONE_MS = 5000, NOBODY_ID = 65534 };

/* ---- what pages do ---- */

static void do_null(void)
{
    volatile int *volatile nowhere = NULL;
    *nowhere = 1;
}

static void do_abort(void)
{
    abort();
}

static void do_exit(void)
{
    _exit(0);
}

static void do_die(void)
{
    syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), SIGKILL);
}

/* One byte of each block: what is limited is address space, and to fill it may take a loaded machine longer than a page may. */
static void do_memory(void)
{
    for (;;) *(volatile char *)malloc(BLOCK_BYTES) = 1;
}

static void do_loop(void)
{
    for (volatile int i = 0;; i = 1 - i) continue;
}

static int deeper(volatile char *above)
{
    volatile char here[4096];
    here[0] = above[0];
    return above[0] == 1 ? 0 : deeper(here) + here[0];
}

static void do_stack(void)
{
    volatile char first[1] = {0};
    (void)deeper(first);
}

static void do_fork(void)
{
    if (fork() >= 0) _exit(0);
}

static void do_exec(void)
{
    execl("/bin/true", "true", (char *)NULL);
}

static void do_socket(void)
{
    socket(AF_INET, SOCK_STREAM, 0);
}

static void do_open(void)
{
    int fd = open("/etc/passwd", O_RDONLY);
    if (fd >= 0) _exit(0);
}

static void do_write_file(void)
{
    open("/tmp/gputape-jail-was-here", O_WRONLY | O_CREAT, 0600);
}

static void do_kill(void)
{
    kill(1, 0);
}

static void do_kill_other(void)
{
    syscall(SYS_tgkill, 1, 1, SIGTERM);
}

static void do_ptrace(void)
{
    ptrace(PTRACE_TRACEME, 0, NULL, NULL);
}

static void do_limits(void)
{
    struct rlimit more = {RLIM_INFINITY, RLIM_INFINITY};
    syscall(SYS_setrlimit, RLIMIT_AS, &more);
}

static void do_handler(void)
{
    /* by number: glibc's wrapper is one that a sanitizer replaces */
    syscall(SYS_memfd_create, "x", 0);
}

static void do_sleep(void)
{
    struct timespec time = {1, 0};
    nanosleep(&time, NULL);
}

/* Memory that can be run is refused, not fatal: the reader of patterns does without. */
static void do_executable(void)
{
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page != MAP_FAILED) _exit(0);
    page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED || mprotect(page, 4096, PROT_READ | PROT_EXEC) == 0) _exit(0);
}

/* Says that it is done before it is, with an answer that was never asked for. */
static void do_lie(void)
{
    const struct jail_note note = {.kind = JAIL_NOTE_DONE, .number = 77777, .bytes = 8};
    ssize_t ignored = write(JAIL_FD, &note, sizeof note);
    (void)ignored;
}

/* The right sequence with more bytes than there are: read from the note that this process was asked by is not possible, so every number. */
static void do_lie_long(void)
{
    for (uint32_t i = 0; i < 8; i++) {
        const struct jail_note note = {.kind = JAIL_NOTE_DONE, .number = i, .bytes = UINT64_MAX};
        ssize_t ignored = write(JAIL_FD, &note, sizeof note);
        (void)ignored;
    }
}

static void do_nonsense(void)
{
    ssize_t ignored = write(JAIL_FD, "x", 1);
    (void)ignored;
}

/* Looks whether anything of the parent's is left open. */
static void do_look(void)
{
    char byte;
    for (int fd = 0; fd < 256; fd++)
        if (fd != JAIL_FD && (read(fd, &byte, 0) == 0 || errno != EBADF) && fd > 2) _exit(0);
}

static const struct hook {
    const char *name;
    void (*act)(void);
    const char *reason; /* a part of it; NULL: the page is read all the same */
    bool is_spared;     /* not under the sanitizers */
} hooks[] = {
    {"null", do_null, "parser-crashed", false},
    {"abort", do_abort, "parser-crashed", false},
    {"exit", do_exit, "parser-crashed", false},
    {"die", do_die, "parser-crashed: the reading process was killed", false},
    {"memory", do_memory, "parser-crashed", true},
    {"stack", do_stack, "parser-crashed", false},
    {"loop", do_loop, "parser-timeout", false},
    {"fork", do_fork, "parser-crashed: reading the page by these rules led to the system call clone", false},
    {"exec", do_exec, "call execve", false},
    {"socket", do_socket, "call socket", false},
    {"open", do_open, "call openat", false},
    {"write file", do_write_file, "call openat", false},
    {"kill", do_kill, "call kill", false},
    {"kill other", do_kill_other, "call tgkill", false},
    {"ptrace", do_ptrace, "call ptrace", false},
    {"limits", do_limits, "call setrlimit", false},
    {"memfd", do_handler, "call memfd_create", false},
    {"sleep", do_sleep, "call clock_nanosleep", false},
    {"executable", do_executable, NULL, false},
    {"look", do_look, NULL, false},
    {"lie", do_lie, "parser-crashed: the process that read the page answers what was not asked", false},
    {"lie long", do_lie_long, "parser-crashed", false},
    {"nonsense", do_nonsense, "parser-crashed", false},
};

enum gt_err __real_page_extract(const struct site_rules *rules, const struct page_input *page, struct arena *arena,
                                struct extraction *ret_extraction, struct gt_errinfo *info);
enum gt_err __wrap_page_extract(const struct site_rules *rules, const struct page_input *page, struct arena *arena,
                                struct extraction *ret_extraction, struct gt_errinfo *info);
enum gt_err __wrap_page_extract(const struct site_rules *rules, const struct page_input *page, struct arena *arena,
                                struct extraction *ret_extraction, struct gt_errinfo *info)
{
    struct gt_str word = gt_str_starts(page->body, GT_STR("HOOK:")) ? gt_str_slice(page->body, 5, SIZE_MAX) : GT_STR("");
    struct page_input copy = *page;
    for (size_t i = 0; word.len > 0 && i < sizeof hooks / sizeof hooks[0]; i++)
        if (gt_str_is(word, hooks[i].name)) hooks[i].act();
    if (word.len > 0) copy.body = gt_str_from(page_a);
    return __real_page_extract(rules, &copy, arena, ret_extraction, info);
}

/* ---- a jail with one site ---- */

struct cell {
    struct conf *conf;
    struct site_rules *rules;
    struct arena *arena;
    struct jail *jail;
};

static enum gt_err cell_open(struct cell *cell, struct gt_errinfo *info)
{
    *cell = (struct cell){.conf = conf_new(), .arena = arena_new(ARENA_BYTES)};
    assert_int_equal(conf_read_text(cell->conf, "test.conf", GT_STR(SITE), info), GT_OK);
    assert_int_equal(site_rules_new(conf_find(cell->conf, "site", GT_STR("s")), &cell->rules, info), GT_OK);
    const struct site_rules *const rules[] = {cell->rules};
    return jail_new(rules, 1, &cell->jail, info);
}

static void cell_close(struct cell *cell)
{
    jail_free(cell->jail);
    site_rules_free(cell->rules);
    arena_free(cell->arena);
    conf_free(cell->conf);
    /* nobody is left behind, dead or alive */
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

static bool cell_begin(struct cell *cell, const char *body, enum gt_err err, struct page_verdict *ret)
{
    struct http_response response = {.status = 200,
                                     .err = err,
                                     .is_length_known = true,
                                     .url = GT_STR("http://a.test/prices"),
                                     .head = GT_STR("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"),
                                     .wire = gt_str_from(body),
                                     .body = gt_str_from(body)};
    const struct page_case in = {.response = &response, .rules = cell->rules};
    return jail_page_begin(cell->jail, &in, cell->arena, ret);
}

static void cell_judge(struct cell *cell, const char *body, struct page_verdict *ret)
{
    if (cell_begin(cell, body, GT_OK, ret)) jail_page_end(cell->jail, cell->arena, ret);
}

static void assert_good(struct cell *cell)
{
    struct page_verdict verdict;
    cell_judge(cell, page_b, &verdict);
    assert_str(verdict.reason, "");
    assert_int_equal(verdict.status, STATUS_OK);
    assert_int_equal(verdict.extraction.count, 3);
    assert_str(verdict.extraction.listings[2].fields[0].text, "H800");
}

/* ---- one hook each ---- */

static void check_hook(void **state)
{
    const struct hook *hook = *state;
    struct cell cell;
    struct gt_errinfo info = {0};
    struct page_verdict verdict;
    char body[64];
    if (hook->is_spared && JAIL_IS_SANITIZED) skip();
    assert_int_equal(cell_open(&cell, &info), GT_OK);
    assert_good(&cell);
    snprintf(body, sizeof body, "HOOK:%s", hook->name);
    cell_judge(&cell, body, &verdict);
    if (hook->reason == NULL) {
        assert_int_equal(verdict.status, STATUS_OK);
        assert_int_equal(verdict.extraction.count, 2);
    } else {
        const char *reason = arena_dup(cell.arena, verdict.reason).ptr;
        if (strstr(reason, hook->reason) == NULL) print_error("%s\n", reason);
        assert_non_null(strstr(reason, hook->reason));
        assert_int_equal(verdict.status, STATUS_FAILED);
        assert_false(verdict.has_extraction);
        assert_true(gt_str_starts(verdict.reason, GT_STR("parser-")));
    }
    assert_good(&cell);
    assert_int_equal(access("/tmp/gputape-jail-was-here", F_OK), -1);
    cell_close(&cell);
}

/* ---- workers come and go ---- */

/* The process ids of this process's children, from /proc. */
static int children(pid_t of, pid_t *ret, int max)
{
    int count = 0;
    DIR *proc = opendir("/proc");
    assert_non_null(proc);
    for (struct dirent *entry; (entry = readdir(proc)) != NULL && count < max;) {
        char path[300], text[512] = {0};
        snprintf(path, sizeof path, "/proc/%.200s/stat", entry->d_name);
        int fd = open(path, O_RDONLY | O_CLOEXEC), parent = 0;
        ssize_t len = fd >= 0 ? read(fd, text, sizeof text - 1) : 0;
        if (fd >= 0) close(fd);
        const char *end = len > 0 ? strrchr(text, ')') : NULL;
        if (end != NULL && sscanf(end, ") %*c %d", &parent) == 1 && parent == of) ret[count++] = (pid_t)strtol(entry->d_name, NULL, 10);
    }
    closedir(proc);
    return count;
}

static void check_killed_between(void **state)
{
    (void)state;
    struct cell cell;
    struct gt_errinfo info = {0};
    pid_t pids[8];
    assert_int_equal(cell_open(&cell, &info), GT_OK);
    for (int i = 0; i < 5; i++) {
        assert_good(&cell);
        assert_int_equal(children(getpid(), pids, 8), 1);
        kill(pids[0], SIGKILL);
        /* its end of the socket closes with it; until then it might be asked still */
        siginfo_t about;
        assert_int_equal(waitid(P_PID, (id_t)pids[0], &about, WEXITED | WNOWAIT), 0);
    }
    assert_good(&cell);
    cell_close(&cell);
}

/* A page is read in two steps: what comes between them, and what of it. */
static const struct step {
    const char *name;
    const char *body;
    enum gt_err err; /* of the answer */
    bool is_killed;  /* the worker, once it reads */
    bool is_begun;
    enum part_status status;
    const char *reason;
} steps[] = {
    {"read", page_b, GT_OK, false, true, STATUS_OK, ""},
    {"the worker dies of it", "HOOK:null", GT_OK, false, true, STATUS_FAILED, "parser-crashed"},
    {"the worker is killed while it reads", "HOOK:loop", GT_OK, true, true, STATUS_FAILED, "was killed from outside"},
    {"it takes too long", "HOOK:loop", GT_OK, false, true, STATUS_FAILED, "parser-timeout"},
    {"no answer came", "", GT_ENET, false, false, STATUS_FAILED, ""},
};

static void check_step(void **state)
{
    const struct step *step = *state;
    struct cell cell;
    struct gt_errinfo info = {0};
    struct page_verdict verdict;
    pid_t pids[8];
    assert_int_equal(cell_open(&cell, &info), GT_OK);
    assert_int_equal(cell_begin(&cell, step->body, step->err, &verdict), step->is_begun);
    if (step->is_begun) {
        struct pollfd news = {.fd = jail_fd(cell.jail), .events = POLLIN};
        if (strcmp(step->body, "HOOK:loop") == 0) assert_false(jail_is_ready(cell.jail));
        assert_int_equal(children(getpid(), pids, 8), 1);
        if (step->is_killed) kill(pids[0], SIGKILL);
        int count = poll(&news, 1, (PAGE_SECONDS_MAX + 1) * 1000);
        assert_int_equal(count, strcmp(step->reason, "parser-timeout") != 0);
        assert_true(jail_is_ready(cell.jail));
        jail_page_end(cell.jail, cell.arena, &verdict);
    }
    assert_int_equal(verdict.status, step->status);
    assert_non_null(strstr(arena_dup(cell.arena, verdict.reason).ptr, step->reason));
    assert_good(&cell);
    cell_close(&cell);
}

/* Requests to stop are for the parent: a worker that gets one goes on. */
static void check_stop_signals(void **state)
{
    (void)state;
    static const int SIGNALS[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    struct cell cell;
    struct gt_errinfo info = {0};
    pid_t before[8], after[8];
    assert_int_equal(cell_open(&cell, &info), GT_OK);
    assert_int_equal(children(getpid(), before, 8), 1);
    for (size_t i = 0; i < sizeof SIGNALS / sizeof SIGNALS[0]; i++) kill(before[0], SIGNALS[i]);
    assert_good(&cell);
    assert_int_equal(children(getpid(), after, 8), 1);
    assert_int_equal(before[0], after[0]);
    cell_close(&cell);
}

static void check_recycled(void **state)
{
    (void)state;
    struct cell cell;
    struct gt_errinfo info = {0};
    pid_t before[8], after[8];
    assert_int_equal(cell_open(&cell, &info), GT_OK);
    assert_int_equal(children(getpid(), before, 8), 1);
    for (int i = 0; i < JAIL_PAGES_MAX; i++) {
        arena_clear(cell.arena);
        assert_good(&cell);
    }
    assert_int_equal(children(getpid(), after, 8), 1);
    assert_int_equal(before[0], after[0]);
    assert_good(&cell);
    assert_int_equal(children(getpid(), after, 8), 1);
    assert_int_not_equal(before[0], after[0]);
    cell_close(&cell);
}

/* How the parent of a worker ends. */
static const struct ending {
    const char *name;
    int signal;
    const char *body; /* a page that is being read when it comes; NULL: none */
} endings[] = {
    {"SIGKILL between pages", SIGKILL, NULL}, {"SIGTERM between pages", SIGTERM, NULL}, {"SIGKILL while a page loops", SIGKILL, "HOOK:loop"},
    {"SIGINT while a page loops", SIGINT, "HOOK:loop"},
};

static void check_parent_ends(void **state)
{
    const struct ending *ending = *state;
    int ready[2];
    pid_t worker[8] = {0};
    int status;
    char byte;
    /* orphans come to us */
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), 0);
    assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
    pid_t parent = fork();
    assert_true(parent >= 0);
    if (parent == 0) {
        struct cell cell;
        struct gt_errinfo info = {0};
        struct page_verdict verdict;
        signal(ending->signal, SIG_DFL); /* a shell's background jobs come with SIGINT ignored */
        if (cell_open(&cell, &info) != GT_OK || write(ready[1], "x", 1) != 1) _exit(1);
        if (ending->body != NULL) cell_judge(&cell, ending->body, &verdict);
        for (;;) pause();
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_int_equal(children(parent, worker, 8), 1);
    if (ending->body != NULL) usleep(100 * 1000);
    kill(parent, ending->signal);
    assert_int_equal(waitpid(parent, &status, 0), parent);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == ending->signal);
    pid_t ended = 0;
    for (int i = 0; i < GONE_MS / 10 && ended == 0; i++, usleep(10 * 1000)) ended = waitpid(worker[0], &status, WNOHANG);
    assert_int_equal(ended, worker[0]);
    close(ready[0]);
    close(ready[1]);
    prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0);
}

/* ---- circumstances ---- */

/* Run in a process of its own; its exit code is the verdict. */
static int as_nobody(void)
{
    struct cell cell;
    struct gt_errinfo info = {0};
    if (geteuid() == 0 && (setresgid(NOBODY_ID, NOBODY_ID, NOBODY_ID) != 0 || setresuid(NOBODY_ID, NOBODY_ID, NOBODY_ID) != 0)) return 2;
    if (cell_open(&cell, &info) != GT_OK) return 3;
    assert_good(&cell);
    cell_close(&cell);
    return 0;
}

/* So many descriptors that the socket cannot be had; then just enough. */
static int with_few_files(void)
{
    struct cell cell;
    struct gt_errinfo info = {0};
    int next = open("/dev/null", O_RDONLY | O_CLOEXEC);
    close(next);
    struct rlimit files = {(rlim_t)next + 1, 4096};
    if (setrlimit(RLIMIT_NOFILE, &files) != 0) return 2;
    if (cell_open(&cell, &info) != GT_ELIMIT || strstr(info.text, "Too many open files") == NULL) return 3;
    cell_close(&cell);
    files.rlim_cur = (rlim_t)next + 2;
    if (setrlimit(RLIMIT_NOFILE, &files) != 0) return 4;
    if (cell_open(&cell, &info) != GT_OK) return 5;
    assert_good(&cell);
    cell_close(&cell);
    return 0;
}

static int with_few_processes(void)
{
    struct cell cell;
    struct gt_errinfo info = {0};
    struct rlimit none = {0, 0};
    if (geteuid() == 0 && (setresgid(NOBODY_ID, NOBODY_ID, NOBODY_ID) != 0 || setresuid(NOBODY_ID, NOBODY_ID, NOBODY_ID) != 0)) return 2;
    if (setrlimit(RLIMIT_NPROC, &none) != 0) return 2;
    if (cell_open(&cell, &info) != GT_ELIMIT || strstr(info.text, "there can be no process") == NULL) return 3;
    return 0;
}

/* An exact limit of address space is the user's right; a jail that does not fit says so. */
static int with_little_memory(void)
{
    struct cell cell;
    struct gt_errinfo info = {0};
    struct rlimit little = {(rlim_t)64 * 1024 * 1024, (rlim_t)64 * 1024 * 1024};
    if (JAIL_IS_SANITIZED) return 0;
    if (setrlimit(RLIMIT_AS, &little) != 0) return 2;
    return cell_open(&cell, &info) == GT_ENOMEM && info.text[0] != '\0' ? 0 : 3;
}

static const struct circumstance {
    const char *name;
    int (*run)(void);
} circumstances[] = {
    {"an unprivileged user", as_nobody},
    {"few descriptors", with_few_files},
    {"no process may be made", with_few_processes},
    {"little address space", with_little_memory},
};

static void check_circumstance(void **state)
{
    const struct circumstance *circumstance = *state;
    int status;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) _exit(circumstance->run());
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

/* Each of glibc's tables is there although no file can be opened; so are jq's clocks that want a time zone. */
static void check_charsets(void **state)
{
    (void)state;
    static const char *const LABELS[] = {"big5", "euc-jp", "iso-2022-jp", "shift_jis", "euc-kr", "windows-1252", "koi8-r", "windows-1251", "gbk"};
    struct cell cell;
    struct gt_errinfo info = {0};
    assert_int_equal(cell_open(&cell, &info), GT_OK);
    for (size_t i = 0; i < sizeof LABELS / sizeof LABELS[0]; i++) {
        struct extraction found = {0};
        char type[64];
        snprintf(type, sizeof type, "text/html; charset=%s", LABELS[i]);
        const struct page_input page = {.body = GT_STR(PAGE(ROW("RTX 4090", "1.98"))), .content_type = gt_str_from(type)};
        assert_int_equal(jail_page_extract(cell.jail, cell.rules, &page, cell.arena, &found, &info), GT_OK);
        assert_true(gt_str_starts(found.charset, gt_str_from(LABELS[i])));
        assert_int_equal(found.count, 1);
    }
    cell_close(&cell);
}

/* Errors come back with their words; rules from after the worker's birth are refused. */
static void check_errors(void **state)
{
    (void)state;
    struct cell cell;
    struct gt_errinfo info = {0};
    struct extraction found = {0};
    struct site_rules *later = NULL;
    assert_int_equal(cell_open(&cell, &info), GT_OK);
    const struct page_input page = {.body = GT_STR("<p>nothing"), .content_type = GT_STR("text/html")};
    assert_int_equal(jail_page_extract(cell.jail, cell.rules, &page, cell.arena, &found, &info), GT_ENOROWS);
    assert_true(strlen(info.text) > 0);
    assert_int_equal(site_rules_auto(&later, &info), GT_OK);
    assert_int_equal(jail_page_extract(cell.jail, later, &page, cell.arena, &found, &info), GT_EINTERNAL);
    site_rules_free(later);
    static char large[PAGE_BYTES_MAX + 1];
    const struct page_input too_large = {.body = {large, sizeof large}};
    assert_int_equal(jail_page_extract(cell.jail, cell.rules, &too_large, cell.arena, &found, &info), GT_ELIMIT);
    assert_good(&cell);
    cell_close(&cell);
}

/* ---- in a crawl ---- */

static const struct answer hook_null = {"200 OK", "Content-Type: text/html\r\n", "HOOK:null", 0, NULL};
static const struct answer hook_loop = {"200 OK", "Content-Type: text/html\r\n", "HOOK:loop", 0, NULL};
static const struct answer hook_socket = {"200 OK", "Content-Type: text/html\r\n", "HOOK:socket", 0, NULL};

/* Two sites, one of which kills the reader: its run fails with a name, the other's is good. */
static void check_crawl(void **state)
{
    (void)state;
    struct bench bench;
    struct seen seen = {.fails_with = GT_OK};
    struct crawl_result result;
    struct crawl_options extra = {.delay_ms = 0};
    bench_begin(&bench, "[site s]\nurl = http://a.test/prices\n" RULES "[site t]\nurl = http://b.test/more\n" RULES);
    const struct answer *const bad[] = {&hook_null, &hook_socket};
    bench.market.more = &good_b;
    for (size_t i = 0; i < 2; i++) {
        bench.market.prices = bad[i];
        assert_int_equal(bench_crawl(&bench, (int64_t)i * 12 * HOUR, true, extra, &seen, &result), GT_OK);
        assert_int_equal(seen.count, 2);
        assert_int_equal(seen.parts[0].status, STATUS_FAILED);
        assert_non_null(strstr(seen.parts[0].reason, "parser-crashed"));
        if (i == 0) assert_int_equal(seen.parts[1].offers, 3);
        assert_true(seen.parts[1].status == STATUS_OK);
        assert_int_equal(result.sites_failed, 1);
        assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    }
    bench_end(&bench);
}

/* One page loops, and has the worker for longer than the run may last. The others are fetched meanwhile, and the run ends in time; but what
 * is large is not heaped up before the worker: the run waits for it, as long as a page may take. */
static const struct ongoing {
    const char *name;
    const char *limit; /* of a page */
    size_t bytes;      /* of the other pages */
    bool waits;
} ongoings[] = {
    {"small pages wait in the line", "", sizeof page_b - 1, false},
    {"large ones are waited for", "", 2 * 1024 * 1024, true},
    {"so are those that are larger than they may be", "body_max = 1M\n", 2 * 1024 * 1024, true},
};

static void check_crawl_goes_on(void **state)
{
    enum { PAGES = 6, DEADLINE_MS = 1500, OVER_MS = 5000 };
    const struct ongoing *row = *state;
    char *body = calloc(1, row->bytes + 1), conf[1024];
    memset(body, ' ', row->bytes);
    memcpy(body, page_b, sizeof page_b - 1);
    const struct answer others = {"200 OK", "Content-Type: text/html\r\n", body, 0, NULL};
    /* one host, so that the page that loops is fetched first */
    snprintf(conf, sizeof conf, "%s%s", "[site s]\nurl = a http://a.test/prices\n  b http://a.test/1\n  c http://a.test/2\n"
             "  d http://a.test/3\n  e http://a.test/4\n  f http://a.test/5\n" RULES, row->limit);
    struct bench bench;
    struct seen seen = {.fails_with = GT_OK};
    struct crawl_result result;
    struct crawl_options extra = {.delay_ms = 0, .deadline_ms = DEADLINE_MS};
    bench_begin(&bench, conf);
    bench.market.prices = &hook_loop;
    bench.market.more = &others;
    int64_t begin_ms = clock_mono_ms();
    assert_int_equal(bench_crawl(&bench, 0, true, extra, &seen, &result), GT_OK);
    int64_t took_ms = clock_mono_ms() - begin_ms;
    assert_true(took_ms < (row->waits ? PAGE_SECONDS_MAX * 1000 : DEADLINE_MS) + OVER_MS);
    if (row->waits) assert_true(atomic_load(&bench.market.page_requests) < PAGES);
    else assert_int_equal(atomic_load(&bench.market.page_requests), PAGES);
    assert_int_equal(seen.count, PAGES);
    assert_int_equal(seen.parts[0].status, STATUS_FAILED);
    assert_true(gt_str_starts(gt_str_from(seen.parts[0].reason), gt_str_from(row->waits ? JAIL_TIMED_OUT : "the run's time was over")));
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    bench_end(&bench);
    free(body);
}

static const struct single {
    const char *name;
} betweens[] = {{"killed between two pages, five times"}}, stops[] = {{"INT, TERM, HUP, QUIT"}}, recycles[] = {{"JAIL_PAGES_MAX pages, then a fresh one"}},
  charsets[] = {{"tables without files"}}, errors[] = {{"errors and limits"}}, crawls[] = {{"a crawl of two sites"}};

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(hooks, check_hook) + TABLE_RUN(betweens, check_killed_between) + TABLE_RUN(steps, check_step) + TABLE_RUN(stops, check_stop_signals) +
           TABLE_RUN(recycles, check_recycled) + TABLE_RUN(endings, check_parent_ends) + TABLE_RUN(circumstances, check_circumstance) +
           TABLE_RUN(charsets, check_charsets) + TABLE_RUN(errors, check_errors) + TABLE_RUN(crawls, check_crawl) +
           TABLE_RUN(ongoings, check_crawl_goes_on);
}
