/* What follows the first screen: each section is left out when it has nothing to say, except those whose silence would be
 * read as "all well". */
#include "reports/figure.h"
#include "reports/name.h"
#include "reports/offer_cells.h"
#include "reports/source_table.h"
#include "reports/weekly_write.h"

static struct gt_str text_of(const struct weekly_frame *frame, enum label id)
{
    return label(frame->base.input->lang, id);
}

/* "单卡", "8卡", "整机". */
static struct gt_str cards_word(const struct weekly_frame *frame, int32_t cards, bool is_one)
{
    struct gt_str number = figure_count_text(cards, frame->base.arena);
    if (is_one) return text_of(frame, LABEL_ONE_CARD);
    return cards > 0 ? phrase(frame->base.arena, frame->base.input->lang, LABEL_N_CARDS, &number, 1) : text_of(frame, LABEL_NODE);
}

/* What sets a group apart from the ordinary: spot, abroad, cards alone, another currency than yuan. */
static struct gt_str group_extras(const struct weekly_frame *frame, const struct class_pieces *pieces,
                                  const struct currency *currency)
{
    enum gt_lang lang = frame->base.input->lang;
    struct gt_str extras[5] = {0}, text = GT_STR("");
    if (gt_str_is(pieces->tier, "spot")) extras[0] = label_word(lang, VOCABULARY_TIER, TIER_SPOT);
    if (gt_str_is(pieces->tier, "unknown")) extras[4] = label_word(lang, VOCABULARY_TIER, TIER_UNKNOWN);
    if (gt_str_is(pieces->market, "overseas")) extras[1] = label_word(lang, VOCABULARY_MARKET, MARKET_OVERSEAS);
    if (gt_str_is(pieces->includes, "gpu-only")) extras[2] = label_word(lang, VOCABULARY_INCLUDES, INCLUDES_GPU_ONLY);
    if (strcmp(currency->code, "CNY") != 0) extras[3] = name_currency(currency, lang);
    for (size_t i = 0; i < sizeof extras / sizeof extras[0]; i++)
        if (extras[i].len > 0) text = arena_printf(frame->base.arena, "%.*s·%.*s", GT_STR_ARG(text), GT_STR_ARG(extras[i]));
    return text;
}

struct gt_str weekly_group_name(const struct weekly_frame *frame, const struct weekly_group *group)
{
    const struct board_entry *low = group->classes[0]->low;
    enum gt_lang lang = frame->base.input->lang;
    struct class_pieces pieces = {0};
    (void)name_class_split(low->class, &pieces);
    bool is_one = gt_str_is(pieces.min_cards, "one");
    enum label term = gt_str_is(pieces.term, "hour")   ? LABEL_TERM_HOUR
                      : gt_str_is(pieces.term, "year") ? LABEL_TERM_YEAR
                      : group->has_hour                ? LABEL_TERM_MONTH_PLAN
                                                       : LABEL_TERM_MONTH;
    struct gt_str args[] = {cards_word(frame, group->cards, is_one),
                            label_word(lang, VOCABULARY_DELIVERY, (int)low->row->offer.attributes.delivery), text_of(frame, term),
                            is_one ? text_of(frame, LABEL_FROM_ONE_CARD) : cards_word(frame, group->cards, false),
                            group_extras(frame, &pieces, &low->net.currency)};
    return phrase(frame->base.arena, lang, is_one ? LABEL_GROUP_ONE : LABEL_GROUP_NODE, args, 5);
}

/* ---- movers ---- */

/* clang-format off */
enum move_column {
    M_CARD, M_SITE, M_OFFER, M_CURRENCY, M_BEFORE, M_NOW, M_CHANGE, M_SEEN, M_EVIDENCE, M_FORMULA, MOVE_COLUMNS
};

