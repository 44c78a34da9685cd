#include "clickhouse/body.h"

#include <string.h>

#include <jansson.h>

/* An item as an export has it, without these fields. */
static json_t *body_without(enum dump_kind kind, const void *item, const char *const *names)
{
    json_t *body = shape_write(&export_shapes[kind], item);
    for (; body != NULL && *names != NULL; names++) json_object_del(body, *names);
    return body;
}

/* Sets a member to a value, which it takes; without either the object is none. */
static void member_set(json_t **object, const char *name, json_t *value)
{
    if (*object != NULL && json_object_set_new(*object, name, value) == 0) return;
    if (*object == NULL) json_decref(value);
    json_decref(*object);
    *object = NULL;
}

/* What has a number only so that others can refer to it. */
static json_t *thing_body(enum dump_kind kind, const void *item)
{
    static const char *const numbers[] = {"type", "id", NULL};
    return body_without(kind, item, numbers);
}

json_t *clickhouse_stream_body(const struct stream *stream)
{
    const struct dump_stream item = {.stream = *stream};
    return thing_body(DUMP_STREAM, &item);
}

json_t *clickhouse_offer_body(struct gt_str site, const struct offer_identity *identity)
{
    const struct dump_offer item = {.words = {site, *identity}};
    return thing_body(DUMP_OFFER, &item);
}

json_t *clickhouse_facts_body(const struct dump_facts *facts)
{
    return thing_body(DUMP_FACTS, facts);
}

json_t *clickhouse_run_body(const struct dump_run *run)
{
    static const char *const numbers[] = {"type", "seq", "stream", NULL};
    return body_without(DUMP_RUN, run, numbers);
}

/* What the step of an offer refers to. */
static void offer_members_set(json_t **body, const struct dump_change *change)
{
    const struct dump_attributes attributes = {.attributes = change->attributes};
    const struct dump_record before = {.record = change->before}, after = {.record = change->after};
    member_set(body, "offer", clickhouse_offer_body(change->stream.site, &change->identity));
    member_set(body, "attributes", change->step.attr != 0 ? thing_body(DUMP_ATTRIBUTES, &attributes) : json_null());
    member_set(body, "before", change->step.before != 0 ? thing_body(DUMP_RECORD, &before) : json_null());
    member_set(body, "after", change->step.after != 0 ? thing_body(DUMP_RECORD, &after) : json_null());
}

json_t *clickhouse_change_body(const struct dump_change *change, json_t *facts, clickhouse_place_fn *place, const void *ctx)
{
    /* numbers, and what an export repeats of the things that stand here whole */
    static const char *const names[] = {"type",
                                        "t",
                                        "seq",
                                        "stream",
                                        "site",
                                        "part",
                                        "provenance",
                                        "writer",
                                        "label",
                                        "plan",
                                        "region",
                                        "variant",
                                        "key",
                                        "sku",
                                        "vram_gb",
                                        "cards",
                                        "delivery",
                                        "tier",
                                        "min_cards",
                                        "min_term",
                                        "currency_before",
                                        "hour_list_before",
                                        "month_list_before",
                                        "currency",
                                        "hour_list",
                                        "month_list",
                                        NULL};
    struct dump_change placed = *change;
    placed.step.first = place(ctx, change->step.first);
    placed.step.fallback_first = place(ctx, change->step.fallback_first);
    placed.step.fallback_shown = place(ctx, change->step.fallback_shown);
    json_t *body = body_without(DUMP_CHANGE, &placed, names);
    if (change->step.offer != 0) offer_members_set(&body, change);
    else member_set(&body, "after", facts != NULL ? json_incref(facts) : json_null());
    return body;
}

json_t *clickhouse_stock_body(const struct dump_stock *stock, const char *offer)
{
    static const char *const names[] = {"type", "t", "seq", "stream", "site", "part", "provenance", "writer", NULL};
    json_t *body = body_without(DUMP_STOCK, stock, names);
    member_set(&body, "offer", offer != NULL ? json_string(offer) : json_null());
    return body;
}
