/* Which way round a grid lies, and what its columns are. */
#include "parsers/auto_grid.h"

#include <stdlib.h>

#include "pricing/listing_spec.h"

enum {
    SAMPLE_ROWS = 40,        /* rows that columns are judged by */
    PRICED_MIN_PERCENT = 40, /* of the filled cells of a price column are prices by themselves */
    NUMBERS_MIN_PERCENT = 50,
    CARDS_IN_UNIT_MAX = 64, /* a larger number in a column is no count of cards */
    UNIT_MAX = 40,          /* bytes of a cell that may be a unit */
};

/* Words by which a heading of bare numbers says what they are in. */
static const char UNIT_WORDS[] = "usd|eur|cny|$|€|£|¥|元|hour|hourly|hr|day|daily|week|month|monthly|year|小时|时|天|月|年";

static bool is_data(const struct grid *grid, size_t row)
{
    return grid->kinds[row] == GRID_DATA;
}

static bool has_header(const struct grid *grid)
{
    for (size_t row = 0; row < grid->rows; row++) {
        if (grid->kinds[row] == GRID_HEADER) return true;
    }
    return false;
}

/* True when the row reads like a header: no digit-led cell, no price, at least two texts. */
static bool looks_like_header(struct auto_page *page, const struct grid *grid, size_t row)
{
    size_t texts = 0;
    for (size_t column = 0; column < grid->columns; column++) {
        struct auto_cell cell = auto_cell_read(page, grid_text(grid, row, column));
        if (cell.is_empty) continue;
        if (cell.is_number || auto_is_amount(page, cell.text)) return false;
        texts++;
    }
    return texts >= 2;
}

/* The first row that is no title across the whole table. */
static size_t first_row(const struct grid *grid)
{
    size_t row = 0;
    while (row + 1 < grid->rows && grid->kinds[row] == GRID_SECTION) row++;
    return row;
}

/* Finds the header where the tags do not tell it. Below one whose cells reach into the next rows those are headers too, as far as they
 * read like one. */
static void set_headers(struct auto_page *page, struct grid *grid)
{
    size_t first = first_row(grid);
    if (!has_header(grid) && looks_like_header(page, grid, first)) grid_set_header(grid, first);
    bool reaches = grid->kinds[first] == GRID_HEADER;
    for (size_t row = first + 1; row < grid->rows && reaches; row++) {
        reaches = false;
        for (size_t column = 0; column < grid->columns; column++) {
            const struct grid_cell *cell = grid_at(grid, row, column);
            reaches |= cell != NULL && cell->row == first;
        }
        reaches = reaches && grid->kinds[row] != GRID_SECTION && looks_like_header(page, grid, row);
        if (reaches) grid_set_header(grid, row);
    }
}

/* Counts the different cards named in a row, in heading cells or not: one that spans the row is one. */
static size_t skus_in_row(struct auto_page *page, const struct grid *grid, size_t row)
{
    const struct sku_node *seen[AUTO_COLUMNS_MAX];
    size_t skus = 0;
    for (size_t column = 0; column < grid->columns && skus < AUTO_COLUMNS_MAX; column++) {
        struct gt_str text = grid_text(grid, row, column);
        if (!auto_cell_read(page, text).has_sku) continue;
        const struct sku_match match = sku_resolve(text, 0, NULL, 0);
        const struct sku_node *node = match.node != NULL ? match.node : match.candidates[0];
        size_t i = 0;
        while (i < skus && seen[i] != node) i++;
        if (i == skus) seen[skus++] = node;
    }
    return skus;
}

static size_t skus_in_column(struct auto_page *page, const struct grid *grid, size_t column)
{
    size_t skus = 0;
    for (size_t row = 0; row < grid->rows && row < SAMPLE_ROWS; row++)
        skus += auto_cell_read(page, grid_text(grid, row, column)).has_sku;
    return skus;
}

/* True when a heading past the first says that its column holds prices: the table stands upright, whatever else its rows name twice. */
static bool heads_prices(struct auto_page *page, const struct grid *grid)
{
    bool is_told = false;
    for (size_t column = 1; grid->rows > 0 && grid->kinds[0] == GRID_HEADER && column < grid->columns && !is_told; column++) {
        struct gt_str heading = grid_text(grid, 0, column);
        is_told = auto_role_of(page, heading) == AUTO_PRICE && !auto_cell_read(page, heading).has_sku;
    }
    return is_told;
}

