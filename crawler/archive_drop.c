/* Two looks at the archive: what refers to which page, then which pages nothing refers to. */
#include "crawler/archive_drop.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/file.h"
#include "crawler/archive_history.h"
#include "crawler/dropped.h"
#include "crawler/replay_internal.h"
#include "crawler/warc_files.h"
#include "net/header.h"

enum { MONTH_DIGITS = 6 };

#define PLAN_ARENA_MAX ((size_t)1 << 30)

struct drop_plan {
    const struct drop_options *options;
    struct arena *arena;
    struct replay_index needed; /* by id; where the records are does not matter here */
    char first_kept[15];        /* its first digits are the first month whose pages stay */
    char first_open[15];        /* and those of the present month */
    bool takes_pages;           /* from the month that is looked at or thinned; else histories alone */
    struct drop_month *months;
    size_t month_count, month_cap;
};

/* True for a file or pack of a month before that of a timestamp: both names begin alike. */
static bool is_before(struct gt_str name, const char timestamp[15])
{
    struct gt_str month = gt_str_slice(name, sizeof "gputape-" - 1, MONTH_DIGITS);
    return gt_str_cmp(month, (struct gt_str){timestamp, MONTH_DIGITS}) < 0;
}

static bool is_old(const struct drop_plan *plan, struct gt_str name)
{
    return is_before(name, plan->first_kept);
}

static bool is_needed(const struct drop_plan *plan, struct gt_str record_id)
{
    struct gt_str file;
    int64_t offset;
    return replay_index_find(&plan->needed, record_id, &file, &offset);
}

/* Notes that a record must stay; "-" and nothing name none. Ids in fields may stand in brackets. */
static enum gt_err need(struct drop_plan *plan, struct gt_str record_id, struct gt_errinfo *info)
{
    if (gt_str_starts(record_id, GT_STR("<"))) record_id = gt_str_slice(record_id, 1, record_id.len - 2);
    const struct archive_record record = {.entry = {.record_id = record_id}};
    return replay_index_add(&plan->needed, &record) ? GT_OK : gt_fail(info, GT_ENOMEM, "out of memory");
}

/* One outcome: whether its run may be read again. Imported streams are written anew, from all their pages, whenever something is added to them. */
static enum gt_err outcome_look(struct drop_plan *plan, const struct archive_record *record, struct gt_errinfo *info)
{
    struct gt_str fields = record->entry.block, provenance = header_find(fields, "gputape-provenance", 0), text, id;
    struct gt_str refers = header_find(record->entry.head, "WARC-Refers-To", 0);
    enum gt_err err = GT_OK;
    if (!gt_str_is(header_find(fields, "gputape-outcome", 0), "run")) return GT_OK;
    if (gt_str_starts(refers, GT_STR("<"))) refers = gt_str_slice(refers, 1, refers.len - 2);
    if (is_old(plan, record->file) && provenance.len == 0 && !is_needed(plan, refers)) return GT_OK;
    for (size_t i = 0; err == GT_OK && (text = header_find(fields, "gputape-page", i)).len > 0; i++)
        if (gt_str_split(&text, ' ', &id)) err = need(plan, id, info);
    return err == GT_OK ? need(plan, refers, info) : err;
}

static enum gt_err needs_look(struct drop_plan *plan, const struct archive_record *record, struct gt_errinfo *info)
{
    if (gt_str_is(record->entry.type, "metadata")) return outcome_look(plan, record, info);
    bool is_kept_revisit = gt_str_is(record->entry.type, "revisit") && !is_old(plan, record->file);
    return is_kept_revisit ? need(plan, header_find(record->entry.head, "WARC-Refers-To", 0), info) : GT_OK;
}

static bool is_history(const struct warc_entry *entry)
{
    return gt_str_is(entry->target_uri, ARCHIVE_HISTORY_URI);
}

/* What is ours stays (sections, tables of leads), but for histories: before a page goes, a whole one is written, into a file that is no pack yet. */
static bool goes(void *ctx, const struct warc_entry *entry)
{
    const struct drop_plan *plan = ctx;
    if (!dropped_may_be(entry)) return false;
    if (is_history(entry)) return true;
    return plan->takes_pages && !gt_str_starts(entry->target_uri, GT_STR("gputape:")) && !is_needed(plan, entry->record_id);
}

/* Records come in order of time: the month is the last one, or a new one. */
static struct drop_month *month_of(struct drop_plan *plan, struct gt_str file)
{
    void *months = plan->months;
    struct gt_str name = gt_str_slice(file, sizeof "gputape-" - 1, MONTH_DIGITS);
    if (plan->month_count > 0 && gt_str_is(name, plan->months[plan->month_count - 1].month))
        return &plan->months[plan->month_count - 1];
    if (!arena_grow(plan->arena, &months, plan->month_count, &plan->month_cap, sizeof *plan->months)) return NULL;
    plan->months = months;
    struct drop_month *month = &plan->months[plan->month_count++];
    *month = (struct drop_month){.pages = 0};
    snprintf(month->month, sizeof month->month, "%.*s", GT_STR_ARG(name));
    return month;
}

