/* Every limit of the server by name: what one client, one request, one answer and all of them together may cost. */
#ifndef GT_WEB_LIMITS_H
#define GT_WEB_LIMITS_H

enum {
    WEB_CONNECTIONS_MAX = 256,            /* at a time; further ones wait in the system's queue */
    WEB_CONNECTIONS_PER_ADDRESS_MAX = 64, /* of one address; a proxy in front counts as one */
    WEB_BACKLOG_MAX = 128,
    WEB_CONNECTION_BYTES_MAX = 32 * 1024, /* memory of one connection: request line, header, what is being sent */
    WEB_TARGET_BYTES_MAX = 4096,          /* the address of a request as sent; longer: 414 */
    WEB_VALUE_BYTES_MAX = 1024,           /* one value of it, decoded; longer: 414 */
    WEB_REQUEST_ARENA_BYTES = 64 * 1024,  /* what reading the address may use */
    WEB_REQUEST_MS = 10 * 1000,           /* from the connection, or the answer before, to the request's last byte */
    WEB_ANSWER_MS = 120 * 1000,           /* from there to the answer's last byte */
    WEB_QUEUE_MAX = 64,                   /* answers waited for; beyond: 503 */
    WEB_ANSWER_BYTES_MAX = 64 << 20,      /* one answer; longer: 400, "ask for less" */
    WEB_LIVING_BYTES_MAX = 384 << 20,     /* all answers in memory, those still being sent too; beyond: 503 */
    WEB_VIEW_BYTES_MAX = 512 << 20,       /* what making one answer may use */
    WEB_CACHE_BYTES_MAX = 128 << 20,
    WEB_CACHE_ENTRIES_MAX = 1024,
    WEB_GZIP_BYTES_MIN = 512, /* smaller answers are sent as they are */
    WEB_TICK_MS = 250,        /* how often time-outs are looked at */
    WEB_TOKEN_BYTES_MIN = 16,
    WEB_TOKEN_BYTES_MAX = 256,
    WEB_BOARD_ROWS = 200, /* offers on one page of the board */
    WEB_FEED_ENTRIES_MAX = 200,
    WEB_FEED_DAYS = 30,
    WEB_WEEKS_SHOWN_MAX = 520,
    WEB_ARCHIVE_BYTES_MAX = 8 << 20, /* of an archived page that is shown */
    /* Ages in an answer are at most this old; a commit shows at once. */
    WEB_MOMENT_S = 60,
};

#endif
