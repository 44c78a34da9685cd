/* The process between crawler and browser. Shared by the files render_process.c and render_keeper.c. */
#ifndef GT_CRAWLER_RENDER_KEEPER_H
#define GT_CRAWLER_RENDER_KEEPER_H

#include "crawler/render_process.h"

/* What the keeper needs to know. */
struct keeper_job {
    const struct render_program *program;
    const char *path;
    uid_t uid;
    gid_t gid;
    pid_t parent;
    int parent_fd, browser_fd; /* its ends */
    char folder[RENDER_FOLDER_MAX];
};

/* What it says, once, at the end: one packet. */
struct keeper_word {
    enum render_end end;
    char words[RENDER_WORDS_MAX];
};

/* Starts the browser and keeps it until one of its ends. Called in a fresh child, never returns. */
_Noreturn void keeper_run(const struct keeper_job *job);

#endif
