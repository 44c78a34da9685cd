/* The contract of one extractor (table, json, markdown, text, auto): a const struct at the foot of its file, a line in
 * extractors.def. */
#ifndef GT_PARSERS_EXTRACTOR_H
#define GT_PARSERS_EXTRACTOR_H

#include "parsers/extract.h"

/* What an extractor gets: the page as clean UTF-8 (no NUL, no invalid byte), with the original beside it. */
struct decoded_page {
    struct gt_str text;
    const struct page_input *input;
};

struct extractor {
    const char *name; /* as `extract = NAME` says */

    size_t rules_bytes; /* of its rules; 0: it has none, and neither of the next three */

    /* Compiles what the section holds into `rules`, zeroed before; texts go to the arena, which outlives them. GT_ECONF with file:line. */
    enum gt_err (*compile)(const struct conf_section *section, struct arena *arena, void *rules, struct gt_errinfo *info);

    /* Compiles what `compile` left for the first page that asks for it; NULL when nothing is left. GT_ECONF with file:line. */
    enum gt_err (*check)(const void *rules, struct gt_errinfo *info);

    /* Frees what the rules hold outside the arena, also where `compile` failed half-way. */
    void (*done)(void *rules);

    /* Fills listings, rows_found, refused, follow. GT_OK, GT_ENOROWS, GT_EFORMAT, GT_ELIMIT, GT_ENOMEM. */
    enum gt_err (*extract)(const void *rules, const struct decoded_page *page, struct arena *arena, struct extraction *ret,
                           struct gt_errinfo *info);
};

#define EXTRACTOR(id) extern const struct extractor extractor_##id;
#include "parsers/extractors.def"
#undef EXTRACTOR

#endif
