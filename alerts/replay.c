/* The rules of today over the history that is stored: what would have fired. State and events go into an overlay, so nothing is written. */
#include <stdlib.h>

#include "alerts/engine.h"

#define REPLAY_BYTES_MAX ((size_t)4 << 30)

/* The history, as three lists that are walked together in the order in which it was written. */
struct replay {
    struct alerts *alerts;
    struct arena *arena;
    struct gt_errinfo *info;
    struct run_row *rows;
    size_t row_count, row_cap;
    struct change *changes;
    size_t change_count, change_cap, change_at;
    struct crawl_input *crawls;
    size_t crawl_count, crawl_cap, crawl_at;
};

static enum gt_err out_of_memory(struct replay *replay)
{
    return gt_fail(replay->info, GT_ENOMEM, "out of memory");
}

/* The texts that rows and changes point to live in the arena, which outlives the walk. */
static enum gt_err on_row(void *ctx, const struct run_row *row)
{
    struct replay *replay = ctx;
    void *rows = replay->rows;
    if (row->provenance != PROVENANCE_LIVE) return GT_OK;
    if (!arena_grow(replay->arena, &rows, replay->row_count, &replay->row_cap, sizeof *replay->rows)) return out_of_memory(replay);
    replay->rows = rows;
    replay->rows[replay->row_count++] = *row;
    return GT_OK;
}

static enum gt_err on_change(void *ctx, const struct change *change)
{
    struct replay *replay = ctx;
    void *changes = replay->changes;
    if (!arena_grow(replay->arena, &changes, replay->change_count, &replay->change_cap, sizeof *replay->changes)) return out_of_memory(replay);
    replay->changes = changes;
    replay->changes[replay->change_count++] = *change;
    return GT_OK;
}

static enum gt_err on_crawl(void *ctx, const struct crawl_input *crawl)
{
    struct replay *replay = ctx;
    void *crawls = replay->crawls;
    if (!arena_grow(replay->arena, &crawls, replay->crawl_count, &replay->crawl_cap, sizeof *replay->crawls)) return out_of_memory(replay);
    replay->crawls = crawls;
    replay->crawls[replay->crawl_count++] = *crawl;
    return GT_OK;
}

/* Order is the sequence; clocks may have jumped. */
static int row_cmp(const void *left, const void *right)
{
    const struct run_row *a = left, *b = right;
    if (a->seq != b->seq) return a->seq < b->seq ? -1 : 1;
    return gt_str_cmp(a->part, b->part);
}

/* The changes of one offer stay together, as the engine wants them. */
static int change_cmp(const void *left, const void *right)
{
    const struct change *a = left, *b = right;
    if (a->seq != b->seq) return a->seq < b->seq ? -1 : 1;
    if (a->offer_id != b->offer_id) return a->offer_id < b->offer_id ? -1 : 1;
    return (int)a->kind - (int)b->kind;
}

static enum gt_err history_read(struct replay *replay, int64_t until_unix_s)
{
    struct store *store = replay->alerts->store;
    enum gt_err err = store_runs(store, INT64_MIN, until_unix_s, replay->arena, on_row, replay, replay->info);
    if (err == GT_OK) err = store_changes(store, INT64_MIN, until_unix_s, replay->arena, on_change, replay, replay->info);
    if (err == GT_OK) err = store_crawls(store, replay->arena, on_crawl, replay, replay->info);
    if (err != GT_OK) return err;
    if (replay->row_count > 0) qsort(replay->rows, replay->row_count, sizeof *replay->rows, row_cmp);
    if (replay->change_count > 0) qsort(replay->changes, replay->change_count, sizeof *replay->changes, change_cmp);
    return GT_OK;
}

/* One run as it was handed to the hook: rows [from, to) are its parts. */
static enum gt_err run_play(struct replay *replay, size_t from, size_t to)
{
    const struct run_row *first = &replay->rows[from];
    struct run_part *parts = calloc(to - from, sizeof *parts);
    bool *part_good = calloc(to - from, sizeof *part_good);
    if (parts == NULL || part_good == NULL) {
        free(parts);
        free(part_good);
        return out_of_memory(replay);
    }
    struct run_summary summary = {.seq = first->seq, .part_good = part_good};
    struct run_input run = {.site = first->site,
                            .title = first->site_title,
                            .kind = first->kind,
                            .market = first->market,
                            .net_rules = first->net_rules,
                            .provenance = PROVENANCE_LIVE,
                            .start_unix_s = first->start_unix_s,
                            .is_sample = first->is_sample,
                            .parts = parts,
                            .part_count = to - from};
    for (size_t i = from; i < to; i++) {
        const struct run_row *row = &replay->rows[i];
        parts[i - from] = (struct run_part){
            .name = row->part, .status = row->status, .http_code = row->http_code, .url = row->url, .reason = row->reason};
        part_good[i - from] = row->is_good;
    }
    while (replay->change_at < replay->change_count && replay->changes[replay->change_at].seq < first->seq) replay->change_at++;
    summary.change_list = replay->changes + replay->change_at;
    while (replay->change_at < replay->change_count && replay->changes[replay->change_at].seq == first->seq) {
        replay->change_at++;
        summary.changes++;
    }
    enum gt_err err = engine_evaluate(replay->alerts, NULL, &run, &summary, first->start_unix_s, replay->info);
    free(parts);
    free(part_good);
    return err;
}

/* Closes the crawls that ended before `t_unix_s`. */
static enum gt_err crawls_play(struct replay *replay, int64_t t_unix_s)
{
    const struct run_summary none = {.seq = 0};
    enum gt_err err = GT_OK;
    while (err == GT_OK && replay->crawl_at < replay->crawl_count && replay->crawls[replay->crawl_at].end_unix_s < t_unix_s)
        err = engine_evaluate(replay->alerts, NULL, NULL, &none, replay->crawls[replay->crawl_at++].end_unix_s, replay->info);
    return err;
}

static enum gt_err history_play(struct replay *replay, int64_t until_unix_s)
{
    enum gt_err err = GT_OK;
    for (size_t from = 0, to; err == GT_OK && from < replay->row_count; from = to) {
        for (to = from + 1; to < replay->row_count && replay->rows[to].seq == replay->rows[from].seq;) to++;
        err = crawls_play(replay, replay->rows[from].start_unix_s);
        if (err == GT_OK) err = run_play(replay, from, to);
    }
    return err == GT_OK ? crawls_play(replay, until_unix_s) : err;
}

enum gt_err alerts_replay(struct alerts *alerts, int64_t since_unix_s, int64_t until_unix_s, alerts_event_fn *fn, void *ctx,
                          struct gt_errinfo *info)
{
    struct replay replay = {.alerts = alerts, .arena = arena_new(REPLAY_BYTES_MAX), .info = info};
    struct overlay *overlay = overlay_new();
    enum gt_err err = replay.arena != NULL && overlay != NULL ? history_read(&replay, until_unix_s) : out_of_memory(&replay);
    engine_crawl_forget(alerts);
    alerts->overlay = overlay;
    if (err == GT_OK) err = history_play(&replay, until_unix_s);
    const struct outbox outbox = {alerts->store, NULL, replay.arena, info, overlay};
    if (err == GT_OK) err = outbox_events(&outbox, since_unix_s, until_unix_s, fn, ctx);
    alerts->overlay = NULL;
    engine_crawl_forget(alerts);
    overlay_free(overlay);
    arena_free(replay.arena);
    return err;
}
