/* "did you mean": the nearest of some known words. */
#ifndef GT_COMMON_NEAREST_H
#define GT_COMMON_NEAREST_H

#include "common/str.h"

/* The word of `words` (count of them) with the smallest edit distance (insert, delete, replace, swap of neighbours) to `word`;
 * NULL when none is within about a third of its length. The first of equals wins. */
const char *nearest_word(struct gt_str word, const char *const *words, size_t count);

#endif
