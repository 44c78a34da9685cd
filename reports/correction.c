#include "reports/correction.h"

#include <stdlib.h>

#include "pricing/compare_class.h"
#include "pricing/sku.h"
#include "reports/weekly.h"

enum {
    DECISIONS_MAX = 100 * 1000,
    SPANS_BACK_DAYS = 7, /* how long before the week's end a span may have ended that stands in a voided one's place: older ones are stale */
};

static const char *const causes[CORRECTION_CAUSES] = {[CORRECTION_REREAD] = "reread",
                                                      [CORRECTION_CATALOGUE] = "catalogue",
                                                      [CORRECTION_RELEASED] = "released",
                                                      [CORRECTION_VOIDED] = "voided"};

const char *correction_cause_word(enum correction_cause cause)
{
    return causes[cause];
}

/* ---- what was decided since ---- */

/* A doubt decided after the week, and the span of its offer that counts at the week's end by what is known now. */
struct decision {
    uint64_t offer_id;
    struct gt_str class, detail;
    enum correction_cause cause;
    int64_t t_unix_s;
    bool has_span;
    struct board_row span;
    int64_t first_unix_s, last_unix_s;
};

struct decisions {
    const struct persona *persona;
    struct arena *arena;
    struct decision *items; /* by offer, one each: its last */
    size_t count, cap;
    int64_t at_unix_s;
};

static enum gt_err decision_keep(void *ctx, const struct change *change)
{
    struct decisions *list = ctx;
    bool is_decision = change->kind == CHANGE_RELEASED || change->kind == CHANGE_VOIDED;
    const struct offer_record *record = change->after != NULL ? change->after : change->before;
    void *items = list->items;
    if (!is_decision || change->identity == NULL || change->attributes == NULL || record == NULL) return GT_OK;
    if (list->count == DECISIONS_MAX) return GT_ELIMIT;
    if (!arena_grow(list->arena, &items, list->count, &list->cap, sizeof *list->items)) return GT_ENOMEM;
    list->items = items;
    struct offer offer = {.identity = *change->identity, .attributes = *change->attributes, .record = *record, .stock = -1};
    list->items[list->count++] = (struct decision){.offer_id = change->offer_id,
                                                   .class = compare_class(&offer, list->persona, list->arena),
                                                   .detail = change->detail,
                                                   .cause = change->kind == CHANGE_VOIDED ? CORRECTION_VOIDED : CORRECTION_RELEASED,
                                                   .t_unix_s = change->t_unix_s};
    return GT_OK;
}

static int decision_order(const void *left, const void *right)
{
    const struct decision *a = left, *b = right;
    if (a->offer_id != b->offer_id) return a->offer_id < b->offer_id ? -1 : 1;
    return (a->t_unix_s > b->t_unix_s) - (a->t_unix_s < b->t_unix_s);
}

static struct decision *decision_of(const struct decisions *list, uint64_t offer_id)
{
    size_t low = 0, high = list->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (list->items[middle].offer_id < offer_id) low = middle + 1;
        else high = middle;
    }
    return low < list->count && list->items[low].offer_id == offer_id ? &list->items[low] : NULL;
}

/* The last span that counts and had begun by the week's end. */
static enum gt_err span_keep(void *ctx, const struct history_row *row)
{
    struct decisions *list = ctx;
    struct decision *decision = decision_of(list, row->offer->offer_id);
    if (decision == NULL || row->is_doubted || row->is_voided || row->first_unix_s > list->at_unix_s) return GT_OK;
    if (decision->has_span && row->first_unix_s < decision->first_unix_s) return GT_OK;
    decision->has_span = true;
    decision->span = *row->offer;
    decision->first_unix_s = row->first_unix_s;
    decision->last_unix_s = row->last_unix_s;
    return GT_OK;
}

/* Sorts, keeps each offer's last decision, and asks for the spans of those offers from `since` on until the list's moment. */
static enum gt_err spans_read(struct store *store, struct decisions *list, int64_t since_unix_s, history_fn *fn, void *ctx, struct gt_errinfo *info)
{
    size_t count = 0;
    uint64_t *offers = arena_array(list->arena, list->count, sizeof *offers);
    if (offers == NULL) return GT_ENOMEM;
    if (list->count == 0) return GT_OK;
    qsort(list->items, list->count, sizeof *list->items, decision_order);
    for (size_t i = 0; i < list->count; i++) {
        if (i + 1 < list->count && list->items[i + 1].offer_id == list->items[i].offer_id) continue;
        list->items[count] = list->items[i];
        offers[count++] = list->items[i].offer_id;
    }
    list->count = count;
    return store_history_of(store, offers, count, since_unix_s, list->at_unix_s + 1, list->arena, fn, ctx, info);
}

