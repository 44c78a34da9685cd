#include "reports/transparency.h"

#include <stdlib.h>

#include "common/civil.h"
#include "pricing/audit.h"

enum { VALUES_SHOWN_MAX = 4, WORD_MONTHS_MAX = 120 };

/* ---- words ---- */

static const char *const aspect_words[ASPECT_COUNT] = {
#define ASPECT(id, word, zh, en) word,
#include "reports/aspects.def"
#undef ASPECT
};

static const char *const aspect_labels[ASPECT_COUNT][LANG_COUNT] = {
#define ASPECT(id, word, zh, en) {zh, en},
#include "reports/aspects.def"
#undef ASPECT
};

const char *aspect_word(enum aspect aspect)
{
    return aspect_words[aspect];
}

struct gt_str aspect_label(enum gt_lang lang, enum aspect aspect)
{
    return gt_str_from(aspect_labels[aspect][lang]);
}

const char *disclosure_word(enum disclosure disclosure)
{
    static const char *const words[] = {"", "not-examined", "not-seen", "not-disclosed", "disclosed", "contradictory"};
    return words[disclosure];
}

/* ---- one site in the making ---- */

/* Different values of one aspect, joined by " / ". Values alike but for case count once. */
struct said {
    struct gt_str text;
    struct gt_str values[VALUES_SHOWN_MAX];
    size_t count; /* of different values, also those not kept */
};

struct site_judge {
    struct arena *arena;
    struct gt_str site, title;
    const struct site_extras *extras; /* NULL: sites.conf says nothing */
    struct said printed[ASPECT_COUNT];
    int32_t prints[ASPECT_COUNT], asked[ASPECT_COUNT];
    struct gt_str finding[ASPECT_COUNT]; /* the first contradiction that the audit sees */
    int32_t offers;
};

static void said_add(struct said *said, struct gt_str value, struct arena *arena)
{
    for (size_t i = 0; i < said->count && i < VALUES_SHOWN_MAX; i++)
        if (gt_str_eq_nocase(said->values[i], value)) return;
    if (said->count < VALUES_SHOWN_MAX) {
        said->values[said->count] = value;
        said->text = said->count == 0 ? value : arena_printf(arena, "%.*s / %.*s", GT_STR_ARG(said->text), GT_STR_ARG(value));
    } else if (said->count == VALUES_SHOWN_MAX) {
        said->text = arena_printf(arena, "%.*s / …", GT_STR_ARG(said->text));
    }
    said->count++;
}

/* One offer is asked for an aspect; `value` is empty when it does not print it. */
static void ask(struct site_judge *judge, enum aspect aspect, struct gt_str value)
{
    judge->asked[aspect]++;
    if (value.len == 0) return;
    judge->prints[aspect]++;
    said_add(&judge->printed[aspect], value, judge->arena);
}

/* ---- what an offer prints ---- */

/* "1s", "1h", "90s": the largest unit that divides it. */
static struct gt_str step_text(int32_t seconds, struct arena *arena)
{
    if (seconds <= 0) return GT_STR("");
    if (seconds % CIVIL_DAY_S == 0) return arena_printf(arena, "%dd", (int)(seconds / CIVIL_DAY_S));
    if (seconds % CIVIL_HOUR_S == 0) return arena_printf(arena, "%dh", (int)(seconds / CIVIL_HOUR_S));
    if (seconds % CIVIL_MINUTE_S == 0) return arena_printf(arena, "%dm", (int)(seconds / CIVIL_MINUTE_S));
    return arena_printf(arena, "%ds", (int)seconds);
}

static bool has_condition(const struct condition *conditions, size_t count, enum cond_kind kind)
{
    for (size_t i = 0; i < count; i++)
        if (conditions[i].kind == kind) return true;
    return false;
}

