/* JSON: lists of objects become grids whose columns are the members, and objects whose keys are cards become grids too. */
#include <stdlib.h>

#include "common/strbuf.h"
#include "parsers/auto_json.h"

enum {
    KEY_MAX = 120,
    JSON_ROWS_MAX = 100000, /* more than LISTINGS_MAX: a list that is too long is told, not cut */
    INNER_MAX = 64,         /* members of a list within an object that are looked at */
    UNIT_MAX = 60,          /* bytes of a text that may be a unit */
    QUOTED_MIN = 60,        /* bytes of a text that may hold JSON */
};

/* Where a value lies. */
struct json_place {
    struct gt_str path; /* the key that it is under, as words */
    struct gt_str unit; /* what objects around it say about units and currencies */
};

/* A table being put together: columns are the distinct member names in the order met. */
struct members {
    struct auto_page *page;
    struct gt_str keys[AUTO_COLUMNS_MAX];
    size_t key_count;
    struct member_cell {
        size_t row, column;
        struct gt_str text;
    } * cells;
    size_t cell_count, cell_cap;
    size_t rows;
    bool is_full;
};

static size_t column_of(struct members *members, struct gt_str key)
{
    for (size_t i = 0; i < members->key_count; i++) {
        if (gt_str_eq(members->keys[i], key)) return i;
    }
    if (members->key_count == AUTO_COLUMNS_MAX) return SIZE_MAX;
    members->keys[members->key_count] = key;
    return members->key_count++;
}

static void add_cell(struct members *members, struct gt_str key, struct gt_str text)
{
    size_t column = column_of(members, key);
    void *items = members->cells;
    if (column == SIZE_MAX || text.len == 0) return;
    if (!arena_grow(members->page->arena, &items, members->cell_count, &members->cell_cap, sizeof *members->cells)) {
        members->is_full = true;
        return;
    }
    members->cells = items;
    members->cells[members->cell_count++] = (struct member_cell){members->rows, column, text};
}

bool auto_json_is_scalar(const struct jnode *node)
{
    return node->kind == JNODE_NUMBER || node->kind == JNODE_STRING;
}

/* Codes of units of time (UN/CEFACT Recommendation 20), which schema.org has as unitCode. */
static struct gt_str unit_text(struct gt_str key, struct gt_str text)
{
    static const char *const CODES[][2] = {{"HUR", "per hour"},  {"DAY", "per day"},  {"WEE", "per week"},
                                           {"MON", "per month"}, {"ANN", "per year"}, {"SEC", "per second"}};
    for (size_t i = 0; gt_str_ends(key, GT_STR("Code")) && i < sizeof CODES / sizeof CODES[0]; i++) {
        if (gt_str_is(text, CODES[i][0])) return gt_str_from(CODES[i][1]);
    }
    return text;
}

/* True when the object around has the same member: a price that is told again with its unit. */
static bool is_repeated(const struct jnode *around, const struct jnode *child)
{
    for (const struct jnode *other = around != NULL ? around->children : NULL; other != NULL; other = other->next) {
        if (auto_json_is_scalar(other) && gt_str_eq(other->key, child->key) && gt_str_eq(other->text, child->text)) return true;
    }
    return false;
}

static bool has_unit(const struct jnode *object)
{
    for (const struct jnode *child = object->children; child != NULL && object->kind == JNODE_OBJECT; child = child->next) {
        if (gt_str_starts(child->key, GT_STR("unit"))) return true;
    }
    return false;
}

/* True when another object beside this one has a unit as well: each is of what stands with it. */
static bool has_own_unit(const struct jnode *around, const struct jnode *object)
{
    for (const struct jnode *other = around != NULL ? around->children : NULL; other != NULL; other = other->next) {
        if (other != object && has_unit(other)) return true;
    }
    return false;
}

/* The text of a list that counts a card: "8x NVIDIA H100" among the features of a server; "" when none does. */
static struct gt_str counted_in(const struct jnode *list)
{
    for (const struct jnode *child = list->children; child != NULL && list->kind == JNODE_ARRAY; child = child->next) {
        struct sku_match match = {0};
        if (child->kind == JNODE_STRING && child->text.len <= KEY_MAX) match = sku_resolve(child->text, 0, NULL, 0);
        if (match.node != NULL && match.cards > 0) return child->text;
    }
    return GT_STR("");
}

