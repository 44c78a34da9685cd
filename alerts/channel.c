#include "alerts/channel.h"

static const struct channel_type *const types[] = {
#define CHANNEL(id) &channel_##id,
#include "alerts/channels.def"
#undef CHANNEL
};

const struct channel_type *channel_type_find(struct gt_str name)
{
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (gt_str_is(name, types[i]->name)) return types[i];
    return NULL;
}

enum gt_err channel_read(const struct conf_section *section, struct channel *ret_channel, struct gt_errinfo *info)
{
    struct channel channel = {.name = conf_section_name(section), .section = section};
    const struct conf_value *type = conf_get(section, "type");
    if (type == NULL)
        return gt_fail(info, GT_ECONF, "%s:%d: [channel %.*s] has no `type`", conf_section_file(section),
                       conf_section_line(section), GT_STR_ARG(channel.name));
    channel.type = channel_type_find(type->text);
    if (channel.type == NULL) return conf_fail(type, info, "no such type of channel");
    enum gt_err err = channel.type->check(section, info);
    if (err == GT_OK) *ret_channel = channel;
    return err;
}
