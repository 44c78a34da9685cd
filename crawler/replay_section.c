/* Sections as they were in force. Each is read once; its rules are compiled once, its jail is opened when a page of it is to be read. */
#include "crawler/replay_internal.h"

/* Finds the text of a section's record. Empty when it cannot be had. */
static struct gt_str text_find(struct replay *replay, struct gt_str record_id, struct arena *arena)
{
    struct archive_record record;
    if (replay_record_get(replay, record_id, arena, &record, NULL) != GT_OK || !gt_str_is(record.entry.type, "resource")) return GT_STR("");
    return arena_dup(arena, record.entry.block);
}

/* A fault is the section's, and told with each of its parts. */
static void fault_set(struct replay_section *section, const char *text)
{
    section->fault = arena_dup(section->arena, gt_str_from(text));
    if (section->fault.ptr == NULL) section->fault = GT_STR("out of memory");
}

/* Reads what was archived; falls back on today's section where that is not to be had: better read by other rules than not at all, and the
 * rule version says which. */
static void conf_choose(struct replay *replay, struct replay_section *section, struct gt_str site, struct gt_str record_id)
{
    struct gt_errinfo info = {0};
    struct gt_str text = record_id.len > 0 ? text_find(replay, record_id, section->arena) : GT_STR("");
    if (text.len > 0) section->conf = conf_new();
    if (section->conf != NULL && conf_read_text(section->conf, "archived section", text, &info) == GT_OK)
        section->section = conf_find(section->conf, "site", site);
    if (section->section == NULL) section->section = conf_find(replay->options->conf, "site", site);
    if (section->section == NULL) fault_set(section, "its section is neither in the archive nor in sites.conf");
}

/* Plan, facts and rules of a section. */
static void section_compile(struct replay *replay, struct replay_section *section)
{
    struct gt_errinfo info = {0};
    struct conf *conf = section->conf != NULL ? section->conf : replay->options->conf;
    enum gt_err err = site_facts_from_conf(section->section, &section->facts, &info);
    if (err == GT_OK) err = site_plan_read(conf, section->section, section->arena, &section->plan, &info);
    if (err == GT_OK) err = site_rules_new(section->section, &section->rules, &info);
    if (err != GT_OK) fault_set(section, info.text);
}

/* The section in force at the time, found by its record; with today's rules there is one a site. Compiled once, however many runs use it. */
enum gt_err replay_section_get(struct replay *replay, struct gt_str site, struct gt_str record_id,
                               struct replay_section **ret_section, struct gt_errinfo *info)
{
    struct gt_str key = replay->options->with_today || record_id.len == 0 ? site : record_id;
    for (struct replay_section *at = replay->sections; at != NULL; at = at->next)
        if (gt_str_eq(at->key, key)) {
            *ret_section = at;
            return GT_OK;
        }
    struct replay_section *section = arena_alloc(replay->arena, sizeof *section);
    if (section == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    section->arena = arena_new(CRAWL_SITE_ARENA_MAX);
    section->key = arena_dup(replay->arena, key);
    section->facts.site = arena_dup(replay->arena, site);
    if (section->arena == NULL || section->key.ptr == NULL || section->facts.site.ptr == NULL)
        return gt_fail(info, GT_ENOMEM, "out of memory");
    section->next = replay->sections;
    replay->sections = section;
    conf_choose(replay, section, site, replay->options->with_today ? GT_STR("") : record_id);
    if (section->fault.len == 0) section_compile(replay, section);
    *ret_section = section;
    return GT_OK;
}

/* A worker keeps the rules it was started with: sections of years need many, and a few of them at a time. */
enum gt_err replay_jail_open(struct replay *replay, struct replay_section *section, struct gt_errinfo *info)
{
    const struct site_rules *rules[] = {section->rules};
    section->used = ++replay->clock;
    if (section->jail != NULL) return GT_OK;
    if (replay->jail_count >= REPLAY_JAILS_MAX) {
        struct replay_section *oldest = NULL;
        for (struct replay_section *at = replay->sections; at != NULL; at = at->next)
            if (at->jail != NULL && (oldest == NULL || at->used < oldest->used)) oldest = at;
        if (oldest != NULL) {
            jail_free(oldest->jail);
            oldest->jail = NULL;
            replay->jail_count--;
        }
    }
    enum gt_err err = jail_new(rules, 1, &section->jail, info);
    replay->jail_count += err == GT_OK;
    return err;
}

void replay_sections_free(struct replay *replay)
{
    for (struct replay_section *at = replay->sections; at != NULL; at = at->next) {
        jail_free(at->jail);
        site_rules_free(at->rules);
        conf_free(at->conf);
        arena_free(at->arena);
    }
}