static const struct column_def move_columns[MOVE_COLUMNS] = {
    [M_CARD] = {"card", LABEL_CARD, COLUMN_KEEP, 0},
    [M_SITE] = {"site", LABEL_PLATFORM, COLUMN_KEEP, 0},
    [M_OFFER] = {"offer", LABEL_OFFER, COLUMN_WRAP, 0},
    [M_CURRENCY] = {"currency", LABEL_CURRENCY, 0, 0},
    [M_BEFORE] = {"before", LABEL_LAST_WEEK, COLUMN_RIGHT, 4},
    [M_NOW] = {"now", LABEL_THIS_WEEK, COLUMN_RIGHT, 4},
    [M_CHANGE] = {"change", LABEL_CHANGE, COLUMN_RIGHT, 0},
    [M_SEEN] = {"seen", LABEL_FIRST_SEEN, 0, 0},
    [M_EVIDENCE] = {"evidence", LABEL_EVIDENCE, 0, 0},
    [M_FORMULA] = {"formula", LABEL_FORMULA, COLUMN_EXTRA | COLUMN_WRAP, 0},
};
/* clang-format on */

/* This section stands even when it is empty: silence about prices would be read as a broken report. */
static enum gt_err write_moves(struct weekly_frame *frame)
{
    const struct weekly *weekly = &frame->weekly;
    enum gt_lang lang = frame->base.input->lang;
    struct table table;
    sink_heading(frame->base.writer, 1, text_of(frame, LABEL_SECTION_MOVES));
    if (weekly->move_count == 0)
        sink_paragraph(frame->base.writer, text_of(frame, weekly->is_first ? LABEL_NO_WEEK_BEFORE : LABEL_SENTENCE_QUIET));
    table_init(&table, frame->base.arena, lang, move_columns, MOVE_COLUMNS);
    table.row_max = WEEKLY_ROWS_MAX;
    for (size_t i = 0; i < weekly->move_count; i++) {
        const struct weekly_move *move = &weekly->moves[i];
        int64_t seen_unix_s;
        if (!table_has_room(&table)) continue;
        if (weekly_move_seen(weekly, move, frame->base.arena, &seen_unix_s) != GT_OK) return GT_ENOMEM;
        struct cell *cells = table_row(&table);
        cells[M_CARD] = cell_text(name_offer_card(&move->now->row->offer));
        cells[M_SITE] = cell_text(name_site(move->now->row, lang));
        cells[M_OFFER] = cell_linked(name_offer(&move->now->row->offer.identity, frame->base.arena), move->now->row);
        cells[M_CURRENCY] = frame_currency_cell(&frame->base, &move->now->net.currency);
        cells[M_BEFORE] = cell_money(move->before->price_nano);
        cells[M_NOW] = cell_money(move->now->price_nano);
        cells[M_CHANGE] = cell_number(CELL_PERCENT, move->percent_nano);
        cells[M_SEEN] = cell_moment(CELL_TIME, seen_unix_s);
        cells[M_EVIDENCE] = cell_text(figure_evidence_text(move->now, lang, frame->base.arena));
        cells[M_FORMULA] = cell_text(move->now->net.formula);
    }
    return table_write(&table, frame->base.writer, "moves", GT_STR(""));
}

/* ---- what came, went, began, ended ---- */

/* clang-format off */
enum event_column { E_TIME, E_KIND, E_SITE, E_OFFER, E_CURRENCY, E_PRICE, E_PROMO, E_DETAIL, EVENT_COLUMNS };

static const struct column_def event_columns[EVENT_COLUMNS] = {
    [E_TIME] = {"time", LABEL_TIME, COLUMN_KEEP, 0},
    [E_KIND] = {"kind", LABEL_WHAT, COLUMN_KEEP, 0},
    [E_SITE] = {"site", LABEL_PLATFORM, COLUMN_KEEP, 0},
    [E_OFFER] = {"offer", LABEL_OFFER, COLUMN_WRAP, 0},
    [E_CURRENCY] = {"currency", LABEL_CURRENCY, 0, 0},
    [E_PRICE] = {"price", LABEL_CARD_PRICE, COLUMN_RIGHT, 4},
    [E_PROMO] = {"promo", LABEL_PROMO_MONTH, 0, 2},
    [E_DETAIL] = {"detail", LABEL_DETAIL, COLUMN_WRAP | COLUMN_EXTRA, 0},
};
/* clang-format on */