/* Adds the scalars of an object to the open row; objects within are flattened, their keys joined. */
static void add_scalars_of(struct members *members, struct gt_str prefix, const struct jnode *object, const struct jnode *around,
                           int depth)
{
    for (const struct jnode *child = object->children; child != NULL; child = child->next) {
        /* "@type" is about the data; a unit is one wherever it lies, "priceSpecification" around it or not. */
        if (gt_str_starts(child->key, GT_STR("@"))) continue;
        bool is_unit = gt_str_starts(child->key, GT_STR("unit")) && !has_own_unit(around, object);
        struct gt_str key = auto_key_words(members->page, is_unit ? GT_STR("") : prefix, child->key);
        add_cell(members, key, counted_in(child));
        if (auto_json_is_scalar(child) && (is_repeated(around, child) || auto_json_is_denied(members->page, object, child))) continue;
        if (auto_json_is_scalar(child)) add_cell(members, key, unit_text(child->key, child->text));
        else if (child->kind == JNODE_TRUE) add_cell(members, key, key); /* "spot": true says "spot" */
        else if (child->kind == JNODE_OBJECT && depth < AUTO_JSON_FLATTEN_DEPTH_MAX && !auto_is_other_thing(members->page, key))
            add_scalars_of(members, key, child, object, depth + 1);
    }
}

static void add_scalars(struct members *members, struct gt_str prefix, const struct jnode *object)
{
    add_scalars_of(members, prefix, object, NULL, 0);
}

bool auto_json_is_list(const struct jnode *node)
{
    return node->kind == JNODE_ARRAY && node->count > 0 && node->children->kind == JNODE_OBJECT;
}

/* What a key names beside its words of price. */
enum key_kind {
    KEY_OTHER, /* no card: a name, a region */
    KEY_CARD,  /* a card's name, with words of price around it or not */
    KEY_PRICE, /* words of price around a name that no card has */
};

/* Parts a key into a name and the words of price around it. */
static enum key_kind split_key(struct auto_page *page, struct gt_str key, struct gt_str *ret_card, struct gt_str *ret_rest)
{
    struct gt_str words = auto_key_words(page, GT_STR(""), key), rest = words, word;
    struct strbuf card, price;
    strbuf_init(&card, KEY_MAX * 2);
    strbuf_init(&price, KEY_MAX * 2);
    while (gt_str_split(&rest, ' ', &word)) {
        struct strbuf *to = auto_role_of(page, word) == AUTO_PRICE ? &price : &card;
        if (to->len > 0) strbuf_addc(to, ' ');
        strbuf_add(to, word);
    }
    enum key_kind kind = KEY_OTHER;
    if (auto_cell_read(page, strbuf_str(&card)).has_sku && !auto_has_role(page, words, AUTO_VRAM)) kind = KEY_CARD;
    else if (card.len > 0 && price.len > 0) kind = KEY_PRICE;
    *ret_card = arena_dup(page->arena, strbuf_str(&card));
    *ret_rest = price.len > 0 ? arena_dup(page->arena, strbuf_str(&price)) : GT_STR("price");
    strbuf_done(&card);
    strbuf_done(&price);
    return ret_card->ptr != NULL && ret_rest->ptr != NULL ? kind : KEY_OTHER;
}

/* A price by itself: of something else than the cards, where the cards have members of their own. */
bool auto_json_is_price(struct auto_page *page, struct gt_str text)
{
    const struct auto_around nothing = {GT_STR(""), GT_STR(""), GT_STR("")};
    struct auto_price price;
    return auto_price_read(page, text, GT_STR(""), GT_STR(""), &nothing, false, &price);
}

/* {"name": "seller", "cost_a100": 1.1, "cost_h100": 2.2}: each such member is a row of its own that shares the others. Returns
 * the rows. */
static size_t add_wide(struct members *members, const struct jnode *object)
{
    struct gt_str card, rest;
    size_t cards = 0, before = members->rows;
    for (const struct jnode *child = object->children; child != NULL; child = child->next)
        cards += auto_json_is_scalar(child) && split_key(members->page, child->key, &card, &rest) == KEY_CARD;
    if (cards < 2) return 0;
    for (const struct jnode *price = object->children; price != NULL && members->rows < JSON_ROWS_MAX; price = price->next) {
        if (!auto_json_is_scalar(price) || split_key(members->page, price->key, &card, &rest) != KEY_CARD) continue;
        struct gt_str name = card, heading = rest;
        for (const struct jnode *child = object->children; child != NULL; child = child->next) {
            if (auto_json_is_scalar(child) && split_key(members->page, child->key, &card, &rest) == KEY_OTHER &&
                !auto_json_is_price(members->page, child->text))
                add_cell(members, auto_key_words(members->page, GT_STR(""), child->key), child->text);
        }
        add_cell(members, GT_STR("gpu model"), name);
        add_cell(members, heading, price->text);
        members->rows++;
    }
    return members->rows - before;
}

