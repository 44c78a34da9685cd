/* A server of raw bytes on 127.0.0.1, inside the test: a thread accepts, a thread a connection answers by the test's own function. It can
 * lie as no real server would. */
#ifndef GT_TESTS_UNIT_NET_RAW_SERVER_H
#define GT_TESTS_UNIT_NET_RAW_SERVER_H

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { RAW_REQUEST_MAX = 64 * 1024, RAW_CONNECTIONS_MAX = 256 };

/* Answers one request (head and body, NUL-closed) on `fd`. False closes the connection. */
typedef bool raw_answer_fn(void *ctx, int fd, const char *request);

struct raw_server {
    int fd;
    uint16_t port;
    raw_answer_fn *fn;
    void *ctx;
    pthread_t thread;
    pthread_t workers[RAW_CONNECTIONS_MAX];
    atomic_int connections, open_now, open_most, requests;
    pthread_mutex_t lock;
    char last_request[RAW_REQUEST_MAX];
};

struct raw_worker {
    struct raw_server *server;
    int fd;
};

static inline bool raw_send(int fd, const void *bytes, size_t len)
{
    const char *at = bytes;
    while (len > 0) {
        ssize_t n = send(fd, at, len, MSG_NOSIGNAL);
        if (n <= 0) return false;
        at += n;
        len -= (size_t)n;
    }
    return true;
}

static inline bool raw_puts(int fd, const char *text)
{
    return raw_send(fd, text, strlen(text));
}

/* A whole answer with the right length. */
static inline bool raw_reply(int fd, const char *status, const char *headers, const void *body, size_t len)
{
    char head[4096];
    snprintf(head, sizeof head, "HTTP/1.1 %s\r\n%sContent-Length: %zu\r\n\r\n", status, headers, len);
    return raw_puts(fd, head) && raw_send(fd, body, len);
}

/* Reads one request. False at the end of the connection. */
static inline bool raw_read_request(int fd, char *text)
{
    size_t len = 0, body_len = 0;
    for (;;) {
        char *end = memmem(text, len, "\r\n\r\n", 4);
        if (end != NULL) {
            text[len] = '\0';
            char *stated = strcasestr(text, "\r\nContent-Length:");
            body_len = stated != NULL && stated < end ? strtoul(stated + 17, NULL, 10) : 0;
            if (len >= (size_t)(end - text) + 4 + body_len) return true;
        }
        if (len == RAW_REQUEST_MAX - 1) return false;
        ssize_t n = recv(fd, text + len, RAW_REQUEST_MAX - 1 - len, 0);
        if (n <= 0) return false;
        len += (size_t)n;
        text[len] = '\0';
    }
}

static inline void *raw_worker_run(void *arg)
{
    struct raw_worker worker = *(struct raw_worker *)arg;
    struct raw_server *server = worker.server;
    free(arg);
    char *text = malloc(RAW_REQUEST_MAX);
    int now = atomic_fetch_add(&server->open_now, 1) + 1;
    if (now > atomic_load(&server->open_most)) atomic_store(&server->open_most, now);
    while (raw_read_request(worker.fd, text)) {
        atomic_fetch_add(&server->requests, 1);
        pthread_mutex_lock(&server->lock);
        snprintf(server->last_request, sizeof server->last_request, "%s", text);
        pthread_mutex_unlock(&server->lock);
        if (!server->fn(server->ctx, worker.fd, text)) break;
    }
    atomic_fetch_sub(&server->open_now, 1);
    close(worker.fd);
    free(text);
    return NULL;
}

static inline void *raw_accept_run(void *arg)
{
    struct raw_server *server = arg;
    for (;;) {
        int fd = accept(server->fd, NULL, NULL);
        if (fd < 0) return NULL;
        int number = atomic_load(&server->connections);
        struct raw_worker *worker = malloc(sizeof *worker);
        *worker = (struct raw_worker){server, fd};
        if (number >= RAW_CONNECTIONS_MAX || pthread_create(&server->workers[number], NULL, raw_worker_run, worker) != 0) {
            close(fd);
            free(worker);
            continue;
        }
        atomic_store(&server->connections, number + 1);
    }
}

/* Starts on a free port. False when there is no loopback. */
static inline bool raw_server_start(struct raw_server *server, raw_answer_fn *fn, void *ctx)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof address;
    memset(server, 0, sizeof *server);
    pthread_mutex_init(&server->lock, NULL);
    server->fn = fn;
    server->ctx = ctx;
    server->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (server->fd < 0 || bind(server->fd, (struct sockaddr *)&address, len) != 0 || listen(server->fd, 64) != 0) return false;
    getsockname(server->fd, (struct sockaddr *)&address, &len);
    server->port = ntohs(address.sin_port);
    return pthread_create(&server->thread, NULL, raw_accept_run, server) == 0;
}

/* Stops accepting and waits for every connection; the client must have closed its own. */
static inline void raw_server_stop(struct raw_server *server)
{
    shutdown(server->fd, SHUT_RDWR);
    pthread_join(server->thread, NULL);
    for (int i = 0; i < atomic_load(&server->connections); i++) pthread_join(server->workers[i], NULL);
    close(server->fd);
    pthread_mutex_destroy(&server->lock);
}

#endif
