/* The text that a reader of the page sees. */
#include <libxml/tree.h>

#include "parsers/html_tree.h"

/* Sorted by name for a binary search. */
static const struct {
    const char *name;
    enum html_kind kind;
} KINDS[] = {
    {"address", HTML_BLOCK},  {"article", HTML_BLOCK}, {"aside", HTML_BLOCK},    {"blockquote", HTML_BLOCK},
    {"body", HTML_BLOCK},     {"br", HTML_BLOCK},      {"button", HTML_BLOCK},   {"caption", HTML_BLOCK},
    {"center", HTML_BLOCK},   {"dd", HTML_BLOCK},      {"details", HTML_BLOCK},  {"div", HTML_BLOCK},
    {"dl", HTML_BLOCK},       {"dt", HTML_BLOCK},      {"fieldset", HTML_BLOCK}, {"figcaption", HTML_BLOCK},
    {"figure", HTML_BLOCK},   {"footer", HTML_BLOCK},  {"form", HTML_BLOCK},     {"h1", HTML_BLOCK},
    {"h2", HTML_BLOCK},       {"h3", HTML_BLOCK},      {"h4", HTML_BLOCK},       {"h5", HTML_BLOCK},
    {"h6", HTML_BLOCK},       {"header", HTML_BLOCK},  {"hr", HTML_BLOCK},       {"html", HTML_BLOCK},
    {"legend", HTML_BLOCK},   {"li", HTML_BLOCK},      {"main", HTML_BLOCK},     {"nav", HTML_BLOCK},
    {"object", HTML_HIDDEN},  {"ol", HTML_BLOCK},      {"optgroup", HTML_BLOCK}, {"option", HTML_BLOCK},
    {"p", HTML_BLOCK},        {"pre", HTML_BLOCK},     {"script", HTML_HIDDEN},  {"section", HTML_BLOCK},
    {"select", HTML_BLOCK},   {"style", HTML_HIDDEN},  {"summary", HTML_BLOCK},  {"svg", HTML_HIDDEN},
    {"table", HTML_BLOCK},    {"tbody", HTML_BLOCK},   {"td", HTML_BLOCK},       {"template", HTML_HIDDEN},
    {"textarea", HTML_BLOCK}, {"tfoot", HTML_BLOCK},   {"th", HTML_BLOCK},       {"thead", HTML_BLOCK},
    {"title", HTML_BLOCK},    {"tr", HTML_BLOCK},      {"ul", HTML_BLOCK},
};

enum html_kind html_element_kind(const char *name)
{
    size_t low = 0, high = sizeof KINDS / sizeof KINDS[0];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(name, KINDS[middle].name);
        if (order == 0) return KINDS[middle].kind;
        if (order < 0) high = middle;
        else low = middle + 1;
    }
    return HTML_INLINE;
}

/* The text that is being put together. `gap` is what stands between the last piece and the next. */
struct writer {
    struct strbuf *out;
    size_t begin; /* where this text began in `out` */
    char gap;     /* 0 none, ' ' or '\n' */
    bool keeps_lines;
    bool after_end; /* the last thing was an element's end */
    bool touches;   /* an element began right where another had ended */
};

static bool is_wordy(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || ((unsigned char)c & 0x80) != 0;
}

