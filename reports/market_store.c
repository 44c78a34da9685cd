/* In STORE_META, as JSON, so that they are read in ten years:
 *
 *   spread US site US term US first   rows of one day, by class: term is "hour" or "month", first twenty digits of UTC seconds, US the byte 1F
 *   spread-until US site              {"seq","until"}: the run from which on the spans tell
 */
#include "reports/market_store.h"

#include <jansson.h>
#include <stdlib.h>

#include "common/civil.h"
#include "reports/name.h"

#define ROW_PREFIX "spread\x1F"
#define UNTIL_PREFIX "spread-until\x1F"

enum { FIGURES = 5 };

static const char *const terms[] = {"hour", "month"};

/* Where the spans begin to tell; zero when they tell all. */
struct kept_until {
    uint64_t seq;
    int64_t unix_s;
};

static enum gt_err until_read(struct store *store, struct gt_str site, struct arena *arena, struct kept_until *ret_until, struct gt_errinfo *info)
{
    struct gt_str value = {NULL, 0}, key = arena_printf(arena, UNTIL_PREFIX "%.*s", GT_STR_ARG(site));
    *ret_until = (struct kept_until){0};
    if (key.ptr == NULL) return GT_ENOMEM;
    enum gt_err err = store_get(store, NULL, STORE_META, key, arena, &value, info);
    if (err != GT_OK) return err == GT_ENOENT ? GT_OK : err;
    json_t *object = json_loadb(value.ptr, value.len, 0, NULL);
    *ret_until = (struct kept_until){(uint64_t)json_integer_value(json_object_get(object, "seq")),
                                     (int64_t)json_integer_value(json_object_get(object, "until"))};
    json_decref(object);
    return GT_OK;
}

/* ---- keeping ---- */

/* What an ordinary customer pays who pays by that term. */
static struct persona persona_of(size_t term)
{
    struct persona persona = persona_default();
    persona.pay = term == 0 ? PERIOD_HOUR : PERIOD_MONTH;
    return persona;
}

static json_t *row_json(const struct market_row *row)
{
    char text[MONEY_TEXT_MAX];
    const struct spread *spread = &row->spread;
    const int64_t figures[FIGURES] = {spread->min_nano, spread->p10_nano, spread->p25_nano, spread->median_nano, spread->p75_nano};
    json_t *cells = json_array();
    json_array_append_new(cells, json_integer((json_int_t)row->first_unix_s));
    json_array_append_new(cells, json_integer((json_int_t)row->last_unix_s));
    json_array_append_new(cells, json_integer(row->runs));
    for (size_t i = 0; i < FIGURES; i++) json_array_append_new(cells, json_string(money_format(figures[i], text)));
    json_array_append_new(cells, json_integer((json_int_t)spread->offers));
    json_array_append_new(cells, json_integer((json_int_t)spread->cards));
    return cells;
}

static bool is_one_class(const struct market_row *a, const struct market_row *b)
{
    return gt_str_eq(a->class, b->class) && currency_eq(a->currency, b->currency);
}

/* By the day in which they begin; then as they were reckoned, by class. */
static int day_order(const void *left, const void *right)
{
    const struct market_row *const *a = left, *const *b = right;
    int64_t day_a = (*a)->first_unix_s / CIVIL_DAY_S, day_b = (*b)->first_unix_s / CIVIL_DAY_S;
    return day_a != day_b ? (day_a > day_b) - (day_a < day_b) : (*a > *b) - (*a < *b);
}

/* The rows of one day as one value. The same rows get the same key, whatever was begun and not finished before. */
static enum gt_err day_put(struct store *store, struct gt_str site, size_t term, const struct market_row *const *rows, size_t count,
                           struct arena *arena, struct gt_errinfo *info)
{
    json_t *classes = json_array(), *lines = NULL;
    int64_t first = rows[0]->first_unix_s;
    for (size_t i = 0; i < count; i++) {
        if (rows[i]->first_unix_s < first) first = rows[i]->first_unix_s;
        if (i == 0 || !is_one_class(rows[i - 1], rows[i])) {
            lines = json_array();
            json_t *class = json_pack("{s:s%, s:s, s:s%, s:o}", "class", rows[i]->class.ptr, rows[i]->class.len, "currency", rows[i]->currency.code,
                                      "title", rows[i]->site_title.ptr, rows[i]->site_title.len, "rows", lines);
            json_array_append_new(classes, class);
        }
        json_array_append_new(lines, row_json(rows[i]));
    }
    char *bytes = json_dumps(classes, JSON_COMPACT);
    json_decref(classes);
    struct gt_str key = arena_printf(arena, ROW_PREFIX "%.*s\x1F%s\x1F%020lld", GT_STR_ARG(site), terms[term], (long long)first);
    enum gt_err err = bytes != NULL && key.ptr != NULL ? store_put(store, NULL, STORE_META, key, gt_str_from(bytes), info) : GT_ENOMEM;
    free(bytes);
    return err;
}

