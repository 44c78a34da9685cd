/* Printed specifications: counts of cards, memory, cores, terms. Nothing here is a price. */
#ifndef GT_PRICING_LISTING_SPEC_H
#define GT_PRICING_LISTING_SPEC_H

#include <stdbool.h>
#include <stdint.h>

#include "common/str.h"

/* A number in a text, digits of any width or one Chinese numeral, times 1000. */
struct spec_number {
    size_t begin, end; /* bytes of the text that it takes */
    int64_t milli;
    bool is_glued; /* a letter, digit or hyphen stands right before it: part of a model's name */
};

/* What may be read of a count of cards. */
struct spec_cards {
    int32_t cards;                /* 0: none found */
    int32_t slice_num, slice_den; /* "1/4": 1 and 4; else 0 and 0 */
};

/* The next number at or after *at; *at moves behind it. False when there is none. */
bool spec_number_next(struct gt_str text, size_t *at, struct spec_number *ret);

/* A cell that holds a count of cards: "8", "8卡", "八卡", "8x", "x8", "2 * NVIDIA V100 / 2 * 32G", "1/4", "4 GPUs". */
struct spec_cards spec_cards_read(struct gt_str cell);

/* A count of cards among other words ("8 卡裸金属", "8×24GB", "单卡"): 0 when there is none, or when it is a minimum ("起租 8 卡"). */
int32_t spec_cards_find(struct gt_str words);

/* A cell that holds memory, in whole GB: "24GB", "24576 MiB", "2 * 32G", "1.5 TB"; a bare number above 1024 is MB. 0: none. */
int32_t spec_gb_read(struct gt_str cell);

/* Memory of a kind among other words, in GB: "24GB 显存", "显存 24G", "60GB内存", "8×24GB" (vram). 0 when there is none. */
int32_t spec_vram_find(struct gt_str words);
int32_t spec_ram_find(struct gt_str words);
int32_t spec_disk_find(struct gt_str words);

/* Cores among other words: "15核", "16 vCPU". 0 when there are none. */
int32_t spec_vcpu_find(struct gt_str words);

/* The first whole number of a cell, at most `max`; 0 when there is none. */
int32_t spec_int_read(struct gt_str cell, int32_t max);

/* The least number of cards ("起租 8 卡", "8卡起租", "min 8 GPUs") and the least term in months ("3 个月起租", "起租 1 年"). 0: none. */
int32_t spec_min_cards_find(struct gt_str words);
int32_t spec_min_months_find(struct gt_str words);

/* A cell that holds a term: "3", "3 个月", "1年" in months. 0: none. */
int32_t spec_months_read(struct gt_str cell);

/* Gbit/s of the fabric between nodes: "400G IB", "3.2Tbps RoCE". 0 when none is printed. */
int32_t spec_fabric_find(struct gt_str words);

#endif
