/* store_check: in a child, so that a damaged file takes nothing down with it. */
#include "store/check.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/file.h"
#include "store/db_verify.h"

enum {
    FINDINGS_MAX = 1000,
    LINE_MAX_BYTES = 512,
    CPU_S_MAX = 3600, /* a page that leads back to itself would be walked for ever */
    CHILD_CLEAN = 0,
    CHILD_FOUND = 10,
    CHILD_ERROR = 64, /* plus our error code: could not even look; a line behind CHILD_MARK says why */
    CHILD_MARK = '!',
};

#define CHECK_ARENA_MAX ((size_t)4 << 30)

/* One finding, one line: a line break in a text from a damaged file would make two of it. */
static void write_line(int fd, const char *text)
{
    char line[LINE_MAX_BYTES];
    int len = snprintf(line, sizeof line, "%s", text);
    if (len < 0) return;
    size_t used = (size_t)len < sizeof line - 1 ? (size_t)len : sizeof line - 2;
    for (size_t i = 0; i < used; i++)
        if (line[i] == '\n') line[i] = ' ';
    line[used] = '\n';
    file_write_all(fd, (struct gt_str){line, used + 1}, NULL);
}

/* Counted on beyond the limit, but not written: damage in every value must not fill a disk with sentences. */
void check_find(struct check *check, const char *format, ...)
{
    char text[LINE_MAX_BYTES];
    va_list args;
    if (++check->findings > FINDINGS_MAX) return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    write_line(check->fd, text);
}

/* A finding of the walk over the file, for db_verify. */
static void find_in_file(void *ctx, const char *sentence)
{
    check_find(ctx, "%s", sentence);
}

/* One step in a transaction of its own: its sticky error is a finding, and the next step begins afresh. */
static void run_step(struct check *check, void (*step)(struct check *check))
{
    struct gt_errinfo info = {0};
    arena_clear(check->arena);
    if (db_read_begin(check->db, &check->txn, &info) != GT_OK) {
        check_find(check, "%s", info.text);
        return;
    }
    reader_init(&check->reader, check->txn, check->arena);
    step(check);
    if (db_read_end(check->txn) != GT_OK) check_find(check, "%s", info.text);
}

/* The last sequence number given out bounds what any row may carry. */
static void check_seq(struct check *check)
{
    struct gt_str value;
    if (db_get(check->txn, DB_META, GT_STR("seq"), &value)) check->seq_last = key_seq_at(value, 0);
}

/* The parent's handlers are not for the child, where a crash is an answer; nor are LMDB's last words on an assertion for the
 * terminal. */
static void child_settle(void)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGTERM, SIGINT, SIGHUP, SIGXCPU};
    struct rlimit cpu = {CPU_S_MAX, CPU_S_MAX}, no_core = {0, 0};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) signal(signals[i], SIG_DFL);
    setrlimit(RLIMIT_CPU, &cpu);
    setrlimit(RLIMIT_CORE, &no_core);
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (null >= 0) dup2(null, STDERR_FILENO);
}

/* The child's whole life. */
static int child_run(const char *folder, int fd)
{
    struct gt_errinfo info = {0};
    struct check check = {.fd = fd, .arena = arena_new(CHECK_ARENA_MAX)};
    struct db_options options = {.is_short_fine = true, .is_older_fine = true};
    child_settle();
    enum gt_err err = check.arena != NULL ? db_open(folder, &options, &check.db, &info) : GT_ENOMEM;
    if (err == GT_OK) err = db_verify(check.db, find_in_file, &check, &info);
    if (err != GT_OK) {
        char line[LINE_MAX_BYTES];
        snprintf(line, sizeof line, "%c%.*s", CHILD_MARK, LINE_MAX_BYTES - 4, info.text);
        write_line(fd, err == GT_ECORRUPT ? line + 1 : line);
        return err == GT_ECORRUPT ? CHILD_FOUND : CHILD_ERROR + (int)err;
    }
    run_step(&check, check_seq);
    run_step(&check, check_interned);
    run_step(&check, check_streams);
    run_step(&check, check_rest);
    db_close(check.db);
    arena_free(check.arena);
    return check.findings > 0 ? CHILD_FOUND : CHILD_CLEAN;
}

struct findings {
    store_finding_fn *fn;
    void *ctx;
    size_t count;
    struct gt_errinfo *info; /* gets the last line */
    char line[LINE_MAX_BYTES];
    size_t len;
};

/* What begins with the mark is a failure of the check itself (no memory), which is no finding. */
static void take_line(struct findings *findings)
{
    struct gt_str line = {findings->line, findings->len};
    findings->len = 0;
    if (line.len > 0 && line.ptr[0] == CHILD_MARK) {
        gt_fail(findings->info, GT_EINTERNAL, "%.*s", (int)line.len - 1, line.ptr + 1);
        return;
    }
    findings->count++;
    if (findings->fn != NULL) findings->fn(findings->ctx, line);
    gt_fail(findings->info, GT_ECORRUPT, "%.*s", GT_STR_ARG(line));
}

/* Reads the child's lines until it closes its end. */
static void take_lines(int fd, struct findings *findings)
{
    char bytes[4096];
    for (;;) {
        ssize_t n = read(fd, bytes, sizeof bytes);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        for (ssize_t i = 0; i < n; i++) {
            if (bytes[i] == '\n') take_line(findings);
            else if (findings->len < sizeof findings->line) findings->line[findings->len++] = bytes[i];
        }
    }
    if (findings->len > 0) take_line(findings);
}

/* What the child's end means. A crash is a finding: only a damaged file does that. */
static enum gt_err judge_end(int status, struct findings *findings, struct gt_errinfo *info)
{
    if (WIFSIGNALED(status)) {
        findings->len = (size_t)snprintf(findings->line, sizeof findings->line, "reading the file ended in signal %d (%s)",
                                         WTERMSIG(status), strsignal(WTERMSIG(status)));
        take_line(findings);
        return GT_ECORRUPT;
    }
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : CHILD_ERROR + GT_EINTERNAL;
    if (code == CHILD_CLEAN) return GT_OK;
    if (code == CHILD_FOUND) return GT_ECORRUPT;
    enum gt_err err = code > CHILD_ERROR && code < CHILD_ERROR + GT_ERR_COUNT ? (enum gt_err)(code - CHILD_ERROR) : GT_EINTERNAL;
    if (info != NULL) info->code = err;
    return err;
}

/* In a child: a page whose lengths were damaged may lead LMDB anywhere, and the crash is then the finding. */
enum gt_err store_check(const char *folder, store_finding_fn *fn, void *ctx, size_t *ret_findings, struct gt_errinfo *info)
{
    int ends[2], status = 0;
    struct findings findings = {.fn = fn, .ctx = ctx, .info = info};
    if (pipe(ends) != 0) return file_fail(info, "cannot make a pipe for checking", folder);
    pid_t child = fork();
    if (child < 0) {
        close(ends[0]);
        close(ends[1]);
        return file_fail(info, "cannot start a child for checking", folder);
    }
    if (child == 0) {
        close(ends[0]);
        _exit(child_run(folder, ends[1]));
    }
    close(ends[1]);
    take_lines(ends[0], &findings);
    close(ends[0]);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    enum gt_err err = judge_end(status, &findings, info);
    *ret_findings = findings.count;
    return err;
}
