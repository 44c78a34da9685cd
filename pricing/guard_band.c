/* Bands exist for newcomers and for first readings, which have no last price to be held to. They are there to catch wrong units,
 * not wrong prices, and are therefore wide: a band that doubts a cheap seller hides the very offer that the reader looks for. */
#include "pricing/guard_band.h"

enum { YUAN_OF_A_DOLLAR = 7, YUAN_OF_A_EURO = 8, FEN = NANO / 100 };

/* Bounds in fen (0.01 yuan) per card and hour. A row stands for the node of that name and all that lie below it; the longest
 * name wins. Lows lie at about a third of the cheapest spot or node price seen in public, highs at about twice the dearest
 * hyperscaler price. */
struct band_row {
    const char *sku;
    int32_t low_fen;
    int32_t high_fen;
};

static const struct band_row rows[] = {
    {"NVIDIA-GB300", 1000, 40000},  {"NVIDIA-GB200", 800, 40000},
    {"NVIDIA-B300", 800, 40000},    {"NVIDIA-B200", 600, 30000},
    {"NVIDIA-H200", 400, 20000},    {"NVIDIA-H100", 300, 20000},
    {"NVIDIA-GH200", 300, 20000},   {"NVIDIA-H800", 300, 15000},
    {"NVIDIA-H20", 150, 6000},      {"NVIDIA-A100", 100, 6000},
    {"NVIDIA-A800", 100, 6000},     {"NVIDIA-L40S", 80, 5000},
    {"NVIDIA-L40", 80, 4000},       {"NVIDIA-L20", 60, 4000},
    {"NVIDIA-A40", 50, 4000},       {"NVIDIA-L4", 30, 3000},
    {"NVIDIA-A10", 30, 4000},       {"NVIDIA-A10G", 30, 4000},
    {"NVIDIA-V100", 30, 6000},      {"NVIDIA-T4", 15, 4000},
    {"NVIDIA-P100", 10, 4000},      {"NVIDIA-RTX-PRO-6000", 100, 6000},
    {"NVIDIA-RTX-6000", 40, 4000},  {"NVIDIA-RTX-5090", 40, 4000},
    {"NVIDIA-RTX-5090D", 40, 4000}, {"NVIDIA-RTX-4090", 30, 3000},
    {"NVIDIA-RTX-4090D", 30, 3000}, {"NVIDIA-RTX-3090", 15, 2000},
    {"ASCEND-910", 50, 8000},       {"ASCEND-910B", 50, 8000},
    {"ASCEND-910C", 80, 15000},     {"AMD", 10, 20000},
};

/* Any card that has a name: no catalogue on record rents one for less than three fen or more than 400 yuan an hour. */
static const struct band_row any_card = {"", 3, 40000};

/* `sku` is `node` or lies below it: names go down a level at each hyphen. */
static bool is_within(struct gt_str sku, struct gt_str node)
{
    return gt_str_starts(sku, node) && (sku.len == node.len || sku.ptr[node.len] == '-');
}

/* The row of the longest name that the SKU lies under: L40S before L40, though both begin alike. */
static const struct band_row *row_of(struct gt_str sku)
{
    const struct band_row *best = &any_card;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (is_within(sku, gt_str_from(rows[i].sku)) && strlen(rows[i].sku) > strlen(best->sku)) best = &rows[i];
    return best;
}

/* Yuan for one unit of the currency, 0 when the band has no opinion of it. */
static int64_t yuan_of(struct currency currency)
{
    if (currency_eq(currency, currency_from(GT_STR("CNY")))) return 1;
    if (currency_eq(currency, currency_from(GT_STR("USD")))) return YUAN_OF_A_DOLLAR;
    return currency_eq(currency, currency_from(GT_STR("EUR"))) ? YUAN_OF_A_EURO : 0;
}

bool guard_band_find(struct gt_str sku, struct currency currency, struct guard_band *ret_band)
{
    int64_t yuan = yuan_of(currency);
    if (sku.len == 0 || yuan == 0) return false;
    const struct band_row *row = row_of(sku);
    ret_band->low_hour_nano = row->low_fen * (int64_t)FEN / yuan;
    ret_band->high_hour_nano = row->high_fen * (int64_t)FEN / yuan;
    return true;
}
