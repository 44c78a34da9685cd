/* Aliases of a section, and the card of a stored offer derived again. */
#include "pricing/offer_sku.h"

#include "tests/unit/pricing/build.h"

/* ---- what a section may say ---- */

struct alias_case {
    const char *name;
    const char *section; /* lines of [site x] */
    const char *message; /* a part of the refusal; NULL: fine */
    const char *label;   /* a label, and the card that it then is */
    const char *sku;
};

static const struct alias_case aliases[] = {
    {"words of the site's own", "alias.NVIDIA-H20-96G = 算力卡甲", NULL, "算力卡甲 单卡", "NVIDIA-H20-96G"},
    {"several lines", "alias.NVIDIA-H20-96G = 算力卡甲\n  算力卡乙\n  Card C", NULL, "card c", "NVIDIA-H20-96G"},
    {"the last of several", "alias.NVIDIA-H20-96G = one\n  two\nalias.NVIDIA-T4 = ecs.gn6i", NULL, "ecs.gn6i", "NVIDIA-T4"},
    {"a card in another case", "alias.nvidia-t4 = small one", NULL, "small one", "NVIDIA-T4"},
    {"an inner node", "alias.NVIDIA-A100 = big", NULL, "big", "NVIDIA-A100"},
    {"against what the label says", "alias.NVIDIA-A100-80G = A100 PLUS", NULL, "A100 PLUS", "NVIDIA-A100-80G"},
    {"words inside a word are none", "alias.NVIDIA-T4 = small", NULL, "smaller", ""},
    {"a label without its words", "alias.NVIDIA-T4 = small", NULL, "large", ""},
    {"a misspelt card", "alias.NVIDIA-RTX-409O = x", "x.conf:2: alias.NVIDIA-RTX-409O: the catalogue has no card", NULL, NULL},
    {"and the nearest one", "alias.NVIDIA-RTX-409O = x", "did you mean \"NVIDIA-RTX-4090", NULL, NULL},
    {"a name as people say it", "alias.4090 = x", "did you mean \"NVIDIA-RTX-4090\"", NULL, NULL},
    {"a card that is none", "alias.Zebra-9 = x", "no card \"Zebra-9\"", NULL, NULL},
    {"no words", "alias.NVIDIA-T4 =", "wants the words", NULL, NULL},
    {"the same words for two cards", "alias.NVIDIA-H20-96G = x\nalias.NVIDIA-T4 = X", "is NVIDIA-H20-96G already (line 2)", NULL, NULL},
};

static const struct conf_section *section_of(struct conf *conf, const char *lines, struct arena *arena)
{
    struct gt_errinfo info = {0};
    struct gt_str text = arena_printf(arena, "[site x]\n%s\n", lines);
    if (conf_read_text(conf, "x.conf", text, &info) != GT_OK) fail_msg("%s", info.text);
    return conf_find(conf, "site", GT_STR("x"));
}

static void check_alias(void **state)
{
    const struct alias_case *row = *state;
    struct arena *arena = arena_new(BUILD_ARENA_BYTES);
    struct conf *conf = conf_new();
    struct gt_errinfo info = {0};
    struct site_aliases read;
    struct site_facts facts;
    const struct conf_section *section = section_of(conf, row->section, arena);
    enum gt_err err = site_facts_from_conf(section, &facts, &info);
    assert_int_equal(err, row->message != NULL ? GT_ECONF : GT_OK);
    if (row->message != NULL && strstr(info.text, row->message) == NULL) fail_msg("message is \"%s\"", info.text);
    if (row->message == NULL) {
        assert_int_equal(site_aliases_read(section, arena, &read), GT_OK);
        struct sku_match match = sku_resolve(gt_str_from(row->label), 0, read.items, read.count);
        assert_string_equal(match.node != NULL ? match.node->name : "", row->sku);
    }
    conf_free(conf);
    arena_free(arena);
}

/* ---- derived again ---- */

struct again_case {
    const char *name;
    const char *section; /* aliases of today */
    const char *label, *plan, *variant;
    const char *sku; /* before: "" unmapped, "?" ambiguous */
    int32_t vram_gb, printed_gb, cards;
    const char *now; /* after: "sku status vram cards hour" or NULL: unchanged */
};

