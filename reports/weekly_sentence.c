/* The words of the weekly report's first screen: title, sources, key sentences. */
#include "reports/figure.h"
#include "reports/name.h"
#include "reports/weekly_write.h"

enum { SENTENCE_MOVES_MAX = 2, CHECK_ITEMS_MAX = 4, CURRENCIES_SHOWN_MAX = 4 };

/* ---- title ---- */

struct gt_str weekly_title(const struct weekly_frame *frame)
{
    static const enum label titles[] = {
        [REPORT_WEEK] = LABEL_WEEKLY_TITLE, [REPORT_MONTH] = LABEL_MONTHLY_TITLE, [REPORT_SPAN] = LABEL_SPAN_TITLE};
    const struct report_input *input = frame->base.input;
    struct arena *arena = frame->base.arena;
    const struct report_period *period = &frame->weekly.period;
    struct gt_str args[] = {period_name(period, input->zone_offset_s, arena), period_days(period, input->zone_offset_s, arena),
                            name_zone(input->zone_offset_s, input->lang, arena)};
    return phrase(arena, input->lang, titles[period->kind], args, 3);
}

struct gt_str weekly_terms(const struct weekly_frame *frame)
{
    enum gt_lang lang = frame->base.input->lang;
    struct arena *arena = frame->base.arena;
    struct gt_str args[] = {name_persona(&frame->base.input->persona, lang, arena), frame_hours_text(&frame->weekly.board, arena),
                            frame_tax_text(&frame->weekly.board, lang)};
    return phrase(arena, lang, LABEL_WEEKLY_TERMS, args, 3);
}

/* The currencies of usable offers, in the order in which they appear. */
static struct gt_str currencies(const struct weekly_frame *frame)
{
    struct currency seen[CURRENCIES_SHOWN_MAX];
    struct gt_str text = GT_STR("");
    size_t count = 0;
    for (size_t i = 0; i < frame->weekly.class_count; i++) {
        const struct board_entry *low = frame->weekly.classes[i].low;
        size_t k = 0;
        if (low == NULL) continue;
        while (k < count && strcmp(seen[k].code, low->net.currency.code) != 0) k++;
        if (k < count || count == CURRENCIES_SHOWN_MAX) continue;
        seen[count++] = low->net.currency;
        struct gt_str name = name_currency(&seen[k], frame->base.input->lang);
        text = arena_printf(frame->base.arena, "%.*s%s%.*s", GT_STR_ARG(text), text.len > 0 ? "/" : "", GT_STR_ARG(name));
    }
    return text.len > 0 ? text : GT_STR("—");
}

/* What can be said about last week. */
static struct gt_str history_words(const struct weekly_frame *frame)
{
    enum gt_lang lang = frame->base.input->lang;
    struct report_period before = period_before(&frame->weekly.period, frame->base.input->zone_offset_s);
    if (frame->weekly.is_first)
        return label(lang, frame->weekly.period.kind == REPORT_WEEK ? LABEL_FIRST_WEEK_LINE : LABEL_FIRST_PERIOD_LINE);
    struct gt_str args[] = {period_name(&before, frame->base.input->zone_offset_s, frame->base.arena)};
    return phrase(frame->base.arena, lang, LABEL_AGAINST, args, 1);
}

struct gt_str weekly_subtitle(const struct weekly_frame *frame)
{
    const struct weekly *weekly = &frame->weekly;
    enum gt_lang lang = frame->base.input->lang;
    struct arena *arena = frame->base.arena;
    size_t bad = weekly->sources.count - weekly->sources.good;
    struct gt_str args[] = {figure_count_text((int64_t)weekly->sources.good, arena),
                            figure_count_text((int64_t)weekly->sources.count, arena), figure_count_text((int64_t)bad, arena),
                            history_words(frame), currencies(frame)};
    struct gt_str line = phrase(arena, lang, bad > 0 ? LABEL_SOURCES_SOME : LABEL_SOURCES_ALL, args, 5);
    /* A report made before its last day says so: the week is not over. */
    if (weekly->at_unix_s >= weekly->period.until_unix_s - CIVIL_DAY_S) return line;
    struct gt_str as_of = figure_minute_text(weekly->at_unix_s, frame->base.input->zone_offset_s, arena);
    struct gt_str words = phrase(arena, lang, LABEL_AS_OF, &as_of, 1);
    return arena_printf(arena, "%.*s|%.*s", GT_STR_ARG(line), GT_STR_ARG(words));
}