/* True when the first rows name more cards side by side than any column does one below the other: the offers are columns. */
static bool lies_on_its_side(struct auto_page *page, const struct grid *grid)
{
    size_t across = 0, down = 0;
    if (heads_prices(page, grid)) return false;
    for (size_t row = 0; row < grid->rows && row < 3; row++) {
        size_t skus = skus_in_row(page, grid, row);
        if (skus > across) across = skus;
    }
    if (across < 2) return false;
    for (size_t column = 0; column < grid->columns && column < AUTO_COLUMNS_MAX; column++) {
        size_t skus = skus_in_column(page, grid, column);
        if (skus > down) down = skus;
    }
    return across > down;
}

/* "0:15:27", "3h", "30 min": how long something took. */
static bool is_clock(struct gt_str text)
{
    static const char *const UNITS[] = {"h", "hr", "hrs", "hours", "min", "mins", "minutes", "小时", "分钟"};
    size_t colons = 0, end = 0;
    while (end < text.len && gt_char_is_in(text.ptr[end], "0123456789.:")) colons += text.ptr[end++] == ':';
    if (end == text.len) return colons > 0;
    struct gt_str unit = gt_str_trim(gt_str_slice(text, end, SIZE_MAX));
    for (size_t i = 0; end > 0 && i < sizeof UNITS / sizeof UNITS[0]; i++) {
        if (gt_str_eq_nocase(unit, gt_str_from(UNITS[i]))) return true;
    }
    return false;
}

/* Memory of a card, by the word behind it. */
static bool says_whose(struct gt_str text)
{
    return gt_str_ends(text, GT_STR(" GPU")) || gt_str_ends(text, GT_STR(" VRAM")) || gt_str_ends(text, GT_STR(" 显存"));
}

/* "24 GB", and not "8 x 24 GB", which counts cards too; "24 GB GPU" says whose memory it is. */
static bool is_memory(struct gt_str text)
{
    size_t digits = 0;
    while (digits < text.len && text.ptr[digits] >= '0' && text.ptr[digits] <= '9') digits++;
    struct gt_str unit = gt_str_trim(gt_str_slice(text, digits, SIZE_MAX));
    if (says_whose(unit)) unit = gt_str_trim(gt_str_slice(unit, 0, gt_str_find(unit, GT_STR(" "), 0)));
    return digits > 0 &&
           (gt_str_eq_nocase(unit, GT_STR("G")) || gt_str_eq_nocase(unit, GT_STR("GB")) || gt_str_eq_nocase(unit, GT_STR("GiB")));
}

/* "GPU per hour", "1 hour": a text without figures of its own. */
static bool is_unit(struct auto_page *page, struct gt_str text)
{
    if (text.len > UNIT_MAX) return false;
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] >= '0' && text.ptr[i] <= '9' && !(i == 0 && text.len > 2 && gt_str_starts(text, GT_STR("1 "))))
            return false;
    }
    return auto_unit_has_time(page, text);
}

/* "1.89 – 3.99": two bare numbers. */
static bool is_range(struct auto_page *page, struct gt_str text)
{
    static const struct gt_str SIGNS[] = {{"–", 3}, {"-", 1}, {"~", 1}, {"～", 3}};
    struct gt_str ends[2];
    for (size_t i = 0; i < sizeof SIGNS / sizeof SIGNS[0]; i++) {
        if (auto_pieces_cut(text, SIGNS[i], 2, ends) != 2) continue;
        return auto_cell_read(page, ends[0]).is_number && auto_cell_read(page, ends[1]).is_number;
    }
    return false;
}

/* "Spot", "On-Demand": a way of paying and nothing else. */
static bool is_plan(struct gt_str text)
{
    static const char *const NAMES[] = {"spot", "on-demand", "on demand", "preemptible", "interruptible", "reserved", "按量", "按需", "竞价", "抢占式", "包月"};
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        if (gt_str_eq_nocase(text, gt_str_from(NAMES[i]))) return true;
    }
    return false;
}

