#include "reports/published.h"

#include <jansson.h>
#include <stdlib.h>

#include "pricing/sku.h"
#include "reports/weekly.h"

#define REREAD_KEY "reread"

static const char *const hows[PUBLISHED_HOWS] = {[PUBLISHED_BY_HAND] = "by-hand", [PUBLISHED_SENT] = "sent"};

const char *published_how_word(enum published_how how)
{
    return hows[how];
}

bool published_is_of(const struct report_input *input)
{
    const struct persona persona = persona_default();
    struct arena *scratch = arena_new(REPORT_BYTES_MAX);
    bool is_default = scratch != NULL && gt_str_eq(persona_print(&input->persona, scratch), persona_print(&persona, scratch));
    arena_free(scratch);
    return is_default && input->query_text.len == 0 && input->currency.code[0] == '\0';
}

static struct gt_str key_of(struct arena *arena, const char *table, struct gt_str week)
{
    return arena_printf(arena, "%s:%.*s", table, GT_STR_ARG(week));
}

/* ---- figures ---- */

enum gt_err published_rows_of(const struct board_rows *rows, const struct board_view *view, struct arena *arena, struct published_rows *ret_rows)
{
    struct weekly weekly = {.is_first = true}; /* a board without one before it */
    struct published_rows kept = {.count = 0};
    enum gt_err err = board_compute(rows, view, arena, &weekly.board);
    if (err == GT_OK) err = weekly_classes_compute(&weekly, arena);
    if (err == GT_OK) kept.rows = arena_array(arena, weekly.class_count, sizeof *kept.rows);
    if (err != GT_OK || kept.rows == NULL) return GT_ENOMEM;
    for (size_t i = 0; i < weekly.class_count; i++) {
        const struct weekly_class *class = &weekly.classes[i];
        const struct board_entry *low = class->low;
        if (low == NULL) continue;
        if (kept.count == PUBLISHED_ROWS_MAX) {
            kept.left_out++;
            continue;
        }
        kept.rows[kept.count++] = (struct published_row){.class = low->class,
                                                         .sku = gt_str_from(low->row->offer.attributes.sku),
                                                         .site = low->row->site,
                                                         .site_title = low->row->site_title,
                                                         .label = low->row->offer.identity.label,
                                                         .currency = low->net.currency,
                                                         .low_nano = low->price_nano,
                                                         .hour_list_nano = low->net.hour_list_nano,
                                                         .median_nano = class->median_nano,
                                                         .sellers = class->sellers,
                                                         .evidence = low->net.evidence};
    }
    *ret_rows = kept;
    return GT_OK;
}

/* ---- writing ---- */

/* A text that is no UTF-8 must not keep a crawl from its end. */
static json_t *text_json(struct gt_str text)
{
    json_t *json = json_stringn(text.len > 0 ? text.ptr : "", text.len);
    return json != NULL ? json : json_string("\xEF\xBF\xBD");
}

static json_t *row_json(const struct published_row *row)
{
    return json_pack("[o, o, s, o, o, o, I, I, I, i, s]", text_json(row->class), text_json(row->sku), row->currency.code, text_json(row->site),
                     text_json(row->site_title), text_json(row->label), (json_int_t)row->low_nano, (json_int_t)row->hour_list_nano,
                     (json_int_t)row->median_nano, (int)row->sellers, word_text(VOCABULARY_EVIDENCE, (int)row->evidence));
}

static enum gt_err put(struct store *store, struct store_txn *txn, struct gt_str key, json_t *value, struct gt_errinfo *info)
{
    char *text = value != NULL ? json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
    json_decref(value);
    if (text == NULL) return gt_fail(info, GT_ENOMEM, "publishing a report: out of memory");
    enum gt_err err = store_put(store, txn, STORE_REPORTS, key, gt_str_from(text), info);
    free(text);
    return err;
}

/* The rows first: without the entry of its week nobody looks at them. */
static enum gt_err put_week(const struct report_input *input, struct store_txn *txn, const struct report_period *period, enum published_how how,
                            struct gt_str week, const struct published_rows *rows, struct arena *arena, struct gt_errinfo *info)
{
    json_t *lines = json_array();
    for (size_t i = 0; i < rows->count; i++) json_array_append_new(lines, row_json(&rows->rows[i]));
    if (lines != NULL && json_array_size(lines) != rows->count) {
        json_decref(lines);
        lines = NULL;
    }
    enum gt_err err = put(input->store, txn, key_of(arena, "rows", week), lines, info);
    if (err != GT_OK) return err;
    return put(input->store, txn, key_of(arena, "week", week),
               json_pack("{s:I, s:I, s:I, s:s, s:s, s:I, s:I}", "published", (json_int_t)input->now_unix_s, "since", (json_int_t)period->since_unix_s,
                         "until", (json_int_t)period->until_unix_s, "how", hows[how], "catalogue", sku_catalogue_version(), "rows",
                         (json_int_t)rows->count, "left_out", (json_int_t)rows->left_out),
               info);
}