/* Price moves have a section of their own; doubts too. */
static bool is_event(const struct weekly *weekly, enum change_kind kind)
{
    switch (kind) {
    case CHANGE_APPEARED: return !weekly->is_first; /* in the first week everything is new */
    case CHANGE_SOLD_OUT:
    case CHANGE_BACK_IN_STOCK:
    case CHANGE_DELISTED:
    case CHANGE_RELISTED:
    case CHANGE_UNIT:
    case CHANGE_TERMS: return true;
    default: return false;
    }
}

static bool is_promotion(const struct weekly *weekly, enum change_kind kind)
{
    (void)weekly;
    return kind == CHANGE_PROMOTION_BEGAN || kind == CHANGE_PROMOTION_ENDED;
}

static void fill_event(struct cell *cells, const struct change_entry *entry, const struct weekly_frame *frame)
{
    enum gt_lang lang = frame->base.input->lang;
    struct arena *arena = frame->base.arena;
    const struct net_price *promo = entry->change.kind == CHANGE_PROMOTION_ENDED ? &entry->before : &entry->after;
    cells[E_TIME] = cell_moment(CELL_TIME, entry->change.t_unix_s);
    cells[E_KIND] = cell_word_shown(lang, VOCABULARY_CHANGE, (int)entry->change.kind);
    cells[E_SITE] = cell_text(name_site_title(entry->site_title, entry->change.site, lang));
    if (entry->change.identity != NULL) cells[E_OFFER] = cell_text(name_offer(entry->change.identity, arena));
    cells[E_OFFER].link = entry->url;
    cells[E_CURRENCY] =
        frame_currency_cell(&frame->base, entry->change.after != NULL ? &entry->after.currency : &entry->before.currency);
    cells[E_PRICE] = cell_money(entry->after_nano != 0 ? entry->after_nano : entry->before_nano);
    if (is_promotion(NULL, entry->change.kind))
        cells[E_PROMO] = cell_text(figure_promotion_text(promo, lang, frame->base.input->zone_offset_s, arena));
    cells[E_DETAIL] = cell_sentence(cell_remark(entry->change.detail));
}

static enum gt_err write_events(struct weekly_frame *frame, enum label heading,
                                bool (*is_wanted)(const struct weekly *weekly, enum change_kind kind))
{
    struct table table;
    table_init(&table, frame->base.arena, frame->base.input->lang, event_columns, EVENT_COLUMNS);
    table.row_max = WEEKLY_ROWS_MAX;
    for (size_t i = 0; i < frame->weekly.changes.count; i++) {
        struct change_entry entry;
        if (!is_wanted(&frame->weekly, frame->weekly.changes.changes[i].kind) || !table_has_room(&table)) continue;
        if (change_list_entry(&frame->weekly.changes, i, frame->base.arena, &entry) != GT_OK) return GT_ENOMEM;
        fill_event(table_row(&table), &entry, frame);
    }
    if (table.row_count > 0) sink_heading(frame->base.writer, 1, text_of(frame, heading));
    return table_write(&table, frame->base.writer, "events", GT_STR(""));
}

/* Promotions that run now; those whose end is near are marked. */
static enum gt_err write_promotions(struct weekly_frame *frame)
{
    static const struct column_def columns[] = {{"site", LABEL_PLATFORM, COLUMN_KEEP, 0},
                                                {"offer", LABEL_OFFER, COLUMN_WRAP, 0},
                                                {"month_net", LABEL_MONTH_NET, COLUMN_RIGHT, 2},
                                                {"promo", LABEL_PROMO_MONTH, 0, 2},
                                                {"ends", LABEL_ENDS, 0, 0}};
    const struct weekly *weekly = &frame->weekly;
    enum gt_lang lang = frame->base.input->lang;
    struct table table;
    table_init(&table, frame->base.arena, lang, columns, sizeof columns / sizeof columns[0]);
    table.row_max = WEEKLY_ROWS_MAX;
    for (size_t i = 0; i < weekly->board.count; i++) {
        const struct board_entry *entry = &weekly->board.entries[i];
        const struct net_price *net = &entry->net;
        if (net->promo_month_nano == 0 || entry->row->is_doubted || !table_has_room(&table)) continue;
        struct cell *cells = table_row(&table);
        cells[0] = cell_text(name_site(entry->row, lang));
        cells[1] = cell_linked(name_offer(&entry->row->offer.identity, frame->base.arena), entry->row);
        cells[2] = cell_money(net->month_net_nano);
        cells[3] = cell_text(figure_bound_text(net->promo_month_nano, net->promo_bound, lang, frame->base.arena));
        cells[4] = net->promo_until_unix_s != 0 ? cell_moment(CELL_DAY, net->promo_until_unix_s - 1)
                                                : cell_text(text_of(frame, LABEL_NOT_STATED));
        cells[4].is_marked = net->promo_until_unix_s != 0 && net->promo_until_unix_s - weekly->at_unix_s < WEEKLY_ENDS_SOON_S;
    }
    if (table.row_count > 0) sink_heading(frame->base.writer, 2, text_of(frame, LABEL_SECTION_PROMOTIONS_NOW));
    return table_write(&table, frame->base.writer, "promotions", GT_STR(""));
}

