/* The socket that the server listens on. */
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "web/limits.h"
#include "web/server.h"

enum { HOST_MAX = 64, PORT_DIGITS_MAX = 5, PORT_MAX = 65535 };

/* Takes "[::1]:80" or "127.0.0.1:80" apart. */
static bool address_split(const char *text, char host[HOST_MAX], const char **ret_port)
{
    struct gt_str all = gt_str_from(text), name;
    const char *colon = strrchr(text, ':');
    if (colon == NULL || colon[1] == '\0') return false;
    name = gt_str_slice(all, 0, (size_t)(colon - text));
    bool is_six = gt_str_starts(name, GT_STR("[")) && gt_str_ends(name, GT_STR("]"));
    if (is_six) name = gt_str_slice(name, 1, name.len - 2);
    else if (gt_str_find(name, GT_STR(":"), 0) != SIZE_MAX) return false;
    if (name.len == 0 || name.len >= HOST_MAX) return false;
    if (gt_str_is(name, "localhost")) name = GT_STR("127.0.0.1");
    snprintf(host, HOST_MAX, "%.*s", GT_STR_ARG(name));
    *ret_port = colon + 1;
    /* getaddrinfo takes 99999 for 34463 */
    size_t digits = strspn(*ret_port, "0123456789");
    return (*ret_port)[digits] == '\0' && digits <= PORT_DIGITS_MAX && strtol(*ret_port, NULL, 10) <= PORT_MAX;
}

static bool is_loopback(const struct sockaddr *address)
{
    if (address->sa_family == AF_INET) return (ntohl(((const struct sockaddr_in *)address)->sin_addr.s_addr) >> 24) == 127;
    return address->sa_family == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)address)->sin6_addr);
}

/* The address as it came to be. */
static void address_print(int fd, struct web_listener *listener)
{
    struct sockaddr_storage bound = {.ss_family = AF_UNSPEC};
    socklen_t len = sizeof bound;
    char host[HOST_MAX] = "?", port[8] = "?";
    if (getsockname(fd, (struct sockaddr *)&bound, &len) == 0)
        getnameinfo((struct sockaddr *)&bound, len, host, sizeof host, port, sizeof port, NI_NUMERICHOST | NI_NUMERICSERV);
    snprintf(listener->address, sizeof listener->address, strchr(host, ':') != NULL ? "[%s]:%s" : "%s:%s", host, port);
    listener->is_loopback = is_loopback((struct sockaddr *)&bound);
}

/* Numbers only: a host name may resolve to an address that the operator did not mean to open. */
enum gt_err web_listener_open(const char *text, struct web_listener *ret_listener, struct gt_errinfo *info)
{
    char host[HOST_MAX];
    const char *port;
    int on = 1;
    struct addrinfo *found = NULL;
    struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV, .ai_socktype = SOCK_STREAM};
    struct web_listener listener = {.fd = -1};
    if (!address_split(text, host, &port) || getaddrinfo(host, port, &hints, &found) != 0)
        return gt_fail(info, GT_EUSAGE, "--listen takes an address and a port such as 127.0.0.1:8788 or [::1]:8788, not \"%s\"", text);
    enum gt_err err = GT_OK;
    listener.fd = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (listener.fd >= 0) (void)setsockopt(listener.fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (listener.fd < 0 || bind(listener.fd, found->ai_addr, found->ai_addrlen) != 0 || listen(listener.fd, WEB_BACKLOG_MAX) != 0)
        err = gt_fail(info, errno == EADDRINUSE ? GT_EEXIST : gt_err_from_errno(errno), "cannot listen on %s: %s", text, strerror(errno));
    freeaddrinfo(found);
    if (err == GT_OK) {
        address_print(listener.fd, &listener);
        *ret_listener = listener;
    } else if (listener.fd >= 0) {
        close(listener.fd);
    }
    return err;
}
