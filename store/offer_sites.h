/* Which streams may have something of a few offers: those of their sites. Others need not be read. */
#ifndef GT_STORE_OFFER_SITES_H
#define GT_STORE_OFFER_SITES_H

#include "store/part_load.h"
#include "store/reader.h"

struct offer_sites {
    struct gt_str *names; /* in order, some more than once; NULL: all sites */
    size_t count;
};

/* The sites of these offers (NULL: all), in the reader's arena. False on failure, in the transaction. */
bool offer_sites_load(struct offer_sites *sites, struct reader *reader, const struct offer_set *offers);

/* Whether a stream, by its bytes, is one of them. */
bool offer_sites_have(const struct offer_sites *sites, struct gt_str stream);

#endif