/* Adds what one cell says about its column. */
static void count_cell(struct auto_grid *auto_grid, size_t row, size_t index)
{
    const struct auto_around nothing = {GT_STR(""), GT_STR(""), GT_STR("")};
    struct auto_column *column = &auto_grid->columns[index];
    struct auto_price price;
    struct auto_cell cell = auto_cell_read(auto_grid->page, grid_text(auto_grid->grid, row, index));
    if (cell.is_empty) return;
    column->filled++;
    column->numbers += cell.is_number || is_range(auto_grid->page, cell.text);
    column->clocks += is_clock(cell.text);
    bool names_cards = column->role == AUTO_LABEL || column->role == AUTO_INSTANCE || column->role == AUTO_NONE;
    column->skus += cell.has_sku && (!cell.is_number || names_cards);
    column->exacts += cell.has_sku && cell.is_exact;
    column->generics += cell.is_generic;
    column->plans += is_plan(cell.text);
    bool holds_memory = is_memory(cell.text);
    column->memories += holds_memory;
    column->told_memories += holds_memory && says_whose(cell.text);
    column->units += !cell.has_sku && !cell.is_number && is_unit(auto_grid->page, cell.text);
    struct spec_cards cards = {0};
    if (!cell.has_sku && !holds_memory) cards = spec_cards_read(cell.text);
    /* "0" is what rows without a card have. */
    column->explicit_counts += !cell.has_sku && !cell.is_number && auto_is_count(cell.text);
    column->counts += (cards.cards > 0 && cards.cards <= CARDS_IN_UNIT_MAX) || cards.slice_den > 0 || gt_str_is(cell.text, "0");
    if (cell.is_number) return;
    if (!auto_price_read(auto_grid->page, cell.text, GT_STR(""), GT_STR(""), &nothing, false, &price)) {
        column->priced += auto_price_refusal(auto_grid->page, cell.text).raw.len > 0; /* a price, if one that cannot be kept */
        return;
    }
    column->priced++;
    column->named_prices += cell.has_sku;
    column->timed += price.has_period;
}

/* Columns that their cells tell more of than their headings: "GPU" over "8 GB" is memory, "metric" over "GPU per hour" a unit, "How paid"
 * over "Spot" a plan. */
static void judge_cells(struct auto_column *column)
{
    if (column->filled == 0) return;
    bool may_be_unit = column->role == AUTO_NONE || column->role == AUTO_INSTANCE;
    if (column->role == AUTO_NONE && column->plans == column->filled) column->role = AUTO_PLAN;
    if (may_be_unit && column->units == column->filled && column->priced == 0) column->role = AUTO_UNIT;
    bool is_memory_of_cards = column->role == AUTO_LABEL || (column->role == AUTO_NONE && column->told_memories == column->filled);
    if (is_memory_of_cards && column->skus == 0 && column->memories == column->filled) column->role = AUTO_VRAM;
}

/* Words that may be of money, of a share or of a number of things. */
static bool is_headed_weakly(struct auto_page *page, struct gt_str heading)
{
    return auto_has_words(page, heading, "rate|amount") && !auto_has_words(page, heading, "price|cost");
}

/* "at 30%", "30%": what something costs at that much load. */
static bool is_share(struct gt_str heading)
{
    struct gt_str number = gt_str_starts(heading, GT_STR("at ")) ? gt_str_slice(heading, 3, SIZE_MAX) : heading;
    bool is_figure = number.len > 1 && number.ptr[0] >= '0' && number.ptr[0] <= '9';
    return is_figure && gt_str_find(number, GT_STR("%"), 0) == number.len - 1;
}

