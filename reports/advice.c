#include "reports/advice.h"

#include <stdlib.h>

#include "common/civil.h"
#include "reports/crossing.h"

enum { CARD_GB_BYTES = 1000 * 1000 * 1000, CENTS = 100, YEAR_MONTHS = 12, CURRENCIES_MAX = 64 };

/* What all items are reckoned with. */
struct reckoning {
    const struct board_view *view;
    const struct advice_need *need;
    const struct site_extras *extras;
    size_t extra_count;
    struct arena *arena;
    struct advice *advice;
    size_t cap;
    int32_t cards_max;
    const struct board_row *rows;
    bool *is_priced; /* by row: it fits, and one way of paying has a price */
};

/* ---- how many cards ---- */

static int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* Sets what is taken of an offer. False when it does not fit; it is counted. */
static bool cards_take(const struct reckoning *by, struct advice_item *item, bool is_counted)
{
    const struct offer_attributes *attributes = &item->entry->row->offer.attributes;
    struct advice *advice = by->advice;
    if (attributes->vram_gb <= 0 || attributes->cards <= 0 || attributes->slice_den != 0) {
        advice->unknown_memory += is_counted;
        return false;
    }
    item->needed = model_cards_needed(advice->memory.total_bytes, (int64_t)attributes->vram_gb * CARD_GB_BYTES, by->cards_max);
    int32_t wanted = larger(larger(item->needed, by->view->persona.cards), attributes->min_cards);
    item->units = (wanted - 1) / attributes->cards + 1;
    /* No unit has more than CARDS_MAX cards, and no number wanted is larger. */
    item->cards = item->units * attributes->cards;
    if (item->needed > 0 && item->cards <= by->cards_max) return true;
    advice->too_large += is_counted;
    return false;
}

/* ---- how long ---- */

static int64_t months_of(int64_t hours, int32_t hours_per_month)
{
    return (hours - 1) / hours_per_month + 1;
}

/* What is billed, at least the offer's own shortest term. */
static void time_take(const struct reckoning *by, struct advice_item *item)
{
    const struct board_row *row = item->entry->row;
    int32_t per_month = row->net_rules.hours_per_month, least = row->offer.attributes.min_months, used = by->view->persona.hours_per_month;
    int64_t months = by->need->months > 0 ? by->need->months : 1, hours = months * (used > 0 ? used : per_month);
    if (by->need->hours > 0) {
        hours = by->need->hours;
        months = months_of(hours, per_month);
    }
    item->kept_months = months;
    if (months < least) months = least;
    if (item->pay == PERIOD_YEAR) months = ((months - 1) / YEAR_MONTHS + 1) * YEAR_MONTHS;
    if (item->pay == PERIOD_HOUR) item->hours = hours; /* an offer with a least term has no price by the hour */
    else item->months = months;
}

/* ---- the rent ---- */

/* The least that is billed at a time: hours or months. An hour at least, or the offer's billing step, or its shortest term. */
static int64_t least_billed(const struct advice_item *item)
{
    const struct offer_attributes *attributes = &item->entry->row->offer.attributes;
    int64_t months = attributes->min_months > 1 ? attributes->min_months : 1;
    int64_t hours = (attributes->billing_step_s + (int64_t)CIVIL_HOUR_S - 1) / CIVIL_HOUR_S;
    if (item->pay == PERIOD_YEAR) return (months - 1) / YEAR_MONTHS * YEAR_MONTHS + YEAR_MONTHS;
    if (item->pay != PERIOD_HOUR) return months;
    return hours > 1 ? hours : 1;
}

/* Rent and trial from what one hour (or month) of all units costs. A node's month is the printed one, not its rounded card times
 * the cards. */
