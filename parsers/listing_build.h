/* Puts listings together row by row, for every extractor alike: copies the texts, keeps the limits, refuses rows without a
 * label. Inside parsers/ only. */
#ifndef GT_PARSERS_LISTING_BUILD_H
#define GT_PARSERS_LISTING_BUILD_H

#include <stdbool.h>

#include "parsers/extract.h"

enum {
    LISTING_TEXT_MAX = 16 * 1024, /* bytes of one cell; a row with a longer one is refused, never cut */
    LISTING_RAW_MAX = 240,        /* bytes of a refused row that are kept to show it */
    LISTING_NAMES_MAX = 192,      /* names and rules that are copied once a page; further ones once a row */
    LISTING_REFUSED_MAX = 1000,   /* refusals kept; further ones are only missing from the list */
};

struct listing_builder {
    struct arena *arena;
    struct listing *listings;
    size_t count, cap;
    struct refusal *refused;
    size_t refused_count, refused_cap;
    struct gt_str names[LISTING_NAMES_MAX]; /* names and rules copied so far */
    size_t name_count;
    struct listing_field fields[LISTING_FIELDS_MAX]; /* of the row that is open */
    size_t field_count;
    bool has_label;
    bool is_too_long;
    enum gt_err err; /* sticky: GT_ELIMIT past LISTINGS_MAX or the arena */
};

/* Begins with nothing; the arena owns all that is built. */
void listing_builder_init(struct listing_builder *builder, struct arena *arena);

/* Adds a field to the open row. `text` is trimmed; all but `header`, which must live in the arena, are copied. An empty text
 * adds nothing; past LISTING_FIELDS_MAX neither. A second `variant` is joined to the first by " | ". */
void listing_builder_add(struct listing_builder *builder, struct gt_str name, struct gt_str text, struct gt_str header,
                         struct gt_str rule);

/* Notes that `raw` is no listing and why; `reason` is one of refusal.def's codes. Past LISTING_REFUSED_MAX nothing is noted. */
void listing_builder_refuse(struct listing_builder *builder, struct gt_str raw, struct gt_str reason);

/* True when the open row would be refused: only then is its raw text wanted. */
bool listing_builder_refuses(const struct listing_builder *builder);

/* Closes the row: it becomes a listing when it has a label, else a refusal that shows `raw`. */
void listing_builder_close(struct listing_builder *builder, struct gt_str raw, int32_t confidence_permille,
                           struct gt_str reasons);

/* Hands everything to `ret`. Returns the sticky error. */
enum gt_err listing_builder_finish(struct listing_builder *builder, struct extraction *ret, struct gt_errinfo *info);

#endif
