/* gputape: global options, then one command. */
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/command.h"
#include "common/civil.h"
#include "common/nearest.h"

static const struct command *const commands[] = {
#define COMMAND(id) &command_##id,
#include "cli/commands.def"
#undef COMMAND
};

enum { COMMAND_TOTAL = sizeof commands / sizeof commands[0] };

const struct command *const *command_all(size_t *ret_count)
{
    *ret_count = COMMAND_TOTAL;
    return commands;
}

/* A mistyped command runs nothing, however near it comes to one. */
static const struct command *command_find(struct cli *cli, const char *name)
{
    const char *names[COMMAND_TOTAL];
    for (size_t i = 0; i < COMMAND_TOTAL; i++) {
        if (strcmp(commands[i]->name, name) == 0) return commands[i];
        names[i] = commands[i]->name;
    }
    const char *nearest = nearest_word(gt_str_from(name), names, COMMAND_TOTAL);
    if (nearest != NULL) cli_usage(cli, "no command \"%s\", did you mean \"%s\"?", name, nearest);
    else cli_usage(cli, "no command \"%s\"; `gputape help` lists them", name);
    return NULL;
}

/* DESIGN of the data folder: -d, $GPUTAPE_DIR, /var/lib/gputape for root, the user's data home. */
static const char *data_folder_default(struct cli *cli)
{
    const char *set = getenv("GPUTAPE_DIR");
    if (set != NULL && set[0] != '\0') return set;
    if (geteuid() == 0) return "/var/lib/gputape";
    const char *data_home = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    if (data_home != NULL && data_home[0] == '/') return arena_printf(cli->arena, "%s/gputape", data_home).ptr;
    if (home != NULL && home[0] == '/') return arena_printf(cli->arena, "%s/.local/share/gputape", home).ptr;
    cli_usage(cli, "where is the data? Neither -d nor $GPUTAPE_DIR nor $HOME is set");
    return NULL;
}

/* A folder that is not there yet is fine: a crawl makes it. */
static bool is_other_than_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && !S_ISDIR(st.st_mode);
}

static bool set_now(struct cli *cli, const char *text)
{
    cli->clock.is_fixed = true;
    if (civil_parse(gt_str_from(text), &cli->clock.fixed_unix_s)) return true;
    cli_usage(cli, "--now wants a time such as 2026-09-20T12:00:00Z or @1789900000, not \"%s\"", text);
    return false;
}

/* Reads the options before the command. Returns the index of the command's name, argc when there is none, -1 on an error. */
static int read_globals(struct cli *cli, int argc, char **argv)
{
    int at = 1;
    for (; at < argc && argv[at][0] == '-'; at++) {
        const char *word = argv[at];
        if (strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0) return argc;
        if (strcmp(word, "-v") == 0) {
            cli->log.level = LOG_DEBUG;
            continue;
        }
        if (strcmp(word, "--version") == 0) {
            argv[at] += 2; /* the command's name */
            return at;
        }
        bool is_known = strcmp(word, "-c") == 0 || strcmp(word, "-d") == 0 || strcmp(word, "--now") == 0;
        if (!is_known || at + 1 >= argc || argv[at + 1][0] == '\0') {
            cli_usage(cli, is_known ? "%s wants a value" : "no global option %s; they are -c FILE, -d DIR, --now TIME, -v, -h, --version", word);
            return -1;
        }
        const char *value = argv[++at];
        if (word[1] == 'c') cli->conf_path = value;
        else if (word[1] == 'd') cli->data_folder = value;
        else if (!set_now(cli, value)) return -1;
    }
    return at;
}

/* `-h` anywhere asks for help, also behind words that are wrong: that is when it is asked for. */
static int run_command(struct cli *cli, int argc, char **argv)
{
    int at = read_globals(cli, argc, argv);
    if (at < 0) return EXIT_USAGE;
    const struct command *command = at >= argc ? &command_help : command_find(cli, argv[at]);
    if (command == NULL) return EXIT_USAGE;
    int rest = at < argc ? argc - at - 1 : 0;
    for (int i = 0; i < rest; i++)
        if (strcmp(argv[at + 1 + i], "-h") == 0 || strcmp(argv[at + 1 + i], "--help") == 0) {
            argv[at + 1] = argv[at];
            rest = 1;
            command = &command_help;
        }
    struct arguments args;
    int code = arguments_read(cli, command, rest, argv + at + 1, &args);
    if (code != EXIT_DONE) return code;
    if (cli->data_folder == NULL && (cli->data_folder = data_folder_default(cli)) == NULL) return EXIT_USAGE;
    if (is_other_than_folder(cli->data_folder)) return cli_usage(cli, "the data folder %s is not a folder", cli->data_folder);
    if (command->needs & NEEDS_CONF) code = exit_from_err(cli_conf_open(cli));
    return code == EXIT_DONE ? command->run(cli, &args) : code;
}

/* True when nobody reads the pipe that the data went to. A full disk and a closed output are no such thing. */
static bool has_reader_left(const struct cli *cli)
{
    struct pollfd out = {.fd = fileno(cli->out), .events = POLLOUT};
    return poll(&out, 1, 0) == 1 && (out.revents & POLLERR) != 0;
}

/* Data that did not reach its reader must not look delivered. A reader who had enough (`| head`) needs no word about it, as with other tools; what
 * failed for another reason is told all the same. */
static int close_output(struct cli *cli, int code)
{
    bool is_good = code == EXIT_DONE || code == EXIT_PARTLY, is_of_output = is_good || (ferror(cli->out) != 0 && cli->info.code == GT_EIO);
    if (fflush(cli->out) == 0 && !ferror(cli->out)) return code;
    if (is_of_output && has_reader_left(cli)) {
        cli->info.text[0] = '\0';
        return EXIT_FAILED;
    }
    if (code != EXIT_DONE && code != EXIT_PARTLY) return code;
    gt_fail(&cli->info, GT_EIO, "the output could not be written: %s", strerror(errno));
    return EXIT_FAILED;
}

/* Files opened later must never become descriptors 0 to 2. What was closed stays so for those who use it: data for a closed output is
 * an error to be told, not something to be thrown away; only messages may go nowhere. */
static void reserve_standard_descriptors(void)
{
    static const int MODES[] = {[STDIN_FILENO] = O_WRONLY, [STDOUT_FILENO] = O_RDONLY, [STDERR_FILENO] = O_RDWR};
    for (int fd = 0; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0) (void)open("/dev/null", MODES[fd]);
}

int main(int argc, char **argv)
{
    reserve_standard_descriptors();
    /* a reader that left and a file that may not grow are errors of the call, with a message, and no reason to die without one */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    unsetenv("SSLKEYLOGFILE");
    struct cli cli = {.out = stdout, .err = stderr, .log = {stderr, LOG_WARN}, .arena = arena_new(CLI_ARENA_MAX)};
    if (cli.arena == NULL) return EXIT_FAILED;
    int code = close_output(&cli, run_command(&cli, argc, argv));
    if (cli.info.text[0] != '\0' && code != EXIT_DONE) fprintf(stderr, "gputape: %s\n", cli.info.text);
    conf_free(cli.conf);
    arena_free(cli.arena);
    return code;
}
