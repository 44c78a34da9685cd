/* Cells: made by reports, shown to people and programs by sinks. */
#include <stdio.h>

#include "common/civil.h"
#include "common/utf8.h"
#include "pricing/money.h"
#include "reports/sink_writer.h"

struct cell cell_none(void)
{
    return (struct cell){.kind = CELL_NONE};
}

struct cell cell_text(struct gt_str text)
{
    return text.len > 0 ? (struct cell){.kind = CELL_TEXT, .text = text} : cell_none();
}

struct cell cell_sentence(struct cell cell)
{
    cell.is_sentence = true;
    return cell;
}

struct cell cell_blank(void)
{
    return (struct cell){.kind = CELL_TEXT};
}

struct cell cell_remark(struct gt_str text)
{
    return (struct cell){.kind = CELL_TEXT, .text = text};
}

struct cell cell_list(struct gt_str names)
{
    return (struct cell){.kind = CELL_LIST, .text = names};
}

struct cell cell_words(const char *text)
{
    return cell_text(gt_str_from(text));
}

struct cell cell_number(enum cell_kind kind, int64_t number)
{
    return (struct cell){.kind = kind, .number = number};
}

struct cell cell_money(int64_t nano)
{
    return nano != 0 ? cell_number(CELL_MONEY, nano) : cell_none();
}

struct cell cell_moment(enum cell_kind kind, int64_t t_unix_s)
{
    return t_unix_s != 0 ? cell_number(kind, t_unix_s) : cell_none();
}

struct cell cell_count_known(int64_t count)
{
    return count != 0 ? cell_number(CELL_COUNT, count) : cell_none();
}

struct gt_str sink_printable(struct sink_writer *writer, struct gt_str text)
{
    if (text.len == 0) return GT_STR("");
    struct gt_str printable = utf8_printable(text, writer->scratch);
    if (printable.ptr == NULL) writer->is_out_of_memory = true;
    return printable;
}

bool sink_is_link(struct gt_str address)
{
    if (!gt_str_starts(address, GT_STR("http://")) && !gt_str_starts(address, GT_STR("https://"))) return false;
    for (size_t i = 0; i < address.len; i++) {
        unsigned char c = (unsigned char)address.ptr[i];
        if (c <= 0x20 || c >= 0x7F || strchr("\"'<>()[]`\\|", c) != NULL) return false;
    }
    return true;
}

/* An amount with at most `decimals` places. A price that would round to nothing keeps its digits: 0.000164 is not 0. */
static const char *money_show(int64_t nano, int decimals, char text[MONEY_TEXT_MAX])
{
    int64_t step = NANO, rounded;
    for (int i = 0; i < decimals && step > 1; i++) step /= 10;
    if (decimals > 0 && money_round(nano, step, ROUND_HALF_UP, &rounded) == GT_OK && rounded != 0) nano = rounded;
    return money_format(nano, text);
}

/* "+23.9%", "-7.8%", "0.0%": one decimal, always. */
static void percent_show(int64_t percent_nano, char text[MONEY_TEXT_MAX + 4])
{
    int64_t tenths;
    if (money_scale(percent_nano, 10, NANO, ROUND_HALF_UP, &tenths) != GT_OK) tenths = 0;
    long long whole = (long long)(tenths < 0 ? -tenths : tenths);
    const char *sign = tenths > 0 ? "+" : tenths < 0 ? "-" : "";
    snprintf(text, MONEY_TEXT_MAX + 4, "%s%lld.%lld%%", sign, whole / 10, whole % 10);
}

