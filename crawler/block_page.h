/* Pages that stand in for the wanted one with status 200: challenges, captchas, logins, soft 404s, empty shells of scripts.
 * Pure. */
#ifndef GT_CRAWLER_BLOCK_PAGE_H
#define GT_CRAWLER_BLOCK_PAGE_H

#include <stdbool.h>

#include "common/arena.h"
#include "common/str.h"

enum {
    BLOCK_TEXT_BYTES_MAX = 512 * 1024, /* of a page are looked at */
    BLOCK_SPARSE_CHARS = 1500,         /* less visible text: weak markers count */
    BLOCK_EMPTY_CHARS = 40,            /* less visible text: nothing a price could stand in */
};

enum block_kind {
    BLOCK_NONE,
    BLOCK_PAGE,       /* another page in the place of the wanted one */
    BLOCK_SOFT_ERROR, /* JSON that reports an error with status 200 */
};

/* Judges a page on which no row was found.
 *
 *  text        the page as UTF-8.
 *  is_json     it is a JSON answer: a short one is no shell, and may report an error.
 *  ret_reason  set unless BLOCK_NONE: `captcha ("geetest")`; in the arena. */
enum block_kind block_page_find(struct gt_str text, bool is_json, struct arena *arena, struct gt_str *ret_reason);

/* True when a JSON text's front holds one of the usual error shapes ("error", "errors", a code beside a message). */
bool block_is_json_error(struct gt_str text);

#endif
