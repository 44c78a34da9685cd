/* The proxy that lets nothing through: whatever is said to it, it is told once, answered with 403 or not at all, and nobody is
 * kept. */
#include "tests/unit/table.h"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/closed_proxy.h"

enum { TEXT_MAX = CLOSED_PROXY_LINE_BYTES_MAX + 1, ROUNDS = 50, ROUND_MS = 10 };

struct heard {
    int count;
    char last[TEXT_MAX];
};

static void on_attempt(void *ctx, struct gt_str attempt)
{
    struct heard *heard = ctx;
    assert_true(attempt.len < TEXT_MAX);
    memcpy(heard->last, attempt.ptr, attempt.len);
    heard->last[attempt.len] = '\0';
    heard->count++;
}

/* A connection to it. */
static int dial(const struct closed_proxy *proxy)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(closed_proxy_port(proxy)), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(fd >= 0);
    assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
    return fd;
}

/* Steps until something was heard, or for long enough that nothing will be. */
static void step(struct closed_proxy *proxy, const struct heard *heard, int count)
{
    for (int i = 0; i < ROUNDS && heard->count < count; i++) {
        poll(&(struct pollfd){.fd = closed_proxy_fd(proxy), .events = POLLIN}, 1, ROUND_MS);
        closed_proxy_step(proxy);
    }
}

static const struct row {
    const char *name, *first, *second;
    const char *heard; /* NULL: nothing */
} rows[] = {
    {"CONNECT", "CONNECT a.example:443 HTTP/1.1\r\nHost: a.example\r\n\r\n", NULL, "CONNECT a.example:443"},
    {"a plain address", "GET http://127.0.0.1:22/x HTTP/1.1\r\n\r\n", NULL, "GET http://127.0.0.1:22/x"},
    {"in two pieces", "CONNECT a.exa", "mple:443 HTTP/1.1\r\n", "CONNECT a.example:443"},
    {"no version", "GET http://a.example/\n", NULL, "GET http://a.example/"},
    {"no HTTP at all", "\x16\x03\x01 hello\n", NULL, "\x16\x03\x01 hello"},
    {"an empty line", "\r\n", NULL, ""},
    {"half a line", "CONNECT a.example", NULL, NULL},
    {"silence", "", NULL, NULL},
};

static void check_row(void **state)
{
    const struct row *row = *state;
    struct closed_proxy *proxy = NULL;
    struct heard heard = {.count = 0};
    char answer[256] = "";
    assert_int_equal(closed_proxy_open(on_attempt, &heard, &proxy, NULL), GT_OK);
    int fd = dial(proxy);
    assert_int_equal(send(fd, row->first, strlen(row->first), MSG_NOSIGNAL), (ssize_t)strlen(row->first));
    if (row->second != NULL) step(proxy, &heard, 1);
    if (row->second != NULL) assert_int_equal(heard.count, 0);
    if (row->second != NULL) assert_true(send(fd, row->second, strlen(row->second), MSG_NOSIGNAL) > 0);
    step(proxy, &heard, 1);
    assert_int_equal(heard.count, row->heard != NULL);
    if (row->heard != NULL) {
        assert_string_equal(heard.last, row->heard);
        assert_true(recv(fd, answer, sizeof answer - 1, 0) > 0);
        assert_memory_equal(answer, "HTTP/1.1 403 ", 13);
    }
    close(fd);
    closed_proxy_close(proxy);
}

/* A line that does not end is told by its beginning; more clients than there is room for do not keep others out. */
static void check_limits(void **state)
{
    enum { CLIENTS = CLOSED_PROXY_CLIENTS_MAX + 8 };
    struct closed_proxy *proxy = NULL;
    struct heard heard = {.count = 0};
    char line[CLOSED_PROXY_LINE_BYTES_MAX];
    int fds[CLIENTS];
    (void)state;
    memset(line, 'x', sizeof line);
    assert_int_equal(closed_proxy_open(on_attempt, &heard, &proxy, NULL), GT_OK);
    int fd = dial(proxy);
    assert_int_equal(send(fd, line, sizeof line, MSG_NOSIGNAL), sizeof line);
    step(proxy, &heard, 1);
    assert_int_equal(strlen(heard.last), sizeof line);
    for (int i = 0; i < CLIENTS; i++) fds[i] = dial(proxy);
    step(proxy, &heard, 2);
    assert_int_equal(heard.count, 1);
    for (int i = 0; i < CLIENTS; i++) close(fds[i]);
    close(fd);
    closed_proxy_step(proxy);
    fd = dial(proxy);
    assert_true(send(fd, "CONNECT a:1 HTTP/1.1\r\n", 22, MSG_NOSIGNAL) > 0);
    step(proxy, &heard, 2);
    assert_string_equal(heard.last, "CONNECT a:1");
    close(fd);
    closed_proxy_close(proxy);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    const struct CMUnitTest limits[] = {{"endless lines, many silent clients", check_limits, NULL, NULL, NULL}};
    return TABLE_RUN(rows, check_row) + cmocka_run_group_tests(limits, NULL, NULL);
}
