/* The resolver takes an alias at its word, so what it says is checked when the file is read: a name that no card has would
 * otherwise be an alias that silently does nothing. */
#include "pricing/site_alias.h"

#include <stdio.h>

#include "common/nearest.h"

enum { MESSAGE_MAX = 240, NAMES_MAX = 1024 /* nodes of the tree that may be suggested */ };

static const struct gt_str prefix = {"alias.", 6};

/* Walks the alias lines of a section: the value, the card it names, one line of words. */
struct alias_walk {
    const struct conf_section *section;
    size_t index; /* of the next value */
    const struct conf_value *value;
    struct gt_str rest; /* lines of `value` that are still to come */
};

/* The next line; false at the end. An alias without words yields one empty line, for the check to tell. */
static bool walk_next(struct alias_walk *walk, struct gt_str *ret_words)
{
    while (walk->value == NULL || !gt_str_split(&walk->rest, '\n', ret_words)) {
        walk->value = walk->section != NULL ? conf_at(walk->section, walk->index) : NULL;
        if (walk->value == NULL) return false;
        walk->index++;
        walk->rest = walk->value->text;
        if (!gt_str_starts(walk->value->name, prefix)) {
            walk->rest.len = 0;
        } else if (gt_str_trim(walk->rest).len == 0) {
            *ret_words = (struct gt_str){"", 0};
            return true;
        }
    }
    return true;
}

/* What stands behind "alias." in the key. */
static struct gt_str card_of(const struct conf_value *value)
{
    return gt_str_slice(value->name, prefix.len, SIZE_MAX);
}

/* Names that the check refuses are passed over: who reads without checking gets fewer aliases, never wrong ones. */
enum gt_err site_aliases_read(const struct conf_section *section, struct arena *arena, struct site_aliases *ret_aliases)
{
    struct alias_walk walk = {.section = section};
    struct gt_str words;
    struct sku_alias *items = arena_array(arena, SITE_ALIASES_MAX, sizeof *items);
    size_t count = 0;
    if (items == NULL) return GT_ENOMEM;
    while (count < SITE_ALIASES_MAX && walk_next(&walk, &words)) {
        const struct sku_node *node = sku_find(card_of(walk.value));
        if (node != NULL && words.len > 0) items[count++] = (struct sku_alias){words, node->name};
    }
    *ret_aliases = (struct site_aliases){items, count};
    return GT_OK;
}

/* "no card X in the catalogue, did you mean Y?" */
static enum gt_err fail_unknown(const struct conf_value *value, struct gt_errinfo *info)
{
    const char *names[NAMES_MAX];
    char message[MESSAGE_MAX];
    size_t count;
    const struct sku_node *nodes = sku_nodes(&count);
    if (count > NAMES_MAX) count = NAMES_MAX;
    for (size_t i = 0; i < count; i++) names[i] = nodes[i].name;
    struct gt_str card = card_of(value);
    /* "4090" and "A100 80GB" are no canonical names, but it is plain which one is meant. */
    struct sku_match meant = sku_resolve(card, 0, NULL, 0);
    const char *nearest = meant.node != NULL ? meant.node->name : nearest_word(card, names, count);
    if (nearest != NULL)
        snprintf(message, sizeof message, "the catalogue has no card \"%.*s\", did you mean \"%s\"?", GT_STR_ARG(card), nearest);
    else snprintf(message, sizeof message, "the catalogue has no card \"%.*s\"", GT_STR_ARG(card));
    return conf_fail(value, info, message);
}

/* The same words for two cards: which of them is meant would depend on the order of keys. */
static enum gt_err check_twice(const struct alias_walk *at, struct gt_str words, struct gt_errinfo *info)
{
    char message[MESSAGE_MAX];
    struct alias_walk before = {.section = at->section};
    struct gt_str other;
    while (walk_next(&before, &other) && before.value != at->value) {
        if (!gt_str_eq_nocase(other, words)) continue;
        snprintf(message, sizeof message, "\"%.*s\" is %.*s already (line %d)", GT_STR_ARG(words),
                 GT_STR_ARG(card_of(before.value)), before.value->line);
        return conf_fail(at->value, info, message);
    }
    return GT_OK;
}

/* At reading, not at the first page: an alias for a card that does not exist would otherwise wait months to be noticed. */
enum gt_err site_aliases_check(const struct conf_section *section, struct gt_errinfo *info)
{
    struct alias_walk walk = {.section = section};
    struct gt_str words;
    size_t count = 0;
    enum gt_err err = GT_OK;
    while (err == GT_OK && walk_next(&walk, &words)) {
        if (sku_find(card_of(walk.value)) == NULL) err = fail_unknown(walk.value, info);
        else if (words.len == 0) err = conf_fail(walk.value, info, "wants the words that mean the card, one name a line");
        else if (++count > SITE_ALIASES_MAX) err = conf_fail(walk.value, info, "a section may have 256 aliases");
        else err = check_twice(&walk, words, info);
    }
    return err;
}
