/* All processes below this one: what they take, and their end. For a process that is the child subreaper of a tree. */
#ifndef GT_CRAWLER_RENDER_TREE_H
#define GT_CRAWLER_RENDER_TREE_H

#include <stdbool.h>
#include <stdint.h>

enum {
    TREE_PROCESSES_MAX = 1024, /* of one tree; more than these are a fork bomb and count as over every limit */
    TREE_END_MS_MAX = 5000,    /* that killing may take */
};

/* The memory that is the tree's alone, in bytes: anonymous pages and shared memory of all descendants. Pages of files (the
 * program itself) are not counted, each of a hundred processes would count them again. INT64_MAX past TREE_PROCESSES_MAX, 0
 * when /proc cannot be read. */
int64_t tree_memory_bytes(void);

/* Kills and reaps every child, again and again: as the subreaper's child everything below comes up sooner or later, whatever
 * group or session it made for itself. False when something was still there after TREE_END_MS_MAX. */
bool tree_end(void);

#endif
