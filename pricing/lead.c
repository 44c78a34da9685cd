#include "pricing/lead.h"

#include <stdio.h>

#include "common/civil.h"
#include "common/digest.h"
#include "pricing/price_date.h"

enum { NAME_BYTES_MAX = 64, PART_DIGEST_BYTES = 8, FIELDS_MAX = 8 };

/* The names of columns, one a line; the first is the one that messages use. */
static const struct {
    enum lead_column column;
    const char *name;
} names[] = {
    {LEAD_CARD, "card"},         {LEAD_CARD, "gpu"},       {LEAD_CARD, "model"},      {LEAD_CARD, "型号"},     {LEAD_CARD, "显卡"},
    {LEAD_CARD, "卡型"},         {LEAD_PRICE, "price"},    {LEAD_PRICE, "价格"},      {LEAD_PRICE, "报价"},    {LEAD_PRICE, "单价"},
    {LEAD_SOURCE, "source"},     {LEAD_SOURCE, "来源"},    {LEAD_DATE, "date"},       {LEAD_DATE, "日期"},     {LEAD_CURRENCY, "currency"},
    {LEAD_CURRENCY, "币种"},     {LEAD_CURRENCY, "货币"},  {LEAD_PERIOD, "period"},   {LEAD_PERIOD, "周期"},   {LEAD_PERIOD, "计费周期"},
    {LEAD_CARDS, "cards"},       {LEAD_CARDS, "卡数"},     {LEAD_CARDS, "数量"},      {LEAD_DELIVERY, "delivery"},
    {LEAD_DELIVERY, "交付"},     {LEAD_DELIVERY, "交付方式"}, {LEAD_REGION, "region"}, {LEAD_REGION, "地区"},   {LEAD_REGION, "区域"},
    {LEAD_SITE, "site"},         {LEAD_SITE, "platform"},  {LEAD_SITE, "平台"},       {LEAD_SITE, "供应商"},   {LEAD_NOTE, "note"},
    {LEAD_NOTE, "remark"},       {LEAD_NOTE, "备注"},      {LEAD_NOTE, "说明"},
};

/* Words of the period column, and the period's name in a field (pricing/listing.h). */
static const struct {
    const char *word, *period;
} periods[] = {
    {"second", "second"}, {"秒", "second"}, {"minute", "minute"}, {"分钟", "minute"},   {"hour", "hour"},      {"hourly", "hour"}, {"h", "hour"},
    {"hr", "hour"},       {"小时", "hour"}, {"时", "hour"},       {"day", "day"},       {"daily", "day"},      {"天", "day"},      {"日", "day"},
    {"week", "week"},     {"周", "week"},   {"month", "month"},   {"monthly", "month"}, {"mo", "month"},       {"月", "month"},    {"包月", "month"},
    {"quarter", "quarter"}, {"季", "quarter"}, {"季度", "quarter"}, {"year", "year"},   {"yearly", "year"},    {"yr", "year"},     {"年", "year"},
    {"包年", "year"},
};

/* The first name of a column. */
static const char *name_of(enum lead_column column)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i].column == column) return names[i].name;
    return "?";
}

/* A heading without what stands in brackets behind it. */
static struct gt_str heading_name(struct gt_str heading)
{
    size_t end = heading.len, narrow = gt_str_find(heading, GT_STR("("), 0), wide = gt_str_find(heading, GT_STR("（"), 0);
    if (narrow < end) end = narrow;
    if (wide < end) end = wide;
    return gt_str_trim(gt_str_slice(heading, 0, end));
}

/* LEAD_COLUMNS for a heading that means nothing here. */
static enum lead_column column_of(struct gt_str heading)
{
    struct gt_str name = heading_name(heading);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (gt_str_eq_nocase(name, gt_str_from(names[i].name))) return names[i].column;
    return LEAD_COLUMNS;
}

