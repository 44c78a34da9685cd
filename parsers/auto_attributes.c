/* What pages keep in attributes for their scripts: JSON as a value, and data-… attributes that tell an offer in pieces
 * (<div data-gpu="RTX A6000" data-hourly-price="0.50">). Looked at only where a page shows no offer. */
#include <libxml/tree.h>
#include <stdlib.h>

#include "parsers/auto.h"
#include "parsers/html_tree.h"

enum {
    DATA_ROWS_MAX = 10000,
    DATA_COLUMNS_MAX = 40,
    DATA_LEVELS_MAX = 3, /* elements up from the price to the one that names its card */
    JSON_VALUE_MIN = 30, /* bytes */
};

/* One offer to be: the element that has the price. */
struct data_rows {
    struct auto_page *page;
    const xmlNode *nodes[DATA_ROWS_MAX];
    size_t count;
    struct gt_str keys[DATA_COLUMNS_MAX]; /* as words; the last column is the visible text */
    size_t key_count;
};

static struct gt_str value_of(const xmlAttr *attribute)
{
    return attribute->children != NULL ? gt_str_trim(gt_str_from((const char *)attribute->children->content)) : GT_STR("");
}

/* The words of a data-… attribute, or of any of an element that the page makes up itself (<gpu-card hourly="0.55">); "" for others. */
static struct gt_str key_of(struct auto_page *page, const xmlAttr *attribute)
{
    struct gt_str name = gt_str_from((const char *)attribute->name), data = GT_STR("data-");
    bool is_data = gt_str_starts(name, data), is_own = strchr((const char *)attribute->parent->name, '-') != NULL;
    if (!(is_data || is_own) || value_of(attribute).len == 0 || value_of(attribute).len > AUTO_CELL_MAX) return GT_STR("");
    return auto_key_words(page, GT_STR(""), is_data ? gt_str_slice(name, data.len, SIZE_MAX) : name);
}

static bool has_digit(struct gt_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] >= '0' && text.ptr[i] <= '9') return true;
    }
    return false;
}

/* True when one of the element's attributes is a price by its name. */
static bool has_price(struct auto_page *page, const xmlNode *node)
{
    for (const xmlAttr *attribute = node->properties; attribute != NULL; attribute = attribute->next) {
        struct gt_str key = key_of(page, attribute);
        if (key.len > 0 && has_digit(value_of(attribute)) && auto_role_of(page, key) == AUTO_PRICE) return true;
    }
    return false;
}

static size_t column_of(struct data_rows *rows, struct gt_str key)
{
    for (size_t i = 0; i < rows->key_count; i++) {
        if (gt_str_eq(rows->keys[i], key)) return i;
    }
    if (rows->key_count == DATA_COLUMNS_MAX) return SIZE_MAX;
    rows->keys[rows->key_count] = key;
    return rows->key_count++;
}

/* Puts the data attributes of one element into a row of cells; what is there already stays. */
static bool copy_attributes(struct data_rows *rows, const xmlNode *node, struct gt_str *cells)
{
    bool has_sku = false;
    for (const xmlAttr *attribute = node->properties; attribute != NULL; attribute = attribute->next) {
        struct gt_str key = key_of(rows->page, attribute);
        size_t column = key.len > 0 ? column_of(rows, key) : SIZE_MAX;
        if (column == SIZE_MAX || cells[column].len > 0) continue;
        cells[column] = value_of(attribute);
        has_sku |= auto_cell_read(rows->page, cells[column]).has_sku;
    }
    return has_sku;
}

/* The short visible text of an element. */
static struct gt_str text_of(struct auto_page *page, const xmlNode *node)
{
    struct strbuf text;
    strbuf_init(&text, PAGE_BYTES_MAX);
    html_text_add(node, false, &text);
    struct gt_str copy = text.len <= AUTO_LABEL_MAX ? arena_dup(page->arena, strbuf_str(&text)) : GT_STR("");
    strbuf_done(&text);
    return copy.ptr != NULL ? copy : GT_STR("");
}

