/* UTF-8 by utf8proc: folding for readers, widths for terminals, cleaning for output. */
#ifndef GT_COMMON_UTF8_H
#define GT_COMMON_UTF8_H

#include <stdbool.h>
#include <stdint.h>

#include "common/arena.h"
#include "common/err.h"
#include "common/str.h"

/* Folded text with a map back: byte i of `text` came from the original's byte origin[i]; origin[text.len] is the
 * original's length. Arrays live in the arena given to utf8_fold. */
struct utf8_folded {
    struct gt_str text;
    const uint32_t *origin;
};

/* Folds `text` (borrowed; any bytes, at most UINT32_MAX) by NFKC per character: full-width forms become ASCII, ligatures come
 * apart, every kind of blank (NBSP, NNBSP, ideographic, thin) becomes one U+0020, ignorable characters (zero width, soft
 * hyphen, bidi controls) vanish, invalid bytes become U+FFFD. Characters are folded one by one, so that each byte has one origin.
 * Case is kept. GT_OK; GT_ENOMEM or GT_ELIMIT from the arena. */
enum gt_err utf8_fold(struct gt_str text, struct arena *arena, struct utf8_folded *ret_folded);

/* Decodes the character at `at` (< text.len): its code point, or U+FFFD for an invalid byte. *ret_len is the number of
 * bytes it takes, at least 1. */
int32_t utf8_decode(struct gt_str text, size_t at, size_t *ret_len);

/* Encodes a code point; returns the number of bytes (1..4). Surrogates and values over 10FFFF give U+FFFD. */
size_t utf8_encode(int32_t code_point, char ret_bytes[4]);

/* Columns that the text takes in a terminal: 2 for wide East Asian characters, 0 for combining ones and controls. */
size_t utf8_width(struct gt_str text);

/* True when the bytes are well-formed UTF-8 (no surrogates, no overlong forms). */
bool utf8_is_valid(struct gt_str text);

/* A copy fit for one line of a terminal or log: control characters (C0, C1, DEL), bidi controls, line separators and what XML
 * cannot hold (U+FFFE, U+FFFF) become `\u{XX}` escapes, invalid bytes U+FFFD. An empty text with NULL ptr when the arena is full. */
struct gt_str utf8_printable(struct gt_str text, struct arena *arena);

#endif
