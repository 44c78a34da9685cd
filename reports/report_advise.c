/* `advise`: how much memory a model needs, which offers hold it, and what they cost with everything that comes on top. */
#include "reports/advice.h"
#include "reports/figure.h"
#include "reports/frame.h"
#include "reports/interval.h"
#include "reports/name.h"
#include "reports/offer_cells.h"
#include "reports/table.h"

struct advise_frame {
    struct frame base;
    const struct advice_need *need;
    struct advice advice;
};

/* The words of enum advice_gap and enum board_mark for programs, in the order of their bits. */
static const char *const gap_words[] = {"storage-fee",  "traffic-fee", "management-fee", "tax",
                                        "interconnect", "one-node",    "host-price",     "approximate-fee"};
static const enum label gap_labels[] = {LABEL_GAP_STORAGE,      LABEL_GAP_TRAFFIC,  LABEL_GAP_MANAGEMENT, LABEL_GAP_TAX,
                                        LABEL_GAP_INTERCONNECT, LABEL_GAP_ONE_NODE, LABEL_GAP_HOST,       LABEL_GAP_APPROX};
static const char *const mark_words[] = {"bound", "doubted", "stale", "sold-out", "lead", "no-price"};

enum { MARK_WORDS = sizeof mark_words / sizeof mark_words[0] };

/* The words of the bits that are set, joined by blanks. */
static struct gt_str words_of(unsigned bits, const char *const *words, size_t count, struct arena *arena)
{
    struct gt_str text = GT_STR("");
    for (size_t i = 0; i < count; i++)
        if (bits & 1u << i) text = arena_printf(arena, "%.*s%s%s", GT_STR_ARG(text), text.len > 0 ? " " : "", words[i]);
    return text;
}

/* The same for people. What holds of nearly every site (nobody states its management fee) stands in the notes instead. */
static struct gt_str gaps_text(unsigned gaps, enum gt_lang lang, struct arena *arena)
{
    struct gt_str text = GT_STR("");
    for (size_t i = 0; i < ADVICE_GAP_COUNT; i++) {
        struct gt_str word = label(lang, gap_labels[i]);
        if ((gaps & ~(unsigned)(ADVICE_GAP_MANAGEMENT | ADVICE_GAP_TAX)) & 1u << i)
            text = arena_printf(arena, "%.*s%s%.*s", GT_STR_ARG(text), text.len > 0 ? "·" : "", GT_STR_ARG(word));
    }
    return text;
}

/* ---- the memory ---- */

enum memory_part { PART_WEIGHTS, PART_OVERHEAD, PART_KV, PART_TRAINING, PART_ACTIVATIONS, PART_TOTAL, PARTS };

static const struct memory_part_word {
    const char *word;
    enum label label;
} parts[PARTS] = {
    [PART_WEIGHTS] = {"weights", LABEL_PART_WEIGHTS},   [PART_OVERHEAD] = {"overhead", LABEL_PART_OVERHEAD},
    [PART_KV] = {"kv-cache", LABEL_PART_KV},            [PART_TRAINING] = {"training-state", LABEL_PART_TRAINING},
    [PART_ACTIVATIONS] = {"activations", LABEL_PART_ACTIVATIONS}, [PART_TOTAL] = {"total", LABEL_PART_TOTAL},
};

static int64_t part_bytes(const struct model_memory *memory, enum memory_part part)
{
    const int64_t bytes[PARTS] = {memory->weights_bytes, memory->overhead_bytes,   memory->kv_bytes,
                                  memory->train_bytes,   memory->activation_bytes, memory->total_bytes};
    return bytes[part];
}

/* "0.5", "1", "2": the bytes of a weight. */
static const char *weight_bytes(enum model_precision precision)
{
    return precision == MODEL_INT4 ? "0.5" : precision == MODEL_FP16 || precision == MODEL_BF16 ? "2" : "1";
}

