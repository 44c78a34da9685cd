#include "reports/fx_shown.h"

#include "common/civil.h"
#include "reports/figure.h"
#include "reports/table.h"

/* A fetched rate is good over a weekend and a holiday beside it: nothing is published then. */
enum { FX_STALE_S = 5 * CIVIL_DAY_S };

/* A row of kind fx: the label is the currency, its price the units of it that one unit of the price's currency costs. */
static enum gt_err row_add(struct fx_shown *shown, const struct board_row *row, int32_t zone_offset_s, struct arena *arena)
{
    const struct offer_record *record = &row->offer.record;
    if (record->quote_count == 0 || record->quotes[0].bound != BOUND_EXACT) return GT_OK;
    struct gt_str minute = figure_minute_text(row->seen_unix_s, zone_offset_s, arena);
    const struct fx_rate rate = {.one = record->quotes[0].currency,
                                 .many = currency_from(row->offer.identity.label),
                                 .rate_nano = record->quotes[0].amount_nano,
                                 .day = gt_str_slice(minute, 0, sizeof "2026-09-18" - 1),
                                 .source = row->site};
    return rate.one.code[0] == '\0' || rate.many.code[0] == '\0' ? GT_OK : fx_table_add(&shown->table, &rate, arena);
}

enum gt_err fx_shown_init(struct fx_shown *shown, const struct report_input *input, const struct board_row *rows, size_t row_count, int64_t at_unix_s,
                          struct arena *arena)
{
    enum gt_err err = GT_OK;
    *shown = (struct fx_shown){.to = input->shown_in};
    if (shown->to.code[0] == '\0') return GT_OK;
    for (size_t i = 0; i < row_count && err == GT_OK; i++) {
        const struct board_row *row = &rows[i];
        if (row->kind != KIND_FX || !row->is_listed || row->is_doubted || at_unix_s - row->seen_unix_s > FX_STALE_S) continue;
        err = row_add(shown, row, input->zone_offset_s, arena);
    }
    for (size_t i = 0; input->rates != NULL && i < input->rates->count && err == GT_OK; i++)
        err = fx_table_add(&shown->table, &input->rates->rates[i], arena);
    return err;
}

/* The way from a currency; NULL past FX_SHOWN_MAX of them. */
static const struct fx_met *met_find(struct fx_shown *shown, struct currency from)
{
    size_t i = 0;
    while (i < shown->count && !currency_eq(shown->met[i].from, from)) i++;
    if (i == FX_SHOWN_MAX) return NULL;
    if (i < shown->count) return &shown->met[i];
    struct fx_met *met = &shown->met[shown->count++];
    *met = (struct fx_met){.from = from};
    met->is_found = fx_path_find(&shown->table, from, shown->to, &met->path);
    return met;
}

struct cell fx_shown_cell(struct fx_shown *shown, int64_t amount_nano, struct currency from)
{
    int64_t converted;
    if (shown->to.code[0] == '\0' || from.code[0] == '\0' || amount_nano == 0) return cell_none();
    const struct fx_met *met = met_find(shown, from);
    if (met == NULL || !met->is_found || met->path.count == 0) return cell_none();
    return fx_path_convert(&met->path, amount_nano, &converted) == GT_OK ? cell_money(converted) : cell_none();
}

/* "1 USD = 7.1 CNY (sites.conf, 2026-09-18)", two of them where the way leads through a third currency. */
static struct gt_str path_text(const struct fx_path *path, struct arena *arena)
{
    struct gt_str text = GT_STR("");
    for (size_t i = 0; i < path->count; i++) {
        const struct fx_rate *rate = path->rates[i];
        char amount[MONEY_TEXT_MAX];
        text = arena_printf(arena, "%.*s%s1 %s = %s %s (%.*s, %.*s)", GT_STR_ARG(text), i > 0 ? ", " : "", rate->one.code,
                            money_format(rate->rate_nano, amount), rate->many.code, GT_STR_ARG(rate->source), GT_STR_ARG(rate->day));
    }
    return text;
}

/* One row a rate that was used. */
static void write_data(const struct fx_shown *shown, struct sink_writer *writer, enum gt_lang lang)
{
    static const struct column_def defs[] = {{.key = "from"}, {.key = "to"},  {.key = "one"},   {.key = "many"},
                                             {.key = "rate"}, {.key = "day"}, {.key = "source"}};
    struct column columns[sizeof defs / sizeof defs[0]];
    table_columns(defs, sizeof defs / sizeof defs[0], lang, columns);
    sink_table_begin(writer, "rates", GT_STR(""), columns, sizeof defs / sizeof defs[0]);
    for (size_t i = 0; i < shown->count; i++)
        for (size_t k = 0; k < shown->met[i].path.count; k++) {
            const struct fx_rate *rate = shown->met[i].path.rates[k];
            const struct cell cells[] = {cell_words(shown->met[i].from.code), cell_words(shown->to.code), cell_words(rate->one.code),
                                         cell_words(rate->many.code), cell_money(rate->rate_nano), cell_text(rate->day), cell_text(rate->source)};
            sink_row(writer, cells);
        }
    sink_table_end(writer);
}

void fx_shown_write(const struct fx_shown *shown, struct sink_writer *writer, enum gt_lang lang, struct arena *arena)
{
    if (shown->to.code[0] == '\0') return;
    if (sink_is_data(writer)) {
        write_data(shown, writer, lang);
        return;
    }
    sink_paragraph(writer, label(lang, LABEL_FX_NOTE));
    for (size_t i = 0; i < shown->count; i++) {
        struct gt_str args[] = {gt_str_from(shown->met[i].from.code), gt_str_from(shown->to.code), path_text(&shown->met[i].path, arena)};
        if (!shown->met[i].is_found) sink_paragraph(writer, phrase(arena, lang, LABEL_FX_NO_RATE, args, 3));
        else if (shown->met[i].path.count > 0) sink_paragraph(writer, phrase(arena, lang, LABEL_FX_RATE, args, 3));
    }
}
