/* QUERY: what it takes, what it says to what it does not take, what passes. */
#include "pricing/query.h"
#include "tests/unit/table.h"

enum { ARENA_BYTES = 1 << 20 };

/* The offers that queries are asked about. */
struct sample {
    const char *name;
    struct offer_identity identity;
    struct offer_attributes attributes;
    const char *site, *terms;
};

#define OFFER(id, label_, region_, sku_, delivery_, tier_, market_, kind_, site_, terms_)                                        \
    {                                                                                                                            \
        id, {.label = {label_, sizeof(label_) - 1}, .region = {region_, sizeof(region_) - 1}},                                   \
            {.sku = sku_,                                                                                                        \
             .delivery = DELIVERY_##delivery_,                                                                                   \
             .tier = TIER_##tier_,                                                                                               \
             .market = MARKET_##market_,                                                                                         \
             .kind = KIND_##kind_},                                                                                              \
            site_, terms_                                                                                                        \
    }

static const struct sample samples[] = {
    OFFER("a", "NVIDIA 4090 容器云", "华北", "NVIDIA-RTX-4090", CONTAINER, ON_DEMAND, DOMESTIC, VERTICAL, "jygpu", "hour month"),
    OFFER("b", "4090 8 卡裸金属", "华东", "NVIDIA-RTX-4090", BARE_METAL, ON_DEMAND, DOMESTIC, VERTICAL, "jygpu", "month"),
    OFFER("c", "RTX 4090D", "", "NVIDIA-RTX-4090D", CONTAINER, SPOT, DOMESTIC, MARKET, "autodl", "hour"),
    OFFER("d", "4090 48G", "", "NVIDIA-RTX-4090-48G", VM, ON_DEMAND, DOMESTIC, CLOUD, "autodl", "hour"),
    OFFER("e", "A100 80GB SXM", "us-east-1", "NVIDIA-A100-SXM4-80G", VM, ON_DEMAND, OVERSEAS, CLOUD, "lambda", "hour year"),
    OFFER("f", "A100", "us-west", "NVIDIA-A100", VM, SPOT, OVERSEAS, CLOUD, "lambda", "hour"),
    OFFER("g", "昇腾910B", "贵州", "ASCEND-910B", CONTAINER, ON_DEMAND, DOMESTIC, IDC, "jygpu", "hour month"),
    OFFER("h", "昇腾910B2", "贵州", "ASCEND-910B2", BARE_METAL, ON_DEMAND, DOMESTIC, IDC, "omniyq", "month"),
    OFFER("i", "RTX 6000", "", "", SERVERLESS, ON_DEMAND, OVERSEAS, SERVERLESS, "modal", "second"),
    OFFER("j", "Ｌ４０Ｓ　显卡", "", "NVIDIA-L40S", UNKNOWN, UNKNOWN, OVERSEAS, SERVERLESS, "modal", "second"),
};

struct passing {
    const char *name; /* the query */
    const char *expected;
};

static const struct passing passings[] = {
    {"", "abcdefghij"},
    {"   ", "abcdefghij"},
    {"4090", "ab"},
    {"rtx4090", "ab"},
    {"RTX 4090", "ab"},
    {"NVIDIA GeForce RTX 4090", "ab"},
    {"4090D", "c"},
    {"4090 D", "c"},
    {"4090 48G", "d"},
    {"4090 4090D", "abc"},
    {"4090 5090", "ab"},
    {"4090 昇腾910B", "abgh"},
    {"昇腾 910B", "gh"},
    {"910B2", "h"},
    {"A100", "ef"},
    {"A100 80G", "e"},
    {"A100 40G", ""},
    {"H100", ""},
    {"NVIDIA", "abcdefj"},
    {"ascend", "gh"},
    {"NVIDIA A100", "ef"},
    {"L40S", "j"},
    {"L40", ""},
    {"L4", ""},
    {"sku=NVIDIA-A100-80G", "e"},
    {"sku=nvidia-a100", "ef"},
    {"sku=\"RTX 4090\"", "ab"},
    {"\"RTX 4090\"", "ab"},
    {"RTX 6000 48G", ""},
    {"family=NVIDIA-A100-80G", "ef"},
    {"family=A100", "ef"},
    {"4090 delivery=container", "a"},
    {"delivery=container", "acg"},
    {"delivery=container delivery=vm", "acdefg"},
    {"delivery=unknown", "j"},
    {"delivery=container tier=spot", "c"},
    {"tier=on-demand 4090", "ab"},
    {"site=jygpu", "abg"},
    {"site=JYGPU term=hour", "ag"},
    {"site=jygpu site=modal", "abgij"},
    {"site=jy", ""},
    {"region=贵州", "gh"},
    {"region=us-east-1", "e"},
    {"region=US-EAST-1", "e"},
    {"region=us", ""},
    {"term=month", "abgh"},
    {"term=year", "e"},
    {"term=month term=year", "abegh"},
    {"market=overseas", "efij"},
    {"kind=idc", "gh"},
    {"label~裸金属", "b"},
    {"label~l40s", "j"},
    {"label~\"L40S 显卡\"", "j"},
    {"label~4090", "abcd"},
    {"label~nothing", ""},
    {"label~6000", "i"},
    {"4090\tsite=jygpu\nterm=month", "ab"},
};

static void check_passing(void **state)
{
    const struct passing *row = *state;
    struct arena *arena = arena_new(ARENA_BYTES);
    const struct query *query = NULL;
    struct gt_errinfo info = {0};
    enum gt_err err = query_read(gt_str_from(row->name), arena, &query, &info);
    if (err != GT_OK) print_error("%s\n", info.text);
    assert_int_equal(err, GT_OK);
    char passed[16] = "";
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        const struct query_subject subject = {gt_str_from(samples[i].site), &samples[i].identity, &samples[i].attributes,
                                              gt_str_from(samples[i].terms)};
        if (query_matches(query, &subject)) strcat(passed, samples[i].name);
    }
    arena_free(arena);
    assert_string_equal(passed, row->expected);
}

