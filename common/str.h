/* Borrowed text: a pointer and a length. Nothing here allocates or frees. */
#ifndef GT_COMMON_STR_H
#define GT_COMMON_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* A run of bytes that somebody else owns; not closed by a NUL. An empty one may have a NULL pointer. */
struct gt_str {
    const char *ptr;
    size_t len;
};

/* A gt_str over a string literal, usable in initialisers. */
#define GT_STR(literal) ((struct gt_str){(literal), sizeof(literal) - 1})

/* The two arguments that printf's "%.*s" wants. */
#define GT_STR_ARG(s) (int)(s).len, ((s).ptr != NULL ? (s).ptr : "")

/* A gt_str over a NUL-closed string; NULL gives the empty one. */
struct gt_str gt_str_from(const char *text);

/* True when both hold the same bytes. */
bool gt_str_eq(struct gt_str a, struct gt_str b);

/* True when `a` holds exactly the bytes of the NUL-closed `text`. */
bool gt_str_is(struct gt_str a, const char *text);

/* As gt_str_eq, without regard to the case of ASCII letters. */
bool gt_str_eq_nocase(struct gt_str a, struct gt_str b);

/* Orders by bytes, shorter first when one is the other's beginning: <0, 0, >0. */
int gt_str_cmp(struct gt_str a, struct gt_str b);

/* True when `s` begins (ends) with `part`. */
bool gt_str_starts(struct gt_str s, struct gt_str part);
bool gt_str_ends(struct gt_str s, struct gt_str part);

/* The offset of the first `part` at or after `from`, or SIZE_MAX. An empty part is found at `from`. */
size_t gt_str_find(struct gt_str s, struct gt_str part, size_t from);

/* True when `c` is one of the characters of `set`; a NUL never is, though strchr would find it. */
bool gt_char_is_in(char c, const char *set);

/* The bytes from `from` on, at most `len` of them, clipped to the string. */
struct gt_str gt_str_slice(struct gt_str s, size_t from, size_t len);

/* The first `len_max` bytes at most, ending at a character of UTF-8: for texts that are kept or shown. */
struct gt_str gt_str_cut(struct gt_str s, size_t len_max);

/* Without ASCII white space at both ends. */
struct gt_str gt_str_trim(struct gt_str s);

/* Cuts the piece before the first `separator` off *rest and returns it trimmed; takes everything when there is none.
 * False when *rest is exhausted. An empty input has no piece. */
bool gt_str_split(struct gt_str *rest, char separator, struct gt_str *ret_piece);

#endif