/* A discount whose conditions are understood, or none that is not. Only where there are discounts. */
static void ask_discounts(struct site_judge *judge, const struct offer_record *record)
{
    for (size_t i = 0; i < record->discount_count; i++) {
        const struct discount *discount = &record->discounts[i];
        bool is_open = discount->is_inferred || has_condition(discount->conditions, discount->condition_count, COND_UNKNOWN);
        ask(judge, ASPECT_DISCOUNT, is_open ? GT_STR("") : discount->raw.len > 0 ? discount->raw : GT_STR("printed"));
    }
}

/* The end of what is called a promotion. */
static void ask_promotions(struct site_judge *judge, const struct offer_record *record)
{
    for (size_t i = 0; i < record->quote_count; i++) {
        const struct quote *quote = &record->quotes[i];
        if (!has_condition(quote->conditions, quote->condition_count, COND_PROMOTION)) continue;
        ask(judge, ASPECT_PROMOTION, has_condition(quote->conditions, quote->condition_count, COND_UNTIL) ? quote->raw : GT_STR(""));
    }
}

/* A cell of its own, or words beside the card's name: "RTX 4090 24GB". */
static bool has_memory(const struct offer *offer)
{
    return offer->attributes.vram_printed_gb > 0 || sku_resolve(offer->identity.label, 0, NULL, 0).vram_gb > 0;
}

static struct gt_str term_text(int32_t months, struct arena *arena)
{
    return months > 0 ? arena_printf(arena, "%d month%s", (int)months, months == 1 ? "" : "s") : GT_STR("");
}

static void ask_offer(struct site_judge *judge, const struct offer *offer)
{
    const struct offer_attributes *attributes = &offer->attributes;
    struct arena *arena = judge->arena;
    bool has_host = attributes->vcpu > 0 && attributes->ram_gb > 0, has_stock = offer->record.availability != AVAIL_UNKNOWN || offer->stock >= 0;
    judge->offers++;
    ask(judge, ASPECT_TAX, attributes->tax == TAX_UNKNOWN ? GT_STR("") : gt_str_from(word_text(VOCABULARY_TAX, (int)attributes->tax)));
    ask(judge, ASPECT_BILLING, step_text(attributes->billing_step_s, arena));
    ask(judge, ASPECT_TERM, term_text(attributes->min_months, arena));
    ask(judge, ASPECT_STOCK, has_stock ? GT_STR("printed") : GT_STR(""));
    ask(judge, ASPECT_MEMORY, has_memory(offer) ? GT_STR("printed") : GT_STR(""));
    ask(judge, ASPECT_HOST, has_host ? GT_STR("printed") : GT_STR(""));
    if (attributes->cards > 1) ask(judge, ASPECT_INTERCONNECT, attributes->interconnect);
    ask_discounts(judge, &offer->record);
    ask_promotions(judge, &offer->record);
}

/* The findings that are contradictions of an aspect. What is dear or unusual is none. */
static const struct contradiction {
    const char *code;
    enum aspect aspect;
} contradictions[] = {
    {"discount-mismatch", ASPECT_PRICE},  {"sale-above-list", ASPECT_PRICE},    {"list-prices-differ", ASPECT_PRICE},
    {"month-hour-mismatch", ASPECT_PRICE}, {"second-hour-mismatch", ASPECT_PRICE}, {"node-card-mismatch", ASPECT_PRICE},
    {"percent-discount-ambiguous", ASPECT_DISCOUNT}, {"interconnect-implausible", ASPECT_INTERCONNECT},
};

static enum gt_err audit_row(struct site_judge *judge, const struct board_row *row)
{
    struct audit_result result = {0};
    enum gt_err err = audit_offer(&row->offer, &row->net_rules, judge->arena, &result);
    bool is_found = false;
    if (err != GT_OK) return err;
    for (size_t i = 0; i < result.count; i++)
        for (size_t k = 0; k < sizeof contradictions / sizeof contradictions[0]; k++) {
            enum aspect aspect = contradictions[k].aspect;
            if (strcmp(result.findings[i].code, contradictions[k].code) != 0) continue;
            is_found |= aspect == ASPECT_PRICE;
            if (judge->finding[aspect].len == 0)
                judge->finding[aspect] = arena_printf(judge->arena, "%.*s: %.*s", GT_STR_ARG(row->offer.identity.label),
                                                      GT_STR_ARG(result.findings[i].detail));
        }
    judge->asked[ASPECT_PRICE]++;
    judge->prints[ASPECT_PRICE] += !is_found;
    return GT_OK;
}

