/* Tables, of HTML and of markdown, upright or turned: columns by the words of their headings or by number. */
#include <libxml/tree.h>

#include "common/strbuf.h"
#include "parsers/header_words.h"
#include "parsers/html_tree.h"
#include "parsers/markdown_table.h"
#include "parsers/propose_example.h"
#include "parsers/xpath.h"

enum { TABLES_MAX = 200 };

/* A table that gave listings, with its rows as examples. */
struct used {
    struct grid *grid;
    const struct _xmlNode *table; /* NULL in markdown */
    size_t number;                /* of the table on the page, from 1 */
    size_t first, count;          /* its examples */
    size_t row;                   /* of the first of them */
};

struct tables {
    struct propose *propose;
    struct example *examples;
    size_t example_count;
    struct used used[TABLES_MAX];
    size_t used_count;
    size_t places; /* columns of the widest */
    bool is_turned;
};

/* The texts of one row. */
static const struct gt_str *cells_of(struct tables *tables, const struct grid *grid, size_t row)
{
    struct gt_str *cells = arena_array(tables->propose->arena, PROPOSE_PLACES_MAX, sizeof *cells);
    for (size_t i = 0; cells != NULL && i < grid->columns && i < PROPOSE_PLACES_MAX; i++) cells[i] = grid_text(grid, row, i);
    return cells;
}

/* Takes the listings that come next from the rows of a table. */
static void use_grid(struct tables *tables, struct grid *grid, const struct _xmlNode *table, size_t number)
{
    struct propose *propose = tables->propose;
    struct used used = {.grid = grid, .table = table, .number = number, .first = tables->example_count};
    if (grid->columns < 2 || grid->columns > PROPOSE_PLACES_MAX || tables->used_count == TABLES_MAX) return;
    for (size_t row = 0; row < grid->rows && tables->example_count < propose->count; row++) {
        const struct gt_str *cells = cells_of(tables, grid, row);
        const struct listing *next = &propose->listings[tables->example_count];
        if (cells == NULL || !propose_is_row(cells, grid->columns, next)) continue;
        if (used.count++ == 0) used.row = row;
        tables->examples[tables->example_count++] = (struct example){next, cells};
    }
    if (used.count == 0) return;
    if (grid->columns > tables->places) tables->places = grid->columns;
    tables->used[tables->used_count++] = used;
}

/* ---- how a section names a column ---- */

/* The heading over a column, or the first cell of a turned table's line. A table without a marked header has it in its first
 * row. */
static struct gt_str heading_of(const struct used *used, size_t column)
{
    struct gt_str heading = grid_heading(used->grid, used->row, column);
    if (heading.len == 0 && used->row > 0) heading = grid_text(used->grid, 0, column);
    return gt_str_trim(heading);
}

/* Words that a rule can be: they stand over this column alone, and read as words. */
static bool is_rule(const struct tables *tables, struct gt_str words, size_t column, struct arena *arena)
{
    bool is_plain = words.len > 0 && words.len <= PROPOSE_WORDS_MAX && strchr("'\"#./@*(", words.ptr[0]) == NULL;
    bool is_number = true;
    for (size_t i = 0; i < words.len; i++) {
        is_plain &= words.ptr[i] != '\n';
        is_number &= words.ptr[i] >= '0' && words.ptr[i] <= '9';
    }
    if (!is_plain || is_number || rule_is_xpath(words)) return false;
    struct gt_str folded = header_fold(words, arena);
    for (size_t u = 0; u < tables->used_count; u++) {
        const struct used *used = &tables->used[u];
        for (size_t i = 0; i < used->grid->columns; i++) {
            bool is_same = header_fits(heading_of(used, i), folded, arena) == HEADER_SAME;
            if (is_same != (i == column)) return false;
        }
    }
    return folded.len > 0;
}

/* ---- the heading above a table ---- */

