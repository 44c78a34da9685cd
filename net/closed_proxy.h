/* A proxy on loopback that lets nothing through: it hears where somebody wants to go, says no, and tells.
 *
 * A browser whose requests are all answered by its driver has this as its only way out. What still comes here (its maker's
 * update and account services, sockets of the page, guesses ahead) was asked for by nobody who may. */
#ifndef GT_NET_CLOSED_PROXY_H
#define GT_NET_CLOSED_PROXY_H

#include <stdint.h>

#include "common/err.h"
#include "common/str.h"

enum {
    CLOSED_PROXY_CLIENTS_MAX = 32,       /* at once; a further one is hung up on unheard */
    CLOSED_PROXY_LINE_BYTES_MAX = 4096,  /* of a request line; a longer one is told by its beginning */
    CLOSED_PROXY_CLIENT_MS_MAX = 5000,   /* that a silent client is kept */
};

struct closed_proxy;

/* Told of each attempt: "CONNECT host:443" or "GET http://host/path", borrowed, of untrusted bytes. */
typedef void closed_proxy_fn(void *ctx, struct gt_str attempt);

/* Listens on a free port of 127.0.0.1. GT_ENET with a message, GT_ENOMEM. */
enum gt_err closed_proxy_open(closed_proxy_fn *fn, void *ctx, struct closed_proxy **ret_proxy, struct gt_errinfo *info);

/* Closes everything; NULL is accepted. */
void closed_proxy_close(struct closed_proxy *proxy);

/* The port it listens on. */
uint16_t closed_proxy_port(const struct closed_proxy *proxy);

/* A descriptor that is readable when closed_proxy_step has something to do. The proxy's own. */
int closed_proxy_fd(const struct closed_proxy *proxy);

/* Takes what has come, never waits. Calls back for each attempt. */
void closed_proxy_step(struct closed_proxy *proxy);

#endif
