/* Candidates are cheap to make and dear to believe: every one is compiled as a section and run over the page, and only one that
 * reads the very offers that `auto` reads is proposed. */
#include "parsers/propose.h"

#include <libxml/tree.h>
#include <stdlib.h>

#include "common/strbuf.h"
#include "parsers/charset.h"
#include "parsers/extractor.h"
#include "parsers/html_tree.h"
#include "parsers/page_kind.h"
#include "parsers/propose_example.h"

enum {
    TITLE_MAX = 80,
    DISTINCT_LOOKED_AT = 512, /* listings back that a repeat is looked for */
    SKIP_LABELS_MAX = 12,
    SKIP_BYTES_MAX = 1000,
};

#define PROPOSE_BYTES_MAX ((size_t)128 * 1024 * 1024) /* of pages read to prove candidates */

/* ---- what a page reads as ---- */

/* For qsort and bsearch, by copies: their pointers are not typed. */
static int text_cmp(const void *left, const void *right)
{
    struct gt_str a, b;
    memcpy(&a, left, sizeof a);
    memcpy(&b, right, sizeof b);
    return gt_str_cmp(a, b);
}

/* One price in all that counts; where it was printed does not. */
static struct gt_str shown_quote(const struct quote *q, struct arena *arena)
{
    struct gt_str text = arena_printf(arena, "q%lld-%lld %s %d*%d %d %d %d", (long long)q->amount_nano,
                                      (long long)q->amount_high_nano, q->currency.code, (int)q->period_count, (int)q->period,
                                      (int)q->role, (int)q->bound, (int)q->months);
    for (size_t k = 0; k < q->condition_count; k++)
        text = arena_printf(arena, "%.*s %d:%lld", GT_STR_ARG(text), (int)q->conditions[k].kind, (long long)q->conditions[k].n);
    return text;
}

/* Everything that a buyer would notice of an offer, as one text. Prices are a set: columns come in the order of their names. */
static struct gt_str shown(const struct offer *offer, struct arena *arena)
{
    const struct offer_attributes *a = &offer->attributes;
    const struct offer_record *r = &offer->record;
    struct gt_str quotes[OFFER_QUOTES_MAX];
    struct gt_str text = arena_printf(
        arena, "%.*s|%.*s|%s|%d|%d|%d/%d|%d|%d|%d|%d|%s|%lld|%lld|%d", GT_STR_ARG(offer->identity.label),
        GT_STR_ARG(offer->identity.region), a->sku, (int)a->sku_status, (int)a->cards, (int)a->slice_num, (int)a->slice_den,
        (int)a->tier, (int)a->delivery, (int)a->min_months, (int)a->min_cards, r->currency.code, (long long)r->hour_list_nano,
        (long long)r->month_list_nano, (int)r->availability);
    for (size_t i = 0; i < r->quote_count; i++) quotes[i] = shown_quote(&r->quotes[i], arena);
    if (r->quote_count > 1) qsort(quotes, r->quote_count, sizeof *quotes, text_cmp);
    for (size_t i = 0; i < r->quote_count; i++)
        text = arena_printf(arena, "%.*s|%.*s", GT_STR_ARG(text), GT_STR_ARG(quotes[i]));
    for (size_t i = 0; i < r->discount_count; i++)
        text = arena_printf(arena, "%.*s|d%lld %lld", GT_STR_ARG(text), (long long)r->discounts[i].factor_nano,
                            (long long)r->discounts[i].amount_off_nano);
    return text.ptr != NULL ? text : GT_STR("");
}

/* The offers of a reading, in an order of their own. */
static struct gt_str *shown_all(const struct reading *reading, struct arena *arena)
{
    struct gt_str *all = arena_array(arena, reading->offer_count + 1, sizeof *all);
    for (size_t i = 0; all != NULL && i < reading->offer_count; i++) all[i] = shown(&reading->offers[i], arena);
    if (all != NULL && reading->offer_count > 1) qsort(all, reading->offer_count, sizeof *all, text_cmp);
    return all;
}

/* Order does not count: columns and rows may be read in another one. */
static bool is_same_reading(const struct reading *a, const struct reading *b, struct arena *arena)
{
    if (a->offer_count != b->offer_count) return false;
    struct gt_str *x = shown_all(a, arena), *y = shown_all(b, arena);
    bool is_same = x != NULL && y != NULL;
    for (size_t i = 0; is_same && i < a->offer_count; i++) is_same = gt_str_eq(x[i], y[i]);
    return is_same;
}

