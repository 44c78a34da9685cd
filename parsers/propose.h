/* A section of sites.conf for a page that nobody wrote rules for: `auto` says what is on it, and the rules that read the same are
 * looked for by example. */
#ifndef GT_PARSERS_PROPOSE_H
#define GT_PARSERS_PROPOSE_H

#include "parsers/extract.h"

/* What is proposed. Texts live in the arena. */
struct proposal {
    struct gt_str rules; /* lines "key = value", each closed by a newline: currency, extract, rows, label, price … */
    bool is_auto;        /* no rules that read the same were found: `rules` says extract = auto */
    size_t offers;       /* that the page gives, by the rules as by auto */
    struct gt_str title; /* the page's own, "" when it has none */
};

/* Reads the page by `auto`, derives rules from where it found what, and runs each candidate over the page until one gives the
 * same offers: labels, cards, prices, terms.
 *
 *  currency  what a bare ¥ or number is in; "" when that is not known.
 *
 * GT_OK; GT_ENOROWS when the page has no offers; GT_EFORMAT, GT_ELIMIT, GT_ENOMEM as page_extract. */
enum gt_err section_propose(const struct page_input *page, struct gt_str currency, struct arena *arena, struct proposal *ret,
                            struct gt_errinfo *info);

/* True in *ret_same when the section reads the page to just the offers that `auto` finds. Errors as section_propose; a section
 * that does not compile is GT_ECONF. */
enum gt_err section_is_like_auto(const struct conf_section *section, const struct page_input *page, struct gt_str currency,
                                 struct arena *arena, bool *ret_same, struct gt_errinfo *info);

#endif
