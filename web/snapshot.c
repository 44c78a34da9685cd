#include "web/snapshot.h"

#include "reports/interval.h"
#include "web/limits.h"

/* Names and titles of the sites are the request's: what outlives it is copied. */
static enum gt_err sites_copy(struct web_snapshot *snapshot, const struct report_site *sites, size_t count)
{
    snapshot->sites = arena_array(snapshot->arena, count + 1, sizeof *snapshot->sites);
    if (snapshot->sites == NULL) return GT_ENOMEM;
    for (size_t i = 0; i < count; i++) {
        snapshot->sites[i] = sites[i];
        snapshot->sites[i].name = arena_dup(snapshot->arena, sites[i].name);
        snapshot->sites[i].title = arena_dup(snapshot->arena, sites[i].title);
        if (snapshot->sites[i].name.ptr == NULL || snapshot->sites[i].title.ptr == NULL) return GT_ENOMEM;
    }
    return GT_OK;
}

/* Copied into its own arena: it outlives the request that happened to be first. */
enum gt_err web_snapshot_read(struct web_snapshot *snapshot, const struct report_input *input, struct gt_errinfo *info)
{
    struct report_site *sites = NULL;
    if (snapshot->arena != NULL && snapshot->now_unix_s == input->now_unix_s) return GT_OK;
    web_snapshot_drop(snapshot);
    snapshot->arena = arena_new(WEB_VIEW_BYTES_MAX);
    if (snapshot->arena == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    snapshot->now_unix_s = input->now_unix_s;
    enum gt_err err = intervals_read(input, input->now_unix_s, snapshot->arena, &sites, info);
    if (err == GT_OK && sites_copy(snapshot, sites, input->site_count) != GT_OK) err = gt_fail(info, GT_ENOMEM, "out of memory");
    if (err == GT_OK) err = board_read(input->store, input->now_unix_s, snapshot->arena, &snapshot->rows, info);
    if (err != GT_OK) web_snapshot_drop(snapshot);
    return err;
}

void web_snapshot_drop(struct web_snapshot *snapshot)
{
    arena_free(snapshot->arena);
    *snapshot = (struct web_snapshot){0};
}
