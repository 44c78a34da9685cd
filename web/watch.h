/* Time-outs of connections as a whole: libmicrohttpd's own begins anew with every byte, so that a byte every nine seconds holds a place for
 * ever. One thread. */
#ifndef GT_WEB_WATCH_H
#define GT_WEB_WATCH_H

#include <stdbool.h>
#include <stdint.h>

/* One open connection. */
struct web_watched {
    int fd;
    int64_t since_mono_ms; /* it waits for a request, or for its answer to be taken, since */
    bool is_answering;
    struct web_watched *next, **link;
};

struct web_watch {
    struct web_watched *first;
};

/* Adds a connection; NULL without memory. */
struct web_watched *web_watch_add(struct web_watch *watch, int fd, int64_t now_mono_ms);

/* A request is complete (is_answering), or its answer sent. NULL is accepted. */
void web_watch_turn(struct web_watched *watched, bool is_answering, int64_t now_mono_ms);

/* Takes a connection out and frees it. NULL is accepted. */
void web_watch_drop(struct web_watched *watched);

/* Shuts those down that take longer than they may; their owner then finds them at their end. */
void web_watch_expire(const struct web_watch *watch, int64_t now_mono_ms);

#endif
