/* Header blocks as received: found again by name, never rewritten. */
#ifndef GT_NET_HEADER_H
#define GT_NET_HEADER_H

#include <stdbool.h>

#include "common/str.h"

enum {
    HEADER_BLOCK_BYTES_MAX = 256 * 1024, /* all header blocks of one answer, interim ones counted */
    HEADER_NAME_BYTES_MAX = 128,
    HEADER_VALUE_BYTES_MAX = 8192, /* of one that we send */
};

/* Takes the next field off *rest (a block with or without its status line; CRLF or LF). A folded line belongs to the value
 * before it, line break included. Lines without a colon are passed over. False at the end. */
bool header_next(struct gt_str *rest, struct gt_str *ret_name, struct gt_str *ret_value);

/* The value of the index'th field called `name` (any case), trimmed; an empty text with a NULL ptr when there is none. */
struct gt_str header_find(struct gt_str block, const char *name, size_t index);

/* True when `name` is a token of RFC 9110, 5.6.2, and not longer than HEADER_NAME_BYTES_MAX. */
bool header_name_is_valid(struct gt_str name);

/* True when `value` may be sent: no control characters but tab, at most HEADER_VALUE_BYTES_MAX. */
bool header_value_is_valid(struct gt_str value);

#endif
