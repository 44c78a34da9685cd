/* The way of a saved page, without a fetch and without a store. */
#include "cli/page.h"

#include "crawler/jail.h"

struct gt_str cli_content_type(const char *path)
{
    static const struct { const char *ending; const char *type; } types[] = {
        {".html", "text/html"},     {".htm", "text/html"},        {".json", "application/json"},
        {".md", "text/markdown"},   {".js", "text/javascript"},   {".txt", "text/plain"},
    };
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (gt_str_ends(gt_str_from(path), gt_str_from(types[i].ending))) return gt_str_from(types[i].type);
    return (struct gt_str){NULL, 0};
}

/* The rules found nothing. What led on to other pages is not adrift. */
static enum gt_err rowless(struct cli *cli, struct cli_page *page)
{
    page->status = page->extraction.follow_count > 0 ? GT_STR("leads-on") : GT_STR("drifted");
    page->reason = page->extraction.follow_count > 0 ? (struct gt_str){NULL, 0} : arena_printf(cli->arena, "%s", cli->info.text);
    cli->info.text[0] = '\0';
    return GT_OK;
}

/* In the jail, like a page from the network: a saved page is as much a stranger's. */
enum gt_err cli_page_read(struct cli *cli, const struct arguments *args, const char *path, struct gt_str body, struct cli_page *page)
{
    const char *type = argument_get(args, "--content-type");
    struct page_input input = {.body = body,
                               .url = gt_str_from(argument_get(args, "--url")),
                               .content_type = type != NULL ? gt_str_from(type) : cli_content_type(path),
                               .is_followed = argument_has(args, "--followed")};
    struct jail *jail = NULL;
    const struct site_rules *const rules[] = {page->rules};
    enum gt_err err = jail_new(rules, 1, &jail, &cli->info);
    if (err == GT_OK) err = jail_page_extract(jail, page->rules, &input, cli->arena, &page->extraction, &cli->info);
    jail_free(jail);
    if (err == GT_ENOROWS) return rowless(cli, page);
    if (err != GT_OK) return err;
    page->status = page->extraction.is_drifted ? GT_STR("drifted") : GT_STR("ok");
    err = listing_read(page->extraction.listings, page->extraction.count, &page->facts, GT_STR("page"), cli->arena, &page->reading);
    if (err != GT_OK) return gt_fail(&cli->info, err, "the rows cannot be read: %s", gt_err_text(err));
    return GT_OK;
}
