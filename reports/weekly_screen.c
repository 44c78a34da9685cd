/* The first screen of the weekly report: at most 24 lines of 100 columns, and they are the whole message. */
#include "common/utf8.h"
#include "pricing/sku.h"
#include "reports/figure.h"
#include "reports/name.h"
#include "reports/offer_cells.h"
#include "reports/weekly_pick.h"
#include "reports/weekly_write.h"

/* ---- one table ---- */

/* clang-format off */
enum screen_column {
    C_CARD, C_VRAM, C_HOUR, C_NODE, C_MONTH, C_CONVERTED, C_PROMO, C_CHANGE, C_SELLERS, C_SITE, C_EVIDENCE, C_SEEN, SCREEN_COLUMNS
};

/* Left-aligned throughout: the notes behind the figures are part of what is read. */
static const struct column_def screen_columns[SCREEN_COLUMNS] = {
    [C_CARD] = {"card", LABEL_CARD, COLUMN_KEEP, 0},
    [C_VRAM] = {"vram", LABEL_VRAM, 0, 0},
    [C_HOUR] = {"hour_list", LABEL_SCREEN_HOUR, 0, 4},
    [C_NODE] = {"node_month_net", LABEL_SCREEN_NODE, 0, 2},
    [C_MONTH] = {"month_net", LABEL_SCREEN_MONTH, COLUMN_KEEP, 2},
    [C_CONVERTED] = {"converted", LABEL_SHOWN_IN, 0, 2},
    [C_PROMO] = {"promo", LABEL_SCREEN_PROMO, 0, 2},
    [C_CHANGE] = {"change", LABEL_WEEK_CHANGE, COLUMN_KEEP, 0},
    [C_SELLERS] = {"sellers", LABEL_SELLERS, 0, 0},
    [C_SITE] = {"site", LABEL_CHEAPEST_SITE, 0, 0},
    [C_EVIDENCE] = {"evidence", LABEL_EVIDENCE, COLUMN_KEEP, 0},
    [C_SEEN] = {"seen", LABEL_UPDATED, 0, 0},
};
/* clang-format on */

struct cell weekly_change_cell(const struct weekly_class *class, enum gt_lang lang)
{
    struct cell percent = cell_number(CELL_PERCENT, class->percent_nano);
    switch (class->state) {
    case MOVE_KNOWN:
        /* The change is that of the offers in both weeks; a newcomer below them is no fall in price. */
        if (!class->is_low_matched) percent.text = label(lang, LABEL_LOW_IS_NEW);
        return percent;
    case MOVE_FIRST_WEEK: return cell_text(label(lang, LABEL_FIRST_WEEK));
    case MOVE_NEW: return cell_text(label(lang, LABEL_NEW));
    default: return cell_text(label(lang, LABEL_HISTORY_SHORT));
    }
}

/* "24G", or "8×24G" of a node. */
static struct gt_str vram_text(const struct offer_attributes *attributes, struct arena *arena)
{
    if (attributes->vram_gb == 0) return GT_STR("");
    if (attributes->cards > 1) return arena_printf(arena, "%d×%dG", (int)attributes->cards, (int)attributes->vram_gb);
    return arena_printf(arena, "%dG", (int)attributes->vram_gb);
}

/* A node's table shows what the whole node costs, a card's the price by the hour: that is what one pays at least. */
static void fill_row(struct cell *cells, const struct weekly_class *class, bool is_node, bool has_sites,
                     struct weekly_frame *frame)
{
    enum gt_lang lang = frame->base.input->lang;
    struct arena *arena = frame->base.arena;
    const struct board_entry *low = class->low;
    cells[C_CARD] = cell_linked(name_offer_card(&low->row->offer), low->row);
    cells[C_VRAM] = cell_text(vram_text(&low->row->offer.attributes, arena));
    cells[C_MONTH] = cell_money(low->price_nano);
    if (!is_node) cells[C_MONTH].text = figure_alt_text(&low->net, lang, arena);
    if (!is_node) cells[C_HOUR] = cell_money(low->net.hour_list_nano);
    if (is_node) cells[C_NODE] = cell_money(low->net.node_month_net_nano);
    cells[C_CONVERTED] = fx_shown_cell(&frame->base.fx, low->price_nano, low->net.currency);
    cells[C_PROMO] = cell_text(figure_promotion_text(&low->net, lang, frame->base.input->zone_offset_s, arena));
    cells[C_CHANGE] = weekly_change_cell(class, lang);
    cells[C_EVIDENCE] = cell_text(figure_evidence_text(low, lang, arena));
    if (!has_sites) return;
    cells[C_SELLERS] = cell_number(CELL_COUNT, class->sellers);
    cells[C_SITE] = cell_text(name_site(low->row, lang));
    cells[C_SEEN] = cell_moment(CELL_DAY_SHORT, low->row->seen_unix_s);
}

/* ---- tables ---- */

