/* alertmanager: the events as alerts of Prometheus Alertmanager's API v2, which groups, routes and silences on its own. An event's id is a label, so
 * that a repeat is the same alert there. */
#include <jansson.h>

#include "alerts/message.h"
#include "alerts/post.h"
#include "common/arena.h"
#include "common/civil.h"
#include "common/clock.h"

enum { ARENA_BYTES = 64 * 1024, RESOLVED_AFTER_S = 86400 };

static void copy_text(json_t *to, const char *name, const json_t *event, const char *key)
{
    json_t *value = json_object_get(event, key);
    if (json_is_string(value)) json_object_set(to, name, value);
}

/* Labels say what it is, annotations what is to be read. */
static json_t *alert_of(const json_t *event, bool is_zh)
{
    static const struct {
        const char *label, *key;
    } labels[] = {{"alertname", "what"}, {"event", "id"},   {"rule", "rule"}, {"severity", "severity"}, {"site", "site"},
                  {"sku", "sku"},        {"offer", "label"}, {"class", "class"}};
    static const char *const annotations[] = {"old", "new", "currency", "percent", "reference", "evidence", "detail"};
    char until[CIVIL_TEXT_MAX];
    json_t *label = json_object(), *annotation = json_object();
    for (size_t i = 0; i < sizeof labels / sizeof labels[0]; i++) copy_text(label, labels[i].label, event, labels[i].key);
    for (size_t i = 0; i < sizeof annotations / sizeof annotations[0]; i++) copy_text(annotation, annotations[i], event, annotations[i]);
    copy_text(annotation, "summary", json_object_get(event, "text"), is_zh ? "zh" : "en");
    json_t *alert = json_pack("{s:o, s:o}", "labels", label, "annotations", annotation);
    copy_text(alert, "startsAt", event, "time");
    copy_text(alert, "generatorURL", event, "url");
    /* An event has no end of its own; without one the server would drop it after its resolve_timeout of five minutes. */
    civil_rfc3339(clock_real_ms() / 1000 + RESOLVED_AFTER_S, until);
    json_object_set_new(alert, "endsAt", json_string(until));
    return alert;
}

static enum delivery_result send(const struct channel *channel, const struct message *message, int64_t *ret_hold_s,
                                 struct gt_errinfo *why)
{
    struct arena *arena = arena_new(ARENA_BYTES);
    struct post_secret url = {NULL, 0};
    enum delivery_result result = DELIVERY_LATER;
    json_t *alerts = json_array();
    const json_t *event;
    size_t i;
    json_array_foreach(message->events, i, event)
    {
        json_array_append_new(alerts, alert_of(event, message->is_zh));
    }
    if (arena != NULL && post_address(channel->section, NULL, &url, why))
        result = post_json(channel, arena_printf(arena, "%s/api/v2/alerts", url.bytes), json_incref(alerts), NULL, ret_hold_s, why);
    json_decref(alerts);
    post_secret_free(&url);
    arena_free(arena);
    return result;
}

const struct channel_type channel_alertmanager = {.name = "alertmanager", .check = post_check_robot, .send = send};
