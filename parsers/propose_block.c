/* Blocks of elements that repeat: cards, list items, rows of <div>s. The element that prints a label and the one that prints a
 * price are looked for in the page's order; what holds both is the row, and where it repeats under one name, the rule. */
#include <libxml/tree.h>

#include "common/strbuf.h"
#include "parsers/html_tree.h"
#include "parsers/propose_example.h"

enum {
    TEXT_BYTES_MAX = 4096,
    CLIMB_MAX = 6,       /* elements up from a text to the one that prints all of a label */
    LEVELS_MAX = 5,      /* elements up from the smallest that holds label and prices */
    STEPS_MAX = 12,      /* of a path from a row to a cell */
    FIELDS_MAX = 12,
    PIECES_MAX = 4,      /* of a variant */
    BLOCKS_MAX = 2000,
    PATH_BYTES_MAX = 300,
};

/* One listing's elements: [0] prints the label, the others its prices. */
struct block {
    xmlNodePtr fields[FIELDS_MAX];
    xmlNodePtr row;
};

struct blocks {
    struct propose *propose;
    xmlNodePtr root;
    struct block *items;
    size_t field_count, needed_count;        /* label and prices come first */
    struct propose_field fields[FIELDS_MAX]; /* as of the first listing */
    struct strbuf text;
};

/* "price" and "price.sale", not "prices". */
static bool is_price(struct gt_str name)
{
    return gt_str_is(name, "price") || gt_str_starts(name, GT_STR("price."));
}

/* ---- elements that print a text ---- */

/* Compared without blanks: a label may be spread over several elements. */
static bool prints(struct blocks *blocks, xmlNodePtr node, struct gt_str text)
{
    strbuf_clear(&blocks->text);
    html_text_add(node, false, &blocks->text);
    return blocks->text.err == GT_OK && propose_is_text(strbuf_str(&blocks->text), text);
}

/* The smallest element around a piece of text that prints just `text`, or the piece itself; NULL when none does. */
static xmlNodePtr element_around(struct blocks *blocks, xmlNodePtr piece, struct gt_str text)
{
    xmlNodePtr node = piece->parent;
    for (int up = 0; up < CLIMB_MAX && node != NULL && node->type == XML_ELEMENT_NODE; up++, node = node->parent)
        if (prints(blocks, node, text)) return node;
    /* "RTX 4090 <b>1.98</b>": the piece alone. */
    return prints(blocks, piece, text) ? piece : NULL;
}

/* The next element at or behind `from` that prints the text. */
static xmlNodePtr element_next(struct blocks *blocks, xmlNodePtr from, struct gt_str text)
{
    for (xmlNodePtr node = from; node != NULL; node = html_next(node, blocks->root, true)) {
        if (node->type != XML_TEXT_NODE || node->content == NULL) continue;
        struct gt_str own = gt_str_trim(gt_str_from((const char *)node->content));
        /* A text begins with its first piece. */
        if (own.len == 0 || own.ptr[0] != text.ptr[0]) continue;
        xmlNodePtr element = element_around(blocks, node, text);
        if (element != NULL) return element;
    }
    return NULL;
}

/* Elements up to the root. */
static size_t depth_of(xmlNodePtr node)
{
    size_t depth = 0;
    for (; node != NULL; node = node->parent) depth++;
    return depth;
}

/* The smallest element that holds both. */
static xmlNodePtr common_of(xmlNodePtr a, xmlNodePtr b)
{
    size_t deep_a = depth_of(a), deep_b = depth_of(b);
    for (; deep_a > deep_b; deep_a--) a = a->parent;
    for (; deep_b > deep_a; deep_b--) b = b->parent;
    while (a != b) {
        a = a->parent;
        b = b->parent;
    }
    return a;
}

/* The elements of one listing, from `from` on; false when the label or a price that it has is not there. What else it has may
 * stand anywhere behind the label; what does not is left out of the rules. */