/* h1 to h6. */
static bool is_heading(const xmlNode *node)
{
    return node->type == XML_ELEMENT_NODE && node->name[0] == 'h' && node->name[1] >= '1' && node->name[1] <= '6' &&
           node->name[2] == '\0';
}

/* The last node before this one in the page's order; NULL at the root. */
static const xmlNode *node_before(const xmlNode *node)
{
    if (node->prev == NULL) return node->parent;
    for (node = node->prev; node->last != NULL;) node = node->last;
    return node;
}

/* The nearest heading before the table that is called `name` (NULL: any). */
static const xmlNode *heading_before(const xmlNode *table, const xmlChar *name)
{
    const xmlNode *node = node_before(table);
    while (node != NULL && !(is_heading(node) && (name == NULL || xmlStrEqual(node->name, name)))) node = node_before(node);
    return node;
}

/* True when the heading above each table is the field's text in all of its rows. */
static bool is_above(const struct tables *tables, const struct propose_field *field, const xmlChar *name)
{
    for (size_t u = 0; u < tables->used_count; u++) {
        const struct used *used = &tables->used[u];
        const xmlNode *heading = heading_before(used->table, name);
        struct strbuf text;
        bool is_same = heading != NULL;
        strbuf_init(&text, GRID_HEADER_BYTES_MAX);
        if (is_same) html_text_add(heading, false, &text);
        for (size_t i = 0; is_same && i < used->count; i++)
            is_same = propose_is_text(strbuf_str(&text), propose_text(tables->examples[used->first + i].listing, field));
        strbuf_done(&text);
        if (!is_same) return false;
    }
    return true;
}

/* Adds a variant that is the heading above the rows: models are named there. Returns the fields there are then. */
static size_t add_heading(struct tables *tables, struct propose_field *fields, size_t count)
{
    const struct listing *first = tables->examples[0].listing;
    const xmlNode *heading = tables->used[0].table != NULL ? heading_before(tables->used[0].table, NULL) : NULL;
    for (size_t i = 0; i < first->field_count && heading != NULL && count < PROPOSE_FIELDS_MAX; i++) {
        struct propose_field field = {.name = first->fields[i].name, .place = PROPOSE_HEADING, .listing = first};
        if (!gt_str_is(field.name, "variant") || !is_above(tables, &field, heading->name)) continue;
        field.example = &first->fields[i];
        /* A literal of the same text says less. */
        for (size_t k = 0; k < count; k++)
            if (gt_str_is(fields[k].name, "variant") && fields[k].place == PROPOSE_LITERAL) fields[k--] = fields[--count];
        fields[count++] = field;
    }
    return count;
}

/* How columns are named. */
enum column_style { COLUMN_WORDS, COLUMN_NUMBER, COLUMN_CELL, COLUMN_STYLES };

/* Rules for all fields; by number where words do not do or are not wanted. */
static void rules_of(struct tables *tables, const struct propose_field *fields, size_t count, enum column_style style,
                     struct gt_str *rules)
{
    struct arena *arena = tables->propose->arena;
    for (size_t i = 0; i < count; i++) {
        size_t place = fields[i].place;
        struct gt_str words = style == COLUMN_WORDS && place < PROPOSE_LITERAL ? heading_of(&tables->used[0], place) : GT_STR("");
        bool is_heading_rule = place == PROPOSE_HEADING;
        if (is_heading_rule)
            rules[i] = arena_printf(arena, "preceding::%s[1]", (const char *)heading_before(tables->used[0].table, NULL)->name);
        else if (place == PROPOSE_LITERAL) rules[i] = propose_literal(tables->propose, &fields[i]);
        else if (is_rule(tables, words, place, arena)) rules[i] = words;
        else rules[i] = arena_printf(arena, style == COLUMN_CELL ? "*[%zu]" : "#%zu", place + 1);
        if (rules[i].ptr == NULL) tables->propose->is_out_of_memory = true;
    }
}

/* ---- which tables ---- */

