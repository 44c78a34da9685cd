/* help: the list of commands, one command, or the keys of sites.conf. */
#include <string.h>

#include "cli/command.h"

static void print_all(FILE *out)
{
    size_t count;
    const struct command *const *commands = command_all(&count);
    fprintf(out, "gputape %s: the ticker tape of GPU rental prices\n\n", GPUTAPE_VERSION);
    fprintf(out, "usage: gputape [-c sites.conf] [-d DIR] [--now TIME] [-v] COMMAND …\n\n");
    for (size_t i = 0; i < count; i++) fprintf(out, "  %-12s %s\n", commands[i]->name, commands[i]->summary);
    fprintf(out, "\n`gputape help COMMAND` says more, `gputape help conf` lists the keys of sites.conf.\n"
                 "QUERY: card names (4090, 昇腾910B) and filters (sku= site= family= delivery= tier= region= term= market= kind= label~TEXT)\n"
                 "TIME:  2026-09-20T12:00:00Z, 2026-09-20 or @1789900000\n");
}

static void print_one(FILE *out, const struct command *command)
{
    fprintf(out, "usage: gputape %s%s%s\n\n%s\n", command->name, command->usage[0] != '\0' ? " " : "", command->usage,
            command->summary);
    if (command->help != NULL) fprintf(out, "\n%s\n", command->help);
    if (command->options == NULL || command->options[0].name == NULL) return;
    fputc('\n', out);
    for (const struct option_spec *option = command->options; option->name != NULL; option++) {
        char left[64];
        snprintf(left, sizeof left, "%s %s", option->name, option->value != NULL ? option->value : "");
        fprintf(out, "  %-26s %s\n", left, option->help);
    }
}

static void print_keys(FILE *out)
{
    size_t count;
    const struct conf_key *keys = conf_key_table(&count);
    const char *section = "";
    for (size_t i = 0; i < count; i++) {
        if (strcmp(section, keys[i].section) != 0) fprintf(out, "%s[%s]\n", i > 0 ? "\n" : "", keys[i].section);
        section = keys[i].section;
        fprintf(out, "  %-15s %s", keys[i].name, keys[i].help);
        if (keys[i].range[0] != '\0') fprintf(out, " (%s)", keys[i].range);
        if (keys[i].fallback != NULL && keys[i].fallback[0] != '\0') fprintf(out, " [%s]", keys[i].fallback);
        fputc('\n', out);
    }
}

static int run(struct cli *cli, const struct arguments *args)
{
    if (argument_words_check(cli, args, "help", 1) != EXIT_DONE) return EXIT_USAGE;
    if (args->word_count == 0) {
        print_all(cli->out);
        return EXIT_DONE;
    }
    if (strcmp(args->words[0], "conf") == 0) {
        print_keys(cli->out);
        return EXIT_DONE;
    }
    size_t count;
    const struct command *const *commands = command_all(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(commands[i]->name, args->words[0]) == 0) {
            print_one(cli->out, commands[i]);
            return EXIT_DONE;
        }
    return cli_usage(cli, "no command \"%s\"; `gputape help` lists them", args->words[0]);
}

const struct command command_help = {
    .name = "help", .usage = "[COMMAND | conf]", .summary = "list the commands, one command's options, or the keys of sites.conf", .run = run};
