/* The engine by hand: lists, silence, tests, rules in plain words. */
#include <stdlib.h>

#include "alerts/engine.h"
#include "alerts/silence.h"
#include "common/civil.h"

/* An outbox of its own for one call; GT_ENOMEM. */
static enum gt_err outbox_begin(const struct alerts *alerts, struct gt_errinfo *info, struct outbox *ret_outbox)
{
    *ret_outbox = (struct outbox){alerts->store, NULL, arena_new(ENGINE_SCRATCH_MAX), info, alerts->overlay};
    return ret_outbox->arena != NULL ? GT_OK : gt_fail(info, GT_ENOMEM, "out of memory");
}

static void outbox_end(struct outbox *outbox)
{
    arena_free(outbox->arena);
}

enum gt_err alerts_list(struct alerts *alerts, int64_t since_unix_s, int64_t until_unix_s, alerts_event_fn *fn, void *ctx,
                        struct gt_errinfo *info)
{
    struct outbox outbox;
    enum gt_err err = outbox_begin(alerts, info, &outbox);
    if (err == GT_OK) err = outbox_events(&outbox, since_unix_s, until_unix_s, fn, ctx);
    outbox_end(&outbox);
    return err;
}

/* A line that no section belongs to any more is told as well: its events are still there. */
static enum gt_err hand_queue(struct alerts *alerts, const struct outbox *outbox, struct gt_str name, alerts_queue_fn *fn,
                              void *ctx)
{
    struct queue queue;
    enum gt_err err = queue_load(outbox, name, &queue);
    if (err != GT_OK) return err;
    struct alerts_queue told = {.channel = name,
                                .attempts = queue.attempts,
                                .next_try_unix_s = queue.next_try_unix_s,
                                .last_error = queue.error,
                                .is_defined = engine_channel(alerts, name) != NULL};
    for (size_t i = 0; i < queue.count; i++)
        if (queue.entries[i].parked.len > 0) told.parked++;
        else told.waiting++;
    return fn(ctx, &told);
}

static int name_cmp(const void *left, const void *right)
{
    const struct gt_str *a = left, *b = right;
    return gt_str_cmp(*a, *b);
}

/* The names of all lines and all channels, each once, sorted. */
static enum gt_err all_names(struct alerts *alerts, const struct outbox *outbox, struct gt_str **ret_names, size_t *ret_count)
{
    struct gt_str *stored = NULL;
    size_t stored_count = 0, count = 0;
    enum gt_err err = queue_names(outbox, &stored, &stored_count);
    if (err != GT_OK) return err;
    struct gt_str *names = arena_array(outbox->arena, stored_count + alerts->channel_count, sizeof *names);
    if (names == NULL) return gt_fail(outbox->info, GT_ENOMEM, "out of memory");
    for (size_t i = 0; i < stored_count; i++) names[count++] = stored[i];
    for (size_t i = 0; i < alerts->channel_count; i++) names[count++] = alerts->channels[i].name;
    if (count > 0) qsort(names, count, sizeof *names, name_cmp);
    *ret_names = names;
    *ret_count = 0;
    for (size_t i = 0; i < count; i++)
        if (i == 0 || !gt_str_eq(names[i], names[*ret_count - 1])) names[(*ret_count)++] = names[i];
    return GT_OK;
}

enum gt_err alerts_queues(struct alerts *alerts, alerts_queue_fn *fn, void *ctx, struct gt_errinfo *info)
{
    struct outbox outbox;
    struct gt_str *names = NULL;
    size_t count = 0;
    enum gt_err err = outbox_begin(alerts, info, &outbox);
    if (err == GT_OK) err = all_names(alerts, &outbox, &names, &count);
    for (size_t i = 0; err == GT_OK && i < count; i++) err = hand_queue(alerts, &outbox, names[i], fn, ctx);
    outbox_end(&outbox);
    return err;
}

enum gt_err alerts_unpark(struct alerts *alerts, struct gt_str channel, struct gt_errinfo *info)
{
    struct outbox outbox;
    struct queue queue = {.count = 0};
    size_t parked = 0;
    enum gt_err err = outbox_begin(alerts, info, &outbox);
    if (err == GT_OK) err = queue_load(&outbox, channel, &queue);
    for (size_t i = 0; err == GT_OK && i < queue.count; i++) {
        parked += queue.entries[i].parked.len > 0;
        queue.entries[i].parked = GT_STR("");
    }
    queue.next_try_unix_s = 0;
    if (err == GT_OK && parked == 0) err = gt_fail(info, GT_ENOENT, "channel %.*s has nothing parked", GT_STR_ARG(channel));
    else if (err == GT_OK) err = queue_save(&outbox, &queue);
    outbox_end(&outbox);
    return err;
}

