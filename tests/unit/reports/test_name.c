/* Names and small figures as people read them. */
#include "reports/figure.h"
#include "reports/name.h"
#include "tests/unit/table.h"

struct name_row {
    const char *name, *full, *short_name;
};

static const struct name_row cards[] = {
    {"GeForce number alone", "NVIDIA-RTX-4090", "4090"},
    {"GeForce with a letter", "NVIDIA-RTX-4090D", "4090D"},
    {"GeForce of the thirties", "NVIDIA-RTX-3090", "3090"},
    {"VRAM goes", "NVIDIA-H20-96G", "H20"},
    {"the other H20 is told apart by its column", "NVIDIA-H20-141G", "H20"},
    {"form stays", "NVIDIA-A100-SXM4-80G", "A100-SXM4"},
    {"form alone stays", "NVIDIA-H100-PCIE", "H100-PCIE"},
    {"Ascend", "ASCEND-910B", "910B"},
    {"RTX 6000 is not a GeForce", "NVIDIA-RTX-6000-ADA", "RTX-6000-ADA"},
    {"RTX PRO keeps its name", "NVIDIA-RTX-PRO-6000", "RTX-PRO-6000"},
    {"inner node", "NVIDIA-A800", "A800"},
    {"vendor alone", "NVIDIA", "NVIDIA"},
    {"empty", "", ""},
    {"a G that is no VRAM", "AMD-MIG", "MIG"},
};

static void check_card(void **state)
{
    const struct name_row *row = *state;
    struct gt_str name = name_card(gt_str_from(row->full));
    assert_str(name, row->short_name);
}

struct site_row {
    const char *name, *title, *site, *zh, *en;
};

static const struct site_row sites[] = {
    {"two scripts: each language its own", "JYGPU 极智算", "jygpu", "极智算", "JYGPU"},
    {"the other way round", "华为云 Huawei", "huawei", "华为云", "Huawei"},
    {"one script", "共绩算力", "gongji", "共绩算力", "共绩算力"},
    {"two words of one script stay", "Beam Cloud", "beam", "Beam Cloud", "Beam Cloud"},
    {"three words stay", "AutoDL 算力 云", "autodl", "AutoDL 算力 云", "AutoDL 算力 云"},
    {"no title", "", "autodl", "autodl", "autodl"},
};

static void check_site(void **state)
{
    const struct site_row *row = *state;
    struct gt_str zh = name_site_title(gt_str_from(row->title), gt_str_from(row->site), LANG_ZH);
    struct gt_str en = name_site_title(gt_str_from(row->title), gt_str_from(row->site), LANG_EN);
    assert_str(zh, row->zh);
    assert_str(en, row->en);
}

static const struct site_row classes[] = {
    {"container", "NVIDIA-RTX-4090/24G/container/on-demand/month/one/domestic/whole", "", "4090 24G · 容器 · 按量 · 包月 · 单卡 · 国内",
     "4090 24G · container · on demand · monthly · one-card · domestic"},
    {"node abroad, cards alone, with fabric", "NVIDIA-H100-SXM/80G/bare-metal/spot/hour/node/overseas/gpu-only/fabric-400", "",
     "H100-SXM 80G · 裸金属 · 抢占式 · 按时 · 整机 · 海外 · 仅 GPU · fabric-400",
     "H100-SXM 80G · bare metal · spot · hourly · node · overseas · GPU only · fabric-400"},
    {"a class of its label's own", "?a100/80G/container/on-demand/month/one/domestic/whole", "", "型号未定:a100", "card not sure: a100"},
    {"a question mark alone", "?", "", "型号未定:", "card not sure: "},
    {"too few pieces stay as they are", "a/b/c", "", "a/b/c", "a/b/c"},
    {"words that are not ours stay", "X/1G/cupboard/on-demand/month/one/domestic/whole", "", "X 1G · cupboard · 按量 · 包月 · 单卡 · 国内",
     "X 1G · cupboard · on demand · monthly · one-card · domestic"},
};

static void check_class(void **state)
{
    const struct site_row *row = *state;
    struct arena *arena = arena_new(1 << 16);
    struct gt_str zh = name_class(gt_str_from(row->title), LANG_ZH, arena), en = name_class(gt_str_from(row->title), LANG_EN, arena);
    assert_str(zh, row->zh);
    assert_str(en, row->en);
    arena_free(arena);
}

struct persona_row {
    const char *name;
    struct persona persona;
    const char *zh;
};