static bool find_block(struct blocks *blocks, const struct listing *listing, xmlNodePtr from, struct block *ret)
{
    xmlNodePtr at = from;
    *ret = (struct block){.row = NULL};
    for (size_t i = 0; i < blocks->field_count; i++) {
        struct gt_str text = propose_text(listing, &blocks->fields[i]);
        bool is_needed = i < blocks->needed_count;
        /* What holds the label may print the price: it begins before it. */
        xmlNodePtr begin = is_needed ? at : ret->fields[0];
        if (text.len == 0 && i > 0) continue;
        ret->fields[i] = begin != NULL && text.len > 0 ? element_next(blocks, begin, text) : NULL;
        if (!is_needed) continue;
        if (ret->fields[i] == NULL || (i > 0 && ret->fields[i] == ret->fields[0])) return false;
        ret->row = i == 0 ? ret->fields[0] : common_of(ret->row, ret->fields[i]);
        at = html_next(ret->fields[i], blocks->root, i == 0);
    }
    return true;
}

/* Adds a field unless it is there. */
static void add_field(struct blocks *blocks, const struct listing *listing, const struct listing_field *field, size_t nth)
{
    struct propose_field added = {
        .name = field->name, .nth = nth, .place = blocks->field_count, .example = field, .listing = listing};
    if (blocks->field_count == FIELDS_MAX || propose_text(listing, &added).len == 0) return;
    for (size_t i = 0; i < blocks->field_count; i++)
        if (blocks->fields[i].nth == nth && gt_str_eq(blocks->fields[i].name, field->name)) return;
    blocks->fields[blocks->field_count++] = added;
}

/* The fields of one listing that a pass is for: the label, the prices, then the rest. */
static void add_fields(struct blocks *blocks, const struct listing *listing, int pass)
{
    for (size_t i = 0; i < listing->field_count; i++) {
        const struct listing_field *field = &listing->fields[i];
        bool is_label = gt_str_is(field->name, "label"), is_variant = gt_str_is(field->name, "variant");
        size_t nth = 0;
        for (size_t k = 0; k < i; k++) nth += gt_str_eq(listing->fields[k].name, field->name);
        if (pass != (is_label ? 0 : is_price(field->name) ? 1 : 2) || gt_str_is(field->name, "currency")) continue;
        for (size_t piece = 0; piece < (is_variant ? PIECES_MAX : 1); piece++) add_field(blocks, listing, field, nth + piece);
    }
}

/* What any of the listings has decides which fields there are. */
static void set_fields(struct blocks *blocks)
{
    for (int pass = 0; pass < 3; pass++) {
        for (size_t i = 0; i < blocks->propose->count; i++) add_fields(blocks, &blocks->propose->listings[i], pass);
        if (pass == 1) blocks->needed_count = blocks->field_count;
    }
}

/* Each listing is looked for behind the label of the one before: `auto` reads in the page's order. */
static bool find_blocks(struct blocks *blocks)
{
    xmlNodePtr from = blocks->root;
    for (size_t i = 0; i < blocks->propose->count; i++) {
        if (from == NULL || !find_block(blocks, &blocks->propose->listings[i], from, &blocks->items[i])) return false;
        from = html_next(blocks->items[i].fields[0], blocks->root, false);
    }
    return true;
}

/* ---- rules ---- */

/* An element by its name and class: `div[@class='card']`. False for a class that XPath cannot quote. */
static bool name_element(xmlNodePtr node, bool by_class, struct strbuf *path)
{
    struct gt_str class = html_attribute(node, "class");
    strbuf_adds(path, (const char *)node->name);
    if (!by_class) return true;
    if (class.len == 0 || class.len > 120 || gt_str_find(class, GT_STR("'"), 0) != SIZE_MAX) return false;
    strbuf_addf(path, "[@class='%.*s']", GT_STR_ARG(class));
    return true;
}

