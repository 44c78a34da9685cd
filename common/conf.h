/* sites.conf: sections of `key = value`, read verbatim, checked against the key table, errors with file:line.
 *
 * A value is the rest of its line, without blanks at both ends; nothing in it is a comment. Comment lines begin with '#'. A line that begins
 * with a blank continues the value above (joined by a newline). `[kind name]` opens a section; `[defaults]` and `[fx]` have no name. */
#ifndef GT_COMMON_CONF_H
#define GT_COMMON_CONF_H

#include <stdbool.h>
#include <stdint.h>

#include "common/arena.h"
#include "common/err.h"
#include "common/str.h"

enum {
    CONF_FILE_BYTES_MAX = 4 * 1024 * 1024,
    CONF_LINE_BYTES_MAX = 64 * 1024,
    CONF_SECTIONS_MAX = 4096,
    CONF_KEYS_MAX = 256, /* in one section */
};

enum conf_type {
    CONF_TEXT,
    CONF_RULE,     /* a text that an extractor compiles */
    CONF_INT,
    CONF_BOOL,     /* yes no */
    CONF_DURATION, /* 500ms 30s 10m 6h 2d 1w; bare 0 */
    CONF_SIZE,     /* 4096 64k 8M */
    CONF_DECIMAL,  /* kept as text; pricing reads it */
    CONF_ENUM,     /* one of the words in `range` */
    CONF_DATE,
};

/* One row of conf_keys.def. */
struct conf_key {
    const char *section;  /* kind: "site", "alert", "channel", … ; "site" keys may stand in [defaults] too */
    const char *name;     /* a name that ends in '*' stands for all that begin so: "price.*" */
    enum conf_type type;
    const char *range;    /* "low..high" for numbers, durations (seconds) and sizes; "a|b|c" for enums; "" for none */
    const char *fallback; /* the default, or NULL when there is none */
    const char *help;     /* one line for `help conf` and the man page */
};

/* Where a value was written. */
struct conf_value {
    struct gt_str name;
    struct gt_str text;
    const char *file; /* "built-in" for a default of the table */
    int line;
};

struct conf;
struct conf_section;

/* The key table, for help and the man page. */
const struct conf_key *conf_key_table(size_t *ret_count);

/* An empty configuration; conf_free releases it and everything read from it. */
struct conf *conf_new(void);
void conf_free(struct conf *conf);

/* Reads a file over what was read before: its keys override those of the same section key by key, new sections are added.
 * GT_OK; GT_ENOENT, GT_EACCES, GT_EIO; GT_ECONF with "file:line: message" (unknown key or section with the nearest known one,
 * bad value with what is allowed, duplicate key or section in one file, NUL or invalid UTF-8, a limit). Nothing of a failed file is kept. */
enum gt_err conf_read_file(struct conf *conf, const char *path, struct gt_errinfo *info);

/* As conf_read_file, for text in memory that is called `name` in messages. */
enum gt_err conf_read_text(struct conf *conf, const char *name, struct gt_str text, struct gt_errinfo *info);

/* Sections of one kind, sorted by name (their order in the file changes no output). NULL-closed array in the conf's memory. */
const struct conf_section *const *conf_sections(struct conf *conf, const char *kind);

/* The section, or NULL. `name` is "" for kinds without one. */
const struct conf_section *conf_find(const struct conf *conf, const char *kind, struct gt_str name);

/* The name of a section, its kind, the place of its heading. */
struct gt_str conf_section_name(const struct conf_section *section);
const char *conf_section_kind(const struct conf_section *section);
const char *conf_section_file(const struct conf_section *section);
int conf_section_line(const struct conf_section *section);

/* The value of a key: the section's own, else [defaults] (for sites), else the table's default; NULL when there is none. */
const struct conf_value *conf_get(const struct conf_section *section, const char *key);

/* The key'th value that the section itself sets, in name order; NULL past the end. For wildcard keys. */
const struct conf_value *conf_at(const struct conf_section *section, size_t index);

/* Typed readers; the value was checked when read, so they cannot fail: `otherwise` stands for "not set". */
struct gt_str conf_text(const struct conf_section *section, const char *key);
int64_t conf_int(const struct conf_section *section, const char *key, int64_t otherwise);
bool conf_bool(const struct conf_section *section, const char *key, bool otherwise);
int64_t conf_duration_ms(const struct conf_section *section, const char *key, int64_t otherwise);
int64_t conf_size(const struct conf_section *section, const char *key, int64_t otherwise);

/* "file:line: key: message" for errors that a reader of rules finds later. */
enum gt_err conf_fail(const struct conf_value *value, struct gt_errinfo *info, const char *message);

/* Parses "6h" to milliseconds, "8M" to bytes. False when it is none. */
bool conf_parse_duration(struct gt_str text, int64_t *ret_ms);
bool conf_parse_size(struct gt_str text, int64_t *ret_bytes);

/* The section as it would be written: keys in name order, one a line, for the archive and the rule version. In the arena. */
struct gt_str conf_section_print(const struct conf_section *section, struct arena *arena);

#endif
