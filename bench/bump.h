/* The peer's allocator: while it is on, libxml2's memory comes from one block and is forgotten with its page. */
#ifndef GT_BENCH_BUMP_H
#define GT_BENCH_BUMP_H

#include <stdbool.h>

/* Hooks the allocator into libxml2, off. Before any other call of libxml2. */
void bump_install(void);

/* Turns it on; off. */
void bump_begin(void);
void bump_end(void);

bool bump_is_on(void);

/* Forgets all that was handed out; does nothing while it is off. */
void bump_reset(void);

#endif