/* ---- what documents say ---- */

/* The months of "3 months", "1 month"; 0 when it is no such text. */
static int32_t months_read(struct gt_str text)
{
    int32_t months = 0;
    size_t i = 0;
    for (; i < text.len && text.ptr[i] >= '0' && text.ptr[i] <= '9' && months < WORD_MONTHS_MAX; i++) months = months * 10 + (text.ptr[i] - '0');
    return i > 0 && gt_str_starts(gt_str_trim(gt_str_slice(text, i, SIZE_MAX)), GT_STR("month")) ? months : 0;
}

/* True when both say something that can be compared and it differs: "included" against "excluded", "1s" against "1h". */
static bool is_against(enum aspect aspect, struct gt_str fact, struct gt_str printed)
{
    struct gt_str rest = fact, word;
    if (!gt_str_split(&rest, ' ', &word)) return false;
    int64_t a, b;
    if (aspect == ASPECT_TAX) return (gt_str_is(word, "included") || gt_str_is(word, "excluded")) && !gt_str_eq(word, printed);
    if (aspect == ASPECT_BILLING) return conf_parse_duration(word, &a) && conf_parse_duration(printed, &b) && a != b;
    if (aspect == ASPECT_TERM) return months_read(fact) > 0 && months_read(fact) != months_read(printed);
    return false;
}

/* The facts of one aspect. */
struct testimony {
    struct said said;
    struct gt_str sources, date; /* of what is said; of the search when nothing was found */
    bool is_searched;            /* "-" */
    bool is_against_pages;
};

static struct gt_str joined(struct gt_str before, struct gt_str more, struct arena *arena)
{
    return before.len == 0 || gt_str_eq(before, more) ? more : arena_printf(arena, "%.*s; %.*s", GT_STR_ARG(before), GT_STR_ARG(more));
}

static void facts_gather(const struct site_judge *judge, enum aspect aspect, struct testimony *heard)
{
    struct gt_str searched = GT_STR(""), searched_date = GT_STR("");
    for (size_t i = 0; judge->extras != NULL && i < judge->extras->fact_count; i++) {
        const struct site_fact *fact = &judge->extras->facts[i];
        if (!gt_str_is(fact->name, aspect_words[aspect])) continue;
        if (gt_str_is(fact->value, "-")) {
            heard->is_searched = true;
            searched = joined(searched, fact->source, judge->arena);
            searched_date = joined(searched_date, fact->date, judge->arena);
            continue;
        }
        said_add(&heard->said, fact->value, judge->arena);
        heard->sources = joined(heard->sources, fact->source, judge->arena);
        heard->date = joined(heard->date, fact->date, judge->arena);
        for (size_t k = 0; k < judge->printed[aspect].count && k < VALUES_SHOWN_MAX; k++)
            heard->is_against_pages |= is_against(aspect, fact->value, judge->printed[aspect].values[k]);
    }
    if (heard->said.count > 0) return;
    heard->sources = searched;
    heard->date = searched_date;
}

static struct gt_str fee_text(const struct site_fee *fee, struct arena *arena)
{
    char amount[MONEY_TEXT_MAX];
    if (!fee->is_known) return GT_STR("");
    if (fee->amount_nano == 0) return GT_STR("included");
    return arena_printf(arena, "%s%s %s/GB%s", fee->is_approx ? "~" : "", money_format(fee->amount_nano, amount), fee->currency.code,
                        fee->period == PERIOD_DAY ? "/day" : fee->period == PERIOD_MONTH ? "/month" : "");
}

