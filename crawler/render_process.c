/* The crawler's side: finding the program, starting the keeper, hearing it, ending it. */
#include "crawler/render_process.h"

#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/file.h"
#include "crawler/render_keeper.h"

/* The program itself, not Debian's script before it, which would add extensions and flags of its own. */
static const char *const known_places[] = {"/usr/lib/chromium/chromium", "/usr/bin/chromium", NULL};

enum gt_err render_program_find(const char *path, const char **ret_path, struct gt_errinfo *info)
{
    if (path != NULL && path[0] != '\0') {
        if (access(path, X_OK) != 0)
            return gt_fail(info, GT_ENOENT, "render = chromium needs the package chromium: no program %s", path);
        *ret_path = path;
        return GT_OK;
    }
    for (size_t i = 0; known_places[i] != NULL; i++) {
        *ret_path = known_places[i];
        if (access(known_places[i], X_OK) == 0) return GT_OK;
    }
    return gt_fail(info, GT_ENOENT, "render = chromium needs the package chromium");
}

/* Who the browser runs as: nobody else than we are, unless we are root. */
static enum gt_err identity_find(const char *user, struct keeper_job *job, struct gt_errinfo *info)
{
    job->uid = geteuid();
    job->gid = getegid();
    if (job->uid != 0) return GT_OK;
    const struct passwd *entry = getpwnam(user);
    if (entry == NULL) return gt_fail(info, GT_EUSAGE, "render_user: there is no user %s", user);
    if (entry->pw_uid == 0) return gt_fail(info, GT_EUSAGE, "render_user: a browser is never run as root");
    job->uid = entry->pw_uid;
    job->gid = entry->pw_gid;
    return GT_OK;
}

/* An empty folder that only the browser's user may enter. */
static enum gt_err folder_make(struct keeper_job *job, struct gt_errinfo *info)
{
    /* root's own TMPDIR may well be a place where nobody else may go */
    const char *parent = job->program->folder;
    if (parent == NULL && geteuid() != 0) parent = getenv("TMPDIR");
    if (parent == NULL || parent[0] != '/') parent = "/tmp";
    if (snprintf(job->folder, sizeof job->folder, "%s/gputape-render-XXXXXX", parent) >= (int)sizeof job->folder)
        return gt_fail(info, GT_ELIMIT, "TMPDIR is too long");
    if (mkdtemp(job->folder) == NULL) return file_fail(info, "cannot make", job->folder);
    if (geteuid() != 0 || chown(job->folder, job->uid, job->gid) == 0) return GT_OK;
    enum gt_err err = file_fail(info, "cannot give away", job->folder);
    rmdir(job->folder);
    return err;
}

/* Two ends each of what the crawler has with the keeper and with the browser. */
static enum gt_err sockets_make(int keeper[2], int browser[2], struct gt_errinfo *info)
{
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, keeper) != 0) return file_fail(info, "cannot make", "a socket");
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, browser) == 0) return GT_OK;
    enum gt_err err = file_fail(info, "cannot make", "a socket");
    close(keeper[0]);
    close(keeper[1]);
    return err;
}

/* Everything that can fail is done before the fork: afterwards there is nobody to tell. */
enum gt_err render_process_start(const struct render_program *program, struct render_process *ret_process,
                                 struct gt_errinfo *info)
{
    struct keeper_job job = {.program = program, .parent = getpid()};
    int keeper[2] = {-1, -1}, browser[2] = {-1, -1};
    enum gt_err err = render_program_find(program->path, &job.path, info);
    if (err == GT_OK) err = identity_find(program->user, &job, info);
    if (err == GT_OK) err = folder_make(&job, info);
    if (err != GT_OK) return err;
    err = sockets_make(keeper, browser, info);
    if (err != GT_OK) {
        rmdir(job.folder);
        return err;
    }
    job.parent_fd = keeper[1];
    job.browser_fd = browser[1];
    pid_t pid = fork();
    if (pid == 0) keeper_run(&job);
    if (pid < 0) err = file_fail(info, "cannot start", "a process");
    close(keeper[1]);
    close(browser[1]);
    if (pid < 0) {
        close(keeper[0]);
        close(browser[0]);
        rmdir(job.folder);
        return err;
    }
    *ret_process = (struct render_process){.pid = pid, .keeper_fd = keeper[0], .browser_fd = browser[0]};
    return GT_OK;
}

/* A keeper that is gone without a word was killed: the end is known, the reason is not. */
enum render_end render_process_check(const struct render_process *process, char ret_words[RENDER_WORDS_MAX])
{
    struct keeper_word word = {.end = RENDER_END_NONE};
    ssize_t n = recv(process->keeper_fd, &word, sizeof word, MSG_DONTWAIT);
    ret_words[0] = '\0';
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return RENDER_END_NONE;
    if (n != (ssize_t)sizeof word) return RENDER_END_EXIT;
    memcpy(ret_words, word.words, RENDER_WORDS_MAX);
    ret_words[RENDER_WORDS_MAX - 1] = '\0';
    return word.end;
}

void render_process_end(struct render_process *process)
{
    if (process->pid == 0) return;
    /* the connection is ended and not only closed: a child forked since then may hold a copy of it */
    shutdown(process->keeper_fd, SHUT_RDWR);
    close(process->browser_fd);
    close(process->keeper_fd);
    /* the keeper's own end is bounded; it is waited for, so that what it removes is removed when this returns */
    while (waitpid(process->pid, NULL, 0) < 0 && errno == EINTR) continue;
    *process = (struct render_process){.pid = 0, .keeper_fd = -1, .browser_fd = -1};
}
