/* The words of a command line against a command's table of options. Options and plain words may mix; `--` ends the options. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "common/civil.h"
#include "common/nearest.h"

enum { SPECS_MAX = 32 };

static size_t spec_count(const struct option_spec *specs)
{
    size_t count = 0;
    while (specs != NULL && specs[count].name != NULL) count++;
    return count;
}

/* The index of the option that `word` names ("--since" or "--since=2026-01-01"), or SIZE_MAX. */
static size_t spec_find(const struct option_spec *specs, size_t count, const char *word)
{
    size_t len = strcspn(word, "=");
    for (size_t i = 0; i < count; i++)
        if (strlen(specs[i].name) == len && strncmp(specs[i].name, word, len) == 0) return i;
    return SIZE_MAX;
}

static int unknown_option(struct cli *cli, const struct command *command, const char *word)
{
    const char *names[SPECS_MAX];
    size_t count = spec_count(command->options);
    for (size_t i = 0; i < count && i < SPECS_MAX; i++) names[i] = command->options[i].name;
    const char *nearest = nearest_word(gt_str_slice(gt_str_from(word), 0, strcspn(word, "=")), names, count);
    if (nearest != NULL) return cli_usage(cli, "%s has no option %s, did you mean %s?", command->name, word, nearest);
    return cli_usage(cli, "%s has no option %s; `gputape help %s` lists them", command->name, word, command->name);
}

/* Adds one value to the NULL-closed list of an option. */
static bool value_add(struct cli *cli, const char ***list, const char *value)
{
    size_t count = 0;
    while (*list != NULL && (*list)[count] != NULL) count++;
    if (count == OPTION_VALUES_MAX) return false;
    const char **grown = arena_array(cli->arena, count + 2, sizeof *grown);
    if (grown == NULL) return false;
    if (count > 0) memcpy(grown, *list, count * sizeof *grown);
    grown[count] = value;
    *list = grown;
    return true;
}

/* Takes the option at argv[*at] (and its value) into `args`. */
static int take_option(struct cli *cli, const struct command *command, int argc, char **argv, int *at, struct arguments *args)
{
    const char *word = argv[*at];
    size_t index = spec_find(command->options, spec_count(command->options), word);
    if (index == SIZE_MAX) return unknown_option(cli, command, word);
    const char *value = strchr(word, '=');
    bool takes_value = command->options[index].value != NULL;
    if (!takes_value && value != NULL) return cli_usage(cli, "%s takes no value", command->options[index].name);
    if (value != NULL) value++;
    if (takes_value && value == NULL) {
        if (*at + 1 >= argc) return cli_usage(cli, "%s wants a value: %s", word, command->options[index].value);
        value = argv[++*at];
    }
    if (takes_value && value[0] == '\0' && strcmp(command->options[index].value, "FILE") == 0)
        return cli_usage(cli, "%s wants a value: FILE", command->options[index].name);
    if (!value_add(cli, &args->values[index], takes_value ? value : "")) return cli_usage(cli, "%s is given too often", word);
    return EXIT_DONE;
}

/* "-5元/月" and "-" are words: an option begins with a letter behind its hyphens. */
static bool looks_like_option(const char *word)
{
    if (word[0] != '-') return false;
    if (word[1] == '-') return true;
    return (word[1] >= 'a' && word[1] <= 'z') || (word[1] >= 'A' && word[1] <= 'Z');
}

/* Options and words may mix; a query may begin with a dash only behind `--`. */
int arguments_read(struct cli *cli, const struct command *command, int argc, char **argv, struct arguments *ret_args)
{
    struct arguments args = {.specs = command->options};
    args.values = arena_array(cli->arena, SPECS_MAX, sizeof *args.values);
    args.words = arena_array(cli->arena, (size_t)argc + 1, sizeof *args.words);
    if (args.values == NULL || args.words == NULL) return cli_usage(cli, "out of memory");
    bool has_options_ended = false;
    for (int at = 0; at < argc; at++) {
        bool is_option = !has_options_ended && looks_like_option(argv[at]);
        if (is_option && strcmp(argv[at], "--") == 0) {
            has_options_ended = true;
        } else if (is_option) {
            int code = take_option(cli, command, argc, argv, &at, &args);
            if (code != EXIT_DONE) return code;
        } else {
            args.words[args.word_count++] = argv[at];
        }
    }
    *ret_args = args;
    return EXIT_DONE;
}

const char *const *argument_all(const struct arguments *args, const char *name)
{
    size_t index = spec_find(args->specs, spec_count(args->specs), name);
    return index == SIZE_MAX ? NULL : args->values[index];
}

const char *argument_get(const struct arguments *args, const char *name)
{
    const char *const *all = argument_all(args, name);
    if (all == NULL) return NULL;
    size_t last = 0;
    while (all[last + 1] != NULL) last++;
    return all[last];
}

bool argument_has(const struct arguments *args, const char *name)
{
    return argument_all(args, name) != NULL;
}

struct gt_str argument_words(struct cli *cli, const struct arguments *args, size_t from)
{
    struct gt_str joined = GT_STR("");
    for (size_t i = from; i < args->word_count; i++)
        joined = arena_printf(cli->arena, "%.*s%s%s", GT_STR_ARG(joined), i > from ? " " : "", args->words[i]);
    return joined;
}

int argument_words_check(struct cli *cli, const struct arguments *args, const char *what, size_t max)
{
    if (args->word_count <= max) return EXIT_DONE;
    return cli_usage(cli, "%s does not take \"%s\"", what, args->words[max]);
}

bool argument_time(struct cli *cli, const struct arguments *args, const char *name, int64_t otherwise, int64_t *ret_unix_s)
{
    const char *text = argument_get(args, name);
    *ret_unix_s = otherwise;
    if (text == NULL || civil_parse(gt_str_from(text), ret_unix_s)) return true;
    cli_usage(cli, "%s wants a time such as 2026-09-20T12:00:00Z, 2026-09-20 or @1789900000, not \"%s\"", name, text);
    return false;
}

bool argument_number(struct cli *cli, const struct arguments *args, const char *name, int64_t min, int64_t max, int64_t otherwise,
                     int64_t *ret_number)
{
    const char *text = argument_get(args, name);
    char *end = NULL;
    *ret_number = otherwise;
    if (text == NULL) return true;
    errno = 0;
    *ret_number = strtoll(text, &end, 10);
    /* strtoll alone takes blanks, signs and whatever follows the digits */
    bool is_whole = text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0;
    if (is_whole && *ret_number >= min && *ret_number <= max) return true;
    cli_usage(cli, "%s takes a number from %lld to %lld, not \"%s\"", name, (long long)min, (long long)max, text);
    return false;
}
