/* /feed.atom: the newest changes and events of the alerts (RFC 4287). An entry's id is the event's, or follows from what changed, so that a
 * reader never sees one twice. */
#include <inttypes.h>

#include "common/civil.h"
#include "common/digest.h"
#include "common/utf8.h"
#include "reports/figure.h"
#include "reports/html_text.h"
#include "reports/name.h"
#include "reports/out.h"
#include "reports/sink_writer.h"
#include "reports/told_list.h"
#include "web/board_table.h"
#include "web/limits.h"

struct feed {
    struct out out;
    const struct web_view *view;
};

static void put_element(struct feed *feed, const char *open, struct gt_str text, const char *close)
{
    out_text(&feed->out, open);
    if (text.len > 0) html_escape(&feed->out, utf8_printable(text, feed->view->arena));
    out_text(&feed->out, close);
}

static void put_time(struct feed *feed, const char *name, int64_t t_unix_s)
{
    char text[CIVIL_TEXT_MAX];
    out_printf(&feed->out, "<%s>%s</%s>\n", name, civil_rfc3339(t_unix_s, text), name);
}

/* 32 hex digits as a name: an event's are its id, so that entry and message can be told to be one. */
static void put_name(struct feed *feed, const char *hex)
{
    out_printf(&feed->out, "<id>urn:uuid:%.8s-%.4s-%.4s-%.4s-%.12s</id>\n", hex, hex + 8, hex + 12, hex + 16, hex + 20);
}

/* A name by digest (RFC 4122 version 8 in all but the registration: the bits say "custom"), stable over every rendering. */
static void put_id(struct feed *feed, struct gt_str what)
{
    uint8_t digest[SHA256_BYTES] = {0};
    char hex[SHA256_HEX_MAX];
    (void)digest_sha256(what, digest);
    digest[6] = (uint8_t)((digest[6] & 0x0F) | 0x80);
    digest[8] = (uint8_t)((digest[8] & 0x3F) | 0x80);
    digest_hex(digest, 16, hex);
    put_name(feed, hex);
}

/* "4090 24G · 月付: 990 → 1074 CNY (+8.5%)". */
static struct gt_str entry_title(const struct feed *feed, const struct change_entry *entry)
{
    struct arena *arena = feed->view->arena;
    enum gt_lang lang = feed->view->input.lang;
    const struct change *change = &entry->change;
    struct gt_str site = name_site_title(entry->site_title, change->site, lang), kind = label_word(lang, VOCABULARY_CHANGE, (int)change->kind);
    struct gt_str text = arena_printf(arena, "%.*s: %.*s", GT_STR_ARG(site), GT_STR_ARG(kind));
    if (change->identity == NULL) return text;
    struct gt_str name = name_offer(change->identity, arena);
    text = arena_printf(arena, "%.*s · %.*s", GT_STR_ARG(text), GT_STR_ARG(name));
    const char *currency = change->after != NULL ? entry->after.currency.code : entry->before.currency.code;
    struct gt_str before = figure_money_text(entry->before_nano, arena), after = figure_money_text(entry->after_nano, arena);
    if (entry->before_nano != 0 && entry->after_nano != 0)
        return arena_printf(arena, "%.*s · %.*s → %.*s %s", GT_STR_ARG(text), GT_STR_ARG(before), GT_STR_ARG(after), currency);
    if (entry->before_nano == 0 && entry->after_nano == 0) return text;
    return arena_printf(arena, "%.*s · %.*s %s", GT_STR_ARG(text), GT_STR_ARG(entry->after_nano != 0 ? after : before), currency);
}

/* An event's page is its offer's, else its site's, else the changes. */
static struct gt_str entry_link(const struct web_view *view, const struct change *change)
{
    if (change->offer_id != 0) return web_link(view, "/offer", WEB_ID, figure_count_text((int64_t)change->offer_id, view->arena));
    return change->site.len > 0 ? web_link(view, "/platform", WEB_SITE, change->site) : web_link(view, "/changes", WEB_Q, GT_STR(""));
}

static void entry_id(struct feed *feed, const struct told_entry *entry)
{
    enum { EVENT_ID_DIGITS = 32 };
    const struct change *change = &entry->priced.change;
    struct arena *arena = feed->view->arena;
    if (entry->event != NULL && entry->event->id.len == EVENT_ID_DIGITS) put_name(feed, entry->event->id.ptr);
    else put_id(feed, arena_printf(arena, "%.*s %" PRIu64 " %" PRIu64 " %d %" PRId64, GT_STR_ARG(change->site), change->seq, change->offer_id,
                                   (int)change->kind, change->t_unix_s));
}

