/* What one answer amounts to: rows, another page in its place, an error. Pure but for the extractors it calls. */
#ifndef GT_CRAWLER_PAGE_JUDGE_H
#define GT_CRAWLER_PAGE_JUDGE_H

#include "net/http.h"
#include "parsers/extract.h"
#include "pricing/words.h"

/* The case to be judged. Borrowed; the response must outlive what page_judge extracts, which may point into it. */
struct page_case {
    const struct http_response *response;
    const struct site_rules *rules;
    struct gt_str charset; /* the section's, for pages that name none */
    bool is_followed;
};

/* The verdict. Texts in the arena. */
struct page_verdict {
    enum part_status status; /* OK; FAILED, BLOCKED, DRIFTED, INCOMPLETE. Never UNCHANGED: that is decided before */
    struct gt_str reason;    /* empty for OK */
    bool is_rowless;         /* DRIFTED because nothing at all was found: of several followed pages some may be so */
    bool has_extraction;
    struct extraction extraction;
};

/* True for an answer that a further request may better: failures on the way, 408, 429 and the 5xx of overload. */
bool page_is_refetchable(const struct http_response *response);

/* Judges transport and status alone: *ret_verdict is set and true returned when there is nothing to extract. */
bool page_judge_answer(const struct page_case *in, struct arena *arena, struct page_verdict *ret_verdict);

/* Judges a whole answer: page_judge_answer, then the extractor, then whether a page without rows stands in for another. Without a bound on
 * time, so a crawl has it done in the jail (jail_page_judge). */
void page_judge(const struct page_case *in, struct arena *arena, struct page_verdict *ret_verdict);

#endif
