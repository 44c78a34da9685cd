/* A bounded arena: many small allocations, one release. One per page, run or report. */
#ifndef GT_COMMON_ARENA_H
#define GT_COMMON_ARENA_H

#include <stddef.h>
#include <stdint.h>

#include "common/str.h"

struct arena;

/* A new arena that hands out at most `bytes_max` bytes in all; NULL when memory is out. Free with arena_free. */
struct arena *arena_new(size_t bytes_max);

/* Releases everything the arena handed out. NULL is accepted. */
void arena_free(struct arena *arena);

/* Forgets everything handed out, keeping the memory for the next use. */
void arena_clear(struct arena *arena);

/* `bytes` of zeroed memory aligned for any object; NULL when the limit or memory is out. Never freed alone.
 * A request of zero bytes gives a valid pointer. */
void *arena_alloc(struct arena *arena, size_t bytes);

/* Room for `count` objects of `bytes` each, zeroed; NULL also when the product overflows. */
void *arena_array(struct arena *arena, size_t count, size_t bytes);

/* A copy of `text`, closed by a NUL that its length does not count. An empty text with a NULL ptr on failure. */
struct gt_str arena_dup(struct arena *arena, struct gt_str text);

/* Text formatted by printf's rules; an empty one with a NULL ptr on failure. */
struct gt_str arena_printf(struct arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Grows the array *items (count used, *cap of them allocated) to hold one more; the old memory stays in the arena.
 * False on failure, with everything as it was. `bytes` is the size of one item. */
int arena_grow(struct arena *arena, void **items, size_t count, size_t *cap, size_t bytes);

/* Bytes handed out so far. */
size_t arena_used(const struct arena *arena);

#endif
