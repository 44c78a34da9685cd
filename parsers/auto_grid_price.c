/* The price cells of a grid's rows. */
#include "parsers/auto_grid.h"

enum { ROWS_LOOKED_AT = 8 };

/* Units of what is made on a card: a row that is charged by them rents none. */
static const char USES[] = "token|image|audio|video|song|request|character|megapixel|user|seat|kwh";

struct gt_str auto_grid_cell(const struct auto_grid *auto_grid, size_t row, size_t column)
{
    return column == SIZE_MAX ? GT_STR("") : gt_str_trim(grid_text(auto_grid->grid, row, column));
}

/* A heading with the row's own words behind it: its unit, or how it is paid. */
static struct gt_str with_words(struct auto_grid *auto_grid, struct gt_str heading, struct gt_str words)
{
    if (words.len == 0) return heading;
    struct gt_str both =
        heading.len == 0 ? words : arena_printf(auto_grid->page->arena, "%.*s | %.*s", GT_STR_ARG(heading), GT_STR_ARG(words));
    return both.ptr != NULL ? both : heading;
}

/* "POSTPAID_BY_HOUR" as words. */
static struct gt_str spaced(struct auto_grid *auto_grid, struct gt_str text)
{
    struct gt_str copy = arena_dup(auto_grid->page->arena, text);
    char *bytes = (char *)(uintptr_t)copy.ptr; /* the arena's, ours */
    for (size_t i = 0; i < copy.len; i++) {
        if (bytes[i] == '_') bytes[i] = ' ';
    }
    return copy.ptr != NULL ? copy : text;
}

/* A heading without what its brackets say of the machine: "Rent (4 or 8 cores)" is about rent. */
static struct gt_str without_aside(struct auto_grid *auto_grid, struct gt_str heading)
{
    bool is_wide = gt_str_find(heading, GT_STR("（"), 0) != SIZE_MAX;
    size_t open = gt_str_find(heading, is_wide ? GT_STR("（") : GT_STR("("), 0);
    size_t close = open == SIZE_MAX ? SIZE_MAX : gt_str_find(heading, is_wide ? GT_STR("）") : GT_STR(")"), open);
    if (close == SIZE_MAX) return heading;
    struct gt_str aside = gt_str_slice(heading, open, close - open);
    if (auto_has_role(auto_grid->page, aside, AUTO_PRICE)) return heading;
    struct gt_str rest = arena_printf(auto_grid->page->arena, "%.*s%.*s", (int)open, heading.ptr,
                                      GT_STR_ARG(gt_str_slice(heading, close + (is_wide ? 3 : 1), SIZE_MAX)));
    return rest.ptr != NULL ? rest : heading;
}

/* Reads a row's price cell, or a part of its text. */
static bool read_text(struct auto_grid *auto_grid, size_t row, size_t column, struct gt_str label, struct gt_str text,
                      struct auto_price *ret)
{
    const struct auto_column *of = &auto_grid->columns[column];
    if (!of->is_price || auto_has_words(auto_grid->page, auto_grid_cell(auto_grid, row, auto_grid->unit_column), USES)) return false;
    struct gt_str heading = grid_heading(auto_grid->grid, row, column),
                  unit = auto_grid_cell(auto_grid, row, auto_grid->unit_column);
    const struct auto_around by_row = {
        with_words(auto_grid, heading, unit),
        with_words(auto_grid, heading, spaced(auto_grid, auto_grid_cell(auto_grid, row, auto_grid->plan_column))), unit};
    bool is_read = auto_price_read(auto_grid->page, text, by_row.caption, label, auto_grid->around, of->takes_bare, ret);
    /* A heading's unit may contradict the row's ("€ / CPU-hour" over "GPU-hour"): then the row's counts. */
    if (!is_read && unit.len > 0)
        is_read = auto_price_read(auto_grid->page, text, unit, label, auto_grid->around, of->takes_bare, ret);
    if (!is_read)
        is_read = auto_price_read(auto_grid->page, text, without_aside(auto_grid, heading), label, auto_grid->around,
                                  of->takes_bare, ret);
    struct auto_price again;
    if (is_read && !ret->has_period && by_row.heading.len > heading.len &&
        auto_price_read(auto_grid->page, text, by_row.heading, label, auto_grid->around, of->takes_bare, &again))
        *ret = again;
    if (!is_read || ret->is_zero) return false;
    if (of->role == AUTO_DISCOUNT) ret->name = GT_STR("price.sale");
    return true;
}

/* By its words, by a heading that is nothing but "1 Hour", or for no time that is told: whether an hour can cost that much is judged later. */
static bool may_be_hourly(const struct auto_price *price)
{
    bool is_untold = !price->has_period && gt_str_is(price->name, "price");
    return price->first.quote.period == PERIOD_HOUR || gt_str_is(price->name, "price.hour") || is_untold;
}

