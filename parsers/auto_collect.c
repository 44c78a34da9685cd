/* Cuts a page into lines, each looked at by itself. */
#include <libxml/tree.h>

#include "common/strbuf.h"
#include "parsers/auto_line.h"
#include "parsers/html_tree.h"

enum {
    CENTS_LEN = 2,
    JOINT_LEVELS = 2,    /* elements up from an amount to what holds the rest of it too */
    AMOUNT_MAX = 16,     /* bytes of a line that is an amount */
    UNIT_LEN_MAX = 24,   /* … and of its unit */
    PAGE_END_LEVELS = 3, /* elements between the body and its footer */
};

/* The lines so far. */
struct collected {
    struct auto_lines *reader;
    struct auto_line *lines;
    size_t count, max;
};

static bool is_heading(const xmlNode *node)
{
    for (; node != NULL && node->type == XML_TEXT_NODE; node = node->parent) {
    }
    for (int up = 0; node != NULL && up < 3; node = node->parent, up++) {
        if (node->type == XML_ELEMENT_NODE && node->name[0] == 'h' && node->name[1] >= '1' && node->name[1] <= '6' &&
            node->name[2] == 0)
            return true;
    }
    return false;
}

/* The element that makes a line of its text: the nearest block around, or the struck-out element within it. */
static const xmlNode *holder_of(const xmlNode *text)
{
    const xmlNode *node = text->parent;
    while (node != NULL && node->parent != NULL && html_element_kind((const char *)node->name) == HTML_INLINE && !auto_strikes(node))
        node = node->parent;
    return node;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* What stands between a line that ends in a figure and the rest of its price in a block of its own: a point before its cents ("$1", "10"),
 * a blank before its unit ("$1.10", "/hour"). NULL where the text is no such rest. */
static const char *joint_of(struct gt_str line, struct gt_str text)
{
    size_t from = line.len, digits = 0;
    while (from > 0 && is_digit(line.ptr[from - 1])) from--;
    while (digits < text.len && is_digit(text.ptr[digits])) digits++;
    bool is_whole = from < line.len && from > 0 && line.len <= AMOUNT_MAX && !is_digit(line.ptr[0]) &&
                    gt_char_is_in(line.ptr[from - 1], "$ \xAC\xA5\xA3");
    if (is_whole && digits == CENTS_LEN && text.len == CENTS_LEN) return ".";
    bool is_unit = text.len > 1 && text.len <= UNIT_LEN_MAX && text.ptr[0] == '/' && !is_digit(text.ptr[1]);
    return is_unit && from < line.len && line.len <= AMOUNT_MAX ? " " : NULL;
}

/* Adds such a rest to the line before when both stand close together. False when it is none. */
static bool join_line(struct collected *all, struct gt_str text, const xmlNode *first)
{
    struct auto_line *line = all->count > 0 ? &all->lines[all->count - 1] : NULL;
    const char *joint = line != NULL ? joint_of(line->text, text) : NULL;
    const xmlNode *around = line != NULL ? line->node->parent : NULL;
    for (int up = 0; up < JOINT_LEVELS && around != NULL; up++) around = around->parent;
    if (joint == NULL || !auto_is_below(first, around)) return false;
    struct gt_str both = arena_printf(all->reader->page->arena, "%.*s%s%.*s", GT_STR_ARG(line->text), joint, GT_STR_ARG(text));
    if (both.ptr == NULL) return false;
    *line = (struct auto_line){.text = both, .node = line->node, .is_struck = line->is_struck, .is_heading = line->is_heading};
    auto_line_judge(all->reader, line);
    return true;
}

static void add_line(struct collected *all, struct gt_str text, struct gt_str term, const xmlNode *first)
{
    if (all->count == all->max || all->reader->page->err != GT_OK) return;
    struct auto_line *line = &all->lines[all->count];
    *line = (struct auto_line){.text = arena_dup(all->reader->page->arena, text),
                               .term = term,
                               .node = first,
                               .is_struck = auto_is_struck(first->parent),
                               .is_heading = is_heading(first)};
    if (line->text.ptr != NULL) all->count++;
    auto_line_judge(all->reader, line);
    arena_clear(all->reader->page->scratch);
}

/* Closes the line that is open and looks at it, or at what it lists. */
static void end_line(struct collected *all, struct strbuf *text, const xmlNode *first)
{
    struct gt_str trimmed = gt_str_trim(strbuf_str(text)), pieces[AUTO_PIECES_MAX];
    if (trimmed.len > 0 && !join_line(all, trimmed, first)) {
        size_t count = auto_line_cut(all->reader->page, trimmed, pieces);
        if (count == 0) add_line(all, trimmed, GT_STR(""), first);
        for (size_t i = 0; i < count; i++) add_line(all, pieces[i], auto_term_of(trimmed), first);
    }
    strbuf_clear(text);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

static bool is_wordy(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || ((unsigned char)c & 0x80) != 0;
}

/* Adds a text node to the open line: apart from what is before where there is white space between, or where letters or digits
 * would touch; so that "1" and ".98" are 1.98. False when the node shows nothing. *is_apart is carried from node to node. */
static bool add_piece(struct strbuf *text, const xmlNode *node, bool *is_apart)
{
    const char *content = (const char *)node->content;
    size_t before = text->len, len = strlen(content);
    bool is_led = len > 0 && is_blank(content[0]);
    if (before > 0) strbuf_addc(text, ' ');
    size_t from = text->len;
    html_text_add(node, false, text);
    if (text->len == from) {
        text->len = before;
        *is_apart |= len > 0;
        return false;
    }
    bool touches = before > 0 && !*is_apart && !is_led;
    if (touches && !(is_wordy(text->ptr[before - 1]) && is_wordy(text->ptr[from]))) {
        memmove(text->ptr + before, text->ptr + from, text->len - from);
        text->len--;
    }
    *is_apart = is_blank(content[len - 1]);
    return true;
}

/* The page's own end, which lists links. The foot of a card, further in, holds its price as likely as not. */
static bool is_page_end(const xmlNode *node)
{
    const xmlNode *parent = node;
    if (!html_is(node, "footer")) return false;
    for (int up = 0; parent != NULL && up < PAGE_END_LEVELS; up++) {
        parent = parent->parent;
        if (html_is(parent, "body")) return true;
    }
    return false;
}

/* A table that only places things: it holds other tables, or no row of it has two cells. */
static bool is_layout(const xmlNode *table)
{
    size_t beside = 0;
    for (const xmlNode *node = html_next(table, table, true); node != NULL && beside < 2; node = html_next(node, table, true)) {
        if (html_is(node, "table")) return true;
        if (html_is(node, "tr")) beside = 0;
        beside += html_is(node, "td") || html_is(node, "th");
    }
    return beside < 2;
}

/* How many cells the rows of a table have, where all have equally many and none has headings alone; 0 where not. */
static size_t cells_of_rows(const xmlNode *table)
{
    size_t cells = 0, beside = 0, headings = 0;
    bool is_first = true;
    for (const xmlNode *node = html_next(table, table, true); node != NULL; node = html_next(node, table, true)) {
        if (html_is(node, "tr")) {
            bool is_header = beside > 0 && headings == beside;
            if (is_header || (cells > 0 && beside != cells)) return 0;
            if (!is_first) cells = beside;
            is_first = false;
            beside = headings = 0;
        }
        headings += html_is(node, "th");
        beside += html_is(node, "td") || html_is(node, "th");
    }
    return cells == 0 || cells == beside ? beside : 0;
}

/* A table of what a thing has, in pairs, with its price elsewhere: as good as lines. */
static bool is_sheet(struct auto_page *page, const xmlNode *table)
{
    const struct auto_around nothing = {GT_STR(""), GT_STR(""), GT_STR("")};
    struct auto_price price;
    struct strbuf text;
    strbuf_init(&text, AUTO_CELL_MAX);
    if (cells_of_rows(table) == 2) html_text_add(table, false, &text);
    bool is_one = text.len > 0 && text.len <= AUTO_CELL_MAX &&
                  !auto_price_read(page, strbuf_str(&text), GT_STR(""), GT_STR(""), &nothing, false, &price);
    strbuf_done(&text);
    return is_one;
}

size_t auto_lines_collect(struct auto_lines *reader, struct _xmlNode *top, struct auto_line *lines, size_t max)
{
    struct collected collected = {reader, lines, 0, max}, *all = &collected;
    struct strbuf text;
    const xmlNode *holder = NULL, *first = NULL;
    bool is_apart = false;
    strbuf_init(&text, 64 * 1024);
    for (xmlNodePtr node = top; node != NULL;) {
        bool is_taken =
            node->type == XML_ELEMENT_NODE &&
            (node->_private == all->reader->page || (html_is(node, "table") && !is_layout(node) && !is_sheet(all->reader->page, node)) ||
             html_element_kind((const char *)node->name) == HTML_HIDDEN || html_is(node, "nav") || is_page_end(node));
        if (html_is(node, "br") || is_taken) holder = NULL;
        if (node->type == XML_TEXT_NODE && node->content != NULL) {
            const xmlNode *of = holder_of(node);
            if (of != holder && first != NULL) end_line(all, &text, first);
            if (of != holder) first = NULL;
            holder = of;
            if (add_piece(&text, node, &is_apart) && first == NULL) first = node;
        }
        node = html_next(node, top, !is_taken);
    }
    if (first != NULL) end_line(all, &text, first);
    strbuf_done(&text);
    return collected.count;
}
