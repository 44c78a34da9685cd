#include "alerts/outbox.h"

#define QUEUE_PREFIX "q\x1F"

/* A replay over history reads and writes an overlay in memory instead of the store, through the same three functions. */
enum gt_err outbox_value_get(const struct outbox *outbox, enum store_table table, struct gt_str key, struct gt_str *ret_value)
{
    struct gt_errinfo why = {0};
    if (outbox->overlay != NULL) return overlay_get(outbox->overlay, key, ret_value);
    enum gt_err err = store_get(outbox->store, outbox->txn, table, key, outbox->arena, ret_value, &why);
    return err == GT_OK || err == GT_ENOENT ? err : gt_fail(outbox->info, err, "%s", why.text);
}

enum gt_err outbox_value_put(const struct outbox *outbox, enum store_table table, struct gt_str key, struct gt_str value)
{
    if (outbox->overlay == NULL) return store_put(outbox->store, outbox->txn, table, key, value, outbox->info);
    enum gt_err err = overlay_put(outbox->overlay, key, value);
    return err == GT_OK ? GT_OK : gt_fail(outbox->info, err, "out of memory");
}

enum gt_err outbox_value_each(const struct outbox *outbox, enum store_table table, struct gt_str prefix, store_each_fn *fn, void *ctx)
{
    if (outbox->overlay != NULL) return overlay_each(outbox->overlay, prefix, fn, ctx);
    return store_each(outbox->store, outbox->txn, table, prefix, outbox->arena, fn, ctx, outbox->info);
}

enum gt_err outbox_event_get(const struct outbox *outbox, struct gt_str key, struct gt_str *ret_json)
{
    return outbox_value_get(outbox, STORE_OUTBOX, key, ret_json);
}

enum gt_err outbox_event_replace(const struct outbox *outbox, struct gt_str key, struct gt_str json)
{
    return outbox_value_put(outbox, STORE_OUTBOX, key, json);
}

/* An event's key is its time and id: what a repeated run tells again is there already and enters no line a second time. */
enum gt_err outbox_event_put(const struct outbox *outbox, struct gt_str key, struct gt_str json, bool *ret_is_new)
{
    struct gt_str known;
    enum gt_err err = outbox_event_get(outbox, key, &known);
    *ret_is_new = err == GT_ENOENT;
    return err == GT_ENOENT ? outbox_event_replace(outbox, key, json) : err;
}

enum gt_err outbox_events(const struct outbox *outbox, int64_t since_unix_s, int64_t until_unix_s, event_fn *fn, void *ctx)
{
    struct event_range range = {since_unix_s, until_unix_s, fn, ctx};
    struct gt_str prefix = event_range_prefix(&range, outbox->arena);
    if (prefix.ptr == NULL) return gt_fail(outbox->info, GT_ENOMEM, "out of memory");
    return outbox_value_each(outbox, STORE_OUTBOX, prefix, event_range_take, &range);
}

struct names {
    struct arena *arena;
    struct gt_str *items;
    size_t count, cap;
};

/* Also of channels that the configuration has lost: what waits for them is shown, and can be handed on. */
static enum gt_err add_name(void *ctx, struct gt_str key, struct gt_str value)
{
    struct names *names = ctx;
    void *items = names->items;
    (void)value;
    if (!arena_grow(names->arena, &items, names->count, &names->cap, sizeof *names->items)) return GT_ENOMEM;
    names->items = items;
    names->items[names->count++] = gt_str_slice(key, sizeof QUEUE_PREFIX - 1, key.len);
    return GT_OK;
}

enum gt_err queue_names(const struct outbox *outbox, struct gt_str **ret_names, size_t *ret_count)
{
    struct names names = {.arena = outbox->arena};
    enum gt_err err =
        outbox_value_each(outbox, STORE_OUTBOX, GT_STR(QUEUE_PREFIX), add_name, &names);
    if (err != GT_OK) return err;
    *ret_names = names.items;
    *ret_count = names.count;
    return GT_OK;
}
