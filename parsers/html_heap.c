#include "parsers/html_heap.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <libxml/HTMLparser.h>
#include <libxml/xmlmemory.h>

enum { HEAD_BYTES = 16 }; /* before each piece: its size, and alignment for any object */

/* libxml2's hooks are handed no context: the one global of the parsers, set once and used by one thread. */
static struct {
    char *block; /* NULL: not installed */
    char *next;
    bool is_used;      /* between use and pause */
    bool has_overflow; /* some of what is out came from malloc */
    size_t open;       /* parses whose memory is still needed */
} html_heap;

static bool is_of_block(const void *memory)
{
    uintptr_t at = (uintptr_t)memory, begin = (uintptr_t)html_heap.block;
    return at >= begin && at < begin + HTML_HEAP_BYTES;
}

/* A page's allocations are one block, forgotten at once; what does not fit goes to malloc, and that is noted. */
static void *take(size_t bytes)
{
    size_t left = (size_t)(html_heap.block + HTML_HEAP_BYTES - html_heap.next);
    if (!html_heap.is_used) return malloc(bytes);
    if (bytes > left || left - bytes < 2 * HEAD_BYTES) {
        html_heap.has_overflow = true;
        return malloc(bytes);
    }
    size_t rounded = (bytes + HEAD_BYTES - 1) / HEAD_BYTES * HEAD_BYTES;
    memcpy(html_heap.next, &rounded, sizeof rounded);
    char *memory = html_heap.next + HEAD_BYTES;
    html_heap.next = memory + rounded;
    return memory;
}

static void give(void *memory)
{
    if (!is_of_block(memory)) free(memory);
}

static void *regrow(void *memory, size_t bytes)
{
    size_t before;
    if (memory == NULL) return take(bytes);
    if (!is_of_block(memory)) return realloc(memory, bytes);
    memcpy(&before, (char *)memory - HEAD_BYTES, sizeof before);
    if (bytes <= before) return memory;
    void *grown = take(bytes);
    return grown != NULL ? memcpy(grown, memory, before) : NULL;
}

static char *copy(const char *text)
{
    size_t bytes = strlen(text) + 1;
    char *memory = take(bytes);
    return memory != NULL ? memcpy(memory, text, bytes) : NULL;
}

/* What libxml2 makes once and keeps must not be the block's: a parse before that is one. The page has an error, for those are kept, too. */
static void warm_up(void)
{
    static const char PAGE[] = "<p class=a>x<nav>";
    xmlInitParser();
    htmlDocPtr doc = htmlReadMemory(PAGE, (int)sizeof PAGE - 1, NULL, "UTF-8", HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_NONET);
    xmlFreeDoc(doc);
    xmlResetLastError();
}

/* libxml2's hooks are global and take no context. What it keeps for good is made before, outside the block. */
void html_heap_install(void)
{
    warm_up();
    char *block = malloc(HTML_HEAP_BYTES);
    if (block == NULL || html_heap.block != NULL) {
        free(block);
        return;
    }
    html_heap.block = html_heap.next = block;
    xmlMemSetup(give, take, regrow, copy);
}

void html_heap_use(void)
{
    if (html_heap.block == NULL) return;
    html_heap.is_used = true;
    html_heap.open++;
}

void html_heap_pause(void)
{
    if (html_heap.block != NULL) html_heap.is_used = false;
}

bool html_heap_leave(void)
{
    if (html_heap.block == NULL) return false;
    bool is_whole = !html_heap.has_overflow;
    if (--html_heap.open > 0) return is_whole;
    xmlResetLastError(); /* its text may be the block's */
    html_heap.next = html_heap.block;
    html_heap.has_overflow = false;
    return is_whole;
}