/* Of one name, and of one class where that is asked for. Classes are compared whole: a part of one may be a state. */
static bool is_alike(xmlNodePtr a, xmlNodePtr b, bool by_class)
{
    if (a->type != XML_ELEMENT_NODE || b->type != XML_ELEMENT_NODE || strcmp((const char *)a->name, (const char *)b->name) != 0)
        return false;
    return !by_class || gt_str_eq(html_attribute(a, "class"), html_attribute(b, "class"));
}

/* How many elements below the row are like this one; whether it is the first of them. */
static size_t count_alike(xmlNodePtr row, xmlNodePtr node, bool by_class, bool *ret_is_first)
{
    size_t count = 0;
    *ret_is_first = false;
    for (xmlNodePtr other = html_next(row, row, true); other != NULL; other = html_next(other, row, true)) {
        if (!is_alike(other, node, by_class)) continue;
        if (count == 0) *ret_is_first = other == node;
        count++;
    }
    return count;
}

/* The first block that has the field; NULL when none has. */
static const struct block *first_with(const struct blocks *blocks, size_t field)
{
    for (size_t i = 0; i < blocks->propose->count; i++)
        if (blocks->items[i].fields[field] != NULL) return &blocks->items[i];
    return NULL;
}

/* `.//b[@class='price']` when it means the field's element in every row that has one. */
static bool rule_by_name(const struct blocks *blocks, size_t field, bool by_class, struct strbuf *rule)
{
    const struct block *first = first_with(blocks, field);
    if (first == NULL || first->fields[field]->type != XML_ELEMENT_NODE) return false;
    for (size_t i = 0; i < blocks->propose->count; i++) {
        const struct block *block = &blocks->items[i];
        bool is_first;
        if (block->fields[field] == NULL) continue;
        if (!is_alike(block->fields[field], first->fields[field], by_class)) return false;
        size_t count = count_alike(block->row, block->fields[field], by_class, &is_first);
        /* Of prices all nodes are read, of all else the first. */
        if (!is_first || (is_price(blocks->fields[field].name) && count != 1)) return false;
    }
    strbuf_adds(rule, ".//");
    return name_element(first->fields[field], by_class, rule);
}

/* The step from a parent to a child: `div[2]`. */
static void add_step(xmlNodePtr node, struct strbuf *path)
{
    size_t number = 1;
    bool is_text = node->type == XML_TEXT_NODE;
    for (xmlNodePtr before = node->prev; before != NULL; before = before->prev)
        number += is_text ? before->type == XML_TEXT_NODE : is_alike(before, node, false);
    strbuf_addf(path, "%s%s[%zu]", path->len > 0 ? "/" : "", is_text ? "text()" : (const char *)node->name, number);
}

/* `div[1]/span[2]`, the steps from a row to one of its elements; "." for the row itself. */
static bool path_from(xmlNodePtr row, xmlNodePtr node, struct strbuf *path)
{
    xmlNodePtr steps[STEPS_MAX];
    size_t count = 0;
    for (; node != NULL && node != row && count < STEPS_MAX; node = node->parent) steps[count++] = node;
    if (node == NULL || node != row) return false;
    if (count == 0) strbuf_adds(path, ".");
    while (count > 0) add_step(steps[--count], path);
    return path->err == GT_OK;
}

/* For pages whose elements have no names: the way from the row, the same in each. */
static bool rule_by_steps(const struct blocks *blocks, size_t field, struct strbuf *rule)
{
    const struct block *first = first_with(blocks, field);
    bool is_same = first != NULL && path_from(first->row, first->fields[field], rule);
    for (size_t i = 0; is_same && i < blocks->propose->count; i++) {
        struct strbuf other;
        if (blocks->items[i].fields[field] == NULL) continue;
        strbuf_init(&other, PATH_BYTES_MAX);
        is_same = path_from(blocks->items[i].row, blocks->items[i].fields[field], &other) &&
                  gt_str_eq(strbuf_str(&other), strbuf_str(rule));
        strbuf_done(&other);
    }
    /* A path of text alone would be read as words. */
    if (is_same && gt_str_starts(strbuf_str(rule), GT_STR("text()"))) {
        struct gt_str own = arena_dup(blocks->propose->arena, strbuf_str(rule));
        strbuf_clear(rule);
        strbuf_addf(rule, "./%.*s", GT_STR_ARG(own));
    }
    return is_same;
}