static enum gt_err page_look(struct drop_plan *plan, const struct archive_record *record, struct gt_errinfo *info)
{
    const struct warc_entry *entry = &record->entry;
    plan->takes_pages = is_old(plan, record->file);
    if (!is_before(record->file, plan->first_open) || (!plan->takes_pages && !is_history(entry))) return GT_OK;
    if (!warc_entry_check(entry))
        return gt_fail(info, GT_ECORRUPT, "%.*s:%lld: %.*s: the digest does not hold", GT_STR_ARG(record->file), (long long)record->offset,
                       GT_STR_ARG(entry->record_id));
    struct drop_month *month = month_of(plan, record->file);
    if (month == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    bool has_gone = goes(plan, entry), is_page = dropped_may_be(entry) && !gt_str_starts(entry->target_uri, GT_STR("gputape:"));
    month->pages += has_gone && is_page;
    month->kept += !has_gone && is_page;
    month->histories += has_gone && is_history(entry);
    if (has_gone && is_page) month->bytes += (int64_t)entry->block.len;
    return GT_OK;
}

typedef enum gt_err look_fn(struct drop_plan *plan, const struct archive_record *record, struct gt_errinfo *info);

/* Every record of the archive. What is damaged may have said that a page is needed. */
static enum gt_err records_look(struct drop_plan *plan, struct archive *archive, look_fn *look, struct gt_errinfo *info)
{
    struct archive_record record;
    enum gt_err err = archive_seek(archive, GT_STR(""), 0, info);
    while (err == GT_OK) {
        err = archive_next(archive, &record, info);
        if (err == GT_OK) err = look(plan, &record, info);
    }
    return err == GT_ENOENT ? GT_OK : err;
}

enum gt_err drop_plan_make(const struct drop_options *options, struct drop_plan **ret_plan, struct gt_errinfo *info)
{
    struct archive *archive = NULL;
    size_t pack_count = 0;
    struct drop_plan *plan = calloc(1, sizeof *plan);
    if (plan == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    plan->options = options;
    plan->needed.arena = plan->arena = arena_new(PLAN_ARENA_MAX);
    warc_timestamp(options->before_unix_s, plan->first_kept);
    warc_timestamp(options->now_unix_s, plan->first_open);
    enum gt_err err = plan->arena != NULL ? archive_open(options->folder, &archive, info) : gt_fail(info, GT_ENOMEM, "out of memory");
    const struct archive_pack_file *packs = err == GT_OK ? archive_packs(archive, &pack_count) : NULL;
    for (size_t i = 0; i < pack_count && err == GT_OK; i++)
        if (packs[i].fault.len > 0) err = gt_fail(info, GT_ECORRUPT, "%.*s", GT_STR_ARG(packs[i].fault));
    for (size_t i = 0; i < options->wanted_count && err == GT_OK; i++) err = need(plan, options->wanted[i], info);
    if (err == GT_OK) err = records_look(plan, archive, needs_look, info);
    if (err == GT_OK) err = records_look(plan, archive, page_look, info);
    archive_close(archive);
    if (err == GT_OK) *ret_plan = plan;
    else drop_plan_free(plan);
    return err;
}

void drop_plan_free(struct drop_plan *plan)
{
    if (plan == NULL) return;
    replay_index_done(&plan->needed);
    arena_free(plan->arena);
    free(plan);
}

const struct drop_month *drop_plan_months(const struct drop_plan *plan, size_t *ret_count)
{
    *ret_count = plan->month_count;
    return plan->months;
}

/* True when something in the pack's month goes. */
static bool has_goers(const struct drop_plan *plan, struct gt_str pack)
{
    for (size_t i = 0; i < plan->month_count; i++)
        if (gt_str_is(gt_str_slice(pack, sizeof "gputape-" - 1, MONTH_DIGITS), plan->months[i].month))
            return plan->months[i].pages + plan->months[i].histories > 0;
    return false;
}

/* One pack: beside its place, then in it. The rename is the moment. */
static enum gt_err pack_replace(struct drop_plan *plan, struct gt_str name, const struct pack_history *history, struct gt_errinfo *info)
{
    char path[ARCHIVE_PATH_MAX], temporary[ARCHIVE_PATH_MAX + 8];
    struct pack_made made;
    snprintf(path, sizeof path, "%s/%.*s", plan->options->folder, GT_STR_ARG(name));
    snprintf(temporary, sizeof temporary, "%s.tmp", path);
    plan->takes_pages = is_old(plan, name);
    enum gt_err err = pack_thin(path, temporary, plan->options->now_unix_s, history, goes, plan, &made, info);
    if (err == GT_OK && rename(temporary, path) != 0) {
        err = file_fail(info, "cannot name", path);
        unlink(temporary);
    }
    return err == GT_OK ? file_sync_folder_of(path, info) : err;
}

enum gt_err drop_plan_run(struct drop_plan *plan, const struct pack_history *history, struct gt_errinfo *info)
{
    struct archive *archive = NULL;
    size_t pack_count = 0, file_count = 0;
    enum gt_err err = archive_open(plan->options->folder, &archive, info);
    const struct archive_pack_file *packs = err == GT_OK ? archive_packs(archive, &pack_count) : NULL;
    const struct archive_file *files = err == GT_OK ? archive_files(archive, &file_count) : NULL;
    for (size_t i = 0; i < file_count && err == GT_OK; i++)
        if (has_goers(plan, files[i].name) && files[i].pack.len == 0)
            err = gt_fail(info, GT_EEXIST, "%.*s lies beside the packs: its month is not packed", GT_STR_ARG(files[i].name));
    for (size_t i = 0; i < pack_count && err == GT_OK; i++)
        if (has_goers(plan, packs[i].name)) err = pack_replace(plan, packs[i].name, history, info);
    archive_close(archive);
    return err;
}
