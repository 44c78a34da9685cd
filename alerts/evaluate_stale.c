/* `source stale 36h`: sources that give nothing good for so long, whatever their errors say and however they are silenced. */
#include "alerts/engine.h"
#include "common/civil.h"

enum { STALE_NAMED_MAX = 8 /* sources named in one event */ };

/* Its own kind of key, so that the close of a crawl walks over sources alone: "f" US rule US rule's id US site. */
static struct gt_str stale_key(struct evaluation *ev, const struct rule *rule, struct gt_str site)
{
    return arena_printf(ev->arena, "f\x1F%.*s\x1F%s\x1F%.*s", GT_STR_ARG(rule->name), rule->id, GT_STR_ARG(site));
}

enum gt_err stale_note(struct evaluation *ev, const struct rule *rule, bool is_good)
{
    struct rule_state state;
    bool is_known;
    struct gt_str key = stale_key(ev, rule, ev->run->site);
    enum gt_err err = memory_load(ev, key, &state, &is_known);
    if (err != GT_OK || (is_known && !is_good)) return err;
    /* A source that never was good is counted from its first run. */
    if (is_good && state.is_beyond) {
        struct event event = {
            .what = event_what(CHANGE_SOURCE_RECOVERED), .reference = GT_STR("source-stale"), .since_unix_s = state.since_unix_s, .runs = 1};
        err = fire(ev, rule, &event, NULL);
    }
    state.is_beyond = false;
    state.since_unix_s = ev->t_unix_s;
    return err == GT_OK ? memory_save(ev, key, &state) : err;
}

/* Sources of one rule that have just become stale. */
struct stale_list {
    struct evaluation *ev;
    const struct rule *rule;
    struct gt_str *keys, *sites;
    size_t count, key_cap, site_cap;
    int64_t since_unix_s; /* the earliest last good run */
};

/* A source that left the configuration is missed by nobody. Without any [site] section (a store alone) all count. One that is fetched seldom
 * is given two of its rounds. */
static bool is_stale(const struct stale_list *list, struct gt_str site, int64_t good_unix_s)
{
    struct conf *conf = list->ev->alerts->conf;
    const struct conf_section *const *sections = conf_sections(conf, "site");
    const struct conf_section *section = conf_find(conf, "site", site);
    int64_t span_s = list->rule->when.span_s;
    if (section != NULL) {
        int64_t rounds_s = conf_duration_ms(section, "every", 0) / 1000 * 2;
        if (rounds_s > span_s) span_s = rounds_s;
    }
    bool is_watched = sections == NULL || sections[0] == NULL || (section != NULL && conf_bool(section, "enabled", true));
    return is_watched && list->ev->t_unix_s - good_unix_s >= span_s;
}

/* A source that has left the file has only its name. */
static struct gt_str title_of(const struct evaluation *ev, struct gt_str site)
{
    const struct conf_section *section = conf_find(ev->alerts->conf, "site", site);
    struct gt_str title = section != NULL ? conf_text(section, "title") : (struct gt_str){"", 0};
    return title.len > 0 ? title : site;
}

/* Called while the table is walked: it is written to afterwards. */
static enum gt_err collect(void *ctx, struct gt_str key, struct gt_str value)
{
    struct stale_list *list = ctx;
    struct evaluation *ev = list->ev;
    struct rule_state state;
    struct gt_str rest = key, site = {"", 0};
    for (int i = 0; i < 4; i++)
        if (!gt_str_split(&rest, '\x1F', &site)) return GT_OK;
    if (state_parse(value, ev->arena, &state) != GT_OK || state.is_beyond) return GT_OK;
    if (!is_stale(list, site, state.since_unix_s)) return GT_OK;
    void *keys = list->keys, *sites = list->sites;
    if (!arena_grow(ev->arena, &keys, list->count, &list->key_cap, sizeof *list->keys) ||
        !arena_grow(ev->arena, &sites, list->count, &list->site_cap, sizeof *list->sites))
        return GT_ENOMEM;
    list->keys = keys;
    list->sites = sites;
    list->keys[list->count] = arena_dup(ev->arena, key);
    list->sites[list->count] = arena_dup(ev->arena, site);
    if (list->count == 0 || state.since_unix_s < list->since_unix_s) list->since_unix_s = state.since_unix_s;
    return list->keys[list->count].ptr != NULL && list->sites[list->count++].ptr != NULL ? GT_OK : GT_ENOMEM;
}

/* One event for all that went stale together: forty sources behind a dead line are one thing to say. */
static enum gt_err tell(const struct stale_list *list)
{
    struct evaluation *ev = list->ev;
    struct gt_str names = {"", 0};
    for (size_t i = 0; i < list->count && i < STALE_NAMED_MAX; i++)
        names = arena_printf(ev->arena, "%.*s%s%.*s", GT_STR_ARG(names), i > 0 ? ", " : "", GT_STR_ARG(title_of(ev, list->sites[i])));
    char time[CIVIL_TEXT_MAX];
    struct gt_str since = arena_printf(ev->arena, "> %s", civil_rfc3339(list->since_unix_s, time));
    if (list->count > STALE_NAMED_MAX) names = arena_printf(ev->arena, "%.*s … (%zu)", GT_STR_ARG(names), list->count);
    struct event event = {.what = "source-stale",
                          .site = list->count == 1 ? list->sites[0] : GT_STR(""),
                          .site_title = list->count == 1 ? title_of(ev, list->sites[0]) : GT_STR(""),
                          .class_key = list->count == 1 ? GT_STR("") : names,
                          .detail = list->count == 1 ? since : arena_printf(ev->arena, "%.*s: %.*s", GT_STR_ARG(since), GT_STR_ARG(names)),
                          .since_unix_s = list->since_unix_s,
                          .seq = (uint64_t)ev->t_unix_s,
                          .is_sample = ev->alerts->is_sample};
    return fire(ev, list->rule, &event, NULL);
}

static enum gt_err evaluate_rule(struct evaluation *ev, const struct rule *rule)
{
    struct stale_list list = {.ev = ev, .rule = rule};
    struct gt_str prefix = arena_printf(ev->arena, "f\x1F%.*s\x1F%s\x1F", GT_STR_ARG(rule->name), rule->id);
    if (prefix.ptr == NULL) return gt_fail(ev->info, GT_ENOMEM, "out of memory");
    enum gt_err err = outbox_value_each(&ev->outbox, STORE_ALERT_STATE, prefix, collect, &list);
    if (err != GT_OK || list.count == 0) return err;
    err = tell(&list);
    for (size_t i = 0; err == GT_OK && i < list.count; i++) {
        struct rule_state state;
        bool is_known;
        err = memory_load(ev, list.keys[i], &state, &is_known);
        state.is_beyond = true;
        if (err == GT_OK) err = memory_save(ev, list.keys[i], &state);
    }
    return err;
}

enum gt_err evaluate_stale(struct evaluation *ev)
{
    enum gt_err err = GT_OK;
    for (size_t i = 0; err == GT_OK && i < ev->alerts->rule_count; i++) {
        const struct rule *rule = &ev->alerts->rules[i];
        if (rule->is_enabled && rule->when.kind == WHEN_STALE) err = evaluate_rule(ev, rule);
    }
    return err;
}
