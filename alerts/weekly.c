/* [report weekly]: last week's report to channels, once a week, at the first crawl that closes after Monday 09:00 (Asia/Shanghai). It goes the
 * way of events: recorded and lined up in the crawl's transaction, sent until it is taken. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "alerts/engine.h"
#include "common/civil.h"
#include "reports/picture.h"
#include "reports/published.h"

enum { BODY_BYTES_MAX = 8 << 20 };

static const struct conf_section *section_of(const struct alerts *alerts)
{
    const struct conf_section *section = conf_find(alerts->conf, "report", GT_STR("weekly"));
    return section != NULL && conf_text(section, "to").len > 0 ? section : NULL;
}

enum gt_err weekly_check(const struct alerts *alerts, struct gt_errinfo *info)
{
    const struct conf_section *section = section_of(alerts);
    struct gt_str rest = section != NULL ? conf_text(section, "to") : (struct gt_str){"", 0}, name;
    enum gt_err err = GT_OK;
    while (err == GT_OK && rule_channel_next(&rest, &name)) err = engine_channel_check(alerts, section, name, info);
    const struct conf_value *program = section != NULL ? conf_get(section, "picture_program") : NULL;
    bool is_path = program != NULL && program->text.len < PATH_MAX && gt_str_starts(program->text, GT_STR("/"));
    if (err == GT_OK && program != NULL && !is_path && !gt_str_is(program->text, "no"))
        err = conf_fail(program, info, "the program needs its whole path, such as " PICTURE_PROGRAM "; or `no`");
    return err;
}

bool alerts_picture_program(const struct conf *conf, char ret_path[PATH_MAX])
{
    const struct conf_section *section = conf_find(conf, "report", GT_STR("weekly"));
    struct gt_str program = section != NULL ? conf_text(section, "picture_program") : GT_STR("");
    bool is_wanted = !gt_str_is(program, "no");
    if (program.len == 0 || !is_wanted) program = GT_STR(PICTURE_PROGRAM);
    snprintf(ret_path, PATH_MAX, "%.*s", GT_STR_ARG(program));
    return is_wanted;
}

/* One report in the forms that channels take. */
struct weekly_texts {
    struct gt_str body, html;
    struct gt_str plot; /* its charts, as picture_draw wants them; empty without charts */
};

/* What everybody gets: [monday - 7 d, monday) for the default persona. */
static enum gt_err input_of(struct evaluation *ev, int64_t monday, struct report_input *ret_input)
{
    const struct conf_section *defaults = conf_find(ev->alerts->conf, "defaults", GT_STR(""));
    *ret_input = (struct report_input){.store = ev->alerts->store,
                                       .now_unix_s = ev->t_unix_s,
                                       .since_unix_s = monday - CIVIL_WEEK_S,
                                       .until_unix_s = monday,
                                       .zone_offset_s = CIVIL_SHANGHAI_S,
                                       .holdings = ev->alerts->holdings,
                                       .holding_count = ev->alerts->holding_count,
                                       .lang = defaults != NULL && gt_str_is(conf_text(defaults, "lang"), "en") ? LANG_EN : LANG_ZH};
    return persona_read(GT_STR(""), &ret_input->persona, ev->info);
}

/* The report as one text, empty when it is larger than BODY_BYTES_MAX; freed by the caller. */
static enum gt_err render(struct evaluation *ev, const struct report_input *input, const struct sink *sink, struct gt_str *ret_text)
{
    char *bytes = NULL;
    size_t len = 0;
    FILE *memory = open_memstream(&bytes, &len);
    if (memory == NULL) return gt_fail(ev->info, GT_ENOMEM, "out of memory");
    enum gt_err err = report_weekly.run(input, sink, memory, ev->info);
    if (fclose(memory) != 0 && err == GT_OK) err = gt_fail(ev->info, GT_ENOMEM, "out of memory");
    /* A form that is too large is left out: the crawl must not fail of it, and the heartbeat goes all the same. */
    if (err != GT_OK || len > BODY_BYTES_MAX) free(bytes);
    else *ret_text = (struct gt_str){bytes, len};
    return err;
}