/* Columns whose cells are prices, by what the heading says and what the cells are. */
static void judge_price(struct auto_grid *auto_grid, struct auto_column *column)
{
    bool is_timed = column->timed * 100 >= column->filled * NUMBERS_MIN_PERCENT;
    if (is_share(column->heading)) column->role = AUTO_FOREIGN;
    if (column->filled == 0 || (column->role == AUTO_EXCLUDED && !is_timed)) return;
    /* A remark of data tells again, rounded, what its members say. */
    if (column->role == AUTO_FOREIGN || (strcmp(auto_grid->shape, "json") == 0 && column->is_remark)) return;
    if (column->role == AUTO_TOTAL && !is_timed && !auto_unit_has_time(auto_grid->page, column->heading)) return;
    bool is_part = column->role == AUTO_VRAM || column->role == AUTO_CARDS || column->role == AUTO_DISK ||
                   column->role == AUTO_RAM || column->role == AUTO_VCPU || column->role == AUTO_STOCK;
    bool says_price = auto_has_role(auto_grid->page, column->heading, AUTO_PRICE);
    if (is_part && !says_price) return;
    bool is_count = column->counts == column->filled && column->priced == 0 && is_headed_weakly(auto_grid->page, column->heading) &&
                    !auto_has_words(auto_grid->page, column->heading, UNIT_WORDS);
    if (is_count) column->role = AUTO_EXCLUDED; /* "amount": 8, of cards */
    if (is_count) return;
    /* "spot discount 0.7" is no price; "折后价 7.2" is one. */
    bool says_discount = column->role == AUTO_DISCOUNT && column->priced == 0 &&
                         gt_str_find(column->heading, GT_STR("价"), 0) == SIZE_MAX &&
                         gt_str_find(column->heading, GT_STR("rice"), 0) == SIZE_MAX;
    if (says_discount) return;
    if (column->priced * 100 >= column->filled * PRICED_MIN_PERCENT) {
        column->is_price = true;
        column->takes_bare = says_price;
    } else if (says_price && (column->numbers + column->priced) * 100 >= column->filled * NUMBERS_MIN_PERCENT) {
        column->is_price = column->takes_bare = true;
    }
    if (column->is_price && column->skus * 2 > column->filled && column->priced == 0) column->is_price = false;
    /* In rows of <div>s such a cell is a card with everything in it. */
    column->is_naming = column->is_price && column->named_prices * 2 > column->filled && strcmp(auto_grid->shape, "rows") != 0;
}

/* "单位：元/小时" above a table whose headings are regions: where no column is a price by itself, columns of numbers under such a
 * unit are; and so are those of JSON under a key such as "price_list". */
static bool judge_by_surroundings(struct auto_grid *auto_grid)
{
    bool has_price = false;
    for (size_t i = 0; i < auto_grid->grid->columns; i++) {
        struct auto_column *column = &auto_grid->columns[i];
        bool may_be = column->role == AUTO_NONE || column->role == AUTO_PERIOD || column->role == AUTO_REGION ||
                      column->role == AUTO_PROVIDER || column->role == AUTO_PLAN;
        if (!may_be || column->numbers == 0 || column->numbers * 100 < column->filled * NUMBERS_MIN_PERCENT) continue;
        bool is_list =
            strcmp(auto_grid->shape, "json") == 0 && auto_has_role(auto_grid->page, auto_grid->around->heading, AUTO_PRICE);
        if (!is_list && !auto_unit_is_known(auto_grid->page, column->heading, auto_grid->around)) continue;
        column->is_price = column->takes_bare = has_price = true;
    }
    return has_price;
}

/* "prices" that counts them, "rental rate" that is a share: bare numbers below the weakest words, where another column is a price. */
static bool is_weak_price(struct auto_grid *auto_grid, const struct auto_column *column)
{
    if (!column->is_price || column->priced > 0 || auto_has_words(auto_grid->page, column->heading, UNIT_WORDS)) return false;
    return gt_str_eq_nocase(column->heading, GT_STR("prices")) || is_headed_weakly(auto_grid->page, column->heading);
}

/* "Disk $ / month" beside "Total $ / month": what a part of the machine costs. */
static bool is_part_price(const struct auto_column *column)
{
    bool is_part = column->role == AUTO_DISK || column->role == AUTO_RAM || column->role == AUTO_VCPU;
    return column->is_price && is_part && !column->heading_has_sku;
}

static void drop_weak_prices(struct auto_grid *auto_grid, size_t prices)
{
    for (size_t i = 0; i < auto_grid->grid->columns && prices > 1; i++) {
        const struct auto_column *column = &auto_grid->columns[i];
        if (!is_weak_price(auto_grid, column) && !is_part_price(column)) continue;
        auto_grid->columns[i].is_price = false;
        prices--;
    }
}