/* A text as XPath writes it; "" where it holds both kinds of quotes. */
static struct gt_str quoted(struct gt_str text, struct arena *arena)
{
    bool has_single = gt_str_find(text, GT_STR("'"), 0) != SIZE_MAX, has_double = gt_str_find(text, GT_STR("\""), 0) != SIZE_MAX;
    if (has_single && has_double) return GT_STR("");
    return arena_printf(arena, has_single ? "\"%.*s\"" : "'%.*s'", GT_STR_ARG(text));
}

/* XPaths of the tables that are used, the ones that say most about them first. Returns how many. */
static size_t table_paths(struct tables *tables, const struct propose_field *fields, size_t count, struct gt_str *paths)
{
    struct arena *arena = tables->propose->arena;
    const struct used *used = &tables->used[0];
    struct gt_str id = html_attribute(used->table, "id"), class = html_attribute(used->table, "class");
    size_t found = 0;
    if (tables->used_count == 1 && id.len > 0) paths[found++] = arena_printf(arena, "//table[@id=%.*s]", GT_STR_ARG(quoted(id, arena)));
    for (size_t i = 0; i < count && found < 3; i++) {
        bool is_price = gt_str_starts(fields[i].name, GT_STR("price"));
        struct gt_str words = is_price ? heading_of(used, fields[i].place) : GT_STR("");
        struct gt_str quote = words.len > 0 && words.len <= PROPOSE_WORDS_MAX ? quoted(words, arena) : GT_STR("");
        bool is_marked = quote.len > 0 && !tables->is_turned && grid_heading(used->grid, used->row, fields[i].place).len > 0;
        if (quote.len > 0)
            paths[found++] = arena_printf(arena, "//table[.//%s[contains(normalize-space(.), %.*s)]]", is_marked ? "th" : "tr",
                                          GT_STR_ARG(quote));
    }
    if (class.len > 0) paths[found++] = arena_printf(arena, "//table[@class=%.*s]", GT_STR_ARG(quoted(class, arena)));
    paths[found++] = GT_STR("//table");
    if (tables->used_count == 1) paths[found++] = arena_printf(arena, "(//table)[%zu]", used->number);
    return found;
}

/* ---- candidates ---- */

enum { PATHS_MAX = 8 };

/* Each way to name the tables, with the same columns. */
static void add_html(struct tables *tables, const struct propose_field *fields, size_t count, struct gt_str lines)
{
    struct gt_str paths[PATHS_MAX];
    size_t path_count = table_paths(tables, fields, count, paths);
    for (size_t i = 0; i < path_count && lines.len > 0; i++)
        propose_add(tables->propose,
                    tables->is_turned
                        ? arena_printf(tables->propose->arena, "extract = table\ntable = %.*s\ntransposed = yes\n%.*s",
                                       GT_STR_ARG(paths[i]), GT_STR_ARG(lines))
                        : arena_printf(tables->propose->arena, "extract = table\nrows = %.*s//tr[td]\n%.*s", GT_STR_ARG(paths[i]),
                                       GT_STR_ARG(lines)));
}

/* `table` of markdown asks for words of the header; each may stand anywhere in it. */
static void add_markdown(struct tables *tables, const struct propose_field *fields, size_t count, struct gt_str lines)
{
    struct gt_str label = GT_STR(""), price = GT_STR("");
    for (size_t i = count; i > 0; i--) {
        if (gt_str_is(fields[i - 1].name, "label")) label = heading_of(&tables->used[0], fields[i - 1].place);
        if (gt_str_starts(fields[i - 1].name, GT_STR("price"))) price = heading_of(&tables->used[0], fields[i - 1].place);
    }
    struct arena *arena = tables->propose->arena;
    if (lines.len == 0) return;
    if (price.len > 0)
        propose_add(tables->propose, arena_printf(arena, "extract = markdown\ntable = %.*s %.*s\n%.*s", GT_STR_ARG(label),
                                                  GT_STR_ARG(price), GT_STR_ARG(lines)));
    propose_add(tables->propose, arena_printf(arena, "extract = markdown\n%.*s", GT_STR_ARG(lines)));
}

