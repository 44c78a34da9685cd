/* Columns of money that others beside them tell to be no rent of a card: what it costs to run it, what it cost its owner, a machine without
 * its card, the bill of so many hours, what the prices of several sellers come to. */
#include "parsers/auto_grid.h"

enum {
    COSTS_ROWS_MAX = 40,
    DAY_HOURS = 24,       /* "24 h": round the clock */
    MONTH_HOURS_MIN = 700, /* as many or more are a whole month: what it costs is a month's price */
    HOURS_DIGITS_MAX = 4,
    GUESS_MAX = 60, /* bytes of a name that may say that it is none: longer ones are prose */
};

static const char HOUR_WORDS[] = "h|hr|hour|horas|hora|heures|stunden|std|小时";
static const char MONTH_WORDS[] = "month|monthly|mo|mes|mês|mois|monat|mensal|mensual|mensuel|monatlich|月";

/* What is reckoned from several prices. */
static const char STATISTICS[] = "minimum|maximum|cost max|max cost|hourly max|max hourly|avg|average|mean|"
                                 "median|percentile|stddev|p5|p10|p25|p50|p75|p90|p95|p99";

static bool is_headed(struct auto_grid *auto_grid, size_t column, const char *words)
{
    return auto_has_words(auto_grid->page, auto_grid->columns[column].heading, words);
}

/* A table of watts on a page that speaks of electricity: what it costs is to run the card, not to rent it. */
static void drop_running_costs(struct auto_grid *auto_grid)
{
    bool has_watts = false;
    for (size_t i = 0; i < auto_grid->grid->columns && auto_grid->page->evidence.speaks_of_energy; i++)
        has_watts |= is_headed(auto_grid, i, "tdp|watt|power|kwh|功耗|电费|用电");
    for (size_t i = 0; i < auto_grid->grid->columns && has_watts; i++) {
        bool is_cost = is_headed(auto_grid, i, "cost|running|费用|成本") && !is_headed(auto_grid, i, "price|rent|rental|价|租");
        if (is_cost) auto_grid->columns[i].is_price = false;
    }
}

/* In how many of the first rows both columns hold an amount for the same time; *ret_less: in how many of them the first is less. */
static size_t compare_columns(struct auto_grid *auto_grid, size_t one, size_t other, size_t *ret_less)
{
    size_t both = 0;
    *ret_less = 0;
    for (size_t row = 0; row < auto_grid->grid->rows && both < COSTS_ROWS_MAX; row++) {
        struct auto_price a, b;
        if (auto_grid->grid->kinds[row] != GRID_DATA || !auto_grid_price(auto_grid, row, one, GT_STR(""), &a) ||
            !auto_grid_price(auto_grid, row, other, GT_STR(""), &b))
            continue;
        const struct quote *x = &a.first.quote, *y = &b.first.quote;
        bool is_alike = !a.has_period || !b.has_period || x->period == y->period;
        if (!is_alike || strcmp(x->currency.code, y->currency.code) != 0) continue;
        both++;
        *ret_less += x->amount_nano < y->amount_nano;
    }
    arena_clear(auto_grid->page->scratch);
    return both;
}

/* "Our cost/h" beside "Price/h": what always costs less than it is sold for is what its owner pays. */
static bool is_own_cost(struct auto_grid *auto_grid, size_t cost, size_t price)
{
    size_t less;
    bool is_cost = is_headed(auto_grid, cost, "cost|成本|custo|costo|coste|coût|kosten|selbstkosten") &&
                   !is_headed(auto_grid, cost, "price|rent|rental|low|lowest|spot|reserved|discount|commitment|you|your|价格|售");
    if (!is_cost || is_headed(auto_grid, price, "cost|成本价") ||
        !is_headed(auto_grid, price, "price|sell|selling|market|preço|preco|precio|prix|preis|prezzo|售价|价格|单价|定价"))
        return false;
    size_t both = compare_columns(auto_grid, cost, price, &less);
    return both > 0 && less == both;
}

/* "Instance $/h" beside "GPU $/h": a machine that costs less than the card in it is priced without it. */
static bool is_bare_machine(struct auto_grid *auto_grid, size_t machine, size_t card)
{
    const struct gt_str heading = auto_grid->columns[machine].heading, other = auto_grid->columns[card].heading;
    static const char MACHINES[] = "vm|host|base|compute|cpu|vcpu|ram";
    size_t less;
    bool is_of_machine = (auto_has_role(auto_grid->page, heading, AUTO_INSTANCE) || auto_has_words(auto_grid->page, heading, MACHINES)) &&
                         !auto_has_role(auto_grid->page, heading, AUTO_LABEL);
    bool is_of_card = auto_has_role(auto_grid->page, other, AUTO_LABEL) && !auto_has_role(auto_grid->page, other, AUTO_INSTANCE);
    if (!is_of_machine || !is_of_card) return false;
    (void)compare_columns(auto_grid, machine, card, &less);
    return less > 0;
}

/* Drops the columns of money that another one shows to be no rent. */
static void drop_beside(struct auto_grid *auto_grid)
{
    bool is_dropped[AUTO_COLUMNS_MAX] = {false};
    for (size_t i = 0; i < auto_grid->grid->columns; i++) {
        for (size_t j = 0; j < auto_grid->grid->columns && auto_grid->columns[i].is_price && !is_dropped[i]; j++) {
            if (i == j || !auto_grid->columns[j].is_price) continue;
            is_dropped[i] = is_own_cost(auto_grid, i, j) || is_bare_machine(auto_grid, i, j);
        }
    }
    for (size_t i = 0; i < auto_grid->grid->columns; i++) auto_grid->columns[i].is_price &= !is_dropped[i];
}

