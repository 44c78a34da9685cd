/* `audit`: printed figures held against each other. The weekly report prints the same table. */
#include "reports/figure.h"
#include "reports/finding_list.h"
#include "reports/frame.h"
#include "reports/name.h"
#include "reports/offer_cells.h"
#include "reports/table.h"

enum gt_err finding_list_compute(const struct board *board, struct arena *arena, struct finding_list *ret_list)
{
    struct finding_list list = {0};
    size_t cap = 0;
    for (size_t i = 0; i < board->count; i++) {
        struct audit_result result = {0};
        const struct board_row *row = board->entries[i].row;
        enum gt_err err = audit_offer(&row->offer, &row->net_rules, arena, &result);
        if (err != GT_OK) return err;
        for (size_t k = 0; k < result.count; k++) {
            void *findings = list.findings;
            if (!arena_grow(arena, &findings, list.count, &cap, sizeof *list.findings)) return GT_ENOMEM;
            list.findings = findings;
            list.findings[list.count++] =
                (struct finding){&board->entries[i], result.findings[k].code, result.findings[k].detail};
        }
    }
    *ret_list = list;
    return GT_OK;
}

/* clang-format off */
enum finding_column { F_SITE, F_LABEL, F_PLAN, F_SKU, F_CODE, F_DETAIL, F_URL, FINDING_COLUMNS };

static const struct column_def data_columns[FINDING_COLUMNS] = {
    [F_SITE] = {.key = "site"}, [F_LABEL] = {.key = "label"}, [F_PLAN] = {.key = "plan"}, [F_SKU] = {.key = "sku"},
    [F_CODE] = {.key = "code"}, [F_DETAIL] = {.key = "detail"}, [F_URL] = {.key = "url"},
};

static const struct column_def shown_columns[FINDING_COLUMNS] = {
    [F_SITE] = {"site", LABEL_PLATFORM, COLUMN_KEEP, 0},
    [F_LABEL] = {"offer", LABEL_OFFER, COLUMN_WRAP, 0},
    [F_PLAN] = {"plan", LABEL_UNTITLED, 0, 0},
    [F_SKU] = {"sku", LABEL_CARD, COLUMN_EXTRA, 0},
    [F_CODE] = {"code", LABEL_FINDING, 0, 0},
    [F_DETAIL] = {"detail", LABEL_DETAIL, COLUMN_WRAP, 0},
    [F_URL] = {"url", LABEL_UNTITLED, 0, 0},
};
/* clang-format on */

static void fill_finding(struct cell *cells, const struct finding *finding, bool is_data, enum gt_lang lang, struct arena *arena)
{
    const struct board_row *row = finding->entry->row;
    cells[F_SITE] = cell_text(is_data ? row->site : name_site(row, lang));
    cells[F_SKU] = cell_words(row->offer.attributes.sku);
    cells[F_CODE] = is_data ? cell_words(finding->code) : cell_text(label_code(lang, finding->code));
    cells[F_DETAIL] = cell_sentence(cell_text(finding->detail));
    if (!is_data) {
        cells[F_LABEL] = cell_linked(name_offer(&row->offer.identity, arena), row);
        return;
    }
    cells[F_LABEL] = cell_text(row->offer.identity.label);
    cells[F_PLAN] = cell_text(row->offer.identity.plan);
    cells[F_URL] = cell_text(row->url);
}

enum gt_err finding_table_write(struct sink_writer *writer, const struct finding_list *list, enum gt_lang lang,
                                struct arena *arena)
{
    struct table table;
    bool is_data = sink_is_data(writer);
    table_init(&table, arena, lang, is_data ? data_columns : shown_columns, FINDING_COLUMNS);
    for (size_t i = 0; i < list->count; i++) fill_finding(table_row(&table), &list->findings[i], is_data, lang, arena);
    return is_data ? table_write_all(&table, writer, "findings") : table_write(&table, writer, "findings", GT_STR(""));
}

static struct gt_str audit_title(struct frame *frame)
{
    struct gt_str args[] = {figure_minute_text(frame->input->now_unix_s, frame->input->zone_offset_s, frame->arena),
                            frame->input->query_text};
    return gt_str_trim(phrase(frame->arena, frame->input->lang, LABEL_AUDIT_TITLE, args, 2));
}

static enum gt_err audit_run(const struct report_input *input, const struct sink *sink, FILE *file, struct gt_errinfo *info)
{
    struct frame frame = {0};
    struct finding_list list = {0};
    enum gt_err err = frame_init(&frame, input, info);
    if (err == GT_OK) err = frame_board(&frame, input->now_unix_s, info);
    if (err == GT_OK) {
        err = finding_list_compute(&frame.board, frame.arena, &list);
        if (err != GT_OK) gt_fail(info, err, "auditing the board: %s", gt_err_text(err));
    }
    if (err == GT_OK)
        err = frame_open(&frame, sink, file, audit_title(&frame), GT_STR(""), label(input->lang, LABEL_AUDIT_NOTE), info);
    if (err != GT_OK) goto out;
    frame_values(&frame);
    if (list.count == 0) sink_paragraph(frame.writer, label(input->lang, LABEL_NO_FINDINGS));
    err = finding_table_write(frame.writer, &list, input->lang, frame.arena);
out:
    return frame_done(&frame, err, info);
}

const struct report report_audit = {"audit", "printed figures held against each other: list, discount, month, node, card",
                                    audit_run};
