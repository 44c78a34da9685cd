/* A queue out, a window in. The browser may be slow to read: what it does not take at once waits here, never in a write. */
#include "crawler/render_pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>

enum { IN_CAP_FIRST = 64 * 1024 };

enum gt_err render_pipe_init(struct render_pipe *pipe, int fd, int epoll_fd, size_t message_bytes_max)
{
    struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
    *pipe = (struct render_pipe){.fd = fd, .epoll_fd = epoll_fd, .in_max = message_bytes_max};
    strbuf_init(&pipe->out, PIPE_OUT_BYTES_MAX);
    /* the flag is the open file's, and the browser's end is another one */
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) != 0) return GT_EIO;
    return epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &event) == 0 ? GT_OK : GT_EIO;
}

void render_pipe_done(struct render_pipe *pipe)
{
    strbuf_done(&pipe->out);
    free(pipe->in);
    pipe->in = NULL;
}

enum gt_err render_pipe_send(struct render_pipe *pipe, int kind, const char *method, struct gt_str session, json_t *params)
{
    json_t *command = json_pack("{s:I, s:s}", "id", (json_int_t)++pipe->serial * PIPE_KINDS_MAX + kind, "method", method);
    int failed = command == NULL ? -1 : 0;
    if (params != NULL) failed |= json_object_set_new(command, "params", params);
    if (session.len > 0) failed |= json_object_set_new(command, "sessionId", json_stringn(session.ptr, session.len));
    char *text = failed == 0 ? json_dumps(command, JSON_COMPACT) : NULL;
    json_decref(command);
    if (text == NULL) return GT_ENOMEM;
    strbuf_add(&pipe->out, (struct gt_str){text, strlen(text) + 1}); /* its NUL is the separator */
    free(text);
    return pipe->out.err;
}

struct gt_str render_pipe_text(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_string(value) ? (struct gt_str){json_string_value(value), json_string_length(value)} : GT_STR("");
}

int render_pipe_kind(const json_t *message)
{
    const json_t *id = json_object_get(message, "id");
    json_int_t number = json_integer_value(id);
    return json_is_integer(id) && number >= 0 ? (int)(number % PIPE_KINDS_MAX) : -1;
}

/* Sends as much as goes. Whether it is to be told when more goes follows from what is left. */
static enum gt_err out_flush(struct render_pipe *pipe)
{
    while (pipe->out_sent < pipe->out.len) {
        ssize_t n = send(pipe->fd, pipe->out.ptr + pipe->out_sent, pipe->out.len - pipe->out_sent, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && errno == EAGAIN) break;
        if (n <= 0) return GT_ENET;
        pipe->out_sent += (size_t)n;
    }
    bool is_left = pipe->out_sent < pipe->out.len;
    if (!is_left) {
        strbuf_clear(&pipe->out);
        pipe->out_sent = 0;
    }
    if (is_left == pipe->is_out_watched) return GT_OK;
    struct epoll_event event = {.events = EPOLLIN | (is_left ? EPOLLOUT : 0), .data.fd = pipe->fd};
    pipe->is_out_watched = is_left;
    return epoll_ctl(pipe->epoll_fd, EPOLL_CTL_MOD, pipe->fd, &event) == 0 ? GT_OK : GT_EIO;
}

/* Room for more input. */
static enum gt_err in_reserve(struct render_pipe *pipe)
{
    if (pipe->in_len < pipe->in_cap) return GT_OK;
    if (pipe->in_cap >= pipe->in_max) return GT_ELIMIT;
    size_t cap = pipe->in_cap == 0 ? IN_CAP_FIRST : pipe->in_cap * 2;
    if (cap > pipe->in_max) cap = pipe->in_max;
    char *grown = realloc(pipe->in, cap);
    if (grown == NULL) return GT_ENOMEM;
    pipe->in = grown;
    pipe->in_cap = cap;
    return GT_OK;
}

/* The four hexadecimal digits of an escape at `at`, -1 when there is none. */
static long escape_at(const char *text, size_t len, size_t at)
{
    char digits[5] = {0};
    if (len - at < 6 || text[at] != '\\' || text[at + 1] != 'u') return -1;
    memcpy(digits, text + at + 2, 4);
    char *end;
    long code = strtol(digits, &end, 16);
    return end == digits + 4 ? code : -1;
}

/* Texts of scripts are 16-bit units and may hold half a character, which the browser passes on as an escape of its own. JSON
 * readers refuse it; here it becomes U+FFFD, as every decoder would have it. */
static void halves_replace(char *text, size_t len)
{
    static const char replacement[] = {'F', 'F', 'F', 'D'};
    for (size_t at = 0; at + 1 < len; at++) {
        if (text[at] != '\\') continue;
        long code = escape_at(text, len, at), next = code >= 0xD800 && code <= 0xDBFF && at + 6 <= len ? escape_at(text, len, at + 6) : -1;
        bool is_pair = next >= 0xDC00 && next <= 0xDFFF;
        if (code >= 0xD800 && code <= 0xDFFF && !is_pair) memcpy(text + at + 2, replacement, sizeof replacement);
        at += is_pair ? 11 : code >= 0 ? 5 : 1;
    }
}

/* One message as JSON; NULL when it is none. */
static json_t *message_read(char *text, size_t len)
{
    /* texts of pages may hold a NUL, written as an escape: it is kept, lengths are used throughout */
    json_t *message = json_loadb(text, len, JSON_ALLOW_NUL, NULL);
    if (message != NULL) return message;
    halves_replace(text, len);
    return json_loadb(text, len, JSON_ALLOW_NUL, NULL);
}

/* Hands over the whole messages of the window; `fresh` is where the new bytes begin. */
static enum gt_err in_deliver(struct render_pipe *pipe, size_t fresh, render_pipe_fn *fn, void *ctx)
{
    size_t begin = 0;
    for (char *end; (end = memchr(pipe->in + fresh, '\0', pipe->in_len - fresh)) != NULL;) {
        size_t at = (size_t)(end - pipe->in);
        json_t *message = message_read(pipe->in + begin, at - begin);
        if (message == NULL) return GT_EFORMAT;
        fn(ctx, message);
        json_decref(message);
        begin = fresh = at + 1;
    }
    if (begin > 0) memmove(pipe->in, pipe->in + begin, pipe->in_len - begin);
    pipe->in_len -= begin;
    return GT_OK;
}

enum gt_err render_pipe_step(struct render_pipe *pipe, render_pipe_fn *fn, void *ctx)
{
    enum gt_err err = out_flush(pipe);
    for (size_t taken = 0; err == GT_OK && taken < PIPE_READ_BYTES_MAX;) {
        err = in_reserve(pipe);
        if (err != GT_OK) return err;
        ssize_t n = recv(pipe->fd, pipe->in + pipe->in_len, pipe->in_cap - pipe->in_len, 0);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && errno == EAGAIN) break;
        if (n <= 0) return GT_ENET;
        size_t fresh = pipe->in_len;
        pipe->in_len += (size_t)n;
        taken += (size_t)n;
        err = in_deliver(pipe, fresh, fn, ctx);
    }
    /* answers to what was just read */
    return err == GT_OK ? out_flush(pipe) : err;
}
