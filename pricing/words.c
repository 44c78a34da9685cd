#include "pricing/words.h"

struct word {
    enum vocabulary vocabulary;
    int value;
    const char *text;
};

static const struct word words[] = {
#define GT_WORD(set, name, word) {VOCABULARY_##set, set##_##name, word},
#include "pricing/words.def"
#undef GT_WORD
};

enum { WORD_TOTAL = sizeof words / sizeof words[0] };

const char *word_text(enum vocabulary vocabulary, int value)
{
    for (int i = 0; i < WORD_TOTAL; i++)
        if (words[i].vocabulary == vocabulary && words[i].value == value) return words[i].text;
    return "?";
}

bool word_find(enum vocabulary vocabulary, struct gt_str word, int *ret_value)
{
    for (int i = 0; i < WORD_TOTAL; i++)
        if (words[i].vocabulary == vocabulary && gt_str_is(word, words[i].text)) {
            *ret_value = words[i].value;
            return true;
        }
    return false;
}

int word_count(enum vocabulary vocabulary)
{
    int count = 0;
    for (int i = 0; i < WORD_TOTAL; i++) count += words[i].vocabulary == vocabulary;
    return count;
}