/* The week's rows with what was decided since put in their places: one row an offer, as long as a span of it counts. */
static enum gt_err rows_decide(const struct board_rows *rows, const struct decisions *list, struct board_rows *ret_rows)
{
    struct board_rows decided = {.rows = arena_array(list->arena, rows->count, sizeof *decided.rows)};
    if (decided.rows == NULL) return GT_ENOMEM;
    for (size_t i = 0; i < rows->count; i++) {
        const struct board_row *row = &rows->rows[i];
        const struct decision *decision = decision_of(list, row->offer_id);
        bool is_second = i > 0 && row[-1].offer_id == row->offer_id;
        struct board_row *kept = is_second && decided.count > 0 ? &decided.rows[decided.count - 1] : NULL;
        if (decision == NULL) {
            decided.rows[decided.count++] = *row;
        } else if (decision->has_span && !is_second) {
            struct board_row *made = &decided.rows[decided.count++];
            *made = *row;
            made->offer.attributes = decision->span.offer.attributes;
            made->offer.record = decision->span.offer.record;
            made->since_unix_s = decision->first_unix_s;
            made->is_doubted = false;
        } else if (decision->has_span && kept != NULL && row->seen_unix_s > kept->seen_unix_s) {
            kept->seen_unix_s = row->seen_unix_s;
        }
    }
    for (size_t i = 0; i < decided.count; i++) {
        const struct decision *decision = decision_of(list, decided.rows[i].offer_id);
        if (decision != NULL && decision->last_unix_s < decided.rows[i].seen_unix_s) decided.rows[i].seen_unix_s = decision->last_unix_s;
    }
    *ret_rows = decided;
    return GT_OK;
}

/* ---- comparing ---- */

static int row_order(const struct published_row *a, const struct published_row *b)
{
    int order = board_class_order(a->class, b->class);
    return order != 0 ? order : strcmp(a->currency.code, b->currency.code);
}

static int row_qsort_order(const void *left, const void *right)
{
    return row_order(left, right);
}

static bool is_same(const struct published_row *a, const struct published_row *b)
{
    return a->low_nano == b->low_nano && a->hour_list_nano == b->hour_list_nano && a->median_nano == b->median_nano && a->evidence == b->evidence &&
           gt_str_eq(a->site, b->site) && gt_str_eq(a->label, b->label);
}

/* A week's comparison; what comes of it is copied into `arena`. */
struct comparison {
    const struct published *published;
    const struct decisions *decisions;
    struct correction_list *list;
    struct arena *arena;
};

/* NULL stays NULL. */
static enum gt_err row_copy(const struct published_row *row, struct arena *arena, const struct published_row **ret_row)
{
    struct published_row *copy = row != NULL ? arena_alloc(arena, sizeof *copy) : NULL;
    *ret_row = copy;
    if (row == NULL) return GT_OK;
    if (copy == NULL) return GT_ENOMEM;
    *copy = *row;
    struct gt_str *const texts[] = {&copy->class, &copy->sku, &copy->site, &copy->site_title, &copy->label};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        *texts[i] = arena_dup(arena, *texts[i]);
        if (texts[i]->ptr == NULL) return GT_ENOMEM;
    }
    return GT_OK;
}

/* A decision about an offer of the class explains it, else the catalogue or the pages themselves. */
static void explain(const struct comparison *comparison, struct gt_str class, struct correction *correction)
{
    bool is_catalogue = !gt_str_is(comparison->published->catalogue, sku_catalogue_version());
    correction->cause = is_catalogue ? CORRECTION_CATALOGUE : CORRECTION_REREAD;
    for (size_t i = 0; i < comparison->decisions->count; i++) {
        const struct decision *decision = &comparison->decisions->items[i];
        if (!gt_str_eq(decision->class, class)) continue;
        correction->cause = decision->cause;
        correction->decided_unix_s = decision->t_unix_s;
        correction->detail = decision->detail;
    }
}