/* A fee that sites.conf states counts as said by a document. */
static void fees_gather(const struct site_judge *judge, enum aspect aspect, struct testimony *heard)
{
    const struct site_fees *fees = judge->extras != NULL ? &judge->extras->fees : NULL;
    struct gt_str text = GT_STR("");
    char percent[MONEY_TEXT_MAX];
    if (fees == NULL) return;
    if (aspect == ASPECT_STORAGE) text = fee_text(&fees->storage, judge->arena);
    if (aspect == ASPECT_TRAFFIC) text = fee_text(&fees->traffic, judge->arena);
    if (aspect == ASPECT_MANAGEMENT && fees->is_management_known)
        text = arena_printf(judge->arena, "%s%%", money_format(fees->management_nano, percent));
    if (text.len == 0) return;
    said_add(&heard->said, text, judge->arena);
    heard->sources = joined(heard->sources, GT_STR("sites.conf"), judge->arena);
}

/* ---- judging ---- */

static bool is_of_pages(enum aspect aspect)
{
    static const enum aspect of_pages[] = {ASPECT_TAX, ASPECT_BILLING, ASPECT_TERM, ASPECT_STOCK, ASPECT_MEMORY, ASPECT_HOST};
    for (size_t i = 0; i < sizeof of_pages / sizeof of_pages[0]; i++)
        if (of_pages[i] == aspect) return true;
    return false;
}

/* Aspects that only some offers have: without any such offer there is nothing to say. */
static bool is_occasional(enum aspect aspect)
{
    return aspect == ASPECT_PRICE || aspect == ASPECT_DISCOUNT || aspect == ASPECT_PROMOTION;
}

static enum disclosure disclosure_of(const struct site_judge *judge, enum aspect aspect, const struct testimony *heard)
{
    bool is_asked = judge->asked[aspect] > 0;
    if (heard->said.count > 1 || heard->is_against_pages || judge->finding[aspect].len > 0) return DISCLOSURE_CONTRADICTORY;
    if (heard->said.count > 0 || judge->prints[aspect] > 0) return DISCLOSURE_DISCLOSED;
    if (heard->is_searched) return DISCLOSURE_NOT_DISCLOSED;
    if (is_asked) return DISCLOSURE_NOT_SEEN;
    if (is_occasional(aspect) || (is_of_pages(aspect) && judge->offers > 0)) return DISCLOSURE_NONE;
    return DISCLOSURE_NOT_EXAMINED;
}

/* What is shown as the value: the contradiction where there is one, else the pages' words, then the documents'. */
static struct gt_str value_of(const struct site_judge *judge, enum aspect aspect, const struct testimony *heard)
{
    struct gt_str printed = judge->printed[aspect].text, said = heard->said.text;
    if (judge->finding[aspect].len > 0) return judge->finding[aspect];
    if (printed.len == 0 || gt_str_eq_nocase(printed, said)) return said;
    return said.len == 0 ? printed : arena_printf(judge->arena, "%.*s / %.*s", GT_STR_ARG(printed), GT_STR_ARG(said));
}

static void site_close(const struct site_judge *judge, struct transparency *list)
{
    if (judge->offers == 0 && judge->extras == NULL) return;
    list->sites++;
    for (int aspect = 0; aspect < ASPECT_COUNT; aspect++) {
        struct testimony heard = {0};
        facts_gather(judge, (enum aspect)aspect, &heard);
        fees_gather(judge, (enum aspect)aspect, &heard);
        enum disclosure disclosure = disclosure_of(judge, (enum aspect)aspect, &heard);
        if (disclosure == DISCLOSURE_NONE) continue;
        list->items[list->count++] = (struct transparency_item){.site = judge->site,
                                                                .title = judge->title,
                                                                .aspect = (enum aspect)aspect,
                                                                .disclosure = disclosure,
                                                                .value = value_of(judge, (enum aspect)aspect, &heard),
                                                                .printed = judge->prints[aspect],
                                                                .offers = judge->asked[aspect],
                                                                .source = heard.sources,
                                                                .date = heard.date};
    }
}

/* ---- the list ---- */

