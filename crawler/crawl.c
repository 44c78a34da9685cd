/* One crawl: choose, fetch, archive, hand over in name order. */
#include "crawler/crawl.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/resource.h>

#include "common/clock.h"
#include "crawler/crawl_internal.h"

/* STEP_MS bounds every wait, so that a stop or the deadline is seen in time. FILES_MIN is what store, archive, lock, jail, one transfer and its
 * certificates take together. */
enum { PATH_BYTES_MAX = 4096, STEP_MS = 250, FILES_MIN = 21, FILES_SPARED = 25, PARALLEL_MAX = 64, SITES_A_SYNC = 8 };

void crawl_break(struct crawl *crawl, enum gt_err err, const char *format, ...)
{
    va_list args;
    if (crawl->err != GT_OK) return;
    va_start(args, format);
    crawl->err = gt_vfail(crawl->info, err, format, args);
    va_end(args);
}

/* ---- handing over ---- */

/* That the site was tried, for the commit of its run: with the one and without the other, either a fetch would be done twice or the
 * history have a gap that looks like a choice. */
static enum gt_err attempt_note(struct site_job *site, bool is_good, struct crawled_site *crawled)
{
    struct attempt attempt = {site->crawl->start_unix_s, is_good ? 0 : site->last_attempt.failures + 1};
    crawled->attempt_key = arena_printf(site->arena, "site:%.*s", GT_STR_ARG(site->name));
    crawled->attempt_value = attempt_print(&attempt, site->arena);
    return crawled->attempt_key.ptr != NULL && crawled->attempt_value.ptr != NULL ? GT_OK : GT_ENOMEM;
}

/* One event a site for the log; latencies stand there and not on the summary line, which must be the same for the same
 * pages. */
static void log_site(const struct site_job *site, enum part_status status, struct gt_str reason)
{
    char latency[32];
    struct gt_str name = arena_dup(site->arena, site->name), why = arena_dup(site->arena, reason);
    snprintf(latency, sizeof latency, "%lld", (long long)site->latency_ms);
    log_event(site->crawl->options->log, LOG_INFO, "site", "name", name.ptr, "status", word_text(VOCABULARY_STATUS, (int)status),
              "latency_ms", latency, "reason", why.ptr, (char *)NULL);
}

