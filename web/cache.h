/* Answers kept by what they answer, bounded in bytes; the one not asked for longest goes first. Used by several threads. */
#ifndef GT_WEB_CACHE_H
#define GT_WEB_CACHE_H

#include "common/digest.h"
#include "web/answer.h"

struct web_cache;

/* An empty cache of at most so many bytes and entries; NULL without memory. web_cache_free accepts NULL. */
struct web_cache *web_cache_new(size_t bytes_max, size_t entries_max);
void web_cache_free(struct web_cache *cache);

/* The answer of a key with a reference for the caller, or NULL. */
struct web_answer *web_cache_get(struct web_cache *cache, const uint8_t key[SHA256_BYTES]);

/* Keeps the answer (with a reference of its own) in place of one of the same key; one larger than a quarter of the cache is not kept. */
void web_cache_put(struct web_cache *cache, const uint8_t key[SHA256_BYTES], struct web_answer *answer);

#endif
