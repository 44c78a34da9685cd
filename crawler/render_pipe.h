/* The browser's remote-debugging pipe: JSON texts that end in a NUL, both ways, never waited for. */
#ifndef GT_CRAWLER_RENDER_PIPE_H
#define GT_CRAWLER_RENDER_PIPE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "common/strbuf.h"

enum {
    PIPE_OUT_BYTES_MAX = 192 * 1024 * 1024,  /* waiting to be sent */
    PIPE_READ_BYTES_MAX = 4 * 1024 * 1024,   /* taken in one step */
    PIPE_KINDS_MAX = 16,                     /* of commands whose answers are told apart */
};

/* One end of the pipe. */
struct render_pipe {
    int fd; /* borrowed, non-blocking */
    int epoll_fd; /* where it is watched; borrowed */
    int64_t serial;
    struct strbuf out;
    size_t out_sent;
    bool is_out_watched;
    char *in;
    size_t in_len, in_cap, in_max;
};

/* Takes one message: an event (no "id") or an answer, whose kind is render_pipe_kind. Borrowed. */
typedef void render_pipe_fn(void *ctx, json_t *message);

/* Begins on a connected descriptor, watched in `epoll_fd`; no message may be larger than `message_bytes_max`. */
enum gt_err render_pipe_init(struct render_pipe *pipe, int fd, int epoll_fd, size_t message_bytes_max);
void render_pipe_done(struct render_pipe *pipe);

/* Puts a command in line. `session` is "" for the browser's own, `params` (taken over; NULL: none) its parameters, `kind`
 * (under PIPE_KINDS_MAX) comes back with the answer. */
enum gt_err render_pipe_send(struct render_pipe *pipe, int kind, const char *method, struct gt_str session, json_t *params);

/* A string of a message, borrowed; "" when it is none. */
struct gt_str render_pipe_text(const json_t *object, const char *key);

/* The kind of an answer, -1 for an event. */
int render_pipe_kind(const json_t *message);

/* Sends and takes what is ready. GT_OK; GT_ENET when the browser has closed its end; GT_ELIMIT for a message that is too large;
 * GT_EFORMAT for one that is no JSON; GT_ENOMEM. */
enum gt_err render_pipe_step(struct render_pipe *pipe, render_pipe_fn *fn, void *ctx);

#endif
