/* Start, waiting, and end of one page. What the browser says is in render_event.c, what the page asks for in
 * render_request.c. */
#include "crawler/render.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "common/clock.h"
#include "crawler/render_internal.h"

enum {
    DETAIL_BYTES_MAX = 600,
    ESCAPE_FACTOR = 6, /* the browser writes '<' as six characters */
    MESSAGE_BYTES_EXTRA = 2 * 1024 * 1024,
    MUTE_MS = 2000, /* without an answer, and the page's thread counts as taken */
};

/* The first reason counts: what fails afterwards fails because of it. */
void render_fail(struct render *render, enum gt_err err, const char *format, ...)
{
    char text[DETAIL_BYTES_MAX];
    va_list args;
    if (render->is_done) return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    render->is_done = true;
    render->result.err = err;
    render->result.detail = arena_dup(render->arena, gt_str_from(text));
    if (render->result.detail.ptr == NULL) render->result.detail = GT_STR("out of memory");
}

void render_command(struct render *render, enum render_kind kind, const char *method, struct gt_str session, json_t *params)
{
    enum gt_err err = render_pipe_send(&render->pipe, (int)kind, method, session, params);
    if (err != GT_OK) render_fail(render, err, "render: the browser cannot be told what to do: %s", gt_err_text(err));
}

void render_refusal_note(struct render *render, struct gt_str url, struct gt_str reason)
{
    struct render_result *result = &render->result;
    result->refused++;
    if (result->refusal_count == RENDER_REFUSALS_MAX) return;
    struct render_refusal refusal = {arena_dup(render->arena, gt_str_slice(url, 0, RENDER_URL_BYTES_MAX)),
                                     arena_dup(render->arena, reason)};
    if (refusal.url.ptr != NULL && refusal.reason.ptr != NULL) render->refusals[result->refusal_count++] = refusal;
}

/* ---- begin and end ---- */

/* Whoever comes to the proxy was not sent there by the page's driver. */
static void on_stray(void *ctx, struct gt_str attempt)
{
    struct render *render = ctx;
    (void)attempt;
    render->result.strays++;
}

/* Watches a descriptor of a part. */
static bool watch(struct render *render, int fd)
{
    struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
    return epoll_ctl(render->epoll_fd, EPOLL_CTL_ADD, fd, &event) == 0;
}

/* The first words to the browser: tell of every target before it runs, keep no file, open the page. */
static void say_first(struct render *render)
{
    struct gt_str browser = GT_STR("");
    render_command(render, KIND_ANY, "Browser.setDownloadBehavior", browser, json_pack("{s:s}", "behavior", "deny"));
    render_command(render, KIND_ANY, "Target.setAutoAttach", browser,
                   json_pack("{s:b, s:b, s:b, s:[{s:s, s:b}, {s:s, s:b}, {s:s, s:b}, {}]}", "autoAttach", 1, "waitForDebuggerOnStart",
                             1, "flatten", 1, "filter", "type", "browser", "exclude", 1, "type", "tab", "exclude", 1, "type",
                             "browser_ui", "exclude", 1));
    render_command(render, KIND_CREATE, "Target.createTarget", browser, json_pack("{s:s}", "url", "about:blank"));
}

/* Proxy, browser, pipe. */
static enum gt_err parts_start(struct render *render, struct gt_errinfo *info)
{
    const struct render_settings *settings = &render->settings;
    render->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    if (render->epoll_fd < 0) return gt_fail(info, GT_EIO, "render: no room for another wait");
    enum gt_err err = closed_proxy_open(on_stray, render, &render->proxy, info);
    if (err != GT_OK) return err;
    struct render_program program = {.path = settings->program,
                                     .user = settings->user,
                                     .agent = settings->user_agent,
                                     .proxy_port = closed_proxy_port(render->proxy),
                                     .time_ms = settings->timeout_ms,
                                     .memory_bytes = settings->memory_bytes};
    err = render_process_start(&program, &render->process, info);
    if (err != GT_OK) return err;
    size_t message_max = settings->dom_bytes_max * ESCAPE_FACTOR + MESSAGE_BYTES_EXTRA;
    err = render_pipe_init(&render->pipe, render->process.browser_fd, render->epoll_fd, message_max);
    if (err == GT_OK && !(watch(render, render->process.keeper_fd) && watch(render, closed_proxy_fd(render->proxy)))) err = GT_EIO;
    return err == GT_OK ? GT_OK : gt_fail(info, err, "render: the browser cannot be watched");
}

