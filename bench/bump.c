#include "bench/bump.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <libxml/xmlmemory.h>

enum { BLOCK_BYTES = 64 * 1024 * 1024, HEAD_BYTES = 16 };

/* libxml2's hooks know no context, so this program has a global. */
static struct {
    char *block, *next;
    bool is_on;
} bump;

static bool is_ours(const void *memory)
{
    const char *at = memory;
    return at >= bump.block && at < bump.block + BLOCK_BYTES;
}

static void *take(size_t bytes)
{
    if (!bump.is_on) return malloc(bytes);
    bytes = (bytes + HEAD_BYTES - 1) / HEAD_BYTES * HEAD_BYTES;
    if (bytes + HEAD_BYTES > (size_t)(bump.block + BLOCK_BYTES - bump.next)) abort();
    memcpy(bump.next, &bytes, sizeof bytes);
    char *memory = bump.next + HEAD_BYTES;
    bump.next = memory + bytes;
    return memory;
}

static void give(void *memory)
{
    if (!is_ours(memory)) free(memory);
}

static void *regrow(void *memory, size_t bytes)
{
    size_t before;
    if (memory == NULL) return take(bytes);
    if (!is_ours(memory)) return realloc(memory, bytes);
    memcpy(&before, (char *)memory - HEAD_BYTES, sizeof before);
    if (bytes <= before) return memory;
    return memcpy(take(bytes), memory, before);
}

static char *copy(const char *text)
{
    size_t bytes = strlen(text) + 1;
    return memcpy(take(bytes), text, bytes);
}

void bump_install(void)
{
    bump.block = malloc(BLOCK_BYTES);
    if (bump.block == NULL) abort();
    memset(bump.block, 0, BLOCK_BYTES);
    bump.next = bump.block;
    xmlMemSetup(give, take, regrow, copy);
}

void bump_begin(void)
{
    bump.is_on = true;
}

void bump_end(void)
{
    bump.is_on = false;
    bump.next = bump.block;
}

bool bump_is_on(void)
{
    return bump.is_on;
}

void bump_reset(void)
{
    if (bump.is_on) bump.next = bump.block;
}
