/* Leads in the store: streams of provenance manual, one a lead, each in order of its quotes' dates. */
#ifndef GT_STORE_LEADS_H
#define GT_STORE_LEADS_H

#include "store/store.h"

enum { LEADS_MAX = 1000 * 1000 };

/* One quote. Borrowed. */
struct lead_row {
    struct gt_str site, title;
    enum site_kind kind;
    enum market market;
    struct net_rules net_rules;
    struct gt_str rule_version;
    int64_t t_unix_s;    /* the quote's date */
    uint8_t sha256[32];  /* of all that the row says: what tells it from any other */
    struct offer offer;
    /* where the table lies in the archive; empty when it is not there */
    struct gt_str warc_file;
    int64_t warc_offset;
};

/* How many of the rows the store does not have. GT_ENOMEM, GT_ECORRUPT, GT_EIO, GT_ELIMIT. */
enum gt_err store_leads_count_new(struct store *store, const struct lead_row *rows, size_t count, size_t *ret_new,
                                  struct gt_errinfo *info);

/* Writes the rows that the store does not have. Quotes older than one that it has are put in their place: the leads of that site are
 * written anew from there on, in several transactions, so give it a copy of the store. Rows that say twice the same are one. Nobody is
 * alerted. *ret_written: how many were new. GT_ENOSPC, GT_EIO, GT_ECORRUPT, GT_ENOMEM, GT_ELIMIT. */
enum gt_err store_leads_put(struct store *store, const struct lead_row *rows, size_t count, size_t *ret_written, struct gt_errinfo *info);

#endif
