/* What rules ask of the board as a whole when a crawl closes: one walk over it for all of them. Cards sold out on several platforms and
 * promotions about to end are judged here, class lows and holdings in files of their own. */
#include <stdlib.h>

#include "alerts/engine.h"
#include "common/civil.h"

enum { PLATFORMS_NAMED_MAX = 8 };

/* One row that counts for one rule: a card at a site, or a promotion's last moment at a site. */
struct tally {
    const struct rule *rule;
    struct gt_str sku, site, site_title, label;
    int64_t until_unix_s; /* 0 for cards */
    bool is_sold_out, is_sample;
};

/* Imported and archived streams speak of other days; what is doubted may be a slip of units. Neither moves a low. */
static bool is_believed(const struct board_row *row)
{
    return row->is_listed && !row->is_doubted && row->provenance == PROVENANCE_LIVE;
}

bool walk_row_may_stand(const struct board_row *row)
{
    return row->offer.attributes.sku_status == SKU_EXACT && row->offer.record.availability != AVAIL_SOLD_OUT;
}

bool walk_row_matches(struct evaluation *ev, const struct query *query, const struct board_row *row)
{
    const struct query_subject subject = {row->site, &row->offer.identity, &row->offer.attributes, ev->row_terms};
    return query_matches(query, &subject);
}

static enum gt_err tally_add(struct board_walk *walk, struct tally tally)
{
    void *items = walk->tallies;
    if (!arena_grow(walk->ev->arena, &items, walk->tally_count, &walk->tally_cap, sizeof *walk->tallies)) return GT_ENOMEM;
    walk->tallies = items;
    walk->tallies[walk->tally_count++] = tally;
    return GT_OK;
}

/* What both kinds of tallies have of a row; a promotion's is not about one card and drops the name. */
static struct tally tally_of(const struct rule *rule, const struct board_row *row)
{
    return (struct tally){.rule = rule,
                          .sku = gt_str_from(row->offer.attributes.sku),
                          .site = row->site,
                          .site_title = row->site_title,
                          .label = row->offer.identity.label,
                          .is_sold_out = row->offer.record.availability == AVAIL_SOLD_OUT,
                          .is_sample = row->is_sample};
}

static enum gt_err card_add(struct board_walk *walk, const struct rule *rule, const struct board_row *row)
{
    struct tally tally = tally_of(rule, row);
    if (row->offer.attributes.sku_status != SKU_EXACT || !walk_row_matches(walk->ev, rule->query, row)) return GT_OK;
    return tally_add(walk, tally);
}

/* Only ends within the rule's span and still to come: one that has passed is a change of the run, told by other rules. */
static enum gt_err untils_add(struct board_walk *walk, struct tally tally, const struct condition *conditions, size_t count)
{
    int64_t now = walk->ev->t_unix_s, last = now + tally.rule->when.span_s;
    enum gt_err err = GT_OK;
    for (size_t i = 0; err == GT_OK && i < count; i++) {
        if (conditions[i].kind != COND_UNTIL || conditions[i].n <= now || conditions[i].n > last) continue;
        tally.until_unix_s = conditions[i].n;
        err = tally_add(walk, tally);
    }
    return err;
}

/* The end may stand beside a price or beside a discount, as pages print it. */
static enum gt_err promotion_add(struct board_walk *walk, const struct rule *rule, const struct board_row *row)
{
    const struct offer_record *record = &row->offer.record;
    struct tally tally = tally_of(rule, row);
    enum gt_err err = GT_OK;
    tally.sku = GT_STR("");
    if (!walk_row_matches(walk->ev, rule->query, row)) return GT_OK;
    for (size_t i = 0; err == GT_OK && i < record->quote_count; i++)
        err = untils_add(walk, tally, record->quotes[i].conditions, record->quotes[i].condition_count);
    for (size_t i = 0; err == GT_OK && i < record->discount_count; i++)
        err = untils_add(walk, tally, record->discounts[i].conditions, record->discounts[i].condition_count);
    return err;
}