/* True when sites.conf says anything of the site beside prices. */
static bool says_something(const struct site_extras *extras)
{
    return extras->fact_count > 0 || extras->fees.storage.is_known || extras->fees.traffic.is_known || extras->fees.is_management_known;
}

/* True when a site without offers belongs on the list. */
static bool is_site_wanted(const struct board_view *view, struct gt_str site)
{
    struct gt_str name;
    if (view->query == NULL) return true;
    if (query_is_about_offers(view->query)) return false;
    if (query_site(view->query, 0).len == 0) return true;
    for (size_t i = 0; (name = query_site(view->query, i)).len > 0; i++)
        if (gt_str_eq(name, site)) return true;
    return false;
}

static int item_order(const void *left, const void *right)
{
    const struct transparency_item *a = left, *b = right;
    int order = gt_str_cmp(a->site, b->site);
    return order != 0 ? order : (int)a->aspect - (int)b->aspect;
}

/* Judges the rows of one site, which stand together; `ret_next` is the first of the next site. */
static enum gt_err site_judge_rows(const struct board_rows *rows, size_t from, const struct board_view *view, struct site_judge *judge,
                                   struct arena *scratch, size_t *ret_next)
{
    size_t i = from;
    for (; i < rows->count && gt_str_eq(rows->rows[i].site, judge->site); i++) {
        const struct board_row *row = &rows->rows[i];
        arena_clear(scratch);
        if (!row->is_listed || row->is_doubted || row->provenance == PROVENANCE_MANUAL || row->kind == KIND_FX) continue;
        if (!board_row_matches(row, view, scratch)) continue;
        ask_offer(judge, &row->offer);
        enum gt_err err = audit_row(judge, row);
        if (err != GT_OK) return err;
    }
    *ret_next = i;
    return GT_OK;
}

/* Sites of which sites.conf speaks and the store knows nothing. */
static void sites_add(const struct board_rows *rows, const struct board_view *view, const struct site_extras *extras, size_t count,
                      struct arena *arena, struct transparency *list)
{
    for (size_t i = 0; i < count; i++) {
        bool is_known = !says_something(&extras[i]) || !is_site_wanted(view, extras[i].site);
        for (size_t k = 0; k < rows->count && !is_known; k++) is_known = gt_str_eq(rows->rows[k].site, extras[i].site);
        struct site_judge judge = {.arena = arena, .site = extras[i].site, .title = extras[i].title, .extras = &extras[i]};
        if (!is_known) site_close(&judge, list);
    }
}

enum gt_err transparency_compute(const struct board_rows *rows, const struct board_view *view, const struct site_extras *extras,
                                 size_t extra_count, struct arena *arena, struct transparency *ret_transparency)
{
    struct transparency list = {0};
    struct arena *scratch = arena_new(REPORT_BYTES_MAX);
    size_t sites = extra_count;
    for (size_t i = 0; i < rows->count; i++) sites += i == 0 || !gt_str_eq(rows->rows[i].site, rows->rows[i - 1].site);
    list.items = arena_array(arena, sites * ASPECT_COUNT + 1, sizeof *list.items);
    enum gt_err err = scratch == NULL || list.items == NULL ? GT_ENOMEM : GT_OK;
    for (size_t from = 0, next = 0; from < rows->count && err == GT_OK; from = next) {
        const struct board_row *row = &rows->rows[from];
        struct site_judge judge = {.arena = arena, .site = row->site, .title = row->site_title,
                                   .extras = site_extras_find(extras, extra_count, row->site)};
        err = site_judge_rows(rows, from, view, &judge, scratch, &next);
        if (err == GT_OK && judge.offers == 0 && !is_site_wanted(view, row->site)) continue;
        if (err == GT_OK) site_close(&judge, &list);
    }
    if (err == GT_OK) sites_add(rows, view, extras, extra_count, arena, &list);
    if (err == GT_OK && list.count > 0) qsort(list.items, list.count, sizeof *list.items, item_order);
    arena_free(scratch);
    if (err == GT_OK) *ret_transparency = list;
    return err;
}