/* When every listing came from a table: the columns, named and numbered, for each way to name the prices. */
static void add_candidates(struct tables *tables, bool is_html)
{
    struct propose_field fields[PROPOSE_FIELDS_MAX];
    struct gt_str rules[PROPOSE_FIELDS_MAX];
    if (tables->example_count < tables->propose->count || tables->used_count == 0) return;
    struct propose_field found[PROPOSE_FIELDS_MAX];
    size_t all = propose_places(tables->examples, tables->example_count, tables->places, found);
    if (all > 0 && is_html) all = add_heading(tables, found, all);
    for (int way = 0; way < CHOICE_COUNT * COLUMN_STYLES && all > 0; way++) {
        size_t count = propose_choose(found, all, (enum propose_choice)(way / COLUMN_STYLES), fields);
        enum column_style style = (enum column_style)(way % COLUMN_STYLES);
        /* Cells by XPath are for prices that go under one name. */
        int first = style == COLUMN_CELL ? NAMING_UNION : NAMING_PLAIN, end = style == COLUMN_CELL ? NAMING_COUNT : NAMING_UNION;
        if (count == 0 || (style == COLUMN_CELL && (!is_html || tables->is_turned))) continue;
        rules_of(tables, fields, count, style, rules);
        for (int naming = first; naming < end; naming++) {
            struct gt_str lines = propose_lines(tables->propose, fields, count, rules, (enum propose_naming)naming);
            if (is_html) add_html(tables, fields, count, lines);
            else add_markdown(tables, fields, count, lines);
        }
    }
}

/* Room for as many rows as there are listings; NULL when the arena is full. */
static struct tables *tables_new(struct propose *propose, bool is_turned)
{
    struct tables *tables = arena_alloc(propose->arena, sizeof *tables);
    if (tables == NULL) return NULL;
    tables->propose = propose;
    tables->is_turned = is_turned;
    tables->examples = arena_array(propose->arena, propose->count + 1, sizeof *tables->examples);
    return tables->examples != NULL ? tables : NULL;
}

/* A table that holds another is layout. */
static bool has_table_inside(const xmlNode *table)
{
    for (const xmlNode *node = html_next(table, table, true); node != NULL; node = html_next(node, table, true))
        if (html_is(node, "table")) return true;
    return false;
}

/* Tables are counted as XPath counts them, with those that are layout. */
static void read_html(struct propose *propose, xmlNodePtr root, bool is_turned)
{
    struct tables *tables = tables_new(propose, is_turned);
    size_t number = 0;
    for (xmlNodePtr node = root; tables != NULL && node != NULL; node = html_next(node, root, true)) {
        struct grid *grid;
        if (!html_is(node, "table")) continue;
        number++;
        if (has_table_inside(node) || grid_from_html(node, propose->arena, &grid, NULL) != GT_OK) continue;
        if (is_turned) grid = grid_transpose(grid);
        if (grid != NULL) use_grid(tables, grid, node, number);
    }
    if (tables != NULL) add_candidates(tables, true);
}

void propose_tables(struct propose *propose)
{
    struct _xmlDoc *doc = NULL;
    if (html_tree_parse(propose->text, propose->arena, &doc, NULL) != GT_OK) return;
    for (int is_turned = 0; is_turned < 2; is_turned++) read_html(propose, xmlDocGetRootElement(doc), is_turned != 0);
    html_tree_free(doc);
}

void propose_markdown(struct propose *propose)
{
    struct tables *tables = tables_new(propose, false);
    size_t at = 0, number = 0;
    for (bool is_found = true; tables != NULL && is_found;) {
        struct markdown_table table;
        if (markdown_next_table(propose->text, &at, propose->arena, &is_found, &table, NULL) != GT_OK) return;
        if (is_found) use_grid(tables, table.grid, NULL, ++number);
    }
    if (tables != NULL) add_candidates(tables, false);
}