/* How one part came to be, with its numbers. 10^9 parameters and 10^9 bytes print as nano-units do. */
static struct gt_str part_formula(const struct advise_frame *frame, enum memory_part part)
{
    const struct model_need *need = &frame->need->model;
    const struct model_memory *memory = &frame->advice.memory;
    struct arena *arena = frame->base.arena;
    char params[MONEY_TEXT_MAX], gb[MONEY_TEXT_MAX];
    long long context = need->context, batch = need->batch;
    money_format(need->params, params);
    money_format(memory->weights_bytes, gb);
    switch (part) {
    case PART_WEIGHTS: return arena_printf(arena, "%sB × %s B", params, weight_bytes(need->precision));
    case PART_OVERHEAD: return arena_printf(arena, "%s GB × %d%%", gb, MODEL_OVERHEAD_PERCENT);
    case PART_KV: return arena_printf(arena, "2 × %d × %d × 2 B × %lld × %lld", memory->layers, memory->kv_width, context, batch);
    case PART_TRAINING: return arena_printf(arena, need->method == MODEL_FULL ? "%sB × 14 B" : "%sB × 1%% × 16 B", params);
    case PART_ACTIVATIONS:
        return arena_printf(arena, "%lld × %lld × %d × (2 × %d + 34) B", context, batch, memory->width, memory->layers);
    default: return GT_STR("");
    }
}

static enum gt_err write_memory(struct advise_frame *frame)
{
    static const struct column_def defs[] = {{"part", LABEL_MEMORY_PART, COLUMN_KEEP, 0},
                                             {"formula", LABEL_FORMULA, COLUMN_KEEP | COLUMN_WRAP, 0},
                                             {"gb", LABEL_MEMORY_GB, COLUMN_RIGHT | COLUMN_KEEP, 2}};
    enum gt_lang lang = frame->base.input->lang;
    bool is_data = sink_is_data(frame->base.writer);
    struct table table;
    table_init(&table, frame->base.arena, lang, defs, sizeof defs / sizeof defs[0]);
    for (int part = 0; part < PARTS; part++) {
        int64_t bytes = part_bytes(&frame->advice.memory, (enum memory_part)part);
        if (bytes == 0) continue;
        struct cell *cells = table_row(&table);
        cells[0] = is_data ? cell_words(parts[part].word) : cell_text(label(lang, parts[part].label));
        cells[1] = cell_remark(part_formula(frame, (enum memory_part)part));
        cells[2] = cell_money(bytes);
    }
    if (is_data) return table_write_all(&table, frame->base.writer, "memory");
    return table_write(&table, frame->base.writer, "memory", GT_STR(""));
}

/* ---- for programs ---- */

/* clang-format off */
enum data_column {
    D_SITE, D_LABEL, D_PLAN, D_REGION, D_SKU, D_VRAM, D_CLASS, D_DELIVERY, D_TIER, D_MARKET, D_CURRENCY, D_PAY, D_NEEDED, D_UNITS,
    D_UNIT_CARDS, D_CARDS, D_INTERCONNECT, D_LINK_PRINTED, D_HOURS, D_MONTHS, D_RENT, D_STORAGE, D_TRAFFIC, D_MANAGEMENT, D_TOTAL, D_HIDDEN,
    D_COMPLETE, D_TRIAL, D_CHEAPEST, D_SMALLEST, D_EVIDENCE, D_FORMULA, D_GAPS, D_MARKS, D_AGE, D_URL, D_CONVERTED, D_CONVERTED_IN, DATA_COLUMNS
};