static const struct persona_row personas[] = {
    {"the default", {.pay = PERIOD_MONTH, .months = 1, .cards = 1, .market = -1}, "月付·普通客户·无抢占"},
    {"by the hour, with spot", {.pay = PERIOD_HOUR, .months = 1, .cards = 1, .takes_spot = 1, .market = -1}, "按时付·普通客户·含抢占"},
    {"a year, eight cards, enterprise, at home", {.pay = PERIOD_YEAR, .months = 12, .cards = 8, .is_enterprise = 1, .market = MARKET_DOMESTIC}, "年付·12个月·8卡·企业·国内·无抢占"},
    {"a new student", {.pay = PERIOD_MONTH, .months = 1, .cards = 1, .is_student = 1, .is_new_customer = 1, .hours_per_month = 200, .market = -1}, "月付·每月用200时·学生·新客户·无抢占"},
};

static void check_persona(void **state)
{
    const struct persona_row *row = *state;
    struct arena *arena = arena_new(1 << 16);
    struct gt_str zh = name_persona(&row->persona, LANG_ZH, arena);
    assert_str(zh, row->zh);
    arena_free(arena);
}

struct percent_row {
    const char *name;
    int64_t before, now;
    bool is_known;
    int64_t percent_nano;
};

static const struct percent_row percents[] = {
    {"a fall", 1074 * NANO, 990 * NANO, true, -7821229050},
    {"a rise", 2139 * NANO, 2650 * NANO, true, 23889668069},
    {"no move", NANO, NANO, true, 0},
    {"to nothing", NANO, 0, true, -100 * NANO},
    {"from nothing is not known", 0, NANO, false, 0},
    {"from below nothing is not known", -NANO, NANO, false, 0},
    {"too large to tell", 1, INT64_MAX, false, 0},
    {"the difference does not fit", 1, INT64_MIN, false, 0},
};

static void check_percent(void **state)
{
    const struct percent_row *row = *state;
    int64_t percent = 0;
    bool is_known = figure_percent(row->before, row->now, &percent);
    assert_int_equal(is_known, row->is_known);
    if (is_known) assert_int_equal(percent, row->percent_nano);
}

struct spark_row {
    const char *name;
    int64_t values[6];
    const char *line;
};

static const struct spark_row sparks[] = {
    {"rising", {1, 2, 3, 4, 5, 8}, "▁▂▃▄▅█"},
    {"flat stands in the middle", {5, 5, 5, 5, 5, 5}, "▅▅▅▅▅▅"},
    {"gaps are blank", {0, 1, 0, 8, 0, 0}, " ▁ █  "},
    {"nothing at all", {0, 0, 0, 0, 0, 0}, "      "},
    {"large amounts do not overflow", {1, INT64_MAX, 1, INT64_MAX, 1, 1}, "▁█▁█▁▁"},
};

static void check_spark(void **state)
{
    const struct spark_row *row = *state;
    struct arena *arena = arena_new(1 << 16);
    struct gt_str line = figure_sparkline(row->values, 6, arena);
    assert_str(line, row->line);
    arena_free(arena);
}

/* Every label has words in both languages, and both have the same places for figures. */
struct label_row {
    const char *name;
    enum label id;
};

static const struct label_row label_rows[] = {
#define LABEL(id, zh, en) {#id, LABEL_##id},
#include "reports/words.def"
};

static unsigned places_of(struct gt_str text)
{
    unsigned places = 0;
    for (size_t i = 0; i + 2 < text.len; i++)
        if (text.ptr[i] == '{' && gt_char_is_in(text.ptr[i + 1], "0123456789") && text.ptr[i + 2] == '}') places |= 1u << (text.ptr[i + 1] - '0');
    return places;
}

static void check_label(void **state)
{
    const struct label_row *row = *state;
    struct gt_str zh = label(LANG_ZH, row->id), en = label(LANG_EN, row->id);
    assert_true((zh.len == 0) == (en.len == 0) && (zh.len > 0 || row->id == LABEL_UNTITLED));
    /* {3} of GROUP_NODE is said by "whole node" in English. */
    if (row->id != LABEL_GROUP_NODE) assert_int_equal(places_of(zh), places_of(en));
}

struct sentence_row {
    const char *name, *text, *zh; /* zh NULL: it stays as it is */
};

