/* alertmanager: the events as alerts of Prometheus Alertmanager's API v2, which groups, routes and silences on its own. An event's id is a label, so
 * that a repeat is the same alert there. What lasts (a source that fails) has none: its labels are those of its recovery, which ends the alert. */
#include <jansson.h>
#include <string.h>

#include "alerts/message.h"
#include "alerts/post.h"
#include "common/arena.h"
#include "common/civil.h"
#include "common/clock.h"

enum {
    ARENA_BYTES = 64 * 1024,
    RESOLVED_AFTER_S = CIVIL_DAY_S,
    FORGOTTEN_AFTER_S = 30 * CIVIL_DAY_S, /* of what lasts, were its end never told: a source that left the configuration */
};

static void copy_text(json_t *to, const char *name, const json_t *event, const char *key)
{
    json_t *value = json_object_get(event, key);
    if (json_is_string(value)) json_object_set(to, name, value);
}

static const char *word_of(const json_t *event, const char *key)
{
    const char *word = json_string_value(json_object_get(event, key));
    return word != NULL ? word : "";
}

/* What is over once the site recovers; an event about several sites at once is not. */
static bool is_lasting_word(const char *what, const char *site)
{
    return site[0] != '\0' && (strcmp(what, "source-failed") == 0 || strcmp(what, "drift") == 0 || strcmp(what, "source-stale") == 0);
}

/* An event has no end of its own; without one the server would drop it after its resolve_timeout of five minutes. */
static void add_times(json_t *alert, const json_t *event, bool is_lasting, bool is_over)
{
    char until[CIVIL_TEXT_MAX];
    copy_text(alert, "startsAt", event, is_over ? "since" : "time");
    civil_rfc3339(clock_real_ms() / 1000 + (is_lasting ? FORGOTTEN_AFTER_S : RESOLVED_AFTER_S), until);
    if (is_over) copy_text(alert, "endsAt", event, "time");
    else json_object_set_new(alert, "endsAt", json_string(until));
}

/* Labels say what it is, annotations what is to be read. */
static json_t *alert_of(const json_t *event, bool is_zh)
{
    static const char *const labels[][2] = {{"rule", "rule"}, {"severity", "severity"}, {"site", "site"}, {"sku", "sku"}, {"offer", "label"},
                                            {"class", "class"}};
    static const char *const annotations[] = {"old", "new", "currency", "percent", "reference", "evidence", "detail"};
    const char *what = word_of(event, "what");
    bool is_over = strcmp(what, "source-recovered") == 0 && word_of(event, "reference")[0] != '\0';
    bool is_lasting = is_over || is_lasting_word(what, word_of(event, "site"));
    json_t *label = json_object(), *annotation = json_object();
    copy_text(label, "alertname", event, is_over ? "reference" : "what");
    copy_text(is_lasting ? annotation : label, "event", event, "id");
    for (size_t i = 0; i < sizeof labels / sizeof labels[0]; i++) copy_text(label, labels[i][0], event, labels[i][1]);
    for (size_t i = 0; i < sizeof annotations / sizeof annotations[0]; i++) copy_text(annotation, annotations[i], event, annotations[i]);
    copy_text(annotation, "summary", json_object_get(event, "text"), is_zh ? "zh" : "en");
    json_t *alert = json_pack("{s:o, s:o}", "labels", label, "annotations", annotation);
    copy_text(alert, "generatorURL", event, "url");
    add_times(alert, event, is_lasting, is_over);
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
