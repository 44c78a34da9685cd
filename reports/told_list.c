#include "reports/told_list.h"

#include <stdlib.h>

#include "store/events.h"

/* Where a line comes from: a change, an event, or both. */
struct told_place {
    size_t change; /* SIZE_MAX: none */
    const struct told_event *event;
};

/* ---- the events ---- */

struct reading_events {
    const struct change_list *changes;
    enum gt_lang lang;
    struct arena *arena;
    struct told_event *events;
    size_t count, cap;
};

/* By the offer's own row where the board has it, which knows its terms and market; else by what the event says. */
static bool is_wanted(const struct reading_events *reading, const struct told_event *event)
{
    const struct board_view *view = &reading->changes->view;
    const struct change *change = &event->change;
    const struct board_row *row = change->offer_id != 0 ? row_index_find(&reading->changes->index, change->offer_id) : NULL;
    struct query_subject subject = {change->site, change->identity, change->attributes, event->term};
    if (event->is_held) return false;
    if (view->currency.code[0] != '\0' && event->currency.code[0] != '\0' && !currency_eq(view->currency, event->currency)) return false;
    if (row != NULL) return board_row_matches(row, view, reading->arena);
    if (view->query == NULL) return true;
    return change->attributes->sku[0] != '\0' ? query_matches(view->query, &subject) : query_matches_source(view->query, change->site);
}

static enum gt_err keep_event(void *ctx, int64_t t_unix_s, struct gt_str json)
{
    struct reading_events *reading = ctx;
    struct told_event event;
    void *events = reading->events;
    enum gt_err err = told_event_read(json, t_unix_s, reading->lang, reading->arena, &event);
    /* one that cannot be read can never be sent, either: it is parked, and `alerts queue` says so */
    if (err == GT_ECORRUPT) return GT_OK;
    if (err != GT_OK || !is_wanted(reading, &event)) return err;
    if (reading->count >= TOLD_EVENTS_MAX) return GT_ELIMIT;
    if (!arena_grow(reading->arena, &events, reading->count, &reading->cap, sizeof event)) return GT_ENOMEM;
    reading->events = events;
    reading->events[reading->count++] = event;
    return GT_OK;
}

/* ---- events into the lines of their changes ---- */

static int change_order(const struct change *a, const struct change *b)
{
    int order = (a->t_unix_s > b->t_unix_s) - (a->t_unix_s < b->t_unix_s);
    if (order == 0) order = gt_str_cmp(a->site, b->site);
    if (order == 0) order = (a->offer_id > b->offer_id) - (a->offer_id < b->offer_id);
    return order != 0 ? order : (a->kind > b->kind) - (a->kind < b->kind);
}

struct told_slot {
    struct told_event *event;
    bool is_taken;
};

/* Those of several rules in the order of the store. */
static int slot_order(const void *left, const void *right)
{
    const struct told_slot *a = left, *b = right;
    int order = change_order(&a->event->change, &b->event->change);
    return order != 0 ? order : (a->event > b->event) - (a->event < b->event);
}

/* The first free event of a change; NULL when there is none. */
static const struct told_event *slot_take(struct told_slot *slots, size_t count, const struct change *change)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (change_order(&slots[middle].event->change, change) < 0) low = middle + 1;
        else high = middle;
    }
    for (; low < count && change_order(&slots[low].event->change, change) == 0; low++) {
        if (slots[low].is_taken) continue;
        slots[low].is_taken = true;
        slots[low].event->is_held = true; /* has its line */
        return slots[low].event;
    }
    return NULL;
}

static enum gt_err places_make(const struct reading_events *reading, struct told_list *list)
{
    const struct change_list *changes = reading->changes;
    struct told_slot *slots = arena_array(reading->arena, reading->count + 1, sizeof *slots);
    const struct told_event **own = arena_array(reading->arena, changes->count + 1, sizeof(struct told_event *));
    list->places = arena_array(reading->arena, changes->count + reading->count + 1, sizeof *list->places);
    size_t count = 0, event = 0;
    if (slots == NULL || own == NULL || list->places == NULL) return GT_ENOMEM;
    for (size_t i = 0; i < reading->count; i++)
        if (reading->events[i].is_of_change) slots[count++].event = &reading->events[i];
    if (count > 0) qsort(slots, count, sizeof *slots, slot_order);
    for (size_t i = 0; i < changes->count; i++) own[i] = slot_take(slots, count, &changes->changes[i]);
    for (size_t i = 0; i <= changes->count; i++) {
        int64_t until = i < changes->count ? changes->changes[i].t_unix_s : INT64_MAX;
        for (; event < reading->count && reading->events[event].change.t_unix_s < until; event++)
            if (!reading->events[event].is_held) list->places[list->count++] = (struct told_place){SIZE_MAX, &reading->events[event]};
        if (i < changes->count) list->places[list->count++] = (struct told_place){i, own[i]};
    }
    return GT_OK;
}

enum gt_err told_list_read(struct store *store, int64_t since_unix_s, int64_t until_unix_s, const struct change_list *changes, enum gt_lang lang,
                           struct arena *arena, struct told_list *ret_list, struct gt_errinfo *info)
{
    struct reading_events reading = {.changes = changes, .lang = lang, .arena = arena};
    struct event_range range = {since_unix_s, until_unix_s, keep_event, &reading};
    struct told_list list = {.changes = changes};
    struct gt_str prefix = event_range_prefix(&range, arena);
    enum gt_err err = prefix.ptr == NULL ? GT_ENOMEM : store_each(store, NULL, STORE_OUTBOX, prefix, arena, event_range_take, &range, info);
    if (err == GT_OK) err = places_make(&reading, &list);
    if (err == GT_ELIMIT || err == GT_ENOMEM) return gt_fail(info, err, "reading the events: %s", gt_err_text(err));
    if (err == GT_OK) *ret_list = list;
    return err;
}

/* ---- one line ---- */

int64_t told_list_time(const struct told_list *list, size_t at)
{
    const struct told_place *place = &list->places[at];
    return place->change != SIZE_MAX ? list->changes->changes[place->change].t_unix_s : place->event->change.t_unix_s;
}

enum gt_err told_list_entry(const struct told_list *list, size_t at, struct arena *arena, struct told_entry *ret_entry)
{
    const struct told_place *place = &list->places[at];
    struct told_entry entry = {.event = place->event, .is_event_alone = place->change == SIZE_MAX};
    if (entry.is_event_alone)
        entry.priced = (struct change_entry){
            .change = place->event->change, .site_title = place->event->site_title, .url = place->event->url};
    else if (change_list_entry(list->changes, place->change, arena, &entry.priced) != GT_OK) return GT_ENOMEM;
    *ret_entry = entry;
    return GT_OK;
}
