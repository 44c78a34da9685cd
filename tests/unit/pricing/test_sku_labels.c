/* Labels as pages print them, and labels that name no card. */
#include "pricing/sku.h"
#include "tests/unit/pricing/sku_tsv.h"

enum { COL_LABEL, COL_ROW_VRAM, COL_STATUS, COL_NODE, COL_CARDS, COL_VRAM, COL_SLICE, COL_CANDIDATES };

static void join_candidates(const struct sku_match *match, char *text, size_t size)
{
    size_t out = 0;
    text[0] = '\0';
    for (size_t i = 0; i < match->candidate_count && out < size; i++)
        out += (size_t)snprintf(text + out, size - out, "%s%s", i > 0 ? " " : "", match->candidates[i]->name);
}

static void check_label(void **state)
{
    const struct tsv_row *row = *state;
    char text[1024];
    struct sku_match match = sku_resolve(gt_str_from(row->cell[COL_LABEL]), atoi(row->cell[COL_ROW_VRAM]), NULL, 0);
    assert_string_equal(word_text(VOCABULARY_SKU, (int)match.status), row->cell[COL_STATUS]);
    assert_string_equal(match.node != NULL ? match.node->name : "", row->cell[COL_NODE]);
    assert_int_equal(match.cards, atoi(row->cell[COL_CARDS]));
    assert_int_equal(match.vram_gb, atoi(row->cell[COL_VRAM]));
    snprintf(text, sizeof text, "%d/%d", match.slice_num, match.slice_den);
    assert_string_equal(text, row->cell[COL_SLICE]);
    join_candidates(&match, text, sizeof text);
    if (row->cell[COL_CANDIDATES][0] != '\0') assert_string_equal(text, row->cell[COL_CANDIDATES]);
    if (match.status == SKU_EXACT) assert_string_equal(text, "");
    assert_true(match.len > 0 && match.offset + match.len <= strlen(row->cell[COL_LABEL]));
}

enum { BLIND_STATUS = 1, BLIND_NODE, BLIND_CARDS, BLIND_SLICE };

/* Labels answered by hand before the resolver saw them. */
static void check_blind(void **state)
{
    const struct tsv_row *row = *state;
    char slice[32] = "";
    struct sku_match match = sku_resolve(gt_str_from(row->name), 0, NULL, 0);
    if (match.slice_den != 0) snprintf(slice, sizeof slice, "%d/%d", match.slice_num, match.slice_den);
    assert_string_equal(word_text(VOCABULARY_SKU, (int)match.status), row->cell[BLIND_STATUS]);
    assert_string_equal(match.node != NULL ? match.node->name : "", row->cell[BLIND_NODE]);
    assert_int_equal(match.cards, atoi(row->cell[BLIND_CARDS]));
    assert_string_equal(slice, row->cell[BLIND_SLICE]);
}

static void check_negative(void **state)
{
    const struct tsv_row *row = *state;
    struct sku_match match = sku_resolve(gt_str_from(row->name), 0, NULL, 0);
    if (match.status != SKU_UNMAPPED)
        print_error("\"%s\" taken for %s\n", row->name, match.node != NULL ? match.node->name : "several");
    assert_int_equal(match.status, SKU_UNMAPPED);
    assert_null(match.node);
    assert_int_equal(match.candidate_count, 0);
}

/* A site's own aliases. */
struct alias_case {
    const char *name;
    const char *label;
    const char *words;
    const char *sku;
    const char *expected; /* "" unmapped */
};

