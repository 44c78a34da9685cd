/* sites check, the store's part: which card is offered where today, and which labels still name none. */
#include <string.h>

#include <jansson.h>

#include "cli/json_offer.h"
#include "cli/sites.h"
#include "common/utf8.h"
#include "pricing/coverage.h"
#include "reports/board.h"

/* What is gathered from the board, and for when. */
struct gathering {
    struct cli *cli;
    const char *site; /* NULL: all */
    int64_t now_unix_s;
    struct coverage coverage;
    bool has_store;
};

/* The first that holds: a doubted record is no price, whatever its age. */
static enum coverage_state state_of(const struct gathering *gathering, const struct board_row *row)
{
    if (row->is_doubted) return COVERAGE_DOUBTED;
    if (gathering->now_unix_s - row->seen_unix_s > BOARD_STALE_S) return COVERAGE_STALE;
    return row->offer.record.availability == AVAIL_SOLD_OUT ? COVERAGE_SOLD_OUT : COVERAGE_CURRENT;
}

/* Delisted offers are history: they are not on the page any more. */
static enum gt_err add_row(void *ctx, const struct board_row *row)
{
    struct gathering *gathering = ctx;
    if (!row->is_listed || (gathering->site != NULL && !gt_str_is(row->site, gathering->site))) return GT_OK;
    coverage_add(&gathering->coverage, row->site, &row->offer, state_of(gathering, row));
    return gathering->coverage.err;
}

/* Reads the board. A folder without a store is a beginning, not an error. */
static enum gt_err gather(struct gathering *gathering)
{
    struct cli *cli = gathering->cli;
    struct store *store = NULL;
    coverage_init(&gathering->coverage, cli->arena);
    gathering->now_unix_s = clock_unix_s(&cli->clock);
    enum gt_err err = cli_store_open(cli, STORE_READ, &store);
    if (err == GT_ENOENT) {
        cli->info.text[0] = '\0';
        return GT_OK;
    }
    if (err == GT_OK) {
        gathering->has_store = true;
        err = store_board(store, gathering->now_unix_s, cli->arena, add_row, gathering, &cli->info);
    }
    store_close(store);
    if (err == GT_OK) err = coverage_finish(&gathering->coverage);
    return err == GT_ENOMEM ? gt_fail(&cli->info, err, "out of memory") : err;
}

static const char *const state_words[COVERAGE_STATES] = {"current", "sold_out", "stale", "doubted"};

/* One site's part of a line: "jygpu 3", "ctyun (2 stale)". */
static void print_cell(FILE *out, const struct coverage_cell *cell)
{
    static const char *const words[COVERAGE_STATES] = {"", "sold out", "stale", "doubted"};
    bool is_first = true;
    fprintf(out, "%.*s", GT_STR_ARG(cell->site));
    if (cell->offers[COVERAGE_CURRENT] > 0) fprintf(out, " %zu", cell->offers[COVERAGE_CURRENT]);
    for (int state = COVERAGE_CURRENT + 1; state < COVERAGE_STATES; state++) {
        if (cell->offers[state] == 0) continue;
        fprintf(out, "%s%zu %s", is_first ? " (" : ", ", cell->offers[state], words[state]);
        is_first = false;
    }
    if (!is_first) fputc(')', out);
}

/* A line a card: how many sites have it now, how many offers, and where. */
static void print_cards(FILE *out, const struct coverage *coverage)
{
    fprintf(out, "\n%-28s %5s %6s  %s\n", "card", "sites", "offers", "where");
    for (size_t i = 0, end; i < coverage->cell_count; i = end) {
        size_t sites = 0, offers = 0;
        for (end = i; end < coverage->cell_count && gt_str_eq(coverage->cells[end].sku, coverage->cells[i].sku); end++) {
            sites += coverage->cells[end].offers[COVERAGE_CURRENT] > 0;
            offers += coverage->cells[end].offers[COVERAGE_CURRENT];
        }
        fprintf(out, "%-28.*s %5zu %6zu  ", GT_STR_ARG(coverage->cells[i].sku), sites, offers);
        for (size_t k = i; k < end; k++) {
            if (k > i) fputs(", ", out);
            print_cell(out, &coverage->cells[k]);
        }
        fputc('\n', out);
    }
}

