#include "pricing/sku_alias.h"

#include "pricing/sku_words.h"

static const struct sku_alias_row rows[] = {
#define SKU_ALIAS(words, nodes, strength) {words, nodes, SKU_STRENGTH_##strength, false, 0, 0},
#define SKU_TYPE(words, nodes, cards, part, source) {words, nodes, SKU_STRENGTH_STRONG, true, cards, part},
#include "pricing/sku_aliases.def"
#undef SKU_ALIAS
#undef SKU_TYPE
};

/* The first bytes of all rows, which are sorted: most places of a text begin no name, and one look tells. */
static const char first_bytes[] = {
#define SKU_ALIAS(words, nodes, strength) (words)[0],
#define SKU_TYPE(words, nodes, cards, part, source) (words)[0],
#include "pricing/sku_aliases.def"
#undef SKU_ALIAS
#undef SKU_TYPE
};

enum {
    ROW_TOTAL = sizeof rows / sizeof rows[0],
    BREAK_MAX = 3,          /* marks that may stand in one break of a name: "6000 Pro (Blackwell)" has two */
    COUNT_GLUED_DIGITS = 2, /* "8h100": more digits than this before a name are no count */
    PLURAL_NAME_MAX = 6,    /* bytes of "gh 200" */
    GLUED_NAME_MIN = 4,     /* a shorter name after a digit ("2t4") is too likely something else */
};

const struct sku_alias_row *sku_alias_rows(size_t *ret_count)
{
    *ret_count = ROW_TOTAL;
    return rows;
}

/* The k'th byte of the words without their blanks; 0 past the end. */
static unsigned char squeezed_at(const char *words, size_t k)
{
    for (; *words != '\0'; words++) {
        if (*words == ' ') continue;
        if (k-- == 0) return (unsigned char)*words;
    }
    return 0;
}

int sku_alias_cmp(const char *a, const char *b)
{
    for (;; a++, b++) {
        while (*a == ' ') a++;
        while (*b == ' ') b++;
        if (*a != *b || *a == '\0') return (unsigned char)*a - (unsigned char)*b;
    }
}

