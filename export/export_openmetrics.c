/* OpenMetrics 1.0 (github.com/OpenObservability/OpenMetrics, specification): one family after another, each series whole and in order of
 * time, which is what `promtool tsdb create-blocks-from openmetrics` takes. Doubted and voided observations are series of their own,
 * so that no query mixes them in silently. Amounts are printed from integers: a decimal text, never through floating point. */
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "common/file.h"
#include "common/strbuf.h"
#include "common/utf8.h"
#include "export/export.h"

enum { LABELS_BYTES_MAX = 64 * 1024, SERIES_NAME_MAX = 48, SAMPLES_BYTES_MAX = 512 << 20 };

/* A family's value in one thing; false: it has none. Labels beside those of the stream and offer go to `labels`. */
struct family {
    const char *name, *help;
    enum dump_kind kind;
    bool (*value)(const void *item, int64_t *ret_nano, struct strbuf *labels);
};

/* One point of the series in hand. `order` keeps those of one second apart: the last one told wins. */
struct sample {
    int64_t t_unix_s, nano;
    size_t order;
    uint32_t series;
};

/* The series of one source or offer, until it is complete. */
struct series {
    char *labels;
    uint32_t place;
};
struct series_set {
    struct series **items;
    size_t count, cap;
    void *tree; /* by labels: tsearch(3) */
    struct sample *samples;
    size_t sample_count, sample_cap;
    uint32_t stream, offer;
};

struct openmetrics {
    FILE *file;
    struct gt_errinfo *info;
    const struct family *family;
    struct series_set set;
    struct strbuf labels;
    bool is_sample; /* said in each family's help: the format has no other place for it */
};

/* ---- labels ---- */

/* Escaped as the format has it; bytes that are no UTF-8 become U+FFFD, for the file must be. */
static void add_label(struct strbuf *out, const char *name, struct gt_str text)
{
    if (text.len == 0) return;
    strbuf_addf(out, "%s%s=\"", out->len > 0 ? "," : "", name);
    for (size_t at = 0, step; at < text.len; at += step) {
        char bytes[4];
        int32_t c = utf8_decode(text, at, &step);
        if (c == '\n') strbuf_adds(out, "\\n");
        else if (c == '"' || c == '\\') strbuf_addf(out, "\\%c", (int)c);
        else strbuf_add(out, (struct gt_str){bytes, utf8_encode(c, bytes)});
    }
    strbuf_addc(out, '"');
}

static void add_word(struct strbuf *out, const char *name, enum vocabulary vocabulary, int value)
{
    if (value != 0) add_label(out, name, gt_str_from(word_text(vocabulary, value)));
}

/* The live stream of this installation has the fewest labels. */
static void add_stream(struct strbuf *out, const struct stream *stream)
{
    add_label(out, "site", stream->site);
    add_label(out, "part", stream->part);
    add_word(out, "provenance", VOCABULARY_PROVENANCE, (int)stream->provenance);
    add_label(out, "writer", stream->writer);
}

static void add_identity(struct strbuf *out, const struct offer_identity *identity)
{
    add_label(out, "label", identity->label);
    add_label(out, "plan", identity->plan);
    add_label(out, "region", identity->region);
    add_label(out, "variant", identity->variant);
    add_label(out, "key", identity->key);
}

static void add_offer(struct strbuf *out, const struct dump_observation *seen)
{
    add_stream(out, &seen->stream);
    add_identity(out, &seen->identity);
    add_label(out, "sku", gt_str_from(seen->attributes.sku));
    add_word(out, "delivery", VOCABULARY_DELIVERY, (int)seen->attributes.delivery);
    add_word(out, "tier", VOCABULARY_TIER, (int)seen->attributes.tier);
    if (seen->is_doubted) add_label(out, "doubted", GT_STR("true"));
    if (seen->is_voided) add_label(out, "voided", GT_STR("true"));
}

/* ---- families ---- */

static bool price_value(const struct dump_observation *seen, int64_t nano, int64_t *ret_nano, struct strbuf *labels)
{
    *ret_nano = nano;
    add_offer(labels, seen);
    add_label(labels, "currency", gt_str_from(seen->record.currency.code));
    return nano != 0;
}

static bool hour_value(const void *item, int64_t *ret_nano, struct strbuf *labels)
{
    const struct dump_observation *seen = item;
    return price_value(seen, seen->record.hour_list_nano, ret_nano, labels);
}