enum gt_err published_check(const struct report_input *input, const struct report_period *period, struct gt_errinfo *info)
{
    if (!published_is_of(input)) return gt_fail(info, GT_EUSAGE, "what is published is what everybody gets: no query, persona or currency");
    if (period->kind != REPORT_WEEK || period->until_unix_s > input->now_unix_s)
        return gt_fail(info, GT_EUSAGE, "only a whole week that is over is published");
    return GT_OK;
}

enum gt_err published_keep(const struct report_input *input, struct store_txn *txn, const struct report_period *period, enum published_how how,
                           bool *ret_is_new, struct gt_errinfo *info)
{
    struct published before;
    struct board_rows board;
    struct published_rows rows = {.rows = NULL};
    enum gt_err err = published_check(input, period, info);
    struct arena *arena = err == GT_OK ? arena_new(REPORT_BYTES_MAX) : NULL;
    if (err != GT_OK) return err;
    if (arena == NULL) return gt_fail(info, GT_ENOMEM, "publishing a report: out of memory");
    struct gt_str week = period_name(period, input->zone_offset_s, arena);
    struct board_view view = weekly_view_at(input, period->until_unix_s - 1);
    err = published_read(input->store, txn, period, input->zone_offset_s, arena, &before, info);
    *ret_is_new = err == GT_ENOENT;
    if (err != GT_ENOENT) goto out;
    err = board_read(input->store, view.now_unix_s, arena, &board, info);
    if (err == GT_OK && published_rows_of(&board, &view, arena, &rows) != GT_OK) err = gt_fail(info, GT_ENOMEM, "publishing a report: out of memory");
    if (err == GT_OK) err = put_week(input, txn, period, how, week, &rows, arena, info);
out:
    arena_free(arena);
    return err;
}

/* ---- reading ---- */

static enum gt_err damaged(struct gt_str week, struct gt_errinfo *info)
{
    return gt_fail(info, GT_ECORRUPT, "the published report of %.*s is damaged", GT_STR_ARG(week));
}

static enum gt_err week_parse(struct gt_str week, struct gt_str value, struct arena *arena, struct published *ret_published, struct gt_errinfo *info)
{
    json_int_t published, since, until, rows, left_out;
    const char *how, *catalogue;
    struct published read = {.how = PUBLISHED_HOWS};
    json_t *json = json_loadb(value.ptr, value.len, 0, NULL);
    if (json_unpack(json, "{s:I, s:I, s:I, s:s, s:s, s:I, s:I}", "published", &published, "since", &since, "until", &until, "how", &how, "catalogue",
                    &catalogue, "rows", &rows, "left_out", &left_out) != 0) {
        json_decref(json);
        return damaged(week, info);
    }
    for (int i = 0; i < PUBLISHED_HOWS; i++)
        if (strcmp(how, hows[i]) == 0) read.how = (enum published_how)i;
    read.period = (struct report_period){REPORT_WEEK, since, until};
    read.published_unix_s = published;
    read.rows = rows;
    read.left_out = left_out;
    read.week = arena_dup(arena, week);
    read.catalogue = arena_dup(arena, gt_str_from(catalogue));
    json_decref(json);
    if (read.how == PUBLISHED_HOWS) return damaged(week, info);
    if (read.week.ptr == NULL || read.catalogue.ptr == NULL) return gt_fail(info, GT_ENOMEM, "reading a published report: out of memory");
    *ret_published = read;
    return GT_OK;
}

/* Nothing under a key is no failure worth a message. */
static enum gt_err get(struct store *store, struct store_txn *txn, struct gt_str key, struct arena *arena, struct gt_str *ret_value,
                       struct gt_errinfo *info)
{
    struct gt_errinfo own = {0};
    if (key.ptr == NULL) return gt_fail(info, GT_ENOMEM, "reading a published report: out of memory");
    enum gt_err err = store_get(store, txn, STORE_REPORTS, key, arena, ret_value, &own);
    if (err != GT_OK && err != GT_ENOENT && info != NULL) *info = own;
    return err;
}