int32_t auto_hours_in(struct auto_page *page, struct gt_str text)
{
    for (size_t at = 0; at < text.len; at++) {
        size_t digits = 0;
        int32_t hours = 0;
        bool is_inner = at > 0 && gt_char_is_in(text.ptr[at - 1], "0123456789.,");
        while (digits < HOURS_DIGITS_MAX && at + digits < text.len && text.ptr[at + digits] >= '0' && text.ptr[at + digits] <= '9')
            hours = hours * 10 + (text.ptr[at + digits++] - '0');
        struct gt_str unit = gt_str_trim(gt_str_slice(text, at + digits, SIZE_MAX));
        size_t len = 0;
        while (len < unit.len && !gt_char_is_in(unit.ptr[len], " /,.()")) len++;
        if (digits > 0 && !is_inner && auto_has_words(page, gt_str_slice(unit, 0, len), HOUR_WORDS)) return hours;
        at += digits;
    }
    return 0;
}

/* A part of a month. */
static bool is_part_of_month(int32_t hours)
{
    return hours > 0 && hours != DAY_HOURS && hours < MONTH_HOURS_MIN;
}

/* True when the column's cells are hours of use in a month. */
static bool counts_use(struct auto_grid *auto_grid, size_t column)
{
    const struct auto_column *of = &auto_grid->columns[column];
    if (of->is_price || of->numbers == 0 || of->numbers < of->filled || !is_headed(auto_grid, column, HOUR_WORDS) ||
        !is_headed(auto_grid, column, MONTH_WORDS))
        return false;
    for (size_t row = 0; row < auto_grid->grid->rows && row < COSTS_ROWS_MAX; row++) {
        struct gt_str cell = auto_grid_cell(auto_grid, row, column);
        struct gt_str text = arena_printf(auto_grid->page->arena, "%.*s h", GT_STR_ARG(cell));
        bool is_read = auto_grid->grid->kinds[row] == GRID_DATA && cell.len > 0 && text.ptr != NULL;
        if (is_read && !is_part_of_month(auto_hours_in(auto_grid->page, text))) return false;
    }
    return true;
}

/* What so many hours of use a month come to is a bill, not the price of a month. */
static void drop_bills(struct auto_grid *auto_grid)
{
    struct auto_page *page = auto_grid->page;
    const struct gt_str above[] = {auto_grid->around->caption, auto_grid->around->heading};
    bool is_bill = false;
    for (size_t i = 0; i < sizeof above / sizeof above[0]; i++)
        is_bill |= auto_has_words(page, above[i], MONTH_WORDS) && is_part_of_month(auto_hours_in(page, above[i]));
    for (size_t i = 0; i < auto_grid->grid->columns && !is_bill; i++) is_bill = counts_use(auto_grid, i);
    for (size_t i = 0; i < auto_grid->grid->columns && is_bill; i++) {
        if (is_headed(auto_grid, i, MONTH_WORDS)) auto_grid->columns[i].is_price = false;
    }
}

/* The median of what others ask is nobody's price where one is told beside it. */
static void drop_statistics(struct auto_grid *auto_grid)
{
    bool is_statistic[AUTO_COLUMNS_MAX] = {false}, has_price = false;
    for (size_t i = 0; i < auto_grid->grid->columns; i++) {
        const struct auto_column *column = &auto_grid->columns[i];
        is_statistic[i] = column->priced == 0 && is_headed(auto_grid, i, STATISTICS);
        has_price |= column->is_price && !is_statistic[i];
    }
    for (size_t i = 0; i < auto_grid->grid->columns && has_price; i++) {
        auto_grid->columns[i].is_price &= !is_statistic[i];
        if (is_statistic[i]) auto_grid->columns[i].role = AUTO_EXCLUDED; /* nor a word of how the row is paid */
    }
}

size_t auto_costs_drop(struct auto_grid *auto_grid)
{
    size_t left = 0;
    drop_statistics(auto_grid);
    drop_running_costs(auto_grid);
    drop_beside(auto_grid);
    drop_bills(auto_grid);
    for (size_t i = 0; i < auto_grid->grid->columns; i++) left += auto_grid->columns[i].is_price;
    return left;
}

bool auto_row_is_nobodys(struct auto_grid *auto_grid, size_t row)
{
    static const char GUESSES[] = "average|avg|median|(est|est.|estimate|estimated|projection|projected|forecast|rumor|rumour|rumored|"
                                  "平均|均价|中位|预估|预测|传闻";
    bool is_guess = false;
    for (size_t i = 0; i < auto_grid->grid->columns && !is_guess; i++) {
        const struct auto_column *column = &auto_grid->columns[i];
        struct gt_str cell = auto_grid_cell(auto_grid, row, i);
        bool is_name = column->role == AUTO_PROVIDER || column->role == AUTO_LABEL || column->role == AUTO_INSTANCE ||
                       is_headed(auto_grid, i, "source|来源");
        is_guess = is_name && !column->is_price && cell.len <= GUESS_MAX && auto_has_words(auto_grid->page, cell, GUESSES);
    }
    return is_guess;
}
