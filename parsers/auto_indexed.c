/* JSON in which values are told once and named by their place: [{"data": 1}, {"rows": 2}, [3], {"name": 4}, "RTX 4090"]. Frameworks
 * hand their state over that way. */
#include "parsers/auto.h"
#include "parsers/jnode.h"

enum {
    PLACES_MAX = 100000, /* of one list */
    COPIES_MAX = 50000,  /* values after resolving: one that is named often is copied each time */
    INDEXED_DEPTH_MAX = 24,
    PLACE_DIGITS_MAX = 9,
};

struct indexed {
    struct auto_page *page;
    const struct jnode **places;
    bool *is_open; /* a place that is being resolved: naming it again goes round in a circle */
    size_t count, copies;
};

/* The place that a number names; SIZE_MAX when it is none. */
static size_t place_of(const struct jnode *node, size_t count)
{
    size_t place = 0;
    if (node->kind != JNODE_NUMBER || node->text.len == 0 || node->text.len > PLACE_DIGITS_MAX) return SIZE_MAX;
    for (size_t i = 0; i < node->text.len; i++) {
        if (node->text.ptr[i] < '0' || node->text.ptr[i] > '9') return SIZE_MAX;
        place = place * 10 + (size_t)(node->text.ptr[i] - '0');
    }
    return place < count ? place : SIZE_MAX;
}

/* ["Reactive", 1]: a mark, and the place of what it marks. */
static bool is_marked(const struct jnode *node, size_t count)
{
    return node->kind == JNODE_ARRAY && node->count == 2 && node->children->kind == JNODE_STRING &&
           place_of(node->children->next, count) != SIZE_MAX;
}

static bool is_negative(const struct jnode *node)
{
    return node->kind == JNODE_NUMBER && gt_str_starts(node->text, GT_STR("-"));
}

/* True when the list begins with a value that holds nothing but places, and has texts too. */
static bool is_indexed(const struct jnode *list)
{
    const struct jnode *first = list->children;
    bool has_text = false;
    if (list->kind != JNODE_ARRAY || list->count < 4 || list->count > PLACES_MAX) return false;
    if (!is_marked(first, list->count)) {
        if (first->kind != JNODE_OBJECT || first->count == 0) return false;
        for (const struct jnode *child = first->children; child != NULL; child = child->next) {
            if (place_of(child, list->count) == SIZE_MAX && !is_negative(child)) return false;
        }
    }
    for (const struct jnode *child = first->next; child != NULL; child = child->next) {
        has_text |= child->kind == JNODE_STRING;
        /* Objects that hold texts themselves are told where they are. */
        for (const struct jnode *inner = child->children; inner != NULL && child->kind == JNODE_OBJECT; inner = inner->next) {
            if (inner->kind != JNODE_NUMBER) return false;
        }
    }
    return has_text;
}

/* A copy of the value at a place with what its places name; NULL where there is none. */
static struct jnode *resolve(struct indexed *indexed, size_t place, struct gt_str key, int depth)
{
    bool is_off = place == SIZE_MAX || depth > INDEXED_DEPTH_MAX || indexed->copies >= COPIES_MAX;
    if (is_off || indexed->is_open[place]) return NULL;
    const struct jnode *from = indexed->places[place];
    if (is_marked(from, indexed->count)) return resolve(indexed, place_of(from->children->next, indexed->count), key, depth + 1);
    struct jnode *copy = arena_array(indexed->page->arena, 1, sizeof *copy);
    if (copy == NULL) return NULL;
    *copy = (struct jnode){.kind = from->kind, .key = key, .text = from->text};
    indexed->copies++;
    indexed->is_open[place] = true;
    struct jnode **end = &copy->children;
    for (const struct jnode *child = from->children; child != NULL; child = child->next) {
        *end = resolve(indexed, place_of(child, indexed->count), child->key, depth + 1);
        if (*end == NULL) continue;
        end = &(*end)->next;
        copy->count++;
    }
    indexed->is_open[place] = false;
    return copy;
}

const struct jnode *auto_indexed_tree(struct auto_page *page, const struct jnode *list)
{
    if (!is_indexed(list)) return NULL;
    struct indexed indexed = {.page = page, .count = list->count};
    indexed.places = arena_array(page->arena, list->count, sizeof(const struct jnode *));
    indexed.is_open = arena_array(page->arena, list->count, sizeof *indexed.is_open);
    if (indexed.places == NULL || indexed.is_open == NULL) return NULL;
    size_t at = 0;
    for (const struct jnode *child = list->children; child != NULL && at < list->count; child = child->next)
        indexed.places[at++] = child;
    indexed.count = at;
    return resolve(&indexed, 0, GT_STR(""), 0);
}