enum gt_err published_read(struct store *store, struct store_txn *txn, const struct report_period *period, int32_t zone_offset_s, struct arena *arena,
                           struct published *ret_published, struct gt_errinfo *info)
{
    struct gt_str week = period_name(period, zone_offset_s, arena), value = {NULL, 0};
    enum gt_err err = get(store, txn, key_of(arena, "week", week), arena, &value, info);
    return err == GT_OK ? week_parse(week, value, arena, ret_published, info) : err;
}

/* False when it is none, or memory is out. */
static bool row_parse(json_t *json, struct arena *arena, struct published_row *ret_row)
{
    const char *class, *sku, *currency, *site, *title, *label, *evidence;
    json_int_t low, hour, median;
    int sellers, word;
    if (json_unpack(json, "[s, s, s, s, s, s, I, I, I, i, s]", &class, &sku, &currency, &site, &title, &label, &low, &hour, &median, &sellers,
                    &evidence) != 0 ||
        !word_find(VOCABULARY_EVIDENCE, gt_str_from(evidence), &word))
        return false;
    *ret_row = (struct published_row){.class = arena_dup(arena, gt_str_from(class)),
                                      .sku = arena_dup(arena, gt_str_from(sku)),
                                      .site = arena_dup(arena, gt_str_from(site)),
                                      .site_title = arena_dup(arena, gt_str_from(title)),
                                      .label = arena_dup(arena, gt_str_from(label)),
                                      .currency = currency_from(gt_str_from(currency)),
                                      .low_nano = low,
                                      .hour_list_nano = hour,
                                      .median_nano = median,
                                      .sellers = sellers,
                                      .evidence = (enum evidence)word};
    return ret_row->class.ptr != NULL && ret_row->sku.ptr != NULL && ret_row->site.ptr != NULL && ret_row->site_title.ptr != NULL &&
           ret_row->label.ptr != NULL;
}

static enum gt_err rows_parse(struct gt_str week, struct gt_str value, struct arena *arena, struct published_rows *ret_rows, struct gt_errinfo *info)
{
    enum gt_err err = GT_OK;
    json_t *json = json_loadb(value.ptr, value.len, 0, NULL);
    struct published_rows rows = {.count = json_array_size(json)};
    if (json_is_array(json) && rows.count <= PUBLISHED_ROWS_MAX) rows.rows = arena_array(arena, rows.count, sizeof *rows.rows);
    if (rows.rows == NULL) err = damaged(week, info);
    for (size_t i = 0; rows.rows != NULL && i < rows.count && err == GT_OK; i++)
        if (!row_parse(json_array_get(json, i), arena, &rows.rows[i])) err = damaged(week, info);
    json_decref(json);
    if (err == GT_OK) *ret_rows = rows;
    return err;
}

enum gt_err published_rows_read(struct store *store, struct gt_str week, struct arena *arena, struct published_rows *ret_rows,
                                struct gt_errinfo *info)
{
    struct gt_str value = {NULL, 0};
    enum gt_err err = get(store, NULL, key_of(arena, "rows", week), arena, &value, info);
    if (err == GT_ENOENT) return damaged(week, info);
    return err == GT_OK ? rows_parse(week, value, arena, ret_rows, info) : err;
}

enum gt_err published_reread_put(struct store *store, int64_t t_unix_s, struct gt_errinfo *info)
{
    return put(store, NULL, GT_STR(REREAD_KEY), json_integer(t_unix_s), info);
}

enum gt_err published_reread_read(struct store *store, struct arena *arena, int64_t *ret_unix_s, struct gt_errinfo *info)
{
    struct gt_str value = {NULL, 0};
    enum gt_err err = get(store, NULL, GT_STR(REREAD_KEY), arena, &value, info);
    json_t *json = err == GT_OK ? json_loadb(value.ptr, value.len, JSON_DECODE_ANY, NULL) : NULL;
    if (err == GT_OK && !json_is_integer(json)) err = gt_fail(info, GT_ECORRUPT, "the time of the last reading anew is damaged");
    if (err == GT_OK || err == GT_ENOENT) *ret_unix_s = json_integer_value(json);
    json_decref(json);
    return err == GT_ENOENT ? GT_OK : err;
}

struct listing {
    struct arena *arena;
    struct published *items;
    size_t count, cap;
    struct gt_errinfo *info;
};

static enum gt_err list_add(void *ctx, struct gt_str key, struct gt_str value)
{
    struct listing *listing = ctx;
    void *items = listing->items;
    if (!arena_grow(listing->arena, &items, listing->count, &listing->cap, sizeof *listing->items))
        return gt_fail(listing->info, GT_ENOMEM, "listing the published reports: out of memory");
    listing->items = items;
    return week_parse(gt_str_slice(key, gt_str_find(key, GT_STR(":"), 0) + 1, SIZE_MAX), value, listing->arena, &listing->items[listing->count++],
                      listing->info);
}

