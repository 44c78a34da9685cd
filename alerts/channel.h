/* A way for messages to leave: the contract of a channel. One file each (channel_NAME.c), registered by a line in
 * channels.def. */
#ifndef GT_ALERTS_CHANNEL_H
#define GT_ALERTS_CHANNEL_H

#include "common/conf.h"

enum {
    CHANNEL_SECRET_BYTES_MAX = 64 * 1024,
    CHANNEL_TIMEOUT_DEFAULT_MS = 20 * 1000,
};

/* How a delivery ended. */
enum delivery_result {
    DELIVERY_DONE,   /* the channel has taken it */
    DELIVERY_LATER,  /* it may take it another time: network, time-out, 429, 5xx, a program that failed */
    DELIVERY_NEVER,  /* it will not take this however often it is tried: 4xx, no such program, an address against the rules */
    DELIVERY_UNSURE, /* it answered, and the answer does not say: tried once more, then left to a person */
};

struct message;

/* One channel of sites.conf, as its type has read it. */
struct channel {
    struct gt_str name;
    const struct channel_type *type;
    const struct conf_section *section; /* borrowed */
};

struct channel_type {
    const char *name; /* the word of `type` in sites.conf */

    /* Checks the section when the engine starts: which keys it needs. Opens nothing: secrets may come later than the
     * configuration. GT_ECONF with file:line. */
    enum gt_err (*check)(const struct conf_section *section, struct gt_errinfo *info);

    /* How large a message may be, in what `measure` counts; 0: as large as it is. What does not fit goes into further ones, cut between
     * events. */
    size_t size_max;
    size_t (*measure)(const struct message *message);

    int32_t per_minute;     /* messages, as the vendor bears them, across runs; 0: any number */
    bool avoids_half_hours; /* the vendor is busy at :00 and :30 and says so */
    bool takes_pictures;    /* message->png is drawn for it */

    /* Sends one message. `why` gets one sentence for people when the result is not DELIVERY_DONE: never an address with its query, never a
     * secret. *ret_hold_s: seconds for which the channel wants to be left alone; untouched when it does not say. */
    enum delivery_result (*send)(const struct channel *channel, const struct message *message, int64_t *ret_hold_s,
                                 struct gt_errinfo *why);

    /* NULL, or sends a picture as a message of its own, as `send` does: once the message that it belongs to was taken, with tries and a place in
     * the line of its own, so that it keeps no text waiting and no text is sent twice for it. */
    enum delivery_result (*send_picture)(const struct channel *channel, struct gt_str png, int64_t *ret_hold_s, struct gt_errinfo *why);
};

#define CHANNEL(id) extern const struct channel_type channel_##id;
#include "alerts/channels.def"
#undef CHANNEL

/* The type of that name, or NULL. */
const struct channel_type *channel_type_find(struct gt_str name);

/* Reads a [channel NAME] section. GT_ECONF with file:line. */
enum gt_err channel_read(const struct conf_section *section, struct channel *ret_channel, struct gt_errinfo *info);

#endif
