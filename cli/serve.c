/* gputape serve: wiring of the server to the configuration, the store and the archive. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/report.h"
#include "cli/report_sites.h"
#include "cli/serve_page.h"
#include "common/file.h"
#include "web/limits.h"
#include "web/server.h"

static const char listen_default[] = "127.0.0.1:8788";

/* What the server's questions are answered from. */
struct serving {
    struct cli *cli;
    const char *archive_folder;
};

static enum gt_err sites_add(void *ctx, struct report_input *input, struct arena *arena, struct gt_errinfo *info)
{
    const struct serving *serving = ctx;
    enum gt_err err = report_sites_read(serving->cli->conf, input, arena, info);
    return err == GT_OK ? report_sites_due(input, arena, info) : err;
}

static enum gt_err page_read(void *ctx, struct store *store, struct gt_str warc_file, int64_t offset, size_t bytes_max, struct arena *arena,
                             struct gt_str *ret_text, struct gt_errinfo *info)
{
    const struct serving *serving = ctx;
    return serve_page_read(serving->archive_folder, store, warc_file, offset, bytes_max, arena, ret_text, info);
}

/* One line; a short one can be guessed. */
static int token_read(struct cli *cli, const struct arguments *args, struct gt_str *ret_token)
{
    const char *path = argument_get(args, "--token-file");
    char *bytes = NULL;
    size_t len = 0;
    *ret_token = (struct gt_str){NULL, 0};
    if (path == NULL) return EXIT_DONE;
    enum gt_err err = file_read(path, WEB_TOKEN_BYTES_MAX + 2, &bytes, &len, &cli->info);
    if (err != GT_OK) return exit_from_err(err);
    struct gt_str token = gt_str_trim((struct gt_str){bytes, len});
    int code = EXIT_DONE;
    for (size_t i = 0; i < token.len && code == EXIT_DONE; i++)
        if (token.ptr[i] <= 0x20 || token.ptr[i] == 0x7F) code = cli_usage(cli, "%s: a token is one word of printable ASCII", path);
    if (code == EXIT_DONE && (token.len < WEB_TOKEN_BYTES_MIN || token.len > WEB_TOKEN_BYTES_MAX))
        code = cli_usage(cli, "%s: a token has %d to %d characters", path, WEB_TOKEN_BYTES_MIN, WEB_TOKEN_BYTES_MAX);
    if (code == EXIT_DONE) *ret_token = arena_dup(cli->arena, token);
    free(bytes);
    return code;
}

/* Who listens to the world says so or asks for a token: a slip of the address must not publish anything. */
static int exposure_check(struct cli *cli, const struct arguments *args, const struct web_listener *listener, struct gt_str token)
{
    bool is_public = argument_has(args, "--public");
    if (is_public && token.len > 0) return cli_usage(cli, "--public or --token-file, not both");
    if (listener->is_loopback || is_public || token.len > 0) return EXIT_DONE;
    return cli_usage(cli, "%s can be reached from other machines: name a --token-file, or say --public", listener->address);
}

/* Signals are taken by the server's loop alone; threads begun later inherit the mask. */
static void signals_block(void)
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
}

static int run(struct cli *cli, const struct arguments *args)
{
    struct web_listener listener;
    const char *address = argument_get(args, "--listen");
    struct serving serving = {cli, cli_data_path(cli, "archive")};
    struct web_settings settings = {.store_folder = cli_data_path(cli, "store"), .clock = cli->clock, .log = &cli->log};
    settings.source = (struct web_source){.ctx = &serving, .sites_add = sites_add, .page_read = page_read};
    if (args->word_count > 0) return cli_usage(cli, "serve takes no words, only options");
    int code = token_read(cli, args, &settings.token);
    if (code == EXIT_DONE) code = cli_language_read(cli, args, &settings.lang);
    if (code != EXIT_DONE) return code;
    struct report_input probe = {0}; /* what is wrong with the configuration is said now, not at each request */
    enum gt_err err = report_sites_read(cli->conf, &probe, cli->arena, &cli->info);
    if (err != GT_OK) return exit_from_err(err);
    signals_block();
    err = web_listener_open(address != NULL ? address : listen_default, &listener, &cli->info);
    if (err != GT_OK) return exit_from_err(err);
    code = exposure_check(cli, args, &listener, settings.token);
    if (code != EXIT_DONE) {
        close(listener.fd);
        return code;
    }
    settings.is_local = listener.is_loopback && !argument_has(args, "--public");
    fprintf(cli->err, "gputape: listening on http://%s/\n", listener.address);
    fflush(cli->err);
    return exit_from_err(web_serve(&settings, listener.fd, &cli->info));
}

static const struct option_spec options[] = {
    {"--listen", "ADDRESS:PORT", "where to listen: 127.0.0.1:8788 by default, [::1]:8788; port 0 takes a free one"},
    {"--token-file", "FILE", "ask everybody for the token in it: as a bearer token, or as the password of any user"},
    {"--public", NULL, "anybody who reaches the address may read; archived pages are not shown"},
    {"--lang", "zh|en", "language where an address names none"},
    {NULL, NULL, NULL},
};

const struct command command_serve = {.name = "serve",
                                      .usage = "[--listen 127.0.0.1:8788] [--token-file FILE | --public]",
                                      .summary = "the read-only dashboard, JSON API, /metrics and /feed.atom",
                                      .options = options,
                                      .needs = NEEDS_CONF,
                                      .run = run};