static void judge_column(struct auto_grid *auto_grid, size_t index)
{
    struct auto_column *column = &auto_grid->columns[index];
    size_t row = 0, seen = 0;
    while (row < auto_grid->grid->rows && !is_data(auto_grid->grid, row)) row++;
    column->heading = grid_heading(auto_grid->grid, row, index);
    column->role = auto_role_of(auto_grid->page, column->heading);
    column->heading_has_sku = auto_cell_read(auto_grid->page, column->heading).has_sku;
    column->is_remark = auto_has_words(auto_grid->page, column->heading, "note|remark|comment|备注|说明");
    for (; row < auto_grid->grid->rows && seen < SAMPLE_ROWS; row++) {
        if (!is_data(auto_grid->grid, row)) continue;
        count_cell(auto_grid, row, index);
        seen++;
    }
    judge_cells(column);
    judge_price(auto_grid, column);
    arena_clear(auto_grid->page->scratch);
}

/* The column that names the cards: most names, of equals the one that leaves least open, the first of those; and what else is needed row by row. */
static void choose_columns(struct auto_grid *auto_grid)
{
    size_t best = 0;
    bool counts_nodes = false;
    auto_grid->label_column = auto_grid->cards_column = auto_grid->unit_column = auto_grid->plan_column = SIZE_MAX;
    for (size_t i = 0; i < auto_grid->grid->columns; i++) {
        const struct auto_column *column = &auto_grid->columns[i];
        if (column->is_price) continue;
        bool is_time = column->role == AUTO_PERIOD || (column->role == AUTO_NONE && column->clocks * 2 > column->filled);
        auto_grid->has_duration |= is_time && column->units == 0 && column->clocks + column->numbers > 0;
        bool is_nearer = best > 0 && column->skus == best && column->exacts > auto_grid->columns[auto_grid->label_column].exacts;
        if (column->skus > best || is_nearer) {
            best = column->skus;
            auto_grid->label_column = i;
        }
        /* "Threads per GPU" counts threads. */
        bool may_count = (column->role == AUTO_LABEL || column->heading_has_sku) && column->skus == 0 &&
                         !auto_has_words(auto_grid->page, column->heading, "per gpu|/gpu|per card|每卡|单卡");
        bool is_count = column->counts > 0 && column->counts * 2 > column->filled && column->role != AUTO_STOCK &&
                        (column->role == AUTO_CARDS || column->explicit_counts == column->filled || may_count);
        if (is_count && auto_grid->cards_column == SIZE_MAX) auto_grid->cards_column = i;
        counts_nodes |= auto_has_words(auto_grid->page, column->heading, "nodes|node count|number of nodes|节点数");
        if (column->role == AUTO_PLAN && auto_grid->plan_column == SIZE_MAX) auto_grid->plan_column = i;
        if (column->role == AUTO_UNIT && auto_grid->unit_column == SIZE_MAX) auto_grid->unit_column = i;
    }
    /* A partition of a cluster: how many nodes of how many cards there are, and what its unit costs. */
    if (counts_nodes && auto_grid->unit_column != SIZE_MAX) auto_grid->cards_column = SIZE_MAX;
}

/* True when the cells of column `memory` are the memory that the cards of the label column have, or the parts of them. */
static bool fits_cards(struct auto_grid *auto_grid, size_t memory)
{
    size_t fits = 0, seen = 0;
    for (size_t row = 0; row < auto_grid->grid->rows && seen < SAMPLE_ROWS; row++) {
        struct gt_str label = grid_text(auto_grid->grid, row, auto_grid->label_column);
        int32_t gb = spec_gb_read(grid_text(auto_grid->grid, row, memory));
        if (!is_data(auto_grid->grid, row) || gb <= 0) continue;
        seen++;
        struct sku_match match = sku_resolve(label, gb, NULL, 0);
        int32_t own = match.status == SKU_EXACT ? match.node->vram_gb : 0;
        fits += match.slice_den > 0 || (gb * 100 >= own * 93 && gb * 100 <= own * 107);
    }
    return seen > 1 && fits == seen;
}

/* "Memory" beside cards is theirs where no other column says so, and where it fits all of them. */
static void judge_memory(struct auto_grid *auto_grid)
{
    size_t memory = SIZE_MAX;
    for (size_t i = 0; i < auto_grid->grid->columns; i++) {
        if (auto_grid->columns[i].role == AUTO_VRAM) return;
        if (auto_grid->columns[i].role == AUTO_RAM && !auto_grid->columns[i].is_price)
            memory = memory == SIZE_MAX ? i : auto_grid->grid->columns;
    }
    if (auto_grid->label_column == SIZE_MAX || memory >= auto_grid->grid->columns) return;
    if (fits_cards(auto_grid, memory)) auto_grid->columns[memory].role = AUTO_VRAM;
}

