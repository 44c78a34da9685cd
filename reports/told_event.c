/* A recorded event, from JSON: what alerts/event.c writes. */
#include <jansson.h>

#include "reports/told_list.h"

/* Not there, null or no text: empty. */
static struct gt_str text_at(const json_t *object, const char *key, struct arena *arena)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_string(value)) return GT_STR("");
    return arena_dup(arena, (struct gt_str){json_string_value(value), json_string_length(value)});
}

static int64_t amount_at(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    int64_t nano = 0;
    return text != NULL && money_parse(gt_str_from(text), &nano) == GT_OK ? nano : 0;
}

static int word_at(const json_t *object, const char *key, enum vocabulary vocabulary)
{
    const char *text = json_string_value(json_object_get(object, key));
    int word = 0;
    return text != NULL && word_find(vocabulary, gt_str_from(text), &word) ? word : 0;
}

/* A card is named by the offer, or begins the key of its class or index. */
static bool read_offer(const json_t *object, struct arena *arena, struct told_event *event)
{
    struct offer_identity *identity = arena_array(arena, 1, sizeof *identity);
    struct offer_attributes *attributes = arena_array(arena, 1, sizeof *attributes);
    struct gt_str sku = text_at(object, "sku", arena), rest = event->class_key;
    if (identity == NULL || attributes == NULL) return false;
    *identity = (struct offer_identity){.label = text_at(object, "label", arena),
                                        .plan = text_at(object, "plan", arena),
                                        .region = text_at(object, "region", arena)};
    if (sku.len == 0) (void)gt_str_split(&rest, '/', &sku);
    if (sku.len >= sizeof attributes->sku) sku = GT_STR("");
    if (sku.len > 0) memcpy(attributes->sku, sku.ptr, sku.len);
    attributes->sku_status = (enum sku_status)word_at(object, "sku_status", VOCABULARY_SKU);
    attributes->delivery = (enum delivery)word_at(object, "delivery", VOCABULARY_DELIVERY);
    attributes->tier = (enum tier)word_at(object, "tier", VOCABULARY_TIER);
    event->change.identity = identity;
    event->change.attributes = attributes;
    return true;
}

/* A rule about one offer's price tells the change of it; a class's has the same words and is not one offer's. */
static void read_kind(struct told_event *event)
{
    int kind = CHANGE_PRICE;
    bool is_change = gt_str_starts(event->what, GT_STR("price-")) || word_find(VOCABULARY_CHANGE, event->what, &kind);
    event->change.kind = (enum change_kind)kind;
    event->is_of_change = is_change && event->class_key.len == 0;
}

static bool is_held(const json_t *object, struct gt_str what)
{
    return json_is_true(json_object_get(object, "silenced")) || json_is_true(json_object_get(object, "inhibited")) || gt_str_is(what, "test") ||
           gt_str_is(what, "report");
}

enum gt_err told_event_read(struct gt_str json, int64_t t_unix_s, enum gt_lang lang, struct arena *arena, struct told_event *ret_event)
{
    json_t *object = json_loadb(json.ptr, json.len, 0, NULL);
    struct told_event event = {.change = {.t_unix_s = t_unix_s}};
    const struct {
        const char *key;
        struct gt_str *place;
    } texts[] = {{"id", &event.id}, {"rule", &event.rule}, {"severity", &event.severity}, {"what", &event.what}, {"class", &event.class_key},
                 {"metric", &event.metric}, {"reference", &event.reference}, {"evidence", &event.evidence}, {"formula", &event.formula},
                 {"term", &event.term}, {"site", &event.change.site}, {"site_title", &event.site_title}, {"url", &event.url}};
    enum gt_err err = json_is_object(object) ? GT_OK : GT_ECORRUPT;
    if (err != GT_OK) goto out;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        *texts[i].place = text_at(object, texts[i].key, arena);
        if (texts[i].place->ptr == NULL) err = GT_ENOMEM;
    }
    event.text = text_at(json_object_get(object, "text"), lang_name(lang), arena);
    event.currency = currency_from(text_at(object, "currency", arena));
    event.old_nano = amount_at(object, "old");
    event.new_nano = amount_at(object, "new");
    event.change.offer_id = (uint64_t)json_integer_value(json_object_get(object, "offer_id"));
    event.change.detail = event.text;
    event.is_held = is_held(object, event.what);
    read_kind(&event);
    if (err == GT_OK && !read_offer(object, arena, &event)) err = GT_ENOMEM;
    if (err == GT_OK) *ret_event = event;
out:
    json_decref(object);
    return err;
}
