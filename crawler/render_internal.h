/* What the files render*.c share. */
#ifndef GT_CRAWLER_RENDER_INTERNAL_H
#define GT_CRAWLER_RENDER_INTERNAL_H

#include "crawler/render.h"
#include "crawler/render_pipe.h"
#include "crawler/render_process.h"
#include "net/closed_proxy.h"

/* Commands whose answers matter. KIND_ANY: an error is of no consequence, the target may have gone. */
enum render_kind { KIND_ANY, KIND_CREATE, KIND_NAVIGATE, KIND_DOCUMENT, KIND_SELECT, KIND_HTML };

struct render {
    struct render_settings settings;
    render_ask_fn *fn;
    void *ctx;
    struct arena *arena;
    struct closed_proxy *proxy;
    struct render_process process;
    struct render_pipe pipe;
    int epoll_fd;
    struct gt_str target, session; /* of the page; "" until it is there */
    int64_t start_mono_ms, deadline_mono_ms;
    int64_t busy_mono_ms; /* the last moment at which a request was made or answered */
    int64_t poll_mono_ms; /* the next look for the selector */
    bool is_loaded;       /* its load event came */
    bool is_question_open;
    int64_t question_mono_ms; /* when it was put */
    bool is_dead;         /* the browser has ended, or is to be */
    bool is_done;
    int32_t asks_open, documents;
    struct render_refusal refusals[RENDER_REFUSALS_MAX];
    struct render_result result;
};

/* Ends the render with an error; the first one stays. */
void render_fail(struct render *render, enum gt_err err, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Puts a command in line; a failure ends the render. `params` is taken over. */
void render_command(struct render *render, enum render_kind kind, const char *method, struct gt_str session, json_t *params);

/* Takes a message of the browser; for render_pipe_step. */
void render_message(void *ctx, json_t *message);

/* Takes a request that the browser holds: hands it on, answers it here, or refuses it. */
void render_request_take(struct render *render, struct gt_str session, const json_t *params);

/* Keeps what the page did not get. */
void render_refusal_note(struct render *render, struct gt_str url, struct gt_str reason);

#endif
