/* The browser as processes: a keeper of ours, below it Debian's Chromium, and the certainty that nothing of it stays.
 *
 * The keeper is a child of the crawler and the parent (subreaper) of everything that Chromium starts. It watches memory and
 * time, and ends the tree and its folder when they are over, when the crawler says so, and when the crawler is gone. */
#ifndef GT_CRAWLER_RENDER_PROCESS_H
#define GT_CRAWLER_RENDER_PROCESS_H

#include <stdint.h>
#include <sys/types.h>

#include "common/err.h"
#include "common/str.h"

enum {
    RENDER_FOLDER_MAX = 256,
    RENDER_WORDS_MAX = 256,        /* of the browser's own last words that are told */
    RENDER_FILE_BYTES_MAX = 256 * 1024 * 1024, /* of one file in the profile */
    RENDER_KEEPER_EXTRA_MS = 10 * 1000, /* behind the page's time the keeper ends on its own */
};

/* What is started. Borrowed until the call returns. */
struct render_program {
    const char *path;    /* the browser; looked for when "" */
    const char *user;    /* whom it runs as when the crawler is root */
    const char *folder;  /* where the profile's folder is made; NULL: TMPDIR, for root /tmp */
    struct gt_str agent; /* User-Agent */
    uint16_t proxy_port;
    int64_t time_ms, memory_bytes;
};

/* A started browser. Zero-initialise; pid 0: none. */
struct render_process {
    pid_t pid;        /* the keeper's */
    int keeper_fd;    /* its words come here; closing it is its order to end */
    int browser_fd;   /* the remote-debugging pipe, both ways, non-blocking */
};

/* Why a browser ended. */
enum render_end { RENDER_END_NONE, RENDER_END_EXIT, RENDER_END_MEMORY, RENDER_END_TIME };

/* The browser's program: `path`, or the first of the known places that exists. GT_ENOENT with a message that names the
 * package. */
enum gt_err render_program_find(const char *path, const char **ret_path, struct gt_errinfo *info);

/* Starts keeper and browser, with an empty profile in a folder of its own. GT_ENOENT; GT_EUSAGE when the user to run as is
 * unknown or is root; GT_EIO, GT_ENOMEM with a message. */
enum gt_err render_process_start(const struct render_program *program, struct render_process *ret_process,
                                 struct gt_errinfo *info);

/* Reads what the keeper says, without waiting. RENDER_END_NONE while the browser lives. `ret_words`: its last words on standard
 * error, printable, closed by a NUL. */
enum render_end render_process_check(const struct render_process *process, char ret_words[RENDER_WORDS_MAX]);

/* Ends the browser and waits until nothing of it is left. Twice is harmless. */
void render_process_end(struct render_process *process);

#endif
