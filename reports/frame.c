#include "reports/frame.h"

#include "reports/figure.h"
#include "reports/interval.h"
#include "reports/name.h"
#include "reports/offer_cells.h"

enum { HOURS_SHOWN_MAX = 4 };

enum gt_err frame_init(struct frame *frame, const struct report_input *input, struct gt_errinfo *info)
{
    *frame = (struct frame){.input = input, .arena = arena_new(REPORT_BYTES_MAX)};
    if (frame->arena == NULL) return gt_fail(info, GT_ENOMEM, "making a report: out of memory");
    return store_is_sample(input->store, &frame->is_sample, info);
}

enum gt_err frame_board(struct frame *frame, int64_t at_unix_s, struct gt_errinfo *info)
{
    struct board_view view = board_view_from(frame->input, at_unix_s);
    struct report_site *sites = NULL;
    enum gt_err err = intervals_read(frame->input, at_unix_s, frame->arena, &sites, info);
    if (err != GT_OK) return err;
    view.sites = sites;
    err = board_read(frame->input->store, at_unix_s, frame->arena, &frame->rows, info);
    if (err != GT_OK) return err;
    err = fx_shown_init(&frame->fx, frame->input, frame->rows.rows, frame->rows.count, at_unix_s, frame->arena);
    if (err != GT_OK) return gt_fail(info, err, "reading exchange rates: %s", gt_err_text(err));
    err = board_compute(&frame->rows, &view, frame->arena, &frame->board);
    frame->is_sample |= frame->board.is_sample;
    return err == GT_OK ? err : gt_fail(info, err, "reckoning the board: %s", gt_err_text(err));
}

enum gt_err frame_open(struct frame *frame, const struct sink *sink, FILE *file, struct gt_str title, struct gt_str terms,
                       struct gt_str subtitle, struct gt_errinfo *info)
{
    const struct report_input *input = frame->input;
    struct report_head head = {.title = title,
                               .terms = terms,
                               .subtitle = subtitle,
                               .lang = input->lang,
                               .zone_offset_s = input->zone_offset_s,
                               .now_unix_s = input->now_unix_s,
                               .is_sample = frame->is_sample,
                               .width = input->width,
                               .has_bom = input->has_bom};
    return sink_open(sink, file, &head, &frame->writer, info);
}

void frame_values(struct frame *frame)
{
    const struct report_input *input = frame->input;
    int32_t hours = frame->board.hours_per_month;
    sink_value(frame->writer, "now", cell_number(CELL_TIME, input->now_unix_s));
    sink_value(frame->writer, "persona", cell_text(persona_print(&input->persona, frame->arena)));
    sink_value(frame->writer, "hours_per_month", cell_count_known(hours));
    sink_value(frame->writer, "query", cell_text(input->query_text));
}

struct gt_str frame_terms_text(struct frame *frame)
{
    enum gt_lang lang = frame->input->lang;
    struct gt_str args[] = {name_persona(&frame->input->persona, lang, frame->arena),
                            frame_hours_text(&frame->board, frame->arena), frame_tax_text(&frame->board, lang),
                            name_zone(frame->input->zone_offset_s, lang, frame->arena)};
    return phrase(frame->arena, lang, LABEL_TERMS_LINE, args, sizeof args / sizeof args[0]);
}

enum gt_err frame_done(struct frame *frame, enum gt_err err, struct gt_errinfo *info)
{
    struct gt_errinfo close_info = {0};
    enum gt_err close_err = sink_close(frame->writer, &close_info);
    if (err == GT_OK && close_err != GT_OK) {
        err = close_err;
        if (info != NULL) *info = close_info;
    }
    arena_free(frame->arena);
    *frame = (struct frame){0};
    return err;
}

enum gt_err frame_period(const struct report_input *input, struct report_period fallback, struct report_period *ret_period,
                         struct gt_errinfo *info)
{
    struct report_period period = fallback;
    if (input->since_unix_s != 0 || input->until_unix_s != 0) {
        int64_t until = input->until_unix_s != 0 ? input->until_unix_s : input->now_unix_s + 1;
        period = period_from(input->since_unix_s, until, input->zone_offset_s);
    }
    if (period.since_unix_s >= period.until_unix_s)
        return gt_fail(info, GT_EUSAGE, "the period ends before it begins: --since must lie before --until");
    *ret_period = period;
    return GT_OK;
}

struct cell frame_currency_cell(const struct frame *frame, const struct currency *currency)
{
    if (!frame->board.has_currencies) return cell_blank();
    return cell_text(arena_dup(frame->arena, name_currency(currency, frame->input->lang))); /* rows outlive what they are made of */
}

/* What all offers print about tax; TAX_WORDS when they differ. */
static enum tax common_tax(const struct board *board)
{
    enum tax tax = board->count > 0 ? board->entries[0].row->offer.attributes.tax : TAX_UNKNOWN;
    for (size_t i = 1; i < board->count; i++)
        if (board->entries[i].row->offer.attributes.tax != tax) return TAX_WORDS;
    return tax;
}

struct gt_str frame_tax_text(const struct board *board, enum gt_lang lang)
{
    enum tax tax = common_tax(board);
    return tax == TAX_WORDS ? label(lang, LABEL_TAX_MIXED) : label_word(lang, VOCABULARY_TAX, (int)tax);
}

struct cell frame_tax_cell(const struct board *board)
{
    enum tax tax = common_tax(board);
    return tax == TAX_WORDS ? cell_words("mixed") : cell_word(VOCABULARY_TAX, (int)tax);
}

struct gt_str frame_hours_text(const struct board *board, struct arena *arena)
{
    int32_t seen[HOURS_SHOWN_MAX] = {board->count > 0 ? board->entries[0].row->net_rules.hours_per_month : 720};
    size_t count = 1;
    for (size_t i = 1; i < board->count; i++) {
        int32_t hours = board->entries[i].row->net_rules.hours_per_month;
        size_t k = 0;
        while (k < count && seen[k] != hours) k++;
        if (k == count && count < HOURS_SHOWN_MAX) seen[count++] = hours;
    }
    struct gt_str text = figure_count_text(seen[0], arena);
    for (size_t i = 1; i < count; i++) text = arena_printf(arena, "%.*s/%d", GT_STR_ARG(text), (int)seen[i]);
    return text;
}

/* The rows of a store come in order of site. */
struct gt_str frame_title_of(const struct frame *frame, struct gt_str site)
{
    size_t low = 0, high = frame->rows.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (gt_str_cmp(frame->rows.rows[middle].site, site) < 0) low = middle + 1;
        else high = middle;
    }
    return low < frame->rows.count && gt_str_eq(frame->rows.rows[low].site, site) ? frame->rows.rows[low].site_title : GT_STR("");
}

struct net_rules frame_rules_of(const struct board_rows *rows, struct gt_str site)
{
    for (size_t i = 0; i < rows->count; i++)
        if (gt_str_eq(rows->rows[i].site, site)) return rows->rows[i].net_rules;
    return (struct net_rules){.hours_per_month = 720, .round_site_nano = NANO / 100, .round_month_nano = NANO};
}
