/* Text into XML 1.0. */
#ifndef GT_WEB_FEED_TEXT_H
#define GT_WEB_FEED_TEXT_H

#include "common/arena.h"
#include "reports/out.h"

/* Writes `text` for element content or a double-quoted attribute: markup characters become entities; control characters, which XML 1.0 has no way
 * to write at all, and bidi marks become visible escapes; so do U+FFFE and U+FFFF. `arena` holds a copy. */
void feed_text(struct out *out, struct gt_str text, struct arena *arena);

#endif
