/* /metrics in OpenMetrics 1.0 (https://prometheus.io/docs/specs/om/open_metrics_spec/): a gauge for each offer's price, for the index, for the
 * health of each source. Amounts are exact decimals, never through a double. */
#include "common/utf8.h"
#include "pricing/money.h"
#include "reports/frame.h"
#include "reports/index_read.h"
#include "reports/out.h"
#include "reports/source_list.h"
#include "web/board_table.h"

/* The metrics in the making: all of one family stand together, as the format wants. */
struct metrics {
    struct out out;
    struct arena *scratch;
    const struct report_input *input;
};

static void family(struct metrics *metrics, const char *name, const char *unit, const char *help)
{
    out_printf(&metrics->out, "# TYPE %s gauge\n", name);
    if (unit != NULL) out_printf(&metrics->out, "# UNIT %s %s\n", name, unit);
    out_printf(&metrics->out, "# HELP %s %s\n", name, help);
}

/* A label's value: backslash, quote and line end are escaped, what steers a terminal is made visible first. */
static void label_put(struct metrics *metrics, char sign, const char *name, struct gt_str value)
{
    struct gt_str text = utf8_printable(value, metrics->scratch);
    out_printf(&metrics->out, "%c%s=\"", sign, name);
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '\\' || text.ptr[i] == '"') out_text(&metrics->out, "\\");
        out_str(&metrics->out, gt_str_slice(text, i, 1));
    }
    out_text(&metrics->out, "\"");
}

static void value_put(struct metrics *metrics, int64_t nano)
{
    char text[MONEY_TEXT_MAX];
    out_printf(&metrics->out, "} %s\n", money_format(nano, text));
}

/* ---- prices ---- */

/* What tells an offer's series apart, and what one wants to choose by. The id alone makes it unique. */
static void offer_labels(struct metrics *metrics, const struct board_entry *entry)
{
    const struct board_row *row = entry->row;
    const struct offer_identity *identity = &row->offer.identity;
    label_put(metrics, '{', "site", row->site);
    label_put(metrics, ',', "id", arena_printf(metrics->scratch, "%llu", (unsigned long long)row->offer_id));
    label_put(metrics, ',', "sku", gt_str_from(row->offer.attributes.sku));
    label_put(metrics, ',', "class", entry->class);
    label_put(metrics, ',', "label", identity->label);
    label_put(metrics, ',', "plan", identity->plan);
    label_put(metrics, ',', "region", identity->region);
    label_put(metrics, ',', "currency", gt_str_from(entry->net.currency.code));
    label_put(metrics, ',', "evidence", gt_str_from(word_text(VOCABULARY_EVIDENCE, (int)entry->net.evidence)));
}

/* Only what may be the cheapest: a marked price in a graph has lost its mark. The good row of an offer is the one. */
static void prices_write(struct metrics *metrics, const struct board *board, bool is_hour)
{
    family(metrics, is_hour ? "gputape_offer_hour_price" : "gputape_offer_month_price", NULL,
           is_hour ? "What an hour of one card costs, in the currency named." : "What a month of one card costs, in the currency named.");
    for (size_t i = 0; i < board->count; i++) {
        const struct board_entry *entry = &board->entries[i];
        int64_t nano = is_hour ? entry->net.hour_net_nano : entry->net.month_net_nano;
        if (nano == 0 || (entry->marks & ~(unsigned)BOARD_NO_PRICE) != 0) continue;
        arena_clear(metrics->scratch);
        out_text(&metrics->out, is_hour ? "gputape_offer_hour_price" : "gputape_offer_month_price");
        offer_labels(metrics, entry);
        value_put(metrics, nano);
    }
}

/* Lows only of what may be the cheapest: marked offers (bounds, doubts, leads) are none here either. */
static void lows_write(struct metrics *metrics, const struct board *board)
{
    family(metrics, "gputape_class_low_price", NULL, "The cheapest comparable offer of a class for the default persona, a card and month.");
    for (size_t i = 0; i < board->count; i++) {
        const struct board_entry *entry = &board->entries[i];
        if (!entry->is_cheapest) continue;
        arena_clear(metrics->scratch);
        out_text(&metrics->out, "gputape_class_low_price");
        label_put(metrics, '{', "class", entry->class);
        label_put(metrics, ',', "sku", gt_str_from(entry->row->offer.attributes.sku));
        label_put(metrics, ',', "site", entry->row->site);
        label_put(metrics, ',', "currency", gt_str_from(entry->net.currency.code));
        value_put(metrics, entry->price_nano);
    }
}

/* ---- the index ---- */

