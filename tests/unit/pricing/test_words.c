/* Closed vocabularies, and how printed words are looked for. */
#include "pricing/words.h"

#include "pricing/listing_spec.h"
#include "pricing/listing_terms.h"
#include "pricing/listing_words.h"
#include "tests/unit/pricing/build.h"

struct word_case {
    const char *name;
    enum vocabulary vocabulary;
    const char *word;
    int value; /* -1: not in it */
};

static const struct word_case vocabularies[] = {
    {"a period", VOCABULARY_PERIOD, "month", PERIOD_MONTH},
    {"no period is the empty word", VOCABULARY_PERIOD, "", PERIOD_NONE},
    {"a condition", VOCABULARY_COND, "new-customer", COND_NEW_CUSTOMER},
    {"a delivery", VOCABULARY_DELIVERY, "bare-metal", DELIVERY_BARE_METAL},
    {"the last change", VOCABULARY_CHANGE, "source-recovered", CHANGE_SOURCE_RECOVERED},
    {"a word of another vocabulary", VOCABULARY_PERIOD, "node", -1},
    {"in capitals", VOCABULARY_PERIOD, "Month", -1},
    {"half a word", VOCABULARY_PERIOD, "mon", -1},
    {"with a blank", VOCABULARY_TIER, "on demand", -1},
};

static void check_word(void **state)
{
    const struct word_case *row = *state;
    int value = -1;
    bool is_found = word_find(row->vocabulary, gt_str_from(row->word), &value);
    assert_int_equal(is_found, row->value >= 0);
    assert_int_equal(value, row->value);
    if (is_found) assert_string_equal(word_text(row->vocabulary, value), row->word);
    assert_string_equal(word_text(row->vocabulary, word_count(row->vocabulary)), "?");
    assert_string_equal(word_text(row->vocabulary, -1), "?");
}

struct find_case {
    const char *name, *text, *word;
    bool is_there;
};

static const struct find_case finds[] = {
    {"in any case", "Bare Metal server", "bare metal", true},
    {"at the end", "RTX 4090 spot", "spot", true},
    {"not inside a longer word", "spotless", "spot", false},
    {"not at the end of one", "GiB", "ib", false},
    {"beside a digit", "400IB", "ib", true},
    {"Chinese needs no blanks", "4090容器云", "容器", true},
    {"Chinese beside letters", "GPU云主机VM", "云主机", true},
    {"absent", "按量计费", "抢占", false},
    {"longer than the text", "vm", "virtual machine", false},
    {"the empty word", "x", "", false},
    {"the empty text", "", "x", false},
};

static void check_find(void **state)
{
    const struct find_case *row = *state;
    assert_int_equal(words_have(gt_str_from(row->text), row->word), row->is_there);
}

struct normal_case {
    const char *name, *text, *want;
};

static const struct normal_case normals[] = {
    {"one blank for many", "RTX  4090\t\n D", "RTX 4090 D"},
    {"none at the ends", "  RTX 4090  ", "RTX 4090"},
    {"no-break and ideographic blanks", "RTX\u00a04090\u3000容器云", "RTX 4090 容器云"},
    {"thin and narrow blanks", "1\u2009649\u202f€", "1 649 €"},
    {"zero width characters vanish", "RTX\u200b 40\ufeff90", "RTX 4090"},
    {"soft hyphens too", "con\u00adtainer", "container"},
    {"widths are printed words and stay", "ＲＴＸ　４０９０", "ＲＴＸ ４０９０"},
    {"nothing but blanks", " \u3000 ", ""},
    {"nothing", "", ""},
};

static void check_normal(void **state)
{
    const struct normal_case *row = *state;
    struct arena *arena = arena_new(BUILD_ARENA_BYTES);
    struct gt_str once = words_normalise(gt_str_from(row->text), arena);
    assert_str(once, row->want);
    assert_str(words_normalise(once, arena), row->want);
    arena_free(arena);
}

/* Specifications: one reader a row. */
struct spec_case {
    const char *name;
    int32_t (*read)(struct gt_str text);
    const char *text;
    int32_t want;
};

static int32_t read_cards(struct gt_str cell)
{
    struct spec_cards cards = spec_cards_read(cell);
    return cards.slice_den > 0 ? -(cards.slice_num * 1000 + cards.slice_den) : cards.cards;
}

