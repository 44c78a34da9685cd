/* From page bytes to listings: decode, find what to follow, let the section's extractor read, fall back on `auto`. */
#include "parsers/extract.h"

#include <stdlib.h>

#include "parsers/charset.h"
#include "parsers/extractor.h"
#include "parsers/field_rules.h"
#include "parsers/follow.h"

struct site_rules {
    struct arena *arena;
    const struct extractor *extractor;
    void *compiled; /* the extractor's own; NULL for `auto` */
    struct follow_rule *follow;
    struct gt_str charset;      /* the section's label */
    int64_t rows_min, rows_max; /* -1 when not set */
};

static const struct extractor *const EXTRACTORS[] = {
#define EXTRACTOR(id) &extractor_##id,
#include "parsers/extractors.def"
#undef EXTRACTOR
};

static const struct extractor *find_extractor(struct gt_str name)
{
    for (size_t i = 0; i < sizeof EXTRACTORS / sizeof EXTRACTORS[0]; i++) {
        if (gt_str_is(name, EXTRACTORS[i]->name)) return EXTRACTORS[i];
    }
    return &extractor_auto; /* the reader of sites.conf lets no other name pass */
}

/* `auto` has no rules and so none to compile: it is there for every page as the fallback. */
static enum gt_err compile(const struct conf_section *section, struct site_rules *rules, struct gt_errinfo *info)
{
    rules->rows_min = rules->rows_max = -1;
    rules->charset = GT_STR("");
    rules->extractor = section != NULL ? find_extractor(conf_text(section, "extract")) : &extractor_auto;
    if (rules->extractor->rules_bytes > 0) {
        rules->compiled = arena_alloc(rules->arena, rules->extractor->rules_bytes);
        if (rules->compiled == NULL) return gt_fail(info, GT_ENOMEM, "no memory for rules");
        enum gt_err err = rules->extractor->compile(section, rules->arena, rules->compiled, info);
        if (err != GT_OK) return err;
    }
    if (section == NULL) return GT_OK;
    rules->rows_min = conf_int(section, "rows_min", -1);
    rules->rows_max = conf_int(section, "rows_max", -1);
    rules->charset = arena_dup(rules->arena, conf_text(section, "charset"));
    const struct conf_value *charset = conf_get(section, "charset");
    if (charset != NULL && charset_name(charset->text) == NULL) return conf_fail(charset, info, "no such encoding");
    return follow_rule_new(section, &rules->follow, info);
}

enum gt_err site_rules_new(const struct conf_section *section, struct site_rules **ret_rules, struct gt_errinfo *info)
{
    enum gt_err err = GT_ENOMEM;
    struct site_rules *rules = calloc(1, sizeof *rules);
    if (rules == NULL) return gt_fail(info, GT_ENOMEM, "no memory for rules");
    rules->arena = arena_new(FIELD_RULES_ARENA_MAX);
    if (rules->arena != NULL) err = compile(section, rules, info);
    if (err == GT_OK) *ret_rules = rules;
    else site_rules_free(rules);
    return err;
}

enum gt_err site_rules_check(const struct site_rules *rules, struct gt_errinfo *info)
{
    enum gt_err err = rules->extractor->check != NULL ? rules->extractor->check(rules->compiled, info) : GT_OK;
    return err == GT_OK ? follow_rule_check(rules->follow, info) : err;
}

enum gt_err site_rules_auto(struct site_rules **ret_rules, struct gt_errinfo *info)
{
    return site_rules_new(NULL, ret_rules, info);
}

void site_rules_free(struct site_rules *rules)
{
    if (rules == NULL) return;
    if (rules->compiled != NULL) rules->extractor->done(rules->compiled);
    follow_rule_free(rules->follow);
    arena_free(rules->arena);
    free(rules);
}

static bool is_outside(const struct site_rules *rules, size_t rows)
{
    return (rules->rows_min >= 0 && rows < (size_t)rules->rows_min) || (rules->rows_max >= 0 && rows > (size_t)rules->rows_max);
}

/* Lets `auto` look at a page on which the rules found nothing. What it finds replaces an empty result; a failure of its own
 * does not. */
static enum gt_err fall_back(const struct site_rules *rules, const struct decoded_page *page, struct arena *arena,
                             struct extraction *ret)
{
    struct extraction found = {.charset = ret->charset, .replaced_chars = ret->replaced_chars};
    struct gt_errinfo ignored = {0};
    if (rules->extractor == &extractor_auto) return GT_ENOROWS;
    enum gt_err err = extractor_auto.extract(NULL, page, arena, &found, &ignored);
    if (err != GT_OK || found.count == 0) return GT_ENOROWS;
    found.extractor = gt_str_from(extractor_auto.name);
    found.is_drifted = true;
    memcpy(found.follow, ret->follow, sizeof found.follow);
    found.follow_count = ret->follow_count;
    *ret = found;
    return GT_OK;
}

/* The rows of a decoded page. */
static enum gt_err read_rows(const struct site_rules *rules, const struct decoded_page *page, struct arena *arena,
                             struct extraction *ret, struct gt_errinfo *info)
{
    struct gt_errinfo reason = {0};
    enum gt_err err = rules->extractor->extract(rules->compiled, page, arena, ret, &reason);
    ret->extractor = gt_str_from(rules->extractor->name);
    ret->is_drifted = is_outside(rules, ret->rows_found);
    /* A page that only leads on need not have rows, nor be of the kind that the pages behind it are. */
    if (ret->follow_count > 0 && (err == GT_ENOROWS || err == GT_EFORMAT)) {
        ret->is_drifted = false;
        return GT_OK;
    }
    if (err == GT_ENOROWS || (err == GT_OK && ret->count == 0)) {
        bool had_rows = err == GT_OK;
        if (fall_back(rules, page, arena, ret) == GT_OK) return GT_OK;
        if (!had_rows) return gt_fail(info, GT_ENOROWS, "%s", reason.text);
        ret->is_drifted = true; /* rows without a label: the rules do not fit any more */
        return GT_OK;
    }
    return err == GT_OK ? GT_OK : gt_fail(info, err, "%s", reason.text);
}

/* Pages to follow are found before rows, since a page may only lead on; a followed page leads no further. */
enum gt_err page_extract(const struct site_rules *rules, const struct page_input *page, struct arena *arena,
                         struct extraction *ret_extraction, struct gt_errinfo *info)
{
    struct extraction extraction = {0};
    struct charset_text text;
    if (page->body.len > PAGE_BYTES_MAX)
        return gt_fail(info, GT_ELIMIT, "the page has more than PAGE_BYTES_MAX (%d) bytes", PAGE_BYTES_MAX);
    enum gt_err err = charset_decode(page->body, page->content_type, rules->charset, arena, &text, info);
    if (err != GT_OK) return err;
    const struct decoded_page decoded = {text.text, page};
    extraction.charset = text.decision;
    extraction.replaced_chars = text.replaced;
    if (rules->follow != NULL && !page->is_followed) err = follow_collect(rules->follow, &decoded, arena, &extraction, info);
    if (err == GT_OK) err = read_rows(rules, &decoded, arena, &extraction, info);
    if (err == GT_OK || err == GT_ENOROWS) *ret_extraction = extraction;
    return err;
}
