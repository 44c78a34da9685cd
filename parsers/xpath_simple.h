/* The XPaths that nearly all rules are, evaluated on the tree directly: child steps by name, `//` in front, and tests of position,
 * attribute and class. Same nodes in the same order as libxml2 (tests compare them), at a tenth of the time. Inside parsers/xpath*.c
 * only. */
#ifndef GT_PARSERS_XPATH_SIMPLE_H
#define GT_PARSERS_XPATH_SIMPLE_H

#include <stdbool.h>

#include "common/str.h"

struct _xmlNode;

enum {
    XPATH_STEPS_MAX = 8,
    XPATH_TESTS_MAX = 4, /* of one step */
    XPATH_WORD_MAX = 64, /* bytes of a name or value */
};

enum xpath_test_kind {
    XPATH_POSITION,  /* [3] */
    XPATH_HAS,       /* [@a] */
    XPATH_EQUALS,    /* [@a='v'] */
    XPATH_CONTAINS,  /* [contains(@a,'v')] */
    XPATH_HAS_WORD,  /* [contains(concat(' ',normalize-space(@a),' '),' v ')] */
    XPATH_HAS_CHILD, /* [td] */
};

struct xpath_test {
    enum xpath_test_kind kind;
    long position;
    char name[XPATH_WORD_MAX]; /* of the attribute or child */
    char value[XPATH_WORD_MAX];
};

struct xpath_step {
    char name[XPATH_WORD_MAX]; /* "*" for any element */
    struct xpath_test tests[XPATH_TESTS_MAX];
    size_t test_count;
};

struct xpath_simple {
    bool is_absolute; /* begins at the document */
    bool is_deep;     /* the first step may be at any depth */
    struct xpath_step *steps; /* as many as there are, at most XPATH_STEPS_MAX: a site has several paths, most of them of one step or two */
    size_t step_count;
    char attribute[XPATH_WORD_MAX]; /* "" unless the path ends in @name */
};

/* Takes an expression apart. False when it is of another kind, or memory is out; libxml2 then does it. ret_simple->steps ends with free. */
bool xpath_simple_read(struct gt_str text, struct xpath_simple *ret_simple);

/* Nodes found, in document order. */
struct xpath_found {
    struct _xmlNode **nodes;
    size_t count, cap;
    bool is_out_of_memory;
    bool is_heap; /* `nodes` was malloc'ed by growth */
};

/* Evaluates relative to `node` (an element, or the document). `found` begins with room of the caller's. */
void xpath_simple_find(const struct xpath_simple *simple, struct _xmlNode *node, struct xpath_found *found);

#endif
