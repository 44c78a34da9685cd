/* Handing a mail to an SMTP server. */
#ifndef GT_NET_MAIL_H
#define GT_NET_MAIL_H

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "common/str.h"

enum { MAIL_RECIPIENTS_MAX = 32, MAIL_ADDRESS_BYTES_MAX = 320 };

/* One mail. Borrowed. */
struct mail {
    struct gt_str url;      /* smtp://host:587 (STARTTLS where the server has it), smtps://host:465 */
    struct gt_str user;     /* empty: no login */
    struct gt_str password;
    struct gt_str from;
    const struct gt_str *to;
    size_t to_count;
    struct gt_str message;  /* headers and body as RFC 5322 wants them, lines ended by CR LF */
    struct gt_str ca_file;  /* PEM, trusted beside the system's; empty: none */
    int64_t timeout_ms;
    bool allow_plain; /* without TLS: for a server on this machine */
};

/* GT_OK when the server has taken it for every recipient. *ret_reply is its last code (550), 0 when there was none: 4xx may pass, 5xx will not.
 * GT_ENET, GT_ETIMEOUT, GT_EREFUSED (an address that could not be one), GT_ENOMEM; `info` names no address and no secret. */
enum gt_err mail_send(const struct mail *mail, int32_t *ret_reply, struct gt_errinfo *info);

/* True for one address without names, blanks, control characters and angles: what may stand in a header and in RCPT TO. */
bool mail_address_is_plain(struct gt_str address);

#endif
