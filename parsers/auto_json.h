/* JSON while it is read. Inside parsers/auto_json*.c only. */
#ifndef GT_PARSERS_AUTO_JSON_H
#define GT_PARSERS_AUTO_JSON_H

#include "parsers/auto.h"
#include "parsers/jnode.h"

enum { AUTO_JSON_FLATTEN_DEPTH_MAX = 4 /* objects within objects that make one row */ };

/* True for a text or a number. */
bool auto_json_is_scalar(const struct jnode *node);

/* True for a list whose first member is an object. */
bool auto_json_is_list(const struct jnode *node);

/* True for a text that is a price by itself, with a sign or a unit. */
bool auto_json_is_price(struct auto_page *page, struct gt_str text);

/* The list within an object that may make several rows of it: plans, regions, offers. NULL when there is none. */
const struct jnode *auto_json_inner_list(struct auto_page *page, const struct jnode *object);

/* True when each member of such a list is an offer of its own: it names or counts cards, is a seller's, has prices of its own. */
bool auto_json_makes_rows(struct auto_page *page, const struct jnode *list);

/* True for a map whose values are objects, each with a price, of which one names a card: its members are rows. */
bool auto_json_is_map(struct auto_page *page, const struct jnode *object);

/* Offers of a tree of values, which may lie under a key: `path`, as words. Returns how many. */
size_t auto_json_tree_read(struct auto_page *page, const struct jnode *root, struct gt_str path);

/* True for what is told of earlier times by its key. */
bool auto_json_is_past(const struct jnode *node);

/* True for a price of a way to rent that another member of the object says no to: {"secureCloud": false, "securePrice": 0.4}. */
bool auto_json_is_denied(struct auto_page *page, const struct jnode *object, const struct jnode *price);

#endif