/* The rule of a field: by class, by name, by steps; empty when none means it in every row. */
static struct gt_str rule_of(const struct blocks *blocks, size_t field)
{
    struct gt_str found = GT_STR("");
    for (int way = 0; way < 3 && found.len == 0; way++) {
        struct strbuf rule;
        strbuf_init(&rule, PATH_BYTES_MAX);
        bool is_good = way < 2 ? rule_by_name(blocks, field, way == 0, &rule) : rule_by_steps(blocks, field, &rule);
        if (is_good && rule.err == GT_OK) found = arena_dup(blocks->propose->arena, strbuf_str(&rule));
        strbuf_done(&rule);
    }
    return found;
}

/* ---- rows ---- */

/* Rows are alike, and none lies in another. */
static bool rows_repeat(const struct blocks *blocks)
{
    for (size_t i = 0; i < blocks->propose->count; i++) {
        if (!is_alike(blocks->items[i].row, blocks->items[0].row, false)) return false;
        if (i > 0 && common_of(blocks->items[i].row, blocks->items[i - 1].row) == blocks->items[i].row) return false;
        if (i > 0 && common_of(blocks->items[i].row, blocks->items[i - 1].row) == blocks->items[i - 1].row) return false;
    }
    return true;
}

/* A class is the best name that a row can have. */
static bool rows_share_class(const struct blocks *blocks)
{
    for (size_t i = 1; i < blocks->propose->count; i++)
        if (!is_alike(blocks->items[i].row, blocks->items[0].row, true)) return false;
    return html_attribute(blocks->items[0].row, "class").len > 0;
}

/* `//div[@class='card']`, else by what the row lies in: `//ul[@id='prices']/li`. */
static struct gt_str rows_of(const struct blocks *blocks)
{
    struct strbuf path;
    struct gt_str found = GT_STR("");
    xmlNodePtr row = blocks->items[0].row, parent = row->parent;
    bool is_good = true;
    strbuf_init(&path, PATH_BYTES_MAX);
    strbuf_adds(&path, "//");
    if (rows_share_class(blocks)) {
        is_good = name_element(row, true, &path);
    } else {
        struct gt_str id = parent != NULL ? html_attribute(parent, "id") : GT_STR("");
        bool has_id = id.len > 0 && gt_str_find(id, GT_STR("'"), 0) == SIZE_MAX;
        if (has_id) strbuf_addf(&path, "%s[@id='%.*s']/", (const char *)parent->name, GT_STR_ARG(id));
        else if (parent != NULL && html_attribute(parent, "class").len > 0) is_good = name_element(parent, true, &path);
        if (!has_id && path.len > 2) strbuf_addc(&path, '/');
        name_element(row, false, &path);
    }
    if (is_good && path.err == GT_OK) found = arena_dup(blocks->propose->arena, strbuf_str(&path));
    strbuf_done(&path);
    return found;
}

/* Candidates of these rows with these rules. */
static void add_all(struct blocks *blocks, struct gt_str rows, const struct propose_field *fields, const struct gt_str *rules,
                    size_t count)
{
    for (int naming = 0; naming < NAMING_COUNT && rows.len > 0; naming++) {
        struct gt_str lines = propose_lines(blocks->propose, fields, count, rules, (enum propose_naming)naming);
        if (lines.len > 0)
            propose_add(blocks->propose, arena_printf(blocks->propose->arena, "extract = table\nrows = %.*s\n%.*s",
                                                      GT_STR_ARG(rows), GT_STR_ARG(lines)));
    }
}

