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
    if (count > 0) qsort(entries, count, sizeof entries[0], id_order);
    *ret_count = count;
    return entries;
}

static int pair_order(const void *left, const void *right)
{
    const struct weekly_pair *a = left, *b = right;
    return (a->now > b->now) - (a->now < b->now);
}

/* A merge of two lists by offer id. An offer whose class or currency changed is not the same thing any more and makes no pair. */
static enum gt_err make_pairs(struct weekly *weekly, struct arena *arena)
{
    size_t now_count = 0, before_count = 0;
    const struct board_entry **now = by_id(&weekly->board, arena, &now_count);
    const struct board_entry **before = by_id(&weekly->board_before, arena, &before_count);
    weekly->pairs = arena_array(arena, now_count, sizeof *weekly->pairs);
    weekly->pair_count = 0;
    if (now == NULL || before == NULL || weekly->pairs == NULL) return GT_ENOMEM;
    for (size_t i = 0, k = 0; i < now_count; i++) {
        while (k < before_count && before[k]->row->offer_id < now[i]->row->offer_id) k++;
        if (k < before_count && before[k]->row->offer_id == now[i]->row->offer_id && board_is_comparable(before[k], now[i]))
            weekly->pairs[weekly->pair_count++] = (struct weekly_pair){before[k], now[i]};
    }
    if (weekly->pair_count > 0) qsort(weekly->pairs, weekly->pair_count, sizeof *weekly->pairs, pair_order);
    return GT_OK;
}

/* ---- moves ---- */

/* A change that set a price: whose, and its place in the list. */
struct price_change {
    uint64_t offer_id;
    size_t at;
};

static int price_change_order(const void *left, const void *right)
{
    const struct price_change *a = left, *b = right;
    if (a->offer_id != b->offer_id) return a->offer_id < b->offer_id ? -1 : 1;
    return (a->at > b->at) - (a->at < b->at);
}

/* Changes that kept the price (terms, stock) do not say when the price was first seen. */
static struct price_change *price_changes(const struct change_list *changes, struct arena *arena, size_t *ret_count)
{
    struct price_change *list = arena_array(arena, changes->count, sizeof *list);
    size_t count = 0;
    if (list == NULL) return NULL;
    for (size_t i = 0; i < changes->count; i++) {
        const struct change_entry *entry = &changes->entries[i];
        if (entry->change.is_doubted || entry->after_nano == 0 || entry->before_nano == entry->after_nano) continue;
        list[count++] = (struct price_change){entry->change.offer_id, i};
    }
    if (count > 0) qsort(list, count, sizeof *list, price_change_order);
    *ret_count = count;
    return list;
}

/* When the offer's price last changed in the period, by the changes; 0 when they do not say. */
static int64_t seen_of(const struct change_list *changes, const struct price_change *list, size_t count, uint64_t offer_id)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (list[middle].offer_id <= offer_id) low = middle + 1;
        else high = middle;
    }
    return low > 0 && list[low - 1].offer_id == offer_id ? changes->entries[list[low - 1].at].change.t_unix_s : 0;
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
    size_t change_count = 0;
    if (make_pairs(weekly, arena) != GT_OK) return GT_ENOMEM;
    struct price_change *changes = price_changes(&weekly->changes, arena, &change_count);
    weekly->moves = arena_array(arena, weekly->pair_count, sizeof *weekly->moves);
    weekly->move_count = 0;
    if (changes == NULL || weekly->moves == NULL) return GT_ENOMEM;
    for (size_t i = 0; i < weekly->pair_count; i++) {
        struct weekly_move move = {.before = weekly->pairs[i].before, .now = weekly->pairs[i].now};
        /* What may not be compared within a week may not be compared across two. */
        if (move.before->marks != 0 || move.now->marks != 0 || move.before->price_nano == move.now->price_nano) continue;
        if (!figure_percent(move.before->price_nano, move.now->price_nano, &move.percent_nano)) continue;
        move.seen_unix_s = seen_of(&weekly->changes, changes, change_count, move.now->row->offer_id);
        weekly->moves[weekly->move_count++] = move;
    }
    if (weekly->move_count > 0) qsort(weekly->moves, weekly->move_count, sizeof *weekly->moves, move_order);
    return GT_OK;
}
