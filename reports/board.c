#include "reports/board.h"

#include <stdlib.h>

#include "pricing/compare_class.h"

enum { HOURS_DEFAULT = 720, CLASSES_FIRST = 256 };

struct board_view board_view_from(const struct report_input *input, int64_t at_unix_s)
{
    return (struct board_view){.now_unix_s = at_unix_s,
                               .persona = input->persona,
                               .query = input->query,
                               .currency = input->currency,
                               .sites = input->sites,
                               .site_count = input->site_count};
}

/* ---- reading ---- */

enum gt_err board_read_after(struct store *store, int64_t before_unix_s, board_rows_fn *fn, void *ctx, int64_t at_unix_s,
                             struct arena *arena, struct board_rows *ret_rows, struct gt_errinfo *info)
{
    struct board_rows rows = {0};
    enum gt_err err = store_board_rows(store, before_unix_s, fn, ctx, at_unix_s, arena, &rows.rows, &rows.count, info);
    if (err == GT_OK && rows.count > BOARD_ROWS_MAX) err = GT_ELIMIT;
    if (err == GT_ELIMIT || err == GT_ENOMEM) return gt_fail(info, err, "reading the board: %s", gt_err_text(err));
    if (err == GT_OK) *ret_rows = rows;
    return err;
}

enum gt_err board_read(struct store *store, int64_t at_unix_s, struct arena *arena, struct board_rows *ret_rows,
                       struct gt_errinfo *info)
{
    return board_read_after(store, 0, NULL, NULL, at_unix_s, arena, ret_rows, info);
}

/* ---- filtering ---- */

bool board_row_matches(const struct board_row *row, const struct board_view *view, struct arena *arena)
{
    if (view->persona.market >= 0 && (int)row->offer.attributes.market != view->persona.market) return false;
    if (view->skips_spot && !view->persona.takes_spot && row->offer.attributes.tier == TIER_SPOT) return false;
    if (view->query == NULL) return row->offer.attributes.kind != KIND_FX;
    struct query_subject subject = {
        .site = row->site,
        .identity = &row->offer.identity,
        .attributes = &row->offer.attributes,
        .terms = query_is_about_offers(view->query) ? query_terms(&row->offer.record, arena) : GT_STR("")};
    return query_matches(view->query, &subject);
}

/* ---- pricing and marking ---- */

int64_t board_price(const struct net_price *net, const struct persona *persona)
{
    return persona->pay == PERIOD_HOUR ? net->hour_net_nano : net->month_net_nano;
}

/* The age after which an offer of the site is stale. */
static int64_t stale_after(struct gt_str site, const struct board_view *view)
{
    for (size_t i = 0; i < view->site_count; i++) {
        if (view->sites[i].every_s <= 0 || !gt_str_eq(view->sites[i].name, site)) continue;
        int64_t interval = view->sites[i].every_s > BOARD_INTERVAL_MIN_S ? view->sites[i].every_s : BOARD_INTERVAL_MIN_S;
        return interval < BOARD_STALE_S / BOARD_STALE_INTERVALS ? interval * BOARD_STALE_INTERVALS : BOARD_STALE_S;
    }
    return BOARD_STALE_S;
}

/* What keeps an offer from being the cheapest. All reasons are kept, not the first: the reader sees each of them. */
static unsigned marks_of(const struct board_entry *entry, const struct board_view *view)
{
    const struct board_row *row = entry->row;
    unsigned marks = 0;
    if (entry->net.bound != BOUND_EXACT) marks |= BOARD_BOUND;
    if (row->is_doubted) marks |= BOARD_DOUBTED;
    if (entry->age_s > stale_after(row->site, view)) marks |= BOARD_STALE;
    if (row->offer.record.availability == AVAIL_SOLD_OUT) marks |= BOARD_SOLD_OUT;
    if (row->provenance == PROVENANCE_MANUAL || row->offer.attributes.sku_status != SKU_EXACT) marks |= BOARD_LEAD;
    if (entry->price_nano == 0) marks |= BOARD_NO_PRICE;
    return marks;
}