static enum gt_err on_row(void *ctx, const struct board_row *row)
{
    struct board_walk *walk = ctx;
    enum gt_err err = GT_OK;
    if (!is_believed(row)) return GT_OK;
    walk->ev->row_terms = evaluate_terms(&row->offer.record, walk->ev->arena);
    for (size_t i = 0; err == GT_OK && i < walk->rule_count; i++) {
        const struct rule *rule = walk->rules[i];
        if (rule->when.is_class) err = class_row_add(walk, rule, row);
        else if (rule->when.kind == WHEN_SOLD_OUT) err = card_add(walk, rule, row);
        else if (rule->when.kind == WHEN_ENDING) err = promotion_add(walk, rule, row);
        else if (rule->when.kind == WHEN_MARKET) err = market_row_add(walk, rule, row);
    }
    return err;
}

/* ---- what was counted ---- */

/* By rule, card, site, moment: what one event is about lies together. Rules by their place in the list, which is that of sites.conf. */
static int tally_cmp(const void *left, const void *right)
{
    const struct tally *a = left, *b = right;
    if (a->rule != b->rule) return a->rule < b->rule ? -1 : 1;
    int order = gt_str_cmp(a->sku, b->sku);
    if (order == 0) order = gt_str_cmp(a->site, b->site);
    if (order != 0) return order;
    if (a->until_unix_s != b->until_unix_s) return a->until_unix_s < b->until_unix_s ? -1 : 1;
    return gt_str_cmp(a->label, b->label);
}

/* The end of the tallies that are about the same card (cards) or the same promotion (rule, site, moment). */
static size_t group_end(const struct board_walk *walk, size_t from)
{
    const struct tally *first = &walk->tallies[from];
    size_t end = from;
    for (; end < walk->tally_count; end++) {
        const struct tally *other = &walk->tallies[end];
        if (other->rule != first->rule || !gt_str_eq(other->sku, first->sku) || other->until_unix_s != first->until_unix_s) break;
        if (first->until_unix_s != 0 && !gt_str_eq(other->site, first->site)) break;
    }
    return end;
}

/* Platforms on which every offer of the card is sold out; their names in *ret_names. */
static int32_t platforms_count(struct evaluation *ev, const struct tally *tallies, size_t count, struct gt_str *ret_names)
{
    int32_t platforms = 0;
    *ret_names = GT_STR("");
    for (size_t i = 0; i < count;) {
        size_t first = i;
        bool is_out = true;
        for (; i < count && gt_str_eq(tallies[i].site, tallies[first].site); i++) is_out = is_out && tallies[i].is_sold_out;
        if (!is_out) continue;
        if (platforms++ < PLATFORMS_NAMED_MAX)
            *ret_names = arena_printf(ev->arena, "%.*s%s%.*s", GT_STR_ARG(*ret_names), platforms > 1 ? ", " : "",
                                      GT_STR_ARG(tallies[first].site_title));
    }
    return platforms;
}

/* Fires when so many platforms have nothing left, not while they have not; a first look only seeds. */
static enum gt_err card_judge(struct evaluation *ev, const struct tally *tallies, size_t count)
{
    const struct rule *rule = tallies->rule;
    struct rule_state state;
    struct gt_str names;
    bool is_known, is_open;
    int32_t platforms = platforms_count(ev, tallies, count, &names);
    struct gt_str subject = arena_printf(ev->arena, "card %.*s", GT_STR_ARG(tallies->sku)), key = memory_key(ev, rule, subject);
    enum gt_err err = memory_load(ev, key, &state, &is_known);
    if (err == GT_OK) err = rearm_is_open(ev, rule, subject, &(struct metric_value){.nano = 0}, false, &is_open);
    if (err != GT_OK) return err;
    bool holds = platforms >= rule->when.platforms, is_first = !is_known && !rule->fires_at_first_sight;
    bool is_same = is_known && holds == state.is_beyond && state.count == 0;
    if (is_same) return GT_OK;
    if (holds && state.count == 0) state.since_unix_s = ev->t_unix_s;
    state.count = holds && !state.is_beyond && !is_first ? state.count + 1 : 0;
    bool is_due = is_open && state.count >= rule->good_runs;
    struct event event = {.what = "sold-out-on",
                          .class_key = tallies->sku,
                          .detail = arena_printf(ev->arena, "%.*s (%d): %.*s", GT_STR_ARG(tallies->sku), platforms, GT_STR_ARG(names)),
                          .since_unix_s = state.since_unix_s,
                          .is_sample = tallies->is_sample};
    if (is_due) event.seq = ++state.fired;
    state.is_beyond = is_due || (holds && (is_first || state.is_beyond));
    if (is_due) state.count = 0;
    if (is_due) err = fire(ev, rule, &event, NULL);
    if (err == GT_OK && is_due) err = rearm_note(ev, rule, subject, &event.now, false);
    return err == GT_OK ? memory_save(ev, key, &state) : err;
}