/* Where something can be done about it, how is said: nobody looks an alias up for a list that is empty. */
static void print_labels(struct cli *cli, const struct coverage *coverage)
{
    fprintf(cli->out, "\nlabels that name no card for certain: %zu\n", coverage->label_count);
    for (size_t i = 0; i < coverage->label_count; i++) {
        const struct coverage_label *label = &coverage->labels[i];
        fprintf(cli->out, "%-16.*s %-9s \"%.*s\"", GT_STR_ARG(label->site), word_text(VOCABULARY_SKU, (int)label->status),
                GT_STR_ARG(utf8_printable(label->label, cli->arena)));
        if (label->offers > 1) fprintf(cli->out, " (%zu offers)", label->offers);
        if (label->candidates.len > 0) fprintf(cli->out, ": %.*s", GT_STR_ARG(label->candidates));
        fputc('\n', cli->out);
    }
    if (coverage->label_count > 0)
        fprintf(cli->out, "To say what a label means: alias.CARD = its words, in the site's section; then `gputape db rebuild --skus`.\n");
}

enum gt_err sites_coverage_print(struct cli *cli, const char *site)
{
    struct gathering gathering = {.cli = cli, .site = site};
    enum gt_err err = gather(&gathering);
    if (err != GT_OK) return err;
    if (!gathering.has_store) {
        fprintf(cli->out, "\nno store in %s yet: what is offered where shows after a crawl\n", cli->data_folder);
        return GT_OK;
    }
    print_cards(cli->out, &gathering.coverage);
    print_labels(cli, &gathering.coverage);
    return GT_OK;
}

/* {"site":…,"current":3,"sold_out":0,"stale":0,"doubted":0} */
static json_t *json_of_cell(const struct coverage_cell *cell)
{
    json_t *object = json_pack("{s:o}", "site", json_of_text(cell->site));
    for (int state = 0; state < COVERAGE_STATES; state++)
        json_object_set_new(object, state_words[state], json_integer((json_int_t)cell->offers[state]));
    return object;
}

/* The cells come by card, then site: a card's cells are next to each other. */
static json_t *json_of_cards(const struct coverage *coverage)
{
    json_t *cards = json_array(), *sites = NULL;
    for (size_t i = 0; i < coverage->cell_count; i++) {
        if (i == 0 || !gt_str_eq(coverage->cells[i].sku, coverage->cells[i - 1].sku)) {
            sites = json_array();
            json_array_append_new(cards, json_pack("{s:o, s:o}", "sku", json_of_text(coverage->cells[i].sku), "sites", sites));
        }
        json_array_append_new(sites, json_of_cell(&coverage->cells[i]));
    }
    return cards;
}

/* Candidates are a list here, so that no reader has to split names. */
static json_t *json_of_labels(const struct coverage *coverage)
{
    json_t *labels = json_array();
    for (size_t i = 0; i < coverage->label_count; i++) {
        const struct coverage_label *label = &coverage->labels[i];
        json_t *candidates = json_array();
        struct gt_str rest = label->candidates, name;
        while (gt_str_split(&rest, ' ', &name))
            if (name.len > 0) json_array_append_new(candidates, json_of_text(name));
        json_array_append_new(labels, json_pack("{s:o, s:o, s:o, s:o, s:I}", "site", json_of_text(label->site), "label",
                                                json_of_text(label->label), "sku_status",
                                                json_of_word(VOCABULARY_SKU, (int)label->status), "candidates", candidates, "offers",
                                                (json_int_t)label->offers));
    }
    return labels;
}

enum gt_err sites_coverage_json(struct cli *cli, const char *site, struct json_t *object)
{
    struct gathering gathering = {.cli = cli, .site = site};
    enum gt_err err = gather(&gathering);
    if (err != GT_OK) return err;
    json_object_set_new(object, "store", json_boolean(gathering.has_store));
    json_object_set_new(object, "coverage", json_of_cards(&gathering.coverage));
    json_object_set_new(object, "labels", json_of_labels(&gathering.coverage));
    return GT_OK;
}