/* What is in the archive, and on disk, is committed, and only then do people see it. */
static enum gt_err site_hand_over(struct site_job *site, struct gt_errinfo *info)
{
    struct crawl *crawl = site->crawl;
    struct gt_str note = GT_STR(""), reason;
    struct crawled_part *parts = arena_array(site->arena, site->plan.part_count, sizeof *parts);
    if (parts == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    for (size_t i = 0; i < site->plan.part_count; i++) parts[i] = site->parts[i].result;
    struct crawled_site crawled = {.section = site->section,
                                   .facts = &site->facts,
                                   .start_unix_s = site->start_unix_s,
                                   .latency_ms = site->latency_ms,
                                   .rule_version = gt_str_from(site->plan.rule_version),
                                   .is_sample = site->is_sample,
                                   .parts = parts,
                                   .part_count = site->plan.part_count,
                                   .places = site->places,
                                   .place_count = site->place_count,
                                   .crawl_begin = crawl->archive_begin,
                                  .archive_end = site->archive_end,
                                   .section_key = site->section_key,
                                   .section_value = site->section_value};
    enum part_status status = site_status(site, &reason);
    bool is_good = status == STATUS_OK || status == STATUS_UNCHANGED;
    if (attempt_note(site, is_good, &crawled) != GT_OK) return gt_fail(info, GT_ENOMEM, "out of memory");
    enum gt_err err = crawl->fn(crawl->fn_ctx, &crawled, site->arena, &note, info);
    if (err != GT_OK) return err;
    crawl->result.sites_ok += is_good;
    crawl->result.sites_failed += !is_good;
    site->state = SITE_HANDED_OVER;
    summary_site(site, note);
    log_site(site, status, reason);
    return GT_OK;
}

/* A site that is not crawled: said where someone asked for it by name or has to do something about it. */
static void site_pass_over(struct site_job *site)
{
    struct crawl *crawl = site->crawl;
    bool is_faulty = site->config_fault.len > 0;
    crawl->result.sites_failed += is_faulty;
    crawl->result.sites_skipped += !is_faulty;
    if (is_faulty) summary_line(crawl, site->name, "failed", GT_STR(""), site->config_fault);
    else if (crawl->options->sites != NULL || !gt_str_starts(site->skip_reason, GT_STR("not due")))
        summary_line(crawl, site->name, "skipped", GT_STR(""), site->skip_reason);
}

/* Archives what there is of the next sites in name order, at most SITES_A_SYNC finished ones, and waits for the disk once for all of
 * them. *ret_end: the first site beyond. An error ends the group before the site that it concerns. */
static enum gt_err group_archive(struct crawl *crawl, bool is_last, size_t *ret_end, struct gt_errinfo *info)
{
    enum gt_err err = GT_OK, synced = GT_OK;
    size_t end = crawl->sites_next, finished = 0;
    for (; end < crawl->site_count && finished < SITES_A_SYNC; end++) {
        struct site_job *site = &crawl->sites[end];
        /* a later site may be finished; it waits, so that commits have one order whoever answers first */
        if (site->state == SITE_ACTIVE && !is_last) break;
        if (site->state == SITE_FINISHED) err = archive_site(site, info);
        if (err != GT_OK) break;
        finished += site->state == SITE_FINISHED;
    }
    if (finished > 0) synced = warc_writer_sync(crawl->archive, err == GT_OK ? info : NULL);
    *ret_end = synced == GT_OK ? end : crawl->sites_next;
    return err == GT_OK ? synced : err;
}

/* In name order, as far as it goes; `is_last`: over what will not finish any more. Before the last time a few sites at a time, for each
 * waits for the disk: hundreds in a row would let the transfers that are under way run out of time. */
static enum gt_err crawl_hand_over(struct crawl *crawl, bool is_last, struct gt_errinfo *info)
{
    size_t end = crawl->sites_next;
    enum gt_err err = GT_OK;
    do {
        enum gt_err archived = group_archive(crawl, is_last, &end, info);
        for (; crawl->sites_next < end && err == GT_OK; crawl->sites_next++) {
            struct site_job *site = &crawl->sites[crawl->sites_next];
            if (site->state == SITE_FINISHED) err = site_hand_over(site, archived == GT_OK ? info : NULL);
            else if (site->state == SITE_SKIPPED) site_pass_over(site);
            else crawl->result.sites_skipped++;
            if (err == GT_OK) crawl_site_free(site);
        }
        if (archived != GT_OK) return archived;
    } while (is_last && err == GT_OK && end < crawl->site_count);
    return err;
}

/* True when a site can be handed over at once. */
static bool hand_over_waits(const struct crawl *crawl)
{
    return crawl->sites_next < crawl->site_count && crawl->sites[crawl->sites_next].state == SITE_FINISHED;
}

/* ---- the loop ---- */

/* True when a signal has asked for an end. */
static bool is_stopped(const struct crawl *crawl)
{
    return crawl->options->stop != NULL && *crawl->options->stop != 0;
}

/* Sites that are still being fetched. */
static size_t active_count(const struct crawl *crawl)
{
    size_t count = 0;
    for (size_t i = crawl->sites_next; i < crawl->site_count; i++) count += crawl->sites[i].state == SITE_ACTIVE;
    return count;
}

/* Nothing new begins, what runs is cut off. */
static void wind_up(struct crawl *crawl)
{
    crawl->is_stopping = true;
    desk_close(crawl);
    read_stop(crawl);
    http_client_abort(crawl->client);
    for (struct host *host = crawl->hosts; host != NULL; host = host->next) host->first = host->last = NULL;
}

/* At the deadline, sites that were under way have failed; those not begun stay due. */
static void fail_unfinished(struct crawl *crawl)
{
    for (size_t i = crawl->sites_next; i < crawl->site_count; i++) {
        struct site_job *site = &crawl->sites[i];
        if (site->state != SITE_ACTIVE || site->start_mono_ms == 0) continue;
        for (size_t k = 0; k < site->plan.part_count; k++)
            for (size_t n = 0; n < site->parts[k].page_count && !site->parts[k].is_done; n++)
                if (!site->parts[k].pages[n]->is_done)
                    page_fail(site->parts[k].pages[n], STATUS_FAILED, "the run's time was over");
    }
}

/* Puts the first pages of further sites in line, as many as may be open at once. */
static void sites_begin(struct crawl *crawl)
{
    for (; crawl->sites_begun < crawl->site_count && crawl->sites_begun < crawl->sites_next + CRAWL_SITES_OPEN_MAX; crawl->sites_begun++) {
        struct site_job *site = &crawl->sites[crawl->sites_begun];
        for (size_t k = 0; site->state == SITE_ACTIVE && k < site->plan.part_count; k++) part_begin(&site->parts[k]);
    }
}

/* Puts first pages in line and turns: begin what may begin, wait for the network or the next pause to end, hand over
 * what is finished. Whatever ends the loop, finished sites are handed over before the error is told. */
static enum gt_err crawl_loop(struct crawl *crawl, struct gt_errinfo *info)
{
    enum gt_err err = crawl->err;
    while (err == GT_OK && active_count(crawl) > 0) {
        sites_begin(crawl);
        read_step(crawl);
        /* settles what may not be fetched, too: a site may be finished without a request */
        int64_t next_mono_ms = crawl_start_ready(crawl), desk_mono_ms = desk_step(crawl), now_mono_ms = clock_mono_ms();
        if (desk_mono_ms < next_mono_ms) next_mono_ms = desk_mono_ms;
        if (is_stopped(crawl) || now_mono_ms >= crawl->deadline_mono_ms) break;
        progress_draw(crawl);
        int64_t wait_ms = next_mono_ms == INT64_MAX ? STEP_MS : next_mono_ms - now_mono_ms;
        if (wait_ms > STEP_MS) wait_ms = STEP_MS;
        if (hand_over_waits(crawl)) wait_ms = 0;
        if (active_count(crawl) > 0 && crawl->err == GT_OK)
            err = http_client_step(crawl->client, wait_ms > 0 ? wait_ms : 0, info);
        if (err == GT_OK) err = crawl->err;
        if (err == GT_OK) err = crawl_hand_over(crawl, false, info);
    }
    /* from here on nothing is asked; after a signal, what is unfinished is as if it had not begun */
    wind_up(crawl);
    if (err == GT_OK && !is_stopped(crawl)) fail_unfinished(crawl);
    if (err == GT_OK) err = crawl->err;
    if (err == GT_OK) err = crawl_hand_over(crawl, true, info);
    progress_clear(crawl);
    return err;
}

/* ---- beginning and end ---- */

/* Where few files may be open, few transfers run at once. With too few, everything would fail with misleading reasons. */
static enum gt_err parallel_decide(int32_t *ret_parallel, struct gt_errinfo *info)
{
    struct rlimit files;
    *ret_parallel = PARALLEL_MAX;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur >= FILES_SPARED + 2 * PARALLEL_MAX) return GT_OK;
    if (files.rlim_cur < FILES_MIN)
        return gt_fail(info, GT_ELIMIT, "only %lu files may be open, a crawl needs %d: raise `ulimit -n`",
                       (unsigned long)files.rlim_cur, FILES_MIN);
    *ret_parallel = files.rlim_cur > FILES_SPARED + 2 ? (int32_t)(files.rlim_cur - FILES_SPARED) / 2 : 1;
    return GT_OK;
}

