/* Works on /proc: a browser's processes make sessions and groups of their own, so that a process group names only some of
 * them. */
#include "crawler/render_tree.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/clock.h"

enum { PROCESSES_SEEN_MAX = 32768, LINE_MAX_BYTES = 256, PAUSE_MS = 10 };

struct process {
    pid_t pid, parent;
    int64_t bytes;
    bool is_below;
};

/* A number of /proc/PID/status in kB, after the field's name. */
static int64_t kilobytes_of(const char *line)
{
    while (*line != '\0' && (*line < '0' || *line > '9')) line++;
    return (int64_t)strtoll(line, NULL, 10);
}

/* Parent and memory of one process. False when it has gone. */
static bool process_read(pid_t pid, struct process *ret_process)
{
    char path[64], line[LINE_MAX_BYTES];
    snprintf(path, sizeof path, "/proc/%ld/status", (long)pid);
    FILE *file = fopen(path, "re");
    if (file == NULL) return false;
    *ret_process = (struct process){.pid = pid};
    while (fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, "PPid:", 5) == 0) ret_process->parent = (pid_t)kilobytes_of(line);
        else if (strncmp(line, "RssAnon:", 8) == 0 || strncmp(line, "RssShmem:", 9) == 0)
            ret_process->bytes += kilobytes_of(line) * 1024;
    }
    fclose(file);
    return true;
}

/* All processes of the machine, malloc'ed. NULL when /proc cannot be read or memory is out. */
static struct process *processes_read(size_t *ret_count)
{
    DIR *folder = opendir("/proc");
    struct process *all = folder != NULL ? calloc(PROCESSES_SEEN_MAX, sizeof *all) : NULL;
    struct dirent *entry;
    *ret_count = 0;
    while (all != NULL && *ret_count < PROCESSES_SEEN_MAX && (entry = readdir(folder)) != NULL) {
        long pid = strtol(entry->d_name, NULL, 10);
        if (pid > 0 && process_read((pid_t)pid, &all[*ret_count])) (*ret_count)++;
    }
    if (folder != NULL) closedir(folder);
    return all;
}

/* Orders processes by their number. */
static int process_cmp(const void *left, const void *right)
{
    const struct process *a = left, *b = right;
    return a->pid < b->pid ? -1 : a->pid > b->pid;
}

/* Marks what is below `root`; a child may have a smaller number than its parent, so passes are made until nothing is new. */
static size_t mark_below(struct process *all, size_t count, pid_t root)
{
    size_t below = 0;
    bool is_new = true;
    qsort(all, count, sizeof *all, process_cmp);
    while (is_new) {
        is_new = false;
        for (size_t i = 0; i < count; i++) {
            struct process wanted = {.pid = all[i].parent};
            const struct process *parent = all[i].is_below ? NULL : bsearch(&wanted, all, count, sizeof *all, process_cmp);
            bool is_child = !all[i].is_below && (all[i].parent == root || (parent != NULL && parent->is_below));
            if (!is_child) continue;
            all[i].is_below = is_new = true;
            below++;
        }
    }
    return below;
}

/* Of all processes below, since a browser is a dozen of them. Too many are counted as too much. */
int64_t tree_memory_bytes(void)
{
    size_t count;
    int64_t bytes = 0;
    struct process *all = processes_read(&count);
    if (all == NULL) return 0;
    if (mark_below(all, count, getpid()) > TREE_PROCESSES_MAX) bytes = INT64_MAX;
    for (size_t i = 0; i < count && bytes < INT64_MAX; i++)
        if (all[i].is_below) bytes += all[i].bytes;
    free(all);
    return bytes;
}

/* Kills the direct children. They cannot be mistaken for somebody else's: a child's number is not given again before it is
 * reaped, and only this process reaps it. */
static void children_kill(void)
{
    size_t count;
    struct process *all = processes_read(&count);
    for (size_t i = 0; all != NULL && i < count; i++)
        if (all[i].parent == getpid()) kill(all[i].pid, SIGKILL);
    free(all);
}

/* Again and again: a process may have started another between the look and the kill. */
bool tree_end(void)
{
    int64_t end_mono_ms = clock_mono_ms() + TREE_END_MS_MAX;
    const struct timespec pause = {.tv_nsec = PAUSE_MS * 1000L * 1000L};
    for (;;) {
        pid_t gone;
        children_kill();
        while ((gone = waitpid(-1, NULL, WNOHANG)) > 0) continue;
        if (gone < 0 && errno == ECHILD) return true;
        if (clock_mono_ms() >= end_mono_ms) return false;
        nanosleep(&pause, NULL);
    }
}
