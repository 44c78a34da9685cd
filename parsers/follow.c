#include "parsers/follow.h"

#include <libxml/tree.h>
#include <stdlib.h>

#include "parsers/field_rules.h"
#include "parsers/html_tree.h"
#include "parsers/jq_program.h"
#include "parsers/json_locate.h"
#include "parsers/regex.h"
#include "parsers/link_resolve.h"

/* One of the three is set. */
struct follow_rule {
    struct xpath *xpath;
    struct jq_program *program;
    struct regex *regex;
};

/* Addresses being collected. */
struct collector {
    struct arena *arena;
    struct extraction *ret;
    struct gt_str base;
    struct gt_errinfo *info;
};

/* The language is told by the text: slashes around it are a regex, one in front an XPath; jq only where the page is JSON. */
enum gt_err follow_rule_new(const struct conf_section *section, struct follow_rule **ret_rule, struct gt_errinfo *info)
{
    const struct conf_value *value = conf_get(section, "follow");
    *ret_rule = NULL;
    if (value == NULL || gt_str_trim(value->text).len == 0) return GT_OK;
    struct follow_rule *rule = calloc(1, sizeof *rule);
    if (rule == NULL) return gt_fail(info, GT_ENOMEM, "no memory for rules");
    struct gt_str text = gt_str_trim(value->text);
    bool is_path = gt_str_starts(text, GT_STR("/")) || gt_str_starts(text, GT_STR("(/")) || gt_str_starts(text, GT_STR("./"));
    enum gt_err err;
    if (rule_is_regex(text)) err = regex_new(value, rule_regex_text(text), &rule->regex, info);
    else if (!is_path && gt_str_is(conf_text(section, "extract"), "json")) err = jq_program_new(value, &rule->program, info);
    else err = xpath_new(value, text, &rule->xpath, info);
    if (err == GT_OK) *ret_rule = rule;
    else follow_rule_free(rule);
    return err;
}

enum gt_err follow_rule_check(const struct follow_rule *rule, struct gt_errinfo *info)
{
    return rule != NULL && rule->program != NULL ? jq_program_compile(rule->program, info) : GT_OK;
}

void follow_rule_free(struct follow_rule *rule)
{
    if (rule == NULL) return;
    xpath_free(rule->xpath);
    jq_program_free(rule->program);
    regex_free(rule->regex);
    free(rule);
}

/* Each address once: pages link their neighbours at both ends of a list. */
static enum gt_err collect(struct collector *all, struct gt_str reference)
{
    struct gt_str url;
    if (!link_resolve(all->base, reference, all->arena, &url)) return GT_OK;
    for (size_t i = 0; i < all->ret->follow_count; i++) {
        if (gt_str_eq(all->ret->follow[i], url)) return GT_OK;
    }
    if (all->ret->follow_count == EXTRACT_FOLLOW_MAX)
        return gt_fail(all->info, GT_ELIMIT, "`follow` yields more than EXTRACT_FOLLOW_MAX (%d) addresses", EXTRACT_FOLLOW_MAX);
    all->ret->follow[all->ret->follow_count++] = url;
    return GT_OK;
}

/* An element stands for its href or src; attributes and texts for themselves. */
static struct gt_str reference_of(const xmlNode *node, struct strbuf *text)
{
    struct gt_str address = html_attribute(node, "href");
    if (address.len == 0) address = html_attribute(node, "src");
    if (address.len > 0) return address;
    strbuf_clear(text);
    html_text_add(node, false, text);
    return strbuf_str(text);
}

/* <base href> takes the page's place, itself resolved against the page. */
static void adopt_base(struct collector *all, struct _xmlDoc *doc)
{
    for (xmlNodePtr node = xmlDocGetRootElement(doc); node != NULL; node = html_next(node, NULL, true)) {
        if (html_is(node, "body")) return;
        struct gt_str href = html_is(node, "base") ? html_attribute(node, "href") : GT_STR("");
        if (href.len == 0) continue;
        struct gt_str base;
        if (link_resolve(all->base, href, all->arena, &base)) all->base = base;
        return;
    }
}

static enum gt_err by_xpath(const struct xpath *xpath, struct gt_str text, struct collector *all)
{
    struct _xmlDoc *doc = NULL;
    struct xpath_run *run = NULL;
    struct xpath_result found = {0};
    struct strbuf scratch;
    strbuf_init(&scratch, LINK_BYTES_MAX);
    enum gt_err err = html_tree_parse(text, all->arena, &doc, all->info);
    if (err == GT_OK) {
        adopt_base(all, doc);
        err = xpath_run_begin(doc, &run);
    }
    if (err == GT_OK) err = xpath_evaluate(run, xpath, NULL, &found, all->info);
    if (err == GT_OK && found.is_text) err = collect(all, found.text);
    for (size_t i = 0; i < found.count && err == GT_OK; i++) err = collect(all, reference_of(found.nodes[i], &scratch));
    xpath_result_done(&found);
    xpath_run_end(run);
    html_tree_free(doc);
    strbuf_done(&scratch);
    return err;
}

static enum gt_err by_program(struct jq_program *program, struct gt_str text, struct collector *all)
{
    const struct json_place whole = {.variable = GT_STR("")};
    struct jnode *values, *result;
    enum gt_err err = json_locate(&whole, text, all->arena, &values, all->info);
    for (struct jnode *value = err == GT_OK ? values->children : NULL; value != NULL && err == GT_OK; value = value->next) {
        err = jq_program_start(program, value, all->info);
        while (err == GT_OK && (err = jq_program_next(program, all->arena, &result, all->info)) == GT_OK && result != NULL) {
            if (result->kind == JNODE_STRING) err = collect(all, result->text);
            if (err != GT_OK) break;
        }
    }
    return err;
}

/* Raw text of HTML and of scripts writes & and / in ways of its own. */
static struct gt_str unescape(struct gt_str text, struct arena *arena)
{
    char *out = arena_alloc(arena, text.len + 1);
    size_t len = 0;
    if (out == NULL) return GT_STR("");
    for (size_t i = 0; i < text.len; i++) {
        struct gt_str rest = gt_str_slice(text, i, SIZE_MAX);
        if (gt_str_starts(rest, GT_STR("\\/"))) continue;
        out[len++] = text.ptr[i];
        if (gt_str_starts(rest, GT_STR("&amp;"))) i += 4;
    }
    return (struct gt_str){out, len};
}

/* The first group when the pattern has one, else the whole match. */
static enum gt_err by_regex(const struct regex *regex, struct gt_str text, struct collector *all)
{
    struct regex_run *run = NULL;
    bool is_found = true;
    struct gt_str address;
    enum gt_err err = regex_run_begin(regex, text, &run, all->info);
    while (err == GT_OK && is_found) {
        err = regex_run_next(run, &is_found, all->info);
        if (err != GT_OK || !is_found) break;
        if (regex_run_group(run, 1, &address) || regex_run_group(run, 0, &address))
            err = collect(all, unescape(address, all->arena));
    }
    regex_run_end(run);
    return err;
}

enum gt_err follow_collect(const struct follow_rule *rule, const struct decoded_page *page, struct arena *arena,
                           struct extraction *ret, struct gt_errinfo *info)
{
    struct collector all = {arena, ret, page->input->url, info};
    if (rule->regex != NULL) return by_regex(rule->regex, page->text, &all);
    if (rule->program != NULL) return by_program(rule->program, page->text, &all);
    return by_xpath(rule->xpath, page->text, &all);
}
