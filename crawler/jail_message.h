/* What goes into the jail and what comes back. Pure. A request is ours and is believed; an answer comes from a process that may have been
 * taken over by a page, so each length, count and word of it is checked. */
#ifndef GT_CRAWLER_JAIL_MESSAGE_H
#define GT_CRAWLER_JAIL_MESSAGE_H

#include "crawler/jail.h"
#include "crawler/jail_wire.h"

enum jail_job { JAIL_JUDGE, JAIL_EXTRACT, JAIL_PROPOSE, JAIL_COMPARE, JAIL_JOBS };

enum {
    JAIL_RULES_NONE = 0, /* `rules` counts from 1 */
    JAIL_RULES_MAX = 65536,
    JAIL_HEAD_BYTES_MAX = 1024 * 1024,
    JAIL_REQUEST_BYTES_MAX = PAGE_BYTES_MAX + JAIL_HEAD_BYTES_MAX + 2 * WIRE_TEXT_BYTES_MAX + 4096,
};

/* What is asked. Texts are borrowed. */
struct jail_request {
    enum jail_job job;
    uint32_t rules; /* which of the jail's, from 1; JAIL_RULES_NONE */
    int32_t status; /* JUDGE: of the answer */
    bool is_length_known, is_followed;
    struct gt_str body, url;
    struct gt_str head;    /* JUDGE: the header block; else the content type alone */
    struct gt_str word;    /* JUDGE: the section's charset; PROPOSE, COMPARE: the currency */
    struct gt_str section; /* COMPARE: lines of sites.conf */
};

/* What came of it. */
struct jail_answer {
    enum gt_err err; /* of EXTRACT, PROPOSE, COMPARE */
    struct gt_str message;
    struct page_verdict verdict; /* JUDGE; EXTRACT: the extraction alone */
    struct proposal proposal;
    bool is_same; /* COMPARE */
};

/* Writes a request; writer->is_full when it is too large. */
void jail_request_put(struct wire_writer *writer, const struct jail_request *request);

/* Reads a request, texts borrowed. False for bytes that are none. */
bool jail_request_get(struct gt_str bytes, struct jail_request *ret_request);

/* Writes an answer; writer->is_full when it is too large. */
void jail_answer_put(struct wire_writer *writer, const struct jail_answer *answer);

/* Reads an answer from bytes that no one else can change any more; texts are borrowed from them, arrays are the arena's. Every text is
 * UTF-8, every count within the limits that parsers/ has, every word one that exists. GT_OK; GT_EFORMAT for anything else;
 * GT_ENOMEM. */
enum gt_err jail_answer_get(struct gt_str bytes, struct arena *arena, struct jail_answer *ret_answer);

#endif
