/* Contents of <script> and <style>: libxml2 reads them letter by letter, and of many pages they are the larger part. They are taken out
 * before it sees the page and put into the tree as they stood. Inside parsers/html_*.c only. */
#ifndef GT_PARSERS_HTML_RAW_H
#define GT_PARSERS_HTML_RAW_H

#include <stdbool.h>
#include <stddef.h>

#include "common/arena.h"

enum {
    HTML_RAW_PIECES_MAX = 4096, /* further contents stay where they are */
    HTML_RAW_BYTES_MIN = 256,   /* shorter ones, too */
    HTML_RAW_TOKEN_MAX = 64,
};

/* The contents taken out of one page, in page order. Borrowed from its text. */
struct html_raw {
    struct gt_str *pieces; /* the arena's */
    size_t count, cap;
    size_t bytes;    /* of all pieces */
    size_t returned; /* how many the parser has come across */
};

/* Notes a content; what libxml2 would not take over unchanged is left where it is. False when the arena is full. */
bool html_raw_add(struct html_raw *raw, struct arena *arena, struct gt_str content);

/* The page with a token in the place of each piece; an empty text with NULL ptr when the arena is full. */
struct gt_str html_raw_cut(const struct html_raw *raw, struct gt_str page, struct arena *arena);

/* What stands for the raw text `text` that the parser reports: the piece whose token it is, else the text itself. */
struct gt_str html_raw_resolve(struct html_raw *raw, struct gt_str text);

/* True when every token came back once and in order. Otherwise parser and scan disagree about where scripts are, and the page has to be
 * parsed as it came. */
bool html_raw_is_whole(const struct html_raw *raw);

#endif
