/* explain sku: one label through the card catalogue. */
#include <jansson.h>

#include "cli/explain.h"
#include "cli/json_offer.h"
#include "pricing/sku.h"

enum { VRAM_GB_MAX = 100000 /* more than any machine has: a slip */ };

/* The catalogue's memory before the label's: a page rounds it. */
static json_t *json_of_match(const struct sku_match *match)
{
    json_t *candidates = json_array();
    const struct sku_node *node = match->node;
    for (size_t i = 0; i < match->candidate_count; i++) json_array_append_new(candidates, json_string(match->candidates[i]->name));
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "status", json_of_word(VOCABULARY_SKU, (int)match->status), "sku",
                     json_of_text(gt_str_from(node != NULL ? node->name : NULL)), "vendor",
                     json_of_text(gt_str_from(node != NULL ? node->vendor : NULL)), "vram_gb",
                     json_of_count(node != NULL && node->vram_gb != 0 ? node->vram_gb : match->vram_gb), "form",
                     json_of_text(gt_str_from(node != NULL ? node->form : NULL)), "candidates", candidates, "cards",
                     json_of_count(match->cards), "slice",
                     match->slice_den > 0 ? json_sprintf("%d/%d", match->slice_num, match->slice_den) : json_null());
}

static int run(struct cli *cli, const struct arguments *args)
{
    struct gt_str label = argument_words(cli, args, 1);
    int64_t vram_gb;
    if (!argument_number(cli, args, "--vram", 1, VRAM_GB_MAX, 0, &vram_gb)) return EXIT_USAGE;
    if (label.len == 0) return cli_usage(cli, "explain sku wants a label");
    struct sku_match match = sku_resolve(label, (int32_t)vram_gb, NULL, 0);
    if (argument_has(args, "--json")) return exit_from_err(cli_json_write(cli, json_of_match(&match)));
    fprintf(cli->out, "%s", word_text(VOCABULARY_SKU, (int)match.status));
    if (match.node != NULL) fprintf(cli->out, " %s", match.node->name);
    if (match.node != NULL && match.node->vram_gb != 0) fprintf(cli->out, ", %d GB", match.node->vram_gb);
    if (match.cards != 0) fprintf(cli->out, ", %d cards", match.cards);
    if (match.slice_den != 0) fprintf(cli->out, ", %d/%d of a card", match.slice_num, match.slice_den);
    for (size_t i = 0; i < match.candidate_count; i++) fprintf(cli->out, "%s %s", i == 0 ? ", one of" : ",", match.candidates[i]->name);
    if (match.len > 0) fprintf(cli->out, " (by \"%.*s\")", GT_STR_ARG(gt_str_slice(label, match.offset, match.len)));
    fputc('\n', cli->out);
    return EXIT_DONE;
}

const struct explainer explainer_sku = {"sku", "LABEL", run};