/* Prices of one thing, listed by period or region: each becomes a column whose heading is its keys and the words beside it. */
static void add_turned(struct members *members, const struct jnode *list, struct gt_str above, int depth)
{
    for (const struct jnode *child = list->children; child != NULL; child = child->next) {
        struct strbuf words;
        strbuf_init(&words, KEY_MAX * 4);
        strbuf_add(&words, above);
        for (const struct jnode *value = child->children; value != NULL; value = value->next) {
            struct gt_str key = auto_key_words(members->page, GT_STR(""), value->key);
            enum auto_role role = auto_role_of(members->page, key);
            if (value->kind == JNODE_STRING && value->text.len < KEY_MAX && role != AUTO_PRICE)
                strbuf_addf(&words, " %.*s", GT_STR_ARG(auto_key_words(members->page, GT_STR(""), value->text)));
            if (value->kind == JNODE_NUMBER && role == AUTO_PERIOD) /* {"months": 6, "price": 2} */
                strbuf_addf(&words, " %.*s %.*s", GT_STR_ARG(value->text), GT_STR_ARG(key));
        }
        for (const struct jnode *value = child->children; value != NULL; value = value->next) {
            struct gt_str key = auto_key_words(members->page, auto_key_words(members->page, GT_STR(""), list->key), value->key);
            if (auto_json_is_list(value) && depth < AUTO_JSON_FLATTEN_DEPTH_MAX)
                add_turned(members, value, strbuf_str(&words), depth + 1);
            bool is_term = auto_role_of(members->page, auto_key_words(members->page, GT_STR(""), value->key)) == AUTO_PERIOD;
            if (!auto_json_is_scalar(value) || is_term || auto_role_of(members->page, key) != AUTO_PRICE) continue;
            struct gt_str heading =
                arena_printf(members->page->arena, "%.*s%.*s", GT_STR_ARG(key), GT_STR_ARG(strbuf_str(&words)));
            if (heading.ptr != NULL) add_cell(members, heading, value->text);
        }
        strbuf_done(&words);
    }
}

/* Objects that a row inherits scalars from, the outermost first. */
struct json_chain {
    const struct jnode *objects[AUTO_JSON_FLATTEN_DEPTH_MAX];
    size_t count;
};

/* A row for the innermost object of the chain, or one for each member of the list within it, which inherits all scalars. */
static void add_chain(struct members *members, struct json_chain *chain)
{
    const struct jnode *object = chain->objects[chain->count - 1], *list = auto_json_inner_list(members->page, object);
    bool is_short = list != NULL && list->count <= INNER_MAX;
    if (!is_short || chain->count == AUTO_JSON_FLATTEN_DEPTH_MAX || !auto_json_makes_rows(members->page, list)) {
        for (size_t i = 0; i < chain->count; i++) add_scalars(members, GT_STR(""), chain->objects[i]);
        if (is_short) add_turned(members, list, GT_STR(""), 0);
        members->rows++;
        return;
    }
    for (const struct jnode *child = list->children; child != NULL && members->rows < JSON_ROWS_MAX; child = child->next) {
        if (child->kind != JNODE_OBJECT) continue;
        chain->objects[chain->count++] = child;
        add_chain(members, chain);
        chain->count--;
    }
}

/* Rows for an object. */
static void add_rows(struct members *members, const struct jnode *object)
{
    struct json_chain chain = {.objects = {object}, .count = 1};
    if (add_wide(members, object) == 0) add_chain(members, &chain);
}