enum gt_err alerts_silence(struct alerts *alerts, struct gt_str what, int64_t until_unix_s, struct gt_errinfo *info)
{
    struct outbox outbox;
    const struct query *query;
    struct gt_errinfo why = {0};
    bool is_rule = engine_rule(alerts, what) != NULL;
    enum gt_err err = outbox_begin(alerts, info, &outbox);
    if (err != GT_OK) return err;
    if (!is_rule && (what.len == 0 || query_read(what, outbox.arena, &query, &why) != GT_OK))
        err = gt_fail(info, GT_ENOENT, "no [alert %.*s] is defined, and as a query: %s", GT_STR_ARG(what), why.text);
    else if (is_rule) err = silence_set(&outbox, what, until_unix_s);
    else err = silence_query_set(&outbox, what, until_unix_s);
    outbox_end(&outbox);
    return err;
}

enum gt_err alerts_silences(struct alerts *alerts, alerts_silence_fn *fn, void *ctx, struct gt_errinfo *info)
{
    struct outbox outbox;
    enum gt_err err = outbox_begin(alerts, info, &outbox);
    if (err == GT_OK) err = silence_each(&outbox, clock_unix_s(alerts->clock), fn, ctx);
    outbox_end(&outbox);
    return err;
}

enum gt_err alerts_test(struct alerts *alerts, struct gt_str channel, struct gt_errinfo *info)
{
    struct outbox outbox;
    struct queue queue;
    struct gt_str json;
    char id[EVENT_ID_MAX], key[EVENT_KEY_MAX];
    bool is_new;
    int64_t now = clock_unix_s(alerts->clock);
    struct event event = {.rule = GT_STR("test"),
                          .severity = GT_STR("info"),
                          .what = "test",
                          .t_unix_s = now,
                          .since_unix_s = now,
                          .runs = 1,
                          .seq = (uint64_t)now,
                          .detail = channel};
    if (engine_channel(alerts, channel) == NULL)
        return gt_fail(info, GT_ENOENT, "no [channel %.*s] is defined", GT_STR_ARG(channel));
    enum gt_err err = outbox_begin(alerts, info, &outbox);
    if (err == GT_OK) err = event_id(&event, id);
    if (err == GT_OK) err = event_json(&event, id, outbox.arena, &json);
    if (err == GT_OK) err = outbox_event_put(&outbox, gt_str_from(event_key_print(now, id, key)), json, &is_new);
    if (err == GT_OK) err = queue_load(&outbox, channel, &queue);
    if (err == GT_OK && is_new) err = queue_add(&queue, gt_str_from(key), 0, outbox.arena);
    if (err == GT_OK) queue.next_try_unix_s = 0;
    if (err == GT_OK) err = queue_save(&outbox, &queue);
    outbox_end(&outbox);
    return err;
}

/* ---- rules in plain words ---- */

static struct gt_str channels_text(const struct rule *rule, struct arena *arena)
{
    struct gt_str text = {"", 0};
    for (size_t i = 0; i < rule->channel_count; i++)
        text = arena_printf(arena, "%.*s%s%.*s", GT_STR_ARG(text), i > 0 ? ", " : "", GT_STR_ARG(rule->channels[i]));
    return text;
}

static struct gt_str mins_text(const struct rule *rule, struct arena *arena)
{
    struct gt_str text = {"", 0};
    char amount[MONEY_TEXT_MAX];
    for (size_t i = 0; i < rule->min_count; i++)
        text = arena_printf(arena, "%.*s%s%s %s", GT_STR_ARG(text), i > 0 ? " or " : "",
                            money_format(rule->mins[i].amount_nano, amount), rule->mins[i].currency.code);
    char percent[MONEY_TEXT_MAX];
    if (rule->min_percent_nano > 0)
        text = arena_printf(arena, "%.*s%s%s %%", GT_STR_ARG(text), rule->min_count > 0 ? " and " : "",
                            money_format(rule->min_percent_nano, percent));
    return text;
}

