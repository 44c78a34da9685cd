/* What a part's last good fetch left behind, so that the next one can ask "has it changed?": entity tags, dates, digests, and
 * where the bytes lie. The value of the memory's table "validators"; it is stored with the run it belongs to or not at all. */
#ifndef GT_CRAWLER_VALIDATORS_H
#define GT_CRAWLER_VALIDATORS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/arena.h"
#include "common/err.h"
#include "common/str.h"
#include "parsers/extract.h"

enum { VALIDATOR_PAGES_MAX = EXTRACT_FOLLOW_MAX + 1, VALIDATOR_RULE_MAX = 17 };

/* One page of a part: the first, or one that `follow` led to. Empty texts: the server sent none. */
struct known_page {
    struct gt_str url;       /* asked for */
    struct gt_str final_url; /* that answered, after redirects: validators are good there only */
    struct gt_str etag, modified;
    struct gt_str wire_digest; /* "sha1:…" of the payload in the archive */
    uint8_t body_sha256[32];   /* of the decoded body */
    struct gt_str record_id;   /* the archive's record that holds the payload */
    int64_t record_unix_s;     /* its date */
};

/* A part, its pages in the order in which they were read. */
struct known_part {
    struct gt_str rule_version; /* the rules that read it; others must see the bytes again */
    int64_t full_unix_s;        /* when a body last came */
    size_t page_count;
    struct known_page pages[VALIDATOR_PAGES_MAX]; /* last: room for fewer may be all there is */
};

/* The key of a part's value, in the arena; empty with NULL ptr when the arena is full. */
struct gt_str validators_key(struct gt_str site, struct gt_str part, struct arena *arena);

/* Writes the value, in the arena; empty with NULL ptr when the arena is full or a text holds a line break. */
struct gt_str validators_print(const struct known_part *known, struct arena *arena);

/* Reads a value. Texts point into it. False when it is none of ours: then nothing is known. */
bool validators_parse(struct gt_str value, struct known_part *ret_known);

/* The page that was asked for under `url`, or NULL. */
const struct known_page *validators_find(const struct known_part *known, struct gt_str url);

#endif
