/* The one thing that is inferred in this program: a factor that lies on all reduced prices of a page and is printed nowhere. The
 * danger is not to miss it but to see it where it is not, since it goes into every price of the page. So it must explain every
 * row, be the only whole percent that does, be beyond what the labels explain, and the rows must be exact enough that they would
 * not agree by accident. Least squares or majorities were not considered: prices are printed digits, not measurements. */
#include "pricing/discount_solve.h"

#include "pricing/net_price_chain.h"
#include "pricing/net_price_contained.h"
#include "pricing/net_price_quote.h"

enum {
    SOLVE_ROWS_MIN = 3,
    SOLVE_LOOK_BACK = 256,
    SOLVE_LABELS_MAX = 4,                   /* printed factors of one row that are looked at */
    SOLVE_SPANS_MAX = 2 + SOLVE_LABELS_MAX, /* none, each alone, all together */
    SOLVE_CHANCE_PER_MILLION = 1000,        /* how likely mere accident may be */
    SOLVE_GRID_COARSE = NANO / 100,         /* factors are printed in whole percents … */
    SOLVE_GRID_FINE = NANO / 1000,          /* … or, seldom, in tenths of one */
    MILLION = 1000000,
};

/* The factors that would explain a row, the label taken or not: from low to high, both ends included. */
struct span {
    int64_t low_nano, high_nano;
};

/* A row that has a list and a shown price. */
struct solve_row {
    size_t offer;
    const struct quote *list;
    const struct quote *shown;
    struct span spans[SOLVE_SPANS_MAX];
    size_t span_count;
    bool has_label;
    int64_t label_nano;   /* the first printed factor; 0 when there is none */
    bool is_label_enough; /* list × label = shown */
};

/* The printed factors of a row, and all of them together. Bounds ("up to") are no factors. */
static int64_t percent_product(const struct offer_record *record, int64_t *labels, size_t *ret_count)
{
    int64_t product = NANO;
    *ret_count = 0;
    for (size_t i = 0; i < record->discount_count && *ret_count < SOLVE_LABELS_MAX; i++) {
        const struct discount *discount = &record->discounts[i];
        if (discount->is_inferred || discount->factor_nano <= 0 || discount->is_upto) continue;
        labels[(*ret_count)++] = discount->factor_nano;
        if (money_scale(product, discount->factor_nano, NANO, ROUND_HALF_UP, &product) != GT_OK) return 0;
    }
    return product;
}

/* Adds the factors f for which list × label × f is the shown price within half of its last digit. */
static void span_add(struct solve_row *row, int64_t label_nano)
{
    int64_t half_nano = quote_step_nano(row->shown->amount_nano, row->shown->raw) / 2;
    int64_t base_nano, above_nano;
    struct span span;
    if (money_scale(row->list->amount_nano, label_nano, NANO, ROUND_HALF_UP, &base_nano) != GT_OK || base_nano <= 0) return;
    if (money_scale(row->shown->amount_nano - half_nano, NANO, base_nano, ROUND_UP, &span.low_nano) != GT_OK) return;
    if (__builtin_add_overflow(row->shown->amount_nano, half_nano, &above_nano)) return;
    if (money_scale(above_nano, NANO, base_nano, ROUND_DOWN, &span.high_nano) != GT_OK) return;
    /* A factor of one would do: this reading of the labels needs no further factor. */
    if (span.low_nano <= NANO && span.high_nano >= NANO) row->is_label_enough = true;
    if (span.high_nano >= NANO) span.high_nano = NANO - 1;
    if (span.low_nano < 1) span.low_nano = 1;
    if (span.low_nano <= span.high_nano) row->spans[row->span_count++] = span;
}

/* The row alone under each reading of its labels: none of them inside the shown price, each alone, all together. */
static void row_fill(struct solve_row *row, const struct offer_record *record)
{
    int64_t labels[SOLVE_LABELS_MAX];
    size_t count;
    int64_t product = percent_product(record, labels, &count);
    span_add(row, NANO);
    for (size_t i = 0; i < count; i++) span_add(row, labels[i]);
    if (count > 1 && product > 0) span_add(row, product);
    row->has_label = count > 0;
    row->label_nano = count > 0 ? labels[0] : 0;
}