/* The deadline holds from here on, the browser's own start included. */
enum gt_err render_open(const struct render_settings *settings, render_ask_fn *fn, void *ctx, struct render **ret_render,
                        struct gt_errinfo *info)
{
    struct render *render = calloc(1, sizeof *render);
    if (render == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    render->settings = *settings;
    render->fn = fn;
    render->ctx = ctx;
    render->epoll_fd = -1;
    render->arena = arena_new(RENDER_ARENA_MAX + 2 * settings->dom_bytes_max);
    render->start_mono_ms = render->busy_mono_ms = clock_mono_ms();
    render->deadline_mono_ms = render->start_mono_ms + settings->timeout_ms;
    render->result.url = settings->url;
    render->result.refusals = render->refusals;
    enum gt_err err = render->arena != NULL ? parts_start(render, info) : gt_fail(info, GT_ENOMEM, "out of memory");
    if (err != GT_OK) {
        render_close(render);
        return err;
    }
    say_first(render);
    *ret_render = render;
    return GT_OK;
}

void render_close(struct render *render)
{
    if (render == NULL) return;
    render_process_end(&render->process);
    render_pipe_done(&render->pipe);
    closed_proxy_close(render->proxy);
    if (render->epoll_fd >= 0) close(render->epoll_fd);
    arena_free(render->arena);
    free(render);
}

int render_fd(const struct render *render)
{
    return render->epoll_fd;
}

const struct render_result *render_result(const struct render *render)
{
    return &render->result;
}

/* ---- waiting ---- */

/* Asks for the document; the rest follows from the answer. */
static void ask_document(struct render *render)
{
    render->is_question_open = true;
    render->question_mono_ms = clock_mono_ms();
    render_command(render, KIND_DOCUMENT, "DOM.getDocument", render->session, json_pack("{s:i}", "depth", 0));
}

/* Is it time to read the page, or to look whether what is waited for is there? */
static void look(struct render *render, int64_t now_mono_ms)
{
    if (render->session.len == 0 || render->is_question_open) return;
    if (render->settings.wait.len > 0) {
        if (render->documents == 0 || now_mono_ms < render->poll_mono_ms) return;
        render->poll_mono_ms = now_mono_ms + RENDER_POLL_MS;
        ask_document(render);
    } else if (render->is_loaded && render->asks_open == 0 && now_mono_ms - render->busy_mono_ms >= RENDER_QUIET_MS) {
        ask_document(render);
    }
}

/* Its time is over: says what it was doing. */
static void fail_late(struct render *render)
{
    bool is_mute = render->is_question_open && clock_mono_ms() - render->question_mono_ms >= MUTE_MS;
    long long seconds = (long long)(render->settings.timeout_ms / 1000);
    struct gt_str wait = render->settings.wait;
    if (render->session.len == 0) render_fail(render, GT_ETIMEOUT, "render: the browser did not start within %lld s", seconds);
    else if (render->asks_open > 0)
        render_fail(render, GT_EINCOMPLETE, "render: the page was still loading after %lld s (%d requests open)", seconds,
                    (int)render->asks_open);
    /* a question without an answer, or a page whose load never ends although it wants nothing: its thread is taken */
    else if (is_mute || (wait.len == 0 && !render->is_loaded))
        render_fail(render, GT_ETIMEOUT, "render: a script kept the page busy for %lld s", seconds);
    else if (wait.len > 0)
        render_fail(render, GT_EINCOMPLETE, "render: `%.*s` did not appear within %lld s", GT_STR_ARG(gt_str_slice(wait, 0, 200)),
                    seconds);
    else
        render_fail(render, GT_EINCOMPLETE, "render: the page was still loading after %lld s; render_wait can name what to wait for",
                    seconds);
}

/* Hears the keeper. A browser that has closed its pipe is dead, but why is the keeper's to say. */
static void hear_keeper(struct render *render)
{
    char words[RENDER_WORDS_MAX];
    enum render_end end = render_process_check(&render->process, words);
    const char *why = words[0] != '\0' ? words : "it gave no reason";
    switch (end) {
    case RENDER_END_MEMORY:
        render_fail(render, GT_ELIMIT, "render: the browser took more than %lld MiB of memory",
                    (long long)(render->settings.memory_bytes / (1024 * 1024)));
        break;
    case RENDER_END_TIME: fail_late(render); break;
    case RENDER_END_EXIT:
        if (render->session.len == 0) render_fail(render, GT_EINTERNAL, "render: the browser does not start: %s", why);
        else render_fail(render, GT_EINTERNAL, "render: the browser ended by itself: %s", why);
        break;
    case RENDER_END_NONE: break;
    }
}

/* The pipe has failed: the browser's end is the keeper's news, anything else ends the render here. */
static void pipe_failed(struct render *render, enum gt_err err)
{
    render->is_dead = true;
    if (err == GT_ELIMIT) render_fail(render, err, "render: the page is larger than body_max");
    else if (err != GT_ENET) render_fail(render, err, "render: the browser does not speak as expected: %s", gt_err_text(err));
}

bool render_step(struct render *render)
{
    closed_proxy_step(render->proxy);
    if (!render->is_done && !render->is_dead) {
        enum gt_err err = render_pipe_step(&render->pipe, render_message, render);
        if (err != GT_OK) pipe_failed(render, err);
    }
    if (!render->is_done) hear_keeper(render);
    int64_t now_mono_ms = clock_mono_ms();
    if (!render->is_done && now_mono_ms >= render->deadline_mono_ms) fail_late(render);
    if (!render->is_done && !render->is_dead) look(render, now_mono_ms);
    return render->is_done;
}
