/* What is rented today against the market: the classes that could stand in its place, each by itself. */
#include <stdlib.h>

#include "common/civil.h"
#include "reports/figure.h"
#include "reports/name.h"
#include "reports/offer_cells.h"
#include "reports/weekly_write.h"

/* ---- reckoning ---- */

/* The cheapest by the month of the class's usable offers that the holding asks for; NULL when there is none. */
static const struct board_entry *low_of(const struct weekly_class *class, const struct holding *holding,
                                        const struct board_view *view, struct arena *scratch)
{
    const struct board_entry *low = NULL;
    if (!currency_eq(class->entries[0].net.currency, holding->currency)) return NULL;
    for (size_t i = 0; i < class->count && class->entries[i].marks == 0; i++) {
        const struct board_entry *entry = &class->entries[i];
        int64_t month_nano = entry->net.month_net_nano;
        if (month_nano <= 0 || (low != NULL && low->net.month_net_nano <= month_nano)) continue;
        arena_clear(scratch);
        if (board_row_matches(entry->row, view, scratch)) low = entry;
    }
    return low;
}

/* A sum that does not fit is not known. */
static void compare(struct weekly_holding *row)
{
    int64_t low_nano = row->low->net.month_net_nano, paid_nano = row->holding->month_nano;
    row->is_known = !__builtin_mul_overflow(paid_nano - low_nano, row->holding->cards, &row->difference_nano) &&
                    figure_percent(low_nano, paid_nano, &row->percent_nano);
}

/* Days of the report's calendar. */
static int64_t days_between(int64_t from_unix_s, int64_t to_unix_s, int32_t zone_offset_s)
{
    return (to_unix_s + zone_offset_s) / CIVIL_DAY_S - (from_unix_s + zone_offset_s) / CIVIL_DAY_S;
}

/* By the holding (they come by name), then the cheapest class. */
static int row_order(const void *left, const void *right)
{
    const struct weekly_holding *a = left, *b = right;
    if (a->holding != b->holding) return a->holding < b->holding ? -1 : 1;
    int64_t x = a->low->net.month_net_nano, y = b->low->net.month_net_nano;
    if (x != y) return x < y ? -1 : 1;
    return (a->low > b->low) - (a->low < b->low);
}

enum gt_err weekly_holdings_compute(struct weekly *weekly, const struct report_input *input, struct arena *arena)
{
    struct arena *scratch = arena_new(REPORT_BYTES_MAX);
    enum gt_err err = scratch != NULL ? GT_OK : GT_ENOMEM;
    size_t cap = 0;
    weekly->holdings = NULL;
    weekly->holding_count = 0;
    for (size_t i = 0; i < input->holding_count && err == GT_OK; i++) {
        const struct holding *holding = &input->holdings[i];
        struct board_view view = {.query = holding->query, .persona = persona_default()};
        struct weekly_holding row = {.holding = holding};
        size_t first = weekly->holding_count;
        if (holding->until_unix_s != 0)
            row.days_left = days_between(weekly->at_unix_s, holding->until_unix_s, input->zone_offset_s);
        /* One more than there are classes: a holding that nothing is like has a row, too. */
        for (size_t k = 0; k <= weekly->class_count && err == GT_OK; k++) {
            bool is_last = k == weekly->class_count;
            row.low = is_last ? NULL : low_of(&weekly->classes[k], holding, &view, scratch);
            if (is_last ? weekly->holding_count > first : row.low == NULL) continue;
            void *rows = weekly->holdings;
            if (!arena_grow(arena, &rows, weekly->holding_count, &cap, sizeof row)) err = GT_ENOMEM;
            if (err != GT_OK) break;
            weekly->holdings = rows;
            if (row.low != NULL) compare(&row);
            weekly->holdings[weekly->holding_count++] = row;
        }
        if (weekly->holding_count > first + 1)
            qsort(weekly->holdings + first, weekly->holding_count - first, sizeof row, row_order);
    }
    arena_free(scratch);
    return err;
}

/* ---- telling ---- */

static bool is_over(const struct weekly_holding *row)
{
    return row->holding->until_unix_s != 0 && row->days_left < 0;
}

/* Of a holding that fits several classes the sentence compares with the cheapest, which is its first row. */
static const struct weekly_holding *dearest(const struct weekly *weekly)
{
    const struct weekly_holding *dearest = NULL;
    for (size_t i = 0; i < weekly->holding_count; i++) {
        const struct weekly_holding *row = &weekly->holdings[i];
        if (!row->is_known || is_over(row) || row->difference_nano <= 0) continue;
        if (dearest == NULL || row->difference_nano > dearest->difference_nano) dearest = row;
    }
    return dearest;
}

struct gt_str weekly_holding_sentence(const struct weekly_frame *frame)
{
    enum gt_lang lang = frame->base.input->lang;
    struct arena *arena = frame->base.arena;
    const struct weekly_holding *row = dearest(&frame->weekly);
    if (row == NULL) return GT_STR("");
    struct gt_str days = figure_count_text(row->days_left, arena), amount = figure_money_text(row->difference_nano, arena);
    if (frame->base.board.has_currencies)
        amount = arena_printf(arena, "%.*s %s", GT_STR_ARG(amount), row->holding->currency.code);
    struct gt_str args[] = {row->holding->name,
                            figure_count_text(row->holding->cards, arena),
                            figure_money_text(row->holding->month_nano, arena),
                            figure_money_text(row->low->net.month_net_nano, arena),
                            name_site(row->low->row, lang),
                            amount,
                            row->holding->until_unix_s != 0 ? phrase(arena, lang, LABEL_HOLDING_DAYS, &days, 1) : GT_STR("")};
    return phrase(arena, lang, LABEL_SENTENCE_HOLDING, args, sizeof args / sizeof args[0]);
}