static int newest_first(const void *left, const void *right)
{
    const struct published *a = left, *b = right;
    return (a->period.since_unix_s < b->period.since_unix_s) - (a->period.since_unix_s > b->period.since_unix_s);
}

enum gt_err published_list(struct store *store, struct arena *arena, struct published **ret_list, size_t *ret_count, struct gt_errinfo *info)
{
    struct listing listing = {.arena = arena, .info = info};
    enum gt_err err = store_each(store, NULL, STORE_REPORTS, GT_STR("week:"), arena, list_add, &listing, info);
    if (err != GT_OK) return err;
    if (listing.count > 0) qsort(listing.items, listing.count, sizeof *listing.items, newest_first);
    *ret_list = listing.items;
    *ret_count = listing.count;
    return GT_OK;
}

/* ---- in the archive ---- */

enum gt_err published_unarchived(struct store *store, struct arena *arena, struct published_texts *ret_texts, struct gt_errinfo *info)
{
    struct published *weeks = NULL;
    size_t count = 0;
    struct gt_str noted;
    enum gt_err err = published_list(store, arena, &weeks, &count, info);
    if (err != GT_OK) return err;
    while (count > 0 && (err = get(store, NULL, key_of(arena, "archived", weeks[count - 1].week), arena, &noted, info)) == GT_OK) count--;
    if (err != GT_ENOENT || count == 0) return err != GT_OK ? err : GT_ENOENT;
    struct published_texts texts = {.week = weeks[count - 1].week};
    err = get(store, NULL, key_of(arena, "week", texts.week), arena, &texts.head, info);
    if (err == GT_OK) err = get(store, NULL, key_of(arena, "rows", texts.week), arena, &texts.rows, info);
    if (err == GT_OK) *ret_texts = texts;
    return err == GT_ENOENT ? damaged(texts.week, info) : err;
}

enum gt_err published_archived_put(struct store *store, struct gt_str week, struct gt_errinfo *info)
{
    struct arena *arena = arena_new(REPORT_BYTES_MAX);
    struct gt_str key = arena != NULL ? key_of(arena, "archived", week) : (struct gt_str){NULL, 0};
    enum gt_err err = key.ptr != NULL ? store_put(store, NULL, STORE_REPORTS, key, GT_STR("1"), info)
                                      : gt_fail(info, GT_ENOMEM, "publishing a report: out of memory");
    arena_free(arena);
    return err;
}

/* The times are those of the week that is named, in whatever zone it was published. */
static bool is_week(const struct report_period *told, const struct report_period *named)
{
    return told->since_unix_s >= named->since_unix_s - CIVIL_DAY_S && told->since_unix_s <= named->since_unix_s + CIVIL_DAY_S &&
           told->until_unix_s == told->since_unix_s + CIVIL_WEEK_S;
}

/* What is read from an archive is looked at first: a damaged week would end every report that looks back at it. */
enum gt_err published_restore(struct store *store, const struct published_texts *texts, struct gt_errinfo *info)
{
    struct arena *arena = arena_new(REPORT_BYTES_MAX);
    struct report_period period = {.since_unix_s = 0}; /* the analyser cannot see that damaged() is never GT_OK */
    struct published head = {.period = period};
    struct published_rows rows;
    struct gt_str had;
    if (arena == NULL) return gt_fail(info, GT_ENOMEM, "publishing a report: out of memory");
    enum gt_err err = damaged(texts->week, info);
    if (period_week_read(texts->week, 0, &period)) err = week_parse(texts->week, texts->head, arena, &head, info);
    if (err == GT_OK && !is_week(&head.period, &period)) err = damaged(texts->week, info);
    if (err == GT_OK) err = rows_parse(texts->week, texts->rows, arena, &rows, info);
    if (err == GT_ECORRUPT) err = GT_ENOENT;
    if (err != GT_OK) goto out;
    struct gt_str head_key = key_of(arena, "week", texts->week), rows_key = key_of(arena, "rows", texts->week);
    err = get(store, NULL, head_key, arena, &had, info);
    if (err == GT_ENOENT) {
        err = store_put(store, NULL, STORE_REPORTS, rows_key, texts->rows, info);
        if (err == GT_OK) err = store_put(store, NULL, STORE_REPORTS, head_key, texts->head, info);
    }
    if (err == GT_OK) err = published_archived_put(store, texts->week, info);
out:
    arena_free(arena);
    return err;
}