static const struct again_case agains[] = {
    {"right already", "", "RTX 4090", "", "", "NVIDIA-RTX-4090", 24, 0, 1, NULL},
    {"an alias for what was unmapped", "alias.NVIDIA-H20-96G = 算力卡甲", "算力卡甲", "", "", "", 0, 0, 0,
     "NVIDIA-H20-96G exact 96 1 6.2"},
    {"no alias, still unmapped", "", "算力卡甲", "", "", "", 0, 0, 0, NULL},
    {"an alias that is gone", "", "算力卡甲", "", "", "NVIDIA-H20-96G", 96, 0, 1, " unmapped 0 1 6.2"},
    {"an alias that is gone, the label is a family's", "", "A100 甲", "", "", "NVIDIA-A100-80G", 80, 0, 1,
     "NVIDIA-A100 family 0 1 6.2"},
    {"an alias moved to another card", "alias.NVIDIA-T4 = 算力卡甲", "算力卡甲", "", "", "NVIDIA-H20-96G", 96, 0, 1,
     "NVIDIA-T4 exact 16 1 6.2"},
    {"an A4000 taken for an A40", "", "RTX A4000", "", "", "NVIDIA-A40", 48, 0, 1, "NVIDIA-RTX-A4000 exact 16 1 6.2"},
    {"a D taken for none", "", "RTX 4090D", "", "", "NVIDIA-RTX-4090", 24, 0, 1, "NVIDIA-RTX-4090D exact 24 1 6.2"},
    {"memory of a cell outside of the identity", "", "A100", "按量", "", "NVIDIA-A100-80G", 80, 80, 1, NULL},
    {"such memory, and a misread card", "", "A100", "按量", "", "NVIDIA-A100-40G", 40, 80, 1, "NVIDIA-A100-80G exact 80 1 6.2"},
    {"a family stays one", "", "A100", "", "", "NVIDIA-A100", 0, 0, 1, NULL},
    {"memory of an unmapped row is kept", "alias.NVIDIA-T4 = x9", "算力卡乙", "", "", "", 80, 80, 0, NULL},
    {"a node's count is printed", "alias.NVIDIA-H20-96G = 算力卡甲", "算力卡甲 8 卡", "", "", "", 0, 0, 8,
     "NVIDIA-H20-96G exact 96 8 6.2"},
    {"a machine without a count stays open", "alias.NVIDIA-H20-96G = 算力卡甲", "算力卡甲 整机", "", "", "", 0, 0, 0,
     "NVIDIA-H20-96G exact 96 0 0"},
    {"a machine's name counts what was taken for one card", "", "p4d.24xlarge", "", "", "NVIDIA-A100", 0, 0, 1,
     "NVIDIA-A100-SXM4-40G exact 40 8 0"},
    {"the same card, counted at last", "", "ecs.gn7i-c32g1.32xlarge", "", "", "NVIDIA-A10", 24, 0, 1, "NVIDIA-A10 exact 24 4 1.55"},
    {"a printed count stands against a machine's name", "", "GN7.10XLARGE160", "", "1 * NVIDIA T4", "NVIDIA-T4", 16, 0, 1, NULL},
    {"a machine of a family without a count stays open", "", "ecs.gn7i-turbo.7xlarge", "", "", "", 0, 0, 0,
     "NVIDIA-A10 exact 24 0 0"},
    {"the words of a variant", "", "ecs.xyz.large", "", "NVIDIA T4", "", 0, 0, 1, "NVIDIA-T4 exact 16 1 6.2"},
};

/* What the reader of the record's currency and hours sees, as one text. */
static struct gt_str shown(const struct offer *offer, struct arena *arena)
{
    char hour[MONEY_TEXT_MAX];
    return arena_printf(arena, "%s %s %d %d %s", offer->attributes.sku,
                        word_text(VOCABULARY_SKU, (int)offer->attributes.sku_status), (int)offer->attributes.vram_gb,
                        (int)offer->attributes.cards, money_format(offer->record.hour_list_nano, hour));
}