/* Opens the archive in the data folder. A tail that had to be cut off is told: it is the trace of a crash. */
static enum gt_err archive_open(struct crawl *crawl, struct gt_errinfo *info)
{
    char folder[PATH_BYTES_MAX];
    const struct conf_section *const *sections = conf_sections(crawl->options->conf, "site");
    struct gt_str agent = sections[0] != NULL ? conf_text(sections[0], "user_agent") : GT_STR("");
    struct gt_str contact = sections[0] != NULL ? conf_text(sections[0], "contact") : GT_STR("");
    struct warc_repair repair;
    if (snprintf(folder, sizeof folder, "%s/archive", crawl->options->data_folder) >= (int)sizeof folder)
        return gt_fail(info, GT_ELIMIT, "path too long: %s", crawl->options->data_folder);
    /* the writer borrows texts for its life; the folder's name it copies */
    struct warc_settings settings = {.folder = folder,
                                     .clock = crawl->options->clock,
                                     .software = "gputape/" GPUTAPE_VERSION,
                                     .user_agent = agent,
                                     .operator_contact = contact};
    enum gt_err err = warc_writer_open(&settings, &crawl->archive, &repair, info);
    if (err == GT_OK) warc_writer_at(crawl->archive, crawl->archive_begin.file, &crawl->archive_begin.offset);
    if (err != GT_OK || repair.cut_bytes == 0) return err;
    char bytes[32];
    snprintf(bytes, sizeof bytes, "%lld", (long long)repair.cut_bytes);
    log_event(crawl->options->log, LOG_WARN, "archive_tail_cut", "file", repair.file, "bytes", bytes, (char *)NULL);
    return GT_OK;
}