/* The classes met so far, each text once: a hundred thousand offers share a few hundred. */
struct class_set {
    struct gt_str *places; /* open addressing; a power of two of them, an empty text is a free place */
    size_t count, cap;
};

static struct gt_str *class_place(const struct class_set *set, struct gt_str class)
{
    uint64_t hash = 0xCBF29CE484222325ULL; /* FNV-1a */
    for (size_t i = 0; i < class.len; i++) hash = (hash ^ (unsigned char)class.ptr[i]) * 0x100000001B3ULL;
    size_t at = (size_t)(hash ^ hash >> 32) & (set->cap - 1);
    while (set->places[at].len > 0 && !gt_str_eq(set->places[at], class)) at = (at + 1) & (set->cap - 1);
    return &set->places[at];
}

/* Doubles the set when it is half full. */
static bool class_room(struct class_set *set, struct arena *arena)
{
    struct class_set old = *set;
    if (old.count * 2 < old.cap) return true;
    set->cap = old.cap > 0 ? old.cap * 2 : CLASSES_FIRST;
    set->places = arena_array(arena, set->cap, sizeof *set->places);
    for (size_t i = 0; set->places != NULL && i < old.cap; i++)
        if (old.places[i].len > 0) *class_place(set, old.places[i]) = old.places[i];
    return set->places != NULL;
}

/* The set's own text of a class; an empty one with a NULL ptr when memory is out. */
static struct gt_str class_keep(struct class_set *set, struct gt_str class, struct arena *arena)
{
    if (class.ptr == NULL || !class_room(set, arena)) return (struct gt_str){NULL, 0};
    struct gt_str *place = class_place(set, class);
    if (place->len > 0) return *place;
    struct gt_str kept = arena_dup(arena, class);
    if (kept.ptr != NULL) set->count++;
    *place = kept;
    return kept;
}

/* Fills one entry, but for its class. GT_ENOMEM; an overflow leaves it without a price. */
static enum gt_err entry_fill(const struct board_row *row, const struct board_view *view, struct arena *arena,
                              struct board_entry *entry)
{
    int64_t turn_unix_s = offer_turn_last(&row->offer.record, view->now_unix_s);
    *entry = (struct board_entry){.row = row,
                                  .age_s = view->now_unix_s - row->seen_unix_s,
                                  .since_unix_s = turn_unix_s > row->since_unix_s ? turn_unix_s : row->since_unix_s};
    enum gt_err err = net_price_compute(&row->offer, &row->net_rules, &view->persona, view->now_unix_s, arena, &entry->net);
    if (err == GT_ENOMEM || err == GT_ELIMIT) return GT_ENOMEM;
    if (err != GT_OK) entry->net = (struct net_price){.currency = row->offer.record.currency};
    entry->price_nano = board_price(&entry->net, &view->persona);
    entry->marks = marks_of(entry, view);
    return GT_OK;
}

/* ---- ordering ---- */

bool board_class_is_unsure(struct gt_str class)
{
    return gt_str_starts(class, GT_STR("?"));
}

int board_class_order(struct gt_str a, struct gt_str b)
{
    bool a_unsure = board_class_is_unsure(a), b_unsure = board_class_is_unsure(b);
    return a_unsure != b_unsure ? (a_unsure ? 1 : -1) : gt_str_cmp(a, b);
}

