/* --connect-to: which hosts are redirected, by curl's own grammar HOST:PORT:CONNECT-HOST:CONNECT-PORT. Pure. */
#ifndef GT_NET_CONNECT_TO_H
#define GT_NET_CONNECT_TO_H

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "common/str.h"

/* One rule in its four parts; an empty one matches any (first two) or changes nothing (last two). Borrowed. IPv6 hosts in
 * brackets. */
struct connect_rule {
    struct gt_str host, port, to_host, to_port;
};

/* Takes a rule apart. GT_EUSAGE with a message when it does not have four parts or a port is no number. */
enum gt_err connect_rule_parse(struct gt_str text, struct connect_rule *ret_rule, struct gt_errinfo *info);

/* True when some rule of the NULL-closed list (or NULL) applies to the host (lower case) and port. Malformed rules apply to
 * nothing. */
bool connect_to_applies(const char *const *rules, struct gt_str host, uint16_t port);

#endif