/* A row from the element with the price and, until a card is named, from those around it. */
static void fill_row(struct data_rows *rows, const xmlNode *node, struct gt_str *cells)
{
    bool has_sku = false;
    struct gt_str *text = &cells[column_of(rows, GT_STR("name"))];
    for (int up = 0; node != NULL && node->type == XML_ELEMENT_NODE && up < DATA_LEVELS_MAX && !has_sku;
         node = node->parent, up++) {
        has_sku = copy_attributes(rows, node, cells);
        if (has_sku) break;
        struct gt_str shown = text_of(rows->page, node);
        if (!auto_cell_read(rows->page, shown).has_sku) continue;
        *text = shown;
        has_sku = true;
    }
    arena_clear(rows->page->scratch);
}

/* The rows as a grid: names first, then a row each. */
static size_t read_rows(struct data_rows *rows)
{
    struct auto_page *page = rows->page;
    const struct auto_around nothing = {GT_STR(""), GT_STR(""), GT_STR("")};
    size_t total = rows->count + 1, columns;
    struct gt_str *wide = arena_array(page->arena, total * DATA_COLUMNS_MAX, sizeof *wide);
    if (wide == NULL) return 0;
    for (size_t i = 0; i < total * DATA_COLUMNS_MAX; i++) wide[i] = GT_STR("");
    for (size_t i = 0; i < rows->count; i++) fill_row(rows, rows->nodes[i], wide + (i + 1) * DATA_COLUMNS_MAX);
    columns = rows->key_count;
    struct gt_str *texts = arena_array(page->arena, total * columns, sizeof *texts);
    if (texts == NULL) return 0;
    for (size_t i = 0; i < columns; i++) texts[i] = rows->keys[i];
    for (size_t i = columns; i < total * columns; i++) texts[i] = wide[i / columns * DATA_COLUMNS_MAX + i % columns];
    struct grid *grid = grid_from_texts(texts, total, columns, page->arena);
    return grid != NULL ? auto_grid_read(page, grid, &nothing, "attributes") : 0;
}

/* JSON in attributes: data-props='{…}', :items="[…]". */
static size_t read_json(struct auto_page *page, const xmlNode *node)
{
    size_t offers = 0;
    for (const xmlAttr *attribute = node->properties; attribute != NULL; attribute = attribute->next) {
        struct gt_str value = value_of(attribute);
        if (value.len >= JSON_VALUE_MIN && (value.ptr[0] == '{' || value.ptr[0] == '[')) offers += auto_json_read(page, value);
    }
    return offers;
}

static void add_node(struct data_rows *rows, const xmlNode *node)
{
    if (rows->count < DATA_ROWS_MAX) rows->nodes[rows->count++] = node;
    else if (rows->page->err == GT_OK)
        rows->page->err =
            gt_fail(rows->page->info, GT_ELIMIT, "more prices in attributes than DATA_ROWS_MAX (%d)", DATA_ROWS_MAX);
}

size_t auto_attributes_read(struct auto_page *page, struct _xmlNode *root)
{
    size_t offers = 0;
    struct data_rows *rows = calloc(1, sizeof *rows);
    if (rows == NULL) {
        page->err = gt_fail(page->info, GT_ENOMEM, "no memory for a page");
        return 0;
    }
    rows->page = page;
    column_of(rows, GT_STR("name"));
    for (const xmlNode *node = root; node != NULL && page->err == GT_OK; node = html_next(node, root, true)) {
        if (node->type != XML_ELEMENT_NODE || node->properties == NULL) continue;
        offers += read_json(page, node);
        if (has_price(page, node)) add_node(rows, node);
        arena_clear(page->scratch);
    }
    if (offers == 0 && rows->count > 1) offers = read_rows(rows);
    free(rows);
    return offers;
}
