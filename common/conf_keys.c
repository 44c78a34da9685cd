#include "common/conf_internal.h"

static const struct conf_key keys[] = {
#define CONF_KEY(section, name, type, range, fallback, help) {section, name, CONF_##type, range, fallback, help},
#include "common/conf_keys.def"
#undef CONF_KEY
};

enum { KEY_TOTAL = sizeof keys / sizeof keys[0] };

const struct conf_key *conf_key_table(size_t *ret_count)
{
    *ret_count = KEY_TOTAL;
    return keys;
}

bool conf_is_wildcard(const struct conf_key *key)
{
    size_t len = strlen(key->name);
    return key->name[len - 1] == '*';
}

static bool name_fits(const struct conf_key *key, struct gt_str name)
{
    struct gt_str wanted = gt_str_from(key->name);
    if (!conf_is_wildcard(key)) return gt_str_eq(name, wanted);
    struct gt_str stem = gt_str_slice(wanted, 0, wanted.len - 1);
    return name.len > stem.len && gt_str_starts(name, stem);
}

/* [defaults] takes its own keys and every key of a site. */
bool conf_section_takes(struct gt_str kind, const struct conf_key *key)
{
    if (gt_str_is(kind, key->section)) return true;
    return gt_str_is(kind, "defaults") && strcmp(key->section, "site") == 0;
}

const struct conf_key *conf_key_find(struct gt_str kind, struct gt_str name)
{
    for (size_t i = 0; i < KEY_TOTAL; i++)
        if (conf_section_takes(kind, &keys[i]) && name_fits(&keys[i], name)) return &keys[i];
    return NULL;
}

const char *conf_key_nearest(struct gt_str kind, struct gt_str name)
{
    const char *names[KEY_TOTAL];
    size_t count = 0;
    for (size_t i = 0; i < KEY_TOTAL; i++)
        if (conf_section_takes(kind, &keys[i])) names[count++] = keys[i].name;
    return nearest_word(name, names, count);
}
