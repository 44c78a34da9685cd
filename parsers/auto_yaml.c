/* YAML: the part of it that price lists are written in (block maps and lists of scalars), as a tree that is read like JSON. */
#include "parsers/auto.h"
#include "parsers/jnode.h"

enum {
    YAML_DEPTH_MAX = 24,
    YAML_LINE_MAX = 600, /* bytes: a longer line is text */
    YAML_SHARE = 80,     /* percent of a text's lines that are YAML */
    YAML_LINES_MIN = 4,
    YAML_INNER = 4, /* one in so many lines is a pair within a map or an item */
};

/* A text being read line by line. */
struct yaml {
    struct auto_page *page;
    struct gt_str rest;
    struct gt_str line; /* the one looked at, without its indentation */
    size_t indent;
    size_t nodes;
    bool is_done;
};

static bool is_skipped(struct gt_str line)
{
    return line.len == 0 || line.ptr[0] == '#' || gt_str_is(line, "---") || gt_str_is(line, "...");
}

/* Moves to the next line that says something. */
static void next_line(struct yaml *yaml)
{
    for (;;) {
        const char *from = yaml->rest.ptr; /* the piece comes without its blanks: how many there were is its distance */
        if (!gt_str_split(&yaml->rest, '\n', &yaml->line)) break;
        if (is_skipped(yaml->line)) continue;
        yaml->indent = (size_t)(yaml->line.ptr - from);
        return;
    }
    yaml->is_done = true;
}

/* Where the key of "key: value" ends; SIZE_MAX when the line is no such pair. */
static size_t key_end(struct gt_str line)
{
    if (line.len == 0 || line.len > YAML_LINE_MAX || strchr("|<[{&!%@`", line.ptr[0]) != NULL) return SIZE_MAX;
    for (size_t at = gt_str_find(line, GT_STR(":"), 1); at != SIZE_MAX; at = gt_str_find(line, GT_STR(":"), at + 1)) {
        if (at + 1 == line.len || line.ptr[at + 1] == ' ') return at;
    }
    return SIZE_MAX;
}

static bool is_item(struct gt_str line)
{
    return gt_str_is(line, "-") || gt_str_starts(line, GT_STR("- "));
}

static struct jnode *new_node(struct yaml *yaml, enum jnode_kind kind)
{
    struct jnode *node = ++yaml->nodes > JNODE_COUNT_MAX ? NULL : arena_alloc(yaml->page->arena, sizeof *node);
    if (node == NULL) auto_fail_full(yaml->page);
    else node->kind = kind;
    return node;
}

/* A value on the line of its key: without quotes and comment. */
static struct jnode *read_scalar(struct yaml *yaml, struct gt_str text)
{
    size_t comment = gt_str_find(text, GT_STR(" #"), 0);
    bool is_quoted = text.len > 1 && (text.ptr[0] == '"' || text.ptr[0] == '\'');
    if (!is_quoted && comment != SIZE_MAX) text = gt_str_trim(gt_str_slice(text, 0, comment));
    size_t close = is_quoted ? gt_str_find(text, gt_str_slice(text, 0, 1), 1) : SIZE_MAX;
    if (close != SIZE_MAX) text = gt_str_slice(text, 1, close - 1);
    size_t digits = 0;
    while (digits < text.len && ((text.ptr[digits] >= '0' && text.ptr[digits] <= '9') || text.ptr[digits] == '.')) digits++;
    bool is_true = !is_quoted && gt_str_is(text, "true");
    struct jnode *node = new_node(yaml, is_true                                          ? JNODE_TRUE
                                        : digits > 0 && digits == text.len && !is_quoted ? JNODE_NUMBER
                                                                                         : JNODE_STRING);
    if (node != NULL) node->text = text;
    return node;
}

static void append(struct jnode *parent, struct jnode **last, struct jnode *child)
{
    if (*last == NULL) parent->children = child;
    else (*last)->next = child;
    *last = child;
    parent->count++;
}

static struct jnode *read_block(struct yaml *yaml, size_t indent, int depth);

