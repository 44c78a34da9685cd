/* What the files of the conf reader share. Not for other folders. */
#ifndef GT_COMMON_CONF_INTERNAL_H
#define GT_COMMON_CONF_INTERNAL_H

#include "common/conf.h"
#include "common/nearest.h"
#include "common/str.h"

struct conf_section {
    struct conf *conf;
    struct gt_str kind, name;
    const char *file;
    int line;
    struct conf_value *values; /* sorted by name */
    size_t value_count, value_cap;
};

struct conf {
    struct arena *arena;
    struct conf_section **sections; /* sorted by kind, then name */
    size_t section_count, section_cap;
};

/* The table's row for a key in a section of that kind; NULL when there is none. */
const struct conf_key *conf_key_find(struct gt_str kind, struct gt_str name);

/* The nearest key that such a section takes, or NULL. */
const char *conf_key_nearest(struct gt_str kind, struct gt_str name);

/* True when sections of that kind may hold the key. */
bool conf_section_takes(struct gt_str kind, const struct conf_key *key);

/* True for a name that ends in '*'. */
bool conf_is_wildcard(const struct conf_key *key);

/* Checks a value against its key's type and range. On failure writes what is allowed into `message` (at most `message_max` bytes). */
bool conf_value_check(const struct conf_key *key, struct gt_str text, char *message, size_t message_max);

/* The section of that kind and name, made when there is none; NULL when memory or CONF_SECTIONS_MAX is out. */
struct conf_section *conf_section_make(struct conf *conf, struct gt_str kind, struct gt_str name);

/* Sets a value, replacing one of the same name. False when memory or CONF_KEYS_MAX is out. */
bool conf_section_set(struct conf_section *section, const struct conf_value *value);

/* The section's own value of that name, or NULL. */
struct conf_value *conf_section_own(const struct conf_section *section, struct gt_str name);

#endif
