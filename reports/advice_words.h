/* What `advise` is asked, from words: those of a command line's options and of an address's parameters, which have the same names and rules. */
#ifndef GT_REPORTS_ADVICE_WORDS_H
#define GT_REPORTS_ADVICE_WORDS_H

#include "reports/advice.h"

enum advice_word {
    ADVICE_PARAMS, /* "70B" */
    ADVICE_METHOD,
    ADVICE_PRECISION,
    ADVICE_CONTEXT,
    ADVICE_BATCH,
    ADVICE_HOURS,
    ADVICE_MONTHS,
    ADVICE_STORAGE,
    ADVICE_EGRESS,
    ADVICE_CARDS,
    ADVICE_LAYERS,
    ADVICE_KV_WIDTH,
    ADVICE_WORDS
};

/* Its name: "kv-width". Static storage. */
const char *advice_word_name(enum advice_word word);

/* The least and the largest number that it takes. False for one that is no number. */
bool advice_word_range(enum advice_word word, int64_t *ret_low, int64_t *ret_high);

/* Reads the words, empty where nothing is said; names in messages stand behind `dashes` ("--" or ""). GT_OK; GT_EUSAGE with a message: no
 * size, a number out of its range, an unknown word, hours and months at once, what model_memory_compute refuses; GT_EOVERFLOW. */
enum gt_err advice_words_read(const struct gt_str words[ADVICE_WORDS], const char *dashes, struct advice_need *ret_need,
                              struct gt_errinfo *info);

#endif