bool auto_columns_read(struct auto_grid *auto_grid)
{
    size_t prices = 0;
    for (size_t i = 0; i < auto_grid->grid->columns; i++) {
        judge_column(auto_grid, i);
        prices += auto_grid->columns[i].is_price;
    }
    drop_weak_prices(auto_grid, prices);
    if (prices == 0) prices += judge_by_surroundings(auto_grid);
    for (size_t row = 0; row < auto_grid->grid->rows; row++) auto_grid->data_rows += is_data(auto_grid->grid, row);
    choose_columns(auto_grid);
    judge_memory(auto_grid);
    return prices > 0 && auto_costs_drop(auto_grid) > 0;
}

/* A table of prices alone, with what it is called in front: by its heading, by the one above. */
static struct grid *with_name(struct auto_page *page, struct grid *grid, const struct auto_around *around)
{
    struct gt_str names[] = {around->caption, around->heading, grid_text(grid, 0, 0)}, name = {NULL, 0};
    for (size_t i = 0; i < sizeof names / sizeof names[0] && name.len == 0; i++) {
        struct auto_cell cell = auto_cell_read(page, names[i]);
        if (cell.has_sku || cell.is_generic) name = cell.text;
    }
    struct gt_str *texts = name.len > 0 ? arena_array(page->arena, grid->rows * 2, sizeof *texts) : NULL;
    for (size_t row = 0; texts != NULL && row < grid->rows; row++) {
        texts[row * 2] = row == 0 ? GT_STR("GPU") : name;
        texts[row * 2 + 1] = grid_text(grid, row, 0);
    }
    struct grid *named = texts != NULL ? grid_from_texts(texts, grid->rows, 2, page->arena) : NULL;
    if (named != NULL) grid_set_header(named, 0);
    return named;
}

/* Below "GPU licenses" stands what software costs on a card. */
static bool is_of_licences(struct auto_page *page, const struct auto_around *around)
{
    static const char LICENCES[] = "license|licence|licensing|lizenzen|licencias|licenças|许可证|授权费", INCLUDED[] = "with|incl|included|including|inkl";
    const struct gt_str titles[] = {around->caption, around->heading};
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++) {
        if (auto_has_words(page, titles[i], LICENCES) && !auto_has_words(page, titles[i], INCLUDED)) return true;
    }
    return false;
}

size_t auto_grid_read(struct auto_page *page, struct grid *grid, const struct auto_around *around, const char *shape)
{
    size_t offers = 0;
    const struct grid_cell *top = grid->columns == 1 && grid->rows > 1 ? grid_at(grid, 0, 0) : NULL;
    if (top != NULL && (top->is_heading || grid->kinds[0] == GRID_HEADER)) grid = with_name(page, grid, around);
    if (grid == NULL || grid->columns < 2 || grid->rows < 1 || is_of_licences(page, around)) return 0;
    struct grid *turned = auto_pairs_turn(page, grid, around);
    if (turned != NULL) grid = turned;
    else if (lies_on_its_side(page, grid)) {
        grid = grid_transpose(grid);
        if (grid == NULL) return 0;
        grid_set_header(grid, 0);
    } else {
        set_headers(page, grid);
    }
    if (grid->columns > AUTO_COLUMNS_MAX) return 0;
    struct auto_grid *auto_grid = calloc(1, sizeof *auto_grid);
    if (auto_grid == NULL) {
        page->err = gt_fail(page->info, GT_ENOMEM, "no memory for a table");
        return 0;
    }
    struct auto_around titled = *around;
    if (titled.caption.len == 0 && first_row(grid) > 0) titled.caption = grid_text(grid, 0, 0);
    *auto_grid = (struct auto_grid){.page = page, .grid = grid, .around = &titled, .shape = shape, .section = SIZE_MAX};
    if (auto_columns_read(auto_grid)) offers = auto_rows_read(auto_grid);
    free(auto_grid);
    return offers;
}