static int number_order(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* By the printed words: a total order, so that the output does not depend on how qsort works. */
int board_words_order(const struct board_row *a, const struct board_row *b)
{
    int order = gt_str_cmp(a->site, b->site);
    if (order == 0) order = offer_identity_cmp(&a->offer.identity, &b->offer.identity);
    if (order == 0) order = (int)a->provenance - (int)b->provenance;
    if (order == 0) order = number_order((int64_t)a->offer_id, (int64_t)b->offer_id);
    return order != 0 ? order : (int)a->is_doubted - (int)b->is_doubted;
}

/* What may be compared stands before what may not, so that the first of a class is its low or the class has none. Prices of 0 (no
 * such term) come after all others: they are not cheap. */
static int entry_order(const void *left, const void *right)
{
    const struct board_entry *a = left, *b = right;
    int order = a->class.ptr != b->class.ptr ? board_class_order(a->class, b->class) : 0; /* mostly one text */
    if (order == 0) order = strcmp(a->net.currency.code, b->net.currency.code);
    if (order == 0) order = (a->marks != 0) - (b->marks != 0);
    if (order == 0) order = (a->price_nano == 0) - (b->price_nano == 0);
    if (order == 0) order = number_order(a->price_nano, b->price_nano);
    return order != 0 ? order : board_words_order(a->row, b->row);
}

bool board_is_comparable(const struct board_entry *a, const struct board_entry *b)
{
    return gt_str_eq(a->class, b->class) && strcmp(a->net.currency.code, b->net.currency.code) == 0;
}

size_t board_class_count(const struct board *board, size_t from)
{
    size_t count = 1;
    while (from + count < board->count && board_is_comparable(&board->entries[from], &board->entries[from + count])) count++;
    return count;
}

/* ---- the board ---- */

/* Counts what is left out for a reason that the reader did not ask for. */
static bool is_wanted(const struct board_row *row, const struct board_view *view, struct arena *scratch, struct board *board)
{
    if (row->kind == KIND_FX) return false; /* rates are no offers */
    if (!board_row_matches(row, view, scratch)) return false;
    if (!row->is_listed) {
        board->delisted++;
        return false;
    }
    if (view->currency.code[0] != '\0' && !currency_eq(view->currency, row->offer.record.currency)) {
        board->other_currency++;
        return false;
    }
    return true;
}

/* What the entries have in common. */
static void sum_up(struct board *board)
{
    const struct board_entry *first = board->entries;
    board->hours_per_month = board->count > 0 ? first->row->net_rules.hours_per_month : HOURS_DEFAULT;
    for (size_t i = 1; i < board->count; i++) {
        const struct board_entry *entry = &board->entries[i];
        if (entry->row->net_rules.hours_per_month != first->row->net_rules.hours_per_month) board->hours_per_month = 0;
        board->has_currencies |= strcmp(entry->net.currency.code, first->net.currency.code) != 0;
    }
}

enum gt_err board_entries_compute(const struct board_rows *rows, const struct board_view *view, struct arena *arena,
                                  struct board *ret_board)
{
    struct board board = {0};
    struct class_set classes = {0};
    struct arena *scratch = arena_new(REPORT_BYTES_MAX);
    enum gt_err err = GT_ENOMEM;
    board.entries = arena_array(arena, rows->count, sizeof *board.entries);
    if (scratch == NULL || board.entries == NULL) goto out;
    for (size_t i = 0; i < rows->count; i++) {
        arena_clear(scratch);
        board.is_sample |= rows->rows[i].is_sample;
        if (!is_wanted(&rows->rows[i], view, scratch, &board)) continue;
        struct board_entry *entry = &board.entries[board.count++];
        err = entry_fill(&rows->rows[i], view, arena, entry);
        entry->class = class_keep(&classes, compare_class(&rows->rows[i].offer, &view->persona, scratch), arena);
        if (err == GT_OK && entry->class.ptr == NULL) err = GT_ENOMEM;
        if (err != GT_OK) goto out;
    }
    *ret_board = board;
    err = GT_OK;
out:
    arena_free(scratch);
    return err;
}

enum gt_err board_compute(const struct board_rows *rows, const struct board_view *view, struct arena *arena,
                          struct board *ret_board)
{
    struct board board;
    enum gt_err err = board_entries_compute(rows, view, arena, &board);
    if (err != GT_OK) return err;
    if (board.count > 0) qsort(board.entries, board.count, sizeof *board.entries, entry_order);
    for (size_t i = 0; i < board.count; i += board_class_count(&board, i))
        board.entries[i].is_cheapest = board.entries[i].marks == 0;
    sum_up(&board);
    *ret_board = board;
    return GT_OK;
}
