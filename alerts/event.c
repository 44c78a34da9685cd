#include "alerts/event.h"

#include <jansson.h>
#include <stdlib.h>

#include "common/civil.h"
#include "common/digest.h"
#include "common/strbuf.h"

enum { ID_TEXT_MAX = 64 * 1024 };

/* Every part closed by a byte that no printed word holds, so that no two identities run into one text. */
static void add_part(struct strbuf *text, struct gt_str part)
{
    strbuf_add(text, part);
    strbuf_addc(text, '\x1F');
}

/* Printed words, never the store's numbers: a store that is rebuilt gives the same events the same ids, so that receivers drop repeats. */
enum gt_err event_id(const struct event *event, char ret_id[EVENT_ID_MAX])
{
    struct strbuf text;
    uint8_t digest[SHA256_BYTES];
    char hex[SHA256_HEX_MAX];
    static const struct offer_identity none;
    const struct offer_identity *identity = event->identity != NULL ? event->identity : &none;
    strbuf_init(&text, ID_TEXT_MAX);
    add_part(&text, event->rule);
    add_part(&text, gt_str_from(event->what));
    add_part(&text, event->site);
    add_part(&text, identity->part);
    add_part(&text, identity->label);
    add_part(&text, identity->plan);
    add_part(&text, identity->region);
    add_part(&text, identity->variant);
    add_part(&text, identity->key);
    add_part(&text, event->class_key);
    strbuf_addf(&text, "%llu", (unsigned long long)event->seq);
    enum gt_err err = text.err != GT_OK ? text.err : digest_sha256(strbuf_str(&text), digest);
    strbuf_done(&text);
    if (err != GT_OK) return err;
    digest_hex(digest, sizeof digest, hex);
    memcpy(ret_id, hex, EVENT_ID_HEX);
    ret_id[EVENT_ID_HEX] = '\0';
    return GT_OK;
}

/* Scraped text may hold bytes that are no UTF-8; JSON cannot. */
static json_t *json_text(struct gt_str text)
{
    if (text.len == 0) return json_null();
    json_t *value = json_stringn(text.ptr, text.len);
    return value != NULL ? value : json_string("\xEF\xBF\xBD");
}

/* An empty word is a fact that nobody told. */
static json_t *json_word(const char *word)
{
    return word[0] != '\0' ? json_string(word) : json_null();
}

/* Amounts are texts: a number would lose digits in readers that hold numbers as doubles. */
static json_t *json_money(const struct metric_value *value)
{
    char text[MONEY_TEXT_MAX];
    return value->is_known ? json_string(money_format(value->nano, text)) : json_null();
}

static json_t *json_time(int64_t t_unix_s)
{
    char text[CIVIL_TEXT_MAX];
    return json_string(civil_rfc3339(t_unix_s, text));
}

static void set(json_t *object, const char *key, json_t *value)
{
    /* Steals the reference, also of a value that could not be made. */
    json_object_set_new(object, key, value);
}

/* The groups below stand in the order that alerts/README.md lists; JSON_PRESERVE_ORDER keeps it. */
static void add_head(json_t *object, const struct event *event, const char *id)
{
    set(object, "id", json_string(id));
    set(object, "rule", json_text(event->rule));
    set(object, "severity", json_text(event->severity));
    set(object, "time", json_time(event->t_unix_s));
    set(object, "what", json_string(event->what));
    set(object, "site", json_text(event->site));
    set(object, "site_title", json_text(event->site_title));
}

/* Null where the event is about no offer; the keys are always there, so that a receiver need not ask. */
static void add_offer(json_t *object, const struct event *event)
{
    static const struct offer_identity none;
    const struct offer_identity *identity = event->identity != NULL ? event->identity : &none;
    const struct offer_attributes *attributes = event->attributes;
    set(object, "label", json_text(identity->label));
    set(object, "plan", json_text(identity->plan));
    set(object, "region", json_text(identity->region));
    set(object, "sku", attributes != NULL ? json_word(attributes->sku) : json_null());
    set(object, "sku_status",
        attributes != NULL ? json_word(word_text(VOCABULARY_SKU, (int)attributes->sku_status)) : json_null());
    set(object, "delivery",
        attributes != NULL ? json_word(word_text(VOCABULARY_DELIVERY, (int)attributes->delivery)) : json_null());
    set(object, "tier", attributes != NULL ? json_word(word_text(VOCABULARY_TIER, (int)attributes->tier)) : json_null());
    set(object, "cards", attributes != NULL && attributes->cards > 0 ? json_integer(attributes->cards) : json_null());
    set(object, "class", json_text(event->class_key));
    set(object, "offer_id", event->offer_id != 0 ? json_integer((json_int_t)event->offer_id) : json_null());
}

/* Null, all of it, for events that are about no price. */
static void add_price(json_t *object, const struct event *event, struct arena *arena)
{
    bool is_price = event->when != NULL && event->now.is_known;
    bool has_both = is_price && event->before.is_known;
    set(object, "metric", is_price ? json_string(metric_text(event->when->metric)) : json_null());
    set(object, "condition", is_price ? json_string(direction_text(event->when->direction)) : json_null());
    set(object, "per", is_price ? json_string("card") : json_null());
    set(object, "term", is_price ? json_string(metric_is_hourly(event->when->metric) ? "hour" : "month") : json_null());
    set(object, "currency", is_price ? json_word(event->now.currency.code) : json_null());
    set(object, "old", is_price ? json_money(&event->before) : json_null());
    set(object, "new", is_price ? json_money(&event->now) : json_null());
    set(object, "percent", has_both ? json_text(metric_percent(event->before.nano, event->now.nano, arena)) : json_null());
    set(object, "reference", json_text(event->reference));
    set(object, "evidence", is_price ? json_word(word_text(VOCABULARY_EVIDENCE, (int)event->now.evidence)) : json_null());
    set(object, "formula", is_price ? json_text(event->now.formula) : json_null());
}

/* Both languages go along: one outbox may serve a Chinese and an English channel. */
static void add_tail(json_t *object, const struct event *event, struct arena *arena)
{
    set(object, "since", json_time(event->since_unix_s));
    set(object, "runs", json_integer(event->runs));
    set(object, "detail", json_text(event->detail));
    set(object, "url", json_text(event->url));
    set(object, "sample", json_boolean(event->is_sample));
    set(object, "silenced", json_boolean(event->is_silenced));
    json_t *text = json_object();
    set(text, "zh", json_text(event_text_zh(event, arena)));
    set(text, "en", json_text(event_text_en(event, arena)));
    set(object, "text", text);
}

/* Members that could not be made are missing from the object and show at json_dumps: one check at the end is enough. */
enum gt_err event_json(const struct event *event, const char *id, struct arena *arena, struct gt_str *ret_json)
{
    json_t *object = json_object();
    if (object == NULL) return GT_ENOMEM;
    add_head(object, event, id);
    add_offer(object, event);
    add_price(object, event, arena);
    add_tail(object, event, arena);
    char *bytes = json_dumps(object, JSON_COMPACT | JSON_PRESERVE_ORDER);
    json_decref(object);
    struct gt_str json = bytes != NULL ? arena_dup(arena, gt_str_from(bytes)) : (struct gt_str){NULL, 0};
    free(bytes);
    if (json.ptr == NULL) return GT_ENOMEM;
    *ret_json = json;
    return GT_OK;
}