/* The spreads of the runs, which are one site's. */
static enum gt_err term_keep(struct store *store, struct gt_str site, size_t term, const struct run_index *runs, struct arena *arena,
                             struct gt_errinfo *info)
{
    const struct run_entry *last = &runs->runs[runs->count - 1];
    struct gt_str text = arena_printf(arena, "site=%.*s", GT_STR_ARG(site));
    struct board_view view = {.now_unix_s = last->start_unix_s, .persona = persona_of(term)};
    struct history history;
    struct market_history market;
    if (text.ptr == NULL) return GT_ENOMEM;
    enum gt_err err = query_read(text, arena, &view.query, info);
    if (err == GT_OK) err = history_read(store, runs->runs[0].start_unix_s, last->start_unix_s + 1, &view, arena, &history, info);
    if (err == GT_OK) err = market_history_compute(&history, runs, arena, &market);
    const struct market_row **rows = err == GT_OK ? arena_array(arena, market.count + 1, sizeof(struct market_row *)) : NULL;
    if (err == GT_OK && rows == NULL) err = GT_ENOMEM;
    for (size_t i = 0; err == GT_OK && i < market.count; i++) rows[i] = &market.rows[i];
    if (err == GT_OK && market.count > 0) qsort(rows, market.count, sizeof(struct market_row *), day_order);
    for (size_t i = 0, end; err == GT_OK && i < market.count; i = end) {
        for (end = i + 1; end < market.count && rows[end]->first_unix_s / CIVIL_DAY_S == rows[i]->first_unix_s / CIVIL_DAY_S;) end++;
        err = day_put(store, site, term, rows + i, end - i, arena, info);
    }
    return err;
}

/* The site's runs from `until` on: all but the last good one, from which on the spans go on telling. False when there are none. */
static bool runs_pick(const struct run_index *all, struct gt_str site, const struct kept_until *until, struct run_index *ret_runs,
                      const struct run_entry **ret_last)
{
    size_t from = 0, last;
    while (from < all->count && (!gt_str_eq(all->runs[from].site, site) || all->runs[from].seq < until->seq)) from++;
    size_t end = from;
    while (end < all->count && gt_str_eq(all->runs[end].site, site)) end++;
    for (last = end; last > from && !all->runs[last - 1].is_good;) last--;
    if (last <= from + 1) return false;
    *ret_last = &all->runs[last - 1];
    *ret_runs = (struct run_index){all->runs + from, last - 1 - from};
    return true;
}

enum gt_err market_keep(struct store *store, struct gt_str site, int64_t before_unix_s, struct thin_counts *ret_counts, struct gt_errinfo *info)
{
    struct arena *arena = arena_new(REPORT_BYTES_MAX);
    struct run_index all, runs;
    struct kept_until until;
    const struct run_entry *last = NULL;
    *ret_counts = (struct thin_counts){0};
    enum gt_err err = arena != NULL ? until_read(store, site, arena, &until, info) : GT_ENOMEM;
    if (err == GT_OK) err = market_runs_read(store, until.unix_s, before_unix_s, arena, &all, info);
    if (err != GT_OK || !runs_pick(&all, site, &until, &runs, &last)) goto out;
    for (size_t i = 0; i < sizeof terms / sizeof terms[0] && err == GT_OK; i++) err = term_keep(store, site, i, &runs, arena, info);
    struct gt_str note = arena_printf(arena, UNTIL_PREFIX "%.*s", GT_STR_ARG(site));
    struct gt_str value = arena_printf(arena, "{\"seq\":%llu,\"until\":%lld}", (unsigned long long)last->seq, (long long)last->start_unix_s);
    if (err == GT_OK && (note.ptr == NULL || value.ptr == NULL)) err = GT_ENOMEM;
    if (err == GT_OK) err = store_thin(store, site, last->seq, note, value, ret_counts, info);
out:
    arena_free(arena);
    return err == GT_ENOMEM ? gt_fail(info, err, "keeping the spreads of %.*s: out of memory", GT_STR_ARG(site)) : err;
}