static const struct column_def data_columns[DATA_COLUMNS] = {
    [D_SITE] = {.key = "site"}, [D_LABEL] = {.key = "label"}, [D_PLAN] = {.key = "plan"}, [D_REGION] = {.key = "region"},
    [D_SKU] = {.key = "sku"}, [D_VRAM] = {.key = "vram_gb"}, [D_CLASS] = {.key = "class"}, [D_DELIVERY] = {.key = "delivery"},
    [D_TIER] = {.key = "tier"}, [D_MARKET] = {.key = "market"}, [D_CURRENCY] = {.key = "currency"}, [D_PAY] = {.key = "pay"},
    [D_NEEDED] = {.key = "cards_needed"}, [D_UNITS] = {.key = "units"}, [D_UNIT_CARDS] = {.key = "unit_cards"},
    [D_CARDS] = {.key = "cards"}, [D_INTERCONNECT] = {.key = "interconnect"}, [D_LINK_PRINTED] = {.key = "interconnect_printed"},
    [D_HOURS] = {.key = "hours"}, [D_MONTHS] = {.key = "months"}, [D_RENT] = {.key = "rent"}, [D_STORAGE] = {.key = "storage_fee"},
    [D_TRAFFIC] = {.key = "traffic_fee"}, [D_MANAGEMENT] = {.key = "management_fee"}, [D_TOTAL] = {.key = "total"},
    [D_HIDDEN] = {.key = "hidden_percent"}, [D_COMPLETE] = {.key = "complete"}, [D_TRIAL] = {.key = "trial"},
    [D_CHEAPEST] = {.key = "cheapest"}, [D_SMALLEST] = {.key = "smallest_trial"}, [D_EVIDENCE] = {.key = "evidence"},
    [D_FORMULA] = {.key = "rent_formula"}, [D_GAPS] = {.key = "not_known"}, [D_MARKS] = {.key = "marks"}, [D_AGE] = {.key = "age_s"},
    [D_URL] = {.key = "url"}, [D_CONVERTED] = {.key = "converted"}, [D_CONVERTED_IN] = {.key = "converted_currency"},
};
/* clang-format on */

static void fill_data_offer(struct cell *cells, const struct advice_item *item)
{
    const struct board_row *row = item->entry->row;
    const struct offer_attributes *attributes = &row->offer.attributes;
    cells[D_SITE] = cell_text(row->site);
    cells[D_LABEL] = cell_text(row->offer.identity.label);
    cells[D_PLAN] = cell_text(row->offer.identity.plan);
    cells[D_REGION] = cell_text(row->offer.identity.region);
    cells[D_SKU] = cell_words(attributes->sku);
    cells[D_VRAM] = cell_count_known(attributes->vram_gb);
    cells[D_CLASS] = cell_text(item->entry->class);
    cells[D_DELIVERY] = cell_word(VOCABULARY_DELIVERY, (int)attributes->delivery);
    cells[D_TIER] = cell_word(VOCABULARY_TIER, (int)attributes->tier);
    cells[D_MARKET] = cell_word(VOCABULARY_MARKET, (int)attributes->market);
    cells[D_CURRENCY] = cell_words(item->net.currency.code);
    cells[D_PAY] = cell_word(VOCABULARY_PERIOD, (int)item->pay);
    cells[D_NEEDED] = cell_count_known(item->needed);
    cells[D_UNITS] = cell_count_known(item->units);
    cells[D_UNIT_CARDS] = cell_count_known(attributes->cards);
    cells[D_CARDS] = cell_count_known(item->cards);
    bool is_printed;
    cells[D_INTERCONNECT] = cell_text(advice_interconnect(item, &is_printed));
    cells[D_LINK_PRINTED] = cell_number(CELL_BOOL, is_printed);
    cells[D_AGE] = cell_number(CELL_AGE, item->entry->age_s);
    cells[D_URL] = cell_text(row->url);
}

/* How the rent came to be: the price of one card and hour or month of all units, times what is billed; behind a month stands where
 * it comes from. */
static struct gt_str rent_formula(const struct advice_item *item, struct arena *arena)
{
    const struct net_price *net = &item->net;
    char step[MONEY_TEXT_MAX];
    bool is_hour = item->pay == PERIOD_HOUR, is_node = !is_hour && net->node_month_net_nano > 0;
    money_format(is_hour ? net->hour_net_nano : is_node ? net->node_month_net_nano : net->month_net_nano, step);
    struct gt_str product = arena_printf(arena, "%s × %d × %lld", step, (int)(is_node ? item->units : item->cards),
                                         (long long)(is_hour ? item->hours : item->months));
    return is_hour ? product : arena_printf(arena, "%.*s; %.*s", GT_STR_ARG(product), GT_STR_ARG(net->formula));
}

/* A fee that was asked for and is not known is null; one that is included is 0. */
static struct cell fee_cell(int64_t nano, bool is_known)
{
    return is_known ? cell_number(CELL_MONEY, nano) : cell_none();
}