/* ---- the heartbeat ---- */

struct beat {
    const struct alerts *alerts;
    size_t sent; /* in the week before: had a channel, nothing held it back */
};

/* A rule that has left the configuration counts as no channel: what it told is not what works today. */
static enum gt_err count_event(void *ctx, int64_t t_unix_s, struct gt_str json)
{
    struct beat *beat = ctx;
    (void)t_unix_s;
    json_t *event = json_loadb(json.ptr, json.len, 0, NULL);
    const char *name = json_string_value(json_object_get(event, "rule"));
    const struct rule *rule = name != NULL ? engine_rule(beat->alerts, gt_str_from(name)) : NULL;
    bool is_held = json_is_true(json_object_get(event, "silenced")) || json_is_true(json_object_get(event, "inhibited"));
    beat->sent += rule != NULL && rule->channel_count > 0 && !is_held;
    json_decref(event);
    return GT_OK;
}

/* Events that some channel still waits for, each once. */
static enum gt_err count_waiting(struct evaluation *ev, size_t *ret_waiting)
{
    struct gt_str *seen = NULL;
    size_t count = 0, cap = 0;
    enum gt_err err = GT_OK;
    for (size_t i = 0; err == GT_OK && i < ev->alerts->channel_count; i++) {
        struct queue queue;
        err = queue_load(&ev->outbox, ev->alerts->channels[i].name, &queue);
        for (size_t k = 0; err == GT_OK && k < queue.count; k++) {
            void *items = seen;
            bool is_seen = false;
            for (size_t n = 0; n < count; n++) is_seen = is_seen || gt_str_eq(seen[n], queue.entries[k].key);
            if (is_seen) continue;
            if (!arena_grow(ev->arena, &items, count, &cap, sizeof *seen)) return gt_fail(ev->info, GT_ENOMEM, "out of memory");
            seen = items;
            seen[count++] = queue.entries[k].key;
        }
    }
    *ret_waiting = count;
    return err;
}

/* "2026-W38: last crawl 2026-09-21T01:07:00Z, 4 alerts sent, 0 waiting": somebody who reads it knows that all of it still runs. */
static enum gt_err heartbeat(struct evaluation *ev, int64_t monday, struct event *event)
{
    struct beat beat = {.alerts = ev->alerts};
    char time[CIVIL_TEXT_MAX];
    int64_t year;
    int week;
    size_t waiting = 0;
    enum gt_err err = outbox_events(&ev->outbox, ev->t_unix_s - CIVIL_WEEK_S, ev->t_unix_s + 1, count_event, &beat);
    if (err == GT_OK) err = count_waiting(ev, &waiting);
    if (err != GT_OK) return err;
    civil_week(monday - CIVIL_WEEK_S, CIVIL_SHANGHAI_S, &year, &week);
    size_t sent = beat.sent > waiting ? beat.sent - waiting : 0;
    civil_rfc3339(ev->t_unix_s, time);
    event->detail =
        arena_printf(ev->arena, "%lld-W%02d: last crawl %s, %zu alerts sent, %zu waiting", (long long)year, week, time, sent, waiting);
    event->detail_zh =
        arena_printf(ev->arena, "%lld-W%02d，最近抓取 %s，已发 %zu 条提醒，%zu 条等待", (long long)year, week, time, sent, waiting);
    return event->detail.ptr != NULL && event->detail_zh.ptr != NULL ? GT_OK : gt_fail(ev->info, GT_ENOMEM, "out of memory");
}

/* ---- into the outbox ---- */

/* `to` of the section; the report's event belongs to no [alert] rule. */
static enum gt_err lines_add(struct evaluation *ev, struct gt_str key)
{
    struct gt_str rest = conf_text(section_of(ev->alerts), "to"), name;
    enum gt_err err = GT_OK;
    while (err == GT_OK && rule_channel_next(&rest, &name)) {
        struct queue queue;
        err = queue_load(&ev->outbox, name, &queue);
        if (err == GT_OK) queue_remove(&queue, key); /* a channel that is named twice gets one */
        if (err == GT_OK) err = queue_add(&queue, key, 0, ev->arena);
        if (err == GT_OK) err = queue_save(&ev->outbox, &queue);
    }
    return err;
}