/* Opens the client, for as many transfers as there may be open files. */
static enum gt_err client_open(struct crawl *crawl, struct gt_errinfo *info)
{
    struct http_settings settings = {.connect_to = crawl->options->connect_to, .ca_file = crawl->options->ca_file};
    enum gt_err err = parallel_decide(&settings.parallel_max, info);
    /* a host that is asked again soon finds its connection; hundreds of hosts that are done with need none */
    settings.idle_max = settings.parallel_max;
    return err == GT_OK ? http_client_new(&settings, &crawl->client, info) : err;
}

/* Opens the jail with the rules of all sites that are fetched: before there is a client with threads, or an archive. */
static enum gt_err jail_open(struct crawl *crawl, struct gt_errinfo *info)
{
    size_t count = 0;
    const struct site_rules **rules = arena_array(crawl->arena, crawl->site_count, sizeof(const struct site_rules *));
    if (rules == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    for (size_t i = 0; i < crawl->site_count; i++)
        if (crawl->sites[i].state == SITE_ACTIVE) rules[count++] = crawl->sites[i].rules;
    return jail_new(rules, count, &crawl->jail, info);
}

/* The crawl proper, when something is to be fetched. */
static enum gt_err crawl_fetch(struct crawl *crawl, struct gt_errinfo *info)
{
    /* nothing to fetch: no archive is opened, no library started, so a cron start every minute costs next to nothing */
    if (active_count(crawl) == 0) return crawl_hand_over(crawl, true, info);
    enum gt_err err = jail_open(crawl, info);
    if (err == GT_OK) err = client_open(crawl, info);
    if (err == GT_OK) err = archive_open(crawl, info);
    if (err == GT_OK) err = crawl_loop(crawl, info);
    if (err == GT_OK) err = crawl_hosts_save(crawl, info);
    /* last, for it says how all the others ended */
    if (err == GT_OK) err = archive_crawl(crawl, info);
    if (err == GT_OK) warc_writer_at(crawl->archive, crawl->result.archive_end.file, &crawl->result.archive_end.offset);
    return err;
}

enum gt_err crawl_run(const struct crawl_options *options, const struct crawl_memory *memory, crawl_site_fn *fn, void *fn_ctx,
                      struct crawl_result *ret_result, struct gt_errinfo *info)
{
    int64_t deadline_ms = options->deadline_ms > 0 ? options->deadline_ms : CRAWL_DEADLINE_DEFAULT_MS;
    struct crawl crawl = {.options = options,
                          .memory = memory,
                          .fn = fn,
                          .fn_ctx = fn_ctx,
                          .info = info,
                          .arena = arena_new(CRAWL_ARENA_MAX),
                          .start_unix_s = clock_unix_s(options->clock),
                          .deadline_mono_ms = clock_mono_ms() + deadline_ms};
    enum gt_err err = crawl.arena != NULL ? GT_OK : gt_fail(info, GT_ENOMEM, "out of memory");
    if (options->delay_ms >= 0 && options->connect_to == NULL)
        err = gt_fail(info, GT_EUSAGE, "pauses are shortened for --connect-to only");
    if (err == GT_OK) err = crawl_sites_load(&crawl, info);
    if (err == GT_OK) err = crawl_sites_choose(&crawl, info);
    if (err == GT_OK && options->is_dry_run) summary_dry_run(&crawl);
    else if (err == GT_OK) err = crawl_fetch(&crawl, info);
    if (err == GT_OK && is_stopped(&crawl)) err = gt_fail(info, GT_EINTERRUPTED, "interrupted; what was finished is kept");
    *ret_result = crawl.result;
    desk_close(&crawl);
    read_stop(&crawl);
    warc_writer_close(crawl.archive);
    http_client_free(crawl.client);
    for (size_t i = 0; i < crawl.site_count; i++) crawl_site_free(&crawl.sites[i]);
    arena_free(crawl.arena);
    return err;
}
