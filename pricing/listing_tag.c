/* What the name of a field says: "price.month.sale" is a month's reduced price. */
#include "common/nearest.h"
#include "pricing/listing_row.h"
#include "pricing/listing_terms.h"

enum { MONTHS_MAX = 120, MONTHS_OF_A_YEAR = 12, NAME_WORDS_MAX = 64 };

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

/* One part of the name; false when it means nothing. "discount.month" is a discount for paying by the month; "price.month" is a price of one. */
static bool read_part(struct listing_tags *tags, struct gt_str word, bool is_discount)
{
    if (gt_str_is(word, "upfront")) tags->is_upfront = true;
    else if (read_months(word, 'm', 1, &tags->months) || read_months(word, 'y', MONTHS_OF_A_YEAR, &tags->months)) return true;
    else if (read_total(tags, word)) return true;
    else if (is_discount || !read_word(tags, word)) {
        enum cond_kind kind = terms_condition(word);
        add_condition(tags, kind);
        return kind != COND_WORDS;
    }
    return true;
}

/* Reads the whole name; the first part without a meaning goes to *ret_unknown, which is empty when all have one. */
static struct listing_tags read_name(struct gt_str name, struct gt_str *ret_unknown)
{
    struct listing_tags tags = {0};
    struct gt_str rest = name, word;
    bool is_discount = gt_str_starts(name, GT_STR("discount"));
    *ret_unknown = GT_STR("");
    gt_str_split(&rest, '.', &word);
    while (gt_str_split(&rest, '.', &word))
        if (!read_part(&tags, word, is_discount) && ret_unknown->len == 0) *ret_unknown = word.len > 0 ? word : GT_STR(".");
    return tags;
}

struct listing_tags listing_tags_read(struct gt_str name)
{
    struct gt_str unknown;
    return read_name(name, &unknown);
}

/* The known word next to `word`, of the vocabularies that a name may use and of the conditions; NULL when none is near. */
static const char *part_nearest(struct gt_str word, bool is_discount)
{
    static const char *const others[] = {"upfront", "12m", "1y", "student", "enterprise", "new-customer", "member", "night", "holiday", "promo"};
    static const enum vocabulary vocabularies[] = {VOCABULARY_PERIOD, VOCABULARY_BASIS, VOCABULARY_ROLE, VOCABULARY_BOUND};
    const char *words[NAME_WORDS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) words[count++] = others[i];
    for (size_t i = 0; !is_discount && i < sizeof vocabularies / sizeof vocabularies[0]; i++)
        for (int value = 0; value < word_count(vocabularies[i]) && count < NAME_WORDS_MAX; value++)
            words[count++] = word_text(vocabularies[i], value);
    return nearest_word(word, words, count);
}

bool listing_field_name_check(struct gt_str name, struct gt_str *ret_unknown, const char **ret_nearest)
{
    struct gt_str unknown;
    read_name(name, &unknown);
    if (unknown.len == 0) return true;
    *ret_unknown = unknown;
    *ret_nearest = part_nearest(unknown, gt_str_starts(name, GT_STR("discount")));
    return false;
}