struct refused {
    const char *name; /* the query */
    const char *said; /* a part of the message */
};

static const struct refused refuseds[] = {
    {"foo", "\"foo\" is no card"},
    {"4090 spot", "did you mean tier=spot?"},
    {"container 4090", "did you mean delivery=container?"},
    {"overseas", "did you mean market=overseas?"},
    {"cheap H100", "\"cheap\" is no card"},
    {"H100 cheap", "\"cheap\" is no card"},
    {"NVIDIA-RTX-409", "did you mean NVIDIA-RTX-4090?"},
    {"nvidia-a10-80g", "did you mean NVIDIA-A100-80G?"},
    {"RTX 6000", "may be any of NVIDIA-QUADRO-RTX-6000, NVIDIA-RTX-6000-ADA, NVIDIA-RTX-PRO-6000"},
    {"sku=RTX6000", "may be any of"},
    {"sku=foo", "\"foo\" is no card"},
    {"sku=", "\"sku=\" lacks a value"},
    {"label~", "\"label~\" lacks a value"},
    {"label~\"\"", "lacks a value"},
    {"skus=4090", "unknown key \"skus\", did you mean \"sku\"?"},
    {"deliverry=vm", "did you mean \"delivery\"?"},
    {"zzz=1", "unknown key \"zzz\""},
    {"delivery=containr", "did you mean \"container\"?"},
    {"tier=ondemand", "did you mean \"on-demand\"?"},
    {"tier=xyz", "tier=xyz is unknown"},
    {"term=monat", "did you mean \"month\"?"},
    {"term=hourly", "term=hourly is unknown"},
    {"market=cn", "market=cn is unknown"},
    {"kind=clouds", "did you mean \"cloud\"?"},
    {"label=x", "label takes \"~\": label~x"},
    {"site~x", "site takes \"=\": site=x"},
    {"label~\"open", "a quote is not closed"},
    {"SKU=4090", "unknown key \"SKU\""},
    {"¥4090", "is no card"},
    {"4090元", "is no card"},
};

static void check_refused(void **state)
{
    const struct refused *row = *state;
    struct arena *arena = arena_new(ARENA_BYTES);
    const struct query *query = NULL;
    struct gt_errinfo info = {0};
    enum gt_err err = query_read(gt_str_from(row->name), arena, &query, &info);
    arena_free(arena);
    assert_int_equal(err, GT_EUSAGE);
    assert_null(query);
    if (strstr(info.text, row->said) == NULL) print_error("said: %s\n", info.text);
    assert_non_null(strstr(info.text, row->said));
}

/* Limits: as many as allowed pass, one more does not. */
struct limit {
    const char *name;
    const char *unit;
    size_t times;
    enum gt_err expected;
};

static const struct limit limits[] = {
    {"32 pairs", "site=x ", 32, GT_OK},   {"33 pairs", "site=x ", 33, GT_EUSAGE}, {"32 words", "4090 ", 32, GT_OK},
    {"33 words", "4090 ", 33, GT_EUSAGE}, {"a long text", "x", 5000, GT_EUSAGE},
};

static void check_limit(void **state)
{
    const struct limit *row = *state;
    char text[8192] = "";
    for (size_t i = 0; i < row->times; i++) strcat(text, row->unit);
    struct arena *arena = arena_new(ARENA_BYTES);
    const struct query *query = NULL;
    struct gt_errinfo info = {0};
    enum gt_err err = query_read(gt_str_from(text), arena, &query, &info);
    arena_free(arena);
    assert_int_equal(err, row->expected);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(passings, check_passing) + TABLE_RUN(refuseds, check_refused) + TABLE_RUN(limits, check_limit);
}
