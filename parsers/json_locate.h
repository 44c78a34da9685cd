/* Finds the JSON of a page: the page itself, a script or attribute, a variable in a script. Inside parsers/ only. */
#ifndef GT_PARSERS_JSON_LOCATE_H
#define GT_PARSERS_JSON_LOCATE_H

#include "parsers/extractor.h"
#include "parsers/jnode.h"
#include "parsers/xpath.h"

enum {
    JSON_VALUES_MAX = 20000, /* of one page: elements that hold JSON, or lines of it */
    JSON_TRIES_MAX = 64,     /* places where a variable's name stands and no value follows */
};

/* Where it is. */
struct json_place {
    struct xpath *in;       /* NULL: the whole page */
    struct gt_str variable; /* "" when the text is JSON as it stands */
};

/* All values that the place holds, as members of one array node: one as a rule; several when several elements match or the text
 * is one value a line. A value that is a text which holds JSON itself is read in turn. GT_OK; GT_EFORMAT (info: what was not
 * found, or where the JSON breaks); GT_ELIMIT; GT_ENOMEM. */
enum gt_err json_locate(const struct json_place *place, struct gt_str page_text, struct arena *arena, struct jnode **ret_values,
                        struct gt_errinfo *info);

#endif
