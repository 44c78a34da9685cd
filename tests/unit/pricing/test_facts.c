/* What a site's section says that its pages do not print. */
#include "pricing/site_facts.h"

#include "tests/unit/pricing/build.h"

struct facts_case {
    const char *name;
    const char *section; /* lines of [site x] */
    const char *shown;   /* what the facts come to; NULL: refused */
    const char *message; /* a part of the refusal */
};

static const struct facts_case sections[] = {
    {"nothing said", "", "cur= scale=1/1 period= basis=unknown cards=0 hours=720 steps=0.01/0/1 region= dec=0", NULL},
    {"currency in any case", "currency = cny",
     "cur=CNY scale=1/1 period= basis=unknown cards=0 hours=720 steps=0.01/0/1 region= dec=0", NULL},
    {"credits of a platform's own", "currency = X-SDD",
     "cur=X-SDD scale=1/1 period= basis=unknown cards=0 hours=720 steps=0.01/0/1 region= dec=0", NULL},
    {"厘", "scale = 0.001", "cur= scale=1/1000 period= basis=unknown cards=0 hours=720 steps=0.01/0/1 region= dec=0", NULL},
    {"micro-yuan a second, by the hour", "scale = 3600/1000000\nperiod = hour",
     "cur= scale=9/2500 period=hour basis=unknown cards=0 hours=720 steps=0.01/0/1 region= dec=0", NULL},
    {"a scale of blanks around", "scale = 1 / 100000",
     "cur= scale=1/100000 period= basis=unknown cards=0 hours=720 steps=0.01/0/1 region= dec=0", NULL},
    {"a plain number of cards", "cards = 8\nbasis = node",
     "cur= scale=1/1 period= basis=node cards=8 hours=720 steps=0.01/0/1 region= dec=0", NULL},
    {"cards by a rule are no fact", "cards = 显卡数",
     "cur= scale=1/1 period= basis=unknown cards=0 hours=720 steps=0.01/0/1 region= dec=0", NULL},
    {"730 hours, other steps", "hours_per_month = 730\nround_site = 0\nround_label = 0.01\nround_month = 0.1",
     "cur= scale=1/1 period= basis=unknown cards=0 hours=730 steps=0/0.01/0.1 region= dec=0", NULL},
    {"a region for every row", "region = 'cn-north-4'",
     "cur= scale=1/1 period= basis=unknown cards=0 hours=720 steps=0.01/0/1 region=cn-north-4 dec=0", NULL},
    {"a region by a rule is no fact", "region = td[4]",
     "cur= scale=1/1 period= basis=unknown cards=0 hours=720 steps=0.01/0/1 region= dec=0", NULL},
    {"decimal comma", "decimal = ,", "cur= scale=1/1 period= basis=unknown cards=0 hours=720 steps=0.01/0/1 region= dec=2", NULL},
    {"no such currency", "currency = yuan", NULL, "x.conf:2: currency"},
    {"currency with a digit", "currency = CN1", NULL, "ISO code"},
    {"a scale of nothing", "scale = 0", NULL, "positive"},
    {"a scale over nothing", "scale = 1/0", NULL, "positive"},
    {"a negative scale", "scale = -0.001", NULL, "positive"},
    {"a scale in words", "scale = 厘", NULL, "positive"},
    {"too many cards", "cards = 5000", NULL, "4096"},
    {"no cards", "cards = 0", NULL, "4096"},
    {"a negative step", "round_month = -1", NULL, "step"},
};

static struct gt_str show(const struct site_facts *facts, struct arena *arena)
{
    char site[MONEY_TEXT_MAX], label[MONEY_TEXT_MAX], month[MONEY_TEXT_MAX];
    return arena_printf(arena, "cur=%s scale=%lld/%lld period=%s basis=%s cards=%d hours=%d steps=%s/%s/%s region=%.*s dec=%d",
                        facts->currency.code, (long long)facts->scale_num, (long long)facts->scale_den,
                        word_text(VOCABULARY_PERIOD, (int)facts->period), word_text(VOCABULARY_BASIS, (int)facts->basis),
                        (int)facts->cards, (int)facts->hours_per_month, money_format(facts->round_site_nano, site),
                        money_format(facts->round_label_nano, label), money_format(facts->round_month_nano, month),
                        GT_STR_ARG(facts->region), (int)facts->decimal);
}

static void check_section(void **state)
{
    const struct facts_case *row = *state;
    struct arena *arena = arena_new(BUILD_ARENA_BYTES);
    struct conf *conf = conf_new();
    struct site_facts facts = {.cards = -7};
    struct gt_errinfo info = {0};
    struct gt_str text = arena_printf(arena, "[site x]\n%s\n", row->section);
    enum gt_err err = conf_read_text(conf, "x.conf", text, &info);
    if (err == GT_OK) err = site_facts_from_conf(conf_find(conf, "site", GT_STR("x")), &facts, &info);
    if (row->shown == NULL) {
        assert_int_equal(err, GT_ECONF);
        assert_int_equal(facts.cards, -7);
        if (strstr(info.text, row->message) == NULL) fail_msg("message is \"%s\"", info.text);
    } else {
        assert_int_equal(err, GT_OK);
        assert_str(show(&facts, arena), row->shown);
    }
    conf_free(conf);
    arena_free(arena);
}

/* The words of closed vocabularies, and a page without a section. */
struct words_case {
    const char *name;
    const char *section;
    enum site_kind kind;
    enum market market;
    enum delivery delivery;
    enum tier tier;
    enum tax tax;
    enum includes includes;
};

static const struct words_case words[] = {
    {"defaults", "title = X", KIND_VERTICAL, MARKET_DOMESTIC, DELIVERY_UNKNOWN, TIER_UNKNOWN, TAX_UNKNOWN, INCLUDES_WHOLE},
    {"all set", "kind = serverless\nmarket = overseas\ndelivery = bare-metal\ntier = spot\ntax = excluded\nincludes = gpu-only",
     KIND_SERVERLESS, MARKET_OVERSEAS, DELIVERY_BARE_METAL, TIER_SPOT, TAX_EXCLUDED, INCLUDES_GPU_ONLY},
    {"no section at all", NULL, KIND_VERTICAL, MARKET_DOMESTIC, DELIVERY_UNKNOWN, TIER_UNKNOWN, TAX_UNKNOWN, INCLUDES_WHOLE},
};

static void check_words(void **state)
{
    const struct words_case *row = *state;
    struct arena *arena = arena_new(BUILD_ARENA_BYTES);
    struct conf *conf = conf_new();
    struct site_facts facts;
    struct gt_str text = arena_printf(arena, "[site x]\n%s\n", row->section != NULL ? row->section : "");
    assert_int_equal(conf_read_text(conf, "x.conf", text, NULL), GT_OK);
    const struct conf_section *section = row->section != NULL ? conf_find(conf, "site", GT_STR("x")) : NULL;
    assert_int_equal(site_facts_from_conf(section, &facts, NULL), GT_OK);
    assert_int_equal(facts.kind, row->kind);
    assert_int_equal(facts.market, row->market);
    assert_int_equal(facts.delivery, row->delivery);
    assert_int_equal(facts.tier, row->tier);
    assert_int_equal(facts.tax, row->tax);
    assert_int_equal(facts.includes, row->includes);
    assert_int_equal(facts.hours_per_month, 720);
    conf_free(conf);
    arena_free(arena);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(sections, check_section) + TABLE_RUN(words, check_words);
}
