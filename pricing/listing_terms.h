/* Words of a row that say how a card is handed over and on which terms. */
#ifndef GT_PRICING_LISTING_TERMS_H
#define GT_PRICING_LISTING_TERMS_H

#include "pricing/offer.h"

/* How the card is handed over, by the first word that says so; `otherwise` when none does. */
enum delivery terms_delivery(struct gt_str words, enum delivery otherwise);

/* Whether it can be taken away (抢占, spot) or not (按量, 包月). */
enum tier terms_tier(struct gt_str words, enum tier otherwise);

/* What a stock cell says: words, a count ("3"), or free of all ("1351/2288"). *ret_stock is the count of free units, -1 when
 * none is printed. */
enum availability terms_stock(struct gt_str cell, int64_t *ret_stock);

/* Whether tax is in the price, as printed. */
enum tax terms_tax(struct gt_str words, enum tax otherwise);

/* Seconds of the step in which use is billed ("按秒计费"); 0 when it is not printed. */
int32_t terms_billing_step_s(struct gt_str words);

/* The printed words from the first to the last that name a link between cards or nodes: "NVLink + IB". Empty when none does. */
struct gt_str terms_interconnect(struct gt_str words);

/* What a heading or a tag asks for ("月付", "student"): the condition's kind, COND_WORDS when it asks for nothing. */
enum cond_kind terms_condition(struct gt_str words);

/* True when the words call a price a promotion's: it ends some day, said or not. */
bool terms_is_promotion(struct gt_str words);

/* True when a label without a card's name is that of something else on the price list: CPU, memory, disk, traffic. The
 * refusal's code goes to *ret_reason. */
bool terms_is_component(struct gt_str label, const char **ret_reason);

#endif
