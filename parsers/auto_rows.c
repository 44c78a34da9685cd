/* Grids that are no table: an element whose children have equally many children themselves. */
#include <libxml/tree.h>

#include "parsers/auto_walk.h"
#include "parsers/html_tree.h"

enum {
    LIST_CHILDREN_MIN = 2, /* rows of a grid that is no table */
    LIST_CELLS_MIN = 2,
    LIST_CELLS_MAX = 24,
    LIST_ROWS_MIN_PERCENT = 60, /* of an element's children that are rows of one kind */
    UNWRAP_MAX = 8,             /* wrappers of a row */
};

static const struct auto_around NOTHING = {{"", 0}, {"", 0}, {"", 0}};

struct gt_str auto_text_of(struct auto_walk *walk, const xmlNode *node)
{
    strbuf_clear(&walk->text);
    html_text_add(node, false, &walk->text);
    return strbuf_str(&walk->text);
}

bool auto_is_shown(const xmlNode *node)
{
    return node->type == XML_ELEMENT_NODE && html_element_kind((const char *)node->name) != HTML_HIDDEN;
}

/* How many visible elements a node has as children; the first of them. */
size_t auto_count_elements(const xmlNode *node, const xmlNode **ret_first)
{
    size_t count = 0;
    for (const xmlNode *child = node->children; child != NULL; child = child->next) {
        if (!auto_is_shown(child)) continue;
        if (count++ == 0) *ret_first = child;
    }
    return count;
}

/* Wrappers of one child stand for the child. */
static const xmlNode *unwrap(const xmlNode *node, size_t *ret_cells)
{
    const xmlNode *inner = NULL;
    for (int depth = 0; (*ret_cells = auto_count_elements(node, &inner)) == 1 && depth < UNWRAP_MAX; depth++) node = inner;
    return node;
}

/* How many cells most of an element's children have, and how many of the children do. A heading or a filter among the rows is
 * left out. 0 when there is no such majority. */
static size_t count_rows(const xmlNode *node, size_t *ret_cells)
{
    size_t of_cells[LIST_CELLS_MAX + 1] = {0}, all = 0, best = 0;
    for (const xmlNode *child = node->children; child != NULL; child = child->next) {
        size_t count;
        if (!auto_is_shown(child)) continue;
        unwrap(child, &count);
        if (count <= LIST_CELLS_MAX) of_cells[count]++;
        all++;
    }
    for (size_t i = LIST_CELLS_MIN; i <= LIST_CELLS_MAX; i++) {
        if (of_cells[i] > of_cells[best] || best < LIST_CELLS_MIN) best = i;
    }
    *ret_cells = best;
    return of_cells[best] >= LIST_CHILDREN_MIN && of_cells[best] * 100 >= all * LIST_ROWS_MIN_PERCENT ? of_cells[best] : 0;
}

static bool is_row(const xmlNode *node, size_t cells)
{
    size_t count;
    if (!auto_is_shown(node)) return false;
    unwrap(node, &count);
    return count == cells;
}

/* A cell's text. Where it names no card, but does so without the blanks that keep its elements apart ("H" and "100"), those are
 * left out. */
static struct gt_str cell_text(struct auto_walk *walk, const xmlNode *cell)
{
    struct gt_str text = arena_dup(walk->page->arena, auto_text_of(walk, cell));
    if (text.ptr == NULL || text.len > AUTO_CARD_TITLE_MAX || auto_cell_read(walk->page, text).has_sku) return text;
    strbuf_clear(&walk->text);
    for (const xmlNode *node = cell; node != NULL; node = html_next(node, cell, true)) {
        if (node->type == XML_TEXT_NODE && node->content != NULL) strbuf_adds(&walk->text, (const char *)node->content);
    }
    struct gt_str tight = gt_str_trim(strbuf_str(&walk->text));
    bool is_name = tight.len <= AUTO_CARD_TITLE_MAX && auto_cell_read(walk->page, tight).has_sku;
    return is_name ? arena_dup(walk->page->arena, tight) : text;
}

/* The cells of one row, with their texts. */
static void copy_row(struct auto_walk *walk, const xmlNode *row, struct gt_str *texts, xmlNodePtr *nodes)
{
    size_t cells;
    for (xmlNodePtr cell = unwrap(row, &cells)->children; cell != NULL; cell = cell->next) {
        if (!auto_is_shown(cell)) continue;
        /* What a button says is about the page, not about the offer. */
        *texts++ = html_is(cell, "button") ? GT_STR("") : cell_text(walk, cell);
        *nodes++ = cell;
    }
}

/* A row with as many cells that stands right before the list: its header. NULL when there is none. */
static const xmlNode *header_before(const xmlNode *node, size_t cells)
{
    const xmlNode *before = node->prev;
    size_t count;
    while (before != NULL && !auto_is_shown(before)) before = before->prev;
    if (before == NULL) return NULL;
    before = unwrap(before, &count);
    return count == cells ? before : NULL;
}

/* True when a child that is no row of the grid names a card and a price: a grid would lose that offer. Cards of which some have a
 * line more than others (a second price, a promotion) are blocks, not rows. */