static enum gt_err rent_sum(struct advice_item *item)
{
    const struct net_price *net = &item->net;
    bool is_hour = item->pay == PERIOD_HOUR, is_node = !is_hour && net->node_month_net_nano > 0;
    int64_t step = is_hour ? net->hour_net_nano : is_node ? net->node_month_net_nano : net->month_net_nano, rent, trial;
    if (__builtin_mul_overflow(step, is_node ? item->units : item->cards, &step) ||
        __builtin_mul_overflow(step, is_hour ? item->hours : item->months, &rent) ||
        __builtin_mul_overflow(step, least_billed(item), &trial))
        return GT_EOVERFLOW;
    enum gt_err err = money_round(rent, NANO / CENTS, ROUND_HALF_UP, &item->rent_nano);
    return err == GT_OK ? money_round(trial, NANO / CENTS, ROUND_UP, &item->trial_nano) : err;
}

/* What a persona of so many cards pays. */
static enum gt_err rent_reckon(const struct reckoning *by, struct advice_item *item, bool *ret_has_price)
{
    const struct board_row *row = item->entry->row;
    struct persona persona = by->view->persona;
    persona.cards = item->cards;
    persona.pay = item->pay;
    persona.hours_per_month = 0; /* a month that is paid is a whole one; hours of use are counted here */
    persona.months = (int32_t)(item->pay == PERIOD_HOUR ? item->kept_months : item->months);
    enum gt_err err = net_price_compute(&row->offer, &row->net_rules, &persona, by->view->now_unix_s, by->arena, &item->net);
    if (err != GT_OK) return err;
    const struct net_price *net = &item->net;
    int64_t hour_nano = net->hour_net_nano > 0 ? net->hour_net_nano : net->hour_list_nano;
    *ret_has_price = item->pay == PERIOD_HOUR ? net->hour_net_nano > 0 : crossing_has_month(net, hour_nano, row->net_rules.hours_per_month);
    return *ret_has_price ? rent_sum(item) : GT_OK;
}

/* ---- what comes on top ---- */

/* True when the fee can be added to the offer's rent. */
static bool is_usable(const struct site_fee *fee, const struct net_price *net)
{
    return fee->is_known && (fee->amount_nano == 0 || currency_eq(fee->currency, net->currency));
}

static enum gt_err storage_reckon(const struct reckoning *by, const struct site_fees *fees, struct advice_item *item)
{
    int32_t per_month = item->entry->row->net_rules.hours_per_month;
    int64_t stopped = item->pay == PERIOD_HOUR ? item->kept_months * per_month - item->hours : 0;
    if (by->need->storage_gb <= 0) return GT_OK;
    bool is_stopped_usable = !fees->stopped_disk.is_known || stopped <= 0 || is_usable(&fees->stopped_disk, &item->net);
    if (!is_usable(&fees->storage, &item->net) || !is_stopped_usable) {
        item->gaps |= ADVICE_GAP_STORAGE;
        return GT_OK;
    }
    if (fees->storage.is_approx) item->gaps |= ADVICE_GAP_APPROX;
    enum gt_err err = site_fees_storage(fees, by->need->storage_gb, item->kept_months, stopped > 0 ? stopped : 0, per_month, &item->storage_nano);
    return err == GT_OK ? money_round(item->storage_nano, NANO / CENTS, ROUND_HALF_UP, &item->storage_nano) : err;
}

static enum gt_err traffic_reckon(const struct reckoning *by, const struct site_fees *fees, struct advice_item *item)
{
    if (by->need->egress_gb <= 0) return GT_OK;
    if (!is_usable(&fees->traffic, &item->net)) {
        item->gaps |= ADVICE_GAP_TRAFFIC;
        return GT_OK;
    }
    if (fees->traffic.is_approx) item->gaps |= ADVICE_GAP_APPROX;
    if (__builtin_mul_overflow(fees->traffic.amount_nano, by->need->egress_gb, &item->traffic_nano)) return GT_EOVERFLOW;
    return money_round(item->traffic_nano, NANO / CENTS, ROUND_HALF_UP, &item->traffic_nano);
}

