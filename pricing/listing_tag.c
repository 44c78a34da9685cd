/* What the name of a field says: "price.month.sale" is a month's reduced price. */
#include "pricing/listing_row.h"
#include "pricing/listing_terms.h"

enum { MONTHS_MAX = 120, MONTHS_OF_A_YEAR = 12 };

/* Digits and one letter: "12m" is a commitment of twelve months, "1y" of a year. */
static bool read_months(struct gt_str word, char unit, int32_t factor, int32_t *ret)
{
    int32_t n = 0;
    if (word.len < 2 || word.ptr[word.len - 1] != unit) return false;
    for (size_t i = 0; i + 1 < word.len; i++) {
        if (word.ptr[i] < '0' || word.ptr[i] > '9' || n > MONTHS_MAX) return false;
        n = n * 10 + (word.ptr[i] - '0');
    }
    if (n < 1 || n * factor > MONTHS_MAX) return false;
    *ret = n * factor;
    return true;
}

/* "per12m": the amount pays for all twelve months at once. */
static bool read_total(struct listing_tags *tags, struct gt_str word)
{
    int32_t months;
    if (!gt_str_starts(word, GT_STR("per"))) return false;
    if (!read_months(gt_str_slice(word, strlen("per"), SIZE_MAX), 'm', 1, &months)) return false;
    tags->period = PERIOD_MONTH;
    tags->period_count = months;
    tags->months = months;
    tags->is_upfront = true;
    return true;
}

/* Conditions of names have no figures: those stand in the words, if at all. */
static void add_condition(struct listing_tags *tags, enum cond_kind kind)
{
    if (kind != COND_WORDS && tags->condition_count < CONDITIONS_MAX)
        tags->conditions[tags->condition_count++] = (struct condition){.kind = kind};
}

/* A word of one of the closed vocabularies. */
static bool read_word(struct listing_tags *tags, struct gt_str word)
{
    int value;
    if (word_find(VOCABULARY_PERIOD, word, &value) && value != PERIOD_NONE && value != PERIOD_COUNT) {
        tags->period = (enum period)value;
    } else if (word_find(VOCABULARY_BASIS, word, &value)) {
        tags->basis = (enum basis)value;
    } else if (word_find(VOCABULARY_ROLE, word, &value)) {
        tags->role = (enum role)value;
        tags->has_role = true;
    } else if (word_find(VOCABULARY_BOUND, word, &value)) {
        tags->bound = (enum bound)value;
        tags->has_bound = true;
    } else {
        return false;
    }
    return true;
}

struct listing_tags listing_tags_read(struct gt_str name)
{
    struct listing_tags tags = {0};
    struct gt_str rest = name, word;
    bool is_discount = gt_str_starts(name, GT_STR("discount"));
    gt_str_split(&rest, '.', &word);
    while (gt_str_split(&rest, '.', &word)) {
        if (gt_str_is(word, "upfront")) tags.is_upfront = true;
        else if (read_months(word, 'm', 1, &tags.months) || read_months(word, 'y', MONTHS_OF_A_YEAR, &tags.months)) continue;
        else if (read_total(&tags, word)) continue;
        /* "discount.month" is a discount for paying by the month; "price.month" is a price of one. */
        else if (is_discount || !read_word(&tags, word)) add_condition(&tags, terms_condition(word));
    }
    return tags;
}