static void fill_data_costs(struct cell *cells, const struct advice_item *item, struct arena *arena)
{
    cells[D_HOURS] = cell_count_known(item->hours);
    cells[D_MONTHS] = cell_count_known(item->months);
    cells[D_RENT] = cell_money(item->rent_nano);
    cells[D_STORAGE] = fee_cell(item->storage_nano, (item->gaps & ADVICE_GAP_STORAGE) == 0);
    cells[D_TRAFFIC] = fee_cell(item->traffic_nano, (item->gaps & ADVICE_GAP_TRAFFIC) == 0);
    cells[D_MANAGEMENT] = fee_cell(item->management_nano, (item->gaps & ADVICE_GAP_MANAGEMENT) == 0);
    cells[D_TOTAL] = cell_money(item->total_nano);
    cells[D_HIDDEN] = cell_number(CELL_PERCENT, item->hidden_percent_nano);
    cells[D_COMPLETE] = cell_number(CELL_BOOL, item->is_complete);
    cells[D_TRIAL] = cell_money(item->trial_nano);
    cells[D_CHEAPEST] = cell_number(CELL_BOOL, item->is_cheapest);
    cells[D_SMALLEST] = cell_number(CELL_BOOL, item->is_smallest_trial);
    cells[D_EVIDENCE] = cell_word(VOCABULARY_EVIDENCE, (int)item->net.evidence);
    cells[D_FORMULA] = cell_text(rent_formula(item, arena));
    cells[D_GAPS] = cell_list(words_of(item->gaps, gap_words, ADVICE_GAP_COUNT, arena));
    cells[D_MARKS] = cell_list(words_of(item->marks, mark_words, MARK_WORDS, arena));
}

static enum gt_err write_data(struct advise_frame *frame)
{
    struct sink_writer *writer = frame->base.writer;
    const struct model_need *model = &frame->need->model;
    struct column columns[DATA_COLUMNS];
    frame_values(&frame->base);
    sink_value(writer, "params", cell_number(CELL_COUNT, model->params));
    sink_value(writer, "precision", cell_words(model_precision_name(model->precision)));
    sink_value(writer, "method", cell_words(model_method_name(model->method)));
    sink_value(writer, "context", cell_number(CELL_COUNT, model->context));
    sink_value(writer, "batch", cell_number(CELL_COUNT, model->batch));
    sink_value(writer, "layers", cell_number(CELL_COUNT, frame->advice.memory.layers));
    sink_value(writer, "layers_assumed", cell_number(CELL_BOOL, model->layers == 0));
    sink_value(writer, "kv_width", cell_number(CELL_COUNT, frame->advice.memory.kv_width));
    sink_value(writer, "memory_gb", cell_money(frame->advice.memory.total_bytes));
    sink_value(writer, "free_percent", cell_number(CELL_COUNT, MODEL_FREE_PERCENT));
    sink_value(writer, "storage_gb", cell_number(CELL_COUNT, frame->need->storage_gb));
    sink_value(writer, "egress_gb", cell_number(CELL_COUNT, frame->need->egress_gb));
    sink_value(writer, "too_many_cards", cell_number(CELL_COUNT, (int64_t)frame->advice.too_large));
    sink_value(writer, "memory_not_known", cell_number(CELL_COUNT, (int64_t)frame->advice.unknown_memory));
    sink_value(writer, "no_price", cell_number(CELL_COUNT, (int64_t)frame->advice.no_price));
    enum gt_err err = write_memory(frame);
    table_columns(data_columns, DATA_COLUMNS, frame->base.input->lang, columns);
    sink_table_begin(writer, "offers", GT_STR(""), columns, DATA_COLUMNS);
    for (size_t i = 0; i < frame->advice.count; i++) {
        struct cell cells[DATA_COLUMNS] = {0};
        fill_data_offer(cells, &frame->advice.items[i]);
        fill_data_costs(cells, &frame->advice.items[i], frame->base.arena);
        cells[D_CONVERTED] = fx_shown_cell(&frame->base.fx, frame->advice.items[i].total_nano, frame->advice.items[i].net.currency);
        if (cells[D_CONVERTED].kind != CELL_NONE) cells[D_CONVERTED_IN] = cell_words(frame->base.fx.to.code);
        sink_row(writer, cells);
    }
    sink_table_end(writer);
    fx_shown_write(&frame->base.fx, writer, frame->base.input->lang, frame->base.arena);
    return err;
}