/* Label and prices need a rule; what else was found is left out where it has none. */
static void add_candidates(struct blocks *blocks)
{
    struct gt_str rules[FIELDS_MAX], rows = rows_of(blocks);
    struct propose_field fields[FIELDS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < blocks->field_count; i++) {
        rules[count] = rule_of(blocks, i);
        fields[count] = blocks->fields[i];
        if (rules[count].len > 0) count++;
        else if (i < blocks->needed_count) return;
    }
    add_all(blocks, rows, fields, rules, count);
}

/* ---- rows without an element of their own: <dt> and <dd>, a heading and what follows it ---- */

/* Which of the elements behind the label's the field's is: 1 the next one. 0 when it is none of them. */
static size_t sibling_number(const struct block *block, size_t field)
{
    size_t number = 0;
    for (xmlNodePtr node = block->fields[0]->next; node != NULL; node = node->next) {
        if (node->type != XML_ELEMENT_NODE) continue;
        number++;
        if (node == block->fields[field]) return number;
    }
    return 0;
}

/* `following-sibling::*[1]` where that is the field's element behind every label; empty else. */
static struct gt_str sibling_rule(const struct blocks *blocks, size_t field)
{
    size_t number = 0;
    for (size_t i = 0; i < blocks->propose->count; i++) {
        const struct block *block = &blocks->items[i];
        if (block->fields[field] == NULL) continue;
        size_t own = sibling_number(block, field);
        if (own == 0 || (number != 0 && own != number)) return GT_STR("");
        number = own;
    }
    return number > 0 ? arena_printf(blocks->propose->arena, "following-sibling::*[%zu]", number) : GT_STR("");
}

/* The labels' elements as rows. */
static void try_siblings(struct blocks *blocks)
{
    struct gt_str rules[FIELDS_MAX];
    struct propose_field fields[FIELDS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < blocks->propose->count; i++) {
        if (blocks->items[i].fields[0]->type != XML_ELEMENT_NODE) return;
        blocks->items[i].row = blocks->items[i].fields[0];
    }
    for (size_t i = 0; i < blocks->field_count; i++) {
        rules[count] = i == 0 ? GT_STR(".") : sibling_rule(blocks, i);
        fields[count] = blocks->fields[i];
        if (rules[count].len > 0) count++;
        else if (i < blocks->needed_count) return;
    }
    if (rows_repeat(blocks)) add_all(blocks, rows_of(blocks), fields, rules, count);
}

/* From the smallest elements that hold label and prices outwards, as long as they stay apart. */
static void try_levels(struct blocks *blocks)
{
    for (int level = 0; level < LEVELS_MAX; level++) {
        if (rows_repeat(blocks)) add_candidates(blocks);
        for (size_t i = 0; i < blocks->propose->count; i++) {
            xmlNodePtr up = blocks->items[i].row->parent;
            if (up == NULL || up->type != XML_ELEMENT_NODE) return;
            blocks->items[i].row = up;
        }
    }
}

/* From the offers that `auto` found up the tree: what holds the fields of one and stands there again for the others is a row. */
void propose_blocks(struct propose *propose)
{
    struct _xmlDoc *doc = NULL;
    struct blocks *blocks = arena_alloc(propose->arena, sizeof *blocks);
    if (blocks == NULL || propose->count == 0 || propose->count > BLOCKS_MAX) return;
    blocks->propose = propose;
    blocks->items = arena_array(propose->arena, propose->count, sizeof *blocks->items);
    if (blocks->items == NULL || html_tree_parse(propose->text, propose->arena, &doc, NULL) != GT_OK) return;
    blocks->root = xmlDocGetRootElement(doc);
    strbuf_init(&blocks->text, TEXT_BYTES_MAX);
    set_fields(blocks);
    if (blocks->field_count > 1 && find_blocks(blocks)) {
        try_levels(blocks);
        try_siblings(blocks);
    }
    strbuf_done(&blocks->text);
    html_tree_free(doc);
}
