/* HTML pages: tables and rows of <div>s as grids, what is left as blocks, and scripts when the page itself shows nothing. */
#include <libxml/tree.h>

#include "parsers/auto_walk.h"
#include "parsers/html_tree.h"

enum {
    AROUND_MAX = 300,     /* bytes of a heading or line that may name a unit */
    TITLE_LEVELS_MAX = 2, /* wrappers between a title and what it is the title of */
    LEAF_MAX = 160,       /* bytes of a block that is a title or names a unit */
    STRUCK_DEPTH = 2,     /* elements up in which a text may be struck out */
    SCRIPT_BYTES_MIN = 40,
};

static const struct auto_around NOTHING = {{"", 0}, {"", 0}, {"", 0}};

/* A short copy for the surroundings; long text is prose and names no unit. */
static void keep_line(struct auto_walk *walk, struct gt_str text, struct gt_str *line)
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
static void keep_markdown(struct auto_walk *walk, struct gt_str text)
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

/* True when one of the words of the class says that this is a title. */
static bool is_titled(struct auto_walk *walk, const xmlNode *node)
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

/* True for an element with one visible element in it; of many only two are looked at. */
static bool is_wrapper(const xmlNode *node)
{
    size_t count = 0;
    for (const xmlNode *child = node->children; child != NULL && count < 2; child = child->next) count += auto_is_shown(child);
    return count == 1;
}

/* The element that a title is of: its parent, past wrappers that hold nothing else. */
static const xmlNode *owner_of(const xmlNode *title)
{
    const xmlNode *owner = title->parent;
    for (int up = 0; owner != NULL && owner->parent != NULL && up < TITLE_LEVELS_MAX && is_wrapper(owner); up++) owner = owner->parent;
    return owner;
}

/* Blocks that are no paragraph: a title of what it stands in, or the line that names the unit. */
static void keep_leaf(struct auto_walk *walk, const xmlNode *node)
{
    struct gt_str text = gt_str_trim(auto_text_of(walk, node));
    if (text.len == 0 || text.len > LEAF_MAX) return;
    bool names_card = text.len <= AUTO_CARD_TITLE_MAX && auto_cell_read(walk->page, text).has_sku;
    if (names_card || is_titled(walk, node)) {
        keep_line(walk, text, &walk->title);
        walk->titled = owner_of(node);
    } else if (auto_unit_is_known(walk->page, text, &NOTHING)) {
        keep_line(walk, text, &walk->around.before);
    }
    arena_clear(walk->page->scratch);
}

/* What is pressed to open a part of the page is its title where it names a card. */
static void keep_opener(struct auto_walk *walk, const xmlNode *node)
{
    struct gt_str text = gt_str_trim(auto_text_of(walk, node));
    if (text.len == 0 || text.len > LEAF_MAX) return;
    if (auto_cell_read(walk->page, text).has_sku) {
        keep_line(walk, text, &walk->title);
        walk->titled = owner_of(node);
    } else if (html_is(node, "summary")) {
        keep_line(walk, text, &walk->around.before);
    }
    arena_clear(walk->page->scratch);
}

/* Remembers what a node says about what follows it. */
static void keep_around(struct auto_walk *walk, const xmlNode *node)
{
    if (is_heading(node)) {
        keep_line(walk, auto_text_of(walk, node), &walk->around.heading);
        walk->around.before = GT_STR("");
        if (!auto_unit_is_for_all(walk->page, walk->unit)) walk->unit = GT_STR("");
    } else if (html_is(node, "summary") || html_is(node, "button")) {
        keep_opener(walk, node);
    } else if (html_is(node, "p") || html_is(node, "label") || html_is(node, "legend") || html_is(node, "figcaption")) {
        keep_line(walk, auto_text_of(walk, node), &walk->around.before);
        struct gt_str sentence = auto_unit_sentence(walk->page, walk->around.before);
        if (sentence.len > 0) walk->unit = sentence;
    } else if (walk->is_markdown && node->type == XML_TEXT_NODE && node->content != NULL) {
        keep_markdown(walk, gt_str_from((const char *)node->content));
    } else if (!walk->is_markdown && node->type == XML_ELEMENT_NODE && is_leaf(node)) {
        keep_leaf(walk, node);
    }
}

bool auto_is_below(const xmlNode *node, const xmlNode *top)
{
    while (node != NULL && node != top) node = node->parent;
    return node == top;
}

/* The paragraph right behind a table; "" when none is. */
static struct gt_str behind_of(struct auto_walk *walk, const xmlNode *table)
{
    const xmlNode *next = table->next;
    while (next != NULL && !auto_is_shown(next)) next = next->next;
    if (next == NULL || !(html_is(next, "p") || html_is(next, "small") || (html_is(next, "div") && is_leaf(next)))) return GT_STR("");
    struct gt_str text = GT_STR("");
    keep_line(walk, auto_text_of(walk, next), &text);
    return text;
}

struct auto_around auto_around_of(struct auto_walk *walk, const xmlNode *table)
{
    struct auto_around around = walk->around;
    if (walk->titled != NULL && auto_is_below(table, walk->titled)) around.heading = walk->title;
    const xmlNode *figure = table->parent;
    for (int up = 0; figure != NULL && up < TITLE_LEVELS_MAX && !html_is(figure, "figure"); up++) figure = figure->parent;
    for (const xmlNode *child = figure != NULL && html_is(figure, "figure") ? figure->children : NULL; child != NULL; child = child->next) {
        if (html_is(child, "figcaption")) keep_line(walk, auto_text_of(walk, child), &around.before);
    }
    around.before = auto_unit_choose(walk->page, around.before, behind_of(walk, table), walk->unit);
    return around;
}

