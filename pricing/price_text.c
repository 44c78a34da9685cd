#include "pricing/price_text.h"

#include "pricing/price_parse.h"

static const struct price_context no_context = {.scale_num = 0};

/* ¥ is yuan where 元 or CNY stands in the text or its heading, yen where 円 or JPY does; both or
 * neither leave it open. */
static enum price_currency yen_of(const struct price_lexed *lexed, enum price_currency known)
{
    bool has_cny = known == PRICE_CUR_CNY, has_jpy = known == PRICE_CUR_JPY;
    for (size_t i = 0; i < lexed->count; i++) {
        if (lexed->tokens[i].kind != PK_CURRENCY) continue;
        has_cny |= lexed->tokens[i].value == PRICE_CUR_CNY;
        has_jpy |= lexed->tokens[i].value == PRICE_CUR_JPY;
    }
    return has_cny == has_jpy ? PRICE_CUR_NONE : has_cny ? PRICE_CUR_CNY : PRICE_CUR_JPY;
}

/* Reads the heading and the row's words. They are lexed into the same buffer before the text
 * itself. */
static enum gt_err surroundings_read(struct price_parse *parse)
{
    enum gt_err err;
    if (parse->context->header.len > 0) {
        if (parse->context->header.len > PRICE_TEXT_MAX) return GT_ELIMIT;
        err = price_lex(parse->context->header, parse->arena, &parse->lexed);
        if (err != GT_OK) return err;
        price_heading_read(&parse->lexed, 0, parse->lexed.count, &parse->header);
        parse->beside_machine |= price_names_machine(&parse->lexed, 0, parse->lexed.count);
    }
    if (parse->context->context.len > 0) {
        bool is_count;
        if (parse->context->context.len > PRICE_TEXT_MAX) return GT_ELIMIT;
        err = price_lex(parse->context->context, parse->arena, &parse->lexed);
        if (err != GT_OK) return err;
        parse->beside = price_basis_read(&parse->lexed, 0, parse->lexed.count, &is_count);
        parse->beside_machine |= price_names_machine(&parse->lexed, 0, parse->lexed.count);
    }
    return GT_OK;
}

/* Under a heading of prices by the month or longer, or in a site's price column of such, a cell that holds one figure and no word
 * but hedges holds a price: 4090 and 7900 are then no cards. By the hour they stay names, since nothing costs that much an hour. */
static bool is_figure_cell(const struct price_parse *parse)
{
    enum period site = parse->context->bare_number ? parse->context->period : PERIOD_NONE;
    enum period column = parse->header.unit.period != PERIOD_NONE ? parse->header.unit.period : site;
    size_t numbers = 0;
    if (price_period_months(column, 1) == 0) return false;
    for (size_t i = 0; i < parse->lexed.count; i++) {
        switch (parse->lexed.tokens[i].kind) {
        case PK_NUMBER: numbers++; break;
        case PK_RANGE:
        case PK_BOUND:
        case PK_FILL:
        case PK_SCALE: break;
        default: return false;
        }
    }
    return numbers == 1 || numbers == 2;
}

enum gt_err price_text_read(struct gt_str text, const struct price_context *context, struct arena *arena,
                            struct price_reading *ret_reading)
{
    struct price_parse parse;
    if (text.len > PRICE_TEXT_MAX) return GT_ELIMIT;
    parse.context = context != NULL ? context : &no_context;
    parse.arena = arena;
    parse.header = parse.phrase = (struct price_heading){.unit = {.period_count = 1}};
    parse.beside = (struct price_unit){.period_count = 1};
    parse.beside_machine = parse.has_loose_two = false;
    parse.loose = PRICE_CUR_NONE;
    parse.finds = parse.inline_finds;
    parse.find_cap = PRICE_FINDS_INLINE;
    parse.find_count = parse.refused_count = 0;
    parse.err = surroundings_read(&parse);
    if (parse.err == GT_OK) parse.err = price_lex(text, arena, &parse.lexed);
    if (parse.err != GT_OK) return parse.err;
    parse.tokens = parse.lexed.tokens;
    parse.lexed.has_no_names = is_figure_cell(&parse);
    parse.yen = yen_of(&parse.lexed, parse.header.currency);
    price_find_all(&parse);
    price_regions_set(&parse);
    price_bare_settle(&parse);
    price_regions_set(&parse);
    price_modify_all(&parse);
    price_settle_all(&parse);
    if (parse.err != GT_OK) return parse.err;
    struct price_reading reading = {.items = NULL};
    enum gt_err err = price_emit(&parse, &reading);
    if (err != GT_OK) return err;
    *ret_reading = reading;
    return reading.item_count > 0 || reading.discount_count > 0 ? GT_OK : GT_ENOPRICE;
}