/* The finished table as a grid, read. */
static size_t read_members(struct members *members, const struct json_place *place)
{
    size_t columns = members->key_count, rows = members->rows + 1;
    if (members->is_full || columns < 2 || rows < 2 || rows > GRID_CELLS_MAX / columns) return 0;
    struct gt_str *texts = arena_array(members->page->arena, rows * columns, sizeof *texts);
    if (texts == NULL) auto_fail_full(members->page);
    if (texts == NULL) return 0;
    for (size_t i = 0; i < rows * columns; i++) texts[i] = i < columns ? members->keys[i] : GT_STR("");
    for (size_t i = 0; i < members->cell_count; i++)
        texts[(members->cells[i].row + 1) * columns + members->cells[i].column] = members->cells[i].text;
    struct grid *grid = grid_from_texts(texts, rows, columns, members->page->arena);
    const struct auto_around around = {GT_STR(""), place->path, place->unit};
    return grid != NULL ? auto_grid_read(members->page, grid, &around, "json") : 0;
}

static struct members *new_members(struct auto_page *page)
{
    struct members *members = arena_alloc(page->arena, sizeof *members);
    if (members != NULL) members->page = page;
    return members;
}

static size_t read_list(struct auto_page *page, const struct jnode *list, const struct json_place *place)
{
    struct members *members = new_members(page);
    if (members == NULL) return 0;
    for (const struct jnode *child = list->children; child != NULL && members->rows < JSON_ROWS_MAX; child = child->next) {
        if (child->kind == JNODE_OBJECT) add_rows(members, child);
        arena_clear(page->scratch);
    }
    return read_members(members, place);
}

/* {"A100": {…}, "H100": {…}}, or with bare prices as values; or a map whose values name the cards. */
static size_t read_named(struct auto_page *page, const struct jnode *object, const struct json_place *place)
{
    size_t named = 0;
    for (const struct jnode *child = object->children; child != NULL; child = child->next)
        named += auto_cell_read(page, auto_key_words(page, GT_STR(""), child->key)).has_sku;
    bool is_named = named > 0 && (named == object->count || (named >= 2 && named * 2 >= object->count));
    if (!is_named && !auto_json_is_map(page, object)) return 0;
    struct members *members = new_members(page);
    if (members == NULL) return 0;
    for (const struct jnode *child = object->children; child != NULL && members->rows < JSON_ROWS_MAX; child = child->next) {
        add_cell(members, is_named ? GT_STR("model") : GT_STR("name"), auto_key_words(page, GT_STR(""), child->key));
        if (auto_json_is_scalar(child)) add_cell(members, place->path.len > 0 ? place->path : GT_STR("value"), child->text);
        else if (child->kind == JNODE_OBJECT) add_scalars(members, GT_STR(""), child);
        members->rows++;
    }
    return read_members(members, place);
}

/* What an object that holds one thing stands for: {"cells": […]} for the list, {"text": "A100"} for the text. */
static const struct jnode *unwrapped(const struct jnode *node)
{
    return node->kind == JNODE_OBJECT && node->count == 1 ? node->children : node;
}

static bool is_list_of_lists(const struct jnode *node)
{
    const struct jnode *first = node->kind == JNODE_ARRAY && node->count > 0 ? unwrapped(node->children) : NULL;
    return first != NULL && first->kind == JNODE_ARRAY && first->count > 1 && unwrapped(first->children)->kind != JNODE_OBJECT;
}

/* The names of the columns, beside a list of lists: a list of as many texts. NULL when there is none. */
static const struct jnode *find_header(const struct jnode *parent, size_t columns)
{
    for (const struct jnode *child = parent != NULL ? parent->children : NULL; child != NULL; child = child->next) {
        if (child->kind == JNODE_ARRAY && child->count == columns && unwrapped(child->children)->kind == JNODE_STRING) return child;
    }
    return NULL;
}

/* One row of a grid out of a list of scalars; further members are left out. */
static void copy_list(const struct jnode *list, struct gt_str *cells, size_t columns)
{
    size_t column = 0;
    for (const struct jnode *child = list->children; child != NULL && column < columns; child = child->next, column++)
        cells[column] = auto_json_is_scalar(unwrapped(child)) ? unwrapped(child)->text : GT_STR("");
    for (; column < columns; column++) cells[column] = GT_STR("");
}

