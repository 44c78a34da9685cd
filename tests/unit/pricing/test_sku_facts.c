/* The public list of cards and aliases beside the checkout, where there is one. */
#include "pricing/sku.h"
#include "tests/unit/pricing/sku_tsv.h"

/* Fits: the card itself, a node that holds it (the alias does not say which variant), or it is among the candidates. */
static bool fits(const struct sku_match *match, const struct sku_node *card)
{
    if (match->node != NULL) return sku_is_within(gt_str_from(card->name), gt_str_from(match->node->name));
    for (size_t i = 0; i < match->candidate_count; i++)
        if (match->candidates[i] == card) return true;
    return false;
}

static void check_card(void **state)
{
    const struct tsv_row *row = *state;
    const struct sku_node *card = sku_find(gt_str_from(row->cell[0]));
    assert_non_null(card);
    assert_int_equal(card->vram_gb, atoi(row->cell[2]));
    struct gt_str rest = gt_str_from(row->cell[5]), alias;
    while (gt_str_split(&rest, '|', &alias)) {
        struct sku_match match = sku_resolve(alias, 0, NULL, 0);
        if (!fits(&match, card))
            fail_msg("\"%.*s\" is %s %s", GT_STR_ARG(alias), word_text(VOCABULARY_SKU, match.status),
                     match.node != NULL ? match.node->name : "");
    }
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    struct tsv tsv;
    int failures = 0;
    if (tsv_load("../shared/facts/gpus.tsv", &tsv))
        failures =
            table_run("cards", tsv.rows + 1, tsv.count - 1, sizeof tsv.rows[0], check_card); /* the first row is the heading */
    else printf("1..0 # skipped: no list of cards beside the checkout\n");
    tsv_done(&tsv);
    return failures;
}