/* Reads the page by a section; NULL: by auto. A page that a section reads only by falling back is read by no rules. */
static enum gt_err read_by(const struct conf_section *section, const struct page_input *page, struct gt_str currency,
                           struct arena *arena, struct extraction *ret_extraction, struct reading *ret, struct gt_errinfo *info)
{
    struct site_facts facts;
    struct site_rules *rules = NULL;
    enum gt_err err = site_facts_from_conf(section, &facts, info);
    if (err == GT_OK && section == NULL) facts.currency = currency_from(currency);
    if (err == GT_OK) err = site_rules_new(section, &rules, info);
    if (err == GT_OK) err = page_extract(rules, page, arena, ret_extraction, info);
    if (err == GT_OK && ret_extraction->is_drifted) err = gt_fail(info, GT_ENOROWS, "the rules read nothing");
    if (err == GT_OK && listing_read(ret_extraction->listings, ret_extraction->count, &facts, GT_STR("page"), arena, ret) != GT_OK)
        err = gt_fail(info, GT_ENOMEM, "no memory for a page");
    site_rules_free(rules);
    return err;
}

/* What `auto` makes of the page is what the rules are held to. */
static enum gt_err read_auto(const struct page_input *page, struct gt_str currency, struct arena *arena, struct extraction *ret,
                             struct reading *ret_reading, struct gt_errinfo *info)
{
    enum gt_err err = read_by(NULL, page, currency, arena, ret, ret_reading, info);
    if (err == GT_OK && ret_reading->offer_count == 0) err = gt_fail(info, GT_ENOROWS, "the page has rows, but none is an offer");
    return err;
}

/* A proposal is only worth printing when its rules read, offer by offer, what was found without rules. */
enum gt_err section_is_like_auto(const struct conf_section *section, const struct page_input *page, struct gt_str currency,
                                 struct arena *arena, bool *ret_same, struct gt_errinfo *info)
{
    struct extraction by_auto = {0}, by_rules = {0};
    struct reading wanted = {0}, got = {0};
    struct gt_errinfo reason = {0};
    enum gt_err err = read_auto(page, currency, arena, &by_auto, &wanted, info);
    if (err != GT_OK) return err;
    err = read_by(section, page, currency, arena, &by_rules, &got, &reason);
    if (err == GT_ECONF || err == GT_ENOMEM) return gt_fail(info, err, "%s", reason.text);
    *ret_same = err == GT_OK && is_same_reading(&wanted, &got, arena);
    return GT_OK;
}

/* ---- what is proposed ---- */

/* The currency that all prices are in, where the caller named none. */
static struct gt_str common_currency(const struct reading *reading, struct gt_str given, struct arena *arena)
{
    const char *code = NULL;
    if (given.len > 0) return given;
    for (size_t i = 0; i < reading->offer_count; i++) {
        const char *own = reading->offers[i].record.currency.code;
        if (own[0] == '\0' || (code != NULL && strcmp(code, own) != 0)) return GT_STR("");
        code = own;
    }
    return code != NULL ? arena_dup(arena, gt_str_from(code)) : GT_STR("");
}

/* The text of <title>. */
static struct gt_str title_of(struct gt_str text, struct arena *arena)
{
    struct _xmlDoc *doc = NULL;
    struct strbuf title;
    struct gt_str found = GT_STR("");
    if (html_tree_parse(text, arena, &doc, NULL) != GT_OK) return found;
    strbuf_init(&title, PAGE_BYTES_MAX);
    xmlNodePtr root = xmlDocGetRootElement(doc);
    for (xmlNodePtr node = root; node != NULL && title.len == 0; node = html_next(node, root, true))
        if (html_is(node, "title") && node->children != NULL) html_text_add(node->children, false, &title);
    if (title.len > 0 && title.len <= TITLE_MAX) found = arena_dup(arena, strbuf_str(&title));
    strbuf_done(&title);
    html_tree_free(doc);
    return found.ptr != NULL ? found : GT_STR("");
}

/* Reads the page by a candidate, compiled as a section of its own. */
static enum gt_err read_candidate(struct propose *propose, struct gt_str rules, struct arena *scratch, struct reading *ret)
{
    struct conf *conf = conf_new();
    struct extraction extraction = {0};
    struct gt_errinfo ignored = {0};
    struct gt_str text = arena_printf(scratch, "[site proposed]\n%.*s", GT_STR_ARG(rules));
    enum gt_err err = conf != NULL && text.ptr != NULL ? conf_read_text(conf, "proposed", text, &ignored) : GT_ENOMEM;
    if (err == GT_OK)
        err = read_by(conf_find(conf, "site", GT_STR("proposed")), propose->page, propose->currency, scratch, &extraction, ret,
                      &ignored);
    conf_free(conf);
    return err;
}