/* True when a group's rows come from several platforms. */
static bool has_several_sites(const struct weekly_group *group)
{
    struct gt_str site = group->classes[0]->low->row->site;
    for (size_t i = 0; i < group->count; i++)
        if (group->classes[i]->sellers > 1 || !gt_str_eq(group->classes[i]->low->row->site, site)) return true;
    return false;
}

static enum gt_err write_pick(struct weekly_frame *frame, const struct weekly_pick *pick, char letter)
{
    const struct weekly_group *group = pick->group;
    enum gt_lang lang = frame->base.input->lang;
    struct arena *arena = frame->base.arena;
    const struct weekly_class **shown;
    struct table table;
    if (weekly_pick_classes(pick, arena, &shown) != GT_OK) return GT_ENOMEM;
    table_init(&table, arena, lang, screen_columns, SCREEN_COLUMNS);
    bool is_node = shown[0]->low->row->offer.attributes.delivery == DELIVERY_BARE_METAL;
    for (size_t i = 0; i < pick->rows; i++)
        fill_row(table_row(&table), shown[i], is_node, !is_node || has_several_sites(group), frame);
    struct gt_str args[] = {weekly_group_name(frame, group), figure_count_text((int64_t)pick->rows, arena),
                            figure_count_text((int64_t)group->count, arena)};
    struct gt_str name = pick->rows < group->count ? phrase(arena, lang, LABEL_GROUP_CUT, args, 3) : args[0];
    return table_write(&table, frame->base.writer, "classes", arena_printf(arena, "%c %.*s", letter, GT_STR_ARG(name)));
}

/* ---- cards that nobody offers ---- */

/* A class without a usable offer does not count: a card that is sold out everywhere is not offered. */
static bool is_offered(const struct weekly *weekly, const char *node, bool as_container)
{
    for (size_t i = 0; i < weekly->class_count; i++) {
        if (weekly->classes[i].low == NULL) continue;
        const struct offer_attributes *attributes = &weekly->classes[i].low->row->offer.attributes;
        bool is_container = attributes->delivery == DELIVERY_CONTAINER || attributes->delivery == DELIVERY_VM;
        if (as_container && !is_container) continue;
        if (sku_is_within(gt_str_from(attributes->sku), gt_str_from(node))) return true;
    }
    return false;
}

/* "5090容器、A800、H800:无可用报价". Empty when all watched cards are offered as containers. */
static struct gt_str missing_line(const struct weekly_frame *frame)
{
    enum gt_lang lang = frame->base.input->lang;
    struct arena *arena = frame->base.arena;
    struct gt_str text = GT_STR("");
    for (const char *const *node = weekly_watched(); *node != NULL; node++) {
        if (is_offered(&frame->weekly, *node, true)) continue;
        bool is_elsewhere = is_offered(&frame->weekly, *node, false);
        struct gt_str card = name_card(gt_str_from(*node));
        if (is_elsewhere) card = phrase(arena, lang, LABEL_CARD_AS_CONTAINER, &card, 1);
        struct gt_str comma = label(lang, LABEL_LIST_COMMA);
        text =
            arena_printf(arena, "%.*s%.*s%.*s", GT_STR_ARG(text), text.len > 0 ? (int)comma.len : 0, comma.ptr, GT_STR_ARG(card));
    }
    return text.len > 0 ? phrase(arena, lang, LABEL_NO_USABLE_OFFER, &text, 1) : text;
}

/* ---- the screen ---- */

/* "①" to "⑳" before a sentence. */
static struct gt_str numbered(struct arena *arena, size_t i, struct gt_str sentence)
{
    enum { CIRCLED_ONE = 0x2460 };
    char number[4];
    size_t len = utf8_encode((int32_t)(CIRCLED_ONE + i), number);
    return arena_printf(arena, "%.*s%.*s", (int)len, number, GT_STR_ARG(sentence));
}

enum gt_err weekly_first_screen(struct weekly_frame *frame)
{
    /* The head's two lines, the sample notice, the cards that nobody offers. */
    enum { LINES_AROUND = 4 };
    struct gt_str sentences[WEEKLY_SENTENCES_MAX];
    struct weekly_pick picks[PICK_GROUPS_MAX];
    struct sink_writer *writer = frame->base.writer;
    size_t sentence_count = weekly_sentences(frame, sentences);
    for (size_t i = 0; i < sentence_count; i++) sink_paragraph(writer, numbered(frame->base.arena, i, sentences[i]));
    size_t count = weekly_pick_groups(&frame->weekly, WEEKLY_SCREEN_LINES - LINES_AROUND - sentence_count, picks);
    enum gt_err err = GT_OK;
    for (size_t i = 0; i < count && err == GT_OK; i++) err = write_pick(frame, &picks[i], (char)('A' + i));
    if (count == 0) sink_paragraph(writer, label(frame->base.input->lang, LABEL_NO_OFFERS));
    struct gt_str missing = frame->base.input->query_text.len == 0 ? missing_line(frame) : GT_STR("");
    if (missing.len > 0) sink_paragraph(writer, missing);
    return err;
}
