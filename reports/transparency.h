/* What each platform discloses of what a buyer checks, and what it does not: facts side by side, never a score or a ranking. */
#ifndef GT_REPORTS_TRANSPARENCY_H
#define GT_REPORTS_TRANSPARENCY_H

#include "pricing/site_extras.h"
#include "reports/board.h"

/* ASPECT(ID, "word", "zh", "en") in the order shown. Words are those of `fact.*`; scripts rely on them: add, never rename. */
enum aspect {
#define ASPECT(id, word, zh, en) ASPECT_##id,
#include "reports/aspects.def"
#undef ASPECT
    ASPECT_COUNT
};

enum disclosure {
    DISCLOSURE_NONE,          /* does not apply: no line */
    DISCLOSURE_NOT_EXAMINED,  /* nobody looked: says nothing about the platform */
    DISCLOSURE_NOT_SEEN,      /* offers were read and none states it; it may stand elsewhere on the page or in a document */
    DISCLOSURE_NOT_DISCLOSED, /* somebody looked for it and did not find it: source and day are named */
    DISCLOSURE_DISCLOSED,
    DISCLOSURE_CONTRADICTORY, /* two things are said that cannot both hold */
};

struct transparency_item {
    struct gt_str site, title;
    enum aspect aspect;
    enum disclosure disclosure;
    struct gt_str value;  /* what is said; several joined by " / ", or the audit's sentence; empty when nothing */
    int32_t printed;      /* offers (of discounts and promotions: each of them) that state it … */
    int32_t offers;       /* … of those that could; 0 and 0 when no offer was asked */
    struct gt_str source; /* of a fact; empty for what stands on the price pages */
    struct gt_str date;   /* of the fact; empty for pages */
};

struct transparency {
    struct transparency_item *items; /* by site name, then aspect */
    size_t count, sites;
};

/* The word of an aspect, and of a disclosure ("not-examined", "not-seen", "not-disclosed", "disclosed", "contradictory"). Static
 * storage. */
const char *aspect_word(enum aspect aspect);
const char *disclosure_word(enum disclosure disclosure);

/* The aspect in a report's language. Static storage. */
struct gt_str aspect_label(enum gt_lang lang, enum aspect aspect);

/* Judges every site of which an offer passes the view's query and, where the query asks nothing of offers, the sites of `extras`
 * whose facts or fees are known. An aspect is
 *  - contradictory: two sources, or a source and the pages, say different things (tax, billing step and least term are compared
 *    with the pages), or the audit finds printed figures that cannot both hold;
 *  - disclosed: at least one offer prints it, or a source says it;
 *  - not disclosed: a fact says "-": looked for there on that day and not found. Only a person can say so: rules read the rows of a
 *    page, not its small print;
 *  - not seen: offers were read and none states it;
 *  - not examined: only documents could say it, and no fact does.
 * Doubted offers and those got by hand say nothing about the platform's pages and are passed over.
 * GT_OK; GT_ENOMEM; what audit_offer says. */
enum gt_err transparency_compute(const struct board_rows *rows, const struct board_view *view, const struct site_extras *extras,
                                 size_t extra_count, struct arena *arena, struct transparency *ret_transparency);

#endif