/* ---- for people ---- */

/* clang-format off */
enum shown_column {
    S_SITE, S_OFFER, S_CURRENCY, S_CARDS, S_LINK, S_TIME, S_RENT, S_EXTRA, S_TOTAL, S_CONVERTED, S_HIDDEN, S_TRIAL, S_EVIDENCE,
    S_MARKS, S_GAPS, S_FORMULA,
    SHOWN_COLUMNS
};

static const struct column_def shown_columns[SHOWN_COLUMNS] = {
    [S_SITE] = {"site", LABEL_PLATFORM, COLUMN_KEEP, 0},
    [S_OFFER] = {"offer", LABEL_OFFER, COLUMN_KEEP | COLUMN_WRAP, 0},
    [S_CURRENCY] = {"currency", LABEL_CURRENCY, 0, 0},
    [S_CARDS] = {"cards", LABEL_ADVISE_CARDS, COLUMN_RIGHT, 0},
    [S_LINK] = {"interconnect", LABEL_ADVISE_LINK, COLUMN_WRAP, 0},
    [S_TIME] = {"time", LABEL_ADVISE_TIME, COLUMN_RIGHT, 0},
    [S_RENT] = {"rent", LABEL_ADVISE_RENT, COLUMN_RIGHT, 2},
    [S_EXTRA] = {"extra", LABEL_ADVISE_EXTRA, COLUMN_RIGHT, 2},
    [S_TOTAL] = {"total", LABEL_ADVISE_TOTAL, COLUMN_RIGHT | COLUMN_KEEP, 2},
    [S_CONVERTED] = {"converted", LABEL_SHOWN_IN, COLUMN_RIGHT, 2},
    [S_HIDDEN] = {"hidden", LABEL_ADVISE_HIDDEN, COLUMN_RIGHT, 0},
    [S_TRIAL] = {"trial", LABEL_ADVISE_TRIAL, COLUMN_RIGHT, 2},
    [S_EVIDENCE] = {"evidence", LABEL_EVIDENCE, COLUMN_EXTRA, 0},
    [S_MARKS] = {"marks", LABEL_MARKS, 0, 0},
    [S_GAPS] = {"gaps", LABEL_ADVISE_GAPS, COLUMN_WRAP, 0},
    [S_FORMULA] = {"formula", LABEL_FORMULA, COLUMN_EXTRA | COLUMN_WRAP, 0},
};
/* clang-format on */

/* "4×1": units, and the cards in each; "8" for one unit. */
static struct gt_str cards_text(const struct advice_item *item, struct arena *arena)
{
    int cards = (int)item->entry->row->offer.attributes.cards;
    return item->units == 1 ? arena_printf(arena, "%d", cards) : arena_printf(arena, "%d×%d", (int)item->units, cards);
}

static struct gt_str time_text(const struct advice_item *item, enum gt_lang lang, struct arena *arena)
{
    struct gt_str count = figure_count_text(item->pay == PERIOD_HOUR ? item->hours : item->months, arena);
    return phrase(arena, lang, item->pay == PERIOD_HOUR ? LABEL_ADVISE_HOURS : LABEL_ADVISE_MONTHS, &count, 1);
}

/* The link of several cards: printed words as they are, the catalogue's as the card's. Blank for one card. */
static struct cell link_cell(const struct advice_item *item, enum gt_lang lang, struct arena *arena)
{
    bool is_printed;
    struct gt_str link = advice_interconnect(item, &is_printed);
    if (item->cards == 1) return cell_blank();
    if (is_printed || link.len == 0) return cell_text(link);
    return cell_text(gt_str_is(link, ADVICE_LINK_NONE) ? label(lang, LABEL_LINK_NONE) : phrase(arena, lang, LABEL_LINK_OF_CARD, &link, 1));
}

