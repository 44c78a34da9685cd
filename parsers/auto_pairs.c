/* Tables that tell one offer in pairs: "GPU | 1x RTX 4080", "Price | €189 / month". They are turned into a grid of one row whose
 * headings are the keys. Two or three pairs may stand side by side. */
#include "parsers/auto_grid.h"

enum {
    PAIRS_MAX = 60,
    LEAD_MAX = 120, /* bytes of a sentence that names the card of the table below it */
    PAIR_COLUMNS_MAX = 6,
    KNOWN_MIN_PERCENT = 50, /* of the keys are words that an offer's parts have */
    SPECS_MIN = 1,
};

struct pair_counts {
    size_t keys, known, prices, specs;
    size_t values; /* keys that are values: a card, a price */
    bool has_sku;
};

static bool is_spec_role(enum auto_role role)
{
    return role == AUTO_VRAM || role == AUTO_CARDS || role == AUTO_DISK || role == AUTO_RAM || role == AUTO_VCPU ||
           role == AUTO_LABEL || role == AUTO_INSTANCE;
}

/* Looks at one key with its value. */
static void count_pair(struct auto_page *page, const struct grid *grid, size_t row, size_t column,
                       const struct auto_around *around, struct pair_counts *counts)
{
    struct gt_str key = gt_str_trim(grid_text(grid, row, column)), value = grid_text(grid, row, column + 1);
    struct auto_price price;
    if (key.len == 0) return;
    enum auto_role role = auto_role_of(page, key);
    counts->keys++;
    counts->known += role != AUTO_NONE;
    struct auto_cell cell = auto_cell_read(page, key);
    counts->values += cell.has_sku || cell.is_number || auto_price_read(page, key, GT_STR(""), GT_STR(""), around, false, &price);
    counts->specs += is_spec_role(role);
    counts->has_sku |= auto_cell_read(page, value).has_sku;
    counts->prices += role == AUTO_PRICE && auto_price_read(page, value, key, GT_STR(""), around, true, &price);
}

/* "Item | Value" above the pairs names no column of offers. */
static bool is_pairs_header(struct auto_page *page, const struct grid *grid, size_t row)
{
    return row == 0 && grid->columns == 2 && grid->kinds[0] == GRID_HEADER &&
           auto_has_words(page, grid_text(grid, 0, 1), "value|values|detail|details|content|数值|值|详情|内容|说明|参数值");
}

/* The sentence that leads to the table, where it names the card: "The RTX 5090 is billed by the hour:". */
static struct gt_str lead_of(const struct auto_around *around)
{
    bool leads = gt_str_ends(around->before, GT_STR(":")) || gt_str_ends(around->before, GT_STR("："));
    return leads && around->before.len <= LEAD_MAX ? around->before : GT_STR("");
}

/* True when the grid is made of such pairs and names a card, or stands below a name. */
static bool is_pairs(struct auto_page *page, const struct grid *grid, const struct auto_around *around)
{
    struct pair_counts counts = {0};
    if (grid->columns % 2 != 0 || grid->columns > PAIR_COLUMNS_MAX || grid->rows * grid->columns > PAIRS_MAX * 2) return false;
    for (size_t row = 0; row < grid->rows; row++) {
        if (is_pairs_header(page, grid, row)) continue;
        if (grid->kinds[row] == GRID_HEADER) return false;
        for (size_t column = 0; column < grid->columns; column += 2) count_pair(page, grid, row, column, around, &counts);
    }
    bool is_led = auto_cell_read(page, lead_of(around)).has_sku;
    bool has_sku =
        counts.has_sku || auto_cell_read(page, around->caption).has_sku || auto_cell_read(page, around->heading).has_sku;
    /* A key that is a card or a price: the table lies on its side or lists cards. */
    return (has_sku || is_led) && counts.values == 0 && counts.prices > 0 && (is_led || counts.specs >= SPECS_MIN) &&
           counts.known * 100 >= counts.keys * KNOWN_MIN_PERCENT;
}

struct grid *auto_pairs_turn(struct auto_page *page, const struct grid *grid, const struct auto_around *around)
{
    if (!is_pairs(page, grid, around)) return NULL;
    size_t own = grid->rows * grid->columns / 2, at = 0;
    struct gt_str lead = lead_of(around);
    struct sku_match card = sku_resolve(lead, 0, NULL, 0);
    size_t pairs = own + (card.status != SKU_UNMAPPED);
    struct gt_str *texts = arena_array(page->arena, pairs * 2, sizeof *texts);
    if (texts == NULL) return NULL;
    if (pairs > own) {
        texts[own] = GT_STR("gpu model");
        texts[pairs + own] = gt_str_slice(lead, card.offset, card.len);
    }
    for (size_t row = 0; row < grid->rows; row++) {
        for (size_t column = 0; column < grid->columns; column += 2, at++) {
            texts[at] = grid_text(grid, row, column);
            texts[pairs + at] = grid_text(grid, row, column + 1);
        }
    }
    struct grid *turned = grid_from_texts(texts, 2, pairs, page->arena);
    for (at = 0; turned != NULL && at < own; at++) {
        const struct grid_cell *value = grid_at(grid, at / (grid->columns / 2), at % (grid->columns / 2) * 2 + 1);
        if (value != NULL) turned->cells[pairs + at]->node = value->node; /* a struck-out price is told by its element */
    }
    return turned;
}
