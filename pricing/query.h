/* QUERY: the filter grammar of board, reports and alerts. Words are card names ("4090", "昇腾910B"), pairs are filters. */
#ifndef GT_PRICING_QUERY_H
#define GT_PRICING_QUERY_H

#include <stdbool.h>

#include "common/arena.h"
#include "common/err.h"
#include "pricing/offer.h"
#include "pricing/sku.h"

enum { QUERY_TERMS_MAX = 32 };

struct query;

/* What a query is asked about: one offer of one site. `term` is "hour", "month", "year" … of the offers' printed terms, joined by ' '. */
struct query_subject {
    struct gt_str site;
    const struct offer_identity *identity;
    const struct offer_attributes *attributes;
    struct gt_str terms;
};

/* Reads a query: words (each must resolve to a node of the SKU tree; several words are alternatives), and pairs
 * sku= site= family= delivery= tier= region= term= market= kind= label~TEXT (all must hold; repeated keys are alternatives).
 * Values may stand in double quotes. An empty text matches everything. The query lives in the arena. GT_EUSAGE with a message
 * naming the bad word, the nearest key or the candidates. */
enum gt_err query_read(struct gt_str text, struct arena *arena, const struct query **ret_query, struct gt_errinfo *info);

/* True when the query asks for something that only an offer has (a card, label, region, delivery, tier, term), so that no source
 * passes. */
bool query_is_about_offers(const struct query *query);

/* The index'th source that a site= pair names, as it was written; empty past the last. */
struct gt_str query_site(const struct query *query, size_t index);

/* True when a source itself, as opposed to one of its offers, passes. */
bool query_matches_source(const struct query *query, struct gt_str site);

/* The terms of a subject: the periods that its record prints, joined by blanks, "hour month". NULL has none. In the arena. */
struct gt_str query_terms(const struct offer_record *record, struct arena *arena);

/* True when the subject passes. A node matches what lies below it; ambiguous offers match any of their candidates' names never; rows
 * of a site of kind fx pass only where site= or kind= asks for them. */
bool query_matches(const struct query *query, const struct query_subject *subject);

#endif
