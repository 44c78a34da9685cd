/* robots.txt (RFC 9309): may this address be fetched? Pure: text in, verdict out. */
#ifndef GT_CRAWLER_ROBOTS_H
#define GT_CRAWLER_ROBOTS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/str.h"

enum {
    ROBOTS_BYTES_MAX = 500 * 1024,    /* what is read of a file; RFC 9309, 2.5 asks for this much at least */
    ROBOTS_LINE_BYTES_MAX = 2083 * 8, /* what is read of a line: eight times the longest address of old browsers */
    ROBOTS_PATH_BYTES_MAX = 16 * 1024,
};

/* What the file says about one address. */
struct robots_verdict {
    bool is_allowed;
    struct gt_str rule;     /* the line that decided ("Disallow: /x"), borrowed from the file; empty when none did */
    int64_t crawl_delay_ms; /* of the group that applies; -1 when it names none that can be read; clamped to INT32_MAX seconds */
};

/* Judges `url` (absolute, percent-encoded as it is sent; a bare path will do) for the product token `agent` ("gputape"; of
 * "gputape/1.0" the part before the slash).
 *
 * Groups that name the agent are merged, else those of `*`; the longest pattern decides, Allow among equals. Lines over
 * ROBOTS_LINE_BYTES_MAX are cut, bytes behind ROBOTS_BYTES_MAX are not read. Lenient in what the RFC leaves open and Google's
 * reader, which most sites are written for, accepts: a missing colon, common misspellings, CR line ends, "/index.html" for its
 * folder. */
struct robots_verdict robots_match(struct gt_str robots_txt, struct gt_str agent, struct gt_str url);

/* The product token of a user agent: what stands before the first '/', blank or '('. */
struct gt_str robots_agent_token(struct gt_str user_agent);

#endif
