/* HTML to a tree by libxml2, with limits of our own and no silent loss. Inside parsers/ only; the structs are libxml2's. */
#ifndef GT_PARSERS_HTML_TREE_H
#define GT_PARSERS_HTML_TREE_H

#include <stdbool.h>

#include "common/arena.h"
#include "common/err.h"
#include "common/str.h"
#include "common/strbuf.h"

struct _xmlDoc;
struct _xmlNode;

enum {
    HTML_DEPTH_MAX = 4096,         /* open elements; pages with thousands of unclosed <font> exist, deeper ones are attacks */
    HTML_NODES_MAX = 1000000,      /* elements and pieces of text */
    HTML_TEXT_BYTES_MAX = 16 * 1024 * 1024, /* of one piece of text; a script is one */
    HTML_TAG_ATTRIBUTES_MAX = 256, /* in one tag: libxml2 compares each with all before it */
    HTML_OPEN_COMMENTS_MAX = 16,   /* "<!--" without an end: libxml2 looks for it to the end of the page, each time */
};

/* Parses clean UTF-8 (charset_decode made it). Comments and processing instructions leave no node, so that text beside them is
 * one piece.
 *
 *  arena    owns the nodes: they are gone with it.
 *  ret_doc  set on GT_OK; free with html_tree_free, after which no node may be touched either.
 *
 * GT_OK means that the whole page is in the tree. GT_EFORMAT: empty, or libxml2 reported an error of a kind that drops the rest
 * of the page (measured: it tells only its global handler); GT_ELIMIT: one of the caps above, named in `info`; GT_ENOMEM. */
enum gt_err html_tree_parse(struct gt_str text, struct arena *arena, struct _xmlDoc **ret_doc, struct gt_errinfo *info);

/* The same without the short cut around scripts and styles (html_raw.h): the trees are equal, which a test sees to. */
enum gt_err html_tree_parse_uncut(struct gt_str text, struct arena *arena, struct _xmlDoc **ret_doc, struct gt_errinfo *info);

/* Frees the tree; NULL is accepted. */
void html_tree_free(struct _xmlDoc *doc);

/* A linear look at the page before libxml2 sees it, for what makes its time grow with the square of the page's length: a tag with
 * more attributes than HTML_TAG_ATTRIBUTES_MAX, more unclosed comments than HTML_OPEN_COMMENTS_MAX. GT_ELIMIT names the cap.
 * Script, style and comments are stepped over.
 *
 *  arena  with `raw`, for its list.
 *  raw    takes the contents of script and style; NULL: not wanted. */
struct html_raw;
enum gt_err html_scan(struct gt_str text, struct arena *arena, struct html_raw *raw, struct gt_errinfo *info);

/* How an element takes part in the text around it. */
enum html_kind {
    HTML_INLINE,
    HTML_BLOCK,  /* begins and ends a line; <br> too */
    HTML_HIDDEN, /* script, style, template …: no visible text */
};

/* The kind of an element by its name, in lower case; names that HTML does not have are INLINE. */
enum html_kind html_element_kind(const char *name);

/* Appends the visible text below `node` (an element, attribute, text or document): white space runs are one blank, block
 * boundaries and <br> are a blank, or a newline when `keeps_lines`; elements that touch without a blank are kept apart where
 * both sides are letters or digits ("RTX 4090" and "24GB" in two spans), so that no number is made that nobody printed.
 * Trimmed. */
void html_text_add(const struct _xmlNode *node, bool keeps_lines, struct strbuf *out);

/* The value of an attribute; empty when there is none. Borrowed from the tree. */
struct gt_str html_attribute(const struct _xmlNode *node, const char *name);

/* True when the node is an element of that name. */
bool html_is(const struct _xmlNode *node, const char *name);

/* The nearest element called `name` at or above the node; NULL when there is none. */
struct _xmlNode *html_ancestor(struct _xmlNode *node, const char *name);

/* The root element. */
struct _xmlNode *html_first(struct _xmlDoc *doc);

/* The next node of a walk in document order that stays below `top`; NULL at its end. Iterative: trees may be HTML_DEPTH_MAX
 * deep.
 * */
struct _xmlNode *html_next(const struct _xmlNode *node, const struct _xmlNode *top, bool enters_children);

#endif
