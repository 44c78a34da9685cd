/* What stands right beside a card's name: memory of one card, count, form. Internal to the resolver. */
#ifndef GT_PRICING_SKU_BESIDE_H
#define GT_PRICING_SKU_BESIDE_H

#include "pricing/sku_alias.h"
#include "pricing/sku_words.h"

/* A printed memory size. Tenths of a GB, because 22.5 and 44.7 are printed. */
struct sku_vram {
    int32_t tenths;   /* 0: none */
    bool is_whole;    /* printed without decimals: may have been cut ("22 GB" of 22.5) */
    bool is_behind_count; /* "2 GPUs, 48GB": may be of all together */
    bool is_doubtful; /* may be something else (a host's memory before the name, a bare number): counts only where it fits */
};

struct sku_beside {
    struct sku_vram vram;
    int32_t cards;               /* 0: none printed */
    int32_t bare_count;          /* the number in "4 A100, 160GB": counts where the size is of so many cards only; 0: none */
    const struct sku_word *form; /* NULL: none printed */
    struct sku_vram vram_other;  /* "40G 或 80G": the second of two; tenths 0: none */
    bool is_among_certain;       /* the label holds a name that means nothing else; set by the resolver */
    size_t head_start, tail_end; /* of everything that was understood around the name */
};

/* Reads what stands before and after a mention, up to the first word that is not understood: "8 × A100 (80 GB) PCIe", "910B
 * 8卡裸金属, 8×64GB", "gpu-h100x8-640gb" (cards 8, memory 640: whose it is, sku_pick decides). */
struct sku_beside sku_beside_read(const struct sku_text *text, const struct sku_mention *mention);

/* Reads a memory size at `at`: "80G", "80 GB", "40960MiB", "22.5GiB"; its end, or 0. What is followed by a word of other
 * memory (内存, SSD) is none. */
size_t sku_vram_at(const struct sku_text *text, size_t at, struct sku_vram *ret_vram);

/* The size that the label itself calls a card's memory ("显存 24GB", "24GB 显存", "24 GB VRAM"), wherever it stands; tenths 0 when
 * none. */
struct sku_vram sku_vram_tagged(const struct sku_text *text);

#endif
