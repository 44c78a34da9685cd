/* Spreads: each figure is a price that somebody asks, by cards. */
#include "pricing/spread.h"
#include "tests/unit/table.h"

enum { ITEMS_MAX = 12 };

static const struct row {
    const char *name;
    struct spread_item items[ITEMS_MAX]; /* up to the first of price 0 */
    struct spread want;
} rows[] = {
    {"one offer is all of it", {{7, 1}}, {7, 7, 7, 7, 7, 1, 1}},
    {"two: half of the cards are offered at the lower", {{9, 1}, {5, 1}}, {5, 5, 5, 5, 9, 2, 2}},
    {"three: the middle one", {{3, 1}, {1, 1}, {2, 1}}, {1, 1, 1, 2, 3, 3, 3}},
    {"four: a quarter is reached by the first", {{4, 1}, {3, 1}, {2, 1}, {1, 1}}, {1, 1, 1, 2, 3, 4, 4}},
    {"ten, in any order", {{10, 1}, {1, 1}, {9, 1}, {2, 1}, {8, 1}, {3, 1}, {7, 1}, {4, 1}, {6, 1}, {5, 1}}, {1, 1, 3, 5, 8, 10, 10}},
    {"eleven: a tenth is no longer the first", {{1, 1}, {2, 1}, {3, 1}, {4, 1}, {5, 1}, {6, 1}, {7, 1}, {8, 1}, {9, 1}, {10, 1}, {11, 1}},
     {1, 2, 3, 6, 9, 11, 11}},
    {"a node of eight counts eight times", {{10, 8}, {1, 1}, {2, 1}}, {1, 1, 10, 10, 10, 3, 10}},
    {"one cheap node is the low and the median", {{1, 8}, {2, 1}, {3, 1}}, {1, 1, 1, 1, 1, 3, 10}},
    {"an unknown count is one card", {{1, 0}, {2, 0}, {3, 2}}, {1, 1, 1, 2, 3, 3, 4}},
    {"equal prices", {{5, 1}, {5, 3}, {5, 0}}, {5, 5, 5, 5, 5, 3, 5}},
    {"prices at the end of what there is", {{INT64_MAX, INT32_MAX}, {1, INT32_MAX}}, {1, 1, 1, 1, INT64_MAX, 2, 2 * (int64_t)INT32_MAX}},
};

static void check(void **state)
{
    const struct row *row = *state;
    struct spread_item items[ITEMS_MAX];
    struct spread got;
    size_t count = 0;
    for (; count < ITEMS_MAX && row->items[count].nano != 0; count++) items[count] = row->items[count];
    assert_true(spread_compute(items, count, &got));
    assert_memory_equal(&got, &row->want, sizeof got);
    assert_false(spread_compute(items, 0, &got));
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(rows, check);
}