/* ---- reading ---- */

struct reading_kept {
    struct store *store;
    int64_t since_unix_s, until_unix_s;
    const struct board_view *view;
    const char *term;
    struct arena *arena;
    struct market_history market;
    size_t cap;
};

/* A class of a site as a query sees an offer of it. */
static bool is_wanted(const struct reading_kept *reading, struct gt_str site, struct gt_str class, const char *currency)
{
    static const struct offer_identity none;
    struct class_pieces pieces;
    struct offer_attributes attributes = {.kind = KIND_MARKET};
    int word = 0;
    const struct board_view *view = reading->view;
    if (view->currency.code[0] != '\0' && !currency_eq(view->currency, currency_from(gt_str_from(currency)))) return false;
    if (!name_class_split(class, &pieces) || pieces.sku.len >= sizeof attributes.sku) return false;
    memcpy(attributes.sku, pieces.sku.ptr, pieces.sku.len);
    attributes.sku_status = SKU_EXACT;
    if (word_find(VOCABULARY_DELIVERY, pieces.delivery, &word)) attributes.delivery = (enum delivery)word;
    if (word_find(VOCABULARY_TIER, pieces.tier, &word)) attributes.tier = (enum tier)word;
    if (word_find(VOCABULARY_MARKET, pieces.market, &word)) attributes.market = (enum market)word;
    if (view->persona.market >= 0 && (int)attributes.market != view->persona.market) return false;
    return view->query == NULL || query_matches(view->query, &(struct query_subject){site, &none, &attributes, pieces.term});
}

static int64_t amount_of(const json_t *cell)
{
    int64_t nano = 0;
    return json_is_string(cell) && money_parse(gt_str_from(json_string_value(cell)), &nano) == GT_OK ? nano : 0;
}

static enum gt_err row_add(struct reading_kept *reading, struct market_row row, const json_t *cells, int64_t until_unix_s)
{
    void *rows = reading->market.rows;
    struct spread *spread = &row.spread;
    int64_t *const figures[FIGURES] = {&spread->min_nano, &spread->p10_nano, &spread->p25_nano, &spread->median_nano, &spread->p75_nano};
    row.first_unix_s = (int64_t)json_integer_value(json_array_get(cells, 0));
    row.last_unix_s = (int64_t)json_integer_value(json_array_get(cells, 1));
    row.runs = (uint32_t)json_integer_value(json_array_get(cells, 2));
    for (size_t i = 0; i < FIGURES; i++) *figures[i] = amount_of(json_array_get(cells, 3 + i));
    row.spread.offers = (size_t)json_integer_value(json_array_get(cells, 3 + FIGURES));
    row.spread.cards = (int64_t)json_integer_value(json_array_get(cells, 4 + FIGURES));
    bool is_asked = row.last_unix_s >= reading->since_unix_s && row.first_unix_s < reading->until_unix_s && row.first_unix_s < until_unix_s;
    if (!is_asked) return GT_OK;
    if (reading->market.count >= MARKET_SPREADS_MAX) return GT_ELIMIT;
    if (!arena_grow(reading->arena, &rows, reading->market.count, &reading->cap, sizeof row)) return GT_ENOMEM;
    reading->market.rows = rows;
    reading->market.rows[reading->market.count++] = row;
    return GT_OK;
}

static struct gt_str text_of(const json_t *object, const char *key, struct arena *arena)
{
    const json_t *value = json_object_get(object, key);
    return json_is_string(value) ? arena_dup(arena, (struct gt_str){json_string_value(value), json_string_length(value)}) : GT_STR("");
}

