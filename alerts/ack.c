/* `alerts ack`: an event that somebody has seen to leaves every channel's line and stays recorded. */
#include <jansson.h>
#include <stdlib.h>

#include "alerts/engine.h"
#include "common/civil.h"

enum { ACK_ID_MIN = 8 };

/* The event that an id, or the beginning of one, names. */
struct search {
    struct arena *arena;
    struct gt_str id;
    struct gt_str key, json;
    size_t found;
};

static enum gt_err look(void *ctx, int64_t t_unix_s, struct gt_str json)
{
    struct search *search = ctx;
    char key[EVENT_KEY_MAX];
    json_t *event = json_loadb(json.ptr, json.len, 0, NULL);
    const char *id = json_string_value(json_object_get(event, "id"));
    bool is_it = id != NULL && strlen(id) < EVENT_ID_MAX && gt_str_starts(gt_str_from(id), search->id);
    if (is_it) {
        search->found++;
        search->key = arena_dup(search->arena, gt_str_from(event_key_print(t_unix_s, id, key)));
        search->json = arena_dup(search->arena, json);
    }
    json_decref(event);
    return !is_it || (search->key.ptr != NULL && search->json.ptr != NULL) ? GT_OK : GT_ENOMEM;
}

/* Lines first: a crash between them and the record leaves an event that is not sent and can be acknowledged again. */
static enum gt_err lines_leave(const struct outbox *outbox, struct gt_str key)
{
    struct gt_str *names = NULL;
    size_t count = 0;
    enum gt_err err = queue_names(outbox, &names, &count);
    for (size_t i = 0; err == GT_OK && i < count; i++) {
        struct queue queue;
        err = queue_load(outbox, names[i], &queue);
        size_t before = err == GT_OK ? queue.count : 0;
        if (err == GT_OK) queue_remove(&queue, key);
        if (err == GT_OK && queue.count != before) err = queue_save(outbox, &queue);
    }
    return err;
}

static enum gt_err mark(const struct alerts *alerts, const struct outbox *outbox, const struct search *search)
{
    char time[CIVIL_TEXT_MAX];
    json_t *event = json_loadb(search->json.ptr, search->json.len, 0, NULL);
    json_object_set_new(event, "acked", json_string(civil_rfc3339(clock_unix_s(alerts->clock), time)));
    char *bytes = event != NULL ? json_dumps(event, JSON_COMPACT | JSON_PRESERVE_ORDER) : NULL;
    json_decref(event);
    if (bytes == NULL) return gt_fail(outbox->info, GT_ENOMEM, "out of memory");
    enum gt_err err = outbox_event_replace(outbox, search->key, gt_str_from(bytes));
    free(bytes);
    return err;
}

enum gt_err alerts_ack(struct alerts *alerts, struct gt_str id, struct gt_errinfo *info)
{
    struct outbox outbox = {alerts->store, NULL, arena_new(ENGINE_SCRATCH_MAX), info, alerts->overlay};
    struct search search = {.arena = outbox.arena, .id = id};
    if (outbox.arena == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    enum gt_err err = id.len >= ACK_ID_MIN ? outbox_events(&outbox, 0, INT64_MAX, look, &search)
                                           : gt_fail(info, GT_EUSAGE, "an event is named by %d characters of its id at least", ACK_ID_MIN);
    if (err == GT_OK && search.found == 0)
        err = gt_fail(info, GT_ENOENT, "no event \"%.*s\" is recorded; `gputape alerts list --json` has the ids", GT_STR_ARG(id));
    if (err == GT_OK && search.found > 1) err = gt_fail(info, GT_EUSAGE, "%zu events begin with \"%.*s\"", search.found, GT_STR_ARG(id));
    if (err == GT_OK) err = lines_leave(&outbox, search.key);
    if (err == GT_OK) err = mark(alerts, &outbox, &search);
    arena_free(outbox.arena);
    return err;
}