/* The column before this one whose price in that row is by the hour, or names no time at all, and is no less than this column's amount;
 * SIZE_MAX when there is none. */
static size_t hour_beside(struct auto_grid *auto_grid, size_t row, size_t column, const struct quote *amount)
{
    for (size_t i = 0; i < column; i++) {
        struct auto_price hour;
        if (!read_text(auto_grid, row, i, GT_STR(""), auto_grid_cell(auto_grid, row, i), &hour)) continue;
        const struct quote *quote = &hour.first.quote;
        bool is_same_money = strcmp(quote->currency.code, amount->currency.code) == 0;
        if (is_same_money && may_be_hourly(&hour) && amount->amount_nano <= quote->amount_nano) return i;
    }
    return SIZE_MAX;
}

/* Likewise, by the first rows of the grid that have such a price: where one of them has no hour of its own, it is paid as the others
 * are. Looked for once. */
static size_t hour_of_column(struct auto_grid *auto_grid, size_t column)
{
    struct auto_column *of = &auto_grid->columns[column];
    if (of->knows_hour) return of->hour_column;
    of->knows_hour = true;
    of->hour_column = SIZE_MAX;
    for (size_t row = 0, seen = 0; row < auto_grid->grid->rows && seen < ROWS_LOOKED_AT && of->hour_column == SIZE_MAX; row++) {
        struct auto_price price;
        struct gt_str cell = auto_grid_cell(auto_grid, row, column);
        if (auto_grid->grid->kinds[row] != GRID_DATA || !read_text(auto_grid, row, column, GT_STR(""), cell, &price)) continue;
        of->hour_column = hour_beside(auto_grid, row, column, &price.first.quote);
        seen++;
    }
    return of->hour_column;
}

/* A week does not cost less than an hour. Where a column that is headed by a term ("1+ weeks") holds less than the same row's price by
 * the hour, the term is how long one has to stay, and the amount is by the hour as well. */
static void read_as_hour(struct auto_grid *auto_grid, size_t row, size_t column, struct auto_price *price)
{
    static const char TERMS[] = "day|week|month|year|mo|yr|commitment|reserved|term|天|日|周|月|年";
    const struct auto_around nothing = {GT_STR(""), GT_STR(""), GT_STR("")};
    struct auto_price bare, again;
    enum period period = price->first.quote.period;
    if (column == 0 || period == PERIOD_HOUR || period == PERIOD_MINUTE || period == PERIOD_SECOND ||
        !auto_has_words(auto_grid->page, grid_heading(auto_grid->grid, row, column), TERMS) ||
        (auto_price_read(auto_grid->page, price->text, GT_STR(""), GT_STR(""), &nothing, true, &bare) && bare.has_period))
        return;
    size_t hour = hour_beside(auto_grid, row, column, &price->first.quote);
    if (hour == SIZE_MAX) hour = hour_of_column(auto_grid, column);
    if (hour == SIZE_MAX) return;
    struct gt_str rate = grid_heading(auto_grid->grid, row, hour), term = grid_heading(auto_grid->grid, row, column);
    /* How long one has to stay goes along where its words tell it. */
    const struct gt_str headings[] = {arena_printf(auto_grid->page->arena, "%.*s | %.*s commitment", GT_STR_ARG(rate), GT_STR_ARG(term)), rate};
    for (size_t i = 0; i < sizeof headings / sizeof headings[0]; i++) {
        bool is_read = headings[i].ptr != NULL && auto_price_read(auto_grid->page, price->text, headings[i], GT_STR(""), auto_grid->around,
                                                                  auto_grid->columns[column].takes_bare, &again);
        if (!is_read || !may_be_hourly(&again) || (i == 0 && again.first.quote.months == 0)) continue;
        *price = again;
        return;
    }
}

/* How many times the same row's price of a month goes into an amount; -1 when the row has none. */
static int64_t months_in(struct auto_grid *auto_grid, size_t row, size_t column, const struct quote *amount)
{
    for (size_t i = 0; i < auto_grid->grid->columns; i++) {
        struct auto_price month;
        if (i == column || !read_text(auto_grid, row, i, GT_STR(""), auto_grid_cell(auto_grid, row, i), &month)) continue;
        const struct quote *quote = &month.first.quote;
        bool is_month = quote->period == PERIOD_MONTH || gt_str_is(month.name, "price.month");
        if (is_month && quote->amount_nano > 0 && strcmp(quote->currency.code, amount->currency.code) == 0)
            return amount->amount_nano / quote->amount_nano;
    }
    return -1;
}

