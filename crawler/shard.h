/* Which of several crawlers a host belongs to: rendezvous hashing, so that every machine knows without asking another. Pure. */
#ifndef GT_CRAWLER_SHARD_H
#define GT_CRAWLER_SHARD_H

#include <stdbool.h>
#include <stdint.h>

#include "common/str.h"

enum { SHARDS_MAX = 1024 };

/* Crawler `index` of `count`, from 1 on; count 0: one crawler has all hosts. */
struct shard {
    uint32_t index, count;
};

/* Reads "I/N", 1 <= I <= N <= SHARDS_MAX; nothing but digits around the stroke. */
bool shard_read(struct gt_str text, struct shard *ret_shard);

/* The one crawler, 1 to `count`, that has a host (lower case, without port). With one crawler more, a host stays or goes to the new one, and
 * about one in `count` + 1 goes. The same on every machine and in every version: what moves loses its validators. */
uint32_t shard_of_host(struct gt_str host, uint32_t count);

/* True when the host is this crawler's. */
bool shard_has(struct shard shard, struct gt_str host);

#endif