/* The value of a key or of an item: on its line, or the block below it that is further in. */
static struct jnode *read_below(struct yaml *yaml, struct gt_str text, size_t indent, bool takes_list, int depth)
{
    if (text.len > 0) {
        struct jnode *scalar = read_scalar(yaml, text);
        next_line(yaml);
        /* Lines that go on with a text are no keys of ours. */
        while (!yaml->is_done && yaml->indent > indent && !is_item(yaml->line)) next_line(yaml);
        return scalar;
    }
    next_line(yaml);
    bool is_below = !yaml->is_done && (yaml->indent > indent || (takes_list && yaml->indent == indent && is_item(yaml->line)));
    return is_below ? read_block(yaml, yaml->indent, depth + 1) : new_node(yaml, JNODE_NULL);
}

/* "- key: value": the item is a map whose first key stands behind the dash. */
static struct jnode *read_item(struct yaml *yaml, size_t indent, int depth)
{
    struct gt_str inner = gt_str_slice(yaml->line, 1, SIZE_MAX);
    size_t blanks = 0;
    while (blanks < inner.len && inner.ptr[blanks] == ' ') blanks++;
    inner = gt_str_slice(inner, blanks, SIZE_MAX);
    if (key_end(inner) == SIZE_MAX && !is_item(inner)) return read_below(yaml, inner, indent, false, depth);
    yaml->line = inner;
    yaml->indent = indent + 1 + blanks;
    return read_block(yaml, yaml->indent, depth + 1);
}

/* A map or a list whose lines stand at `indent`. */
static struct jnode *read_block(struct yaml *yaml, size_t indent, int depth)
{
    bool is_list = is_item(yaml->line);
    struct jnode *block = new_node(yaml, is_list ? JNODE_ARRAY : JNODE_OBJECT), *last = NULL;
    while (block != NULL && !yaml->is_done && yaml->indent == indent && is_item(yaml->line) == is_list) {
        struct jnode *child = NULL;
        size_t colon = is_list ? 0 : key_end(yaml->line);
        if (depth >= YAML_DEPTH_MAX || colon == SIZE_MAX) {
            next_line(yaml);
            continue;
        }
        struct gt_str key = gt_str_trim(gt_str_slice(yaml->line, 0, colon));
        if (key.len > 1 && strchr("\"'", key.ptr[0]) != NULL) key = gt_str_slice(key, 1, key.len - 2);
        if (is_list) child = read_item(yaml, indent, depth);
        else child = read_below(yaml, gt_str_trim(gt_str_slice(yaml->line, colon + 1, SIZE_MAX)), indent, true, depth);
        if (child == NULL) return NULL;
        child->key = key;
        append(block, &last, child);
    }
    while (block != NULL && !yaml->is_done && yaml->indent > indent) next_line(yaml);
    return block;
}

/* True when nearly all lines are pairs or items, and some are pairs within others: bullets of a note are no maps. */
static bool looks_like_yaml(struct gt_str text)
{
    size_t lines = 0, fits = 0, inner = 0;
    struct gt_str rest = text, line;
    for (;;) {
        const char *from = rest.ptr;
        if (!gt_str_split(&rest, '\n', &line)) break;
        bool is_indented = line.len > 0 && line.ptr > from;
        if (is_skipped(line)) continue;
        bool has_dash = is_item(line);
        if (has_dash) line = gt_str_trim(gt_str_slice(line, 1, SIZE_MAX));
        bool is_pair = key_end(line) != SIZE_MAX && key_end(line) < 60;
        lines++;
        fits += is_pair || has_dash;
        inner += is_pair && is_indented && !has_dash;
    }
    return lines >= YAML_LINES_MIN && fits * 100 >= lines * YAML_SHARE && inner * YAML_INNER >= lines;
}

size_t auto_yaml_read(struct auto_page *page, struct gt_str text)
{
    if (!looks_like_yaml(text)) return 0;
    struct yaml yaml = {.page = page, .rest = text};
    next_line(&yaml);
    const struct jnode *root = yaml.is_done ? NULL : read_block(&yaml, yaml.indent, 0);
    return root != NULL ? auto_tree_read(page, root) : 0;
}
