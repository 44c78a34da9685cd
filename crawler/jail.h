/* The jail: pages are strangers' and rules may loop, and neither libxml2 nor libjq nor PCRE2 is to be trusted with either. So pages are read
 * in a process of its own that has no network, no files, no descriptors but one, and limits of memory and time. It lives for many
 * pages; one that it dies of, or that takes too long, costs that page and nothing else. */
#ifndef GT_CRAWLER_JAIL_H
#define GT_CRAWLER_JAIL_H

#include "crawler/page_judge.h"
#include "parsers/propose.h"

enum {
    JAIL_ANSWER_BYTES_MAX = 64 * 1024 * 1024, /* what one page may yield, as it travels back */
    JAIL_GROWTH_BYTES = 1024 * 1024 * 1024,   /* of address space: the page's arena, and room for libjq, which has no limit of its own */
    JAIL_PAGES_MAX = 1000,                    /* a worker reads; then a fresh one takes over, for libraries leak */
    JAIL_START_MS = 10 * 1000,                /* a worker may take to begin */
};

/* The words that begin the reason of a page that ended its worker. */
#define JAIL_CRASHED "parser-crashed"
#define JAIL_TIMED_OUT "parser-timeout"

struct jail;

/* Opens a jail and its first worker.
 *
 *  rules  those that pages will be read by; the array is copied. A worker knows rules from before its birth, so they have to be compiled
 *         now and to live until the last page that needs them was read.
 *
 * GT_OK; GT_ENOMEM; GT_ELIMIT and others of the system, with a sentence, when there can be no process or its cell cannot be closed: pages
 * are not read outside one. */
enum gt_err jail_new(const struct site_rules *const *rules, size_t count, struct jail **ret_jail, struct gt_errinfo *info);

/* Ends the worker and frees the jail. NULL is accepted. */
void jail_free(struct jail *jail);

/* page_judge in the jail; in->rules may be NULL for an answer that is only to be judged by its status and gate (page_judge_answer). What
 * the worker dies of is STATUS_FAILED with a reason that begins with JAIL_CRASHED or JAIL_TIMED_OUT. Everything in *ret_verdict
 * lives in the arena; nothing points into the response. */
void jail_page_judge(struct jail *jail, const struct page_case *in, struct arena *arena, struct page_verdict *ret_verdict);

/* jail_page_judge in two steps, for a caller that has other things to do meanwhile. True: the worker has its own copy of the page and reads it,
 * and jail_page_end is the next call for this jail. False: *ret_verdict tells why there is nothing to read, or no one to do it. */
bool jail_page_begin(struct jail *jail, const struct page_case *in, struct arena *arena, struct page_verdict *ret_verdict);

/* Between the two steps: becomes readable when the page was read or the worker died. */
int jail_fd(const struct jail *jail);

/* Between the two steps: true when jail_page_end will not wait. */
bool jail_is_ready(const struct jail *jail);

/* The second step: waits for the verdict, at most for the rest of PAGE_SECONDS_MAX. */
void jail_page_end(struct jail *jail, struct arena *arena, struct page_verdict *ret_verdict);

/* page_extract in the jail, with its errors; GT_ETIMEOUT and GT_EREFUSED for what the worker dies of. */
enum gt_err jail_page_extract(struct jail *jail, const struct site_rules *rules, const struct page_input *page, struct arena *arena,
                              struct extraction *ret_extraction, struct gt_errinfo *info);

/* section_propose in the jail. */
enum gt_err jail_section_propose(struct jail *jail, const struct page_input *page, struct gt_str currency, struct arena *arena,
                                 struct proposal *ret_proposal, struct gt_errinfo *info);

/* Reads `section` as text of sites.conf, and section_is_like_auto with its one site, in the jail. */
enum gt_err jail_section_compare(struct jail *jail, struct gt_str section, const struct page_input *page, struct gt_str currency,
                                 struct arena *arena, bool *ret_same, struct gt_errinfo *info);

#endif