/* Storage, traffic and management, and the total with them. */
static enum gt_err extras_reckon(const struct reckoning *by, struct advice_item *item)
{
    static const struct site_fees none = {.replicas_nano = NANO};
    const struct site_extras *extras = site_extras_find(by->extras, by->extra_count, item->entry->row->site);
    const struct site_fees *fees = extras != NULL ? &extras->fees : &none;
    int64_t hidden = 0;
    enum gt_err err = storage_reckon(by, fees, item);
    if (err == GT_OK) err = traffic_reckon(by, fees, item);
    if (!fees->is_management_known) item->gaps |= ADVICE_GAP_MANAGEMENT;
    if (err == GT_OK) err = money_scale(item->rent_nano, fees->management_nano, 100 * NANO, ROUND_HALF_UP, &item->management_nano);
    if (err == GT_OK) err = money_round(item->management_nano, NANO / CENTS, ROUND_HALF_UP, &item->management_nano);
    if (err != GT_OK) return err;
    if (__builtin_add_overflow(item->storage_nano, item->traffic_nano, &hidden) || __builtin_add_overflow(hidden, item->management_nano, &hidden) ||
        __builtin_add_overflow(item->rent_nano, hidden, &item->total_nano))
        return GT_EOVERFLOW;
    item->is_complete = (item->gaps & (ADVICE_GAP_STORAGE | ADVICE_GAP_TRAFFIC)) == 0;
    return item->total_nano > 0 ? money_scale(hidden, 100 * NANO, item->total_nano, ROUND_HALF_UP, &item->hidden_percent_nano) : GT_OK;
}

/* ---- what is not known ---- */

struct gt_str advice_interconnect(const struct advice_item *item, bool *ret_is_printed)
{
    const struct offer_attributes *attributes = &item->entry->row->offer.attributes;
    const struct sku_node *node = sku_find(gt_str_from(attributes->sku));
    *ret_is_printed = attributes->interconnect.len > 0;
    if (*ret_is_printed) return attributes->interconnect;
    if (node == NULL || node->interconnect == NULL) return GT_STR("");
    return node->interconnect[0] != '\0' ? gt_str_from(node->interconnect) : GT_STR(ADVICE_LINK_NONE);
}

static void gaps_find(struct advice_item *item)
{
    const struct offer_attributes *attributes = &item->entry->row->offer.attributes;
    if (attributes->tax == TAX_UNKNOWN) item->gaps |= ADVICE_GAP_TAX;
    if (attributes->includes == INCLUDES_GPU_ONLY) item->gaps |= ADVICE_GAP_HOST;
    bool is_printed;
    if (item->needed > 1 && advice_interconnect(item, &is_printed).len == 0) item->gaps |= ADVICE_GAP_INTERCONNECT;
    if (item->needed > 1 && item->units > 1) item->gaps |= ADVICE_GAP_ONE_NODE;
}

/* ---- the list ---- */

/* GT_OK also where the offer is left out; GT_ENOMEM. */
static enum gt_err item_add(struct reckoning *by, const struct board_entry *entry, enum period pay, bool is_counted)
{
    struct advice *advice = by->advice;
    struct advice_item item = {.entry = entry, .pay = pay};
    bool has_price = false;
    if (!cards_take(by, &item, is_counted)) return GT_OK;
    advice->no_price += is_counted;
    time_take(by, &item);
    enum gt_err err = rent_reckon(by, &item, &has_price);
    if (err == GT_OK && has_price) err = extras_reckon(by, &item);
    if (err == GT_ENOMEM) return err;
    if (err != GT_OK || !has_price) return GT_OK;
    gaps_find(&item);
    item.marks = (entry->marks & ~(unsigned)(BOARD_BOUND | BOARD_NO_PRICE)) | (item.net.bound != BOUND_EXACT ? BOARD_BOUND : 0u);
    void *items = advice->items;
    if (!arena_grow(by->arena, &items, advice->count, &by->cap, sizeof item)) return GT_ENOMEM;
    advice->items = items;
    advice->items[advice->count++] = item;
    advice->no_price -= !by->is_priced[entry->row - by->rows];
    by->is_priced[entry->row - by->rows] = true;
    return GT_OK;
}

