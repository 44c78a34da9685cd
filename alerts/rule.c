#include "alerts/rule.h"

#include "common/digest.h"
#include "common/strbuf.h"

enum { RULE_TEXT_MAX = 16 * 1024 };

static enum gt_err read_when(const struct conf_section *section, struct rule *rule, struct gt_errinfo *info)
{
    struct gt_errinfo why = {0};
    if (conf_get(section, "when") == NULL)
        return gt_fail(info, GT_ECONF, "%s:%d: [alert %.*s] has no `when`", conf_section_file(section),
                       conf_section_line(section), GT_STR_ARG(rule->name));
    rule->when_text = conf_text(section, "when");
    enum gt_err err = when_read(rule->when_text, &rule->when, &why);
    return err == GT_OK ? GT_OK : rule_fail(section, "when", err, &why, info);
}

/* Where the condition names no metric: the term that the persona pays by. */
static enum gt_err read_persona(const struct conf_section *section, struct rule *rule, struct gt_errinfo *info)
{
    struct gt_errinfo why = {0};
    enum gt_err err = persona_read(conf_text(section, "persona"), &rule->persona, &why);
    if (err != GT_OK) return rule_fail(section, "persona", err, &why, info);
    if (rule->when.metric == METRIC_COUNT)
        rule->when.metric = rule->persona.pay == PERIOD_HOUR ? METRIC_HOUR_NET : METRIC_MONTH_NET;
    return GT_OK;
}

bool rule_channel_next(struct gt_str *rest, struct gt_str *ret_name)
{
    size_t from = 0, to;
    while (from < rest->len && (rest->ptr[from] == ' ' || rest->ptr[from] == ',')) from++;
    for (to = from; to < rest->len && rest->ptr[to] != ' ' && rest->ptr[to] != ',';) to++;
    *ret_name = gt_str_slice(*rest, from, to - from);
    *rest = gt_str_slice(*rest, to, SIZE_MAX);
    return ret_name->len > 0;
}

/* A channel that is named twice gets one message. */
static enum gt_err read_channels(const struct conf_section *section, struct rule *rule, struct gt_errinfo *info)
{
    struct gt_str rest = conf_text(section, "to"), name;
    while (rule_channel_next(&rest, &name)) {
        bool is_known = false;
        for (size_t i = 0; i < rule->channel_count; i++) is_known = is_known || gt_str_eq(rule->channels[i], name);
        if (is_known) continue;
        if (rule->channel_count == RULE_CHANNELS_MAX)
            return conf_fail(conf_get(section, "to"), info, "more channels than can be kept");
        rule->channels[rule->channel_count++] = name;
    }
    return GT_OK;
}

static enum gt_err read_match(const struct conf_section *section, struct rule *rule, struct arena *arena, struct gt_errinfo *info)
{
    struct gt_errinfo why = {0};
    enum gt_err err = query_read(conf_text(section, "match"), arena, &rule->query, &why);
    return err == GT_OK ? GT_OK : rule_fail(section, "match", err, &why, info);
}

/* What a rule remembers is worth nothing once its condition or persona is another: the id goes into the keys of its state. */
static enum gt_err make_id(const struct conf_section *section, struct rule *rule, struct gt_errinfo *info)
{
    struct strbuf text;
    uint8_t digest[SHA256_BYTES];
    char hex[SHA256_HEX_MAX];
    strbuf_init(&text, RULE_TEXT_MAX);
    strbuf_add(&text, rule->when_text);
    strbuf_addc(&text, '\n');
    strbuf_add(&text, conf_text(section, "persona"));
    enum gt_err err = text.err != GT_OK ? text.err : digest_sha256(strbuf_str(&text), digest);
    strbuf_done(&text);
    if (err != GT_OK) return gt_fail(info, err, "the alert rule %.*s cannot be kept", GT_STR_ARG(rule->name));
    digest_hex(digest, sizeof digest, hex);
    memcpy(rule->id, hex, RULE_ID_HEX);
    rule->id[RULE_ID_HEX] = '\0';
    return GT_OK;
}

enum gt_err rule_read(const struct conf_section *section, struct arena *arena, struct rule *ret_rule, struct gt_errinfo *info)
{
    struct rule rule = {.name = conf_section_name(section), .section = section};
    rule.good_runs = (int32_t)conf_int(section, "for", 1);
    rule.severity = conf_text(section, "severity");
    rule.fires_at_first_sight = gt_str_is(conf_text(section, "initial"), "fire");
    rule.is_enabled = conf_bool(section, "enabled", true);
    enum gt_err err = read_when(section, &rule, info);
    if (err == GT_OK) err = read_persona(section, &rule, info);
    if (err == GT_OK) err = rule_keys_read(section, &rule, info);
    if (err == GT_OK) err = read_channels(section, &rule, info);
    if (err == GT_OK) err = read_match(section, &rule, arena, info);
    if (err == GT_OK) err = make_id(section, &rule, info);
    if (err == GT_OK) *ret_rule = rule;
    return err;
}
