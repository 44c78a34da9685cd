#include <inttypes.h>
#include <stdio.h>

#include <jansson.h>

#include "cli/json_offer.h"
#include "common/civil.h"

enum { CONDITION_TEXT_MAX = 256 };

struct json_t *json_of_text(struct gt_str text)
{
    if (text.len == 0) return json_null();
    json_t *value = json_stringn(text.ptr, text.len);
    return value != NULL ? value : json_string("\xEF\xBF\xBD");
}

struct json_t *json_of_money(int64_t nano)
{
    char text[MONEY_TEXT_MAX];
    return nano == 0 ? json_null() : json_string(money_format(nano, text));
}

struct json_t *json_of_count(int64_t count)
{
    return count == 0 ? json_null() : json_integer(count);
}

struct json_t *json_of_word(enum vocabulary vocabulary, int value)
{
    const char *word = word_text(vocabulary, value);
    return word[0] == '\0' ? json_null() : json_string(word);
}

/* A fact of the offer that the page does not tell is null, as in every other command's JSON; 0 stands for it in each of these vocabularies. */
static json_t *json_of_fact(enum vocabulary vocabulary, int value)
{
    return value == 0 ? json_null() : json_of_word(vocabulary, value);
}

/* What stands behind the colon of a condition; empty when the kind says all. */
static void condition_detail(const struct condition *condition, char *text, size_t max)
{
    char amount[MONEY_TEXT_MAX], date[CIVIL_TEXT_MAX];
    text[0] = '\0';
    switch (condition->kind) {
    case COND_MIN_MONTHS:
    case COND_MIN_CARDS:
        snprintf(text, max, "%" PRId64, condition->n);
        break;
    case COND_MIN_SPEND:
        snprintf(text, max, "%s", money_format(condition->n, amount));
        break;
    case COND_UNTIL:
        /* 24:00 of a day is told as that day, where it ends: in China, or for English texts at UTC's midnight. */
        snprintf(text, max, "%s", civil_date(condition->n - 1, condition->n % CIVIL_DAY_S == 0 ? 0 : CIVIL_SHANGHAI_S, date));
        break;
    case COND_FROM:
        snprintf(text, max, "%s", civil_date(condition->n, condition->n % CIVIL_DAY_S == 0 ? 0 : CIVIL_SHANGHAI_S, date));
        break;
    default:
        snprintf(text, max, "%.*s", GT_STR_ARG(condition->text));
    }
}

/* One string each: scripts compare them as a whole, and a kind that is new breaks none. */
struct json_t *json_of_conditions(const struct condition *conditions, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) {
        char detail[CONDITION_TEXT_MAX];
        condition_detail(&conditions[i], detail, sizeof detail);
        const char *kind = word_text(VOCABULARY_COND, conditions[i].kind);
        json_array_append_new(array, detail[0] != '\0' ? json_sprintf("%s:%s", kind, detail) : json_string(kind));
    }
    return array;
}

struct json_t *json_of_quote(const struct quote *q)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:i, s:o, s:o, s:o, s:o, s:o, s:b, s:o, s:o, s:o, s:o}", "amount",
                     json_of_money(q->amount_nano), "amount_high", json_of_money(q->amount_high_nano), "currency",
                     json_of_text(gt_str_from(q->currency.code)), "period", json_of_word(VOCABULARY_PERIOD, (int)q->period),
                     "period_count", q->period_count, "basis", json_of_word(VOCABULARY_BASIS, (int)q->basis), "cards",
                     json_of_count(q->cards), "role", json_of_word(VOCABULARY_ROLE, (int)q->role), "bound",
                     json_of_word(VOCABULARY_BOUND, (int)q->bound), "months", json_of_count(q->months), "upfront", q->is_upfront,
                     "tax", json_of_word(VOCABULARY_TAX, (int)q->tax), "conditions",
                     json_of_conditions(q->conditions, q->condition_count), "raw", json_of_text(q->raw), "where",
                     json_of_text(q->where));
}

struct json_t *json_of_discount(const struct discount *d)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:b, s:o}", "factor", json_of_money(d->factor_nano), "factor_alt",
                     json_of_money(d->factor_alt_nano), "amount_off", json_of_money(d->amount_off_nano), "currency",
                     json_of_text(gt_str_from(d->currency.code)), "conditions",
                     json_of_conditions(d->conditions, d->condition_count), "stacks",
                     json_of_word(VOCABULARY_STACKS, (int)d->stacks), "inferred", d->is_inferred, "upto", d->is_upto, "raw",
                     json_of_text(d->raw));
}

