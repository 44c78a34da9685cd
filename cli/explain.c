/* explain: how one text, label, byte stream or address is read. */
#include "cli/explain.h"

#include <string.h>

#include "common/nearest.h"

static const struct explainer *const explainers[] = {
#define EXPLAINER(id) &explainer_##id,
#include "cli/explain.def"
#undef EXPLAINER
};

enum { EXPLAINER_TOTAL = sizeof explainers / sizeof explainers[0] };

static int run(struct cli *cli, const struct arguments *args)
{
    const char *names[EXPLAINER_TOTAL];
    if (args->word_count == 0) return cli_usage(cli, "explain what? price, discount, sku, charset, robots or url");
    for (size_t i = 0; i < EXPLAINER_TOTAL; i++) {
        if (strcmp(explainers[i]->name, args->words[0]) == 0) return explainers[i]->run(cli, args);
        names[i] = explainers[i]->name;
    }
    const char *nearest = nearest_word(gt_str_from(args->words[0]), names, EXPLAINER_TOTAL);
    return cli_usage(cli, "cannot explain \"%s\"%s%s: it takes price, discount, sku, charset, robots or url", args->words[0],
                     nearest != NULL ? ", did you mean " : "", nearest != NULL ? nearest : "");
}

static const struct option_spec options[] = {
    {"--json", NULL, "as JSON (price, discount, sku)"},
    {"--site", "S", "price: with what [site S] says of currency and units"},
    {"--currency", "C", "price: what a bare ¥ or number is in"},
    {"--decimal", ".|,", "price: which sign separates decimals"},
    {"--header", "TEXT", "price: the column's heading"},
    {"--context", "TEXT", "price: the row around it"},
    {"--price", "TEXT", "discount: the price that it is taken off, such as ¥1.96/时"},
    {"--cards", "N", "discount: cards in the unit sold; 1 when not said"},
    {"--persona", "P", "discount: who asks, a preset or pay=month,months=12,student,cards=8"},
    {"--vram", "GB", "sku: memory printed beside the name"},
    {"--content-type", "T", "charset: as the server says it"},
    {"--agent", "A", "robots: the product token"},
    {"--file", "FILE", "robots: the robots.txt"},
    {NULL, NULL, NULL},
};

const struct command command_explain = {
    .name = "explain",
    .usage = "price|discount|sku|charset|robots|url TEXT…",
    .summary = "show how one text, label, byte stream or address is read",
    .help = "  explain price TEXT          amounts, units, basis, role, bound, discounts, or why there is no price\n"
            "  explain discount TEXT       factors and conditions; with --price what a persona pays, and why\n"
            "  explain sku LABEL           the card, or the candidates\n"
            "  explain charset FILE        the text as UTF-8 on stdout, the decision on stderr\n"
            "  explain robots --agent A --file robots.txt URL    exit 0 when allowed, 1 when not\n"
            "  explain url URL             how an address is normalised and what the address policy says",
    .options = options,
    .run = run};