static bool month_value(const void *item, int64_t *ret_nano, struct strbuf *labels)
{
    const struct dump_observation *seen = item;
    return price_value(seen, seen->record.month_list_nano, ret_nano, labels);
}

static bool shown_value(const void *item, int64_t *ret_nano, struct strbuf *labels)
{
    const struct dump_observation *seen = item;
    add_offer(labels, seen);
    add_word(labels, "availability", VOCABULARY_AVAIL, (int)seen->record.availability);
    *ret_nano = NANO;
    return true;
}

static bool run_value(const void *item, int64_t *ret_nano, struct strbuf *labels)
{
    const struct dump_run *run = item;
    add_stream(labels, &run->stream);
    *ret_nano = run->row.is_good ? NANO : 0;
    return !run->row.is_action;
}

static bool run_offers_value(const void *item, int64_t *ret_nano, struct strbuf *labels)
{
    const struct dump_run *run = item;
    add_stream(labels, &run->stream);
    *ret_nano = (int64_t)run->row.offers_seen * NANO;
    return run->row.is_content;
}

/* One change a sample: which and of what stands in the labels. */
static bool change_value(const void *item, int64_t *ret_nano, struct strbuf *labels)
{
    const struct dump_change *change = item;
    struct strbuf words;
    if (change->step.kinds == 0) return false;
    strbuf_init(&words, LABELS_BYTES_MAX);
    for (int kind = 0; kind < CHANGE_WORDS; kind++)
        if ((change->step.kinds >> kind & 1) != 0)
            strbuf_addf(&words, "%s%s", words.len > 0 ? " " : "", word_text(VOCABULARY_CHANGE, kind));
    add_stream(labels, &change->stream);
    add_identity(labels, &change->identity);
    add_label(labels, "changes", strbuf_str(&words));
    strbuf_done(&words);
    *ret_nano = NANO;
    return true;
}

/* Names and labels are what dashboards rely on: add, never rename. */
static const struct family families[] = {
    {"gputape_hour_list_price", "List price of one card for one hour, in units of the currency", DUMP_OBSERVATION, hour_value},
    {"gputape_month_list_price", "List price of one card for one month, in units of the currency", DUMP_OBSERVATION, month_value},
    {"gputape_offer_shown", "1 where a run showed the offer", DUMP_OBSERVATION, shown_value},
    {"gputape_change", "1 where something changed", DUMP_CHANGE, change_value},
    {"gputape_run_good", "1 for a run whose prices may stand, else 0", DUMP_RUN, run_value},
    {"gputape_run_offers", "Offers that a run showed", DUMP_RUN, run_offers_value},
};

/* ---- series ---- */

/* By series, time, order. */
static int sample_cmp(const void *left, const void *right)
{
    const struct sample *a = left, *b = right;
    if (a->series != b->series) return a->series < b->series ? -1 : 1;
    if (a->t_unix_s != b->t_unix_s) return a->t_unix_s < b->t_unix_s ? -1 : 1;
    return (a->order > b->order) - (a->order < b->order);
}

/* Labels are compared as they are printed: two offers whose words differ are two series, however alike they are. */
static int series_cmp(const void *left, const void *right)
{
    const struct series *a = left, *b = right;
    return strcmp(a->labels, b->labels);
}

/* Writes what was gathered and begins anew. Clocks may have jumped, so samples are sorted; two runs of one second are one. */
static void set_flush(struct openmetrics *om)
{
    struct series_set *set = &om->set;
    char money[MONEY_TEXT_MAX];
    if (set->sample_count > 0) qsort(set->samples, set->sample_count, sizeof *set->samples, sample_cmp);
    for (size_t i = 0; i < set->sample_count; i++) {
        const struct sample *sample = &set->samples[i], *next = i + 1 < set->sample_count ? sample + 1 : NULL;
        if (next != NULL && next->series == sample->series && next->t_unix_s == sample->t_unix_s) continue;
        fprintf(om->file, "%s{%s} %s %lld\n", om->family->name, set->items[sample->series]->labels, money_format(sample->nano, money),
                (long long)sample->t_unix_s);
    }
    for (size_t i = 0; i < set->count; i++) {
        tdelete(set->items[i], &set->tree, series_cmp);
        free(set->items[i]->labels);
        free(set->items[i]);
    }
    set->count = set->sample_count = 0;
}