/* Told as an alert or seen as a change, one thing is one entry. */
static void entry_write(struct feed *feed, const struct told_entry *entry)
{
    const struct change *change = &entry->priced.change;
    struct gt_str title = entry->is_event_alone ? change->detail : entry_title(feed, &entry->priced);
    struct gt_str kind = entry->is_event_alone ? entry->event->what : gt_str_from(word_text(VOCABULARY_CHANGE, (int)change->kind));
    out_text(&feed->out, "<entry>\n");
    entry_id(feed, entry);
    put_element(feed, "<title>", title, "</title>\n");
    put_time(feed, "updated", change->t_unix_s);
    put_element(feed, "<link rel=\"alternate\" type=\"text/html\" href=\"", entry_link(feed->view, change), "\"/>\n");
    if (sink_is_link(entry->priced.url)) put_element(feed, "<link rel=\"via\" href=\"", entry->priced.url, "\"/>\n");
    put_element(feed, "<category term=\"", kind, "\"/>\n");
    struct gt_str detail = label_sentence(feed->view->arena, feed->view->input.lang, change->detail);
    put_element(feed, "<summary>", detail.len > 0 ? detail : title, "</summary>\n</entry>\n");
}

/* Addresses are relative: the server does not know by which name the world reaches it (RFC 4287, 2 allows IRI references). */
static enum gt_err feed_write(struct feed *feed, const struct told_list *list, bool is_sample)
{
    enum gt_lang lang = feed->view->input.lang;
    size_t count = list->count < WEB_FEED_ENTRIES_MAX ? list->count : WEB_FEED_ENTRIES_MAX;
    int64_t updated = list->count > 0 ? told_list_time(list, list->count - 1) : feed->view->input.now_unix_s;
    out_printf(&feed->out, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:lang=\"%s\">\n",
               lang_name(lang));
    put_id(feed, GT_STR("gputape changes"));
    put_element(feed, is_sample ? "<title>" STORE_SAMPLE_NOTICE " · " : "<title>", web_word(lang, WEB_WORD_FEED_TITLE), "</title>\n");
    put_time(feed, "updated", updated);
    out_text(&feed->out, "<author><name>gputape</name></author>\n<generator version=\"" GPUTAPE_VERSION "\">gputape</generator>\n");
    put_element(feed, "<link rel=\"self\" type=\"application/atom+xml\" href=\"",
                web_request_key(feed->view->request, 0, feed->view->arena), "\"/>\n");
    put_element(feed, "<link rel=\"alternate\" type=\"text/html\" href=\"", web_link(feed->view, "/changes", WEB_Q, feed->view->input.query_text),
                "\"/>\n");
    for (size_t i = 0; i < count; i++) {
        struct told_entry entry;
        if (told_list_entry(list, list->count - 1 - i, feed->view->arena, &entry) != GT_OK) return GT_ENOMEM;
        entry_write(feed, &entry);
    }
    out_text(&feed->out, "</feed>\n");
    return GT_OK;
}

/* A window of days, not a number of entries: a day with many changes must not push out the one before unread. */
static enum gt_err feed_render(const struct web_view *view, FILE *file, struct gt_errinfo *info)
{
    struct feed feed = {.out = {.file = file}, .view = view};
    struct web_board read;
    struct change_list changes;
    struct told_list list;
    bool is_sample = false;
    const struct report_input *input = &view->input;
    struct board_view board_view = board_view_from(input, input->now_unix_s);
    int64_t until = input->now_unix_s + 1, since = until - WEB_FEED_DAYS * (int64_t)CIVIL_DAY_S;
    enum gt_err err = web_board_read(view, input, &read, info);
    if (err == GT_OK) err = store_is_sample(input->store, &is_sample, info);
    if (err == GT_OK) err = change_list_read(input->store, since, until, &board_view, &read.rows, view->arena, &changes, info);
    if (err == GT_OK) err = told_list_read(input->store, since, until, &changes, input->lang, view->arena, &list, info);
    if (err == GT_OK) err = feed_write(&feed, &list, is_sample);
    return err == GT_OK ? out_done(&feed.out, info) : err;
}

const struct web_route web_route_feed = {
    .path = "/feed.atom",
    .kind = WEB_KIND_TEXT,
    .media_type = "application/atom+xml; charset=utf-8",
    .params = WEB_BIT(Q) | WEB_BIT(PERSONA) | WEB_BIT(CURRENCY),
    .report = &report_changes,
    .render = feed_render,
};