/* A label as a regex that means itself. */
static void add_escaped(struct strbuf *regex, struct gt_str label)
{
    for (size_t i = 0; i < label.len; i++) {
        if (strchr("\\^$.|?*+()[]{}/", label.ptr[i]) != NULL) strbuf_addc(regex, '\\');
        strbuf_addc(regex, label.ptr[i]);
    }
}

/* Rows that the rules take for offers and `auto` does not, by their labels: `skip = Nanode 1GB|…`. Empty when there are none, or
 * too many, or when something is missing, which no skipping helps. */
static struct gt_str skip_of(const struct reading *wanted, const struct reading *got, struct arena *arena)
{
    struct gt_str *want = shown_all(wanted, arena), copy = GT_STR("");
    struct strbuf regex;
    size_t extra = 0, found = 0;
    strbuf_init(&regex, SKIP_BYTES_MAX);
    strbuf_adds(&regex, "skip = ");
    for (size_t i = 0; want != NULL && i < got->offer_count; i++) {
        struct gt_str own = shown(&got->offers[i], arena);
        bool is_wanted = bsearch(&own, want, wanted->offer_count, sizeof own, text_cmp) != NULL;
        found += is_wanted;
        if (is_wanted || extra == SKIP_LABELS_MAX) continue;
        if (extra++ > 0) strbuf_addc(&regex, '|');
        add_escaped(&regex, got->offers[i].identity.label);
    }
    strbuf_addc(&regex, '\n');
    bool is_good = extra > 0 && found == wanted->offer_count && got->offer_count == found + extra;
    if (is_good && regex.err == GT_OK) copy = arena_dup(arena, strbuf_str(&regex));
    strbuf_done(&regex);
    return copy;
}

/* Runs a candidate; where it only reads too much, once more with the rest skipped. The rules that read the same, or empty. */
static struct gt_str prove(struct propose *propose, struct gt_str rules, const struct reading *wanted)
{
    struct arena *scratch = arena_new(EXTRACT_ARENA_MAX);
    struct gt_str good = GT_STR("");
    for (int pass = 0; scratch != NULL && pass < 2 && good.len == 0 && rules.len > 0; pass++) {
        struct reading got = {0};
        arena_clear(scratch);
        if (read_candidate(propose, rules, scratch, &got) != GT_OK) break;
        if (is_same_reading(wanted, &got, scratch)) good = rules;
        struct gt_str skip = pass == 0 && good.len == 0 ? skip_of(wanted, &got, scratch) : GT_STR("");
        rules = skip.len > 0 ? arena_printf(propose->arena, "%.*s%.*s", GT_STR_ARG(rules), GT_STR_ARG(skip)) : GT_STR("");
    }
    arena_free(scratch);
    return good;
}

/* The likeliest form first, since the first candidate that is proven wins: tables before scripts before blocks. */
static void collect(struct propose *propose, enum page_kind kind)
{
    if (kind == PAGE_HTML) propose_tables(propose);
    if (kind == PAGE_TEXT) propose_markdown(propose);
    if (kind == PAGE_TEXT) propose_tables(propose); /* markdown holds HTML, too */
    propose_json(propose);
    if (kind == PAGE_HTML) propose_blocks(propose);
}

/* First of the lines, as readers look for it, and so does who prints the section. */
static struct gt_str with_currency(struct propose *propose, struct gt_str rules)
{
    if (propose->currency.len == 0) return rules;
    return arena_printf(propose->arena, "currency = %.*s\n%.*s", GT_STR_ARG(propose->currency), GT_STR_ARG(rules));
}

/* What all offers have alike and a section can say once, where the rows' own texts do not: `tier = on-demand`. Empty when there is
 * nothing. */