/* Told once a site and last moment: the steps of the state are the moments that were told. */
static enum gt_err promotion_judge(struct evaluation *ev, const struct tally *tallies, size_t count)
{
    const struct rule *rule = tallies->rule;
    struct rule_state state;
    bool is_known, is_told = false;
    char date[CIVIL_TEXT_MAX];
    struct gt_str key = memory_key(ev, rule, arena_printf(ev->arena, "ending %.*s", GT_STR_ARG(tallies->site)));
    enum gt_err err = memory_load(ev, key, &state, &is_known);
    if (err != GT_OK) return err;
    for (size_t i = 0; i < state.step_count; i++) is_told = is_told || state.steps[i].t_unix_s == tallies->until_unix_s;
    if (is_told) return GT_OK;
    size_t kept = 0;
    for (size_t i = 0; i < state.step_count; i++)
        if (state.steps[i].t_unix_s > ev->t_unix_s) state.steps[kept++] = state.steps[i];
    state.step_count = kept;
    if (state.steps == NULL) state.steps = arena_array(ev->arena, STATE_STEPS_MAX + 1, sizeof *state.steps);
    if (state.steps == NULL) return gt_fail(ev->info, GT_ENOMEM, "out of memory");
    if (kept < STATE_STEPS_MAX) state.steps[state.step_count++] = (struct state_step){tallies->until_unix_s, 1};
    const char *more = count > 1 ? " …" : "";
    civil_date(tallies->until_unix_s - 1, CIVIL_SHANGHAI_S, date);
    struct event event = {.what = "promotion-ending",
                          .site = tallies->site,
                          .site_title = tallies->site_title,
                          .detail = arena_printf(ev->arena, "%s: %zu offers, %.*s%s", date, count, GT_STR_ARG(tallies->label), more),
                          .detail_zh = arena_printf(ev->arena, "%s，%zu 条：%.*s%s", date, count, GT_STR_ARG(tallies->label), more),
                          .seq = (uint64_t)tallies->until_unix_s,
                          .is_sample = tallies->is_sample};
    err = fire(ev, rule, &event, NULL);
    return err == GT_OK ? memory_save(ev, key, &state) : err;
}

static enum gt_err tallies_end(struct board_walk *walk)
{
    enum gt_err err = GT_OK;
    if (walk->tally_count > 0) qsort(walk->tallies, walk->tally_count, sizeof *walk->tallies, tally_cmp);
    for (size_t i = 0; err == GT_OK && i < walk->tally_count;) {
        size_t end = group_end(walk, i);
        bool is_card = walk->tallies[i].until_unix_s == 0;
        err = is_card ? card_judge(walk->ev, &walk->tallies[i], end - i) : promotion_judge(walk->ev, &walk->tallies[i], end - i);
        i = end;
    }
    return err;
}

static bool asks_board(const struct rule *rule)
{
    enum when_kind kind = rule->when.kind;
    return rule->is_enabled && (rule->when.is_class || kind == WHEN_SOLD_OUT || kind == WHEN_ENDING || kind == WHEN_MARKET);
}

enum gt_err evaluate_board(struct evaluation *ev)
{
    struct board_walk walk = {.ev = ev};
    walk.rules = arena_array(ev->arena, ev->alerts->rule_count, sizeof(struct rule *));
    if (walk.rules == NULL) return gt_fail(ev->info, GT_ENOMEM, "out of memory");
    for (size_t i = 0; i < ev->alerts->rule_count; i++)
        if (asks_board(&ev->alerts->rules[i])) walk.rules[walk.rule_count++] = &ev->alerts->rules[i];
    if (walk.rule_count == 0 || ev->alerts->sites_ok == 0) return GT_OK; /* nothing was seen: nothing can have moved */
    enum gt_err err = market_begin(&walk);
    if (err == GT_OK) err = store_board(ev->alerts->store, ev->board_unix_s, ev->arena, on_row, &walk, ev->info);
    if (err == GT_OK) err = class_rows_end(&walk);
    if (err == GT_OK) err = tallies_end(&walk);
    return err == GT_OK ? market_end(&walk) : err;
}