/* Columns by name, in any order: the tables come from people. One that names a column twice has no answer to which counts. */
enum gt_err lead_header_read(const struct gt_str *cells, size_t count, struct lead_header *ret_header, struct gt_errinfo *info)
{
    struct lead_header header = {.price = {"", 0}};
    for (int column = 0; column < LEAD_COLUMNS; column++) header.at[column] = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        enum lead_column column = column_of(cells[i]);
        if (column == LEAD_COLUMNS) continue;
        if (header.at[column] != SIZE_MAX) return gt_fail(info, GT_EFORMAT, "two columns are called \"%s\"", name_of(column));
        header.at[column] = i;
    }
    for (int column = LEAD_CARD; column <= LEAD_DATE; column++)
        if (header.at[column] == SIZE_MAX)
            return gt_fail(info, GT_EFORMAT, "no column is called \"%s\" (the first line must name the columns)",
                           name_of((enum lead_column)column));
    header.price = cells[header.at[LEAD_PRICE]];
    *ret_header = header;
    return GT_OK;
}

/* A cell of a row, trimmed; empty where the row is shorter or there is no such column. */
static struct gt_str cell_of(const struct lead_header *header, const struct gt_str *cells, size_t count, enum lead_column column)
{
    size_t at = header->at[column];
    return at < count ? gt_str_trim(cells[at]) : (struct gt_str){"", 0};
}

struct gt_str lead_site(const struct lead_header *header, const struct gt_str *cells, size_t count)
{
    return cell_of(header, cells, count, LEAD_SITE);
}

/* 2026-11-30, 2026/11/30, 2026年11月30日, RFC 3339: not @seconds, which nobody means in a table. */
static bool date_read(struct gt_str text, int64_t *ret_unix_s)
{
    struct price_date date;
    if (text.len == 0 || text.ptr[0] < '0' || text.ptr[0] > '9') return false;
    if (civil_parse(text, ret_unix_s)) return true;
    if (!price_date_scan(text, 0, &date) || date.len != text.len || date.year == 0 || date.month == 0 || date.day == 0) return false;
    *ret_unix_s = civil_midnight_unix(date.year, date.month, date.day, 0);
    /* 31 April is no day */
    struct civil back = civil_from_unix(*ret_unix_s, 0);
    return back.month == date.month && back.day == date.day;
}

/* "price" or "price.month"; NULL for a period that is none. */
static const char *price_field(struct gt_str period, char *text, size_t max)
{
    if (period.len == 0) return "price";
    for (size_t i = 0; i < sizeof periods / sizeof periods[0]; i++)
        if (gt_str_eq_nocase(period, gt_str_from(periods[i].word))) {
            snprintf(text, max, "price.%s", periods[i].period);
            return text;
        }
    return NULL;
}

/* Leads are told apart by all that their row says but price, date and note: each is a listing of its own, so that no other delists it. */
static struct gt_str part_of(const struct lead_header *header, const struct gt_str *cells, size_t count, struct arena *arena)
{
    static const enum lead_column told[] = {LEAD_CARD, LEAD_SOURCE, LEAD_CURRENCY, LEAD_PERIOD, LEAD_CARDS, LEAD_DELIVERY, LEAD_REGION};
    struct gt_str all = GT_STR("");
    uint8_t digest[SHA256_BYTES];
    char hex[SHA256_HEX_MAX];
    for (size_t i = 0; i < sizeof told / sizeof told[0]; i++) {
        struct gt_str cell = cell_of(header, cells, count, told[i]);
        all = arena_printf(arena, "%.*s%zu:%.*s", GT_STR_ARG(all), cell.len, GT_STR_ARG(cell));
    }
    if (all.ptr == NULL || digest_sha256(all, digest) != GT_OK) return (struct gt_str){NULL, 0};
    digest_hex(digest, PART_DIGEST_BYTES, hex);
    return arena_printf(arena, "lead %s", hex);
}

/* Adds a field where the row has one. */
static void field_add(struct listing_field *fields, size_t *count, const char *name, struct gt_str text, struct gt_str heading)
{
    if (text.len == 0) return;
    fields[(*count)++] = (struct listing_field){.name = gt_str_from(name), .text = text, .header = heading, .rule = GT_STR("import")};
}

/* Why a reading is no lead, or NULL. */
static const char *fault_of(const struct reading *reading)
{
    if (reading->offer_count != 1 || reading->offers[0].record.quote_count == 0) return "the price cannot be read";
    const struct quote *quote = &reading->offers[0].record.quotes[0];
    if (quote->currency.code[0] == '\0') return "the price has no currency";
    if (quote->period == PERIOD_NONE || quote->period == PERIOD_COUNT) return "the price is for no period (hour, month …)";
    return NULL;
}

