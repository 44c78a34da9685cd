/* Which card an offer's printed words name, and what follows from that: when a row is read, and again over stored history when
 * the catalogue or a site's aliases have changed. */
#ifndef GT_PRICING_OFFER_SKU_H
#define GT_PRICING_OFFER_SKU_H

#include <stdbool.h>

#include "common/arena.h"
#include "pricing/site_alias.h"
#include "pricing/site_facts.h"

enum { SKU_CLUES_MAX = 5 };

/* What a row prints that may name its card. Borrowed. */
struct sku_clues {
    struct gt_str texts[SKU_CLUES_MAX]; /* the label first; each further one is asked only while no card is found */
    const struct site_aliases *aliases; /* may be NULL */
};

/* The card, `vram_gb` being the printed memory of one (0: none is printed). Memory that is much less than the card's makes it a
 * slice ("A16, 2 GB VRAM": 1/8 of an A16). */
struct sku_match offer_sku_match(const struct sku_clues *clues, int32_t vram_gb);

/* Puts the card into the attributes: node, status, candidates (in the arena), memory. Slice and count are the caller's. */
void offer_sku_set(struct offer_attributes *attributes, const struct sku_match *match, struct arena *arena);

/* Derives an offer's card anew from its identity, with today's catalogue and the site's present aliases.
 *
 *  offer     as stored: identity, attributes, one of its records. Identity, quotes and discounts stay as they are.
 *  facts     of the site's present section, or of none (site_facts_from_conf with NULL).
 *  aliases   of that section.
 *
 * True when something changed: the card's attributes, the count of cards where none was known and the new card's name settles
 * it, and what follows from both, the record's list price per card. Deriving again changes nothing more. */
bool offer_sku_rederive(struct offer *offer, const struct site_facts *facts, const struct site_aliases *aliases,
                        struct arena *arena);

#endif
