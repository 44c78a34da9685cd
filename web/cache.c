#include "web/cache.h"

#include <pthread.h>
#include <stdlib.h>

enum { SHARE_MAX = 4, ENTRY_BYTES = 1024 /* what an answer costs beside its body: headers, allocations */ };

struct entry {
    uint8_t key[SHA256_BYTES];
    struct web_answer *answer;
    uint64_t used; /* the tick of the last use */
};

/* Keys are digests, so their first bytes spread by themselves; a walk over a thousand entries costs less than one answer's headers. */
struct web_cache {
    pthread_mutex_t lock;
    struct entry *entries;
    size_t count, entries_max, bytes, bytes_max;
    uint64_t tick;
};

struct web_cache *web_cache_new(size_t bytes_max, size_t entries_max)
{
    struct web_cache *cache = calloc(1, sizeof *cache);
    struct entry *entries = calloc(entries_max, sizeof *entries);
    if (cache == NULL || entries == NULL || pthread_mutex_init(&cache->lock, NULL) != 0) {
        free(cache);
        free(entries);
        return NULL;
    }
    cache->entries = entries;
    cache->entries_max = entries_max;
    cache->bytes_max = bytes_max;
    return cache;
}

static size_t cost_of(const struct web_answer *answer)
{
    return answer->bytes + ENTRY_BYTES;
}

static void entry_drop(struct web_cache *cache, struct entry *entry)
{
    cache->bytes -= cost_of(entry->answer);
    web_answer_unref(entry->answer);
    *entry = cache->entries[--cache->count];
}

void web_cache_free(struct web_cache *cache)
{
    if (cache == NULL) return;
    while (cache->count > 0) entry_drop(cache, &cache->entries[cache->count - 1]);
    pthread_mutex_destroy(&cache->lock);
    free(cache->entries);
    free(cache);
}

static struct entry *entry_find(struct web_cache *cache, const uint8_t key[SHA256_BYTES])
{
    for (size_t i = 0; i < cache->count; i++)
        if (memcmp(cache->entries[i].key, key, SHA256_BYTES) == 0) return &cache->entries[i];
    return NULL;
}

/* A reference is taken under the lock: the answer may be dropped from the cache while it is being sent. */
struct web_answer *web_cache_get(struct web_cache *cache, const uint8_t key[SHA256_BYTES])
{
    struct web_answer *answer = NULL;
    pthread_mutex_lock(&cache->lock);
    struct entry *entry = entry_find(cache, key);
    if (entry != NULL) {
        entry->used = ++cache->tick;
        answer = web_answer_ref(entry->answer);
    }
    pthread_mutex_unlock(&cache->lock);
    return answer;
}

static void oldest_drop(struct web_cache *cache)
{
    struct entry *oldest = &cache->entries[0];
    for (size_t i = 1; i < cache->count; i++)
        if (cache->entries[i].used < oldest->used) oldest = &cache->entries[i];
    entry_drop(cache, oldest);
}

/* What takes a large share of the cache is not kept: one export would drive all pages out. */
void web_cache_put(struct web_cache *cache, const uint8_t key[SHA256_BYTES], struct web_answer *answer)
{
    size_t cost = cost_of(answer);
    if (cost > cache->bytes_max / SHARE_MAX) return;
    pthread_mutex_lock(&cache->lock);
    struct entry *same = entry_find(cache, key);
    if (same != NULL) entry_drop(cache, same);
    while (cache->count == cache->entries_max || (cache->count > 0 && cache->bytes > cache->bytes_max - cost)) oldest_drop(cache);
    struct entry *entry = &cache->entries[cache->count++];
    *entry = (struct entry){.answer = web_answer_ref(answer), .used = ++cache->tick};
    memcpy(entry->key, key, SHA256_BYTES);
    cache->bytes += cost;
    pthread_mutex_unlock(&cache->lock);
}
