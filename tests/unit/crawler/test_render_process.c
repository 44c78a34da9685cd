/* Keeper and browser, with programs in the browser's place that misbehave: ones that leave their session, ignore signals, eat memory,
 * leave files. Whatever they do, nothing of them is there when it has ended. */
#include "tests/unit/table.h"

#include <dirent.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/clock.h"
#include "crawler/render_process.h"

enum { SCRIPT_MAX = 512, WAIT_MS = 20 * 1000, POLL_MS = 20 };

static const struct row {
    const char *name;
    const char *script; /* of sh */
    int64_t memory_bytes, time_ms;
    enum render_end end; /* RENDER_END_NONE: it lives until it is ended */
    const char *words;
} rows[] = {
    {"it ends by itself", "echo cannot start >&2; exit 3", 1 << 30, 60000, RENDER_END_EXIT, "cannot start"},
    {"it lives", "sleep 600", 1 << 30, 60000, RENDER_END_NONE, NULL},
    {"it does not hear", "trap '' TERM INT HUP; while :; do sleep 600; done", 1 << 30, 60000, RENDER_END_NONE, NULL},
    {"a child in a session of its own", "setsid sh -c 'trap \"\" TERM HUP; sleep 600' & sleep 600", 1 << 30, 60000, RENDER_END_NONE, NULL},
    {"an orphan twice removed, and it ends", "(setsid sh -c 'sleep 600 & sleep 600' &) ; exit 0", 1 << 30, 60000, RENDER_END_EXIT, ""},
    {"many children", "for i in 1 2 3 4 5 6 7 8 9; do for j in 1 2 3 4 5; do sleep 600 & done; done; wait", 1 << 30, 60000, RENDER_END_NONE, NULL},
    {"files that may not be written, links to elsewhere", "mkdir -p d/e; echo x >d/e/f; ln -s / d/root; chmod 0 d/e/f; sleep 600", 1 << 30, 60000,
     RENDER_END_NONE, NULL},
    {"memory", "x=xxxxxxxxxxxxxxxx; while :; do x=$x$x; done", 32 << 20, 60000, RENDER_END_MEMORY, ""},
    {"time, when nobody looks after it", "sleep 600", 1 << 30, -9000, RENDER_END_TIME, ""},
};

/* Counts the processes that work in a render folder of this folder. */
static int left_count(const char *folder)
{
    int count = 0;
    struct dirent *entry;
    DIR *proc = opendir("/proc");
    assert_non_null(proc);
    while ((entry = readdir(proc)) != NULL) {
        char path[300], target[300];
        snprintf(path, sizeof path, "/proc/%.20s/cwd", entry->d_name);
        ssize_t len = readlink(path, target, sizeof target - 1);
        if (len <= 0) continue;
        target[len] = '\0';
        count += strstr(target, "/gputape-render-") != NULL && strstr(target, folder) != NULL;
    }
    closedir(proc);
    return count;
}

/* The folder in which all of this happens; render folders are made in it. */
static char *folder_make(void)
{
    static const char parent[] = "/tmp/gputape-test-browser-XXXXXX";
    char *folder = strdup(parent);
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chmod(folder, 0777 | S_ISVTX), 0);
    return folder;
}

/* True when the folder holds the script and nothing else. */
static bool folder_is_clean(const char *folder)
{
    int count = 0;
    DIR *list = opendir(folder);
    assert_non_null(list);
    while (readdir(list) != NULL) count++;
    closedir(list);
    return count == 3; /* ".", "..", the script */
}

/* Writes the program. */
static void script_write(const char *folder, const char *text, char path[SCRIPT_MAX])
{
    snprintf(path, SCRIPT_MAX, "%s/browser", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "#!/bin/sh\n%s\n", text);
    fclose(file);
    assert_int_equal(chmod(path, 0755), 0);
}