static const struct alias_case alias_cases[] = {
    {"words of the site alone", "高性能型 III", "高性能型 III", "NVIDIA-RTX-4090", "NVIDIA-RTX-4090"},
    {"within a longer label", "云主机 高性能型 III（8核）", "高性能型 III", "NVIDIA-RTX-4090", "NVIDIA-RTX-4090"},
    {"in other case and width", "ｇｐｕ-pro Max", "GPU-Pro MAX", "NVIDIA-A100-80G", "NVIDIA-A100-80G"},
    {"more blanks than in the alias", "Type   Seven", "type seven", "ASCEND-910B", "ASCEND-910B"},
    {"before the catalogue's own reading", "4090 旗舰", "4090 旗舰", "NVIDIA-RTX-4090D", "NVIDIA-RTX-4090D"},
    {"a family stays a family", "旗舰卡", "旗舰卡", "NVIDIA-A100", "NVIDIA-A100"},
    {"glued to letters it is another word", "typex7", "type", "ASCEND-910B", ""},
    {"not there", "低配型", "高性能型", "NVIDIA-RTX-4090", ""},
    {"an unknown SKU is no card", "高性能型", "高性能型", "NVIDIA-RTX-9999", ""},
    {"empty words match nothing", "随便", "", "NVIDIA-RTX-4090", ""},
    {"blank words match nothing", "随便 什么", "  ", "NVIDIA-RTX-4090", ""},
};

static void check_alias(void **state)
{
    const struct alias_case *row = *state;
    const struct sku_alias alias = {gt_str_from(row->words), row->sku};
    struct sku_match match = sku_resolve(gt_str_from(row->label), 0, &alias, 1);
    assert_string_equal(match.node != NULL ? match.node->name : "", row->expected);
}

/* Labels that are not text as one expects it. */
struct hostile {
    const char *name;
    const char *unit;
    size_t times;
    enum sku_status expected;
};

static const struct hostile hostiles[] = {
    {"empty", "", 0, SKU_UNMAPPED},
    {"blanks", " ", 5000, SKU_UNMAPPED},
    {"NUL-free binary", "\xFF\xFE\x80", 2000, SKU_UNMAPPED},
    {"cut UTF-8", "\xE6\x98", 1, SKU_UNMAPPED},
    {"digits without end", "4090", 2000, SKU_UNMAPPED},
    {"the same card a thousand times", "A100 ", 1000, SKU_FAMILY},
    {"many cards", "A100 H100 V100 T4 ", 300, SKU_AMBIGUOUS},
    {"characters that fold to many", "\xEF\xB7\xBA", 2000, SKU_UNMAPPED},
    {"stars", "8*8*8*8*", 600, SKU_UNMAPPED},
    {"slashes", "1/2/3/4", 600, SKU_UNMAPPED},
    {"huge numbers", "99999999999999999999G ", 200, SKU_UNMAPPED},
    {"hyphens", "-_-", 3000, SKU_UNMAPPED},
    {"vocabulary only", "显卡服务器 ", 500, SKU_UNMAPPED},
};

static void check_hostile(void **state)
{
    const struct hostile *row = *state;
    size_t unit = strlen(row->unit), len = unit * row->times;
    char *label = malloc(len + 1);
    assert_non_null(label);
    for (size_t i = 0; i < row->times; i++) memcpy(label + i * unit, row->unit, unit);
    struct sku_match match = sku_resolve((struct gt_str){label, len}, 0, NULL, 0);
    free(label);
    assert_int_equal(match.status, row->expected);
}

static int run_file(const char *suite, const char *path, size_t rows_min, void (*check)(void **state))
{
    struct tsv tsv;
    int failures = 1;
    if (tsv_load(path, &tsv) && tsv.count >= rows_min)
        failures = table_run(suite, tsv.rows, tsv.count, sizeof tsv.rows[0], check);
    else printf("Bail out! %s has %zu rows\n", path, tsv.count);
    tsv_done(&tsv);
    return failures;
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return run_file("labels", "tests/unit/pricing/sku_labels.tsv", 100, check_label) +
           run_file("negatives", "tests/unit/pricing/sku_negatives.tsv", 200, check_negative) +
           run_file("blind 1", "tests/unit/pricing/sku_blind_1.tsv", 290, check_blind) +
           run_file("blind 2", "tests/unit/pricing/sku_blind_2.tsv", 150, check_blind) +
           run_file("blind 3", "tests/unit/pricing/sku_blind_3.tsv", 110, check_blind) +
           TABLE_RUN(alias_cases, check_alias) + TABLE_RUN(hostiles, check_hostile);
}