/* Times as people read them in the report's zone. */
static void time_show(const struct sink_writer *writer, const struct cell *cell, char text[CIVIL_TEXT_MAX])
{
    struct civil c = civil_from_unix(cell->number, writer->head.zone_offset_s);
    char date[CIVIL_TEXT_MAX];
    civil_date(cell->number, writer->head.zone_offset_s, date);
    if (cell->kind == CELL_DAY) snprintf(text, CIVIL_TEXT_MAX, "%s", date);
    else if (cell->kind == CELL_DAY_SHORT) snprintf(text, CIVIL_TEXT_MAX, "%02d-%02d", c.month, c.day);
    else snprintf(text, CIVIL_TEXT_MAX, "%.30s %02d:%02d", date, c.hour, c.minute);
}

/* Ages in the largest unit that leaves two digits: minutes, hours to two days, days. */
static void age_show(int64_t age_s, char text[CIVIL_TEXT_MAX])
{
    if (age_s < 0) age_s = 0;
    if (age_s < CIVIL_HOUR_S) snprintf(text, CIVIL_TEXT_MAX, "%lldm", (long long)(age_s / CIVIL_MINUTE_S));
    else if (age_s < 2 * CIVIL_DAY_S) snprintf(text, CIVIL_TEXT_MAX, "%lldh", (long long)(age_s / CIVIL_HOUR_S));
    else snprintf(text, CIVIL_TEXT_MAX, "%lldd", (long long)(age_s / CIVIL_DAY_S));
}

struct cell_shown cell_show(struct sink_writer *writer, const struct column *column, const struct cell *cell)
{
    char text[CIVIL_TEXT_MAX + MONEY_TEXT_MAX];
    switch (cell->kind) {
    case CELL_NONE: return (struct cell_shown){.main = GT_STR("—")};
    case CELL_TEXT:
        if (cell->is_sentence)
            return (struct cell_shown){.main = sink_printable(writer, label_sentence(writer->scratch, writer->head.lang, cell->text))};
        return (struct cell_shown){.main = sink_printable(writer, cell->text)};
    case CELL_LIST: return (struct cell_shown){.main = sink_printable(writer, cell->text)};
    case CELL_MONEY: money_show(cell->number, column->decimals, text); break;
    case CELL_PERCENT: percent_show(cell->number, text); break;
    case CELL_COUNT: snprintf(text, sizeof text, "%lld", (long long)cell->number); break;
    case CELL_BOOL: return (struct cell_shown){.main = label(writer->head.lang, cell->number != 0 ? LABEL_YES : LABEL_NO)};
    case CELL_TIME:
    case CELL_DAY:
    case CELL_DAY_SHORT: time_show(writer, cell, text); break;
    case CELL_AGE: age_show(cell->number, text); break;
    }
    struct cell_shown shown = {.main = arena_dup(writer->scratch, gt_str_from(text)), .note = sink_printable(writer, cell->text)};
    if (shown.main.ptr == NULL) writer->is_out_of_memory = true;
    return shown;
}

struct gt_str cell_plain(struct sink_writer *writer, const struct cell *cell)
{
    char text[CIVIL_TEXT_MAX + MONEY_TEXT_MAX];
    int64_t rounded;
    switch (cell->kind) {
    case CELL_NONE: return GT_STR("");
    case CELL_TEXT:
    case CELL_LIST: return cell->text;
    case CELL_MONEY: money_format(cell->number, text); break;
    case CELL_PERCENT:
        /* Two decimals: what lies behind is an artefact of the division. */
        if (money_round(cell->number, NANO / 100, ROUND_HALF_UP, &rounded) != GT_OK) rounded = cell->number;
        money_format(rounded, text);
        break;
    case CELL_BOOL: return cell->number != 0 ? GT_STR("true") : GT_STR("false");
    case CELL_TIME:
    case CELL_DAY:
    case CELL_DAY_SHORT: civil_rfc3339(cell->number, text); break;
    case CELL_COUNT:
    case CELL_AGE: snprintf(text, sizeof text, "%lld", (long long)cell->number); break;
    }
    struct gt_str plain = arena_dup(writer->scratch, gt_str_from(text));
    if (plain.ptr == NULL) writer->is_out_of_memory = true;
    return plain;
}