/* {"columns": ["gpu", "price"], "rows": [["A100", 1.2], …]}, or with the names as the first row. */
static size_t read_lists(struct auto_page *page, const struct jnode *list, const struct jnode *parent,
                         const struct json_place *place)
{
    size_t columns = unwrapped(list->children)->count, row = 0;
    const struct jnode *header = find_header(parent, columns);
    size_t rows = list->count + (header != NULL);
    if (rows > GRID_CELLS_MAX / columns) return 0;
    struct gt_str *cells = arena_array(page->arena, rows * columns, sizeof *cells);
    if (cells == NULL) auto_fail_full(page);
    if (cells == NULL) return 0;
    if (header != NULL) copy_list(header, cells + columns * row++, columns);
    for (const struct jnode *child = list->children; child != NULL; child = child->next)
        copy_list(unwrapped(child), cells + columns * row++, columns);
    struct grid *grid = grid_from_texts(cells, rows, columns, page->arena);
    const struct auto_around around = {GT_STR(""), place->path, place->unit};
    if (grid == NULL) return 0;
    if (header == NULL) grid->kinds[0] = GRID_DATA; /* whether it is a header is seen by its words */
    return auto_grid_read(page, grid, &around, "json");
}

/* What an object says about all that lies in it: {"currency": "USD", "unit": "per hour", …}, behind what is known already. */
static struct gt_str unit_of(struct auto_page *page, const struct jnode *object, struct gt_str known)
{
    struct gt_str unit = known;
    for (const struct jnode *child = object->children; child != NULL && object->kind == JNODE_OBJECT; child = child->next) {
        if (child->kind != JNODE_STRING || child->text.len == 0 || child->text.len > UNIT_MAX) continue;
        if (!auto_has_words(page, auto_key_words(page, GT_STR(""), child->key), "unit|currency|period|币种|货币|单位|周期"))
            continue;
        struct gt_str words = auto_key_words(page, GT_STR(""), child->text);
        unit = unit.len == 0 ? words : arena_printf(page->arena, "%.*s %.*s", GT_STR_ARG(unit), GT_STR_ARG(words));
        if (unit.ptr == NULL) return GT_STR("");
    }
    return unit;
}

/* JSON written as a text within JSON: a framework's state that is handed over in pieces. */
static size_t read_quoted(struct auto_page *page, struct gt_str text)
{
    if (page->is_quoted || text.len < QUOTED_MIN || gt_str_find(text, GT_STR("\":"), 0) == SIZE_MAX) return 0;
    page->is_quoted = true;
    size_t offers = auto_json_read(page, text);
    page->is_quoted = false;
    return offers;
}

/* Looks for lists and named objects from the outside in; what gave offers is not entered. */
static size_t read_value(struct auto_page *page, const struct jnode *node, const struct jnode *parent,
                         const struct json_place *place, int depth)
{
    size_t offers = 0;
    if (depth > JNODE_DEPTH_MAX || page->err != GT_OK) return 0;
    const struct jnode *resolved = node->kind == JNODE_ARRAY ? auto_indexed_tree(page, node) : NULL;
    if (resolved != NULL) return read_value(page, resolved, NULL, place, depth + 1);
    const struct json_place here = {place->path, unit_of(page, node, place->unit)};
    if (is_list_of_lists(node)) offers = read_lists(page, node, parent, &here);
    else if (auto_json_is_list(node)) offers = read_list(page, node, &here);
    else if (node->kind == JNODE_OBJECT) offers = read_named(page, node, &here);
    if (offers > 0) return offers;
    /* What prices were is read where nothing says what they are. */
    for (int is_past = 0; is_past < 2 && offers == 0; is_past++) {
        for (const struct jnode *child = node->children; child != NULL; child = child->next) {
            const struct json_place inner = {child->key.len > 0 ? auto_key_words(page, GT_STR(""), child->key) : here.path, here.unit};
            if (auto_json_is_past(child) != is_past) continue;
            if (child->kind == JNODE_ARRAY || child->kind == JNODE_OBJECT) offers += read_value(page, child, node, &inner, depth + 1);
            if (child->kind == JNODE_STRING) offers += read_quoted(page, child->text);
        }
    }
    return offers;
}

/* A single product: an object alone is a list of one. */
static size_t read_single(struct auto_page *page, const struct jnode *node)
{
    struct members *members = new_members(page);
    if (members == NULL || node->kind != JNODE_OBJECT) return 0;
    const struct json_place nowhere = {GT_STR(""), GT_STR("")};
    add_rows(members, node);
    return read_members(members, &nowhere);
}

size_t auto_json_tree_read(struct auto_page *page, const struct jnode *root, struct gt_str path)
{
    const struct json_place place = {path, GT_STR("")};
    size_t found = read_value(page, root, NULL, &place, 0);
    return found > 0 ? found : read_single(page, root);
}

size_t auto_tree_read(struct auto_page *page, const struct jnode *root)
{
    return auto_json_tree_read(page, root, GT_STR(""));
}
