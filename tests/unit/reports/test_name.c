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
#define LABEL_WORD(set, name, zh, en)
#define LABEL_CODE(code, zh, en)
#include "reports/words.def"
#undef LABEL
#undef LABEL_WORD
#undef LABEL_CODE
};

static unsigned places_of(struct gt_str text)
{
    unsigned places = 0;
    for (size_t i = 0; i + 2 < text.len; i++)
        if (text.ptr[i] == '{' && text.ptr[i + 2] == '}') places |= 1u << (text.ptr[i + 1] - '0');
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

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(cards, check_card) + TABLE_RUN(sites, check_site) + TABLE_RUN(classes, check_class) +
           TABLE_RUN(personas, check_persona) + TABLE_RUN(percents, check_percent) + TABLE_RUN(sparks, check_spark) +
           TABLE_RUN(label_rows, check_label);
}
