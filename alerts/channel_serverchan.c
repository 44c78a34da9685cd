/* serverchan: a push to WeChat by ServerChan Server酱 (sct.ftqq.com; keys that begin with "sctp" belong to its third version, doc2.ft07.com). The text
 * is markdown there: scraped words are escaped. */
#include <jansson.h>

#include "alerts/message.h"
#include "alerts/post.h"
#include "common/strbuf.h"

enum {
    TEXT_BYTES_MAX = 16000,
    PER_MINUTE = 10,
    ARENA_BYTES = 64 * 1024,
};

static const struct robot_code codes[] = {
    {40001, DELIVERY_NEVER, 0, "the key was refused"},
    {0, DELIVERY_DONE, 0, NULL},
};
static const struct robot robot = {.code_key = "code", .code_ok = 0, .codes = codes};

/* Signs that CommonMark gives a meaning, each behind a backslash; a line a paragraph. The hyphens that begin the lines are ours. */
static void add_markdown(struct strbuf *text, struct gt_str words)
{
    bool is_begin = true;
    for (size_t i = 0; i < words.len; i++) {
        char c = words.ptr[i];
        bool is_ours = is_begin && c == '-';
        is_begin = c == '\n';
        if (!is_ours && strchr("\\`*_{}[]()#+-!<>|~", c) != NULL) strbuf_addc(text, '\\');
        strbuf_addc(text, c);
        if (is_begin) strbuf_addc(text, '\n');
    }
}

static size_t measure(const struct message *message)
{
    struct strbuf text;
    strbuf_init(&text, MESSAGE_BYTES_MAX);
    add_markdown(&text, message->text);
    size_t bytes = text.err == GT_OK ? text.len : SIZE_MAX;
    strbuf_done(&text);
    return bytes;
}

/* The server that a key belongs to: "sctp123t…" names it by the number. */
static struct gt_str server_of(struct gt_str key, struct arena *arena)
{
    size_t begin = strlen("sctp"), end = begin;
    if (!gt_str_starts(key, GT_STR("sctp"))) return GT_STR("https://sctapi.ftqq.com");
    while (end < key.len && key.ptr[end] >= '0' && key.ptr[end] <= '9') end++;
    return arena_printf(arena, "https://%.*s.push.ft07.com/send", GT_STR_ARG(gt_str_slice(key, begin, end - begin)));
}

static enum delivery_result send(const struct channel *channel, const struct message *message, int64_t *ret_hold_s,
                                 struct gt_errinfo *why)
{
    struct arena *arena = arena_new(ARENA_BYTES);
    struct post_secret url = {NULL, 0}, key = {NULL, 0};
    struct strbuf text;
    enum delivery_result result = DELIVERY_LATER;
    strbuf_init(&text, MESSAGE_BYTES_MAX);
    add_markdown(&text, message->text);
    if (arena == NULL || text.err != GT_OK || !post_secret_read(channel->section, "token_file", &key, why)) goto out;
    struct gt_str server = server_of((struct gt_str){key.bytes, key.len}, arena);
    if (server.ptr == NULL || !post_address(channel->section, server.ptr, &url, why)) goto out;
    struct gt_str address = arena_printf(arena, "%s/%.*s.send", url.bytes, (int)key.len, key.bytes);
    result = robot_post(&robot, channel, address,
                        json_pack("{s:s%, s:s%}", "title", message->title.ptr, message->title.len, "desp", text.ptr, text.len), ret_hold_s, why);
    if (address.len > 0) explicit_bzero((char *)(uintptr_t)address.ptr, address.len);
out:
    strbuf_done(&text);
    post_secret_free(&key);
    post_secret_free(&url);
    arena_free(arena);
    return result;
}

const struct channel_type channel_serverchan = {
    .name = "serverchan", .check = post_check_token, .size_max = TEXT_BYTES_MAX, .measure = measure, .per_minute = PER_MINUTE, .send = send};
