#include "reports/market_table.h"

#include "common/civil.h"
#include "reports/name.h"
#include "reports/table.h"

/* What both tables say of a spread, from their column `at` on. */
enum { SPREAD_CELLS = 7 };

static void fill_spread(struct cell *cells, const struct spread *spread)
{
    const int64_t figures[] = {spread->min_nano, spread->p10_nano, spread->p25_nano, spread->median_nano, spread->p75_nano};
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) cells[i] = cell_money(figures[i]);
    cells[SPREAD_CELLS - 2] = cell_number(CELL_COUNT, (int64_t)spread->offers);
    cells[SPREAD_CELLS - 1] = cell_number(CELL_COUNT, spread->cards);
}

/* ---- for programs ---- */

enum data_column { D_SITE, D_CLASS, D_CURRENCY, D_FIRST, D_LAST, D_RUNS, D_SPREAD, DATA_COLUMNS = D_SPREAD + SPREAD_CELLS };

static const struct column_def data_columns[DATA_COLUMNS] = {
    {.key = "site"}, {.key = "class"}, {.key = "currency"}, {.key = "first"}, {.key = "last"}, {.key = "runs"}, {.key = "min"},
    {.key = "p10"},  {.key = "p25"},   {.key = "median"},   {.key = "p75"},   {.key = "offers"}, {.key = "cards"}};

void market_data_write(const struct market_history *market, const struct frame *frame)
{
    struct column columns[DATA_COLUMNS];
    table_columns(data_columns, DATA_COLUMNS, frame->input->lang, columns);
    sink_table_begin(frame->writer, "markets", GT_STR(""), columns, DATA_COLUMNS);
    for (size_t i = 0; i < market->count; i++) {
        const struct market_row *row = &market->rows[i];
        struct cell cells[DATA_COLUMNS] = {[D_SITE] = cell_text(row->site),
                                           [D_CLASS] = cell_text(row->class),
                                           [D_CURRENCY] = cell_words(row->currency.code),
                                           [D_FIRST] = cell_moment(CELL_TIME, row->first_unix_s),
                                           [D_LAST] = cell_moment(CELL_TIME, row->last_unix_s),
                                           [D_RUNS] = cell_number(CELL_COUNT, row->runs)};
        fill_spread(cells + D_SPREAD, &row->spread);
        sink_row(frame->writer, cells);
    }
    sink_table_end(frame->writer);
}

/* ---- for people ---- */

enum shown_column { S_FIRST, S_LAST, S_SPREAD, SHOWN_COLUMNS = S_SPREAD + SPREAD_CELLS };

static const struct column_def shown_columns[SHOWN_COLUMNS] = {
    {"first", LABEL_FROM_DAY, COLUMN_KEEP, 0},
    {"last", LABEL_TO_DAY, COLUMN_KEEP, 0},
    {"min", LABEL_SPREAD_MIN, COLUMN_RIGHT, 4},
    {"p10", LABEL_SPREAD_P10, COLUMN_RIGHT, 4},
    {"p25", LABEL_SPREAD_P25, COLUMN_RIGHT | COLUMN_KEEP, 4},
    {"median", LABEL_MEDIAN, COLUMN_RIGHT | COLUMN_KEEP, 4},
    {"p75", LABEL_SPREAD_P75, COLUMN_RIGHT, 4},
    {"offers", LABEL_SPREAD_OFFERS, COLUMN_RIGHT, 0},
    {"cards", LABEL_SPREAD_CARDS, COLUMN_RIGHT, 0},
};

static int64_t day_of(int64_t t_unix_s, const struct frame *frame)
{
    return (t_unix_s + frame->input->zone_offset_s) / CIVIL_DAY_S;
}

/* Fewer have no spread worth a table: their own spans say it all. */
static bool is_shown(const struct market_row *rows, size_t count)
{
    enum { OFFERS_MIN = 3 };
    bool is_many = false;
    for (size_t i = 0; i < count; i++) is_many = is_many || rows[i].spread.offers >= OFFERS_MIN;
    return is_many;
}

/* The rows of one marketplace in one class. */
static enum gt_err write_site(const struct market_row *rows, size_t count, const struct frame *frame)
{
    enum gt_lang lang = frame->input->lang;
    struct gt_str name = name_site_title(rows[0].site_title, rows[0].site, lang);
    struct table table;
    sink_heading(frame->writer, 2, phrase(frame->arena, lang, LABEL_MARKET_SPREAD, &name, 1));
    table_init(&table, frame->arena, lang, shown_columns, SHOWN_COLUMNS);
    for (size_t i = 0; i < count; i++) {
        if (i + 1 < count && day_of(rows[i + 1].first_unix_s, frame) == day_of(rows[i].first_unix_s, frame)) continue;
        struct cell *cells = table_row(&table);
        cells[S_FIRST] = cell_moment(CELL_DAY, rows[i].first_unix_s);
        cells[S_LAST] = cell_moment(CELL_DAY, rows[i].last_unix_s);
        fill_spread(cells + S_SPREAD, &rows[i].spread);
    }
    return table_write(&table, frame->writer, "markets", GT_STR(""));
}

enum gt_err market_table_write(const struct market_history *market, struct gt_str class, const struct currency *currency, const struct frame *frame)
{
    enum gt_err err = GT_OK;
    for (size_t i = 0, end; i < market->count && err == GT_OK; i = end) {
        const struct market_row *row = &market->rows[i];
        for (end = i + 1; end < market->count && gt_str_eq(market->rows[end].site, row->site) && gt_str_eq(market->rows[end].class, row->class) &&
                          currency_eq(market->rows[end].currency, row->currency);)
            end++;
        bool is_asked = gt_str_eq(row->class, class) && currency_eq(row->currency, *currency);
        if (is_asked && is_shown(row, end - i)) err = write_site(row, end - i, frame);
    }
    return err;
}