static struct gt_str common_facts(const struct reading *reading, struct arena *arena)
{
    enum tier tier = reading->offers[0].attributes.tier;
    enum delivery delivery = reading->offers[0].attributes.delivery;
    for (size_t i = 1; i < reading->offer_count; i++) {
        if (reading->offers[i].attributes.tier != tier) tier = TIER_UNKNOWN;
        if (reading->offers[i].attributes.delivery != delivery) delivery = DELIVERY_UNKNOWN;
    }
    struct gt_str lines = GT_STR("");
    if (tier != TIER_UNKNOWN) lines = arena_printf(arena, "tier = %s\n", word_text(VOCABULARY_TIER, (int)tier));
    if (delivery != DELIVERY_UNKNOWN)
        lines = arena_printf(arena, "%.*sdelivery = %s\n", GT_STR_ARG(lines), word_text(VOCABULARY_DELIVERY, (int)delivery));
    return lines.ptr != NULL ? lines : GT_STR("");
}

/* A candidate as it is, else with what all offers have alike. */
static struct gt_str prove_candidate(struct propose *propose, struct gt_str candidate, const struct reading *wanted)
{
    struct gt_str rules = prove(propose, with_currency(propose, candidate), wanted);
    struct gt_str facts = rules.len == 0 ? common_facts(wanted, propose->arena) : GT_STR("");
    if (facts.len == 0) return rules;
    struct gt_str more = arena_printf(propose->arena, "%.*s%.*s", GT_STR_ARG(facts), GT_STR_ARG(candidate));
    return more.ptr != NULL ? prove(propose, with_currency(propose, more), wanted) : rules;
}

/* The same fields in the same order with the same texts. */
static bool is_same_listing(const struct listing *a, const struct listing *b)
{
    if (a->field_count != b->field_count) return false;
    for (size_t i = 0; i < a->field_count; i++)
        if (!gt_str_eq(a->fields[i].name, b->fields[i].name) || !gt_str_eq(a->fields[i].text, b->fields[i].text)) return false;
    return true;
}

/* The listings, each once: what a page prints twice, or `auto` met in two ways, is one row for the rules. */
static bool keep_distinct(struct propose *propose, const struct extraction *extraction)
{
    struct listing *kept = arena_array(propose->arena, extraction->count, sizeof *kept);
    size_t count = 0;
    for (size_t i = 0; kept != NULL && i < extraction->count; i++) {
        bool is_new = true;
        for (size_t k = count > DISTINCT_LOOKED_AT ? count - DISTINCT_LOOKED_AT : 0; k < count && is_new; k++)
            is_new = !is_same_listing(&kept[k], &extraction->listings[i]);
        if (is_new) kept[count++] = extraction->listings[i];
    }
    propose->listings = kept;
    propose->count = count;
    return kept != NULL;
}

enum gt_err section_propose(const struct page_input *page, struct gt_str currency, struct arena *arena, struct proposal *ret,
                            struct gt_errinfo *info)
{
    struct extraction extraction = {0};
    struct reading wanted = {0};
    struct charset_text text;
    struct propose *propose = arena_alloc(arena, sizeof *propose);
    if (propose == NULL) return gt_fail(info, GT_ENOMEM, "no memory for a page");
    enum gt_err err = read_auto(page, currency, arena, &extraction, &wanted, info);
    if (err == GT_OK) err = charset_decode(page->body, page->content_type, GT_STR(""), arena, &text, info);
    if (err != GT_OK) return err;
    propose->text = text.text;
    propose->page = page;
    propose->currency = common_currency(&wanted, currency, arena);
    propose->arena = arena;
    if (!keep_distinct(propose, &extraction)) return gt_fail(info, GT_ENOMEM, "no memory for a page");
    const struct decoded_page decoded = {text.text, page};
    enum page_kind kind = page_kind(&decoded);
    collect(propose, kind);
    struct proposal proposal = {.is_auto = true, .offers = wanted.offer_count, .title = GT_STR("")};
    proposal.rules = prove(propose, with_currency(propose, GT_STR("extract = auto\n")), &wanted);
    /* A currency that all prices print themselves may be another thing than that of bare numbers. */
    if (proposal.rules.len == 0) proposal.rules = GT_STR("extract = auto\n");
    for (size_t i = 0; i < propose->candidate_count && proposal.is_auto; i++) {
        /* A large page is not read a hundred times. */
        if ((i + 1) * text.text.len > PROPOSE_BYTES_MAX && i > 0) break;
        struct gt_str rules = prove_candidate(propose, propose->candidates[i], &wanted);
        if (rules.len == 0) continue;
        proposal.rules = rules;
        proposal.is_auto = false;
    }
    if (kind == PAGE_HTML) proposal.title = title_of(text.text, arena);
    if (propose->is_out_of_memory || proposal.rules.ptr == NULL) return gt_fail(info, GT_ENOMEM, "no memory for a page");
    *ret = proposal;
    return GT_OK;
}
