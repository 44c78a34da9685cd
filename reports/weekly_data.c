/* The weekly report for programs: the same figures as flat tables. docs/schema/report.json describes them. */
#include "reports/figure.h"
#include "reports/name.h"
#include "reports/offer_cells.h"
#include "reports/source_table.h"
#include "reports/weekly_write.h"

/* Writes one table row by row. */
struct data_writer {
    struct sink_writer *writer;
    struct column columns[SINK_COLUMNS_MAX];
};

static void data_begin(struct data_writer *data, const struct weekly_frame *frame, const char *key, const struct column_def *defs,
                       size_t count)
{
    data->writer = frame->base.writer;
    table_columns(defs, count, frame->base.input->lang, data->columns);
    sink_table_begin(data->writer, key, GT_STR(""), data->columns, count);
}

static void write_values(struct weekly_frame *frame)
{
    const struct weekly *weekly = &frame->weekly;
    struct sink_writer *writer = frame->base.writer;
    frame_values(&frame->base);
    sink_value(writer, "period", cell_text(period_name(&weekly->period, frame->base.input->zone_offset_s, frame->base.arena)));
    sink_value(writer, "since", cell_number(CELL_TIME, weekly->period.since_unix_s));
    sink_value(writer, "until", cell_number(CELL_TIME, weekly->period.until_unix_s));
    sink_value(writer, "as_of", cell_number(CELL_TIME, weekly->at_unix_s));
    sink_value(writer, "first_week", cell_number(CELL_BOOL, weekly->is_first));
    sink_value(writer, "tax", frame_tax_cell(&weekly->board));
    sink_value(writer, "sources_good", cell_number(CELL_COUNT, (int64_t)weekly->sources.good));
    sink_value(writer, "sources_total", cell_number(CELL_COUNT, (int64_t)weekly->sources.count));
    sink_value(writer, "offers", cell_number(CELL_COUNT, (int64_t)weekly->board.count));
    sink_value(writer, "doubted", cell_number(CELL_COUNT, (int64_t)weekly->doubted));
    sink_value(writer, "leads", cell_number(CELL_COUNT, (int64_t)weekly->leads));
    sink_value(writer, "unmapped", cell_number(CELL_COUNT, (int64_t)weekly->unmapped));
}

/* In the report's language: they are for people, and a mail or chat message can begin with them. */
static void write_sentences(struct weekly_frame *frame)
{
    static const struct column_def defs[] = {{.key = "text"}};
    struct gt_str sentences[WEEKLY_SENTENCES_MAX];
    struct data_writer data;
    size_t count = weekly_sentences(frame, sentences);
    data_begin(&data, frame, "sentences", defs, 1);
    for (size_t i = 0; i < count; i++) {
        struct cell cell = cell_text(sentences[i]);
        sink_row(data.writer, &cell);
    }
    sink_table_end(data.writer);
}

/* ---- classes ---- */

/* clang-format off */
enum class_column {
    C_CLASS, C_SKU, C_VRAM, C_DELIVERY, C_CARDS, C_CURRENCY, C_LOW, C_SITE, C_LABEL, C_HOUR_LIST, C_MONTH_NET,
    C_MONTH_ALT, C_NODE,
    C_PROMO, C_PROMO_BOUND, C_PROMO_UNTIL, C_EVIDENCE, C_FORMULA, C_SEEN, C_SELLERS, C_OFFERS, C_MEDIAN, C_STATE,
    C_BEFORE, C_PERCENT,
    C_MEAN, C_WEEK_LOW, C_CONVERTED, C_CONVERTED_IN, CLASS_COLUMNS
};

