/* HTML pages: tables and rows of <div>s as grids, what is left as blocks, and scripts when the page itself shows nothing. */
#include <libxml/tree.h>

#include "parsers/auto.h"
#include "parsers/html_tree.h"

enum {
    AROUND_MAX = 300,      /* bytes of a heading or line that may name a unit */
    LIST_CHILDREN_MIN = 2, /* rows of a grid that is no table */
    LIST_CELLS_MIN = 2,
    LIST_CELLS_MAX = 24,
    LIST_ROWS_MIN_PERCENT = 60, /* of an element's children that are rows of one kind */
    UNWRAP_MAX = 8,             /* wrappers of a row */
    TITLE_LEVELS_MAX = 2,       /* wrappers between a title and what it is the title of */
    CARD_TITLE_MAX = 60,        /* bytes of a block that names a card above a table */
    LEAF_MAX = 160,             /* bytes of a block that is a title or names a unit */
    STRUCK_DEPTH = 2,           /* elements up in which a text may be struck out */
    SCRIPT_BYTES_MIN = 40,
};

/* A page while it is walked. */
struct walk {
    struct auto_page *page;
    struct auto_around around; /* what was passed last */
    struct gt_str title;       /* of the last block whose class calls it a title */
    const xmlNode *titled;     /* the element that this title is of */
    struct strbuf text;        /* scratch */
    bool is_markdown;
    size_t offers;
};

static const struct auto_around NOTHING = {{"", 0}, {"", 0}, {"", 0}};

static struct gt_str text_of(struct walk *walk, const xmlNode *node)
{
    strbuf_clear(&walk->text);
    html_text_add(node, false, &walk->text);
    return strbuf_str(&walk->text);
}

/* A short copy for the surroundings; long text is prose and names no unit. */
static void keep_line(struct walk *walk, struct gt_str text, struct gt_str *line)
{
    text = gt_str_trim(text);
    if (text.len == 0) return;
    if (text.len > AROUND_MAX) *line = GT_STR("");
    else *line = arena_dup(walk->page->arena, text);
    if (line->ptr == NULL) *line = GT_STR("");
}

static bool is_heading(const xmlNode *node)
{
    return node->type == XML_ELEMENT_NODE && node->name[0] == 'h' && node->name[1] >= '1' && node->name[1] <= '6' &&
           node->name[2] == '\0';
}

/* The last lines of a text that is markdown: its headings are headings. */
static void keep_markdown(struct walk *walk, struct gt_str text)
{
    struct gt_str rest = text, line;
    while (gt_str_split(&rest, '\n', &line)) {
        if (line.len == 0) continue;
        bool is_title = line.ptr[0] == '#';
        while (line.len > 0 && line.ptr[0] == '#') line = gt_str_slice(line, 1, SIZE_MAX);
        keep_line(walk, line, is_title ? &walk->around.heading : &walk->around.before);
        if (is_title) walk->around.before = GT_STR("");
    }
}

static bool is_shown(const xmlNode *node)
{
    return node->type == XML_ELEMENT_NODE && html_element_kind((const char *)node->name) != HTML_HIDDEN;
}

/* How many visible elements a node has as children; the first of them. */
static size_t count_elements(const xmlNode *node, const xmlNode **ret_first)
{
    size_t count = 0;
    for (const xmlNode *child = node->children; child != NULL; child = child->next) {
        if (!is_shown(child)) continue;
        if (count++ == 0) *ret_first = child;
    }
    return count;
}

/* True when one of the words of the class says that this is a title. */
static bool is_titled(struct walk *walk, const xmlNode *node)
{
    struct gt_str class = html_attribute(node, "class");
    return class.len > 0 && auto_has_words(walk->page, auto_key_words(walk->page, GT_STR(""), class),
                                           "title|heading|header|caption|name|tit|hd|head");
}

/* A block that holds text and no further block. */
static bool is_leaf(const xmlNode *node)
{
    if (html_element_kind((const char *)node->name) != HTML_BLOCK) return false;
    for (const xmlNode *child = node->children; child != NULL; child = child->next) {
        if (child->type == XML_ELEMENT_NODE && html_element_kind((const char *)child->name) != HTML_INLINE) return false;
    }
    return node->children != NULL;
}

/* The element that a title is of: its parent, past wrappers that hold nothing else. */
static const xmlNode *owner_of(const xmlNode *title)
{
    const xmlNode *owner = title->parent, *ignored;
    for (int up = 0; owner != NULL && owner->parent != NULL && up < TITLE_LEVELS_MAX && count_elements(owner, &ignored) == 1;
         up++)
        owner = owner->parent;
    return owner;
}

