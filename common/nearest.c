#include "common/nearest.h"

#include <stdint.h>

enum { WORD_MAX = 48 };

static unsigned min3(unsigned a, unsigned b, unsigned c)
{
    unsigned low = a < b ? a : b;
    return low < c ? low : c;
}

/* Optimal string alignment distance; both at most WORD_MAX bytes. */
static unsigned distance(struct gt_str a, struct gt_str b)
{
    unsigned rows[WORD_MAX + 1][WORD_MAX + 1];
    for (unsigned i = 0; i <= a.len; i++) rows[i][0] = i;
    for (unsigned j = 0; j <= b.len; j++) rows[0][j] = j;
    for (unsigned i = 1; i <= a.len; i++)
        for (unsigned j = 1; j <= b.len; j++) {
            unsigned cost = a.ptr[i - 1] != b.ptr[j - 1];
            rows[i][j] = min3(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + cost);
            if (i > 1 && j > 1 && a.ptr[i - 1] == b.ptr[j - 2] && a.ptr[i - 2] == b.ptr[j - 1] &&
                rows[i - 2][j - 2] + 1 < rows[i][j])
                rows[i][j] = rows[i - 2][j - 2] + 1;
        }
    return rows[a.len][b.len];
}

/* A third of the word may be wrong, rounded up: beyond that a suggestion misleads. */
const char *nearest_word(struct gt_str word, const char *const *words, size_t count)
{
    const char *best = NULL;
    unsigned best_distance = ((unsigned)word.len + 2) / 3 + 1;
    if (word.len > WORD_MAX) return NULL;
    for (size_t i = 0; i < count; i++) {
        struct gt_str candidate = gt_str_from(words[i]);
        if (candidate.len == 0 || candidate.len > WORD_MAX) continue;
        unsigned d = distance(word, candidate);
        if (d < best_distance) {
            best = words[i];
            best_distance = d;
        }
    }
    return best;
}
