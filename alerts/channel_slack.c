/* slack: an incoming webhook (docs.slack.dev, "Sending messages using incoming webhooks"). Answers by status and a word. */
#include <jansson.h>

#include "alerts/message.h"
#include "alerts/post.h"
#include "common/strbuf.h"

enum {
    TEXT_BYTES_MAX = 30000, /* after escaping; the vendor cuts at 40,000 characters */
    PER_MINUTE = 50,        /* one a second, short bursts */
};

/* The three signs that mean something in the vendor's markup: links, mentions, channels all begin with one. */
static void add_escaped(struct strbuf *text, struct gt_str words)
{
    for (size_t i = 0; i < words.len; i++) {
        char c = words.ptr[i];
        if (c == '&') strbuf_adds(text, "&amp;");
        else if (c == '<') strbuf_adds(text, "&lt;");
        else if (c == '>') strbuf_adds(text, "&gt;");
        else strbuf_addc(text, c);
    }
}

static bool text_of(const struct message *message, struct strbuf *text)
{
    strbuf_init(text, MESSAGE_BYTES_MAX);
    add_escaped(text, message->title);
    strbuf_addc(text, '\n');
    add_escaped(text, message->text);
    return text->err == GT_OK;
}

static size_t measure(const struct message *message)
{
    struct strbuf text;
    size_t bytes = text_of(message, &text) ? text.len : SIZE_MAX;
    strbuf_done(&text);
    return bytes;
}

static enum delivery_result send(const struct channel *channel, const struct message *message, int64_t *ret_hold_s,
                                 struct gt_errinfo *why)
{
    struct strbuf text;
    struct post_secret url = {NULL, 0};
    enum delivery_result result = DELIVERY_LATER;
    /* "mrkdwn" off: stars and underlines in a label stay what they are. */
    json_t *body = text_of(message, &text) ? json_pack("{s:s%, s:b}", "text", text.ptr, text.len, "mrkdwn", 0) : NULL;
    if (body != NULL && post_address(channel->section, NULL, &url, why))
        result = post_json(channel, (struct gt_str){url.bytes, url.len}, json_incref(body), NULL, ret_hold_s, why);
    json_decref(body);
    strbuf_done(&text);
    post_secret_free(&url);
    return result;
}

const struct channel_type channel_slack = {
    .name = "slack", .check = post_check_robot, .size_max = TEXT_BYTES_MAX, .measure = measure, .per_minute = PER_MINUTE, .send = send};
