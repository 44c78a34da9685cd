/* Matching the offers of two weeks. */
#include <stdlib.h>

#include "reports/figure.h"
#include "reports/weekly.h"

static int id_order(const void *left, const void *right)
{
    const struct board_entry *a = *(const struct board_entry *const *)left, *b = *(const struct board_entry *const *)right;
    if (a->row->offer_id != b->row->offer_id) return a->row->offer_id < b->row->offer_id ? -1 : 1;
    return (a > b) - (a < b);
}

/* The usable entries of a board by offer id. */
static const struct board_entry **by_id(const struct board *board, struct arena *arena, size_t *ret_count)
{
    const struct board_entry **entries = arena_array(arena, board->count, sizeof(const struct board_entry *));
    size_t count = 0;
    if (entries == NULL) return NULL;
    for (size_t i = 0; i < board->count; i++)
        if (board->entries[i].marks == 0) entries[count++] = &board->entries[i];
    if (count > 0) qsort(entries, count, sizeof entries[0], id_order);
    *ret_count = count;
    return entries;
}

/* When the offer's price last changed in the period, by the changes; 0 when they do not say. */
static int64_t seen_of(const struct change_list *changes, uint64_t offer_id)
{
    int64_t seen_unix_s = 0;
    for (size_t i = 0; i < changes->count; i++) {
        const struct change_entry *entry = &changes->entries[i];
        if (entry->change.offer_id != offer_id || entry->change.is_doubted) continue;
        if (entry->before_nano != entry->after_nano && entry->after_nano != 0) seen_unix_s = entry->change.t_unix_s;
    }
    return seen_unix_s;
}

static int move_order(const void *left, const void *right)
{
    const struct weekly_move *a = left, *b = right;
    int64_t x = a->percent_nano < 0 ? -a->percent_nano : a->percent_nano, y = b->percent_nano < 0 ? -b->percent_nano : b->percent_nano;
    if (x != y) return x > y ? -1 : 1;
    return (a->now > b->now) - (a->now < b->now);
}

/* True when the two prices of one offer may be held against each other. */
static bool is_same_thing(const struct board_entry *before, const struct board_entry *now)
{
    return before->row->offer_id == now->row->offer_id && board_is_comparable(before, now);
}

enum gt_err weekly_moves_compute(struct weekly *weekly, struct arena *arena)
{
    size_t now_count = 0, before_count = 0;
    const struct board_entry **now = by_id(&weekly->board, arena, &now_count);
    const struct board_entry **before = by_id(&weekly->board_before, arena, &before_count);
    weekly->moves = arena_array(arena, now_count, sizeof *weekly->moves);
    weekly->move_count = 0;
    if (now == NULL || before == NULL || weekly->moves == NULL) return GT_ENOMEM;
    for (size_t i = 0, k = 0; i < now_count; i++) {
        while (k < before_count && before[k]->row->offer_id < now[i]->row->offer_id) k++;
        if (k >= before_count || !is_same_thing(before[k], now[i]) || before[k]->price_nano == now[i]->price_nano) continue;
        struct weekly_move move = {.before = before[k], .now = now[i], .seen_unix_s = seen_of(&weekly->changes, now[i]->row->offer_id)};
        if (figure_percent(move.before->price_nano, move.now->price_nano, &move.percent_nano)) weekly->moves[weekly->move_count++] = move;
    }
    if (weekly->move_count > 0) qsort(weekly->moves, weekly->move_count, sizeof *weekly->moves, move_order);
    return GT_OK;
}
