/* The tree and its tables: what every row must keep to. */
#include "common/digest.h"
#include "common/strbuf.h"
#include "pricing/sku_alias.h"
#include "pricing/sku_tree.h"
#include "tests/unit/table.h"

static const struct sku_node *parent_of(const struct sku_node *node)
{
    const struct sku_node *parent = sku_parent(node);
    if (!sku_is_root(node)) assert_non_null(parent);
    return parent;
}

static void check_nodes_in_order(const struct sku_node *nodes, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (strcmp(nodes[i - 1].name, nodes[i].name) >= 0) print_error("out of order: %s\n", nodes[i].name);
        assert_true(strcmp(nodes[i - 1].name, nodes[i].name) < 0);
    }
}

static void check_names_fit(const struct sku_node *nodes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        assert_true(strlen(nodes[i].name) < SKU_NAME_MAX);
        size_t vendor = strlen(nodes[i].vendor);
        assert_int_equal(strncmp(nodes[i].name, nodes[i].vendor, vendor), 0);
        assert_true(nodes[i].name[vendor] == '-' || nodes[i].name[vendor] == '\0');
    }
}

static void check_parents(const struct sku_node *nodes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct sku_node *parent = parent_of(&nodes[i]);
        if (parent == NULL) continue;
        assert_string_equal(parent->vendor, nodes[i].vendor);
        /* A node that fixes the memory holds only cards of that memory: a query on it must never mix them. */
        if (parent->vram_gb != 0 && parent->vram_gb != nodes[i].vram_gb)
            print_error("%s differs from what holds it\n", nodes[i].name);
        assert_true(parent->vram_gb == 0 || parent->vram_gb == nodes[i].vram_gb);
    }
}

static void check_found_in_any_case(const struct sku_node *nodes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char lower[SKU_NAME_MAX];
        size_t len = strlen(nodes[i].name);
        for (size_t k = 0; k <= len; k++)
            lower[k] = (char)(nodes[i].name[k] >= 'A' && nodes[i].name[k] <= 'Z' ? nodes[i].name[k] + 32 : nodes[i].name[k]);
        assert_ptr_equal(sku_find(gt_str_from(nodes[i].name)), &nodes[i]);
        assert_ptr_equal(sku_find((struct gt_str){lower, len}), &nodes[i]);
    }
}

static void check_canonical_names_resolve(const struct sku_node *nodes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct sku_match match = sku_resolve(gt_str_from(nodes[i].name), 0, NULL, 0);
        if (sku_is_root(&nodes[i])) {
            assert_int_equal(match.status, SKU_UNMAPPED);
            continue;
        }
        assert_ptr_equal(match.node, &nodes[i]);
        assert_int_equal(match.status, nodes[i].vram_gb != 0 || sku_is_leaf(&nodes[i]) ? SKU_EXACT : SKU_FAMILY);
        assert_int_equal(match.len, strlen(nodes[i].name));
    }
}

/* The name of a leaf, read as words, must lead to it as well: exports with other signs than '-' come back. */
static void check_spaced_names_resolve(const struct sku_node *nodes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char words[SKU_NAME_MAX];
        snprintf(words, sizeof words, "%s", nodes[i].name);
        for (char *c = words; *c != '\0'; c++)
            if (*c == '-') *c = ' ';
        struct sku_match match = sku_resolve(gt_str_from(words), 0, NULL, 0);
        if (sku_is_root(&nodes[i]) || strncmp(nodes[i].name, "NVIDIA-", 7) != 0) continue;
        if (match.node != &nodes[i]) print_error("%s resolves to %s\n", words, match.node != NULL ? match.node->name : "nothing");
        assert_ptr_equal(match.node, &nodes[i]);
    }
}

struct rule {
    const char *name;
    void (*check)(const struct sku_node *nodes, size_t count);
};

static const struct rule rules[] = {
    {"nodes stand in the order of their names", check_nodes_in_order},
    {"names are short and begin with their vendor", check_names_fit},
    {"parents exist and fix no other memory", check_parents},
    {"every name is found, in lower case too", check_found_in_any_case},
    {"every canonical name resolves to itself", check_canonical_names_resolve},
    {"NVIDIA names with blanks resolve too", check_spaced_names_resolve},
};

static void check_rule(void **state)
{
    const struct rule *rule = *state;
    size_t count;
    const struct sku_node *nodes = sku_nodes(&count);
    assert_true(count > 200);
    rule->check(nodes, count);
}

struct within {
    const char *name;
    const char *node, *ancestor;
    bool expected;
};

