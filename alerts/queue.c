/* A channel's line of events, as one JSON value. */
#include <jansson.h>
#include <stdlib.h>

#include "alerts/outbox.h"

#define QUEUE_PREFIX "q\x1F"

static enum gt_err queue_key(const struct outbox *outbox, struct gt_str channel, struct gt_str *ret_key)
{
    if (channel.len > OUTBOX_QUEUE_KEY_MAX) return gt_fail(outbox->info, GT_ELIMIT, "a channel's name is too long");
    *ret_key = arena_printf(outbox->arena, QUEUE_PREFIX "%.*s", GT_STR_ARG(channel));
    return ret_key->ptr != NULL ? GT_OK : gt_fail(outbox->info, GT_ENOMEM, "out of memory");
}

/* A missing or odd member is an empty text: an older program may have written the line. */
static struct gt_str text_of(const json_t *object, const char *key, struct arena *arena)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_string(value)) return GT_STR("");
    return arena_dup(arena, (struct gt_str){json_string_value(value), json_string_length(value)});
}

static enum gt_err entry_add(struct queue *queue, struct queue_entry entry, struct arena *arena)
{
    void *entries = queue->entries;
    if (entry.key.ptr == NULL || entry.parked.ptr == NULL) return GT_ENOMEM;
    if (!arena_grow(arena, &entries, queue->count, &queue->cap, sizeof *queue->entries)) return GT_ENOMEM;
    queue->entries = entries;
    queue->entries[queue->count++] = entry;
    return GT_OK;
}

static enum gt_err queue_parse(const json_t *object, struct arena *arena, struct queue *queue)
{
    const json_t *entries = json_object_get(object, "events"), *entry;
    size_t i;
    queue->attempts = (int32_t)json_integer_value(json_object_get(object, "attempts"));
    queue->next_try_unix_s = (int64_t)json_integer_value(json_object_get(object, "next_try"));
    queue->error = text_of(object, "error", arena);
    queue->was_unsure = json_is_true(json_object_get(object, "unsure"));
    queue->allowance_milli = (int64_t)json_integer_value(json_object_get(object, "allowance"));
    queue->allowance_unix_s = (int64_t)json_integer_value(json_object_get(object, "allowance_at"));
    json_array_foreach(entries, i, entry)
    {
        struct queue_entry read = {text_of(entry, "key", arena), text_of(entry, "parked", arena),
                                   (int64_t)json_integer_value(json_object_get(entry, "hold")),
                                   (int32_t)json_integer_value(json_object_get(entry, "picture"))};
        enum gt_err err = entry_add(queue, read, arena);
        if (err != GT_OK) return err;
    }
    return queue->error.ptr != NULL ? GT_OK : GT_ENOMEM;
}

/* A channel without a row has an empty line. One that cannot be read is an error, never an empty line: what waits in it would be lost. */
enum gt_err queue_load(const struct outbox *outbox, struct gt_str channel, struct queue *ret_queue)
{
    struct queue queue = {.channel = channel, .error = GT_STR("")};
    struct gt_str key = {NULL, 0}, value = {NULL, 0};
    enum gt_err err = queue_key(outbox, channel, &key);
    if (err == GT_OK) err = outbox_value_get(outbox, STORE_OUTBOX, key, &value);
    if (err != GT_OK && err != GT_ENOENT) return err;
    if (err == GT_OK) {
        json_t *object = json_loadb(value.ptr, value.len, 0, NULL);
        err = json_is_object(object) ? queue_parse(object, outbox->arena, &queue) : GT_ECORRUPT;
        json_decref(object);
        if (err != GT_OK)
            return gt_fail(outbox->info, err, "the outbox of channel %.*s: %s", GT_STR_ARG(channel), gt_err_text(err));
    }
    *ret_queue = queue;
    return GT_OK;
}

enum gt_err queue_add(struct queue *queue, struct gt_str key, int64_t hold_until_unix_s, struct arena *arena)
{
    return entry_add(queue, (struct queue_entry){arena_dup(arena, key), GT_STR(""), hold_until_unix_s, 0}, arena);
}

/* The order of the others is that in which they fired, and stays. */
void queue_remove(struct queue *queue, struct gt_str key)
{
    size_t kept = 0;
    for (size_t i = 0; i < queue->count; i++)
        if (!gt_str_eq(queue->entries[i].key, key)) queue->entries[kept++] = queue->entries[i];
    queue->count = kept;
}

/* Failures in a row belong to the channel, not to an event: a digest is taken as a whole or not at all. */
static json_t *queue_object(const struct queue *queue)
{
    json_t *events = json_array();
    for (size_t i = 0; i < queue->count; i++) {
        const struct queue_entry *entry = &queue->entries[i];
        json_t *item = json_object();
        json_object_set_new(item, "key", json_stringn(entry->key.ptr, entry->key.len));
        if (entry->parked.len > 0) json_object_set_new(item, "parked", json_stringn(entry->parked.ptr, entry->parked.len));
        if (entry->hold_until_unix_s != 0) json_object_set_new(item, "hold", json_integer((json_int_t)entry->hold_until_unix_s));
        if (entry->picture_try != 0) json_object_set_new(item, "picture", json_integer(entry->picture_try));
        json_array_append_new(events, item);
    }
    return json_pack("{s:i, s:I, s:s%, s:b, s:I, s:I, s:o}", "attempts", queue->attempts, "next_try", (json_int_t)queue->next_try_unix_s,
                     "error", queue->error.ptr, queue->error.len, "unsure", queue->was_unsure, "allowance",
                     (json_int_t)queue->allowance_milli, "allowance_at", (json_int_t)queue->allowance_unix_s, "events", events);
}

/* A line that is empty, healthy and owes no wait needs no row. */
enum gt_err queue_save(const struct outbox *outbox, const struct queue *queue)
{
    struct gt_str key = {NULL, 0};
    enum gt_err err = queue_key(outbox, queue->channel, &key);
    if (err != GT_OK) return err;
    if (queue->count == 0 && queue->attempts == 0 && queue->allowance_unix_s == 0)
        return outbox_value_put(outbox, STORE_OUTBOX, key, (struct gt_str){NULL, 0});
    json_t *object = queue_object(queue);
    char *bytes = object != NULL ? json_dumps(object, JSON_COMPACT | JSON_PRESERVE_ORDER) : NULL;
    json_decref(object);
    if (bytes == NULL) return gt_fail(outbox->info, GT_ENOMEM, "out of memory");
    err = outbox_value_put(outbox, STORE_OUTBOX, key, gt_str_from(bytes));
    free(bytes);
    return err;
}
