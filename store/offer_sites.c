#include "store/offer_sites.h"

#include <stdlib.h>

static int site_cmp(const void *left, const void *right)
{
    return gt_str_cmp(*(const struct gt_str *)left, *(const struct gt_str *)right);
}

bool offer_sites_load(struct offer_sites *sites, struct reader *reader, const struct offer_set *offers)
{
    *sites = (struct offer_sites){.names = NULL};
    if (offers == NULL) return true;
    sites->count = offers->count;
    sites->names = arena_array(reader->arena, sites->count, sizeof *sites->names);
    if (sites->names == NULL) {
        db_fail(reader->txn, GT_ENOMEM, "out of memory");
        return false;
    }
    for (size_t i = 0; i < sites->count && db_err(reader->txn) == GT_OK; i++) {
        const struct named_offer *offer = reader_offer(reader, (uint32_t)offers->ids[i]);
        if (offer != NULL) sites->names[i] = offer->site;
    }
    if (db_err(reader->txn) != GT_OK) return false;
    if (sites->count > 0) qsort(sites->names, sites->count, sizeof *sites->names, site_cmp);
    return true;
}

/* Streams that nobody asked for are not kept by the reader. One that cannot be decoded is left to who reads it. */
bool offer_sites_have(const struct offer_sites *sites, struct gt_str bytes)
{
    struct stream stream;
    if (sites->names == NULL || dec_stream(bytes, NULL, &stream) != GT_OK) return true;
    return bsearch(&stream.site, sites->names, sites->count, sizeof *sites->names, site_cmp) != NULL;
}