static const struct spec_case specs[] = {
    {"a plain count", read_cards, "8", 8},
    {"with its unit", read_cards, "8卡", 8},
    {"a numeral", read_cards, "八卡", 8},
    {"one card", read_cards, "单卡", 1},
    {"eight times", read_cards, "8x", 8},
    {"times eight", read_cards, "x8", 8},
    {"a model that begins with an x", read_cards, "max8", 0},
    {"count, card, memory", read_cards, "2 * NVIDIA V100 / 2 * 32G", 2},
    {"a quarter", read_cards, "1/4", -1004},
    {"GPUs", read_cards, "4 GPUs", 4},
    {"a name is no count", read_cards, "V100", 0},
    {"no number", read_cards, "--", 0},
    {"nothing", read_cards, "0", 0},
    {"too many", read_cards, "99999", 0},
    {"half a card", read_cards, "0.5", 0},
    {"cards in a label", spec_cards_find, "4090 8 卡裸金属", 8},
    {"cards of so much memory", spec_cards_find, "8×24GB，NVLink + IB 网卡", 8},
    {"with a star", spec_cards_find, "2 * 32G", 2},
    {"a numeral in a label", spec_cards_find, "H20 八卡服务器", 8},
    {"one card in a label", spec_cards_find, "昇腾910B单卡", 1},
    {"a model before 卡", spec_cards_find, "A100卡", 0},
    {"a model's number before 卡", spec_cards_find, "RTX 4090 卡", 0},
    {"card hours", spec_cards_find, "3.25 元/1卡时", 0},
    {"a minimum", spec_cards_find, "H100 起租 8 卡", 0},
    {"a minimum behind", spec_cards_find, "H100 8卡起租", 0},
    {"the last of several to choose from", spec_cards_find, "卡数：1/2/4/8 卡", 0},
    {"behind a card's number", spec_cards_find, "RTX 4090/8卡", 8},
    {"behind a card's name", spec_cards_find, "A10/8卡", 8},
    {"behind a unit", spec_cards_find, "1台/8卡", 8},
    {"as many as can be had", spec_cards_find, "26 vCPUs, up to 8 GPUs", 0},
    {"as many as can be had, in Chinese", spec_cards_find, "最多 8 卡", 0},
    {"no count", spec_cards_find, "NVIDIA 4090 容器云", 0},
    {"memory", spec_gb_read, "24GB", 24},
    {"MiB", spec_gb_read, "24564 MiB", 24},
    {"a bare number of MB", spec_gb_read, "81920", 80},
    {"a bare number of GB", spec_gb_read, "80", 80},
    {"per card in a product", spec_gb_read, "2 * 32G", 32},
    {"terabytes", spec_gb_read, "1.5 TB", 1536},
    {"no memory", spec_gb_read, "--", 0},
    {"memory of the card", spec_vram_find, "24GB 显存 / 15核 / 60GB内存", 24},
    {"named before", spec_vram_find, "显存：64G", 64},
    {"of a product", spec_vram_find, "8×64GB，NVLink", 64},
    {"of a product with a letter", spec_vram_find, "4x 80GB", 80},
    {"a name that ends in x is no product", spec_vram_find, "1x MI300x 224GB System RAM", 0},
    {"main memory is not the card's", spec_vram_find, "60GB内存", 0},
    {"main memory", spec_ram_find, "24GB 显存 / 15核 / 60GB内存", 60},
    {"main memory named before", spec_ram_find, "内存 200 GB", 200},
    {"the card's is not main memory", spec_ram_find, "24GB 显存", 0},
    {"a disk", spec_disk_find, "系统盘 50GB", 50},
    {"no disk", spec_disk_find, "60GB内存", 0},
    {"cores", spec_vcpu_find, "24GB 显存 / 15核 / 60GB内存", 15},
    {"virtual CPUs", spec_vcpu_find, "16 vCPU", 16},
    {"no cores", spec_vcpu_find, "8×24GB", 0},
    {"least cards", spec_min_cards_find, "H100 $3.99/h，起租 8 卡", 8},
    {"least cards behind", spec_min_cards_find, "8卡起租", 8},
    {"least cards in English", spec_min_cards_find, "minimum 16 GPUs", 16},
    {"cards that are no minimum", spec_min_cards_find, "8 卡裸金属", 0},
    {"least months", spec_min_months_find, "3个月起租", 3},
    {"least months before", spec_min_months_find, "起租 6 个月", 6},
    {"a year at least", spec_min_months_find, "一年起", 12},
    {"in English", spec_min_months_find, "minimum 12 months", 12},
    {"from September on", spec_min_months_find, "9月起涨价", 0},
    {"from a year on", spec_min_months_find, "2026年起", 0},
    {"no term", spec_min_months_find, "每月 990 元", 0},
    {"a term in a cell", spec_months_read, "3", 3},
    {"a year in a cell", spec_months_read, "1年", 12},
    {"no term in a cell", spec_months_read, "--", 0},
    {"a fabric", spec_fabric_find, "NVLink + 400G IB", 400},
    {"in terabits", spec_fabric_find, "3.2Tbps RoCE", 3200},
    {"named before", spec_fabric_find, "InfiniBand 400Gbps", 400},
    {"bandwidth to the net is none", spec_fabric_find, "公网带宽 100Mbps", 0},
    {"a fabric without a figure", spec_fabric_find, "NVLink + IB 网卡", 0},
    {"billed by the second", terms_billing_step_s, "按秒计费，按小时结算", 1},
    {"no step", terms_billing_step_s, "按量", 0},
};