static const struct column_def class_defs[CLASS_COLUMNS] = {
    [C_CLASS] = {.key = "class"}, [C_SKU] = {.key = "sku"}, [C_VRAM] = {.key = "vram_gb"}, [C_DELIVERY] = {.key = "delivery"},
    [C_CARDS] = {.key = "cards"}, [C_CURRENCY] = {.key = "currency"}, [C_LOW] = {.key = "low"}, [C_SITE] = {.key = "site"},
    [C_LABEL] = {.key = "label"}, [C_HOUR_LIST] = {.key = "hour_list"}, [C_MONTH_NET] = {.key = "month_net"},
    [C_MONTH_ALT] = {.key = "month_alt"}, [C_NODE] = {.key = "node_month_net"}, [C_PROMO] = {.key = "promo_month"},
    [C_PROMO_BOUND] = {.key = "promo_bound"}, [C_PROMO_UNTIL] = {.key = "promo_until"}, [C_EVIDENCE] = {.key = "evidence"},
    [C_FORMULA] = {.key = "formula"}, [C_SEEN] = {.key = "seen"}, [C_SELLERS] = {.key = "sellers"},
    [C_OFFERS] = {.key = "offers"},
    [C_MEDIAN] = {.key = "median"}, [C_STATE] = {.key = "change"}, [C_BEFORE] = {.key = "low_before"},
    [C_PERCENT] = {.key = "change_percent"}, [C_MEAN] = {.key = "week_mean"}, [C_WEEK_LOW] = {.key = "week_low"},
    [C_CONVERTED] = {.key = "converted"}, [C_CONVERTED_IN] = {.key = "converted_currency"},
};
/* clang-format on */

/* The cheapest offer of a class; nothing when none is usable. */
static void fill_low(struct cell *cells, const struct board_entry *low, struct fx_shown *fx)
{
    if (low == NULL) return;
    cells[C_CONVERTED] = fx_shown_cell(fx, low->price_nano, low->net.currency);
    if (cells[C_CONVERTED].kind != CELL_NONE) cells[C_CONVERTED_IN] = cell_words(fx->to.code);
    const struct net_price *net = &low->net;
    cells[C_LOW] = cell_money(low->price_nano);
    cells[C_SITE] = cell_text(low->row->site);
    cells[C_LABEL] = cell_text(low->row->offer.identity.label);
    cells[C_CARDS] = cell_count_known(low->row->offer.attributes.cards);
    cells[C_HOUR_LIST] = cell_money(net->hour_list_nano);
    cells[C_MONTH_NET] = cell_money(net->month_net_nano);
    cells[C_MONTH_ALT] = cell_money(net->month_alt_nano);
    cells[C_NODE] = cell_money(net->node_month_net_nano);
    cells[C_PROMO] = cell_money(net->promo_month_nano);
    if (net->promo_month_nano != 0) cells[C_PROMO_BOUND] = cell_word(VOCABULARY_BOUND, (int)net->promo_bound);
    cells[C_PROMO_UNTIL] = cell_moment(CELL_TIME, net->promo_until_unix_s);
    cells[C_EVIDENCE] = cell_word(VOCABULARY_EVIDENCE, (int)net->evidence);
    cells[C_FORMULA] = cell_text(net->formula);
    cells[C_SEEN] = cell_moment(CELL_TIME, low->row->seen_unix_s);
}

/* Also classes without a usable offer: their absence would read as "nobody sells it". */
static void write_classes(struct weekly_frame *frame)
{
    static const char *const states[] = {
        [MOVE_KNOWN] = "known", [MOVE_FIRST_WEEK] = "first-week", [MOVE_NEW] = "new", [MOVE_SHORT] = "history-short"};
    struct data_writer data;
    data_begin(&data, frame, "classes", class_defs, CLASS_COLUMNS);
    for (size_t i = 0; i < frame->weekly.class_count; i++) {
        const struct weekly_class *class = &frame->weekly.classes[i];
        const struct offer_attributes *attributes = &class->entries[0].row->offer.attributes;
        struct cell cells[CLASS_COLUMNS] = {0};
        cells[C_CLASS] = cell_text(class->entries[0].class);
        cells[C_SKU] = cell_words(attributes->sku);
        cells[C_VRAM] = cell_count_known(attributes->vram_gb);
        cells[C_DELIVERY] = cell_word(VOCABULARY_DELIVERY, (int)attributes->delivery);
        cells[C_CURRENCY] = cell_words(class->entries[0].net.currency.code);
        fill_low(cells, class->low, &frame->base.fx);
        cells[C_SELLERS] = cell_number(CELL_COUNT, class->sellers);
        cells[C_OFFERS] = cell_number(CELL_COUNT, class->offers);
        cells[C_MEDIAN] = cell_money(class->median_nano);
        cells[C_STATE] = cell_words(states[class->state]);
        cells[C_BEFORE] = cell_money(class->low_before_nano);
        if (class->state == MOVE_KNOWN) cells[C_PERCENT] = cell_number(CELL_PERCENT, class->percent_nano);
        cells[C_MEAN] = cell_money(class->week_mean_nano);
        cells[C_WEEK_LOW] = cell_money(class->week_low_nano);
        sink_row(data.writer, cells);
    }
    sink_table_end(data.writer);
}