/* The newest week alone: a metric is a value of now, its past is what Prometheus keeps. */
static enum gt_err index_write(struct metrics *metrics, struct arena *arena, struct gt_errinfo *info)
{
    struct index_weeks weeks;
    struct price_index index = {0};
    bool is_sample = false;
    enum gt_err err = index_weeks_from(metrics->input, &weeks, info);
    if (err == GT_OK) err = index_read(metrics->input, &weeks, arena, &index, &is_sample, info);
    if (err != GT_OK) return err;
    family(metrics, "gputape_index", NULL, "The matched-model price index of a class or card, 100 in its base week; the newest week.");
    for (size_t i = 0; i < index.series_count; i++) {
        const struct index_series *series = &index.series[i];
        const struct index_point *point = &series->points[index.week_count - 1];
        if (!point->has_value) continue;
        arena_clear(metrics->scratch);
        out_text(&metrics->out, "gputape_index");
        label_put(metrics, '{', "key", series->key);
        label_put(metrics, ',', "sku", series->sku);
        label_put(metrics, ',', "level", series->is_card ? GT_STR("sku") : GT_STR("class"));
        value_put(metrics, point->value_nano);
    }
    price_index_done(&index);
    return GT_OK;
}

/* ---- sources ---- */

enum source_metric { SOURCE_UP, SOURCE_GOOD, SOURCE_OFFERS, SOURCE_DOUBTED, SOURCE_STREAK, SOURCE_LATENCY, SOURCE_METRICS };

static const struct {
    const char *name, *unit, *help;
} source_metrics[SOURCE_METRICS] = {
    [SOURCE_UP] = {"gputape_source_up", NULL, "1 when the source has given good data in the last 48 hours."},
    [SOURCE_GOOD] = {"gputape_source_last_good_timestamp_seconds", "seconds", "When the source last gave good data."},
    [SOURCE_OFFERS] = {"gputape_source_offers", NULL, "Offers listed now."},
    [SOURCE_DOUBTED] = {"gputape_source_doubted_offers", NULL, "Offers that the guards doubt."},
    [SOURCE_STREAK] = {"gputape_source_failed_runs", NULL, "Failed runs of the last seven days."},
    [SOURCE_LATENCY] = {"gputape_source_latency_seconds", "seconds", "How long the last run took."},
};

/* What is not known has no sample. */
static bool source_value(const struct source *source, enum source_metric metric, int64_t *ret_nano)
{
    int64_t value = 0, scale = NANO;
    switch (metric) {
    case SOURCE_UP: value = source->is_good; break;
    case SOURCE_GOOD: value = source->good_unix_s; break;
    case SOURCE_OFFERS: value = source->offers; break;
    case SOURCE_DOUBTED: value = source->doubted; break;
    case SOURCE_STREAK: value = source->runs_failed; break;
    case SOURCE_LATENCY: value = source->latency_ms, scale = NANO / 1000; break;
    case SOURCE_METRICS: return false;
    }
    bool is_known = metric == SOURCE_GOOD ? value != 0 : metric == SOURCE_LATENCY ? source->runs > 0 : true;
    return is_known && !__builtin_mul_overflow(value, scale, ret_nano);
}

/* Metric by metric over all sources: a family's lines must stand together. */
static enum gt_err sources_write(struct metrics *metrics, const struct board_rows *rows, struct arena *arena, struct gt_errinfo *info)
{
    const struct report_input *input = metrics->input;
    struct source_list list;
    int64_t until = input->now_unix_s + 1, nano;
    enum gt_err err =
        source_list_read(input->store, until - CIVIL_WEEK_S, until, rows, input->sites, input->site_count, input->now_unix_s, arena, &list, info);
    if (err != GT_OK) return err;
    for (unsigned metric = 0; metric < SOURCE_METRICS; metric++) {
        family(metrics, source_metrics[metric].name, source_metrics[metric].unit, source_metrics[metric].help);
        for (size_t i = 0; i < list.count; i++) {
            if (!source_value(&list.sources[i], (enum source_metric)metric, &nano)) continue;
            arena_clear(metrics->scratch);
            out_text(&metrics->out, source_metrics[metric].name);
            label_put(metrics, '{', "site", list.sources[i].site);
            value_put(metrics, nano);
        }
    }
    return GT_OK;
}

static enum gt_err metrics_render(const struct web_view *view, FILE *file, struct gt_errinfo *info)
{
    struct metrics metrics = {.out = {.file = file}, .scratch = arena_new(REPORT_BYTES_MAX), .input = &view->input};
    struct web_board read;
    bool is_sample = false;
    if (metrics.scratch == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    enum gt_err err = web_board_read(view, &view->input, &read, info);
    if (err == GT_OK) err = store_is_sample(view->input.store, &is_sample, info);
    if (err != GT_OK) goto out;
    family(&metrics, "gputape_build_info", NULL, "The program's version; sample is 1 when any data is SAMPLE data.");
    out_printf(&metrics.out, "gputape_build_info{version=\"%s\",sample=\"%d\"} 1\n", GPUTAPE_VERSION, is_sample);
    prices_write(&metrics, &read.board, true);
    prices_write(&metrics, &read.board, false);
    lows_write(&metrics, &read.board);
    err = index_write(&metrics, view->arena, info);
    if (err == GT_OK) err = sources_write(&metrics, &read.rows, view->arena, info);
    out_text(&metrics.out, "# EOF\n");
    if (err == GT_OK) err = out_done(&metrics.out, info);
out:
    arena_free(metrics.scratch);
    return err;
}

const struct web_route web_route_metrics = {
    .path = "/metrics",
    .kind = WEB_KIND_TEXT,
    .media_type = "application/openmetrics-text; version=1.0.0; charset=utf-8",
    .render = metrics_render,
};
