#include "parsers/html_build.h"

#include <libxml/HTMLtree.h>
#include <libxml/parserInternals.h>
#include <stdalign.h>

#include "parsers/html_tree.h"

enum { TEXT_CAP_FIRST = 32 };

/* Counts before a node is made; stops the parser at a limit. */
static bool may_add(struct html_builder *builder, xmlParserCtxtPtr parser)
{
    if (builder->over != NULL) return false;
    if (++builder->nodes > HTML_NODES_MAX) builder->over = "nodes (HTML_NODES_MAX)";
    else if (parser->nameNr > HTML_DEPTH_MAX) builder->over = "open elements (HTML_DEPTH_MAX)";
    else if (builder->is_out_of_arena) builder->over = "bytes (EXTRACT_ARENA_MAX)";
    if (builder->over == NULL) return true;
    xmlStopParser(parser);
    return false;
}

/* Zeroed memory for a node or text, carved from a block; large texts come from the arena themselves. */
static void *take(struct html_builder *builder, size_t bytes)
{
    bytes = (bytes + alignof(max_align_t) - 1) / alignof(max_align_t) * alignof(max_align_t);
    if (bytes > builder->block_left) {
        bool is_large = bytes > HTML_BUILD_BLOCK / 4;
        char *memory = arena_alloc(builder->arena, is_large ? bytes : HTML_BUILD_BLOCK);
        if (memory == NULL) builder->is_out_of_arena = true;
        if (memory == NULL || is_large) return memory;
        builder->block = memory;
        builder->block_left = HTML_BUILD_BLOCK;
    }
    void *carved = builder->block;
    builder->block += bytes;
    builder->block_left -= bytes;
    return carved;
}

/* html_element_kind, remembered by the name's address. */
static unsigned short kind_of(struct html_builder *builder, const xmlChar *name)
{
    size_t slot = ((uintptr_t)name >> 3) % HTML_BUILD_KINDS;
    if (builder->kinds[slot].name != name) {
        builder->kinds[slot].name = name;
        builder->kinds[slot].kind = (unsigned short)html_element_kind((const char *)name);
    }
    return builder->kinds[slot].kind;
}

/* A node of the open element (or of the document, when none is open), at its end. NULL when the arena is full. */
static xmlNodePtr append_node(struct html_builder *builder, xmlParserCtxtPtr parser, xmlElementType type, const xmlChar *name)
{
    xmlNodePtr node = take(builder, sizeof *node);
    xmlNodePtr parent = builder->open != NULL ? builder->open : (xmlNodePtr)parser->myDoc;
    if (node == NULL || parent == NULL) return NULL;
    node->type = type;
    node->name = name;
    node->doc = parser->myDoc;
    node->parent = parent;
    node->prev = parent->last;
    if (parent->last != NULL) parent->last->next = node;
    else parent->children = node;
    parent->last = node;
    builder->text = NULL;
    return node;
}

/* An attribute with room for its value's text node right behind it. */
struct attribute_with_text {
    xmlAttr attribute;
    xmlNode text;
    xmlChar content[];
};

/* An attribute with its value as a text node below it, as libxml2 has them. One without a value has none, unless it is one that is its own
 * value ("selected"). */
static void append_attribute(struct html_builder *builder, xmlNodePtr node, xmlAttrPtr *last, const xmlChar *name,
                             const xmlChar *value)
{
    if (value == NULL && htmlIsBooleanAttr(name)) value = name;
    size_t len = value != NULL ? strlen((const char *)value) : 0;
    struct attribute_with_text *both = take(builder, sizeof *both + len + 1);
    if (both == NULL) return;
    xmlAttrPtr attribute = &both->attribute;
    xmlNodePtr text = value != NULL ? &both->text : NULL;
    attribute->type = XML_ATTRIBUTE_NODE;
    attribute->name = name;
    attribute->parent = node;
    attribute->doc = node->doc;
    attribute->prev = *last;
    attribute->children = attribute->last = text;
    if (text != NULL) {
        text->type = XML_TEXT_NODE;
        text->name = xmlStringText;
        text->doc = node->doc;
        text->parent = (xmlNodePtr)attribute;
        text->content = memcpy(both->content, value, len);
    }
    if (*last != NULL) (*last)->next = attribute;
    else node->properties = attribute;
    *last = attribute;
}

/* Nodes go into one block with the page, not each to malloc: they are freed together. */
static void start_element(void *context, const xmlChar *name, const xmlChar **attributes)
{
    xmlParserCtxtPtr parser = context;
    struct html_builder *builder = parser->_private;
    if (!may_add(builder, parser)) return;
    xmlNodePtr node = append_node(builder, parser, XML_ELEMENT_NODE, name);
    xmlAttrPtr last = NULL;
    if (node == NULL) return;
    node->extra = kind_of(builder, name);
    for (; attributes != NULL && attributes[0] != NULL; attributes += 2)
        append_attribute(builder, node, &last, attributes[0], attributes[1]);
    builder->open = node;
}