/* One class; either may be NULL, not both. */
static enum gt_err add(const struct comparison *comparison, const struct published_row *was, const struct published_row *now)
{
    struct correction_list *list = comparison->list;
    struct arena *arena = comparison->arena;
    void *items = list->items;
    struct correction correction = {.published_unix_s = comparison->published->published_unix_s};
    explain(comparison, was != NULL ? was->class : now->class, &correction);
    correction.week = arena_dup(arena, comparison->published->week);
    correction.detail = arena_dup(arena, correction.detail);
    bool is_kept = correction.week.ptr != NULL && correction.detail.ptr != NULL && row_copy(was, arena, &correction.was) == GT_OK &&
                   row_copy(now, arena, &correction.now) == GT_OK && arena_grow(arena, &items, list->count, &list->cap, sizeof *list->items);
    if (!is_kept) return GT_ENOMEM;
    list->items = items;
    list->items[list->count++] = correction;
    return GT_OK;
}

/* Classes that a large report left out were not told: they are not corrected. */
static enum gt_err compare(const struct comparison *comparison, struct published_rows *was, struct published_rows *now)
{
    enum gt_err err = GT_OK;
    size_t i = 0, k = 0;
    if (was->count > 0) qsort(was->rows, was->count, sizeof *was->rows, row_qsort_order);
    if (now->count > 0) qsort(now->rows, now->count, sizeof *now->rows, row_qsort_order);
    while (err == GT_OK && (i < was->count || k < now->count)) {
        int order = i == was->count ? 1 : k == now->count ? -1 : row_order(&was->rows[i], &now->rows[k]);
        const struct published_row *old = order <= 0 ? &was->rows[i++] : NULL, *new = order >= 0 ? &now->rows[k++] : NULL;
        if (old != NULL && new != NULL && is_same(old, new)) continue;
        if (old != NULL || comparison->published->left_out == 0) err = add(comparison, old, new);
    }
    return err;
}

/* What was published against the rows as they are known now; everything but the corrections in `scratch`. */
static enum gt_err compare_week(const struct report_input *input, const struct published *published, const struct board_rows *rows,
                                struct arena *scratch, struct arena *arena, struct correction_list *list, struct gt_errinfo *info)
{
    struct published_rows was, now;
    struct board_rows decided;
    struct board_view view = weekly_view_at(input, published->period.until_unix_s - 1);
    struct decisions decisions = {.persona = &input->persona, .arena = scratch, .at_unix_s = view.now_unix_s};
    const struct comparison comparison = {published, &decisions, list, arena};
    enum gt_err err = published_rows_read(input->store, published->week, scratch, &was, info);
    if (err == GT_OK)
        err = store_changes(input->store, view.now_unix_s + 1, input->now_unix_s + 1, scratch, decision_keep, &decisions, info);
    int64_t since = view.now_unix_s - SPANS_BACK_DAYS * (int64_t)CIVIL_DAY_S;
    if (err == GT_OK) err = spans_read(input->store, &decisions, since, span_keep, &decisions, info);
    if (err == GT_OK) err = rows_decide(rows, &decisions, &decided);
    if (err == GT_OK) err = published_rows_of(&decided, &view, scratch, &now);
    return err == GT_OK ? compare(&comparison, &was, &now) : err;
}

enum gt_err corrections_add(const struct report_input *input, const struct report_period *period, const struct board_rows *rows, struct arena *arena,
                            struct correction_list *list, struct gt_errinfo *info)
{
    struct published published;
    if (period->kind != REPORT_WEEK || !published_is_of(input)) return GT_OK;
    struct arena *scratch = arena_new(REPORT_BYTES_MAX);
    if (scratch == NULL) return gt_fail(info, GT_ENOMEM, "looking for corrections: out of memory");
    enum gt_err err = published_read(input->store, NULL, period, input->zone_offset_s, scratch, &published, info);
    if (err == GT_OK && published.published_unix_s <= input->now_unix_s)
        err = compare_week(input, &published, rows, scratch, arena, list, info);
    arena_free(scratch);
    if (err == GT_ENOENT) return GT_OK;
    if (err == GT_ENOMEM || err == GT_ELIMIT) return gt_fail(info, err, "looking for corrections: %s", gt_err_text(err));
    return err;
}

/* ---- weeks that lie further back ---- */

/* Published weeks before the one before, and what came to light since the report's own week began. */
struct older {
    const struct report_input *input;
    struct published *weeks; /* the newest first */
    size_t count;
    bool touched[CORRECTION_WEEKS_MAX]; /* an offer that was decided about stood in it */
    int64_t since_unix_s;
    bool is_reread; /* since then, too: any figure may be another */
};

