/* An HTML page while it is walked. Inside parsers/auto_html.c and auto_rows.c only. */
#ifndef GT_PARSERS_AUTO_WALK_H
#define GT_PARSERS_AUTO_WALK_H

#include "common/strbuf.h"
#include "parsers/auto.h"

enum { AUTO_CARD_TITLE_MAX = 60 /* bytes of a block that names a card and nothing else */ };

/* A page while it is walked. */
struct auto_walk {
    struct auto_page *page;
    struct auto_around around;     /* what was passed last */
    struct gt_str unit;            /* the last sentence that says what prices are for, as far as it holds */
    struct gt_str title;           /* of the last block whose class calls it a title */
    const struct _xmlNode *titled; /* the element that this title is of */
    struct strbuf text;            /* scratch */
    struct grid *header;           /* of the last table that had nothing else: the next one's, in libraries of components */
    bool is_markdown;
    size_t offers;
};

/* The visible text below a node, in the walk's scratch: gone with the next. */
struct gt_str auto_text_of(struct auto_walk *walk, const struct _xmlNode *node);

/* What stands around a table: also the title of what it lies in, and its figure's caption, wherever that stands. */
struct auto_around auto_around_of(struct auto_walk *walk, const struct _xmlNode *table);

/* True for an element that is not hidden by its name. */
bool auto_is_shown(const struct _xmlNode *node);

/* How many such elements a node has as children; the first of them goes to *ret_first when there is one. */
size_t auto_count_elements(const struct _xmlNode *node, const struct _xmlNode **ret_first);

/* Offers of an element whose children are rows of cells without being a table. Returns how many. */
size_t auto_list_read(struct auto_walk *walk, const struct _xmlNode *node);

#endif
