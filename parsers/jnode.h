/* JSON, and the JavaScript literals that pages hold, as a tree that keeps every number as it was printed. Inside parsers/ only.
 * */
#ifndef GT_PARSERS_JNODE_H
#define GT_PARSERS_JNODE_H

#include <stdbool.h>

#include "common/arena.h"
#include "common/err.h"

enum {
    JNODE_DEPTH_MAX = 200,
    JNODE_COUNT_MAX = 2000000, /* values of one page */
};

enum jnode_kind {
    JNODE_NULL,
    JNODE_FALSE,
    JNODE_TRUE,
    JNODE_NUMBER,
    JNODE_STRING,
    JNODE_ARRAY,
    JNODE_OBJECT,
};

/* One value. Members are in the order printed; of equal keys jnode_get sees the last, as JSON readers do. */
struct jnode {
    enum jnode_kind kind;
    struct gt_str key;      /* within an object */
    struct gt_str text;     /* STRING: decoded UTF-8 without NUL; NUMBER: the literal */
    struct jnode *children; /* ARRAY and OBJECT */
    struct jnode *next;     /* the sibling behind this one */
    size_t count;           /* of children */
};

/* Reads one value that begins at text.ptr[*at] (blanks and comments before it are passed) and moves *at behind it.
 *
 *  text  borrowed, clean UTF-8. The tree lives in the arena; strings without escapes point into the text.
 *
 * Beyond JSON it takes what scripts hold: comments (also those of Python), CDATA marks, trailing commas, quotes of all three kinds, raw control
 * characters in strings, bare keys, `.5`, `undefined`, `NaN`, `!0`, `JSON.parse("…")` (whose text is read in turn). GT_OK;
 * GT_EFORMAT with the byte offset; GT_ELIMIT (depth, count, arena). */
enum gt_err jnode_read(struct gt_str text, size_t *at, struct arena *arena, struct jnode **ret_node, struct gt_errinfo *info);

/* Moves *at over blanks, comments and CDATA marks. */
void jnode_skip_blanks(struct gt_str text, size_t *at);

/* Reads a quoted string that begins at text.ptr[*at]; false when it is not closed or the arena is full. */
bool jnode_read_string(struct gt_str text, size_t *at, struct arena *arena, struct gt_str *ret_string);

/* A member of an object by name, or NULL (also when `node` is NULL or no object). */
const struct jnode *jnode_get(const struct jnode *node, const char *key);

/* True for a number literal that a double would not keep digit by digit: with a fraction, an exponent, or more than 15 digits. */
bool jnode_needs_text(struct gt_str number);

#endif
