/* Relative references to absolute addresses, RFC 3986 section 5. Inside parsers/ only: what may be connected to is decided in
 * net/. */
#ifndef GT_PARSERS_LINK_RESOLVE_H
#define GT_PARSERS_LINK_RESOLVE_H

#include <stdbool.h>

#include "common/arena.h"

enum { LINK_BYTES_MAX = 4096 };

/* Resolves `reference` against `base` (absolute; may be "" when the reference is absolute itself). The fragment is dropped;
 * blanks, controls and bytes beyond ASCII are percent-encoded, tabs and line ends removed, as browsers do. False for anything
 * but http and https, for user names in the address, for no host, and past LINK_BYTES_MAX. The result lives in the arena. */
bool link_resolve(struct gt_str base, struct gt_str reference, struct arena *arena, struct gt_str *ret_url);

#endif