/* The length of the white space character at the front: ASCII blanks, no-break space, ideographic space. */
static size_t space_len(const char *at, size_t left)
{
    if (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r' || *at == '\f' || *at == '\v') return 1;
    if (left >= 2 && memcmp(at, "\xC2\xA0", 2) == 0) return 2;
    if (left >= 3 && memcmp(at, "\xE3\x80\x80", 3) == 0) return 3;
    return 0;
}

static void add_gap(struct writer *writer, char gap)
{
    if (gap == '\n' && !writer->keeps_lines) gap = ' ';
    if (writer->gap != '\n') writer->gap = gap;
}

/* Adds a run without white space. */
static void add_run(struct writer *writer, const char *run, size_t len)
{
    struct strbuf *out = writer->out;
    bool is_first = out->len == writer->begin;
    if (!is_first && writer->gap == 0 && writer->touches && is_wordy(out->ptr[out->len - 1]) && is_wordy(*run)) writer->gap = ' ';
    if (!is_first && writer->gap != 0) strbuf_addc(out, writer->gap);
    writer->gap = 0;
    writer->touches = writer->after_end = false;
    strbuf_add(out, (struct gt_str){run, len});
}

static void add_text(struct writer *writer, const char *text)
{
    size_t len = text != NULL ? strlen(text) : 0, i = 0;
    while (i < len) {
        size_t blank = space_len(text + i, len - i);
        if (blank > 0) {
            add_gap(writer, ' ');
            i += blank;
            continue;
        }
        size_t from = i;
        while (i < len && space_len(text + i, len - i) == 0) i++;
        add_run(writer, text + from, i - from);
    }
}

/* A footnote's number right behind a figure is not part of it. */
static bool is_raised(const char *name)
{
    return name[0] == 's' && name[1] == 'u' && (name[2] == 'p' || name[2] == 'b') && name[3] == '\0';
}

/* The builder of the tree left each element's kind in `extra`. */
static void cross_edge(struct writer *writer, const xmlNode *node, bool is_end)
{
    if (node->extra == HTML_BLOCK) add_gap(writer, '\n');
    if ((!is_end && writer->after_end) || is_raised((const char *)node->name)) writer->touches = true;
    writer->after_end = is_end;
}

/* Enters or passes a node; true when its children are to be walked. */
static bool visit(struct writer *writer, const xmlNode *node)
{
    if (node->type == XML_TEXT_NODE || node->type == XML_CDATA_SECTION_NODE) add_text(writer, (const char *)node->content);
    if (node->type == XML_HTML_DOCUMENT_NODE || node->type == XML_DOCUMENT_NODE) return true;
    if (node->type != XML_ELEMENT_NODE || node->extra == HTML_HIDDEN) return false;
    cross_edge(writer, node, false);
    return true;
}

/* Without recursion: depth is the page's, the stack is ours. */
static void walk(struct writer *writer, const xmlNode *top)
{
    const xmlNode *node = top;
    for (;;) {
        if (visit(writer, node) && node->children != NULL) {
            node = node->children;
            continue;
        }
        while (node != top && node->next == NULL) {
            node = node->parent;
            if (node->type == XML_ELEMENT_NODE) cross_edge(writer, node, true);
        }
        if (node == top) return;
        if (node->type == XML_ELEMENT_NODE && node->children == NULL) cross_edge(writer, node, true);
        node = node->next;
    }
}

void html_text_add(const struct _xmlNode *node, bool keeps_lines, struct strbuf *out)
{
    struct writer writer = {.out = out, .begin = out->len, .keeps_lines = keeps_lines};
    if (node->type == XML_ATTRIBUTE_NODE) {
        for (const xmlNode *part = node->children; part != NULL; part = part->next)
            add_text(&writer, (const char *)part->content);
    } else if (node->type == XML_ELEMENT_NODE && node->extra == HTML_HIDDEN) {
        /* Asked for by name, a script's text is what is wanted. */
        for (const xmlNode *part = node->children; part != NULL; part = part->next)
            add_text(&writer, (const char *)part->content);
    } else {
        walk(&writer, node);
    }
}

struct gt_str html_attribute(const struct _xmlNode *node, const char *name)
{
    if (node->type != XML_ELEMENT_NODE) return GT_STR("");
    for (const xmlAttr *attribute = node->properties; attribute != NULL; attribute = attribute->next) {
        if (strcmp((const char *)attribute->name, name) != 0) continue;
        const xmlNode *text = attribute->children;
        return text != NULL ? gt_str_from((const char *)text->content) : GT_STR("");
    }
    return GT_STR("");
}

bool html_is(const struct _xmlNode *node, const char *name)
{
    return node != NULL && node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0;
}

struct _xmlNode *html_ancestor(struct _xmlNode *node, const char *name)
{
    while (node != NULL && !html_is(node, name)) node = node->parent;
    return node;
}

struct _xmlNode *html_first(struct _xmlDoc *doc)
{
    return xmlDocGetRootElement(doc);
}

struct _xmlNode *html_next(const struct _xmlNode *node, const struct _xmlNode *top, bool enters_children)
{
    if (enters_children && node->type == XML_ELEMENT_NODE && node->children != NULL) return node->children;
    while (node != top && node->next == NULL) node = node->parent;
    return node == top ? NULL : node->next;
}