static void fill_shown(struct cell *cells, const struct advice_item *item, struct frame *frame, bool has_currencies)
{
    enum gt_lang lang = frame->input->lang;
    struct arena *arena = frame->arena;
    struct board_entry entry = *item->entry;
    int64_t extra = item->total_nano - item->rent_nano;
    entry.net = item->net;
    entry.marks = item->marks;
    cells[S_SITE] = cell_text(name_site(entry.row, lang));
    cells[S_OFFER] = cell_linked(name_offer(&entry.row->offer.identity, arena), entry.row);
    cells[S_CURRENCY] = has_currencies ? cell_text(name_currency(&item->net.currency, lang)) : cell_blank();
    cells[S_CARDS] = cell_text(cards_text(item, arena));
    cells[S_LINK] = link_cell(item, lang, arena);
    cells[S_TIME] = cell_text(time_text(item, lang, arena));
    cells[S_RENT] = cell_money(item->rent_nano);
    cells[S_EXTRA] = extra > 0 ? cell_money(extra) : cell_blank();
    cells[S_TOTAL] = cell_money(item->total_nano);
    if (!item->is_complete) cells[S_TOTAL].text = label(lang, LABEL_ADVISE_AT_LEAST);
    cells[S_CONVERTED] = fx_shown_cell(&frame->fx, item->total_nano, item->net.currency);
    cells[S_HIDDEN] = extra > 0 ? cell_text(figure_percent_text(item->hidden_percent_nano, arena)) : cell_blank();
    cells[S_TRIAL] = cell_money(item->trial_nano);
    cells[S_EVIDENCE] = cell_word_shown(lang, VOCABULARY_EVIDENCE, (int)item->net.evidence);
    cells[S_MARKS] = cell_remark(figure_marks_text(&entry, lang, arena));
    cells[S_GAPS] = cell_remark(gaps_text(item->gaps, lang, arena));
    cells[S_FORMULA] = cell_text(rent_formula(item, arena));
    for (size_t i = 0; i < SHOWN_COLUMNS; i++) cells[i].is_marked = item->marks != 0 || !item->is_complete;
}

/* The items of one class and currency under its name; `ret_count` is how many. */
static enum gt_err write_class(struct advise_frame *frame, size_t from, size_t *ret_count)
{
    const struct advice_item *items = frame->advice.items, *first = &items[from];
    enum gt_lang lang = frame->base.input->lang;
    bool is_unsure = board_class_is_unsure(first->entry->class);
    struct gt_str name = name_class(first->entry->class, lang, frame->base.arena), currency = name_currency(&first->net.currency, lang);
    struct table table;
    size_t i = from;
    table_init(&table, frame->base.arena, lang, shown_columns, SHOWN_COLUMNS);
    for (; i < frame->advice.count; i++) {
        bool is_same = gt_str_eq(items[i].entry->class, first->entry->class) && currency_eq(items[i].net.currency, first->net.currency);
        if (i > from && !is_same && !(is_unsure && board_class_is_unsure(items[i].entry->class))) break;
        fill_shown(table_row(&table), &items[i], &frame->base, is_unsure && frame->advice.has_currencies);
    }
    *ret_count = i - from;
    sink_heading(frame->base.writer, 2, is_unsure ? label(lang, LABEL_SECTION_UNSURE)
                                                  : arena_printf(frame->base.arena, "%.*s · %.*s", GT_STR_ARG(name), GT_STR_ARG(currency)));
    return table_write(&table, frame->base.writer, "offers", GT_STR(""));
}

/* The least that has to be paid to try it. */
static void write_trials(struct advise_frame *frame)
{
    enum gt_lang lang = frame->base.input->lang;
    struct arena *arena = frame->base.arena;
    for (size_t i = 0; i < frame->advice.count; i++) {
        const struct advice_item *item = &frame->advice.items[i];
        if (!item->is_smallest_trial) continue;
        struct gt_str args[] = {figure_money_text(item->trial_nano, arena), name_currency(&item->net.currency, lang),
                                name_site(item->entry->row, lang), name_offer(&item->entry->row->offer.identity, arena),
                                cards_text(item, arena)};
        sink_paragraph(frame->base.writer, phrase(arena, lang, item->pay == PERIOD_HOUR ? LABEL_TRIAL_HOUR : LABEL_TRIAL_TERM, args, 5));
    }
}

