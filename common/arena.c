#include "common/arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* The first chunk is small: most arenas hold a few names, and there are several for each site. */
enum { CHUNK_FIRST_BYTES = 4 * 1024, CHUNK_BYTES = 64 * 1024, ALIGN = alignof(max_align_t) };

struct chunk {
    struct chunk *next;
    size_t cap;
    size_t used;
    alignas(max_align_t) unsigned char bytes[];
};

struct arena {
    struct chunk *chunks; /* newest first */
    size_t bytes_max;
    size_t used;
};

struct arena *arena_new(size_t bytes_max)
{
    struct arena *arena = calloc(1, sizeof *arena);
    if (arena != NULL) arena->bytes_max = bytes_max;
    return arena;
}

/* New chunks go in front, so that what was first lies last and `keep` is the one to begin with again. */
static void free_chunks_after(struct chunk *keep)
{
    struct chunk *chunk = keep->next;
    while (chunk != NULL) {
        struct chunk *next = chunk->next;
        free(chunk);
        chunk = next;
    }
    keep->next = NULL;
}

void arena_free(struct arena *arena)
{
    if (arena == NULL) return;
    if (arena->chunks != NULL) {
        free_chunks_after(arena->chunks);
        free(arena->chunks);
    }
    free(arena);
}

void arena_clear(struct arena *arena)
{
    if (arena->chunks != NULL) {
        free_chunks_after(arena->chunks);
        arena->chunks->used = 0;
    }
    arena->used = 0;
}

/* As large as what the arena has already: a little more than the first chunk is no reason to take sixteen times as much, of each of a
 * thousand sites. */
static struct chunk *chunk_add(struct arena *arena, size_t bytes)
{
    size_t usual = arena->used < CHUNK_FIRST_BYTES ? CHUNK_FIRST_BYTES : arena->used < CHUNK_BYTES ? arena->used : CHUNK_BYTES;
    size_t cap = bytes > usual ? bytes : usual;
    struct chunk *chunk = malloc(sizeof *chunk + cap);
    if (chunk == NULL) return NULL;
    *chunk = (struct chunk){.next = arena->chunks, .cap = cap};
    arena->chunks = chunk;
    return chunk;
}

/* Zeroed, also where memory is used again: a field that a reader forgets is then 0 everywhere, not yesterday's text. */
void *arena_alloc(struct arena *arena, size_t bytes)
{
    if (bytes > arena->bytes_max) return NULL;
    size_t rounded = (bytes + ALIGN - 1) / ALIGN * ALIGN;
    if (rounded == 0) rounded = ALIGN;
    if (rounded > arena->bytes_max - arena->used) return NULL;
    struct chunk *chunk = arena->chunks;
    if (chunk == NULL || chunk->cap - chunk->used < rounded) {
        chunk = chunk_add(arena, rounded);
        if (chunk == NULL) return NULL;
    }
    void *memory = chunk->bytes + chunk->used;
    chunk->used += rounded;
    arena->used += rounded;
    return memset(memory, 0, rounded);
}

void *arena_array(struct arena *arena, size_t count, size_t bytes)
{
    if (bytes != 0 && count > SIZE_MAX / bytes) return NULL;
    return arena_alloc(arena, count * bytes);
}

struct gt_str arena_dup(struct arena *arena, struct gt_str text)
{
    if (text.len == SIZE_MAX) return (struct gt_str){NULL, 0};
    char *copy = arena_alloc(arena, text.len + 1);
    if (copy == NULL) return (struct gt_str){NULL, 0};
    if (text.len > 0) memcpy(copy, text.ptr, text.len);
    return (struct gt_str){copy, text.len};
}

/* Printed twice, for the length and for good: an arena cannot give back what a guess took too much. */
struct gt_str arena_printf(struct arena *arena, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int len = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (len < 0) return (struct gt_str){NULL, 0};
    char *text = arena_alloc(arena, (size_t)len + 1);
    if (text == NULL) return (struct gt_str){NULL, 0};
    va_start(args, format);
    vsnprintf(text, (size_t)len + 1, format, args);
    va_end(args);
    return (struct gt_str){text, (size_t)len};
}

/* The old array stays in the arena; doubling keeps what is lost that way below what is used. */
int arena_grow(struct arena *arena, void **items, size_t count, size_t *cap, size_t bytes)
{
    if (count < *cap) return 1;
    size_t cap_new = *cap == 0 ? 8 : *cap * 2;
    void *grown = arena_array(arena, cap_new, bytes);
    if (grown == NULL) return 0;
    if (count > 0) memcpy(grown, *items, count * bytes);
    *items = grown;
    *cap = cap_new;
    return 1;
}

size_t arena_used(const struct arena *arena)
{
    return arena->used;
}
