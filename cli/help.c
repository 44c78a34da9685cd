/* help: the list of commands, one command, or the keys of sites.conf. */
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "common/utf8.h"

/* What is explained on the right of a line keeps at least so many columns; in a narrower window it goes on further to the left. */
enum { RIGHT_COLUMNS_MIN = 32, HANGING_INDENT = 6 };

static void print_all(FILE *out)
{
    size_t count;
    const struct command *const *commands = command_all(&count);
    fprintf(out, "gputape %s: the ticker tape of GPU rental prices\n\n", GPUTAPE_VERSION);
    fprintf(out, "usage: gputape [-c sites.conf] [-d DIR] [--now TIME] [-v] COMMAND …\n\n");
    for (size_t i = 0; i < count; i++) fprintf(out, "  %-13s %s\n", commands[i]->name, commands[i]->summary);
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

/* False for what is no command. */
static bool print_named(FILE *out, const char *name)
{
    size_t count;
    const struct command *const *commands = command_all(&count);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(commands[i]->name, name) != 0) continue;
        print_one(out, commands[i]);
        return true;
    }
    return false;
}

/* Where a line goes on in the next: under what its last gap of blanks sets apart. */
static size_t indent_of(struct gt_str line, size_t width)
{
    size_t indent = 0;
    for (size_t i = 2; i < line.len; i++)
        if (line.ptr[i] != ' ' && line.ptr[i - 1] == ' ' && line.ptr[i - 2] == ' ') indent = utf8_width(gt_str_slice(line, 0, i));
    return indent + RIGHT_COLUMNS_MIN <= width ? indent : HANGING_INDENT;
}

/* One line in as many as the width asks for, broken at blanks. A word wider than that stands alone. */
static void print_line(FILE *out, struct gt_str line, size_t width)
{
    size_t indent = indent_of(line, width), column = 0, from = 0;
    for (size_t end; from < line.len; from = end) {
        for (end = from; end < line.len && line.ptr[end] == ' ';) end++;
        struct gt_str gap = gt_str_slice(line, from, end - from);
        size_t word = end;
        while (end < line.len && line.ptr[end] != ' ') end++;
        struct gt_str text = gt_str_slice(line, word, end - word);
        bool breaks = column > indent && column + gap.len + utf8_width(text) > width;
        if (breaks) fprintf(out, "\n%*s", (int)indent, "");
        else fprintf(out, "%.*s", GT_STR_ARG(gap));
        fprintf(out, "%.*s", GT_STR_ARG(text));
        column = (breaks ? indent : column + gap.len) + utf8_width(text);
    }
    fputc('\n', out);
}

/* What was asked for, as long as its lines are; false for what is no command. */
static bool print(FILE *out, const struct arguments *args)
{
    if (args->word_count == 0) print_all(out);
    else if (strcmp(args->words[0], "conf") == 0) print_keys(out);
    else return print_named(out, args->words[0]);
    return true;
}

static int run(struct cli *cli, const struct arguments *args)
{
    char *bytes = NULL;
    size_t len = 0, width = (size_t)cli_width(cli);
    if (argument_words_check(cli, args, "help", 1) != EXIT_DONE) return EXIT_USAGE;
    FILE *memory = open_memstream(&bytes, &len);
    if (memory == NULL) return exit_from_err(gt_fail(&cli->info, GT_ENOMEM, "out of memory"));
    bool is_known = print(memory, args);
    bool is_whole = fclose(memory) == 0;
    struct gt_str text = {bytes, len};
    if (width == 0) fwrite(bytes, 1, len, cli->out);
    for (size_t from = 0, end; width > 0 && from < len; from = end + 1) {
        end = gt_str_find(text, GT_STR("\n"), from);
        print_line(cli->out, gt_str_slice(text, from, end - from), width);
    }
    free(bytes);
    if (!is_known) return cli_usage(cli, "no command \"%s\"; `gputape help` lists them", args->words[0]);
    return is_whole ? EXIT_DONE : exit_from_err(gt_fail(&cli->info, GT_ENOMEM, "out of memory"));
}

const struct command command_help = {
    .name = "help", .usage = "[COMMAND | conf]", .summary = "list the commands, one command's options, or the keys of sites.conf", .run = run};