/* The first row of [low, high) whose k'th byte is not below `c`. All of them agree before k. */
static size_t first_not_below(size_t low, size_t high, size_t k, unsigned c)
{
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (squeezed_at(rows[middle].words, k) < c) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* Past the marks of one break inside a name: blanks, hyphens, brackets; a dot only when glued on both sides
 * ("fc.gpu.tesla.1"). */
static size_t skip_break(const struct sku_text *text, size_t at)
{
    if (at < text->len && text->s[at] == '.') return sku_text_is_alnum(text, at + 1) ? at + 1 : at;
    size_t end = sku_text_skip(text, at, "-_()");
    return end - at <= BREAK_MAX ? end : at;
}

/* Where `words` end when they stand at `start`, breaks only where the words have a blank; 0 when they do not stand there. */
static size_t words_end(const struct sku_text *text, size_t start, const char *words)
{
    size_t at = start;
    for (; *words != '\0'; words++) {
        if (*words == ' ') at = skip_break(text, at);
        else if (at < text->len && text->s[at] == *words) at++;
        else return 0;
    }
    return at;
}

/* A memory size glued to a name: "80g", "80gb", "80gib". */
static bool is_glued_vram(const struct sku_text *text, size_t at, size_t end)
{
    int32_t number;
    size_t unit = sku_text_number(text, at, 3, &number);
    if (unit == 0) return false;
    struct gt_str rest = {text->s + unit, end - unit};
    return gt_str_is(rest, "g") || gt_str_is(rest, "gb") || gt_str_is(rest, "gib");
}

/* "x8" in "h100x8". */
static bool is_glued_count(const struct sku_text *text, size_t at, size_t end)
{
    int32_t number;
    return text->s[at] == 'x' && sku_text_number(text, at + 1, 4, &number) == end;
}

/* "sxm5" in "h100sxm5". The tail is searched as a text of its own, so that it counts as a word's begin. */
static bool is_glued_form(const struct sku_text *text, size_t at, size_t end)
{
    struct sku_text tail = {text->s + at, end - at, NULL};
    const struct sku_word *form = sku_word_at(&tail, 0, SKU_WORD_FORM);
    return form != NULL && form->len == tail.len;
}

/* A name ends where its word does, or where something begins that is known to be glued to names. */
static bool ends_name(const struct sku_text *text, size_t end, const struct sku_alias_row *row)
{
    if (sku_text_ends_word(text, end)) return true;
    size_t run_end = sku_text_run_end(text, end);
    /* "H100s" are several; "L40S" is a longer row and wins. Not for longer names: "RTX 2080S" is a SUPER. */
    if (strlen(row->words) <= PLURAL_NAME_MAX && row->strength != SKU_STRENGTH_SHY && run_end == end + 1 &&
        text->s[end] == 's')
        return true;
    return is_glued_vram(text, end, run_end) || is_glued_count(text, end, run_end) || is_glued_form(text, end, run_end);
}

/* True when the digits that end at `end`, if any, are a count at a word's begin: "8" in "8rtx4090". */
static bool begins_after_count(const struct sku_text *text, size_t end)
{
    size_t run = end;
    while (run > 0 && sku_text_char(text, run - 1) == SKU_CHAR_DIGIT) run--;
    return end - run <= COUNT_GLUED_DIGITS && sku_text_begins_word(text, run) && (run == end || text->s[run] != '0') &&
           (run == 0 || text->s[run - 1] != '.');
}

/* Letters glued before a name: a maker ("nvidiat4"), or the x of a count ("8xh100"). */
static bool begins_after_letters(const struct sku_text *text, size_t start)
{
    size_t run = start;
    while (run > 0 && sku_text_char(text, run - 1) == SKU_CHAR_LETTER) run--;
    if (run + 1 == start && text->s[run] == 'x') return run > 0 && sku_text_char(text, run - 1) == SKU_CHAR_DIGIT;
    if (!begins_after_count(text, run)) return false;
    struct sku_text head = {text->s + run, start - run, NULL};
    const struct sku_word *maker = sku_word_at(&head, 0, SKU_WORD_MAKER);
    return maker != NULL && maker->len == head.len;
}

/* Digits glued before a name that begins with a letter: a count ("1h100.80s"). */
static bool begins_after_digits(const struct sku_text *text, size_t start, size_t end)
{
    return sku_text_char(text, start) == SKU_CHAR_LETTER && end - start >= GLUED_NAME_MIN && begins_after_count(text, start);
}

/* A name begins where its word does, or after what is known to be glued before names. "1.4090" is a number. */
static bool begins_name(const struct sku_text *text, size_t start, size_t end)
{
    if (start == 0) return true;
    bool is_fraction = (text->s[start - 1] == '.' || text->s[start - 1] == ',') && start > 1 &&
                       sku_text_char(text, start - 2) == SKU_CHAR_DIGIT && sku_text_char(text, start) == SKU_CHAR_DIGIT;
    if (is_fraction) return false;
    if (sku_text_begins_word(text, start)) return true;
    if (sku_text_char(text, start - 1) == SKU_CHAR_LETTER) return begins_after_letters(text, start);
    return begins_after_digits(text, start, end);
}

bool sku_alias_longest(const struct sku_text *text, size_t start, struct sku_mention *ret_mention)
{
    bool is_found = false;
    if (start >= text->len) return false;
    bool is_inside_number = start > 0 && sku_text_char(text, start) == SKU_CHAR_DIGIT && sku_text_char(text, start - 1) == SKU_CHAR_DIGIT;
    const char *first = is_inside_number ? NULL : memchr(first_bytes, text->s[start], ROW_TOTAL);
    if (first == NULL) return false;
    size_t low = (size_t)(first - first_bytes), k = 0;
    size_t high = (size_t)((const char *)memrchr(first, text->s[start], ROW_TOTAL - low) - first_bytes) + 1;
    for (size_t at = start; at < text->len; k++) {
        unsigned char c = (unsigned char)text->s[at];
        if (k > 0) {
            low = first_not_below(low, high, k, c);
            high = first_not_below(low, high, k, c + 1U);
        }
        if (low == high) break;
        at++;
        /* The shortest row of the range comes first: it is the one that ends here, if any does. */
        if (squeezed_at(rows[low].words, k + 1) == 0) {
            size_t end = words_end(text, start, rows[low].words);
            if (end == at && ends_name(text, end, &rows[low]) && begins_name(text, start, end)) {
                *ret_mention = (struct sku_mention){&rows[low], start, end};
                is_found = true;
            }
        }
        at = skip_break(text, at);
    }
    return is_found;
}