/* Every offer, paid in one way. */
static enum gt_err plan_add(struct reckoning *by, const struct board_rows *rows, enum period pay, bool is_counted)
{
    struct board_view view = *by->view;
    struct board board = {0};
    view.persona.pay = pay;
    view.skips_spot = true;
    enum gt_err err = board_compute(rows, &view, by->arena, &board);
    for (size_t i = 0; i < board.count && err == GT_OK; i++) err = item_add(by, &board.entries[i], pay, is_counted);
    return err;
}

static int number_order(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* True when an item may be called cheap: nothing is wrong with its price, and nothing that was asked for is missing in it. */
static bool is_sound(const struct advice_item *item)
{
    return item->marks == 0 && item->is_complete;
}

static int item_order(const void *left, const void *right)
{
    const struct advice_item *a = left, *b = right;
    int order = board_class_order(a->entry->class, b->entry->class);
    if (order == 0) order = strcmp(a->net.currency.code, b->net.currency.code);
    if (order == 0) order = (int)is_sound(b) - (int)is_sound(a);
    if (order == 0) order = number_order(a->total_nano, b->total_nano);
    if (order == 0) order = board_words_order(a->entry->row, b->entry->row);
    return order != 0 ? order : (int)a->pay - (int)b->pay;
}

static bool is_same_currency(const struct advice_item *a, const struct advice_item *b)
{
    return strcmp(a->net.currency.code, b->net.currency.code) == 0;
}

/* Keeps `item` as its currency's smallest trial when it is; of equal ones the first in order stays. */
static void trial_judge(struct advice_item **smallest, size_t *count, struct advice_item *item)
{
    size_t at = 0;
    while (at < *count && !is_same_currency(smallest[at], item)) at++;
    if (at == CURRENCIES_MAX || (at < *count && smallest[at]->trial_nano <= item->trial_nano)) return;
    if (at < *count) smallest[at]->is_smallest_trial = false;
    else (*count)++;
    smallest[at] = item;
    item->is_smallest_trial = true;
}

/* The cheapest of each class, and of each currency the smallest trial. */
static void items_judge(struct advice *advice)
{
    struct advice_item *smallest[CURRENCIES_MAX];
    size_t currencies = 0;
    for (size_t i = 0; i < advice->count; i++) {
        struct advice_item *item = &advice->items[i], *before = i > 0 ? item - 1 : NULL;
        bool is_first = before == NULL || !gt_str_eq(before->entry->class, item->entry->class) || !is_same_currency(before, item);
        item->is_cheapest = is_first && is_sound(item);
        advice->has_currencies |= !is_same_currency(&advice->items[0], item);
        if (item->marks == 0) trial_judge(smallest, &currencies, item);
    }
}

enum gt_err advice_compute(const struct board_rows *rows, const struct board_view *view, const struct advice_need *need,
                           const struct site_extras *extras, size_t extra_count, struct arena *arena, struct advice *ret_advice,
                           struct gt_errinfo *info)
{
    struct advice advice = {0};
    struct reckoning by = {.view = view,
                           .need = need,
                           .extras = extras,
                           .extra_count = extra_count,
                           .arena = arena,
                           .advice = &advice,
                           .cards_max = need->cards_max > 0 ? need->cards_max : ADVICE_CARDS_DEFAULT,
                           .rows = rows->rows,
                           .is_priced = arena_array(arena, rows->count, sizeof(bool))};
    enum gt_err err = model_memory_compute(&need->model, &advice.memory, info);
    if (err != GT_OK) return err;
    if (by.is_priced == NULL) return gt_fail(info, GT_ENOMEM, "looking for what fits: out of memory");
    err = plan_add(&by, rows, PERIOD_HOUR, true);
    if (err == GT_OK) err = plan_add(&by, rows, view->persona.pay == PERIOD_YEAR ? PERIOD_YEAR : PERIOD_MONTH, false);
    if (err != GT_OK) return gt_fail(info, err, "looking for what fits: %s", gt_err_text(err));
    if (advice.count > 0) qsort(advice.items, advice.count, sizeof *advice.items, item_order);
    items_judge(&advice);
    *ret_advice = advice;
    return GT_OK;
}
