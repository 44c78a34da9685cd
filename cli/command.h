/* One command of the program: a const struct at the foot of its own file, a line in commands.def. */
#ifndef GT_CLI_COMMAND_H
#define GT_CLI_COMMAND_H

#include <stdbool.h>
#include <stdio.h>

#include "common/clock.h"
#include "common/conf.h"
#include "common/log.h"
#include "store/store.h"

enum exit_code { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_PARTLY = 3, EXIT_LOCKED = 75 };

enum {
    OPTION_VALUES_MAX = 4096, /* how often one option may be repeated */
    CLI_ARENA_MAX = 1024 * 1024 * 1024,
    FILE_ARG_BYTES_MAX = 64 * 1024 * 1024,
};

/* What every command is given. */
struct cli {
    const char *conf_path;   /* -c; NULL: the default places */
    const char *data_folder; /* -d, resolved */
    struct gt_clock clock;   /* --now */
    struct log log;
    FILE *out;               /* data */
    FILE *err;               /* people */
    struct arena *arena;     /* lives as long as the command */
    struct conf *conf;       /* set when the command needs it */
    struct gt_errinfo info;  /* what went wrong, for the last line on stderr */
};

/* One option of a command. */
struct option_spec {
    const char *name;  /* "--week" */
    const char *value; /* what the help calls its value; NULL for a switch */
    const char *help;
};

/* Parsed words of a command line. Values are NULL when not given. */
struct arguments {
    const struct option_spec *specs;
    const char ***values;  /* values[i] is NULL-closed: every value given for specs[i]; a switch has "" */
    const char **words;    /* the others, NULL-closed */
    size_t word_count;
};

/* What main opens before `run`. */
enum command_needs { NEEDS_NOTHING = 0, NEEDS_CONF = 1 };

struct command {
    const char *name;
    const char *usage;   /* "[QUERY] [--persona P]" */
    const char *summary; /* one line */
    const char *help;    /* more, for `gputape help NAME`; may be NULL */
    const struct option_spec *options; /* closed by a NULL name; may be NULL */
    int needs;
    int (*run)(struct cli *cli, const struct arguments *args); /* an exit code; messages go to cli->info */
};

#define COMMAND(id) extern const struct command command_##id;
#include "cli/commands.def"
#undef COMMAND

/* All commands in the order of commands.def. */
const struct command *const *command_all(size_t *ret_count);

/* Reads a command's words against its options. EXIT_DONE, or EXIT_USAGE with a message. */
int arguments_read(struct cli *cli, const struct command *command, int argc, char **argv, struct arguments *ret_args);

/* The last value given for an option, or NULL. */
const char *argument_get(const struct arguments *args, const char *name);

/* True when a switch was given. */
bool argument_has(const struct arguments *args, const char *name);

/* Every value given for an option, NULL-closed; NULL when none. */
const char *const *argument_all(const struct arguments *args, const char *name);

/* All plain words from `from` on joined by blanks, in the cli's arena. */
struct gt_str argument_words(struct cli *cli, const struct arguments *args, size_t from);

/* A time option: RFC 3339, date or @seconds; `otherwise` when not given. False (with a message) when it is none. */
bool argument_time(struct cli *cli, const struct arguments *args, const char *name, int64_t otherwise, int64_t *ret_unix_s);

/* A number option, from `min` to `max`; `otherwise` when not given. False (with a message) when it is none. */
bool argument_number(struct cli *cli, const struct arguments *args, const char *name, int64_t min, int64_t max, int64_t otherwise,
                     int64_t *ret_number);

/* Turns an error into an exit code: usage and configuration are 2, the lock 75, all others 1. */
int exit_from_err(enum gt_err err);

/* EXIT_DONE when an action was given at most `max` words, its own name among them; else a usage error that names the first one too many. */
int argument_words_check(struct cli *cli, const struct arguments *args, const char *what, size_t max);

/* A usage error with a message; returns EXIT_USAGE. */
int cli_usage(struct cli *cli, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Reads the configuration: `-c`, else the tree's sites.conf when the program lies beside one, else /etc/gputape/sites.conf over the shipped one. */
enum gt_err cli_conf_open(struct cli *cli);

/* Opens the store of the data folder. */
enum gt_err cli_store_open(struct cli *cli, enum store_mode mode, struct store **ret_store);

/* Begins a store that is to take the place of the data folder's own: empty, or a copy of it. See store_draft_begin. */
enum gt_err cli_store_draft(struct cli *cli, bool is_copy, struct store_draft **ret_draft, struct store **ret_store);

/* The path of a file in the data folder, in the arena. */
const char *cli_data_path(struct cli *cli, const char *name);

/* Columns of the terminal that the data go to; 0 when they go elsewhere. */
int cli_width(const struct cli *cli);

/* Writes a JSON value, indented, with a newline. Takes the reference (jansson's json_t). GT_EIO when it could not be written. */
struct json_t;
enum gt_err cli_json_write(struct cli *cli, struct json_t *value);

#endif