/* One value: the rows of a day. What was kept of runs that the spans still tell, since a compaction did not come to its end, is passed over. */
static enum gt_err take_day(void *ctx, struct gt_str key, struct gt_str value)
{
    struct reading_kept *reading = ctx;
    struct gt_str rest = gt_str_slice(key, sizeof ROW_PREFIX - 1, SIZE_MAX), site, term;
    struct kept_until until;
    size_t i, k;
    if (!gt_str_split(&rest, '\x1F', &site) || !gt_str_split(&rest, '\x1F', &term) || !gt_str_is(term, reading->term)) return GT_OK;
    enum gt_err err = until_read(reading->store, site, reading->arena, &until, NULL);
    json_t *classes = json_loadb(value.ptr, value.len, 0, NULL);
    const json_t *class, *cells;
    json_array_foreach(classes, i, class)
    {
        struct market_row row = {.site = arena_dup(reading->arena, site),
                                 .site_title = text_of(class, "title", reading->arena),
                                 .class = text_of(class, "class", reading->arena),
                                 .currency = currency_from(text_of(class, "currency", reading->arena))};
        if (row.site.ptr == NULL || row.site_title.ptr == NULL || row.class.ptr == NULL) err = GT_ENOMEM;
        if (err != GT_OK || !is_wanted(reading, site, row.class, row.currency.code)) continue;
        json_array_foreach(json_object_get(class, "rows"), k, cells) if (err == GT_OK) err = row_add(reading, row, cells, until.unix_s);
    }
    json_decref(classes);
    return err;
}

/* Whether what was kept is what this persona would see. */
static bool persona_is_kept(const struct persona *persona, struct arena *arena, const char **ret_term)
{
    for (size_t i = 0; i < sizeof terms / sizeof terms[0]; i++) {
        struct persona kept = persona_of(i);
        kept.market = persona->market;
        if (!gt_str_eq(persona_print(persona, arena), persona_print(&kept, arena))) continue;
        *ret_term = terms[i];
        return true;
    }
    return false;
}

static int row_order(const void *left, const void *right)
{
    const struct market_row *a = left, *b = right;
    int order = board_class_order(a->class, b->class);
    if (order == 0) order = strcmp(a->currency.code, b->currency.code);
    if (order == 0) order = gt_str_cmp(a->site, b->site);
    return order != 0 ? order : (a->first_unix_s > b->first_unix_s) - (a->first_unix_s < b->first_unix_s);
}

/* What was kept, and then what was reckoned. */
static enum gt_err kept_add(struct reading_kept *reading, const struct market_history *reckoned, struct gt_errinfo *info)
{
    enum gt_err err = store_each(reading->store, NULL, STORE_META, GT_STR(ROW_PREFIX), reading->arena, take_day, reading, info);
    struct market_row *rows = err == GT_OK ? arena_array(reading->arena, reading->market.count + reckoned->count + 1, sizeof *rows) : NULL;
    if (err != GT_OK || rows == NULL) return err != GT_OK ? err : GT_ENOMEM;
    if (reading->market.count > 0) memcpy(rows, reading->market.rows, reading->market.count * sizeof *rows);
    if (reckoned->count > 0) memcpy(rows + reading->market.count, reckoned->rows, reckoned->count * sizeof *rows);
    reading->market = (struct market_history){rows, reading->market.count + reckoned->count};
    if (reading->market.count > 0) qsort(rows, reading->market.count, sizeof *rows, row_order);
    return GT_OK;
}

enum gt_err market_history_read(struct store *store, int64_t since_unix_s, int64_t until_unix_s, const struct board_view *view,
                                const struct history *history, struct arena *arena, struct market_history *ret_market, struct gt_errinfo *info)
{
    struct reading_kept reading = {.store = store, .since_unix_s = since_unix_s, .until_unix_s = until_unix_s, .view = view, .arena = arena};
    struct run_index runs;
    struct market_history reckoned = {0};
    struct kept_until until = {0};
    enum gt_err err = market_runs_read(store, since_unix_s, until_unix_s, arena, &runs, info);
    for (size_t i = 0; err == GT_OK && i < runs.count; i++) {
        if (i == 0 || !gt_str_eq(runs.runs[i - 1].site, runs.runs[i].site)) err = until_read(store, runs.runs[i].site, arena, &until, info);
        if (runs.runs[i].start_unix_s < until.unix_s) runs.runs[i].is_good = false;
    }
    if (err == GT_OK) err = market_history_compute(history, &runs, arena, &reckoned);
    if (err == GT_OK && persona_is_kept(&view->persona, arena, &reading.term)) err = kept_add(&reading, &reckoned, info);
    else reading.market = reckoned;
    if (err == GT_ENOMEM || err == GT_ELIMIT) return gt_fail(info, err, "reading the spreads of marketplaces: %s", gt_err_text(err));
    if (err == GT_OK) *ret_market = reading.market;
    return err;
}