/* ---- moves, events, crossings, offers apart ---- */

static enum gt_err write_moves(struct weekly_frame *frame)
{
    static const struct column_def defs[] = {{.key = "site"},     {.key = "label"},    {.key = "plan"},    {.key = "class"},
                                             {.key = "currency"}, {.key = "before"},   {.key = "now"},     {.key = "percent"},
                                             {.key = "seen"},     {.key = "evidence"}, {.key = "formula"}, {.key = "url"}};
    struct data_writer data;
    data_begin(&data, frame, "moves", defs, sizeof defs / sizeof defs[0]);
    for (size_t i = 0; i < frame->weekly.move_count; i++) {
        const struct weekly_move *move = &frame->weekly.moves[i];
        const struct board_row *row = move->now->row;
        int64_t seen_unix_s;
        if (weekly_move_seen(&frame->weekly, move, frame->base.arena, &seen_unix_s) != GT_OK) return GT_ENOMEM;
        const struct cell cells[] = {cell_text(row->site),
                                     cell_text(row->offer.identity.label),
                                     cell_text(row->offer.identity.plan),
                                     cell_text(move->now->class),
                                     cell_words(move->now->net.currency.code),
                                     cell_money(move->before->price_nano),
                                     cell_money(move->now->price_nano),
                                     cell_number(CELL_PERCENT, move->percent_nano),
                                     cell_moment(CELL_TIME, seen_unix_s),
                                     cell_word(VOCABULARY_EVIDENCE, (int)move->now->net.evidence),
                                     cell_text(move->now->net.formula),
                                     cell_text(row->url)};
        sink_row(data.writer, cells);
    }
    sink_table_end(data.writer);
    return GT_OK;
}

/* All changes of the period, unfiltered: programs choose for themselves. */
static enum gt_err write_events(struct weekly_frame *frame)
{
    static const struct column_def defs[] = {{.key = "time"},  {.key = "kind"},        {.key = "site"},     {.key = "label"},
                                             {.key = "plan"},  {.key = "sku"},         {.key = "currency"}, {.key = "before"},
                                             {.key = "after"}, {.key = "promo_month"}, {.key = "detail"},   {.key = "doubted"},
                                             {.key = "url"}};
    struct data_writer data;
    data_begin(&data, frame, "events", defs, sizeof defs / sizeof defs[0]);
    for (size_t i = 0; i < frame->weekly.changes.count; i++) {
        struct change_entry priced;
        if (change_list_entry(&frame->weekly.changes, i, frame->base.arena, &priced) != GT_OK) return GT_ENOMEM;
        const struct change_entry *entry = &priced;
        const struct offer_identity none = {0}, *identity = entry->change.identity != NULL ? entry->change.identity : &none;
        const struct net_price *net = entry->change.after != NULL ? &entry->after : &entry->before;
        const struct cell cells[] = {cell_moment(CELL_TIME, entry->change.t_unix_s),
                                     cell_word(VOCABULARY_CHANGE, (int)entry->change.kind),
                                     cell_text(entry->change.site),
                                     cell_text(identity->label),
                                     cell_text(identity->plan),
                                     entry->change.attributes != NULL ? cell_words(entry->change.attributes->sku) : cell_none(),
                                     cell_words(net->currency.code),
                                     cell_money(entry->before_nano),
                                     cell_money(entry->after_nano),
                                     cell_money(net->promo_month_nano),
                                     cell_text(entry->change.detail),
                                     cell_number(CELL_BOOL, entry->change.is_doubted),
                                     cell_text(entry->url)};
        sink_row(data.writer, cells);
    }
    sink_table_end(data.writer);
    return GT_OK;
}

