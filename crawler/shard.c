/* Rendezvous hashing (Thaler and Ravishankar, 1998): a host goes to the crawler for which a hash of both is highest. */
#include "crawler/shard.h"

#include "common/digest.h"

/* The finalizer of splitmix64 (Steele, Lea and Flood, 2014): every bit of the sum turns half the bits of the result. */
static uint64_t mixed(uint64_t bits)
{
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9U;
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EBU;
    return bits ^ bits >> 31;
}

/* Rendezvous hashing (Thaler, Ravishankar 1998): from N to N + 1 crawlers one host in N + 1 moves, all others keep their history where it is.
 */
uint32_t shard_of_host(struct gt_str host, uint32_t count)
{
    static const uint64_t GOLDEN = 0x9E3779B97F4A7C15U;
    uint64_t digest = digest_check64(host), highest = 0;
    uint32_t best = 1;
    for (uint32_t i = 1; i <= count; i++) {
        uint64_t weight = mixed(digest + i * GOLDEN);
        if (weight <= highest) continue;
        highest = weight;
        best = i;
    }
    return best;
}

bool shard_has(struct shard shard, struct gt_str host)
{
    return shard.count == 0 || shard_of_host(host, shard.count) == shard.index;
}

/* 1 to SHARDS_MAX in decimal digits; 0 for anything else. */
static uint32_t number_read(struct gt_str text)
{
    uint32_t number = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] < '0' || text.ptr[i] > '9') return 0;
        number = number * 10 + (uint32_t)(text.ptr[i] - '0');
        if (number > SHARDS_MAX) return 0;
    }
    return number;
}

bool shard_read(struct gt_str text, struct shard *ret_shard)
{
    size_t stroke = gt_str_find(text, GT_STR("/"), 0);
    if (stroke == SIZE_MAX) return false;
    struct gt_str index = {text.ptr, stroke}, count = {text.ptr + stroke + 1, text.len - stroke - 1};
    struct shard shard = {number_read(index), number_read(count)};
    if (shard.index == 0 || shard.index > shard.count) return false;
    *ret_shard = shard;
    return true;
}
