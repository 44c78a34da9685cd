/* The read-only server: pages, JSON, metrics and feed of one store, over libmicrohttpd. It opens no file for writing and speaks to nobody of
 * its own accord. */
#ifndef GT_WEB_SERVER_H
#define GT_WEB_SERVER_H

#include <stdbool.h>

#include "common/clock.h"
#include "common/log.h"
#include "reports/report.h"

/* What the server does not know by itself: the configuration and the archive belong to folders that it may not see. Called by the thread that
 * makes answers, one call at a time. */
struct web_source {
    void *ctx;
    /* Adds to `input` (its store and moment are set) the sites that are crawled, texts in the arena. */
    enum gt_err (*sites_add)(void *ctx, struct report_input *input, struct arena *arena, struct gt_errinfo *info);
    /* The page behind a place in the archive as UTF-8 text, at most `bytes_max` of it; the store knows where pages lie that others refer to.
     * GT_ENOENT; what the archive says. */
    enum gt_err (*page_read)(void *ctx, struct store *store, struct gt_str warc_file, int64_t offset, size_t bytes_max, struct arena *arena,
                             struct gt_str *ret_text, struct gt_errinfo *info);
};

struct web_settings {
    const char *store_folder;
    struct gt_clock clock;
    enum gt_lang lang;     /* where the address names none */
    struct gt_str token;   /* asked for where not empty: as a bearer token, or as the password of any user */
    bool is_local;         /* heard on this machine alone: archived pages may be shown */
    struct web_source source;
    const struct log *log;
};

/* A socket that listens. */
struct web_listener {
    int fd;
    bool is_loopback;
    char address[80]; /* "127.0.0.1:8788", "[::1]:8788": with the port that was given where 0 was asked for */
};

/* Opens a socket on "ADDRESS:PORT": an IPv4 address, an IPv6 address in brackets, or localhost; no other names, no asking of servers.
 * GT_EUSAGE for what is none; GT_EACCES, GT_EEXIST (in use), GT_EIO with a message. */
enum gt_err web_listener_open(const char *text, struct web_listener *ret_listener, struct gt_errinfo *info);

/* Serves until SIGTERM or SIGINT (blocked by the caller in every thread) arrives; `fd` is taken. Answers under way are given up. GT_OK;
 * GT_ENOMEM, GT_EIO, GT_EINTERNAL where it could not begin. */
enum gt_err web_serve(const struct web_settings *settings, int fd, struct gt_errinfo *info);

#endif