static void write_notes(struct advise_frame *frame)
{
    enum gt_lang lang = frame->base.input->lang;
    struct arena *arena = frame->base.arena;
    const struct advice *advice = &frame->advice;
    int32_t cards_max = frame->need->cards_max > 0 ? frame->need->cards_max : ADVICE_CARDS_DEFAULT;
    struct gt_str args[] = {figure_count_text((int64_t)advice->too_large, arena), figure_count_text((int64_t)advice->unknown_memory, arena),
                            figure_count_text((int64_t)advice->no_price, arena), figure_count_text(cards_max, arena)};
    sink_heading(frame->base.writer, 2, label(lang, LABEL_NOTES));
    sink_paragraph(frame->base.writer, phrase(arena, lang, LABEL_ADVISE_LEFT_OUT, args, 4));
    sink_paragraph(frame->base.writer, label(lang, LABEL_ADVISE_MEMORY_NOTE));
    sink_paragraph(frame->base.writer, label(lang, LABEL_ADVISE_FEES_NOTE));
    sink_paragraph(frame->base.writer, label(lang, LABEL_ADVISE_UNKNOWN_NOTE));
    fx_shown_write(&frame->base.fx, frame->base.writer, lang, arena);
}

static enum gt_err write_shown(struct advise_frame *frame)
{
    enum gt_lang lang = frame->base.input->lang;
    sink_heading(frame->base.writer, 1, label(lang, LABEL_SECTION_MEMORY));
    enum gt_err err = write_memory(frame);
    sink_heading(frame->base.writer, 1, label(lang, LABEL_SECTION_FITTING));
    if (frame->advice.count == 0) sink_paragraph(frame->base.writer, label(lang, LABEL_NOTHING_FITS));
    for (size_t i = 0, count; i < frame->advice.count && err == GT_OK; i += count) err = write_class(frame, i, &count);
    write_trials(frame);
    write_notes(frame);
    return err;
}

static struct gt_str advise_title(struct advise_frame *frame)
{
    struct arena *arena = frame->base.arena;
    const struct report_input *input = frame->base.input;
    struct gt_str args[] = {figure_money_text(frame->need->model.params, arena), gt_str_from(model_precision_name(frame->need->model.precision)),
                            label(input->lang, LABEL_METHOD_INFER + (enum label)frame->need->model.method), input->query_text};
    return gt_str_trim(phrase(arena, input->lang, LABEL_ADVISE_TITLE, args, 4));
}

/* The advice over what the store knew at the moment asked for. */
static enum gt_err advise_reckon(struct advise_frame *frame, const struct report_input *input, struct gt_errinfo *info)
{
    struct board_view view = board_view_from(input, input->now_unix_s);
    struct report_site *sites = NULL;
    enum gt_err err = intervals_read(input, input->now_unix_s, frame->base.arena, &sites, info);
    view.sites = sites;
    if (err != GT_OK) return err;
    return advice_compute(&frame->base.rows, &view, frame->need, input->extras, input->extra_count, frame->base.arena, &frame->advice, info);
}

static enum gt_err advise_run(const struct report_input *input, const struct sink *sink, FILE *file, struct gt_errinfo *info)
{
    struct advise_frame frame = {.need = input->advice};
    if (input->advice == NULL) return gt_fail(info, GT_EUSAGE, "advise needs the model's size: params=70B");
    enum gt_err err = frame_init(&frame.base, input, info);
    if (err == GT_OK) err = frame_board(&frame.base, input->now_unix_s, info);
    if (err == GT_OK) err = advise_reckon(&frame, input, info);
    if (err == GT_OK) err = frame_open(&frame.base, sink, file, advise_title(&frame), frame_terms_text(&frame.base), GT_STR(""), info);
    if (err == GT_OK) err = sink->is_data ? write_data(&frame) : write_shown(&frame);
    return frame_done(&frame.base, err, info);
}

const struct report report_advise = {"advise", "memory that a model needs, the offers that hold it, and what they cost with all fees", advise_run};