/* Marks the weeks whose board the span was on. */
static enum gt_err weeks_touch(void *ctx, const struct history_row *row)
{
    struct older *older = ctx;
    for (size_t i = 0; i < older->count; i++) {
        int64_t at_unix_s = older->weeks[i].period.until_unix_s - 1;
        if (row->first_unix_s <= at_unix_s && row->last_unix_s >= at_unix_s - SPANS_BACK_DAYS * (int64_t)CIVIL_DAY_S) older->touched[i] = true;
    }
    return GT_OK;
}

/* Told in the report of the week in which it came to light, and not again in each that follows. */
static bool is_news(const struct older *older, const struct correction *correction)
{
    return correction->decided_unix_s != 0 ? correction->decided_unix_s >= older->since_unix_s : older->is_reread;
}

static enum gt_err older_week(const struct older *older, const struct published *week, struct arena *arena, struct correction_list *list,
                              struct gt_errinfo *info)
{
    struct board_rows rows;
    struct arena *scratch = arena_new(REPORT_BYTES_MAX);
    size_t kept = list->count, i = kept;
    if (scratch == NULL) return GT_ENOMEM;
    enum gt_err err = board_read(older->input->store, week->period.until_unix_s - 1, scratch, &rows, info);
    if (err == GT_OK) err = compare_week(older->input, week, &rows, scratch, arena, list, info);
    for (; err == GT_OK && i < list->count; i++)
        if (is_news(older, &list->items[i])) list->items[kept++] = list->items[i];
    if (err == GT_OK) list->count = kept;
    arena_free(scratch);
    return err;
}

/* The weeks before `until` that were published by now, and whether anything may have changed them since `since`. */
static enum gt_err older_find(struct older *older, int64_t until_unix_s, struct arena *arena, struct gt_errinfo *info)
{
    const struct report_input *input = older->input;
    struct decisions decisions = {.persona = &input->persona, .arena = arena, .at_unix_s = input->now_unix_s};
    int64_t reread = 0;
    size_t all = 0;
    enum gt_err err = published_list(input->store, arena, &older->weeks, &all, info);
    for (size_t i = 0; err == GT_OK && i < all && older->count < CORRECTION_WEEKS_MAX; i++)
        if (older->weeks[i].period.until_unix_s <= until_unix_s && older->weeks[i].published_unix_s <= input->now_unix_s)
            older->weeks[older->count++] = older->weeks[i];
    if (err != GT_OK || older->count == 0) return err;
    err = published_reread_read(input->store, arena, &reread, info);
    older->is_reread = reread >= older->since_unix_s && reread <= input->now_unix_s;
    if (err == GT_OK) err = store_changes(input->store, older->since_unix_s, input->now_unix_s + 1, arena, decision_keep, &decisions, info);
    if (err != GT_OK || older->is_reread) return err;
    int64_t first = older->weeks[older->count - 1].period.since_unix_s;
    return spans_read(input->store, &decisions, first, weeks_touch, older, info);
}

enum gt_err corrections_add_older(const struct report_input *input, const struct report_period *period, struct arena *arena,
                                  struct correction_list *list, struct gt_errinfo *info)
{
    struct older older = {.input = input, .since_unix_s = period->since_unix_s};
    if (period->kind != REPORT_WEEK || !published_is_of(input)) return GT_OK;
    int64_t until = period_before(period, input->zone_offset_s).since_unix_s;
    struct arena *scratch = arena_new(REPORT_BYTES_MAX);
    enum gt_err err = scratch != NULL ? older_find(&older, until, scratch, info) : GT_ENOMEM;
    for (size_t i = 0; err == GT_OK && i < older.count; i++)
        if (older.is_reread || older.touched[i]) err = older_week(&older, &older.weeks[i], arena, list, info);
    arena_free(scratch);
    if (err == GT_ENOMEM || err == GT_ELIMIT) return gt_fail(info, err, "looking for corrections: %s", gt_err_text(err));
    return err;
}

enum gt_err corrections_join(struct correction_list *list, const struct correction_list *other, struct arena *arena)
{
    void *items = list->items;
    for (size_t i = 0; i < other->count; i++) {
        if (!arena_grow(arena, &items, list->count, &list->cap, sizeof *list->items)) return GT_ENOMEM;
        list->items = items;
        list->items[list->count++] = other->items[i];
    }
    return GT_OK;
}