/* The row by the readers of pages. */
static enum gt_err offer_read(const struct lead_header *header, const struct gt_str *cells, size_t count, const struct site_facts *facts,
                              struct arena *arena, struct lead *lead, struct gt_errinfo *info)
{
    struct listing_field fields[FIELDS_MAX];
    struct listing listing = {.fields = fields, .confidence_permille = 1000};
    struct reading reading = {0};
    struct gt_str none = {"", 0}, cards = cell_of(header, cells, count, LEAD_CARDS);
    char name[NAME_BYTES_MAX];
    const char *price = price_field(cell_of(header, cells, count, LEAD_PERIOD), name, sizeof name);
    if (price == NULL) return gt_fail(info, GT_EFORMAT, "the period is none (hour, day, week, month, quarter, year)");
    struct gt_str variant = cards.len > 0 ? arena_printf(arena, "%.*s | %.*s", GT_STR_ARG(lead->source), GT_STR_ARG(cards)) : lead->source;
    struct gt_str part = part_of(header, cells, count, arena);
    if (variant.ptr == NULL || part.ptr == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    field_add(fields, &listing.field_count, "label", cell_of(header, cells, count, LEAD_CARD), none);
    field_add(fields, &listing.field_count, price, cell_of(header, cells, count, LEAD_PRICE), header->price);
    field_add(fields, &listing.field_count, "currency", cell_of(header, cells, count, LEAD_CURRENCY), none);
    field_add(fields, &listing.field_count, "cards", cards, none);
    field_add(fields, &listing.field_count, "delivery", cell_of(header, cells, count, LEAD_DELIVERY), none);
    field_add(fields, &listing.field_count, "region", cell_of(header, cells, count, LEAD_REGION), none);
    field_add(fields, &listing.field_count, "variant", variant, none);
    field_add(fields, &listing.field_count, "note", cell_of(header, cells, count, LEAD_NOTE), none);
    enum gt_err err = listing_read(&listing, 1, facts, part, arena, &reading);
    if (err != GT_OK) return gt_fail(info, err, "%s", gt_err_text(err));
    const char *fault = fault_of(&reading);
    if (fault != NULL && reading.refused_count > 0)
        return gt_fail(info, GT_EFORMAT, "%s: %.*s", fault, GT_STR_ARG(reading.refused[0].reason));
    if (fault != NULL) return gt_fail(info, GT_EFORMAT, "%s", fault);
    lead->offer = reading.offers[0];
    return GT_OK;
}

/* A date to come is a slip (a year, or day and month changed over): the lead would look fresh for months. */
enum gt_err lead_read(const struct lead_header *header, const struct gt_str *cells, size_t count, const struct site_facts *facts,
                      int64_t now_unix_s, struct arena *arena, struct lead *ret_lead, struct gt_errinfo *info)
{
    struct lead lead = {.site = lead_site(header, cells, count), .source = cell_of(header, cells, count, LEAD_SOURCE)};
    for (size_t i = 0; i < count; i++)
        if (cells[i].len > OFFER_TEXT_MAX) return gt_fail(info, GT_EFORMAT, "cell %zu has more than %d bytes", i + 1, OFFER_TEXT_MAX);
    for (int column = LEAD_CARD; column <= LEAD_DATE; column++)
        if (cell_of(header, cells, count, (enum lead_column)column).len == 0)
            return gt_fail(info, GT_EFORMAT, "\"%s\" is empty", name_of((enum lead_column)column));
    struct gt_str date = cell_of(header, cells, count, LEAD_DATE);
    struct gt_str shown = gt_str_cut(date, NAME_BYTES_MAX);
    if (!date_read(date, &lead.t_unix_s)) return gt_fail(info, GT_EFORMAT, "\"%.*s\" is no date such as 2026-11-30", GT_STR_ARG(shown));
    if (lead.t_unix_s > now_unix_s) return gt_fail(info, GT_EFORMAT, "the date %.*s has not come yet", GT_STR_ARG(date));
    enum gt_err err = offer_read(header, cells, count, facts, arena, &lead, info);
    if (err == GT_OK) *ret_lead = lead;
    return err;
}
