#include "cli/report_sites.h"

#include "crawler/due.h"
#include "pricing/site_extras.h"

/* Fees and facts are read of disabled sites, too: their history is still shown. */
enum gt_err report_sites_read(struct conf *conf, struct report_input *input, struct arena *arena, struct gt_errinfo *info)
{
    const struct conf_section *const *sections = conf_sections(conf, "site");
    size_t total = 0;
    while (sections != NULL && sections[total] != NULL) total++;
    struct report_site *sites = arena_array(arena, total + 1, sizeof *sites);
    struct site_extras *extras = arena_array(arena, total + 1, sizeof *extras);
    if (sections == NULL || sites == NULL || extras == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    size_t count = 0;
    for (size_t i = 0; i < total; i++) {
        enum gt_err err = site_extras_from_conf(sections[i], arena, &extras[i], info);
        if (err != GT_OK) return err;
        if (!conf_bool(sections[i], "enabled", true)) continue;
        struct gt_str title = conf_text(sections[i], "title");
        sites[count++] = (struct report_site){.name = conf_section_name(sections[i]),
                                              .title = title.len > 0 ? title : conf_section_name(sections[i]),
                                              .every_s = conf_duration_ms(sections[i], "every", 0) / 1000};
    }
    input->sites = sites;
    input->site_count = count;
    input->extras = extras;
    input->extra_count = total;
    return GT_OK;
}

/* A store that knows nothing of a site says nothing. */
enum gt_err report_sites_due(struct report_input *input, struct arena *arena, struct gt_errinfo *info)
{
    struct report_site *sites = arena_array(arena, input->site_count + 1, sizeof *sites);
    if (sites == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    for (size_t i = 0; i < input->site_count; i++) {
        struct gt_str key = arena_printf(arena, "site:%.*s", GT_STR_ARG(input->sites[i].name)), value;
        struct gt_errinfo ignored = {0};
        struct attempt attempt;
        sites[i] = input->sites[i];
        enum gt_err err = store_get(input->store, NULL, STORE_PAGES, key, arena, &value, &ignored);
        if (err != GT_OK && err != GT_ENOENT) return gt_fail(info, err, "%s", ignored.text);
        if (err == GT_OK && sites[i].every_s > 0 && attempt_parse(value, &attempt))
            due_site(&attempt, sites[i].every_s * 1000, input->now_unix_s, &sites[i].due_unix_s);
    }
    input->sites = sites;
    return GT_OK;
}
