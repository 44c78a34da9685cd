/* Builds libxml2's tree out of an arena: the parser's callbacks make the nodes, libxml2 never frees one. A third of a parse is malloc and
 * free otherwise (measured: 1.6 times as fast with a bump allocator). Inside parsers/html_*.c only. */
#ifndef GT_PARSERS_HTML_BUILD_H
#define GT_PARSERS_HTML_BUILD_H

#include <libxml/HTMLparser.h>

#include "common/arena.h"
#include "parsers/html_raw.h"

enum {
    HTML_BUILD_BLOCK = 32 * 1024, /* taken from the arena at once and carved into nodes */
    HTML_BUILD_KINDS = 64,        /* element names whose kind is remembered */
};

/* What is watched and kept while libxml2 parses; `parser->_private` points to it. */
struct html_builder {
    struct arena *arena;
    struct html_raw *raw; /* contents that tokens stand for; NULL: none */
    xmlNodePtr open; /* the innermost open element. Not in `parser->node`: while that is NULL libxml2 leaves the judging of white
                           * space to us, which it does by comparing names with a list of sixty */
    size_t nodes;
    char *block; /* what is left of the present block; zeroed */
    size_t block_left;
    struct {
        const xmlChar *name; /* libxml2 interns names: equal ones have one address */
        unsigned short kind;
    } kinds[HTML_BUILD_KINDS];
    const char *over; /* the limit that was passed; NULL: none */
    bool is_out_of_arena;
    xmlNodePtr text; /* the last text node, while it may grow */
    size_t text_len, text_cap;
};

/* Puts the builder's callbacks into the parser. Comments, processing instructions and the document type leave no node, nor does white
 * space that stands beside or at the edge of blocks. */
void html_builder_attach(struct html_builder *builder, xmlParserCtxtPtr parser);

#endif