/* Blocks that are no paragraph: a title of what it stands in, or the line that names the unit. */
static void keep_leaf(struct walk *walk, const xmlNode *node)
{
    struct gt_str text = gt_str_trim(text_of(walk, node));
    if (text.len == 0 || text.len > LEAF_MAX) return;
    bool names_card = text.len <= CARD_TITLE_MAX && auto_cell_read(walk->page, text).has_sku;
    if (names_card || is_titled(walk, node)) {
        keep_line(walk, text, &walk->title);
        walk->titled = owner_of(node);
    } else if (auto_unit_is_known(walk->page, text, &NOTHING)) {
        keep_line(walk, text, &walk->around.before);
    }
    arena_clear(walk->page->scratch);
}

/* Remembers what a node says about what follows it. */
static void keep_around(struct walk *walk, const xmlNode *node)
{
    if (is_heading(node)) {
        keep_line(walk, text_of(walk, node), &walk->around.heading);
        walk->around.before = GT_STR("");
    } else if (html_is(node, "p") || html_is(node, "summary") || html_is(node, "label") || html_is(node, "legend") ||
               html_is(node, "figcaption")) {
        keep_line(walk, text_of(walk, node), &walk->around.before);
    } else if (walk->is_markdown && node->type == XML_TEXT_NODE && node->content != NULL) {
        keep_markdown(walk, gt_str_from((const char *)node->content));
    } else if (!walk->is_markdown && node->type == XML_ELEMENT_NODE && is_leaf(node)) {
        keep_leaf(walk, node);
    }
}

static bool is_below(const xmlNode *node, const xmlNode *top)
{
    while (node != NULL && node != top) node = node->parent;
    return node != NULL;
}

/* What stands around a table: also the title of what it lies in, and its figure's caption, wherever that stands. */
static struct auto_around around_of(struct walk *walk, const xmlNode *table)
{
    struct auto_around around = walk->around;
    if (walk->titled != NULL && is_below(table, walk->titled)) around.heading = walk->title;
    const xmlNode *figure = table->parent;
    for (int up = 0; figure != NULL && up < TITLE_LEVELS_MAX && !html_is(figure, "figure"); up++) figure = figure->parent;
    for (const xmlNode *child = html_is(figure, "figure") ? figure->children : NULL; child != NULL; child = child->next) {
        if (html_is(child, "figcaption")) keep_line(walk, text_of(walk, child), &around.before);
    }
    return around;
}

static bool has_inside(const xmlNode *top, const char *name)
{
    for (const xmlNode *node = html_next(top, top, true); node != NULL; node = html_next(node, top, true)) {
        if (html_is(node, name)) return true;
    }
    return false;
}

static size_t read_table(struct walk *walk, xmlNodePtr table)
{
    struct grid *grid;
    struct gt_errinfo ignored = {0};
    if (grid_from_html(table, walk->page->arena, &grid, &ignored) != GT_OK) return 0;
    struct auto_around around = around_of(walk, table);
    around.caption = grid->caption;
    return auto_grid_read(walk->page, grid, &around, "table");
}

bool auto_is_struck(const struct _xmlNode *node)
{
    for (int up = 0; node != NULL && up <= STRUCK_DEPTH; node = node->parent, up++) {
        if (html_is(node, "del") || html_is(node, "s") || html_is(node, "strike")) return true;
        struct gt_str style = html_attribute(node, "style"), class = html_attribute(node, "class");
        if (gt_str_find(style, GT_STR("line-through"), 0) != SIZE_MAX ||
            gt_str_find(class, GT_STR("line-through"), 0) != SIZE_MAX)
            return true;
    }
    return false;
}

struct gt_str auto_struck_text(struct auto_page *page, const struct _xmlNode *node)
{
    struct gt_str found = GT_STR("");
    for (const xmlNode *inner = node; inner != NULL && found.len == 0; inner = html_next(inner, node, true)) {
        if (inner == node || inner->type != XML_ELEMENT_NODE || !auto_is_struck(inner)) continue;
        struct strbuf text;
        strbuf_init(&text, AUTO_CELL_MAX);
        html_text_add(inner, false, &text);
        found = arena_dup(page->arena, strbuf_str(&text));
        strbuf_done(&text);
    }
    return found.ptr != NULL ? found : GT_STR("");
}

/* Wrappers of one child stand for the child. */
static const xmlNode *unwrap(const xmlNode *node, size_t *ret_cells)
{
    const xmlNode *inner = NULL;
    for (int depth = 0; (*ret_cells = count_elements(node, &inner)) == 1 && depth < UNWRAP_MAX; depth++) node = inner;
    return node;
}