static void check_spec(void **state)
{
    const struct spec_case *row = *state;
    assert_int_equal(row->read(gt_str_from(row->text)), row->want);
}

struct term_case {
    const char *name, *text;
    enum delivery delivery;
    enum tier tier;
    enum availability availability;
    int64_t stock;
};

static const struct term_case terms[] = {
    {"a container", "NVIDIA 4090 容器云", DELIVERY_CONTAINER, TIER_UNKNOWN, AVAIL_IN_STOCK, 4090},
    {"bare metal", "昇腾裸金属", DELIVERY_BARE_METAL, TIER_UNKNOWN, AVAIL_UNKNOWN, -1},
    {"spot", "抢占式实例", DELIVERY_UNKNOWN, TIER_SPOT, AVAIL_UNKNOWN, -1},
    {"on demand", "On-Demand VM", DELIVERY_VM, TIER_ON_DEMAND, AVAIL_UNKNOWN, -1},
    {"sold out", "售罄", DELIVERY_UNKNOWN, TIER_UNKNOWN, AVAIL_SOLD_OUT, -1},
    {"sold out, twice", "售罄0/8", DELIVERY_UNKNOWN, TIER_UNKNOWN, AVAIL_SOLD_OUT, 0},
    {"free of all", "空闲/总量 1 / 8", DELIVERY_UNKNOWN, TIER_UNKNOWN, AVAIL_IN_STOCK, 1},
    {"none free", "0", DELIVERY_UNKNOWN, TIER_UNKNOWN, AVAIL_SOLD_OUT, 0},
    {"many free", "1351/2288", DELIVERY_UNKNOWN, TIER_UNKNOWN, AVAIL_IN_STOCK, 1351},
    {"contradicts itself", "可租16/16满租", DELIVERY_UNKNOWN, TIER_UNKNOWN, AVAIL_UNKNOWN, 16},
    {"low", "Low", DELIVERY_UNKNOWN, TIER_UNKNOWN, AVAIL_LIMITED, -1},
    {"says nothing", "--", DELIVERY_UNKNOWN, TIER_UNKNOWN, AVAIL_UNKNOWN, -1},
};

static void check_term(void **state)
{
    const struct term_case *row = *state;
    struct gt_str text = gt_str_from(row->text);
    int64_t stock = -7;
    assert_int_equal(terms_delivery(text, DELIVERY_UNKNOWN), row->delivery);
    assert_int_equal(terms_tier(text, TIER_UNKNOWN), row->tier);
    assert_int_equal(terms_stock(text, &stock), row->availability);
    assert_int_equal(stock, row->stock);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(vocabularies, check_word) + TABLE_RUN(finds, check_find) + TABLE_RUN(normals, check_normal) +
           TABLE_RUN(specs, check_spec) + TABLE_RUN(terms, check_term);
}
