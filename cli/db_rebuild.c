/* db rebuild --skus: today's catalogue and aliases over all history. Under the run lock: a crawl in between would read attributes
 * that are about to be replaced. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "cli/db.h"
#include "cli/json_offer.h"
#include "common/utf8.h"
#include "crawler/lock.h"
#include "pricing/offer_sku.h"
#include "reports/published.h"
#include "store/rederive.h"

/* What a site's section says today, read once a site. */
struct site_reading {
    struct gt_str site;
    struct site_facts facts;
    struct site_aliases aliases;
};

struct rebuild {
    struct cli *cli;
    struct site_reading *sites; /* of every section; by name */
    size_t site_count;
    struct site_facts facts; /* for sites that have no section any more */
};

/* Reads all sections before anything is written: a wrong alias must not be found half-way. */
static enum gt_err read_sites(struct rebuild *rebuild)
{
    struct cli *cli = rebuild->cli;
    const struct conf_section *const *sections = conf_sections(cli->conf, "site");
    size_t count = 0;
    while (sections != NULL && sections[count] != NULL) count++;
    rebuild->sites = arena_array(cli->arena, count, sizeof *rebuild->sites);
    if (rebuild->sites == NULL) return gt_fail(&cli->info, GT_ENOMEM, "out of memory");
    enum gt_err err = site_facts_from_conf(NULL, &rebuild->facts, &cli->info);
    for (size_t i = 0; i < count && err == GT_OK; i++) {
        struct site_reading *site = &rebuild->sites[rebuild->site_count++];
        site->site = conf_section_name(sections[i]);
        err = site_facts_from_conf(sections[i], &site->facts, &cli->info);
        if (err == GT_OK && site_aliases_read(sections[i], cli->arena, &site->aliases) != GT_OK)
            err = gt_fail(&cli->info, GT_ENOMEM, "out of memory");
    }
    return err;
}

/* A site that has no section any more has no aliases either; its labels are read by the catalogue alone. */
static bool derive(void *ctx, struct gt_str site, struct offer *offer, struct arena *arena)
{
    const struct rebuild *rebuild = ctx;
    for (size_t i = 0; i < rebuild->site_count; i++)
        if (gt_str_eq(rebuild->sites[i].site, site))
            return offer_sku_rederive(offer, &rebuild->sites[i].facts, &rebuild->sites[i].aliases, arena);
    return offer_sku_rederive(offer, &rebuild->facts, NULL, arena);
}

enum { COUNT_TEXT_MAX = 16 };

/* One line tells all offers of a site and label that changed in the same way. */
static int rederived_cmp(const void *left, const void *right)
{
    const struct rederived *a = left, *b = right;
    int order = gt_str_cmp(a->site, b->site);
    if (order == 0) order = gt_str_cmp(a->identity.label, b->identity.label);
    if (order == 0) order = strcmp(a->before.sku, b->before.sku);
    if (order == 0) order = (int)a->before.sku_status - (int)b->before.sku_status;
    if (order == 0) order = strcmp(a->after.sku, b->after.sku);
    if (order == 0) order = (int)a->after.sku_status - (int)b->after.sku_status;
    if (order == 0) order = a->before.cards - b->before.cards;
    return order != 0 ? order : a->after.cards - b->after.cards;
}

/* The card's name, or how it fails to be one. */
static const char *name_of(const struct offer_attributes *attributes)
{
    return attributes->sku[0] != '\0' ? attributes->sku : word_text(VOCABULARY_SKU, (int)attributes->sku_status);
}

/* The count, or that it is not known. Returns `text`. */
static const char *count_of(const struct offer_attributes *attributes, char text[COUNT_TEXT_MAX])
{
    if (attributes->cards > 0) snprintf(text, COUNT_TEXT_MAX, "%d", attributes->cards);
    else snprintf(text, COUNT_TEXT_MAX, "not known");
    return text;
}

