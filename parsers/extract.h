/* From page bytes to listings by a site's rules. Pure: no time, no network, no disk. */
#ifndef GT_PARSERS_EXTRACT_H
#define GT_PARSERS_EXTRACT_H

#include "common/conf.h"
#include "pricing/listing.h"

enum {
    PAGE_BYTES_MAX = 32 * 1024 * 1024, /* of decoded body; site key body_max may say less */
    PAGE_SECONDS_MAX = 10,             /* for reading one page, by the clock and by the processor */
    EXTRACT_FOLLOW_MAX = 64,
    EXTRACT_ARENA_MAX = 256 * 1024 * 1024,
};

/* One page as received (content coding undone, charset not). Borrowed. */
struct page_input {
    struct gt_str body;
    struct gt_str url;          /* "" when not known; base of relative links */
    struct gt_str content_type; /* the HTTP header, "" when not known */
    bool is_followed;           /* this page was reached by the section's `follow` */
};

/* A site's compiled rules. */
struct site_rules;

/* What a page yielded. Everything lives in the arena. */
struct extraction {
    const struct listing *listings;
    size_t count;
    size_t rows_found;       /* blocks that matched `rows`; 0 is GT_ENOROWS */
    struct refusal *refused; /* rows without a label and the like */
    size_t refused_count;
    struct gt_str follow[EXTRACT_FOLLOW_MAX]; /* absolute addresses that `follow` named on this page */
    size_t follow_count;
    struct gt_str extractor; /* which one read it: "table"; "auto" after a fallback */
    bool is_drifted;         /* the rules found nothing and `auto` found rows */
    struct gt_str charset;   /* "gbk (meta)": what was decided and why */
    size_t replaced_chars;   /* U+FFFD that decoding had to put in */
};

/* Reads the rules of a [site] section. GT_ECONF with file:line for a rule that does not compile; jq programs are compiled by the first page
 * that they read, whose error is then the same. Free with site_rules_free. */
enum gt_err site_rules_new(const struct conf_section *section, struct site_rules **ret_rules, struct gt_errinfo *info);

/* Compiles now what site_rules_new left for later. GT_OK; GT_ECONF with file:line; GT_ENOMEM. */
enum gt_err site_rules_check(const struct site_rules *rules, struct gt_errinfo *info);
void site_rules_free(struct site_rules *rules);

/* The rules of the `auto` extractor, for pages without a section. */
enum gt_err site_rules_auto(struct site_rules **ret_rules, struct gt_errinfo *info);

/* Decodes, parses and extracts, without a bound on time: pages and rules that nobody vouches for are read in crawler/jail.h.
 * GT_OK; GT_ENOROWS (the page was read, no row matched); GT_EFORMAT (not a page of this kind: info says why); GT_ELIMIT (a named cap);
 * GT_ENOMEM. *ret_extraction is set on GT_OK and GT_ENOROWS. */
enum gt_err page_extract(const struct site_rules *rules, const struct page_input *page, struct arena *arena,
                         struct extraction *ret_extraction, struct gt_errinfo *info);

#endif
