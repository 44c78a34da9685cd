/* Matching the offers of two weeks. */
#include <stdlib.h>

#include "reports/figure.h"
#include "reports/weekly.h"

/* ---- pairs ---- */

static int id_order(const void *left, const void *right)
{
    const struct board_entry *a = *(const struct board_entry *const *)left, *b = *(const struct board_entry *const *)right;
    if (a->row->offer_id != b->row->offer_id) return a->row->offer_id < b->row->offer_id ? -1 : 1;
    return (a > b) - (a < b);
}

/* The entries of a board that are not doubted, by offer id: of an offer that is doubted beside its good price, the good one. */
static const struct board_entry **by_id(const struct board *board, struct arena *arena, size_t *ret_count)
{
    const struct board_entry **entries = arena_array(arena, board->count, sizeof(const struct board_entry *));
    size_t count = 0;
    if (entries == NULL) return NULL;
    for (size_t i = 0; i < board->count; i++)
        if ((board->entries[i].marks & BOARD_DOUBTED) == 0) entries[count++] = &board->entries[i];
    if (count > 0) qsort(entries, count, sizeof(const struct board_entry *), id_order);
    *ret_count = count;
    return entries;
}

static int before_order(const void *left, const void *right)
{
    const struct weekly_before *a = left, *b = right;
    return (a->offer_id > b->offer_id) - (a->offer_id < b->offer_id);
}

enum gt_err weekly_before_compute(struct weekly *weekly, const struct board *board, struct arena *arena)
{
    weekly->before = arena_array(arena, board->count, sizeof *weekly->before);
    weekly->before_count = 0;
    if (weekly->before == NULL) return GT_ENOMEM;
    for (size_t i = 0; i < board->count; i++) {
        const struct board_entry *entry = &board->entries[i];
        if ((entry->marks & BOARD_DOUBTED) != 0) continue;
        struct gt_str class = arena_dup(arena, entry->class);
        if (class.ptr == NULL) return GT_ENOMEM;
        weekly->before[weekly->before_count++] =
            (struct weekly_before){entry->row->offer_id, class, entry->net.currency, entry->price_nano, entry->marks};
    }
    if (weekly->before_count > 0) qsort(weekly->before, weekly->before_count, sizeof *weekly->before, before_order);
    return GT_OK;
}

static int pair_order(const void *left, const void *right)
{
    const struct weekly_pair *a = left, *b = right;
    return (a->now > b->now) - (a->now < b->now);
}

/* True when both are priced in one class and currency. */
static bool is_pair(const struct weekly_before *before, const struct board_entry *now)
{
    return gt_str_eq(before->class, now->class) && strcmp(before->currency.code, now->net.currency.code) == 0;
}

/* A merge of two lists by offer id. An offer whose class or currency changed is not the same thing any more and makes no pair. */
static enum gt_err make_pairs(struct weekly *weekly, struct arena *arena)
{
    size_t now_count = 0;
    const struct board_entry **now = by_id(&weekly->board, arena, &now_count);
    const struct weekly_before *before = weekly->before, *end = before + weekly->before_count;
    weekly->pairs = arena_array(arena, now_count, sizeof *weekly->pairs);
    weekly->pair_count = 0;
    if (now == NULL || weekly->pairs == NULL) return GT_ENOMEM;
    for (size_t i = 0; i < now_count; i++) {
        while (before != end && before->offer_id < now[i]->row->offer_id) before++;
        if (before != end && before->offer_id == now[i]->row->offer_id && is_pair(before, now[i]))
            weekly->pairs[weekly->pair_count++] = (struct weekly_pair){before, now[i]};
    }
    if (weekly->pair_count > 0) qsort(weekly->pairs, weekly->pair_count, sizeof *weekly->pairs, pair_order);
    return GT_OK;
}

/* ---- moves ---- */

static int change_order(const void *left, const void *right)
{
    const struct weekly_change *a = left, *b = right;
    if (a->offer_id != b->offer_id) return a->offer_id < b->offer_id ? -1 : 1;
    return (a->at > b->at) - (a->at < b->at);
}

/* The changes of offers, each offer's by time. What is doubted sets no price. */
static enum gt_err index_changes(struct weekly *weekly, struct arena *arena)
{
    const struct change_list *changes = &weekly->changes;
    weekly->by_offer = arena_array(arena, changes->count, sizeof *weekly->by_offer);
    weekly->by_offer_count = 0;
    if (weekly->by_offer == NULL) return GT_ENOMEM;
    for (size_t i = 0; i < changes->count; i++)
        if (!changes->changes[i].is_doubted)
            weekly->by_offer[weekly->by_offer_count++] = (struct weekly_change){changes->changes[i].offer_id, i};
    if (weekly->by_offer_count > 0) qsort(weekly->by_offer, weekly->by_offer_count, sizeof *weekly->by_offer, change_order);
    return GT_OK;
}

/* Changes that kept the price (terms, stock) do not say when the price was first seen. */
enum gt_err weekly_move_seen(const struct weekly *weekly, const struct weekly_move *move, struct arena *arena, int64_t *ret_unix_s)
{
    uint64_t offer_id = move->now->row->offer_id;
    size_t low = 0, high = weekly->by_offer_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (weekly->by_offer[middle].offer_id <= offer_id) low = middle + 1;
        else high = middle;
    }
    for (*ret_unix_s = 0; low > 0 && weekly->by_offer[low - 1].offer_id == offer_id && *ret_unix_s == 0; low--) {
        struct change_entry entry;
        if (change_list_entry(&weekly->changes, weekly->by_offer[low - 1].at, arena, &entry) != GT_OK) return GT_ENOMEM;
        if (entry.after_nano != 0 && entry.before_nano != entry.after_nano) *ret_unix_s = entry.change.t_unix_s;
    }
    return GT_OK;
}

static int64_t magnitude(int64_t value)
{
    return value < 0 ? -value : value;
}

/* The largest first, up or down alike. */
static int move_order(const void *left, const void *right)
{
    const struct weekly_move *a = left, *b = right;
    int64_t x = magnitude(a->percent_nano), y = magnitude(b->percent_nano);
    if (x != y) return x > y ? -1 : 1;
    return (a->now > b->now) - (a->now < b->now);
}

enum gt_err weekly_moves_compute(struct weekly *weekly, struct arena *arena)
{
    if (make_pairs(weekly, arena) != GT_OK || index_changes(weekly, arena) != GT_OK) return GT_ENOMEM;
    weekly->moves = arena_array(arena, weekly->pair_count, sizeof *weekly->moves);
    weekly->move_count = 0;
    if (weekly->moves == NULL) return GT_ENOMEM;
    for (size_t i = 0; i < weekly->pair_count; i++) {
        struct weekly_move move = {.before = weekly->pairs[i].before, .now = weekly->pairs[i].now};
        /* What may not be compared within a week may not be compared across two. */
        if (move.before->marks != 0 || move.now->marks != 0 || move.before->price_nano == move.now->price_nano) continue;
        if (!figure_percent(move.before->price_nano, move.now->price_nano, &move.percent_nano)) continue;
        weekly->moves[weekly->move_count++] = move;
    }
    if (weekly->move_count > 0) qsort(weekly->moves, weekly->move_count, sizeof *weekly->moves, move_order);
    return GT_OK;
}
