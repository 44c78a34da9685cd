#include "web/offer_find.h"

#include "common/civil.h"
#include "web/page.h"

struct finding_offer {
    const struct web_view *view;
    uint64_t id;
    struct web_offer *offer;
};

/* Checked for overflow: the number comes from an address bar. */
static bool id_read(struct gt_str text, uint64_t *ret_id)
{
    uint64_t id = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] < '0' || text.ptr[i] > '9') return false;
        if (__builtin_mul_overflow(id, 10U, &id) || __builtin_add_overflow(id, (uint64_t)(text.ptr[i] - '0'), &id)) return false;
    }
    *ret_id = id;
    return text.len > 0;
}

static enum gt_err keep_row(void *ctx, const struct board_row *row)
{
    struct finding_offer *finding = ctx;
    if (row->offer_id == finding->id && finding->offer->count < WEB_OFFER_ROWS_MAX) finding->offer->rows[finding->offer->count++] = *row;
    return GT_OK;
}

static enum gt_err keep_span(void *ctx, const struct history_row *row)
{
    struct finding_offer *finding = ctx;
    if (row->offer->offer_id != finding->id) return GT_OK;
    return history_spans_add(&finding->offer->spans, row, finding->view->arena);
}

/* By walking the board: the store has no index by number, and the page shows what the board says anyway. */
enum gt_err web_offer_find(const struct web_view *view, bool is_with_spans, struct web_offer *ret_offer, struct gt_errinfo *info)
{
    const struct report_input *input = &view->input;
    struct web_offer offer = {0};
    struct finding_offer finding = {.view = view, .offer = &offer};
    struct gt_str id = view->request->params[WEB_ID];
    enum gt_err err = GT_OK;
    if (id_read(id, &finding.id)) err = store_board(input->store, input->now_unix_s, view->arena, keep_row, &finding, info);
    if (err != GT_OK) return err;
    if (offer.count == 0) return gt_fail(info, GT_ENOENT, "%.*s", GT_STR_ARG(web_phrase(view->arena, input->lang, WEB_WORD_NO_OFFER, &id, 1)));
    int64_t until = input->until_unix_s != 0 ? input->until_unix_s : input->now_unix_s + 1;
    int64_t since = input->since_unix_s != 0 ? input->since_unix_s : until - REPORT_HISTORY_DAYS * (int64_t)CIVIL_DAY_S;
    if (is_with_spans) err = store_history_of(input->store, &finding.id, 1, since, until, view->arena, keep_span, &finding, info);
    if (err == GT_ENOMEM || err == GT_ELIMIT) return gt_fail(info, err, "reading the history: %s", gt_err_text(err));
    if (err == GT_OK) *ret_offer = offer;
    return err;
}