/* ---- container against bare metal ---- */

/* clang-format off */
enum crossing_column {
    X_CARD, X_CONTAINER, X_NODE, X_PERCENT, X_BILL, X_HOURS_CONTAINER, X_HOURS_NODE, X_SITES, CROSSING_COLUMNS
};

static const struct column_def crossing_columns[CROSSING_COLUMNS] = {
    [X_CARD] = {"card", LABEL_CARD, COLUMN_KEEP, 0},
    [X_CONTAINER] = {"container_month", LABEL_CONTAINER_MONTH, COLUMN_RIGHT, 2},
    [X_NODE] = {"node_card_month", LABEL_NODE_CARD_MONTH, COLUMN_RIGHT, 2},
    [X_PERCENT] = {"percent", LABEL_NODE_AGAINST, COLUMN_RIGHT, 0},
    [X_BILL] = {"bill", LABEL_SMALLEST_BILL, COLUMN_RIGHT, 2},
    [X_HOURS_CONTAINER] = {"hours_container", LABEL_HOURS_CONTAINER, 0, 0},
    [X_HOURS_NODE] = {"hours_node", LABEL_HOURS_NODE, 0, 0},
    [X_SITES] = {"sites", LABEL_PLATFORMS, COLUMN_EXTRA, 0},
};
/* clang-format on */

/* "548", or ">720" where the month has fewer hours: then the monthly price never pays. */
static struct gt_str hours_one(int64_t hours, int32_t month_hours, struct arena *arena)
{
    if (month_hours > 0 && hours > month_hours) return arena_printf(arena, ">%d", (int)month_hours);
    return figure_count_text(hours, arena);
}

/* "548/684": at the list price and at the discounted one. */
static struct gt_str hours_text(int64_t list, int64_t net, const struct board_entry *container, struct arena *arena)
{
    int32_t month_hours = container->row->net_rules.hours_per_month;
    struct gt_str first = hours_one(list, month_hours, arena), second = hours_one(net, month_hours, arena);
    if (list == 0) return GT_STR("");
    return net == 0 || net == list ? first : arena_printf(arena, "%.*s/%.*s", GT_STR_ARG(first), GT_STR_ARG(second));
}

/* The differences between the two are spelt out below the table, or the comparison would mislead. */
static enum gt_err write_crossings(struct weekly_frame *frame)
{
    const struct crossing_list *list = &frame->weekly.crossings;
    enum gt_lang lang = frame->base.input->lang;
    struct arena *arena = frame->base.arena;
    struct table table;
    table_init(&table, arena, lang, crossing_columns, CROSSING_COLUMNS);
    for (size_t i = 0; i < list->count; i++) {
        const struct crossing *crossing = &list->crossings[i];
        struct cell *cells = table_row(&table);
        struct gt_str container = name_site(crossing->container->row, lang), node = name_site(crossing->node->row, lang);
        cells[X_CARD] = cell_text(name_offer_card(&crossing->node->row->offer));
        cells[X_CONTAINER] = cell_money(crossing->container->net.month_net_nano);
        cells[X_NODE] = cell_money(crossing->node->net.month_net_nano);
        cells[X_PERCENT] = cell_number(CELL_PERCENT, crossing->percent_nano);
        cells[X_BILL] = cell_money(crossing->bill_nano);
        cells[X_HOURS_CONTAINER] =
            cell_text(hours_text(crossing->container_hours_list, crossing->container_hours_net, crossing->container, arena));
        cells[X_HOURS_NODE] =
            cell_text(hours_text(crossing->node_hours_list, crossing->node_hours_net, crossing->container, arena));
        cells[X_SITES] = cell_text(arena_printf(arena, "%.*s / %.*s", GT_STR_ARG(container), GT_STR_ARG(node)));
    }
    if (list->count == 0) return GT_OK;
    sink_heading(frame->base.writer, 1, text_of(frame, LABEL_SECTION_CROSSING));
    enum gt_err err = table_write(&table, frame->base.writer, "crossings", GT_STR(""));
    sink_paragraph(frame->base.writer, text_of(frame, LABEL_CROSSING_NOTE));
    return err;
}

