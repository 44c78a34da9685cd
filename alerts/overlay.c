#include "alerts/overlay.h"

#include <search.h>
#include <stdlib.h>

enum { TREES = 256 /* by the first byte of the key: a walk over few waiting conditions does not pass a hundred thousand states */ };

struct overlay_entry {
    struct gt_str key, value; /* key within the entry's own block, value in a block of its own */
};

struct overlay {
    void *trees[TREES];
};

static int entry_cmp(const void *left, const void *right)
{
    const struct overlay_entry *a = left, *b = right;
    return gt_str_cmp(a->key, b->key);
}

struct overlay *overlay_new(void)
{
    return calloc(1, sizeof(struct overlay));
}

static void entry_free(void *entry)
{
    struct overlay_entry *gone = entry;
    free((char *)(uintptr_t)gone->value.ptr);
    free(gone);
}

void overlay_free(struct overlay *overlay)
{
    if (overlay == NULL) return;
    for (size_t i = 0; i < TREES; i++) tdestroy(overlay->trees[i], entry_free);
    free(overlay);
}

static size_t tree_of(struct gt_str key)
{
    return key.len > 0 ? (unsigned char)key.ptr[0] : 0;
}

/* tfind gives a pointer to a node, whose first member is the key's address. */
static struct overlay_entry *find(const struct overlay *overlay, struct gt_str key)
{
    struct overlay_entry wanted = {.key = key};
    struct overlay_entry *const *node = tfind(&wanted, &overlay->trees[tree_of(key)], entry_cmp);
    return node != NULL ? *node : NULL;
}

enum gt_err overlay_get(const struct overlay *overlay, struct gt_str key, struct gt_str *ret_value)
{
    const struct overlay_entry *entry = find(overlay, key);
    if (entry == NULL) return GT_ENOENT;
    *ret_value = entry->value;
    return GT_OK;
}

/* The entry of a key, made when there is none; NULL when memory is out. */
static struct overlay_entry *entry_make(struct overlay *overlay, struct gt_str key)
{
    struct overlay_entry *entry = find(overlay, key);
    if (entry != NULL) return entry;
    entry = malloc(sizeof *entry + key.len + 1);
    if (entry == NULL) return NULL;
    char *bytes = (char *)(entry + 1);
    if (key.len > 0) memcpy(bytes, key.ptr, key.len);
    *entry = (struct overlay_entry){.key = {bytes, key.len}, .value = {NULL, 0}};
    if (tsearch(entry, &overlay->trees[tree_of(key)], entry_cmp) != NULL) return entry;
    free(entry);
    return NULL;
}

/* Copies: keys and values of the engine lie in an arena that ends with the run. */
enum gt_err overlay_put(struct overlay *overlay, struct gt_str key, struct gt_str value)
{
    struct overlay_entry *entry;
    if (value.ptr == NULL) {
        entry = find(overlay, key);
        if (entry == NULL) return GT_OK;
        tdelete(entry, &overlay->trees[tree_of(key)], entry_cmp);
        entry_free(entry);
        return GT_OK;
    }
    char *copy = malloc(value.len + 1);
    entry = copy != NULL ? entry_make(overlay, key) : NULL;
    if (entry == NULL) {
        free(copy);
        return GT_ENOMEM;
    }
    memcpy(copy, value.ptr, value.len);
    copy[value.len] = '\0';
    free((char *)(uintptr_t)entry->value.ptr);
    entry->value.ptr = copy;
    entry->value.len = value.len;
    return GT_OK;
}

struct walk {
    struct gt_str prefix;
    store_each_fn *fn;
    void *ctx;
    enum gt_err err;
};

/* In the order of keys: a node with children is handed on between them. */
static void visit(const void *node, VISIT which, void *closure)
{
    struct walk *walk = closure;
    const struct overlay_entry *entry = *(struct overlay_entry *const *)node;
    bool is_turn = which == postorder || which == leaf;
    if (!is_turn || walk->err != GT_OK || !gt_str_starts(entry->key, walk->prefix)) return;
    walk->err = walk->fn(walk->ctx, entry->key, entry->value);
}

enum gt_err overlay_each(const struct overlay *overlay, struct gt_str prefix, store_each_fn *fn, void *ctx)
{
    struct walk walk = {.prefix = prefix, .fn = fn, .ctx = ctx, .err = GT_OK};
    if (prefix.len > 0) twalk_r(overlay->trees[tree_of(prefix)], visit, &walk);
    return walk.err;
}