/* A key as it was written, behind the words that say what it does; empty when it is not set. */
static struct gt_str key_text(const struct rule *rule, const char *key, const char *says, struct arena *arena)
{
    struct gt_str text = conf_text(rule->section, key);
    return text.len > 0 ? arena_printf(arena, ", %s %.*s", says, GT_STR_ARG(text)) : text;
}

/* How a rule keeps itself quiet. */
static struct gt_str quiet_text(const struct rule *rule, struct arena *arena)
{
    struct gt_str resolve = key_text(rule, "resolve", "until back at", arena), quiet = key_text(rule, "quiet", "not sent", arena);
    struct gt_str rearm = rule->rearm != REARM_ALWAYS ? key_text(rule, "rearm", "again only after", arena) : GT_STR("");
    if (rule->rearm == REARM_ONCE) rearm = GT_STR(", once");
    struct gt_str most = key_text(rule, "a_day", "at most a day", arena);
    return arena_printf(arena, "%.*s%.*s%s%.*s%.*s%s", GT_STR_ARG(resolve), GT_STR_ARG(rearm), rule->is_per_site ? ", one event a site" : "",
                        GT_STR_ARG(quiet), GT_STR_ARG(most), rule->is_weekly ? ", weekly" : "");
}

/* The whole rule in one sentence, from what was understood, not from what was written. */
static struct gt_str reads(const struct rule *rule, struct arena *arena)
{
    struct gt_str match = conf_text(rule->section, "match"), to = channels_text(rule, arena), mins = mins_text(rule, arena);
    struct gt_str persona = conf_text(rule->section, "persona");
    struct gt_str confirmed = rule->good_runs > 1 ? arena_printf(arena, ", %d runs in a row", rule->good_runs) : GT_STR("");
    return arena_printf(arena, "%.*s: %.*s%s%.*s%.*s%s%.*s%.*s; %.*s%s%.*s", GT_STR_ARG(match.len > 0 ? match : GT_STR("everything")),
                        GT_STR_ARG(rule->when_text), mins.len > 0 ? ", at least " : "", GT_STR_ARG(mins), GT_STR_ARG(confirmed),
                        persona.len > 0 ? ", for " : "", GT_STR_ARG(persona),
                        GT_STR_ARG(quiet_text(rule, arena)), GT_STR_ARG(rule->severity),
                        to.len > 0 ? " to " : ", recorded only", GT_STR_ARG(to));
}

/* What is legal and yet hardly meant. */
static struct gt_str warning(const struct alerts *alerts, const struct rule *rule)
{
    if (!rule->is_enabled) return GT_STR("not enabled");
    if (rule->channel_count == 0) return GT_STR("no `to`: recorded and listed, sent nowhere");
    if (rule->fires_at_first_sight && rule->when.kind != WHEN_THRESHOLD)
        return GT_STR("`initial = fire` means something for `below` and `above` only: a move has no price before at first sight");
    if (rule->when.kind == WHEN_MARKET && alerts->holding_count == 0) return GT_STR("can never fire: no [holding NAME] is defined");
    bool is_fall = rule->when.direction == DIRECTION_DROPS && rule->when.percent_nano >= 100 * (int64_t)NANO;
    if (is_fall) return GT_STR("can never fire: no price falls by 100% or more");
    bool is_source = rule->when.kind == WHEN_FAILED || rule->when.kind == WHEN_RECOVERED || rule->when.kind == WHEN_STALE ||
                     rule->when.kind == WHEN_DRIFTED;
    if (is_source && query_is_about_offers(rule->query))
        return GT_STR("can never fire: `match` must name sites, kinds or markets only: a source has no card");
    return GT_STR("");
}

enum gt_err alerts_rules(const struct alerts *alerts, alerts_rule_fn *fn, void *ctx, struct gt_errinfo *info)
{
    struct arena *arena = arena_new(ENGINE_RULES_BYTES_MAX);
    enum gt_err err = arena != NULL ? GT_OK : gt_fail(info, GT_ENOMEM, "out of memory");
    for (size_t i = 0; err == GT_OK && i < alerts->rule_count; i++) {
        const struct rule *rule = &alerts->rules[i];
        const struct alerts_rule told = {.name = rule->name,
                                         .reads = reads(rule, arena),
                                         .file = conf_section_file(rule->section),
                                         .line = conf_section_line(rule->section),
                                         .is_enabled = rule->is_enabled,
                                         .warning = warning(alerts, rule)};
        err = fn(ctx, &told);
    }
    arena_free(arena);
    return err;
}
