/* Memory for libxml2 in a process that does nothing but read pages. A sixth of a parse is malloc and free, although the tree's nodes are the
 * arena's (html_build.h): values of attributes, error texts, the parser itself. Here they come from one block and are forgotten together. */
#ifndef GT_PARSERS_HTML_HEAP_H
#define GT_PARSERS_HTML_HEAP_H

#include <stdbool.h>

enum { HTML_HEAP_BYTES = 8 * 1024 * 1024 }; /* a page that wants more gets the rest from malloc */

/* Hooks the block into libxml2, for the rest of the process's life. Only where there is one thread. Without it (and when there is no memory
 * for it) libxml2 uses malloc, and what follows does nothing. */
void html_heap_install(void);

/* From here to html_heap_pause libxml2's memory is the block's. One parse at a time; trees may stay open. */
void html_heap_use(void);
void html_heap_pause(void);

/* A parse's memory is not needed any more. True when it need not be freed: all of it was the block's, which starts afresh with the last
 * parse that lets go. */
bool html_heap_leave(void);

#endif
