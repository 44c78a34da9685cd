/* exec: a program that gets the digest on its standard input. */
#include <stdlib.h>
#include <unistd.h>

#include "alerts/channel.h"
#include "alerts/message.h"
#include "common/file.h"
#include "common/program.h"

enum {
    ARGS_MAX = 64,
    COMMAND_BYTES_MAX = 16 * 1024,
};

static enum gt_err check(const struct conf_section *section, struct gt_errinfo *info)
{
    const struct conf_value *command = conf_get(section, "command");
    if (command == NULL || command->text.len == 0)
        return gt_fail(info, GT_ECONF, "%s:%d: [channel %.*s] has no `command`", conf_section_file(section),
                       conf_section_line(section), GT_STR_ARG(conf_section_name(section)));
    size_t lines = 1;
    for (size_t i = 0; i < command->text.len; i++) lines += command->text.ptr[i] == '\n';
    if (lines > ARGS_MAX || command->text.len > COMMAND_BYTES_MAX)
        return conf_fail(command, info, "more arguments than can be passed");
    if (command->text.ptr[0] != '/')
        return conf_fail(command, info, "the program needs its whole path, such as /usr/local/bin/notify");
    return GT_OK;
}

/* The command as an argument list: one a line. `text` is the memory it points into. */
static void split_command(struct gt_str command, char text[COMMAND_BYTES_MAX + 1], char *args[ARGS_MAX + 1])
{
    size_t count = 0, out = 0;
    struct gt_str line;
    while (count < ARGS_MAX && gt_str_split(&command, '\n', &line)) {
        args[count++] = text + out;
        memcpy(text + out, line.ptr, line.len);
        out += line.len;
        text[out++] = '\0';
    }
    args[count] = NULL;
}

static enum delivery_result send(const struct channel *channel, const struct message *message, int64_t *ret_hold_s,
                                 struct gt_errinfo *why)
{
    (void)ret_hold_s;
    char text[COMMAND_BYTES_MAX + ARGS_MAX + 1];
    char *args[ARGS_MAX + 1];
    split_command(conf_text(channel->section, "command"), text, args);
    if (args[0] == NULL) {
        gt_fail(why, GT_ECONF, "there is no `command`");
        return DELIVERY_NEVER;
    }
    if (access(args[0], X_OK) != 0) {
        file_fail(why, "cannot run", args[0]);
        return DELIVERY_NEVER;
    }
    char *digest = message_digest(message);
    if (digest == NULL) return DELIVERY_LATER;
    /* Any other code than 0 may pass by itself: a mail queue that is full, a host that is down. */
    int64_t timeout_ms = conf_duration_ms(channel->section, "timeout", CHANNEL_TIMEOUT_DEFAULT_MS);
    enum gt_err err = program_run(args, gt_str_from(digest), PROGRAM_NO_OUTPUT, timeout_ms, why);
    free(digest);
    return err == GT_OK ? DELIVERY_DONE : DELIVERY_LATER;
}

const struct channel_type channel_exec = {.name = "exec", .check = check, .send = send};
