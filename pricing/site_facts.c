/* A section of sites.conf as pricing needs it: numbers read once, defaults applied. Rules of extraction are not read here. What
 * is wrong is said with file and line, before any page is fetched. */
#include "pricing/site_facts.h"


#include "pricing/site_alias.h"

enum { HOURS_PER_MONTH = 720 };

static const struct site_facts defaults = {
    .market = MARKET_DOMESTIC,
    .scale_num = 1,
    .scale_den = 1,
    .hours_per_month = HOURS_PER_MONTH,
    .round_site_nano = NANO / 100,
    .round_month_nano = NANO,
};

/* The value of an ENUM key in a vocabulary; `otherwise` when the key is not set. The reader of the file has checked the word. */
static int word_of(const struct conf_section *section, const char *key, enum vocabulary vocabulary, int otherwise)
{
    int value = otherwise;
    struct gt_str text = conf_text(section, key);
    return text.len > 0 && word_find(vocabulary, text, &value) ? value : otherwise;
}

/* For scales in lowest terms: they are multiplied with amounts later. */
static int64_t gcd(int64_t a, int64_t b)
{
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* "0.001" is 1/1000, "3600/1000000" is 9/2500. */
static enum gt_err read_scale(const struct conf_section *section, struct site_facts *facts, struct gt_errinfo *info)
{
    const struct conf_value *value = conf_get(section, "scale");
    if (value == NULL || value->text.len == 0) return GT_OK;
    struct gt_str rest = value->text, over;
    int64_t num, den = NANO;
    gt_str_split(&rest, '/', &over);
    if (money_parse(over, &num) != GT_OK || num <= 0)
        return conf_fail(value, info, "wants a positive number such as 0.001, or two as in 3600/1000000");
    if (rest.len > 0 && (money_parse(gt_str_trim(rest), &den) != GT_OK || den <= 0))
        return conf_fail(value, info, "wants a positive number after the '/'");
    int64_t common = gcd(num, den);
    facts->scale_num = num / common;
    facts->scale_den = den / common;
    return GT_OK;
}

static enum gt_err read_currency(const struct conf_section *section, struct site_facts *facts, struct gt_errinfo *info)
{
    const struct conf_value *value = conf_get(section, "currency");
    if (value == NULL || value->text.len == 0) return GT_OK;
    if (!currency_is_code(value->text)) return conf_fail(value, info, "wants an ISO code such as CNY");
    facts->currency = currency_from(value->text);
    return GT_OK;
}

/* A rounding step; 0 is none. */
static enum gt_err read_step(const struct conf_section *section, const char *key, int64_t *step_nano, struct gt_errinfo *info)
{
    const struct conf_value *value = conf_get(section, key);
    if (value == NULL || value->text.len == 0) return GT_OK;
    int64_t nano;
    if (money_parse(value->text, &nano) != GT_OK || nano < 0)
        return conf_fail(value, info, "wants a step such as 0.01, or 0 for none");
    *step_nano = nano;
    return GT_OK;
}

/* `cards` is a field rule or a plain number; only the number is a fact. */
static enum gt_err read_cards(const struct conf_section *section, struct site_facts *facts, struct gt_errinfo *info)
{
    const struct conf_value *value = conf_get(section, "cards");
    if (value == NULL || value->text.len == 0) return GT_OK;
    int32_t cards = 0;
    for (size_t i = 0; i < value->text.len; i++) {
        char c = value->text.ptr[i];
        if (c < '0' || c > '9') return GT_OK;
        if (cards <= CARDS_MAX) cards = cards * 10 + (c - '0');
    }
    if (cards < 1 || cards > CARDS_MAX) return conf_fail(value, info, "wants 1 to 4096 cards");
    facts->cards = cards;
    return GT_OK;
}

/* A field rule in quotes is literal text and so says the same of every row. */
static struct gt_str literal_of(struct gt_str rule)
{
    if (rule.len < 2 || rule.ptr[0] != '\'' || rule.ptr[rule.len - 1] != '\'') return (struct gt_str){NULL, 0};
    return gt_str_slice(rule, 1, rule.len - 2);
}

/* Unset means that the page's own numbers decide, or that an amount is refused as ambiguous. */
static enum decimal_sign decimal_of(struct gt_str text)
{
    if (gt_str_is(text, ".")) return DECIMAL_POINT;
    return gt_str_is(text, ",") ? DECIMAL_COMMA : DECIMAL_UNKNOWN;
}

/* What needs no check beyond the key table's. */
static void read_words(const struct conf_section *section, struct site_facts *facts)
{
    facts->site = conf_section_name(section);
    facts->title = conf_text(section, "title");
    facts->kind = (enum site_kind)word_of(section, "kind", VOCABULARY_KIND, KIND_VERTICAL);
    facts->market = (enum market)word_of(section, "market", VOCABULARY_MARKET, MARKET_DOMESTIC);
    facts->period = (enum period)word_of(section, "period", VOCABULARY_PERIOD, PERIOD_NONE);
    facts->basis = (enum basis)word_of(section, "basis", VOCABULARY_BASIS, BASIS_UNKNOWN);
    facts->delivery = (enum delivery)word_of(section, "delivery", VOCABULARY_DELIVERY, DELIVERY_UNKNOWN);
    facts->tier = (enum tier)word_of(section, "tier", VOCABULARY_TIER, TIER_UNKNOWN);
    facts->tax = (enum tax)word_of(section, "tax", VOCABULARY_TAX, TAX_UNKNOWN);
    facts->includes = (enum includes)word_of(section, "includes", VOCABULARY_INCLUDES, INCLUDES_WHOLE);
    facts->decimal = decimal_of(conf_text(section, "decimal"));
    facts->hours_per_month = (int32_t)conf_int(section, "hours_per_month", HOURS_PER_MONTH);
    facts->region = literal_of(conf_text(section, "region"));
    facts->section = section;
}

enum gt_err site_facts_from_conf(const struct conf_section *section, struct site_facts *ret_facts, struct gt_errinfo *info)
{
    struct site_facts facts = defaults;
    if (section == NULL) {
        *ret_facts = facts;
        return GT_OK;
    }
    read_words(section, &facts);
    enum gt_err err = read_scale(section, &facts, info);
    if (err == GT_OK) err = read_currency(section, &facts, info);
    if (err == GT_OK) err = read_cards(section, &facts, info);
    if (err == GT_OK) err = read_step(section, "round_site", &facts.round_site_nano, info);
    if (err == GT_OK) err = read_step(section, "round_label", &facts.round_label_nano, info);
    if (err == GT_OK) err = read_step(section, "round_month", &facts.round_month_nano, info);
    if (err == GT_OK) err = site_aliases_check(section, info);
    if (err == GT_OK) *ret_facts = facts;
    return err;
}
