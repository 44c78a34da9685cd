/* A crawl_memory in memory: what a test's crawls remember from one to the next. */
#ifndef GT_TESTS_UNIT_CRAWLER_MEMORY_MAP_H
#define GT_TESTS_UNIT_CRAWLER_MEMORY_MAP_H

#include <stdlib.h>
#include <string.h>

#include "crawler/crawl.h"

enum { MEMORY_PAIRS_MAX = 256 };

struct memory_map {
    struct {
        char table[16];
        char *key, *value;
        size_t key_len, value_len;
    } pairs[MEMORY_PAIRS_MAX];
    size_t count;
};

static inline size_t memory_find(const struct memory_map *map, const char *table, struct gt_str key)
{
    size_t i = 0;
    while (i < map->count && (strcmp(map->pairs[i].table, table) != 0 || map->pairs[i].key_len != key.len ||
                              memcmp(map->pairs[i].key, key.ptr, key.len) != 0))
        i++;
    return i;
}

static inline enum gt_err memory_get(void *ctx, const char *table, struct gt_str key, struct arena *arena,
                                     struct gt_str *ret_value)
{
    struct memory_map *map = ctx;
    size_t i = memory_find(map, table, key);
    if (i == map->count) return GT_ENOENT;
    *ret_value = arena_dup(arena, (struct gt_str){map->pairs[i].value, map->pairs[i].value_len});
    return GT_OK;
}

static inline enum gt_err memory_put(void *ctx, const char *table, struct gt_str key, struct gt_str value)
{
    struct memory_map *map = ctx;
    size_t i = memory_find(map, table, key);
    if (i == MEMORY_PAIRS_MAX) return GT_ELIMIT;
    if (i == map->count) {
        snprintf(map->pairs[i].table, sizeof map->pairs[i].table, "%s", table);
        map->pairs[i].key = malloc(key.len + 1);
        memcpy(map->pairs[i].key, key.ptr, key.len);
        map->pairs[i].key_len = key.len;
        map->count++;
    } else {
        free(map->pairs[i].value);
    }
    map->pairs[i].value = malloc(value.len + 1);
    memcpy(map->pairs[i].value, value.ptr, value.len);
    map->pairs[i].value_len = value.len;
    return GT_OK;
}

static inline void memory_done(struct memory_map *map)
{
    for (size_t i = 0; i < map->count; i++) {
        free(map->pairs[i].key);
        free(map->pairs[i].value);
    }
    map->count = 0;
}

#endif