/* The three texts are added to the JSON of a usual event, so that every channel can send it and those that know a report send more. */
static enum gt_err put(struct evaluation *ev, const struct event *event, const struct weekly_texts *texts)
{
    char id[EVENT_ID_MAX], key[EVENT_KEY_MAX];
    struct gt_str json = {NULL, 0};
    bool is_new = false;
    enum gt_err err = event_id(event, id);
    if (err == GT_OK) err = event_json(event, id, ev->arena, &json);
    if (err != GT_OK) return gt_fail(ev->info, err, "the weekly report: %s", gt_err_text(err));
    json_t *object = json_loadb(json.ptr, json.len, 0, NULL);
    json_object_set_new(object, "body", json_stringn(texts->body.ptr, texts->body.len));
    json_object_set_new(object, "html", json_stringn(texts->html.ptr, texts->html.len));
    json_object_set_new(object, "plot", json_stringn(texts->plot.ptr, texts->plot.len));
    char *bytes = object != NULL ? json_dumps(object, JSON_COMPACT | JSON_PRESERVE_ORDER) : NULL;
    json_decref(object);
    if (bytes == NULL) return gt_fail(ev->info, GT_ENOMEM, "out of memory");
    err = outbox_event_put(&ev->outbox, gt_str_from(event_key_print(ev->t_unix_s, id, key)), gt_str_from(bytes), &is_new);
    free(bytes);
    return err == GT_OK && is_new ? lines_add(ev, gt_str_from(key)) : err;
}

/* What was sent is kept as published, in the same transaction: the next report compares itself with what people were told. */
static enum gt_err send_week(struct evaluation *ev, int64_t monday)
{
    struct weekly_texts texts = {.body = {NULL, 0}};
    struct event event = {.rule = GT_STR("weekly"),
                          .severity = GT_STR("info"),
                          .what = "report",
                          .t_unix_s = ev->t_unix_s,
                          .since_unix_s = monday - CIVIL_WEEK_S,
                          .seq = (uint64_t)monday,
                          .runs = 1,
                          .is_sample = ev->alerts->is_sample};
    struct report_input input;
    struct report_period week = {REPORT_WEEK, monday - CIVIL_WEEK_S, monday};
    bool is_new;
    enum gt_err err = heartbeat(ev, monday, &event);
    if (err == GT_OK) err = input_of(ev, monday, &input);
    if (err == GT_OK) err = render(ev, &input, &sink_text, &texts.body);
    if (err == GT_OK) err = render(ev, &input, &sink_html, &texts.html);
    if (err == GT_OK) err = render(ev, &input, &picture_sink, &texts.plot);
    if (err == GT_OK) err = put(ev, &event, &texts);
    if (err == GT_OK) err = published_keep(&input, ev->outbox.txn, &week, PUBLISHED_SENT, &is_new, ev->info);
    free((char *)(uintptr_t)texts.body.ptr);
    free((char *)(uintptr_t)texts.html.ptr);
    free((char *)(uintptr_t)texts.plot.ptr);
    return err;
}

/* A store that is new, or a section, begins with the week that runs: there is nothing to tell of the one before. */
enum gt_err evaluate_weekly(struct evaluation *ev)
{
    struct rule_state state;
    bool is_known;
    struct gt_str key = GT_STR("w\x1Fweekly");
    if (ev->outbox.overlay != NULL || section_of(ev->alerts) == NULL) return GT_OK;
    int64_t monday = civil_monday_unix(ev->t_unix_s - RULE_WEEKLY_HOUR * CIVIL_HOUR_S, CIVIL_SHANGHAI_S);
    enum gt_err err = memory_load(ev, key, &state, &is_known);
    if (err != GT_OK || (is_known && state.since_unix_s >= monday)) return err;
    state.since_unix_s = monday;
    if (is_known) err = send_week(ev, monday);
    return err == GT_OK ? memory_save(ev, key, &state) : err;
}
