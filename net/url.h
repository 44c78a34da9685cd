/* Web addresses, taken apart and resolved by the very parser that later connects (libcurl's), so that both see the same host. */
#ifndef GT_NET_URL_H
#define GT_NET_URL_H

#include <stdbool.h>
#include <stdint.h>

#include "common/arena.h"
#include "common/err.h"
#include "common/str.h"

enum { URL_BYTES_MAX = 4096 };

/* One http or https address. Texts live in the arena of the call that made it and are closed by a NUL. */
struct url {
    struct gt_str
        href; /* normalised: dot segments resolved, blanks and non-ASCII bytes percent-encoded, no fragment, no default port */
    struct gt_str scheme; /* "http" or "https" */
    struct gt_str host;   /* lower case; IPv6 in brackets; odd spellings of IPv4 normalised */
    struct gt_str target; /* path and query as sent: "/a?b=1" */
    struct gt_str origin; /* "https://host:443", the port always written */
    uint16_t port;
    bool is_https;
};

/* Reads an absolute address. GT_EFORMAT (not an address, control characters, a host outside ASCII); GT_EREFUSED (a scheme other
 * than http and https, user name or password in it); GT_ELIMIT (over URL_BYTES_MAX); GT_ENOMEM. */
enum gt_err url_parse(struct gt_str text, struct arena *arena, struct url *ret_url, struct gt_errinfo *info);

/* Resolves a reference ("/b", "//host/", "?q", "http://…") against `base`; errors as url_parse. */
enum gt_err url_resolve(const struct url *base, struct gt_str reference, struct arena *arena, struct url *ret_url,
                        struct gt_errinfo *info);

/* True when scheme, host and port are the same. */
bool url_is_same_origin(const struct url *a, const struct url *b);

#endif