/* libxml2 has balanced the tags: an end is always that of the open element. */
static void end_element(void *context, const xmlChar *name)
{
    xmlParserCtxtPtr parser = context;
    struct html_builder *builder = parser->_private;
    (void)name;
    if (builder->over != NULL || builder->open == NULL) return;
    xmlNodePtr parent = builder->open->parent;
    builder->open = parent != NULL && parent->type == XML_ELEMENT_NODE ? parent : NULL;
    builder->text = NULL;
}

/* Adds bytes to the last text node; its room doubles, so that a text in a thousand pieces is not copied a thousand times. */
static void grow_text(struct html_builder *builder, xmlParserCtxtPtr parser, const xmlChar *text, size_t len)
{
    if (len > HTML_TEXT_BYTES_MAX - builder->text_len) {
        builder->over = "bytes in one text (HTML_TEXT_BYTES_MAX)";
        xmlStopParser(parser);
        return;
    }
    if (builder->text_len + len >= builder->text_cap) {
        size_t cap = (builder->text_len + len + 1) * 2;
        xmlChar *grown = take(builder, cap);
        if (grown == NULL) return;
        memcpy(grown, builder->text->content, builder->text_len);
        builder->text->content = grown;
        builder->text_cap = cap;
    }
    memcpy(builder->text->content + builder->text_len, text, len);
    builder->text_len += len;
    builder->text->content[builder->text_len] = '\0';
}

static void new_text(struct html_builder *builder, xmlParserCtxtPtr parser, xmlElementType type, const xmlChar *text, size_t len)
{
    if (!may_add(builder, parser)) return;
    xmlNodePtr node = append_node(builder, parser, type, type == XML_TEXT_NODE ? xmlStringText : NULL);
    size_t cap = len < TEXT_CAP_FIRST ? TEXT_CAP_FIRST : len + 1;
    if (node == NULL || (node->content = take(builder, cap)) == NULL) return;
    builder->text = node;
    builder->text_len = 0;
    builder->text_cap = cap;
    grow_text(builder, parser, text, len);
}

static bool is_blank(const xmlChar *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (text[i] != ' ' && text[i] != '\n' && text[i] != '\t' && text[i] != '\r' && text[i] != '\f') return false;
    }
    return true;
}

/* White space that no reader sees: behind a block, or first in one. */
static bool is_between_blocks(const xmlNode *parent)
{
    const xmlNode *neighbour = parent->last != NULL ? parent->last : parent;
    return neighbour->type == XML_ELEMENT_NODE && neighbour->extra == HTML_BLOCK;
}

/* Blanks between blocks are nobody's text; between words of a line they part them. */
static void add_characters(void *context, const xmlChar *text, int len)
{
    xmlParserCtxtPtr parser = context;
    struct html_builder *builder = parser->_private;
    if (builder->over != NULL || builder->open == NULL || len <= 0) return;
    bool is_open = builder->text != NULL && builder->text == builder->open->last && builder->text->type == XML_TEXT_NODE;
    if (is_open) grow_text(builder, parser, text, (size_t)len);
    else if (!is_blank(text, (size_t)len) || !is_between_blocks(builder->open))
        new_text(builder, parser, XML_TEXT_NODE, text, (size_t)len);
}

/* The content of a script or style, which may come in pieces. */
static void add_raw(void *context, const xmlChar *text, int len)
{
    xmlParserCtxtPtr parser = context;
    struct html_builder *builder = parser->_private;
    if (builder->over != NULL || builder->open == NULL || len <= 0) return;
    struct gt_str raw = {(const char *)text, (size_t)len};
    if (builder->raw != NULL) raw = html_raw_resolve(builder->raw, raw);
    bool is_open = builder->text != NULL && builder->text == builder->open->last && builder->text->type == XML_CDATA_SECTION_NODE;
    if (is_open) grow_text(builder, parser, (const xmlChar *)raw.ptr, raw.len);
    else new_text(builder, parser, XML_CDATA_SECTION_NODE, (const xmlChar *)raw.ptr, raw.len);
}

/* Comments and instructions are dropped: nothing that is read stands in them. */
void html_builder_attach(struct html_builder *builder, xmlParserCtxtPtr parser)
{
    parser->_private = builder;
    parser->sax->startElement = start_element;
    parser->sax->endElement = end_element;
    parser->sax->characters = add_characters;
    parser->sax->ignorableWhitespace = add_characters;
    parser->sax->cdataBlock = add_raw;
    parser->sax->comment = NULL;
    parser->sax->processingInstruction = NULL;
    parser->sax->internalSubset = NULL;
}