struct json_t *json_of_net_price(const struct net_price *p)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "currency",
                     json_of_text(gt_str_from(p->currency.code)), "hour_list", json_of_money(p->hour_list_nano), "hour_net",
                     json_of_money(p->hour_net_nano), "month_list", json_of_money(p->month_list_nano), "month_net",
                     json_of_money(p->month_net_nano), "month_alt", json_of_money(p->month_alt_nano), "evidence",
                     json_of_word(VOCABULARY_EVIDENCE, (int)p->evidence), "bound", json_of_word(VOCABULARY_BOUND, (int)p->bound),
                     "formula", json_of_text(p->formula), "month_alt_formula", json_of_text(p->month_alt_formula),
                     "node_month_net", json_of_money(p->node_month_net_nano), "promo_month", json_of_money(p->promo_month_nano),
                     "promo_bound",
                     p->promo_month_nano != 0 ? json_of_word(VOCABULARY_BOUND, (int)p->promo_bound) : json_null());
}

struct json_t *json_of_audit(const struct audit_result *audit)
{
    json_t *array = json_array();
    for (size_t i = 0; i < audit->count; i++)
        json_array_append_new(array, json_pack("{s:s, s:o}", "code", audit->findings[i].code, "detail",
                                               json_of_text(audit->findings[i].detail)));
    return array;
}

struct json_t *json_of_refusals(const struct refusal *refused, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, json_pack("{s:o, s:o}", "raw", json_of_text(refused[i].raw), "reason",
                                               json_of_text(refused[i].reason)));
    return array;
}

static json_t *json_of_names(struct gt_str names)
{
    json_t *array = json_array();
    struct gt_str name;
    while (gt_str_split(&names, ' ', &name))
        if (name.len > 0) json_array_append_new(array, json_of_text(name));
    return array;
}

static json_t *json_of_slice(const struct offer_attributes *a)
{
    return a->slice_den > 0 ? json_sprintf("%d/%d", a->slice_num, a->slice_den) : json_null();
}

/* Identity and attributes in one flat object. */
static json_t *json_of_head(const struct offer *offer)
{
    const struct offer_identity *id = &offer->identity;
    const struct offer_attributes *a = &offer->attributes;
    json_t *head = json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "label", json_of_text(id->label), "sku",
        json_of_text(gt_str_from(a->sku)), "sku_status", json_of_word(VOCABULARY_SKU, (int)a->sku_status), "candidates",
        json_of_names(a->candidates), "vram_gb", json_of_count(a->vram_gb), "cards", json_of_count(a->cards), "slice",
        json_of_slice(a), "delivery", json_of_fact(VOCABULARY_DELIVERY, (int)a->delivery), "tier",
        json_of_fact(VOCABULARY_TIER, (int)a->tier), "region", json_of_text(id->region), "plan", json_of_text(id->plan), "variant",
        json_of_text(id->variant));
    json_t *rest = json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:i, s:o}", "key", json_of_text(id->key), "availability",
        json_of_fact(VOCABULARY_AVAIL, (int)offer->record.availability), "min_cards", json_of_count(a->min_cards), "min_term",
        json_of_count(a->min_months), "tax", json_of_fact(VOCABULARY_TAX, (int)a->tax), "includes",
        json_of_word(VOCABULARY_INCLUDES, (int)a->includes), "vcpu", json_of_count(a->vcpu), "ram_gb", json_of_count(a->ram_gb),
        "disk_gb", json_of_count(a->disk_gb), "interconnect", json_of_text(a->interconnect), "stock",
        offer->stock >= 0 ? json_integer(offer->stock) : json_null(), "confidence_permille", offer->confidence_permille,
        "reasons", json_of_text(offer->reasons));
    json_object_update(head, rest);
    json_decref(rest);
    return head;
}

struct json_t *json_of_offer(const struct offer *offer)
{
    json_t *object = json_of_head(offer);
    json_t *quotes = json_array(), *discounts = json_array();
    for (size_t i = 0; i < offer->record.quote_count; i++) json_array_append_new(quotes, json_of_quote(&offer->record.quotes[i]));
    for (size_t i = 0; i < offer->record.discount_count; i++)
        json_array_append_new(discounts, json_of_discount(&offer->record.discounts[i]));
    json_object_set_new(object, "quotes", quotes);
    json_object_set_new(object, "discounts", discounts);
    return object;
}