/* ---- sentences ---- */

/* "4090 容器 极智算 1100→1074(-2.4%,09-18 起)". */
static struct gt_str move_sentence(const struct weekly_frame *frame, const struct weekly_move *move)
{
    enum gt_lang lang = frame->base.input->lang;
    struct arena *arena = frame->base.arena;
    const struct offer *offer = &move->now->row->offer;
    int64_t seen_unix_s = 0;
    if (weekly_move_seen(&frame->weekly, move, arena, &seen_unix_s) != GT_OK) seen_unix_s = 0; /* the sections will fail of it */
    struct gt_str card = name_offer_card(offer),
                  delivery = label_word(lang, VOCABULARY_DELIVERY, (int)offer->attributes.delivery);
    if (offer->attributes.delivery != DELIVERY_UNKNOWN)
        card = arena_printf(arena, "%.*s %.*s", GT_STR_ARG(card), GT_STR_ARG(delivery));
    struct gt_str args[] = {card,
                            name_site(move->now->row, lang),
                            figure_money_text(move->before->price_nano, arena),
                            figure_money_text(move->now->price_nano, arena),
                            figure_percent_text(move->percent_nano, arena),
                            gt_str_from(move->percent_nano > 0 ? "+" : "-"),
                            figure_day_text(seen_unix_s, frame->base.input->zone_offset_s, arena)};
    return phrase(arena, lang, seen_unix_s != 0 ? LABEL_SENTENCE_MOVE_SEEN : LABEL_SENTENCE_MOVE, args,
                  sizeof args / sizeof args[0]);
}

/* A month's amount, with who asks it where the two sides are not of one platform. */
static struct gt_str amount_at(const struct weekly_frame *frame, const struct board_entry *entry, const struct board_entry *other)
{
    enum gt_lang lang = frame->base.input->lang;
    struct gt_str args[] = {figure_money_text(entry->net.month_net_nano, frame->base.arena), name_site(entry->row, lang)};
    return gt_str_eq(entry->row->site, other->row->site) ? args[0] : phrase(frame->base.arena, lang, LABEL_AMOUNT_AT, args, 2);
}

/* "4090 整机折单卡 990,比容器 1074 低 7.8%,但最低月付 7920". */
static struct gt_str crossing_sentence(const struct weekly_frame *frame, const struct crossing *crossing)
{
    enum gt_lang lang = frame->base.input->lang;
    struct arena *arena = frame->base.arena;
    struct gt_str bill = figure_money_text(crossing->bill_nano, arena);
    struct gt_str args[] = {name_offer_card(&crossing->node->row->offer), amount_at(frame, crossing->node, crossing->container),
                            amount_at(frame, crossing->container, crossing->node),
                            figure_percent_text(crossing->percent_nano, arena),
                            crossing->bill_nano > 0 ? phrase(arena, lang, LABEL_SENTENCE_NODE_BILL, &bill, 1) : GT_STR("")};
    return phrase(arena, lang, crossing->percent_nano < 0 ? LABEL_SENTENCE_NODE_BELOW : LABEL_SENTENCE_NODE_ABOVE, args, 5);
}

/* The crossing with the largest distance below (sign -1) or above (+1) the container, or NULL. */
static const struct crossing *widest_crossing(const struct crossing_list *list, int sign)
{
    const struct crossing *widest = NULL;
    for (size_t i = 0; i < list->count; i++) {
        const struct crossing *crossing = &list->crossings[i];
        if (crossing->percent_nano * sign <= 0) continue;
        if (widest == NULL || crossing->percent_nano * sign > widest->percent_nano * sign) widest = crossing;
    }
    return widest;
}