/* The offer's first reduced price that has a list price beside it; false when it has none. */
static bool row_find(const struct offer *offer, struct solve_row *row)
{
    const struct offer_record *record = &offer->record;
    for (size_t i = 0; i < record->quote_count; i++) {
        const struct quote *shown = &record->quotes[i];
        if (shown->role != ROLE_SALE || shown->bound != BOUND_EXACT || shown->amount_nano <= 0 || quote_is_promotion(shown))
            continue;
        /* One pair per offer: the hour and the month of one row hold the same factor and would count twice. */
        row->list = quote_list_of(record, shown);
        row->shown = shown;
        if (row->list != NULL && row->list->amount_nano > 0) return true;
    }
    return false;
}

/* The factor explains the row under some reading of its labels. */
static bool spans_hold(const struct solve_row *row, int64_t factor_nano)
{
    for (size_t i = 0; i < row->span_count; i++)
        if (factor_nano >= row->spans[i].low_nano && factor_nano <= row->spans[i].high_nano) return true;
    return false;
}

/* How many of the rows a factor explains. */
static size_t rows_explained(const struct solve_row *rows, size_t count, int64_t factor_nano)
{
    size_t explained = 0;
    for (size_t i = 0; i < count; i++) explained += spans_hold(&rows[i], factor_nano);
    return explained;
}

/* All factors on a grid that explain every row. Returns how many there are; *ret_factor is the first. */
static size_t grid_search(const struct solve_row *rows, size_t count, int64_t grid_nano, int64_t *ret_factor)
{
    size_t found = 0;
    for (int64_t factor = grid_nano; factor < NANO; factor += grid_nano) {
        if (rows_explained(rows, count, factor) < count) continue;
        if (found++ == 0) *ret_factor = factor;
    }
    return found;
}

/* A label that is the same on all rows cannot be told from the factor; none at all, or two kinds of rows, can. And where labels
 * are printed, one row at least must be beyond its own: otherwise the factor is theirs, and printed. */
static bool labels_leave_room(const struct solve_row *rows, size_t count)
{
    bool is_labelled = false, is_beyond = false, differs = false;
    for (size_t i = 0; i < count; i++) {
        is_labelled |= rows[i].has_label;
        is_beyond |= rows[i].has_label && !rows[i].is_label_enough;
        differs |= rows[i].label_nano != rows[0].label_nano;
    }
    return !is_labelled || (differs && is_beyond);
}

/* A row that repeats one shortly before it says nothing new: pages print a table twice, for wide and for narrow screens. */
static bool is_repeat(const struct solve_row *rows, size_t at)
{
    for (size_t i = at > SOLVE_LOOK_BACK ? at - SOLVE_LOOK_BACK : 0; i < at; i++)
        if (rows[i].list->amount_nano == rows[at].list->amount_nano && rows[i].shown->amount_nano == rows[at].shown->amount_nano)
            return true;
    return false;
}

/* The chance, per million, that rows of no common factor agree with the first one all the same: what the rows' spans cover of
 * the half in which discounts lie, multiplied up. */
static int64_t chance_of(const struct solve_row *rows, size_t count)
{
    int64_t chance = MILLION;
    for (size_t i = 1; i < count && chance > 0; i++) {
        int64_t covered = 0;
        if (is_repeat(rows, i)) continue;
        for (size_t s = 0; s < rows[i].span_count; s++) covered += rows[i].spans[s].high_nano - rows[i].spans[s].low_nano + 1;
        if (covered > NANO / 2) covered = NANO / 2;
        if (money_scale(chance, covered, NANO / 2, ROUND_UP, &chance) != GT_OK) return MILLION;
        if (chance <= 1) return 0;
    }
    return chance;
}

