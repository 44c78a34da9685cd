/* Retry-After (RFC 9110, 10.2.3) and HTTP dates (5.6.7), read by our own hand: libcurl's reading overflows and goes below zero. */
#ifndef GT_NET_RETRY_AFTER_H
#define GT_NET_RETRY_AFTER_H

#include <stdbool.h>
#include <stdint.h>

#include "common/str.h"

/* No server makes us wait longer than a day: a wrong clock there must not silence a site for years. */
enum { RETRY_AFTER_MAX_S = 86400 };

/* Reads one value, seconds or an HTTP date: *ret_wait_s is 0 (also for a date gone by) .. RETRY_AFTER_MAX_S. False when it is
 * neither ("-5", "soon", ""). A number of any length is clamped. */
bool retry_after_parse(struct gt_str value, int64_t now_unix_s, int64_t *ret_wait_s);

/* The longest wait that a header block asks for, all its Retry-After fields read. False when none can be read. */
bool retry_after_find(struct gt_str header_block, int64_t now_unix_s, int64_t *ret_wait_s);

/* Reads an HTTP date in any of its three forms (IMF-fixdate, RFC 850, asctime). False when it is none. Two-digit years
 * are 1970..2069. */
bool http_date_parse(struct gt_str text, int64_t *ret_unix_s);

#endif