/* clang-format off */
enum holding_column {
    H_NAME, H_CLASS, H_CARDS, H_CURRENCY, H_MONTH, H_LOW, H_SITE, H_LABEL, H_DIFFERENCE, H_PERCENT, H_UNTIL, H_DAYS, HOLDING_COLUMNS
};

static const struct column_def holding_columns[HOLDING_COLUMNS] = {
    [H_NAME] = {"holding", LABEL_HOLDING, COLUMN_KEEP, 0},
    [H_CLASS] = {"class", LABEL_CLASS, COLUMN_WRAP | COLUMN_KEEP, 0},
    [H_CARDS] = {"cards", LABEL_HOLDING_CARDS, COLUMN_RIGHT, 0},
    [H_CURRENCY] = {"currency", LABEL_CURRENCY, 0, 0},
    [H_MONTH] = {"month", LABEL_HOLDING_MONTH, COLUMN_RIGHT | COLUMN_KEEP, 2},
    [H_LOW] = {"low", LABEL_HOLDING_LOW, COLUMN_RIGHT | COLUMN_KEEP, 2},
    [H_SITE] = {"site", LABEL_CHEAPEST_SITE, COLUMN_KEEP, 0},
    [H_LABEL] = {"label", LABEL_OFFER, COLUMN_EXTRA | COLUMN_WRAP, 0},
    [H_DIFFERENCE] = {"difference", LABEL_HOLDING_DIFFERENCE, COLUMN_RIGHT | COLUMN_KEEP, 2},
    [H_PERCENT] = {"percent", LABEL_HOLDING_PERCENT, COLUMN_RIGHT | COLUMN_EXTRA, 0},
    [H_UNTIL] = {"until", LABEL_ENDS, COLUMN_EXTRA, 0},
    [H_DAYS] = {"days", LABEL_HOLDING_LEFT, COLUMN_RIGHT, 0},
};
/* clang-format on */

/* What is not known of the market stays empty: a contract without its like is told, not left out. */
static void fill_low(struct cell *cells, const struct weekly_holding *row, bool is_data, const struct weekly_frame *frame)
{
    enum gt_lang lang = frame->base.input->lang;
    struct arena *arena = frame->base.arena;
    const struct board_entry *low = row->low;
    cells[H_CLASS] = cell_text(is_data ? low->class : name_class(low->class, lang, arena));
    cells[H_LOW] = cell_money(low->net.month_net_nano);
    cells[H_SITE] = cell_text(is_data ? low->row->site : name_site(low->row, lang));
    cells[H_LABEL] = is_data ? cell_text(low->row->offer.identity.label)
                             : cell_linked(name_offer(&low->row->offer.identity, arena), low->row);
    if (!row->is_known) return;
    cells[H_DIFFERENCE] = cell_number(CELL_MONEY, row->difference_nano);
    cells[H_PERCENT] = cell_number(CELL_PERCENT, row->percent_nano);
}

static void fill_row(struct cell *cells, const struct weekly_holding *row, bool is_data, const struct weekly_frame *frame)
{
    const struct holding *holding = row->holding;
    cells[H_NAME] = cell_text(holding->name);
    cells[H_CARDS] = cell_number(CELL_COUNT, holding->cards);
    cells[H_CURRENCY] =
        is_data ? cell_words(holding->currency.code) : frame_currency_cell(&frame->base, &holding->currency);
    cells[H_MONTH] = cell_money(holding->month_nano);
    if (row->low != NULL) fill_low(cells, row, is_data, frame);
    else if (!is_data) cells[H_CLASS] = cell_text(label(frame->base.input->lang, LABEL_HOLDING_NO_LIKE));
    if (holding->until_unix_s == 0) return;
    cells[H_UNTIL] = cell_number(is_data ? CELL_TIME : CELL_DAY, holding->until_unix_s);
    cells[H_DAYS] = is_over(row) && !is_data ? cell_text(label(frame->base.input->lang, LABEL_HOLDING_OVER))
                                             : cell_number(CELL_COUNT, row->days_left);
}

enum gt_err weekly_holdings(struct weekly_frame *frame)
{
    const struct weekly *weekly = &frame->weekly;
    struct sink_writer *writer = frame->base.writer;
    enum gt_lang lang = frame->base.input->lang;
    bool is_data = sink_is_data(writer);
    struct table table;
    table_init(&table, frame->base.arena, lang, holding_columns, HOLDING_COLUMNS);
    table.row_max = is_data ? 0 : WEEKLY_ROWS_MAX; /* one that asks for everything has a row a class */
    for (size_t i = 0; i < weekly->holding_count; i++)
        if (table_has_room(&table)) fill_row(table_row(&table), &weekly->holdings[i], is_data, frame);
    if (is_data) return table_write_all(&table, writer, "holdings");
    if (weekly->holding_count == 0) return GT_OK;
    sink_heading(writer, 1, label(lang, LABEL_SECTION_HOLDINGS));
    enum gt_err err = table_write(&table, writer, "holdings", GT_STR(""));
    sink_paragraph(writer, label(lang, LABEL_HOLDING_NOTE));
    return err;
}
