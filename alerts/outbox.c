#include "alerts/outbox.h"

#include <stdio.h>
#include <stdlib.h>

#define EVENT_PREFIX "e\x1F"
#define QUEUE_PREFIX "q\x1F"

enum { TIME_DIGITS = 20 };

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

const char *outbox_event_key(int64_t t_unix_s, const char *id, char ret_key[OUTBOX_KEY_MAX])
{
    /* Times before 1970 do not occur: a clock that far off is told as 1970. */
    snprintf(ret_key, OUTBOX_KEY_MAX, EVENT_PREFIX "%020lld\x1F%s", (long long)(t_unix_s > 0 ? t_unix_s : 0), id);
    return ret_key;
}

enum gt_err outbox_event_get(const struct outbox *outbox, struct gt_str key, struct gt_str *ret_json)
{
    return outbox_value_get(outbox, STORE_OUTBOX, key, ret_json);
}

enum gt_err outbox_event_replace(const struct outbox *outbox, struct gt_str key, struct gt_str json)
{
    return outbox_value_put(outbox, STORE_OUTBOX, key, json);
}

enum gt_err outbox_event_put(const struct outbox *outbox, struct gt_str key, struct gt_str json, bool *ret_is_new)
{
    struct gt_str known;
    enum gt_err err = outbox_event_get(outbox, key, &known);
    *ret_is_new = err == GT_ENOENT;
    return err == GT_ENOENT ? outbox_event_replace(outbox, key, json) : err;
}

/* What store_each needs to hand an event on. */
struct listing {
    int64_t since_unix_s, until_unix_s;
    outbox_event_fn *fn;
    void *ctx;
};

/* The prefix may take in more than the range: the time in the key decides. */
static enum gt_err hand_on(void *ctx, struct gt_str key, struct gt_str value)
{
    struct listing *listing = ctx;
    char digits[TIME_DIGITS + 1] = "";
    struct gt_str time = gt_str_slice(key, sizeof EVENT_PREFIX - 1, TIME_DIGITS);
    memcpy(digits, time.ptr, time.len);
    int64_t t_unix_s = strtoll(digits, NULL, 10);
    if (t_unix_s < listing->since_unix_s || t_unix_s >= listing->until_unix_s) return GT_OK;
    return listing->fn(listing->ctx, t_unix_s, value);
}

/* The digits that all times of the range begin with, so that a list of a week does not read ten years. */
static size_t common_digits(int64_t since_unix_s, int64_t until_unix_s, char digits[TIME_DIGITS + 1])
{
    char last[TIME_DIGITS + 1];
    size_t common = 0;
    snprintf(digits, TIME_DIGITS + 1, "%020lld", (long long)(since_unix_s > 0 ? since_unix_s : 0));
    snprintf(last, sizeof last, "%020lld", (long long)(until_unix_s > 0 ? until_unix_s : 0));
    while (common < TIME_DIGITS && digits[common] == last[common]) common++;
    return common;
}

enum gt_err outbox_events(const struct outbox *outbox, int64_t since_unix_s, int64_t until_unix_s, outbox_event_fn *fn, void *ctx)
{
    struct listing listing = {since_unix_s, until_unix_s, fn, ctx};
    char digits[TIME_DIGITS + 1];
    size_t common = common_digits(since_unix_s, until_unix_s, digits);
    struct gt_str prefix = arena_printf(outbox->arena, EVENT_PREFIX "%.*s", (int)common, digits);
    if (prefix.ptr == NULL) return gt_fail(outbox->info, GT_ENOMEM, "out of memory");
    return outbox_value_each(outbox, STORE_OUTBOX, prefix, hand_on, &listing);
}

struct names {
    struct arena *arena;
    struct gt_str *items;
    size_t count, cap;
};

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