/* A line for what changed in one way, then the sum: nothing changed is said, too. */
static void print_text(struct cli *cli, const struct rederived *list, size_t count, const struct rederive_counts *counts)
{
    char was[COUNT_TEXT_MAX], is[COUNT_TEXT_MAX];
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && rederived_cmp(&list[i], &list[end]) == 0;) end++;
        fprintf(cli->out, "%.*s: \"%.*s\": %s -> %s", GT_STR_ARG(list[i].site),
                GT_STR_ARG(utf8_printable(list[i].identity.label, cli->arena)), name_of(&list[i].before), name_of(&list[i].after));
        if (list[i].before.cards != list[i].after.cards)
            fprintf(cli->out, ", cards %s -> %s", count_of(&list[i].before, was), count_of(&list[i].after, is));
        if (end - i > 1) fprintf(cli->out, " (%zu times)", end - i);
        fputc('\n', cli->out);
    }
    fprintf(cli->out, "%" PRIu64 " offers, %" PRIu64 " of them read differently, %" PRIu64 " runs rewritten; catalogue %s\n",
            counts->offers, counts->changed, counts->runs, sku_catalogue_version());
}

/* {"sku","sku_status","vram_gb","cards"} */
static json_t *json_of_card(const struct offer_attributes *attributes)
{
    return json_pack("{s:o, s:o, s:o, s:o}", "sku", json_of_text(gt_str_from(attributes->sku)), "sku_status",
                     json_of_word(VOCABULARY_SKU, (int)attributes->sku_status), "vram_gb", json_of_count(attributes->vram_gb), "cards",
                     json_of_count(attributes->cards));
}

/* Every offer by itself, with what follows from its card. */
static enum gt_err print_json(struct cli *cli, const struct rederived *list, size_t count, const struct rederive_counts *counts)
{
    json_t *changed = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(changed, json_pack("{s:I, s:o, s:o, s:o, s:o}", "offer", (json_int_t)list[i].offer_id, "site",
                                                 json_of_text(list[i].site), "label", json_of_text(list[i].identity.label), "before",
                                                 json_of_card(&list[i].before), "after", json_of_card(&list[i].after)));
    return cli_json_write(cli, json_pack("{s:s, s:I, s:I, s:I, s:o}", "catalogue", sku_catalogue_version(), "offers",
                                         (json_int_t)counts->offers, "changed", (json_int_t)counts->changed, "runs",
                                         (json_int_t)counts->runs, "list", changed));
}

/* Orders the list by site and label and prints it. */
static enum gt_err print(struct cli *cli, const struct arguments *args, const struct rederived *list, size_t count,
                         const struct rederive_counts *counts)
{
    struct rederived *sorted = arena_array(cli->arena, count, sizeof *sorted);
    if (sorted == NULL) return gt_fail(&cli->info, GT_ENOMEM, "out of memory");
    if (count > 0) {
        memcpy(sorted, list, count * sizeof *sorted);
        qsort(sorted, count, sizeof *sorted, rederived_cmp);
    }
    if (argument_has(args, "--json")) return print_json(cli, sorted, count, counts);
    print_text(cli, sorted, count, counts);
    return GT_OK;
}

int db_rebuild_run(struct cli *cli, const struct arguments *args)
{
    struct rebuild rebuild = {.cli = cli};
    struct run_lock *lock = NULL;
    struct store *store = NULL;
    const struct rederived *list = NULL;
    struct rederive_counts counts = {0};
    size_t count = 0;
    if (!argument_has(args, "--skus")) return db_refill_run(cli, args);
    if (args->word_count != 1) return cli_usage(cli, "usage: gputape db rebuild [--skus]");
    enum gt_err err = cli_conf_open(cli);
    if (err == GT_OK) err = read_sites(&rebuild);
    /* To write makes what is missing; here there must be something to derive from. */
    if (err == GT_OK) err = cli_store_open(cli, STORE_READ, &store);
    store_close(store);
    store = NULL;
    if (err == GT_OK) err = run_lock_take(cli->data_folder, &lock, &cli->info);
    if (err == GT_OK) err = cli_store_open(cli, STORE_WRITE, &store);
    if (err == GT_OK) err = store_rederive(store, derive, &rebuild, cli->arena, &list, &count, &counts, &cli->info);
    if (err == GT_OK) err = published_reread_put(store, clock_unix_s(&cli->clock), &cli->info);
    store_close(store);
    run_lock_free(lock);
    if (err == GT_OK) err = print(cli, args, list, count, &counts);
    return exit_from_err(err);
}
