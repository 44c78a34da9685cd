#include "pricing/price_text.h"

#include "pricing/price_parse.h"

static const struct price_context no_context = {.scale_num = 0};

/* Both readings of the words: which one counts is for who asked. */
struct price_around {
    struct price_heading heading;
    struct price_unit beside;
    bool names_machine;
};

/* Lexes into the caller's buffer, which is large. */
static enum gt_err around_read(struct gt_str words, struct arena *arena, struct price_lexed *lexed, struct price_around *ret)
{
    bool is_count;
    if (words.len > PRICE_TEXT_MAX) return GT_ELIMIT;
    enum gt_err err = price_lex(words, arena, lexed);
    if (err != GT_OK) return err;
    ret->heading = (struct price_heading){.unit = {.period_count = 1}};
    price_heading_read(lexed, 0, lexed->count, &ret->heading);
    ret->beside = price_basis_read(lexed, 0, lexed->count, &is_count);
    ret->names_machine = price_names_machine(lexed, 0, lexed->count);
    return GT_OK;
}

enum gt_err price_around_read(struct gt_str words, struct arena *arena, const struct price_around **ret_around)
{
    struct price_lexed lexed;
    struct price_around *around = arena_alloc(arena, sizeof *around);
    if (around == NULL) return GT_ENOMEM;
    enum gt_err err = around_read(words, arena, &lexed, around);
    if (err == GT_OK) *ret_around = around;
    return err;
}

/* Takes over what heading and row say. They are lexed into the same buffer before the text itself, unless they were read already. */
static enum gt_err surroundings_read(struct price_parse *parse)
{
    const struct price_context *context = parse->context;
    const struct price_around *header = context->header_read, *row = context->context_read;
    struct price_around own;
    enum gt_err err = GT_OK;
    if (header == NULL && context->header.len > 0) {
        err = around_read(context->header, parse->arena, &parse->lexed, &own);
        header = &own;
    }
    if (err == GT_OK && header != NULL) {
        parse->header = header->heading;
        parse->beside_machine |= header->names_machine;
    }
    if (err == GT_OK && row == NULL && context->context.len > 0) {
        err = around_read(context->context, parse->arena, &parse->lexed, &own);
        row = &own;
    }
    if (err == GT_OK && row != NULL) {
        parse->beside = row->beside;
        parse->beside_machine |= row->names_machine;
    }
    return err;
}

/* Under a heading of prices by the day or longer, or in a site's price column of such, a cell that holds one figure and no word
 * but hedges holds a price: 4090 and 7900 are then no cards. By the hour they stay names, since nothing costs that much an hour. */
static bool is_figure_cell(const struct price_parse *parse)
{
    enum period site = parse->context->bare_number ? parse->context->period : PERIOD_NONE;
    enum period column = parse->header.unit.period != PERIOD_NONE ? parse->header.unit.period : site;
    size_t numbers = 0;
    if (price_period_months(column, 1) == 0 && column != PERIOD_DAY && column != PERIOD_WEEK) return false;
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

/* Lexing, finding, words around, settling: each step reads what the ones before have decided and takes none of it back. */
enum gt_err price_text_read(struct gt_str text, const struct price_context *context, struct arena *arena,
                            struct price_reading *ret_reading)
{
    struct price_parse parse;
    if (text.len > PRICE_TEXT_MAX) return GT_ELIMIT;
    parse.context = context != NULL ? context : &no_context;
    parse.arena = arena;
    parse.header = (struct price_heading){.unit = {.period_count = 1}};
    parse.phrase = (struct price_heading){.unit = {.period_count = 1}};
    parse.beside = (struct price_unit){.period_count = 1};
    parse.beside_machine = parse.has_loose_two = parse.has_bare = false;
    parse.loose = PRICE_CUR_NONE;
    parse.finds = parse.inline_finds;
    parse.find_cap = PRICE_FINDS_INLINE;
    parse.find_count = parse.refused_count = 0;
    parse.err = surroundings_read(&parse);
    if (parse.err == GT_OK) parse.err = price_lex(text, arena, &parse.lexed);
    if (parse.err != GT_OK) return parse.err;
    parse.tokens = parse.lexed.tokens;
    parse.lexed.has_no_names = is_figure_cell(&parse);
    price_find_all(&parse);
    price_regions_set(&parse);
    if (parse.has_bare && price_bare_settle(&parse)) price_regions_set(&parse);
    price_modify_all(&parse);
    price_settle_all(&parse);
    if (parse.err != GT_OK) return parse.err;
    struct price_reading reading = {.items = NULL};
    enum gt_err err = price_emit(&parse, &reading);
    if (err != GT_OK) return err;
    *ret_reading = reading;
    return reading.item_count > 0 || reading.discount_count > 0 ? GT_OK : GT_ENOPRICE;
}
