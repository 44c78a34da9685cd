/* The shapes that scripts rely on, as jansson values: offers, quotes, discounts, conditions. Unknown is null, amounts are decimal strings. */
#ifndef GT_CLI_JSON_OFFER_H
#define GT_CLI_JSON_OFFER_H

#include "pricing/audit.h"
#include "pricing/net_price.h"
#include "pricing/offer.h"
#include "pricing/price_text.h"

struct json_t;

/* New references, owned by the caller; NULL when memory is out. An empty text, an amount of 0, a count of 0 are null. */
struct json_t *json_of_text(struct gt_str text);
struct json_t *json_of_money(int64_t nano);
struct json_t *json_of_count(int64_t count);
struct json_t *json_of_word(enum vocabulary vocabulary, int value);

/* {"kind":"min-months","n":3} and the like, as one string each: "min-months:3", "until:2026-10-01", "student". */
struct json_t *json_of_conditions(const struct condition *conditions, size_t count);

/* {"amount","amount_high","currency","period","basis","role","bound","conditions","raw",…} */
struct json_t *json_of_quote(const struct quote *quote);

/* {"factor","amount_off","conditions","stacks","inferred","raw"} */
struct json_t *json_of_discount(const struct discount *discount);

/* {"currency","hour_list","hour_net","month_list","month_net","month_alt","evidence","formula",…} */
struct json_t *json_of_net_price(const struct net_price *price);

/* [{"code","detail"}] */
struct json_t *json_of_audit(const struct audit_result *audit);

/* [{"raw","reason"}] */
struct json_t *json_of_refusals(const struct refusal *refused, size_t count);

/* The offer itself without prices per card and audit. */
struct json_t *json_of_offer(const struct offer *offer);

#endif
