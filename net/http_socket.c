/* Which sockets epoll watches, and for what. libcurl asks for each request anew, and takes it back at its end. A socket that we opened
 * stays watched in between, which saves two system calls a page. Its news while nobody waits for any are the server's end of the
 * connection, or an answer that nobody asked for, which libcurl would take for that to the next request: both end the connection. */
#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "net/http_internal.h"

enum { SOCKETS_FIRST = 64, DISCARD_BYTES = 1024 * 1024, DISCARDS_MAX = 64 /* more than a socket holds */ };

/* What is known of a descriptor. */
struct watched {
    uint8_t events; /* what epoll was told: EPOLLIN, EPOLLOUT */
    bool is_opened; /* by http_socket_open: its close comes by us, so that epoll's view and ours cannot differ */
    bool is_wanted; /* by libcurl, at present */
};

/* The entry of a descriptor, made where there is none; NULL when memory is out. As many as the system lets be open, at most. */
static struct watched *entry_of(struct http_client *client, int fd)
{
    size_t at = (size_t)fd, cap = client->watched_cap > 0 ? client->watched_cap : SOCKETS_FIRST;
    if (at < client->watched_cap) return &client->watched[at];
    while (cap <= at) cap *= 2;
    struct watched *grown = realloc(client->watched, cap * sizeof *grown);
    if (grown == NULL) return NULL;
    memset(grown + client->watched_cap, 0, (cap - client->watched_cap) * sizeof *grown);
    client->watched = grown;
    client->watched_cap = cap;
    return &grown[at];
}

/* Tells epoll what is new; level-triggered, as libcurl expects. False when the system refuses. */
static bool watch(const struct http_client *client, int fd, struct watched *entry, uint8_t events)
{
    if (entry->events == events) return true;
    struct epoll_event event = {.events = events, .data.u64 = (uint64_t)fd};
    int operation = events == 0 ? EPOLL_CTL_DEL : entry->events == 0 ? EPOLL_CTL_ADD : EPOLL_CTL_MOD;
    entry->events = events;
    return epoll_ctl(client->epoll_fd, operation, fd, &event) == 0;
}

int http_socket_want(CURL *easy, curl_socket_t fd, int what, void *ctx, void *known)
{
    struct http_client *client = ctx;
    struct watched *entry = entry_of(client, fd);
    (void)easy;
    (void)known;
    if (entry == NULL) return -1;
    entry->is_wanted = what != CURL_POLL_REMOVE;
    if (!entry->is_wanted) {
        /* a kept connection can always be written to: that is no news */
        watch(client, fd, entry, entry->is_opened ? EPOLLIN : 0);
        return 0;
    }
    uint8_t events = 0;
    if (what & CURL_POLL_IN) events |= EPOLLIN;
    if (what & CURL_POLL_OUT) events |= EPOLLOUT;
    return watch(client, fd, entry, events) ? 0 : -1;
}

/* Looked at, for news may be stale: what one socket brought can make libcurl read others that epoll has reported with it. Shut before it
 * is emptied, so that no more can come: libcurl finds a connection dead when it has an end and nothing before it. */
bool http_socket_hear(struct http_client *client, curl_socket_t fd)
{
    struct watched *entry = entry_of(client, fd);
    char byte;
    if (entry == NULL || entry->is_wanted) return true;
    if (!entry->is_opened || (recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 && errno == EAGAIN)) return false;
    watch(client, fd, entry, 0);
    shutdown(fd, SHUT_RDWR);
    for (int i = 0; i < DISCARDS_MAX && recv(fd, NULL, DISCARD_BYTES, MSG_TRUNC | MSG_DONTWAIT) > 0; i++) continue;
    return false;
}

curl_socket_t http_socket_open(struct http_client *client, const struct curl_sockaddr *address)
{
    int fd = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
    struct watched *entry = fd >= 0 ? entry_of(client, fd) : NULL;
    if (entry != NULL) *entry = (struct watched){.is_opened = true};
    return fd;
}

/* Taken out of epoll by name: a child of this process may hold the socket open, and epoll then goes on watching it. */
int http_socket_close(void *ctx, curl_socket_t fd)
{
    struct http_client *client = ctx;
    struct watched *entry = entry_of(client, fd);
    if (entry != NULL) {
        watch(client, fd, entry, 0);
        *entry = (struct watched){.is_opened = false};
    }
    return close(fd);
}