static void build_before(struct built *built, const struct again_case *row, struct arena *arena)
{
    build_offer(built, row->label, row->sku, row->cards);
    built->offer.identity.plan = gt_str_from(row->plan);
    built->offer.identity.variant = gt_str_from(row->variant);
    built->offer.attributes.vram_gb = row->vram_gb;
    built->offer.attributes.vram_printed_gb = row->printed_gb;
    const struct sku_node *node = sku_find(gt_str_from(row->sku));
    if (node != NULL && node->vram_gb == 0) {
        struct sku_match match = sku_resolve(gt_str_from(row->label), 0, NULL, 0);
        built->offer.attributes.sku_status = SKU_FAMILY;
        struct gt_str candidates = GT_STR("");
        for (size_t i = 0; i < match.candidate_count; i++)
            candidates = arena_printf(arena, "%s%s%s", candidates.ptr, i > 0 ? " " : "", match.candidates[i]->name);
        built->offer.attributes.candidates = candidates;
    }
    built->quotes[0] = (struct quote){.amount_nano = nano("6.2"),
                                      .currency = built->offer.record.currency,
                                      .period = PERIOD_HOUR,
                                      .period_count = 1,
                                      .role = ROLE_LIST,
                                      .basis = row->cards == 8 ? BASIS_CARD : BASIS_UNKNOWN};
    built->offer.record.quote_count = 1;
    built->offer.record.hour_list_nano = row->cards > 0 ? nano("6.2") : 0;
}

static void check_again(void **state)
{
    const struct again_case *row = *state;
    struct arena *arena = arena_new(BUILD_ARENA_BYTES);
    struct conf *conf = conf_new();
    struct built built;
    struct site_facts facts;
    struct site_aliases read;
    const struct conf_section *section = section_of(conf, row->section, arena);
    assert_int_equal(site_facts_from_conf(section, &facts, NULL), GT_OK);
    assert_int_equal(site_aliases_read(section, arena, &read), GT_OK);
    build_before(&built, row, arena);
    struct gt_str before = shown(&built.offer, arena);
    bool is_changed = offer_sku_rederive(&built.offer, &facts, &read, arena);
    assert_str(shown(&built.offer, arena), row->now != NULL ? row->now : before.ptr);
    assert_int_equal(is_changed, row->now != NULL);
    /* Once more changes nothing; what is printed has not moved. */
    struct gt_str first = shown(&built.offer, arena);
    assert_false(offer_sku_rederive(&built.offer, &facts, &read, arena));
    assert_str(shown(&built.offer, arena), first.ptr);
    assert_str(built.offer.identity.label, row->label);
    assert_int_equal(built.quotes[0].amount_nano, nano("6.2"));
    conf_free(conf);
    arena_free(arena);
}

/* Every card of the catalogue, read from its own name and derived again: nothing changes, for any memory printed beside it. */
static void check_stable(void **state)
{
    size_t count;
    const struct sku_node *nodes = sku_nodes(&count);
    struct arena *arena = arena_new((size_t)256 * 1024 * 1024);
    struct site_facts facts;
    assert_int_equal(site_facts_from_conf(NULL, &facts, NULL), GT_OK);
    for (size_t i = 0; i < count; i++) {
        static const int32_t printed[] = {0, 16, 24, 40, 48, 80};
        for (size_t k = 0; k < sizeof printed / sizeof printed[0]; k++) {
            struct built built;
            build_offer(&built, nodes[i].name, "", 1);
            const struct sku_clues clues = {.texts = {built.offer.identity.label}};
            struct sku_match match = offer_sku_match(&clues, printed[k]);
            built.offer.attributes.vram_gb = built.offer.attributes.vram_printed_gb = printed[k];
            offer_sku_set(&built.offer.attributes, &match, arena);
            built.offer.attributes.slice_num = match.slice_num;
            built.offer.attributes.slice_den = match.slice_den;
            if (offer_sku_rederive(&built.offer, &facts, NULL, arena))
                fail_msg("%s beside %d GB became \"%s\"", nodes[i].name, (int)printed[k], built.offer.attributes.sku);
        }
    }
    (void)state;
    arena_free(arena);
}

static const struct {
    const char *name;
} all[] = {{"every card beside any memory stays what it is"}};

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(aliases, check_alias) + TABLE_RUN(agains, check_again) + TABLE_RUN(all, check_stable);
}