static const struct within withins[] = {
    {"a card is within itself", "NVIDIA-RTX-4090", "NVIDIA-RTX-4090", true},
    {"four levels up", "NVIDIA-A100-SXM4-80G", "NVIDIA", true},
    {"form within memory", "NVIDIA-A100-SXM4-80G", "NVIDIA-A100-80G", true},
    {"memory within family", "NVIDIA-A100-80G", "NVIDIA-A100", true},
    {"lower case", "nvidia-a100-80g", "Nvidia-A100", true},
    {"910B1 is a 910B", "ASCEND-910B1", "ASCEND-910B", true},
    {"not upwards", "NVIDIA-A100", "NVIDIA-A100-80G", false},
    {"other memory", "NVIDIA-A100-SXM4-40G", "NVIDIA-A100-80G", false},
    {"a longer name is not below a shorter one: 4090D", "NVIDIA-RTX-4090D", "NVIDIA-RTX-4090", false},
    {"nor 4090-48G", "NVIDIA-RTX-4090-48G", "NVIDIA-RTX-4090", false},
    {"nor L40S below L40", "NVIDIA-L40S", "NVIDIA-L40", false},
    {"nor A10G below A10", "NVIDIA-A10G", "NVIDIA-A10", false},
    {"nor A100 below A10", "NVIDIA-A100", "NVIDIA-A10", false},
    {"nor V100S below V100", "NVIDIA-V100S", "NVIDIA-V100", false},
    {"nor MI250X below MI250", "AMD-MI250X", "AMD-MI250", false},
    {"910B4 has other memory than 910B", "ASCEND-910B4", "ASCEND-910B", false},
    {"H100 NVL has 94 GB", "NVIDIA-H100-NVL", "NVIDIA-H100-80G", false},
    {"unknown name", "NVIDIA-X1", "NVIDIA", false},
    {"unknown ancestor", "NVIDIA-A100", "NVIDIA-X1", false},
    {"empty", "", "", false},
};

static void check_within(void **state)
{
    const struct within *row = *state;
    assert_int_equal(sku_is_within(gt_str_from(row->node), gt_str_from(row->ancestor)), row->expected);
}

static void check_alias_rows(void **state)
{
    (void)state;
    size_t count;
    const struct sku_alias_row *rows = sku_alias_rows(&count);
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && sku_alias_cmp(rows[i - 1].words, rows[i].words) >= 0) fail_msg("out of order or twice: %s", rows[i].words);
        assert_null(strstr(rows[i].words, "  "));
        for (const char *c = rows[i].words; *c != '\0'; c++) assert_false(*c >= 'A' && *c <= 'Z');
        struct gt_str rest = gt_str_from(rows[i].nodes), name;
        while (gt_str_split(&rest, ' ', &name))
            if (sku_find(name) == NULL) fail_msg("%s means %.*s, which is none", rows[i].words, GT_STR_ARG(name));
    }
}

static void check_relations(void **state)
{
    (void)state;
    size_t count;
    const struct sku_relation *relations = sku_relations(&count);
    for (size_t i = 0; i < count; i++) {
        const struct sku_node *card = sku_find(gt_str_from(relations[i].card));
        assert_non_null(card);
        assert_int_not_equal(card->vram_gb, 0);
        if (relations[i].other == NULL) continue;
        const struct sku_node *other = sku_find(gt_str_from(relations[i].other));
        assert_non_null(other);
        assert_int_not_equal(card->vram_gb, other->vram_gb);
    }
}

static void add_tables(struct strbuf *all)
{
    size_t count;
    const struct sku_node *nodes = sku_nodes(&count);
    for (size_t i = 0; i < count; i++)
        strbuf_addf(all, "%s|%s|%d|%s|%s\n", nodes[i].name, nodes[i].parent, nodes[i].vram_gb, nodes[i].form,
                    nodes[i].interconnect != NULL ? nodes[i].interconnect : "?");
    const struct sku_relation *relations = sku_relations(&count);
    for (size_t i = 0; i < count; i++)
        strbuf_addf(all, "%s|%s|%d\n", relations[i].card, relations[i].other != NULL ? relations[i].other : "",
                    relations[i].vram_gb);
    const struct sku_alias_row *rows = sku_alias_rows(&count);
    for (size_t i = 0; i < count; i++)
        strbuf_addf(all, "%s|%s|%d|%d|%d|%d\n", rows[i].words, rows[i].nodes, (int)rows[i].strength, rows[i].is_type, rows[i].cards,
                    rows[i].part);
}

/* The version must follow the data, or re-derivation would not know that it is due. */
static void check_version(void **state)
{
    (void)state;
    struct strbuf all;
    strbuf_init(&all, 1 << 20);
    add_tables(&all);
    uint8_t digest[SHA256_BYTES];
    char hex[SHA256_HEX_MAX];
    assert_int_equal(all.err, GT_OK);
    assert_int_equal(digest_sha256(strbuf_str(&all), digest), GT_OK);
    digest_hex(digest, sizeof digest, hex);
    hex[12] = '\0';
    strbuf_done(&all);
    if (strcmp(hex, sku_catalogue_version()) != 0)
        print_error("the catalogue changed: put \"%s\" into pricing/sku_version.def\n", hex);
    assert_string_equal(hex, sku_catalogue_version());
}

struct table_check {
    const char *name;
    void (*check)(void **state);
};

static const struct table_check tables[] = {
    {"alias rows are in order, once, and of known cards", check_alias_rows},
    {"relations join known cards of different memory", check_relations},
    {"the version is that of the data", check_version},
};

static void check_table(void **state)
{
    const struct table_check *table = *state;
    table->check(NULL);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(rules, check_rule) + TABLE_RUN(withins, check_within) + TABLE_RUN(tables, check_table);
}