/* Hears the keeper until it says something or it takes too long. */
static enum render_end hear(const struct render_process *process, int64_t wait_ms, char words[RENDER_WORDS_MAX])
{
    int64_t end_mono_ms = clock_mono_ms() + wait_ms;
    enum render_end end;
    while ((end = render_process_check(process, words)) == RENDER_END_NONE && clock_mono_ms() < end_mono_ms)
        poll(&(struct pollfd){.fd = process->keeper_fd, .events = POLLIN}, 1, POLL_MS);
    return end;
}

static void check_row(void **state)
{
    const struct row *row = *state;
    char path[SCRIPT_MAX], words[RENDER_WORDS_MAX];
    char *folder = folder_make();
    struct render_process process = {.pid = 0};
    struct gt_errinfo info = {0};
    script_write(folder, row->script, path);
    struct render_program program = {.path = path, .user = "nobody", .folder = folder, .time_ms = row->time_ms, .memory_bytes = row->memory_bytes};
    assert_int_equal(render_process_start(&program, &process, &info), GT_OK);
    enum render_end end = hear(&process, row->end == RENDER_END_NONE ? 500 : WAIT_MS, words);
    assert_int_equal(end, row->end);
    if (row->end != RENDER_END_NONE) assert_non_null(strstr(words, row->words));
    else assert_true(left_count(folder) > 0);
    render_process_end(&process);
    render_process_end(&process);
    assert_int_equal(left_count(folder), 0);
    assert_true(folder_is_clean(folder));
    unlink(path);
    rmdir(folder);
    free(folder);
}

/* A crawler that is killed cannot end anything; its keeper does. */
static void check_orphan(void **state)
{
    char path[SCRIPT_MAX];
    char *folder = folder_make();
    (void)state;
    script_write(folder, "setsid sleep 600 & sleep 600", path);
    pid_t crawler = fork();
    if (crawler == 0) {
        struct render_process process = {.pid = 0};
        struct render_program program = {.path = path, .user = "nobody", .folder = folder, .time_ms = 60000, .memory_bytes = 1 << 30};
        if (render_process_start(&program, &process, NULL) != GT_OK) _exit(1);
        for (;;) pause();
    }
    for (int i = 0; i < 500 && left_count(folder) < 3; i++) poll(NULL, 0, POLL_MS);
    assert_true(left_count(folder) >= 2);
    kill(crawler, SIGKILL);
    waitpid(crawler, NULL, 0);
    for (int i = 0; i < 500 && !(left_count(folder) == 0 && folder_is_clean(folder)); i++) poll(NULL, 0, POLL_MS);
    assert_int_equal(left_count(folder), 0);
    assert_true(folder_is_clean(folder));
    unlink(path);
    rmdir(folder);
    free(folder);
}

static const struct refused_row {
    const char *name, *path, *user;
    enum gt_err err;
    const char *words;
} refused[] = {
    {"no such program", "/nonexistent/chromium", "nobody", GT_ENOENT, "render = chromium needs the package chromium"},
    {"a folder is none", "/nonexistent/", "nobody", GT_ENOENT, "render = chromium needs the package chromium"},
    {"root", "/bin/true", "root", GT_EUSAGE, "never run as root"},
    {"nobody of that name", "/bin/true", "no-such-user-here", GT_EUSAGE, "there is no user no-such-user-here"},
};

static void check_refused(void **state)
{
    const struct refused_row *row = *state;
    struct render_program program = {.path = row->path, .user = row->user, .time_ms = 1000, .memory_bytes = 1 << 30};
    struct render_process process = {.pid = 0};
    struct gt_errinfo info = {0};
    /* whom the browser runs as is asked of root only */
    if (row->err == GT_EUSAGE && geteuid() != 0) skip();
    assert_int_equal(render_process_start(&program, &process, &info), row->err);
    assert_non_null(strstr(info.text, row->words));
    assert_int_equal(process.pid, 0);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    const struct CMUnitTest orphans[] = {{"a crawler that is killed", check_orphan, NULL, NULL, NULL}};
    return TABLE_RUN(rows, check_row) + TABLE_RUN(refused, check_refused) + cmocka_run_group_tests(orphans, NULL, NULL);
}