/* The one factor that explains all rows; 0 when there is none, several, or nothing that needs explaining. */
static int64_t solve(const struct solve_row *rows, size_t count)
{
    int64_t factor_nano = 0;
    size_t enough = 0, different = 0;
    for (size_t i = 0; i < count; i++) {
        enough += rows[i].is_label_enough;
        different += !is_repeat(rows, i);
    }
    if (different < SOLVE_ROWS_MIN || !labels_leave_room(rows, count)) return 0;
    if (enough == count || chance_of(rows, count) > SOLVE_CHANCE_PER_MILLION) return 0;
    /* Two whole percents that both fit leave it open; a finer grid is tried only where no whole percent fits at all. */
    size_t found = grid_search(rows, count, SOLVE_GRID_COARSE, &factor_nano);
    if (found == 0) found = grid_search(rows, count, SOLVE_GRID_FINE, &factor_nano);
    return found == 1 ? factor_nano : 0;
}

/* Puts the inferred factor in front of an offer's discounts. An offer whose list is full keeps what is printed. */
static enum gt_err infer(struct offer *offer, int64_t factor_nano, const struct condition *unknown, struct arena *arena)
{
    struct offer_record *record = &offer->record;
    if (record->discount_count >= OFFER_DISCOUNTS_MAX) return GT_OK;
    struct discount *discounts = arena_array(arena, record->discount_count + 1, sizeof *discounts);
    if (discounts == NULL) return GT_ENOMEM;
    discounts[0] = (struct discount){.factor_nano = factor_nano, .conditions = unknown, .condition_count = 1, .is_inferred = 1};
    if (record->discount_count > 0) memcpy(discounts + 1, record->discounts, record->discount_count * sizeof *discounts);
    record->discounts = discounts;
    record->discount_count++;
    return GT_OK;
}

/* "0.80 is printed nowhere and lies on 6 of 6 rows, such as 9900 → 7920". */
static struct gt_str sentence(const struct solve_row *rows, size_t count, int64_t factor_nano, struct arena *arena)
{
    char factor[MONEY_TEXT_MAX], list[MONEY_TEXT_MAX], shown[MONEY_TEXT_MAX];
    return arena_printf(arena, "a factor of %s is printed nowhere and lies on %zu of %zu rows, such as %s → %s",
                        price_chain_operand(factor_nano, factor), rows_explained(rows, count, factor_nano), count,
                        money_format(rows[0].list->amount_nano, list), money_format(rows[0].shown->amount_nano, shown));
}

/* One condition, `unknown`, is shared by all: nobody knows who is meant to have the factor. */
static enum gt_err infer_all(struct offer *offers, const struct solve_row *rows, size_t count, int64_t factor_nano,
                             struct arena *arena)
{
    struct condition *unknown = arena_alloc(arena, sizeof *unknown);
    if (unknown == NULL) return GT_ENOMEM;
    unknown->kind = COND_UNKNOWN;
    for (size_t i = 0; i < count; i++) {
        enum gt_err err = infer(&offers[rows[i].offer], factor_nano, unknown, arena);
        if (err != GT_OK) return err;
    }
    return GT_OK;
}

/* Rows without a reduced price are no witnesses for or against: a page may mark only some of its cards down. */
enum gt_err discount_solve(struct offer *offers, size_t count, struct arena *arena, struct solved_factor *ret_solved)
{
    struct solve_row *rows = arena_array(arena, count, sizeof *rows);
    struct solved_factor solved = {0};
    if (rows == NULL) return GT_ENOMEM;
    for (size_t i = 0; i < count; i++) {
        struct solve_row *row = &rows[solved.rows_total];
        *row = (struct solve_row){.offer = i};
        if (!row_find(&offers[i], row)) continue;
        row_fill(row, &offers[i].record);
        solved.rows_total++;
    }
    solved.factor_nano = solve(rows, solved.rows_total);
    if (solved.rows_total > 0 && solved.factor_nano != 0) {
        solved.rows_with = rows_explained(rows, solved.rows_total, solved.factor_nano);
        solved.detail = sentence(rows, solved.rows_total, solved.factor_nano, arena);
        enum gt_err err = infer_all(offers, rows, solved.rows_total, solved.factor_nano, arena);
        if (err != GT_OK || solved.detail.ptr == NULL) return GT_ENOMEM;
    }
    *ret_solved = solved;
    return GT_OK;
}