/* How many cells most of an element's children have, and how many of the children do. A heading or a filter among the rows is
 * left out. 0 when there is no such majority. */
static size_t count_rows(const xmlNode *node, size_t *ret_cells)
{
    size_t of_cells[LIST_CELLS_MAX + 1] = {0}, all = 0, best = 0;
    for (const xmlNode *child = node->children; child != NULL; child = child->next) {
        size_t count;
        if (!is_shown(child)) continue;
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
    if (!is_shown(node)) return false;
    unwrap(node, &count);
    return count == cells;
}

/* A cell's text. Where it names no card, but does so without the blanks that keep its elements apart ("H" and "100"), those are
 * left out. */
static struct gt_str cell_text(struct walk *walk, const xmlNode *cell)
{
    struct gt_str text = arena_dup(walk->page->arena, text_of(walk, cell));
    if (text.ptr == NULL || text.len > CARD_TITLE_MAX || auto_cell_read(walk->page, text).has_sku) return text;
    strbuf_clear(&walk->text);
    for (const xmlNode *node = cell; node != NULL; node = html_next(node, cell, true)) {
        if (node->type == XML_TEXT_NODE && node->content != NULL) strbuf_adds(&walk->text, (const char *)node->content);
    }
    struct gt_str tight = gt_str_trim(strbuf_str(&walk->text));
    bool is_name = tight.len <= CARD_TITLE_MAX && auto_cell_read(walk->page, tight).has_sku;
    return is_name ? arena_dup(walk->page->arena, tight) : text;
}

/* The cells of one row, with their texts. */
static void copy_row(struct walk *walk, const xmlNode *row, struct gt_str *texts, xmlNodePtr *nodes)
{
    size_t cells;
    for (xmlNodePtr cell = unwrap(row, &cells)->children; cell != NULL; cell = cell->next) {
        if (!is_shown(cell)) continue;
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
    while (before != NULL && !is_shown(before)) before = before->prev;
    if (before == NULL) return NULL;
    before = unwrap(before, &count);
    return count == cells ? before : NULL;
}

/* True when a child that is no row of the grid names a card and a price: a grid would lose that offer. Cards of which some have a
 * line more than others (a second price, a promotion) are blocks, not rows. */
static bool leaves_offers(struct walk *walk, const xmlNode *node, size_t cells)
{
    bool is_left = false;
    for (const xmlNode *child = node->children; child != NULL && !is_left; child = child->next) {
        struct auto_price price;
        if (!is_shown(child) || is_row(child, cells)) continue;
        struct gt_str text = gt_str_trim(text_of(walk, child));
        is_left = text.len <= AUTO_CELL_MAX && auto_cell_read(walk->page, text).has_sku &&
                  auto_price_read(walk->page, text, GT_STR(""), GT_STR(""), &walk->around, false, &price);
        arena_clear(walk->page->scratch);
    }
    return is_left;
}

/* True when a cell is a list of prices that are paid alike: its lines are offers of their own, not parts of a row's. */
static bool lists_prices(struct walk *walk, const xmlNode *cell)
{
    enum period first = PERIOD_NONE;
    size_t priced = 0, ignored;
    for (const xmlNode *line = unwrap(cell, &ignored)->children; line != NULL; line = line->next) {
        struct auto_price price;
        if (!is_shown(line) || html_element_kind((const char *)line->name) != HTML_BLOCK) continue;
        if (!auto_price_read(walk->page, text_of(walk, line), GT_STR(""), GT_STR(""), &NOTHING, false, &price)) continue;
        if (!price.has_period || (priced > 0 && price.first.quote.period != first)) continue;
        first = price.first.quote.period;
        priced++;
    }
    arena_clear(walk->page->scratch);
    return priced > 1;
}

/* A grid of the children's children. */
static size_t read_list(struct walk *walk, const xmlNode *node)
{
    size_t cells = 0, rows = count_rows(node, &cells), at = 0;
    if (rows == 0 || leaves_offers(walk, node, cells)) return 0;
    const xmlNode *header = header_before(node, cells);
    rows += header != NULL;
    struct gt_str *texts = arena_array(walk->page->arena, rows * cells, sizeof *texts);
    xmlNodePtr *nodes = arena_array(walk->page->arena, rows * cells, sizeof *nodes);
    if (texts == NULL || nodes == NULL) return 0;
    if (header != NULL) {
        copy_row(walk, header, texts, nodes);
        at += cells;
    }
    for (const xmlNode *row = node->children; row != NULL; row = row->next) {
        if (!is_row(row, cells)) continue;
        copy_row(walk, row, texts + at, nodes + at);
        at += cells;
    }
    struct grid *grid = grid_from_texts(texts, rows, cells, walk->page->arena);
    if (grid == NULL) return 0;
    for (size_t i = 0; i < rows * cells; i++) {
        if (lists_prices(walk, nodes[i])) return 0;
        grid->cells[i]->node = nodes[i];
    }
    grid->kinds[0] = GRID_DATA; /* whether it has a header is seen by its words */
    return auto_grid_read(walk->page, grid, &walk->around, "rows");
}

/* True when the node and all below it were dealt with. */
static bool visit(struct walk *walk, xmlNodePtr node)
{
    keep_around(walk, node);
    if (node->type != XML_ELEMENT_NODE) return false;
    if (html_element_kind((const char *)node->name) == HTML_HIDDEN) return true;
    size_t found = 0;
    if (html_is(node, "table")) {
        if (has_inside(node, "table")) return false;
        found = read_table(walk, node);
    } else if (!walk->is_markdown && !html_is(node, "html") && !has_inside(node, "table")) {
        /* <head> and <body> are no rows, even when they have as many children. */
        found = read_list(walk, node);
        if (found == 0) return false;
    } else {
        return false;
    }
    /* Blocks are looked for outside of what gave offers. */
    if (found > 0) node->_private = walk->page;
    walk->offers += found;
    return true;
}

static void walk_tree(struct walk *walk, xmlNodePtr root)
{
    for (xmlNodePtr node = root; node != NULL && walk->page->err == GT_OK;) node = html_next(node, root, !visit(walk, node));
}

/* What scripts hold that are data says as much about the page as what it shows. */
static void add_evidence(struct auto_page *page, const xmlNode *script, struct gt_str text)
{
    if (gt_str_find(html_attribute(script, "type"), GT_STR("json"), 0) == SIZE_MAX) return;
    struct auto_evidence more = auto_evidence_of(page, text);
    if (more.rental > page->evidence.rental) page->evidence.rental = more.rental;
    if (more.purchase > page->evidence.purchase) page->evidence.purchase = more.purchase;
    page->evidence.is_yuan |= more.is_yuan;
    arena_clear(page->scratch);
}

/* JSON that scripts hold: whole ones, and what is assigned to a variable. */
static size_t read_scripts(struct walk *walk, xmlNodePtr root)
{
    size_t offers = 0;
    for (xmlNodePtr node = root; node != NULL && walk->page->err == GT_OK; node = html_next(node, root, true)) {
        if (!html_is(node, "script") || node->children == NULL || node->children->content == NULL) continue;
        struct gt_str text = gt_str_trim(gt_str_from((const char *)node->children->content));
        if (text.len < SCRIPT_BYTES_MIN) continue;
        add_evidence(walk->page, node, text);
        offers += auto_json_read(walk->page, text);
    }
    return offers;
}

/* The page's description of itself, which it does not show; its title is among what is shown. */
static void add_head(const xmlNode *root, struct strbuf *text)
{
    for (const xmlNode *node = root; node != NULL; node = html_next(node, root, !html_is(node, "body"))) {
        if (!html_is(node, "meta") || !gt_str_eq_nocase(html_attribute(node, "name"), GT_STR("description"))) continue;
        strbuf_addc(text, ' ');
        strbuf_add(text, html_attribute(node, "content"));
    }
}

enum gt_err auto_html_read(struct auto_page *page, struct gt_str text, bool is_markdown)
{
    struct _xmlDoc *doc = NULL;
    struct walk walk = {.page = page, .is_markdown = is_markdown, .around = NOTHING};
    enum gt_err err = html_tree_parse(text, page->arena, &doc, page->info);
    if (err != GT_OK) return err;
    strbuf_init(&walk.text, PAGE_BYTES_MAX);
    xmlNodePtr root = xmlDocGetRootElement(doc);
    if (!is_markdown) {
        html_text_add(root, false, &walk.text);
        add_head(root, &walk.text);
        page->evidence = auto_evidence_of(page, strbuf_str(&walk.text));
        arena_clear(page->scratch);
    }
    walk_tree(&walk, root);
    if (!is_markdown && page->err == GT_OK) walk.offers += auto_blocks_read(page, root);
    if (!is_markdown && walk.offers == 0 && page->err == GT_OK) walk.offers += read_scripts(&walk, root);
    if (!is_markdown && walk.offers == 0 && page->err == GT_OK) walk.offers += auto_attributes_read(page, root);
    strbuf_done(&walk.text);
    html_tree_free(doc);
    return page->err;
}