static const struct sentence_row sentences[] = {
    {"a whole sentence", "spot only", "只有抢占式"},
    {"both figures stay", "1.57 is shown for a list price of 1.96: a factor of 0.80 that is printed nowhere", "标出 1.57,目录价 1.96:其间的系数 0.80 没有标出"},
    {"the longer of two that begin alike", "6.20 is shown, 7.75 × 0.80 = 6.20: the site-wide factor alone, without the labelled 0.80; the label alone would come to the same",
     "标出 6.20,7.75 × 0.80 = 6.20:只含普遍折扣,不含所标的 0.80;只按所标折扣也得此数"},
    {"figures in another order", "17 of 18 prices moved by one factor: ÷8, per-node became per-card (31.6 → 3.95)",
     "18 个价格中有 17 个按同一系数变动:÷8,整机价变成单卡价(31.6 → 3.95)"},
    {"a sentence in a sentence", "2 goes on from the doubted 2.01: ÷8: per-node became per-card (hour 16 → 2.01)", "2 接着待核的 2.01:÷8:整机价变成单卡价(每小时 16 → 2.01)"},
    {"names of what is compared", "bound to a term it is 2.1, free it is 1.98 (per card and 720 hours: 1512 against 1425.6)",
     "长租价 2.1,不长租 1.98(每卡 720 小时:1512 对 1425.6)"},
    {"the last words stand in a figure, too", "NVLink is printed (NVLink), but A has none), but B has none", "标有 NVLink(NVLink),而 A has none), but B 没有卡间互联"},
    {"what it is about stands before it", "4090 node: NVLink is printed (NVLink + IB), but NVIDIA-RTX-4090 has none", "4090 node:标有 NVLink(NVLink + IB),而 NVIDIA-RTX-4090 没有卡间互联"},
    {"parts before a reason", "2/3: empty page", "2/3:空页面"},
    {"nothing", "", NULL},
    {"a formula", "1.96 × 0.80 = 1.568 → 1.57; 1.57 × 0.95 × 720 = 1073.88 → 1074", NULL},
    {"a server's own words", "HTTP 503", NULL},
    {"a word before a sentence", "not spot only", NULL},
    {"a word behind it", "spot only then", NULL},
    {"a sentence that breaks off", "1.57 is shown for a list price of 1.96: a factor of 0.80", NULL},
    {"others' words with a colon", "curl: (28) Timeout was reached", NULL},
    {"names", "A100-PCIE-40G, A100-SXM4-40G", NULL},
};

static void check_sentence(void **state)
{
    const struct sentence_row *row = *state;
    struct arena *arena = arena_new(1 << 16);
    assert_str(label_sentence(arena, LANG_ZH, gt_str_from(row->text)), row->zh != NULL ? row->zh : row->text);
    assert_str(label_sentence(arena, LANG_EN, gt_str_from(row->text)), row->text);
    arena_free(arena);
}

/* A page's words that are sentences within sentences without end are told in part, and soon. */
static void check_deep(void **state)
{
    enum { BYTES = 60000, SHORT = 2000 };
    const struct sentence_row *row = *state;
    struct arena *arena = arena_new(1 << 20);
    struct gt_str told, text = {arena_alloc(arena, BYTES), 0};
    while (text.len + strlen(row->text) < BYTES) {
        memcpy((char *)(uintptr_t)text.ptr + text.len, row->text, strlen(row->text));
        text.len += strlen(row->text);
    }
    told = label_sentence(arena, LANG_ZH, text);
    assert_ptr_equal(told.ptr, text.ptr);
    told = label_sentence(arena, LANG_ZH, gt_str_slice(text, 0, SHORT));
    assert_true(gt_str_find(told, gt_str_from(row->text), 0) != SIZE_MAX);
    arena_free(arena);
}

static const struct sentence_row deep[] = {
    {"who: who: who: …", "a: ", NULL},
    {"a slip of a slip of a slip", "×1, ", NULL},
    {"half of a template", "{0} is {1}, ", NULL},
    {"a doubt of a doubt", "2 goes on from the doubted 3: ", NULL},
};

struct template_row {
    const char *name, *zh;
};

static const struct template_row templates[] = {
#define LABEL_SENTENCE(zh, en) {en, zh},
#include "reports/words.def"
};

/* No figure of a sentence is lost, and the line it is read by says so of itself: it is the first that fits. */
static void check_template(void **state)
{
    const struct template_row *row = *state;
    struct arena *arena = arena_new(1 << 16);
    assert_int_equal(places_of(gt_str_from(row->zh)), places_of(gt_str_from(row->name)));
    assert_str(label_sentence(arena, LANG_ZH, gt_str_from(row->name)), row->zh);
    arena_free(arena);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(cards, check_card) + TABLE_RUN(sites, check_site) + TABLE_RUN(classes, check_class) +
           TABLE_RUN(personas, check_persona) + TABLE_RUN(percents, check_percent) + TABLE_RUN(sparks, check_spark) +
           TABLE_RUN(label_rows, check_label) + TABLE_RUN(sentences, check_sentence) + TABLE_RUN(templates, check_template) +
           TABLE_RUN(deep, check_deep);
}
