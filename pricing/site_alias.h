/* A site's own names for cards: `alias.SKU = words` in its section, several lines for several names. */
#ifndef GT_PRICING_SITE_ALIAS_H
#define GT_PRICING_SITE_ALIAS_H

#include "common/conf.h"
#include "pricing/sku.h"

enum { SITE_ALIASES_MAX = 256 /* names in one section */ };

/* A section's aliases, in the order of its keys and lines. */
struct site_aliases {
    const struct sku_alias *items;
    size_t count;
};

/* Reads the aliases of a section that site_aliases_check has passed; NULL has none. `arena` owns the list, the conf its words.
 * GT_OK; GT_ENOMEM. */
enum gt_err site_aliases_read(const struct conf_section *section, struct arena *arena, struct site_aliases *ret_aliases);

/* GT_OK when every alias names a node of the catalogue and has words, no words mean two cards, and there are no more than
 * SITE_ALIASES_MAX. GT_ECONF with file:line, and for an unknown card with the nearest known name. */
enum gt_err site_aliases_check(const struct conf_section *section, struct gt_errinfo *info);

#endif