/* Grows an array to hold one more. */
static bool grow(void **items, size_t count, size_t *cap, size_t bytes)
{
    if (count < *cap) return true;
    size_t wanted = *cap != 0 ? *cap * 2 : 64;
    void *grown = wanted <= SAMPLES_BYTES_MAX / bytes ? realloc(*items, wanted * bytes) : NULL;
    if (grown == NULL) return false;
    *items = grown;
    *cap = wanted;
    return true;
}

/* The series of these labels, made when there is none. False when memory is out. */
static bool series_find(struct series_set *set, const struct strbuf *labels, uint32_t *ret_series)
{
    struct series wanted = {.labels = labels->ptr};
    void *items = set->items, *found = tfind(&wanted, &set->tree, series_cmp);
    if (found != NULL) {
        *ret_series = (*(struct series **)found)->place;
        return true;
    }
    if (!grow(&items, set->count, &set->cap, sizeof(struct series *))) return false;
    set->items = items;
    struct series *made = malloc(sizeof *made);
    if (made == NULL) return false;
    *made = (struct series){strdup(labels->ptr), (uint32_t)set->count};
    if (made->labels == NULL || tsearch(made, &set->tree, series_cmp) == NULL) {
        free(made->labels);
        free(made);
        return false;
    }
    set->items[set->count++] = made;
    *ret_series = made->place;
    return true;
}

/* Adds a point; another source or offer than before closes the set. */
static enum gt_err sample_add(struct openmetrics *om, uint32_t stream, uint32_t offer, int64_t t_unix_s, int64_t nano)
{
    struct series_set *set = &om->set;
    uint32_t series;
    if (set->stream != stream || set->offer != offer) set_flush(om);
    set->stream = stream;
    set->offer = offer;
    void *samples = set->samples;
    if (om->labels.err != GT_OK || !series_find(set, &om->labels, &series) ||
        !grow(&samples, set->sample_count, &set->sample_cap, sizeof *set->samples))
        return gt_fail(om->info, GT_ENOMEM, "out of memory");
    set->samples = samples;
    set->samples[set->sample_count] = (struct sample){t_unix_s, nano, set->sample_count, series};
    set->sample_count++;
    return ferror(om->file) != 0 ? file_fail(om->info, "cannot write", "the export") : GT_OK;
}

/* A sample's set is closed by the next source or offer; runs and changes are of the source, 0 stands for it. */
static enum gt_err openmetrics_item(void *ctx, enum dump_kind kind, const void *item)
{
    struct openmetrics *om = ctx;
    int64_t nano;
    const struct dump_observation *seen = item;
    const struct dump_run *run = item;
    const struct dump_change *change = item;
    strbuf_clear(&om->labels);
    if (kind != om->family->kind || !om->family->value(item, &nano, &om->labels)) return GT_OK;
    if (kind == DUMP_OBSERVATION) return sample_add(om, seen->stream_id, seen->offer, seen->t_unix_s, nano);
    if (kind == DUMP_RUN) return sample_add(om, run->stream_id, 0, run->row.t_unix_s, nano);
    return sample_add(om, change->stream_id, 0, change->t_unix_s, nano);
}

/* One family: one walk through the store, for a family's lines must stand together. */
static enum gt_err family_write(struct openmetrics *om, struct store *store, const struct dump_options *options)
{
    struct dump_options own = *options;
    own.kinds = 1U << om->family->kind;
    fprintf(om->file, "# HELP %s %s%s\n# TYPE %s gauge\n", om->family->name, om->family->help,
            om->is_sample ? ", " STORE_SAMPLE_NOTICE : "", om->family->name);
    enum gt_err err = store_dump(store, &own, openmetrics_item, om, om->info);
    set_flush(om);
    return err;
}

/* The text must end in "# EOF": a reader takes a file without it for cut, which is what a failure leaves. */
enum gt_err export_openmetrics(struct store *store, const struct dump_options *options, FILE *file, struct gt_errinfo *info)
{
    struct openmetrics om = {.file = file, .info = info};
    enum gt_err err = store_is_sample(store, &om.is_sample, info);
    strbuf_init(&om.labels, LABELS_BYTES_MAX);
    for (size_t i = 0; i < sizeof families / sizeof families[0] && err == GT_OK; i++) {
        om.family = &families[i];
        err = family_write(&om, store, options);
    }
    if (err == GT_OK) fputs("# EOF\n", file);
    strbuf_done(&om.labels);
    free(om.set.items);
    free(om.set.samples);
    return err;
}