/* "0.80 系推断": a factor with two decimals at least. */
static struct gt_str factor_item(const struct weekly_frame *frame)
{
    const struct weekly *weekly = &frame->weekly;
    struct arena *arena = frame->base.arena;
    struct gt_str text = GT_STR("");
    for (size_t i = 0; i < weekly->factor_count; i++) {
        struct gt_str factor = figure_money_text(weekly->factors[i], arena);
        text = arena_printf(arena, "%.*s%s%.*s%s", GT_STR_ARG(text), i > 0 ? "/" : "", GT_STR_ARG(factor),
                            factor.len == 3 ? "0" : "");
    }
    return phrase(arena, frame->base.input->lang, LABEL_ITEM_FACTOR, &text, 1);
}

/* "整机标 NVLink 与型号不符", for the first offer whose printed interconnect its card cannot have. */
static struct gt_str interconnect_item(const struct weekly_frame *frame)
{
    const struct finding_list *list = &frame->weekly.findings;
    enum gt_lang lang = frame->base.input->lang;
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->findings[i].code, "interconnect-implausible") != 0) continue;
        const struct offer_attributes *attributes = &list->findings[i].entry->row->offer.attributes;
        struct gt_str words = attributes->interconnect, rest = words, first;
        bool has_nvlink = gt_str_find(words, GT_STR("NVLink"), 0) < words.len;
        if (!gt_str_split(&rest, ' ', &first)) first = words;
        struct gt_str args[] = {
            attributes->cards > 1 ? label(lang, LABEL_NODE) : label_word(lang, VOCABULARY_DELIVERY, (int)attributes->delivery),
            has_nvlink ? GT_STR("NVLink") : first};
        return phrase(frame->base.arena, lang, LABEL_ITEM_INTERCONNECT, args, 2);
    }
    return GT_STR("");
}

/* "待核:0.80 系推断;整机标 NVLink 与型号不符". Empty when there is nothing to check. */
static struct gt_str check_sentence(const struct weekly_frame *frame)
{
    const struct weekly *weekly = &frame->weekly;
    struct arena *arena = frame->base.arena;
    enum gt_lang lang = frame->base.input->lang;
    struct gt_str doubted = figure_count_text((int64_t)weekly->doubted, arena);
    struct gt_str items[CHECK_ITEMS_MAX] = {
        weekly->factor_count > 0 ? factor_item(frame) : GT_STR(""), interconnect_item(frame),
        weekly->doubted > 0 ? phrase(arena, lang, LABEL_ITEM_DOUBTED, &doubted, 1) : GT_STR("")};
    struct gt_str text = GT_STR(""), join = label(lang, LABEL_ITEM_JOIN);
    for (size_t i = 0; i < CHECK_ITEMS_MAX; i++)
        if (items[i].len > 0 && text.len > 0)
            text = arena_printf(arena, "%.*s%.*s%.*s", GT_STR_ARG(text), GT_STR_ARG(join), GT_STR_ARG(items[i]));
        else if (items[i].len > 0) text = items[i];
    return text.len > 0 ? phrase(arena, lang, LABEL_SENTENCE_CHECK, &text, 1) : text;
}

size_t weekly_sentences(const struct weekly_frame *frame, struct gt_str ret_sentences[WEEKLY_SENTENCES_MAX])
{
    const struct weekly *weekly = &frame->weekly;
    const struct crossing *below = widest_crossing(&weekly->crossings, -1), *above = widest_crossing(&weekly->crossings, 1);
    size_t count = 0;
    struct gt_str corrections = figure_count_text((int64_t)weekly->corrections.count, frame->base.arena);
    if (weekly->corrections.count > 0)
        ret_sentences[count++] = phrase(frame->base.arena, frame->base.input->lang, LABEL_SENTENCE_CORRECTIONS, &corrections, 1);
    for (size_t i = 0; i < weekly->move_count && i < SENTENCE_MOVES_MAX; i++)
        ret_sentences[count++] = move_sentence(frame, &weekly->moves[i]);
    if (!weekly->is_first && weekly->move_count == 0)
        ret_sentences[count++] = label(frame->base.input->lang, LABEL_SENTENCE_QUIET);
    if (below != NULL) ret_sentences[count++] = crossing_sentence(frame, below);
    if (above != NULL) ret_sentences[count++] = crossing_sentence(frame, above);
    struct gt_str holding = weekly_holding_sentence(frame);
    if (holding.len > 0) ret_sentences[count++] = holding;
    struct gt_str check = check_sentence(frame);
    if (check.len > 0) ret_sentences[count++] = check;
    return count;
}
