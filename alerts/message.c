#include "alerts/message.h"

#include <jansson.h>
#include <string.h>

#include "common/strbuf.h"
#include "reports/labels.h"

static struct gt_str text_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_string(value) ? (struct gt_str){json_string_value(value), json_string_length(value)} : GT_STR("");
}

/* "推断": the word that people know for the evidence of a price; empty where the event has none. */
static struct gt_str evidence_of(const json_t *event, bool is_zh)
{
    int value;
    struct gt_str word = text_of(event, "evidence");
    if (word.len == 0 || !word_find(VOCABULARY_EVIDENCE, word, &value)) return GT_STR("");
    return label_word(is_zh ? LANG_ZH : LANG_EN, VOCABULARY_EVIDENCE, value);
}

/* "2026-09-20": the day from which it holds. */
static struct gt_str day_of(const json_t *event)
{
    enum { DATE_BYTES = 10 };
    return gt_str_slice(text_of(event, "since"), 0, DATE_BYTES);
}

/* The event's sentence, then what it rests on: evidence, since when, where to look. */
static void add_line(struct strbuf *text, const json_t *event, bool is_zh)
{
    struct gt_str sentence = text_of(json_object_get(event, "text"), is_zh ? "zh" : "en");
    struct gt_str evidence = evidence_of(event, is_zh), day = day_of(event), url = text_of(event, "url");
    strbuf_addf(text, "- %.*s", GT_STR_ARG(sentence.len > 0 ? sentence : GT_STR("?")));
    if (evidence.len > 0) strbuf_addf(text, is_zh ? "；依据：%.*s" : "; evidence: %.*s", GT_STR_ARG(evidence));
    if (day.len > 0) strbuf_addf(text, is_zh ? "；自 %.*s" : "; since %.*s", GT_STR_ARG(day));
    if (url.len > 0) strbuf_addf(text, is_zh ? "；%.*s" : "; %.*s", GT_STR_ARG(url));
    strbuf_addc(text, '\n');
}

/* A report's own text, as much of it as the channel bears. */
static void add_body(struct strbuf *text, const json_t *event, size_t bytes_max)
{
    struct gt_str body = text_of(event, "body"), whole = body;
    if (bytes_max > 0 && body.len > bytes_max) body = gt_str_cut(body, bytes_max);
    while (body.len < whole.len && body.len > 0 && body.ptr[body.len - 1] != '\n') body.len--;
    if (whole.len == 0) return;
    strbuf_addc(text, '\n');
    strbuf_add(text, body);
    if (body.len < whole.len) strbuf_adds(text, "…\n");
}

static bool is_report(const json_t *event)
{
    return gt_str_is(text_of(event, "what"), "report");
}

static bool is_named(const struct gt_str *rules, size_t count, struct gt_str rule)
{
    for (size_t i = 0; i < count; i++)
        if (gt_str_eq(rules[i], rule)) return true;
    return false;
}

/* How to be left in peace by what was told. */
static void add_foot(struct strbuf *text, const json_t *events, bool is_zh)
{
    struct gt_str rules[MESSAGE_RULES_NAMED];
    size_t count = 0, i;
    const json_t *event;
    json_array_foreach(events, i, event)
    {
        struct gt_str rule = text_of(event, "rule");
        if (is_report(event)) continue;
        if (rule.len > 0 && count < MESSAGE_RULES_NAMED && !is_named(rules, count, rule)) rules[count++] = rule;
    }
    for (size_t k = 0; k < count; k++)
        strbuf_addf(text, is_zh ? "静默：gputape alerts silence %.*s --for 3d\n" : "to silence: gputape alerts silence %.*s --for 3d\n",
                    GT_STR_ARG(rules[k]));
}

bool message_make(struct gt_str channel, const json_t *events, struct message_part part, bool is_zh, struct arena *arena,
                  struct message *ret_message)
{
    struct strbuf text;
    const json_t *event;
    size_t i;
    strbuf_init(&text, MESSAGE_BYTES_MAX);
    json_array_foreach(events, i, event)
    {
        add_line(&text, event, is_zh);
        add_body(&text, event, part.body_bytes_max);
    }
    add_foot(&text, events, is_zh);
    struct message message = {.channel = channel, .events = events, .is_zh = is_zh};
    message.title = arena_printf(arena, is_zh ? "gputape：%zu 条提醒" : "gputape: %zu alerts", json_array_size(events));
    if (json_array_size(events) == 1 && is_report(json_array_get(events, 0))) {
        message.title = is_zh ? GT_STR("gputape：GPU 租价周报") : GT_STR("gputape: weekly report of GPU prices");
        message.html = text_of(json_array_get(events, 0), "html");
        message.plot = text_of(json_array_get(events, 0), "plot");
    }
    if (part.total > 1) message.title = arena_printf(arena, "%.*s (%zu/%zu)", GT_STR_ARG(message.title), part.number, part.total);
    if (text.err == GT_OK) message.text = arena_dup(arena, gt_str_trim(strbuf_str(&text)));
    strbuf_done(&text);
    if (message.title.ptr == NULL || message.text.ptr == NULL) return false;
    *ret_message = message;
    return true;
}

struct gt_str message_whole(const struct message *message, struct arena *arena)
{
    return arena_printf(arena, "%.*s\n%.*s", GT_STR_ARG(message->title), GT_STR_ARG(message->text));
}

char *message_digest(const struct message *message)
{
    struct strbuf text;
    strbuf_init(&text, MESSAGE_BYTES_MAX);
    strbuf_addf(&text, "%.*s\n%.*s", GT_STR_ARG(message->title), GT_STR_ARG(message->text));
    json_t *digest = NULL;
    if (text.err == GT_OK)
        digest = json_pack("{s:s%, s:O, s:s%}", "channel", message->channel.ptr, message->channel.len, "events", message->events, "text",
                           text.ptr, text.len);
    char *bytes = digest != NULL ? json_dumps(digest, JSON_COMPACT | JSON_PRESERVE_ORDER) : NULL;
    json_decref(digest);
    strbuf_done(&text);
    return bytes;
}