static bool has_inside(const xmlNode *top, const char *name)
{
    for (const xmlNode *node = html_next(top, top, true); node != NULL; node = html_next(node, top, true)) {
        if (html_is(node, name)) return true;
    }
    return false;
}

static bool is_header_only(const struct grid *grid)
{
    for (size_t row = 0; row < grid->rows; row++) {
        if (grid->kinds[row] != GRID_HEADER) return false;
    }
    return grid->rows > 0;
}

/* A table below the header that stands in a table of its own; the grid itself when there is no such header. */
static struct grid *under_header(struct auto_walk *walk, struct grid *grid)
{
    struct grid *header = walk->header;
    size_t columns = grid->columns, cells = (grid->rows + 1) * columns;
    if (header == NULL || header->columns != columns || columns == 0 || grid->rows == 0 || grid->kinds[0] == GRID_HEADER) return grid;
    struct gt_str *texts = arena_array(walk->page->arena, cells, sizeof *texts);
    for (size_t i = 0; texts != NULL && i < cells; i++)
        texts[i] = i < columns ? grid_heading(header, header->rows, i) : grid_text(grid, i / columns - 1, i % columns);
    struct grid *both = texts != NULL ? grid_from_texts(texts, grid->rows + 1, columns, walk->page->arena) : NULL;
    for (size_t i = 0; both != NULL && i < grid->rows * columns; i++) {
        const struct grid_cell *cell = grid->cells[i];
        both->cells[columns + i]->node = cell != NULL ? cell->node : NULL;
    }
    return both != NULL ? both : grid;
}

/* A cell whose elements touch ("NVIDIA L40S", "from 1 GPU", one below the other on the screen) and which names a card only when they are
 * kept apart is read that way. */
static void keep_apart(struct auto_walk *walk, struct grid_cell *cell)
{
    const xmlNode *ignored = NULL;
    if (cell == NULL || cell->node == NULL || auto_count_elements(cell->node, &ignored) == 0) return;
    strbuf_clear(&walk->text);
    for (const xmlNode *node = cell->node; node != NULL; node = html_next(node, cell->node, true)) {
        if (node->type != XML_TEXT_NODE || node->content == NULL) continue;
        if (walk->text.len > 0) strbuf_addc(&walk->text, ' ');
        html_text_add(node, false, &walk->text);
    }
    struct gt_str apart = gt_str_trim(strbuf_str(&walk->text));
    if (apart.len > AUTO_CARD_TITLE_MAX || !auto_cell_read(walk->page, apart).has_sku || auto_cell_read(walk->page, cell->text).has_sku) return;
    apart = arena_dup(walk->page->arena, apart);
    if (apart.ptr != NULL) cell->text = apart;
}

static size_t read_table(struct auto_walk *walk, xmlNodePtr table)
{
    struct grid *grid = NULL;
    struct gt_errinfo ignored = {0};
    if (grid_from_html(table, walk->page->arena, &grid, &ignored) != GT_OK) return 0;
    for (size_t i = 0; i < grid->rows * grid->columns; i++) {
        (void)grid_text(grid, i / grid->columns, i % grid->columns);
        keep_apart(walk, grid->cells[i]);
    }
    arena_clear(walk->page->scratch);
    grid = under_header(walk, grid);
    bool is_header = is_header_only(grid);
    walk->header = is_header ? grid : NULL;
    if (is_header) return 0;
    struct auto_around around = auto_around_of(walk, table);
    around.caption = grid->caption;
    return auto_grid_read(walk->page, grid, &around, "table");
}

bool auto_strikes(const struct _xmlNode *node)
{
    struct gt_str style = html_attribute(node, "style"), class = html_attribute(node, "class"), line = GT_STR("line-through");
    return html_is(node, "del") || html_is(node, "s") || html_is(node, "strike") || gt_str_find(style, line, 0) != SIZE_MAX ||
           gt_str_find(class, line, 0) != SIZE_MAX;
}

bool auto_is_struck(const struct _xmlNode *node)
{
    for (int up = 0; node != NULL && up <= STRUCK_DEPTH; node = node->parent, up++) {
        if (auto_strikes(node)) return true;
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

/* True when the node and all below it were dealt with. */
static bool visit(struct auto_walk *walk, xmlNodePtr node)
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
        found = auto_list_read(walk, node);
        if (found == 0) return false;
    } else {
        return false;
    }
    /* Blocks are looked for outside of what gave offers. */
    if (found > 0) node->_private = walk->page;
    walk->offers += found;
    return true;
}

static void walk_tree(struct auto_walk *walk, xmlNodePtr root)
{
    for (xmlNodePtr node = root; node != NULL && walk->page->err == GT_OK;) node = html_next(node, root, !visit(walk, node));
}

/* What scripts hold that are data says as much about the page as what it shows. */
static void add_evidence(struct auto_page *page, const xmlNode *script, struct gt_str text)
{
    page->evidence.lacks_cards = page->evidence.lacks_names = false; /* what the page shows tells nothing about names in its data */
    if (gt_str_find(html_attribute(script, "type"), GT_STR("json"), 0) == SIZE_MAX) return;
    struct auto_evidence more = auto_evidence_of(page, text);
    if (more.rental > page->evidence.rental) page->evidence.rental = more.rental;
    if (more.purchase > page->evidence.purchase) page->evidence.purchase = more.purchase;
    if (page->evidence.yuan.len == 0) page->evidence.yuan = more.yuan;
    arena_clear(page->scratch);
}

/* JSON that scripts hold: whole ones, and what is assigned to a variable. */
static size_t read_scripts(struct auto_walk *walk, xmlNodePtr root)
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
    struct auto_walk walk = {.page = page, .is_markdown = is_markdown, .around = NOTHING};
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
