/* What the bytes of a row of the run log consist of, for who reads and writes rows and for who packs them. */
#ifndef GT_STORE_RUN_ROW_H
#define GT_STORE_RUN_ROW_H

#include "store/run_log.h"

/* Bits of a row's flags. */
enum {
    RUN_ACTION = 1,
    RUN_GOOD = 2,
    RUN_CONTENT = 4,
    RUN_FAILING = 8,
    RUN_PART_DOUBTED = 16,
    RUN_PART_RELEASABLE = 32,
    RUN_HTTP_OK = 64, /* no HTTP code follows: it is 200 */
    RUN_PLAIN = 128,  /* no reason, no rows found or refused follow: none refused, each found one an offer seen */
};

/* Fields of a step that its code has, in the order in which they are written. */
enum {
    HAS_KINDS = 1,
    HAS_ATTR = 2,
    HAS_BEFORE = 4,
    HAS_AFTER = 8,
    HAS_DETAIL = 16,
    HAS_REASON = 32,
    HAS_FIRST = 64,
    HAS_FALLBACK = 128,
    HAS_ROWS = 256,
};

/* The fields of a step with this code; 0 for one that is not known. */
int run_step_fields(uint64_t code);

#endif
