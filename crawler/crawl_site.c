/* Which sites are crawled now, and why the others are not. */
#include <stdio.h>

#include "common/civil.h"
#include "common/clock.h"
#include "common/utf8.h"
#include "crawler/crawl_internal.h"
#include "net/connect_to.h"

enum { KEY_MAX = 512 };

/* True when the command line names the site. */
static bool is_named(const struct crawl *crawl, struct gt_str name)
{
    for (const char *const *site = crawl->options->sites; site != NULL && *site != NULL; site++)
        if (gt_str_is(name, *site)) return true;
    return false;
}

/* A site that is named is crawled although it is disabled: that is how it is tried. */
enum gt_err crawl_sites_load(struct crawl *crawl, struct gt_errinfo *info)
{
    const struct conf_section *const *sections = conf_sections(crawl->options->conf, "site");
    size_t count = 0;
    while (sections[count] != NULL) count++;
    crawl->sites = arena_array(crawl->arena, count, sizeof *crawl->sites);
    if (crawl->sites == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    for (size_t i = 0; i < count; i++) {
        struct gt_str name = conf_section_name(sections[i]);
        bool is_chosen = crawl->options->sites != NULL ? is_named(crawl, name) : conf_bool(sections[i], "enabled", true);
        if (!is_chosen) continue;
        struct site_job *site = &crawl->sites[crawl->site_count++];
        *site = (struct site_job){.crawl = crawl, .section = sections[i], .name = name, .state = SITE_WAITING};
        size_t width = utf8_width(name);
        if (width > crawl->name_width) crawl->name_width = width;
    }
    return GT_OK;
}

/* Leaves the site out of this run, with the reason for whoever asks. */
static void skip(struct site_job *site, const char *format, const char *detail)
{
    site->state = SITE_SKIPPED;
    site->skip_reason = arena_printf(site->arena, format, detail);
}

/* Reads the attempt of the last run and decides. Naming a site does not make it due, --force does. */
static enum gt_err due_decide(struct site_job *site, struct gt_errinfo *info)
{
    struct crawl *crawl = site->crawl;
    struct gt_str key = arena_printf(site->arena, "site:%.*s", GT_STR_ARG(site->name)), value;
    char until[CIVIL_TEXT_MAX];
    int64_t due_unix_s;
    if (key.ptr == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    enum gt_err err = crawl->memory->get(crawl->memory->ctx, "pages", key, site->arena, &value);
    if (err == GT_ENOENT) return GT_OK;
    if (err != GT_OK) return gt_fail(info, err, "what is known of site %.*s cannot be read", GT_STR_ARG(site->name));
    if (!attempt_parse(value, &site->last_attempt)) return GT_OK;
    bool is_due = due_site(&site->last_attempt, site->plan.every_ms, crawl->start_unix_s, &due_unix_s);
    if (!is_due && !crawl->options->is_forced) skip(site, "not due until %s", civil_rfc3339(due_unix_s, until));
    return GT_OK;
}

/* A site none of whose hosts may be asked yet is left for another run: no attempt, so no failure either. */
static enum gt_err hosts_decide(struct site_job *site, struct gt_errinfo *info)
{
    struct crawl *crawl = site->crawl;
    char until[CIVIL_TEXT_MAX];
    int64_t not_before_unix_s = 0;
    for (size_t i = 0; i < site->plan.part_count; i++) {
        const struct host *host = crawl_host(crawl, site->plan.parts[i].url.host);
        if (host == NULL) return crawl->err;
        if (!due_host_waits(&host->memory, crawl->start_unix_s)) return GT_OK;
        not_before_unix_s = host->memory.not_before_unix_s;
    }
    (void)info;
    skip(site, "its host is left alone until %s", civil_rfc3339(not_before_unix_s, until));
    return GT_OK;
}

/* Room for the parts, and whether their data is a sample: any address that connect_to redirects makes it one. */
static enum gt_err parts_make(struct site_job *site, struct gt_errinfo *info)
{
    const char *const *rules = site->crawl->options->connect_to;
    site->parts = arena_array(site->arena, site->plan.part_count, sizeof *site->parts);
    if (site->parts == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    for (size_t i = 0; i < site->plan.part_count; i++) {
        const struct plan_part *plan = &site->plan.parts[i];
        site->parts[i] = (struct part_job){.site = site, .plan = plan};
        site->is_sample = site->is_sample || connect_to_applies(rules, plan->url.host, plan->url.port);
    }
    site->parts_open = site->plan.part_count;
    return GT_OK;
}

/* Reads what the section says. A fault there is this site's alone. */
static enum gt_err site_prepare(struct site_job *site, struct gt_errinfo *info)
{
    struct gt_errinfo fault = {0};
    struct crawl *crawl = site->crawl;
    site->arena = arena_new(CRAWL_SITE_ARENA_MAX);
    if (site->arena == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    enum gt_err err = site_facts_from_conf(site->section, &site->facts, &fault);
    if (err == GT_OK) err = site_plan_read(crawl->options->conf, site->section, site->arena, &site->plan, &fault);
    if (err == GT_OK && !shard_has(crawl->options->shard, site->plan.parts[0].url.host)) site->state = SITE_ELSEWHERE;
    if (err == GT_OK && site->state == SITE_WAITING) err = due_decide(site, info);
    if (err == GT_OK && site->state == SITE_WAITING) err = hosts_decide(site, info);
    if (err == GT_OK && site->state == SITE_WAITING) err = site_rules_new(site->section, &site->rules, &fault);
    if (err == GT_OK && site->state == SITE_WAITING) err = parts_make(site, info);
    /* what is in `fault` is the section's, what is in `info` is ours */
    if (fault.code == GT_OK || err == GT_ENOMEM) return err;
    site->state = SITE_SKIPPED;
    site->config_fault = arena_dup(site->arena, gt_str_from(fault.text));
    return GT_OK;
}

enum gt_err crawl_sites_choose(struct crawl *crawl, struct gt_errinfo *info)
{
    size_t loaded = crawl->site_count;
    crawl->site_count = 0;
    for (size_t i = 0; i < loaded; i++) {
        /* close up: what another crawler has is none of this one's */
        struct site_job *site = &crawl->sites[crawl->site_count++];
        *site = crawl->sites[i];
        if (crawl->site_count > CRAWL_SITES_MAX) return gt_fail(info, GT_ELIMIT, "more than %d sites", CRAWL_SITES_MAX);
        enum gt_err err = site_prepare(site, info);
        if (err == GT_OK) err = crawl->err;
        if (err != GT_OK) return err;
        if (site->state == SITE_ELSEWHERE) {
            crawl_site_free(site);
            crawl->site_count--;
        }
        if (site->state != SITE_WAITING) continue;
        site->state = SITE_ACTIVE;
        site->start_unix_s = crawl->start_unix_s;
    }
    return GT_OK;
}

void crawl_site_free(struct site_job *site)
{
    site_rules_free(site->rules);
    arena_free(site->arena);
    site->parts = NULL;
    site->rules = NULL;
    site->arena = NULL;
}