/* ---- findings, sources, foot ---- */

/* Stands even when empty: "checked, nothing found" is a result. */
static enum gt_err write_findings(struct weekly_frame *frame)
{
    sink_heading(frame->base.writer, 1, text_of(frame, LABEL_SECTION_AUDIT));
    if (frame->weekly.findings.count == 0) sink_paragraph(frame->base.writer, text_of(frame, LABEL_NO_FINDINGS));
    return finding_table_write(frame->base.writer, &frame->weekly.findings, frame->base.input->lang, frame->base.arena);
}

/* All sources, the good ones too: a reader checks what the report rests on. */
static enum gt_err write_sources(struct weekly_frame *frame)
{
    sink_heading(frame->base.writer, 1, text_of(frame, LABEL_SECTION_SOURCES));
    return source_table_write(frame->base.writer, &frame->weekly.sources, false, frame->weekly.at_unix_s, frame->base.input->lang,
                              frame->base.arena);
}

/* Last, and always: what a figure means and how many stand behind it. */
static void write_method(struct weekly_frame *frame)
{
    const struct weekly *weekly = &frame->weekly;
    enum gt_lang lang = frame->base.input->lang;
    struct arena *arena = frame->base.arena;
    size_t usable = 0;
    for (size_t i = 0; i < weekly->class_count; i++) usable += weekly->classes[i].low != NULL;
    struct gt_str args[] = {figure_minute_text(weekly->at_unix_s, frame->base.input->zone_offset_s, arena),
                            figure_count_text((int64_t)weekly->board.count, arena),
                            figure_count_text((int64_t)usable, arena),
                            figure_count_text((int64_t)weekly->sources.count, arena),
                            figure_count_text((int64_t)weekly->doubted, arena),
                            figure_count_text((int64_t)weekly->leads, arena),
                            figure_count_text((int64_t)weekly->unmapped, arena)};
    sink_heading(frame->base.writer, 1, text_of(frame, LABEL_SECTION_METHOD));
    sink_paragraph(frame->base.writer, phrase(arena, lang, LABEL_METHOD_SAMPLE, args, 7));
    sink_paragraph(frame->base.writer, text_of(frame, LABEL_METHOD_PRICE));
    sink_paragraph(frame->base.writer, text_of(frame, LABEL_METHOD_CHANGE));
    sink_paragraph(frame->base.writer, text_of(frame, LABEL_METHOD_CLASS));
    fx_shown_write(&frame->base.fx, frame->base.writer, lang, arena);
}

enum gt_err weekly_sections(struct weekly_frame *frame)
{
    enum gt_err err = write_moves(frame);
    if (err == GT_OK) err = write_events(frame, LABEL_SECTION_EVENTS, is_event);
    if (err == GT_OK) err = write_events(frame, LABEL_SECTION_PROMOTIONS, is_promotion);
    if (err == GT_OK) err = write_promotions(frame);
    if (err == GT_OK) err = write_crossings(frame);
    if (err == GT_OK) err = weekly_holdings(frame);
    if (err == GT_OK) err = weekly_details(frame);
    if (err == GT_OK) err = write_findings(frame);
    if (err == GT_OK) err = weekly_doubts(frame);
    if (err == GT_OK) err = write_sources(frame);
    if (err == GT_OK) write_method(frame);
    return err;
}