static void write_crossings(struct weekly_frame *frame)
{
    static const struct column_def defs[] = {{.key = "sku"},
                                             {.key = "currency"},
                                             {.key = "container_site"},
                                             {.key = "container_month"},
                                             {.key = "node_site"},
                                             {.key = "node_card_month"},
                                             {.key = "percent"},
                                             {.key = "node_month"},
                                             {.key = "container_hours_list"},
                                             {.key = "container_hours_net"},
                                             {.key = "node_hours_list"},
                                             {.key = "node_hours_net"}};
    struct data_writer data;
    data_begin(&data, frame, "crossings", defs, sizeof defs / sizeof defs[0]);
    for (size_t i = 0; i < frame->weekly.crossings.count; i++) {
        const struct crossing *crossing = &frame->weekly.crossings.crossings[i];
        const struct cell cells[] = {cell_words(crossing->node->row->offer.attributes.sku),
                                     cell_words(crossing->node->net.currency.code),
                                     cell_text(crossing->container->row->site),
                                     cell_money(crossing->container->net.month_net_nano),
                                     cell_text(crossing->node->row->site),
                                     cell_money(crossing->node->net.month_net_nano),
                                     cell_number(CELL_PERCENT, crossing->percent_nano),
                                     cell_money(crossing->bill_nano),
                                     cell_count_known(crossing->container_hours_list),
                                     cell_count_known(crossing->container_hours_net),
                                     cell_count_known(crossing->node_hours_list),
                                     cell_count_known(crossing->node_hours_net)};
        sink_row(data.writer, cells);
    }
    sink_table_end(data.writer);
}

/* Offers that enter no low, and why. */
static void write_apart(struct weekly_frame *frame)
{
    static const struct column_def defs[] = {{.key = "site"},       {.key = "label"},    {.key = "plan"},     {.key = "sku"},
                                             {.key = "sku_status"}, {.key = "currency"}, {.key = "price"},    {.key = "bound"},
                                             {.key = "doubted"},    {.key = "stale"},    {.key = "sold_out"}, {.key = "lead"},
                                             {.key = "age_s"},      {.key = "doubt"},    {.key = "variant"}};
    struct data_writer data;
    data_begin(&data, frame, "apart", defs, sizeof defs / sizeof defs[0]);
    for (size_t i = 0; i < frame->weekly.board.count; i++) {
        const struct board_entry *entry = &frame->weekly.board.entries[i];
        const struct offer *offer = &entry->row->offer;
        if (entry->marks == 0) continue;
        const struct cell cells[] = {cell_text(entry->row->site),
                                     cell_text(offer->identity.label),
                                     cell_text(offer->identity.plan),
                                     cell_words(offer->attributes.sku),
                                     cell_word(VOCABULARY_SKU, (int)offer->attributes.sku_status),
                                     cell_words(entry->net.currency.code),
                                     cell_money(entry->price_nano),
                                     cell_word(VOCABULARY_BOUND, (int)entry->net.bound),
                                     cell_number(CELL_BOOL, (entry->marks & BOARD_DOUBTED) != 0),
                                     cell_number(CELL_BOOL, (entry->marks & BOARD_STALE) != 0),
                                     cell_number(CELL_BOOL, (entry->marks & BOARD_SOLD_OUT) != 0),
                                     cell_number(CELL_BOOL, (entry->marks & BOARD_LEAD) != 0),
                                     cell_number(CELL_AGE, entry->age_s),
                                     cell_text(entry->row->doubt),
                                     cell_text(offer->identity.variant)};
        sink_row(data.writer, cells);
    }
    sink_table_end(data.writer);
}

enum gt_err weekly_data(struct weekly_frame *frame)
{
    enum gt_lang lang = frame->base.input->lang;
    write_values(frame);
    write_sentences(frame);
    weekly_corrections_data(frame);
    write_classes(frame);
    enum gt_err err = write_moves(frame);
    if (err == GT_OK) err = write_events(frame);
    write_crossings(frame);
    if (err == GT_OK) err = weekly_holdings(frame);
    if (err == GT_OK) err = finding_table_write(frame->base.writer, &frame->weekly.findings, lang, frame->base.arena);
    write_apart(frame);
    if (err == GT_OK)
        err = source_table_write(frame->base.writer, &frame->weekly.sources, false, frame->weekly.at_unix_s, lang, frame->base.arena);
    fx_shown_write(&frame->base.fx, frame->base.writer, lang, frame->base.arena);
    return err;
}
