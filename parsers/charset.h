/* Bytes to clean UTF-8, by the WHATWG Encoding Standard: which encoding, why, and how many characters could not be read. */
#ifndef GT_PARSERS_CHARSET_H
#define GT_PARSERS_CHARSET_H

#include "common/arena.h"
#include "common/err.h"
#include "common/str.h"

enum {
    CHARSET_PRESCAN_BYTES = 1024,        /* of the page are searched for <meta charset> (HTML Standard, "prescan") */
    CHARSET_LATE_META_BYTES = 64 * 1024, /* are searched when nobody else names one: the standard's "change the encoding" */
    CHARSET_LABEL_MAX = 64,              /* longer labels are unknown ones */
};

/* A page as text. */
struct charset_text {
    struct gt_str
        text;         /* UTF-8: no invalid byte, no NUL (both are U+FFFD), no byte order mark; in the arena, or the body itself */
    const char *name; /* the encoding it was read in, as the standard calls it, in lower case */
    struct gt_str decision; /* for people: "gbk (meta)"; with "; read as utf-8: …" when the bytes overruled it */
    size_t replaced;        /* characters that had to become U+FFFD */
};

/* The standard's name of an encoding label (any case, blanks around it), or NULL when no such label exists. "gb2312" gives
 * "gbk", "latin1" "windows-1252"; labels that must not be decoded give "replacement". Static storage. */
const char *charset_name(struct gt_str label);

/* Decides and decodes.
 *
 *  body          borrowed; the result may point into it.
 *  content_type  the HTTP header, "" when there is none.
 *  site_label    the encoding that the site's section names, "" when none: used where neither server nor page names one.
 *
 * Precedence: byte order mark, header, <meta> within the first CHARSET_PRESCAN_BYTES, site, a later <meta>, the bytes
 * themselves. Where what was named does not fit the bytes and another encoding does, the other is used and `decision` says
 * both. GT_OK; GT_EFORMAT for the encodings that the standard refuses to decode (iso-2022-cn, hz-gb-2312 …); GT_ENOMEM;
 * GT_ELIMIT when the arena is full. */
enum gt_err charset_decode(struct gt_str body, struct gt_str content_type, struct gt_str site_label, struct arena *arena,
                           struct charset_text *ret_text, struct gt_errinfo *info);

/* glibc's tables for the rarer encodings, loaded: until they are closed charset_decode opens no file, in this process and in those that
 * it makes. NULL when memory is out. A table that the system lacks is left out. charset_tables_close accepts NULL. */
struct charset_tables;
struct charset_tables *charset_tables_open(void);
void charset_tables_close(struct charset_tables *tables);

#endif
