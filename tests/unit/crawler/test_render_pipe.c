/* The remote-debugging pipe: messages in pieces, many at once, too large, broken; a browser that closes or does not read. */
#include "tests/unit/table.h"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "crawler/render_pipe.h"

enum { MESSAGE_MAX = 200, SEEN_MAX = 8 };

/* What the callback saw. */
struct seen {
    int count;
    char texts[SEEN_MAX][MESSAGE_MAX];
    int kinds[SEEN_MAX];
};

static void on_message(void *ctx, json_t *message)
{
    struct seen *seen = ctx;
    char *text = json_dumps(message, JSON_COMPACT | JSON_ENSURE_ASCII);
    assert_true(seen->count < SEEN_MAX && text != NULL);
    snprintf(seen->texts[seen->count], MESSAGE_MAX, "%s", text);
    seen->kinds[seen->count++] = render_pipe_kind(message);
    free(text);
}

#define PIECE(text) {text, sizeof(text) - 1}

static const struct row {
    const char *name;
    struct gt_str pieces[4]; /* sent one after the other, with a step behind each */
    bool closes;
    enum gt_err err;
    int count;
    const char *last;
    int kind;
} rows[] = {
    {"an event", {PIECE("{\"method\":\"A\"}\0")}, false, GT_OK, 1, "{\"method\":\"A\"}", -1},
    {"an answer, with its kind", {PIECE("{\"id\":35}\0")}, false, GT_OK, 1, "{\"id\":35}", 3},
    {"in pieces", {PIECE("{\"me"), PIECE("thod\":\"A\""), PIECE("}\0")}, false, GT_OK, 1, "{\"method\":\"A\"}", -1},
    {"two and a half", {PIECE("{\"a\":1}\0{\"a\":2}\0{\"a\""), PIECE(":3}\0")}, false, GT_OK, 3, "{\"a\":3}", -1},
    {"half a character, twice", {PIECE("{\"a\":\"x\\ud83d \\udc00y\"}\0")}, false, GT_OK, 1, "{\"a\":\"x\\uFFFD \\uFFFDy\"}", -1},
    {"half a character before a whole one", {PIECE("{\"a\":\"\\ud83d\\ud83d\\ude00\"}\0")}, false, GT_OK, 1,
     "{\"a\":\"\\uFFFD\\uD83D\\uDE00\"}", -1},
    {"a backslash is no escape", {PIECE("{\"a\":\"\\\\ud83d \\ud83d\"}\0")}, false, GT_OK, 1, "{\"a\":\"\\\\ud83d \\uFFFD\"}", -1},
    {"half a character at the end", {PIECE("{\"a\":\"\\ud83d\"}\0")}, false, GT_OK, 1, "{\"a\":\"\\uFFFD\"}", -1},
    {"a NUL in a text", {PIECE("{\"a\":\"\\u0000\"}\0")}, false, GT_OK, 1, "{\"a\":\"\\u0000\"}", -1},
    {"no JSON", {PIECE("hello\0")}, false, GT_EFORMAT, 0, NULL, 0},
    {"an empty message", {PIECE("\0")}, false, GT_EFORMAT, 0, NULL, 0},
    {"closed", {PIECE("{\"a\":1}\0{")}, true, GT_ENET, 1, "{\"a\":1}", -1},
};

static void check_row(void **state)
{
    const struct row *row = *state;
    struct render_pipe pipe;
    struct seen seen = {.count = 0};
    int ends[2], epoll_fd = epoll_create1(0);
    enum gt_err err = GT_OK;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    assert_int_equal(render_pipe_init(&pipe, ends[0], epoll_fd, MESSAGE_MAX), GT_OK);
    for (int i = 0; i < 4 && row->pieces[i].len > 0 && err == GT_OK; i++) {
        assert_int_equal(write(ends[1], row->pieces[i].ptr, row->pieces[i].len), (ssize_t)row->pieces[i].len);
        err = render_pipe_step(&pipe, on_message, &seen);
    }
    if (row->closes) shutdown(ends[1], SHUT_RDWR);
    if (row->closes) err = render_pipe_step(&pipe, on_message, &seen);
    assert_int_equal(err, row->err);
    assert_int_equal(seen.count, row->count);
    if (row->count > 0) assert_string_equal(seen.texts[row->count - 1], row->last);
    if (row->count > 0) assert_int_equal(seen.kinds[row->count - 1], row->kind);
    render_pipe_done(&pipe);
    close(ends[0]);
    close(ends[1]);
    close(epoll_fd);
}

/* A message over the limit ends it, with the limit's worth of memory. */
static void check_large(void **state)
{
    struct render_pipe pipe;
    struct seen seen = {.count = 0};
    char bytes[MESSAGE_MAX + 1];
    int ends[2], epoll_fd = epoll_create1(0);
    (void)state;
    memset(bytes, ' ', sizeof bytes);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    assert_int_equal(render_pipe_init(&pipe, ends[0], epoll_fd, MESSAGE_MAX), GT_OK);
    assert_int_equal(write(ends[1], bytes, sizeof bytes), sizeof bytes);
    assert_int_equal(render_pipe_step(&pipe, on_message, &seen), GT_ELIMIT);
    assert_int_equal(pipe.in_cap, MESSAGE_MAX);
    render_pipe_done(&pipe);
    close(ends[0]);
    close(ends[1]);
    close(epoll_fd);
}

/* A browser that does not read holds nobody up; when it reads, everything comes. */
static void check_slow(void **state)
{
    enum { COMMANDS = 200, TEXT_BYTES = 10000 };
    struct render_pipe pipe;
    struct seen seen = {.count = 0};
    char bytes[65536], text[TEXT_BYTES + 1];
    int ends[2], epoll_fd = epoll_create1(0), nuls = 0;
    (void)state;
    memset(text, 'x', TEXT_BYTES);
    text[TEXT_BYTES] = '\0';
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    assert_int_equal(render_pipe_init(&pipe, ends[0], epoll_fd, MESSAGE_MAX), GT_OK);
    for (int i = 0; i < COMMANDS; i++) {
        assert_int_equal(render_pipe_send(&pipe, 1, "M", GT_STR("s"), json_pack("{s:s}", "t", text)), GT_OK);
        assert_int_equal(render_pipe_step(&pipe, on_message, &seen), GT_OK);
    }
    assert_true(pipe.is_out_watched);
    for (int i = 0; i < 10000 && nuls < COMMANDS; i++) {
        ssize_t n = recv(ends[1], bytes, sizeof bytes, MSG_DONTWAIT);
        for (ssize_t k = 0; k < n; k++) nuls += bytes[k] == '\0';
        assert_int_equal(render_pipe_step(&pipe, on_message, &seen), GT_OK);
    }
    assert_int_equal(nuls, COMMANDS);
    assert_false(pipe.is_out_watched);
    render_pipe_done(&pipe);
    close(ends[0]);
    close(ends[1]);
    close(epoll_fd);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    const struct CMUnitTest others[] = {{"a message over the limit", check_large, NULL, NULL, NULL},
                                        {"a browser that does not read", check_slow, NULL, NULL, NULL}};
    return TABLE_RUN(rows, check_row) + cmocka_run_group_tests(others, NULL, NULL);
}
