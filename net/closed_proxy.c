/* Each client gets one answer and is hung up on; nothing is ever opened on anybody's behalf, so there is no address to check. */
#include "net/closed_proxy.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/clock.h"

enum { BACKLOG = 64, EVENTS_MAX = 64, ROUNDS_MAX = 16 };

/* 403 and not 502: a browser takes it for final and does not try again. */
static const char refusal[] = "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

struct proxy_client {
    int fd; /* -1: free */
    int64_t since_mono_ms;
    size_t len;
    char line[CLOSED_PROXY_LINE_BYTES_MAX];
};

struct closed_proxy {
    int epoll_fd, listen_fd;
    uint16_t port;
    closed_proxy_fn *fn;
    void *ctx;
    struct proxy_client clients[CLOSED_PROXY_CLIENTS_MAX];
};

/* Binds and listens; the kernel chooses the port. False with errno set. */
static bool listen_on_loopback(struct closed_proxy *proxy)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof address;
    struct epoll_event event = {.events = EPOLLIN, .data.fd = -1};
    proxy->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    proxy->listen_fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (proxy->epoll_fd < 0 || proxy->listen_fd < 0) return false;
    if (bind(proxy->listen_fd, (struct sockaddr *)&address, len) != 0 || listen(proxy->listen_fd, BACKLOG) != 0) return false;
    if (getsockname(proxy->listen_fd, (struct sockaddr *)&address, &len) != 0) return false;
    proxy->port = ntohs(address.sin_port);
    return epoll_ctl(proxy->epoll_fd, EPOLL_CTL_ADD, proxy->listen_fd, &event) == 0;
}

/* On a port of the system's choice: several crawls may render at once. */
enum gt_err closed_proxy_open(closed_proxy_fn *fn, void *ctx, struct closed_proxy **ret_proxy, struct gt_errinfo *info)
{
    struct closed_proxy *proxy = calloc(1, sizeof *proxy);
    if (proxy == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    proxy->fn = fn;
    proxy->ctx = ctx;
    proxy->epoll_fd = proxy->listen_fd = -1;
    for (size_t i = 0; i < CLOSED_PROXY_CLIENTS_MAX; i++) proxy->clients[i].fd = -1;
    if (listen_on_loopback(proxy)) {
        *ret_proxy = proxy;
        return GT_OK;
    }
    enum gt_err err = gt_fail(info, GT_ENET, "cannot listen on 127.0.0.1: %s", strerror(errno));
    closed_proxy_close(proxy);
    return err;
}

/* Hangs up. */
static void client_end(struct proxy_client *client)
{
    if (client->fd >= 0) close(client->fd);
    client->fd = -1;
    client->len = 0;
}

void closed_proxy_close(struct closed_proxy *proxy)
{
    if (proxy == NULL) return;
    for (size_t i = 0; i < CLOSED_PROXY_CLIENTS_MAX; i++) client_end(&proxy->clients[i]);
    if (proxy->listen_fd >= 0) close(proxy->listen_fd);
    if (proxy->epoll_fd >= 0) close(proxy->epoll_fd);
    free(proxy);
}

uint16_t closed_proxy_port(const struct closed_proxy *proxy)
{
    return proxy->port;
}

int closed_proxy_fd(const struct closed_proxy *proxy)
{
    return proxy->epoll_fd;
}

/* A place for one more client; those that have been silent for long make room. NULL: none. */
static struct proxy_client *client_place(struct closed_proxy *proxy)
{
    int64_t now_mono_ms = clock_mono_ms();
    for (size_t i = 0; i < CLOSED_PROXY_CLIENTS_MAX; i++) {
        struct proxy_client *client = &proxy->clients[i];
        if (client->fd >= 0 && now_mono_ms - client->since_mono_ms > CLOSED_PROXY_CLIENT_MS_MAX) client_end(client);
        if (client->fd < 0) return client;
    }
    return NULL;
}

/* Lets one client in. With no room it is hung up on unheard: it gets nothing either way. */
static void client_accept(struct closed_proxy *proxy)
{
    int fd = accept4(proxy->listen_fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0) return;
    struct proxy_client *client = client_place(proxy);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = client != NULL ? (int)(client - proxy->clients) : 0};
    if (client == NULL || epoll_ctl(proxy->epoll_fd, EPOLL_CTL_ADD, fd, &event) != 0) {
        close(fd);
        return;
    }
    client->fd = fd;
    client->since_mono_ms = clock_mono_ms();
}

/* The method and the target: the line without its version. */
static struct gt_str attempt_of(const struct proxy_client *client)
{
    struct gt_str rest = {client->line, client->len}, line;
    if (!gt_str_split(&rest, '\n', &line)) return line;
    size_t blank = line.len;
    while (blank > 0 && line.ptr[blank - 1] != ' ') blank--;
    bool has_version = blank > 0 && gt_str_starts(gt_str_slice(line, blank, SIZE_MAX), GT_STR("HTTP/"));
    return has_version ? gt_str_trim(gt_str_slice(line, 0, blank)) : line;
}

/* Reads on; with the whole line (or more than a line may have) the client is told no. */
static void client_read(struct closed_proxy *proxy, struct proxy_client *client)
{
    ssize_t n = recv(client->fd, client->line + client->len, sizeof client->line - client->len, 0);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (n <= 0) {
        client_end(client);
        return;
    }
    client->len += (size_t)n;
    if (memchr(client->line, '\n', client->len) == NULL && client->len < sizeof client->line) return;
    proxy->fn(proxy->ctx, attempt_of(client));
    /* what of it gets through is the client's business */
    if (send(client->fd, refusal, sizeof refusal - 1, MSG_NOSIGNAL) > 0) shutdown(client->fd, SHUT_WR);
    client_end(client);
}

void closed_proxy_step(struct closed_proxy *proxy)
{
    struct epoll_event events[EVENTS_MAX];
    /* bounded, so that a busy client cannot hold up whoever steps; the descriptor stays readable */
    for (int round = 0; round < ROUNDS_MAX; round++) {
        int count = epoll_wait(proxy->epoll_fd, events, EVENTS_MAX, 0);
        if (count <= 0) return;
        for (int i = 0; i < count; i++) {
            if (events[i].data.fd < 0) client_accept(proxy);
            else if (proxy->clients[events[i].data.fd].fd >= 0) client_read(proxy, &proxy->clients[events[i].data.fd]);
        }
    }
}
