/* What one message to a channel says. Internal to alerts/. */
#ifndef GT_ALERTS_MESSAGE_H
#define GT_ALERTS_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "common/arena.h"

enum {
    MESSAGE_BYTES_MAX = 16 * 1024 * 1024,
    MESSAGE_RULES_NAMED = 3, /* rules whose silencing the foot explains */
};

struct json_t;

/* Plain texts: scraped words in them are printable, and hold no markup that is meant as such. Channels with a markup escape them. */
struct message {
    struct gt_str channel;       /* its name in sites.conf */
    const struct json_t *events; /* of this message alone */
    struct gt_str title;         /* "gputape：3 条提醒", "gputape：41 条提醒 (1/2)": begins with the program's name, for robots that want a keyword */
    struct gt_str text;          /* a line an event, and at the foot how to silence them; no line end at the end */
    bool is_zh;
    struct gt_str html; /* of a report, for mails: an attachment; empty else */
    struct gt_str plot; /* of a report: its charts as picture_draw wants them; empty else */
    struct gt_str png;  /* drawn of them, for channels that take pictures; empty else. Borrowed */
};

/* The place of a message among those of one delivery, from 1. */
struct message_part {
    size_t number, total;
    size_t body_bytes_max; /* of a report's text, cut at a line's end; 0: the whole */
};

/* Makes the message over `events` (a JSON array; borrowed). Texts live in the arena. False when it is full. */
bool message_make(struct gt_str channel, const struct json_t *events, struct message_part part, bool is_zh, struct arena *arena,
                  struct message *ret_message);

/* Title and text as one: "TITLE\nTEXT". In the arena. */
struct gt_str message_whole(const struct message *message, struct arena *arena);

/* {"channel","events","text"}: the message for programs. Malloc'ed; NULL when memory is out. */
char *message_digest(const struct message *message);

#endif