static bool leaves_offers(struct auto_walk *walk, const xmlNode *node, size_t cells)
{
    bool is_left = false;
    for (const xmlNode *child = node->children; child != NULL && !is_left; child = child->next) {
        struct auto_price price;
        if (!auto_is_shown(child) || is_row(child, cells)) continue;
        struct gt_str text = gt_str_trim(auto_text_of(walk, child));
        is_left = text.len <= AUTO_CELL_MAX && auto_cell_read(walk->page, text).has_sku &&
                  auto_price_read(walk->page, text, GT_STR(""), GT_STR(""), &walk->around, false, &price);
        arena_clear(walk->page->scratch);
    }
    return is_left;
}

/* True when a cell is a list of prices that are paid alike: its lines are offers of their own, not parts of a row's. */
static bool lists_prices(struct auto_walk *walk, const xmlNode *cell)
{
    enum period first = PERIOD_NONE;
    size_t priced = 0, ignored;
    for (const xmlNode *line = unwrap(cell, &ignored)->children; line != NULL; line = line->next) {
        struct auto_price price;
        if (!auto_is_shown(line) || html_element_kind((const char *)line->name) != HTML_BLOCK) continue;
        if (!auto_price_read(walk->page, auto_text_of(walk, line), GT_STR(""), GT_STR(""), &NOTHING, false, &price)) continue;
        if (!price.has_period || (priced > 0 && price.first.quote.period != first)) continue;
        first = price.first.quote.period;
        priced++;
    }
    arena_clear(walk->page->scratch);
    return priced > 1;
}

/* True when two cells of a row each hold a card with its price by time: they are offers beside one another, not parts of one. */
static bool holds_offers(struct auto_walk *walk, const struct gt_str *row, size_t cells)
{
    size_t offers = 0;
    for (size_t i = 0; i < cells && offers < 2; i++) {
        struct auto_price price;
        bool is_priced = row[i].len <= AUTO_CELL_MAX && auto_cell_read(walk->page, row[i]).has_sku &&
                         auto_price_read(walk->page, row[i], GT_STR(""), GT_STR(""), &NOTHING, false, &price);
        offers += is_priced && price.is_period_printed;
    }
    return offers > 1;
}

/* A title among the rows that names the card of those below it. */
static bool is_section(struct auto_walk *walk, const xmlNode *child, size_t cells)
{
    size_t parts;
    if (!auto_is_shown(child) || is_row(child, cells)) return false;
    unwrap(child, &parts);
    struct gt_str text = gt_str_trim(auto_text_of(walk, child));
    return parts < LIST_CELLS_MIN && text.len <= AUTO_CARD_TITLE_MAX && auto_cell_read(walk->page, text).has_sku;
}

/* How many titles stand among the rows, behind the first of them. */
static size_t count_sections(struct auto_walk *walk, const xmlNode *node, size_t cells)
{
    size_t sections = 0;
    for (const xmlNode *child = node->children; child != NULL; child = child->next) sections += is_section(walk, child, cells);
    arena_clear(walk->page->scratch);
    return sections;
}

/* A grid of the children's children. */
size_t auto_list_read(struct auto_walk *walk, const xmlNode *node)
{
    size_t cells = 0, rows = count_rows(node, &cells), at = 0;
    if (rows == 0 || leaves_offers(walk, node, cells)) return 0;
    rows += count_sections(walk, node, cells);
    const xmlNode *header = header_before(node, cells);
    rows += header != NULL;
    struct gt_str *texts = arena_array(walk->page->arena, rows * cells, sizeof *texts);
    xmlNodePtr *nodes = arena_array(walk->page->arena, rows * cells, sizeof(xmlNodePtr));
    if (texts == NULL || nodes == NULL) return 0;
    if (header != NULL) {
        copy_row(walk, header, texts, nodes);
        at += cells;
    }
    for (xmlNodePtr row = node->children; row != NULL; row = row->next) {
        if (is_row(row, cells)) {
            copy_row(walk, row, texts + at, nodes + at);
        } else if (is_section(walk, row, cells)) {
            texts[at] = arena_dup(walk->page->arena, gt_str_trim(auto_text_of(walk, row)));
            nodes[at] = NULL;
        } else {
            continue;
        }
        at += cells;
    }
    for (size_t i = 0; i < rows; i++) {
        if (holds_offers(walk, texts + i * cells, cells)) return 0;
    }
    struct grid *grid = grid_from_texts(texts, rows, cells, walk->page->arena);
    if (grid == NULL) return 0;
    for (size_t i = 0; i < rows * cells; i++) {
        if (nodes[i] == NULL) continue;
        if (lists_prices(walk, nodes[i])) return 0;
        grid->cells[i]->node = nodes[i];
    }
    for (size_t row = 0; row < rows; row++) /* whether it has a header is seen by its words */
        grid->kinds[row] = nodes[row * cells] == NULL ? GRID_SECTION : GRID_DATA;
    const struct auto_around around = auto_around_of(walk, node);
    return auto_grid_read(walk->page, grid, &around, "rows");
}
