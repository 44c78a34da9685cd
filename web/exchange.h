/* One request on its way to an answer. Made and freed by the thread that speaks to clients; handed to the one that makes answers meanwhile. */
#ifndef GT_WEB_EXCHANGE_H
#define GT_WEB_EXCHANGE_H

#include "common/digest.h"
#include "web/answer.h"

struct MHD_Connection;

/* What an answer depends on beside its address: the state of the store, and a time that all answers of that state share. */
struct web_moment {
    struct store_version version; /* zero: there is no store */
    int64_t now_unix_s;
};

enum web_stage { WEB_NEW, WEB_COMPLETE, WEB_WAITING };

struct web_exchange {
    struct MHD_Connection *connection;
    struct gt_str target; /* as sent, in the arena */
    struct arena *arena;
    struct web_request request;
    const struct web_route *route;
    struct web_moment moment;
    enum web_stage stage;
    bool is_gzip, is_local;
    uint8_t key[SHA256_BYTES];
    char etag[WEB_ETAG_MAX];
    struct web_answer *answer; /* set by the worker; NULL: it had no memory */
    struct web_exchange *next; /* in the worker's queue */
};

#endif