/* Below "Half-year" stands what half a year costs where it is half a year's worth of the same row's month; it may also be a month's price
 * for those who stay that long, which nothing tells. */
static bool read_half_year(struct auto_grid *auto_grid, size_t row, size_t column, struct gt_str label, struct auto_price *ret)
{
    enum { MONTHS_MIN = 3, MONTHS_MAX = 6 };
    if (!auto_price_read(auto_grid->page, auto_grid_cell(auto_grid, row, column), GT_STR("per 6 months"), label, auto_grid->around, true, ret))
        return false;
    int64_t months = months_in(auto_grid, row, column, &ret->first.quote);
    return months >= MONTHS_MIN && months <= MONTHS_MAX;
}

bool auto_grid_price(struct auto_grid *auto_grid, size_t row, size_t column, struct gt_str label, struct auto_price *ret)
{
    static const char HALVES[] = "half-year|half year|half yearly|half-yearly|6 months|6-month|six months|semi-annual|semiannual|半年|6个月|六个月";
    bool is_read = read_text(auto_grid, row, column, label, auto_grid_cell(auto_grid, row, column), ret);
    if (is_read) read_as_hour(auto_grid, row, column, ret);
    bool is_year = is_read && (ret->first.quote.period == PERIOD_YEAR || gt_str_is(ret->name, "price.year"));
    if (!auto_grid->columns[column].is_price || (is_read && ret->has_period && !is_year)) return is_read;
    bool is_half = auto_has_words(auto_grid->page, grid_heading(auto_grid->grid, row, column), HALVES);
    struct auto_price half;
    if (is_half && read_half_year(auto_grid, row, column, label, &half)) {
        *ret = half;
        return true;
    }
    /* A year does not cost less than a month: below "Year" stands a month's price then, for those who stay. */
    return is_read && !(is_year && is_half) && !(is_year && months_in(auto_grid, row, column, &ret->first.quote) == 0);
}

/* "$129 $90.30 /mo": the unit behind the new price is the old one's too. */
static void carry_period(struct auto_grid *auto_grid, const struct auto_price *from, struct auto_price *to)
{
    static const struct {
        enum period period;
        struct gt_str words;
    } UNITS[] = {{PERIOD_HOUR, {"per hour", 8}},
                 {PERIOD_DAY, {"per day", 7}},
                 {PERIOD_MONTH, {"per month", 9}},
                 {PERIOD_YEAR, {"per year", 8}}};
    const struct auto_around nothing = {GT_STR(""), GT_STR(""), GT_STR("")};
    for (size_t i = 0; i < sizeof UNITS / sizeof UNITS[0] && !to->has_period; i++) {
        struct auto_price again;
        if (from->first.quote.period != UNITS[i].period) continue;
        if (auto_price_read(auto_grid->page, to->text, UNITS[i].words, GT_STR(""), &nothing, true, &again)) *to = again;
    }
}

/* A cell with a struck-out price beside the new one: makes two prices of it, the old one first. 0 when it is none. */
static size_t read_struck(struct auto_grid *auto_grid, size_t row, size_t column, struct gt_str label, struct auto_price *prices)
{
    const struct grid_cell *cell = grid_at(auto_grid->grid, row, column);
    if (cell == NULL) return 0;
    struct gt_str text = auto_grid_cell(auto_grid, row, column);
    struct gt_str old = cell->struck.len > 0 ? cell->struck : auto_struck_text(auto_grid->page, cell->node);
    size_t at = old.len > 0 ? gt_str_find(text, old, 0) : SIZE_MAX;
    if (at == SIZE_MAX || old.len == text.len) return 0;
    struct gt_str rest = arena_printf(auto_grid->page->arena, "%.*s %.*s", (int)at, text.ptr,
                                      GT_STR_ARG(gt_str_slice(text, at + old.len, SIZE_MAX)));
    struct auto_price both[2];
    if (rest.ptr == NULL || !read_text(auto_grid, row, column, label, old, &both[0]) ||
        !read_text(auto_grid, row, column, label, rest, &both[1]))
        return 0;
    carry_period(auto_grid, &both[1], &both[0]);
    both[0].name = GT_STR("price.list");
    both[1].name = GT_STR("price.sale");
    memcpy(prices, both, sizeof both);
    return 2;
}

size_t auto_grid_several(struct auto_grid *auto_grid, size_t row, size_t column, struct gt_str label, struct auto_price *prices)
{
    const struct auto_column *of = &auto_grid->columns[column];
    if (!of->is_price) return 0;
    size_t count = read_struck(auto_grid, row, column, label, prices);
    if (count > 0) return count;
    return auto_dual_read(auto_grid->page, auto_grid_cell(auto_grid, row, column), grid_heading(auto_grid->grid, row, column),
                          label, of->takes_bare, prices);
}
