/* Ratios of units. In a public history of 1,552 offers one morning moved 133 of them by 87.5, 75 or 50 percent: node prices had
 * become card prices. No market does that, and no second fetch cures it: a changed layout repeats itself. */
#include "pricing/guard_slip.h"

#include "pricing/money.h"

enum {
    NEAR_PERCENT = 1,
    PERCENT = 100,
    HALF_CENT = NANO / 200,
    SMALL_SHARE_MAX = 50,    /* rounding excuses at most one fiftieth of the smaller price */
    FX_LOW_PER_MILLE = 6700, /* yuan per dollar, as far as it goes in ten years */
    FX_HIGH_PER_MILLE = 7400,
    PER_MILLE = 1000,
};

/* A factor, what happened when the price fell by it, and when it rose. */
struct unit_pair {
    int32_t factor;
    const char *down;
    const char *up;
};

static const struct unit_pair pairs[] = {
    {2, "per-node became per-card (two cards)", "per-card became per-node (two cards)"},
    {4, "per-node became per-card", "per-card became per-node"},
    {8, "per-node became per-card", "per-card became per-node"},
    {10, "the decimal point moved by one", "the decimal point moved by one"},
    {16, "per-node became per-card", "per-card became per-node"},
    {24, "per-day became per-hour", "per-hour became per-day"},
    {30, "per-month became per-day", "per-day became per-month"},
    {60, "per-hour became per-minute", "per-minute became per-hour"},
    {100, "units became cents, or cents units", "units became cents, or cents units"},
    {192, "a node's day became a card's hour", "a card's hour became a node's day"},
    {720, "per-month became per-hour", "per-hour became per-month"},
    {730, "per-month became per-hour", "per-hour became per-month"},
    {1000, "units became thousandths, or thousandths units", "units became thousandths, or thousandths units"},
    {3600, "per-hour became per-second", "per-second became per-hour"},
    {5760, "a node's month became a card's hour", "a card's hour became a node's month"},
    {5840, "a node's month became a card's hour", "a card's hour became a node's month"},
    {10000, "万 was lost or found", "万 was lost or found"},
};

/* small × factor is large, within a percent and what rounding the small one to cents may have done. */
static bool is_near(int64_t large, int64_t small, int64_t factor)
{
    /* 3.92 ÷ 8 is printed as 0.49: half a cent of the small price, taken times the factor, is not a market's move. */
    int64_t product, rounding = small / SMALL_SHARE_MAX < HALF_CENT ? small / SMALL_SHARE_MAX : HALF_CENT;
    if (__builtin_mul_overflow(small, factor, &product) || __builtin_mul_overflow(rounding, factor, &rounding)) return false;
    int64_t apart = product > large ? product - large : large - product;
    return apart <= large / PERCENT * NEAR_PERCENT + rounding;
}

/* The ratio lies where the yuan's price of a dollar does. */
static bool is_exchange(int64_t large, int64_t small)
{
    int64_t per_mille;
    if (money_scale(large, PER_MILLE, small, ROUND_HALF_UP, &per_mille) != GT_OK) return false;
    return per_mille >= FX_LOW_PER_MILLE && per_mille <= FX_HIGH_PER_MILLE;
}

bool slip_find(int64_t before_nano, int64_t now_nano, int32_t cards, struct slip *ret_slip)
{
    bool is_down = now_nano < before_nano;
    int64_t large = is_down ? before_nano : now_nano, small = is_down ? now_nano : before_nano;
    /* The unit's own count first: for a unit of ten cards ÷10 is no matter of the decimal point. */
    if (cards > 1 && is_near(large, small, cards)) {
        *ret_slip = (struct slip){cards, is_down, is_down ? "per-node became per-card" : "per-card became per-node"};
        return true;
    }
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        if (!is_near(large, small, pairs[i].factor)) continue;
        *ret_slip = (struct slip){pairs[i].factor, is_down, is_down ? pairs[i].down : pairs[i].up};
        return true;
    }
    if (!is_exchange(large, small)) return false;
    *ret_slip = (struct slip){7, is_down, is_down ? "yuan became dollars" : "dollars became yuan"};
    return true;
}
