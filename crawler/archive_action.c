#include "crawler/archive_action.h"

#include <stdio.h>

#include "crawler/warc_fields.h"
#include "net/header.h"

/* Sections are no web pages; a scheme of our own keeps them apart from everything that was fetched. */
static const char section_uri[] = "gputape:site/";

static const char *const words[ACTION_KINDS] = {"void", "release", "silence", "import", "publish", "drop-pages"};

const char *archive_action_word(enum archive_action_kind kind)
{
    return words[kind];
}

/* The offer's printed words, each in a field of its own. */
static void identity_add(struct strbuf *out, const struct offer_identity *identity)
{
    fields_add(out, "gputape-part", identity->part);
    fields_add(out, "gputape-label", identity->label);
    fields_add(out, "gputape-plan", identity->plan);
    fields_add(out, "gputape-region", identity->region);
    fields_add(out, "gputape-variant", identity->variant);
    fields_add(out, "gputape-key", identity->key);
}

/* Words, not numbers: a store that is rebuilt has other numbers, and the action must find its offer again. */
enum gt_err archive_action_write(struct warc_writer *writer, const struct archive_action *action, struct warc_place *ret_place,
                                 struct gt_errinfo *info)
{
    struct strbuf fields;
    strbuf_init(&fields, WARC_FIELDS_BYTES_MAX);
    fields_add(&fields, "gputape-outcome", GT_STR("action"));
    fields_add(&fields, "gputape-action", gt_str_from(words[action->kind]));
    fields_add_time(&fields, "gputape-time", action->t_unix_s);
    fields_add(&fields, "gputape-site", action->site);
    identity_add(&fields, &action->identity);
    if (action->kind == ACTION_VOID) fields_add_time(&fields, "gputape-run-start", action->run_start_unix_s);
    fields_add(&fields, "gputape-rule", action->rule);
    if (action->kind == ACTION_SILENCE || action->kind == ACTION_DROP) fields_add_time(&fields, "gputape-until", action->until_unix_s);
    fields_add(&fields, "gputape-file", action->file);
    if (action->kind == ACTION_DROP) {
        fields_add_number(&fields, "gputape-offset", action->offset);
        fields_add_number(&fields, "gputape-records", action->records);
        fields_add_number(&fields, "gputape-pages", action->pages);
        fields_add_number(&fields, "gputape-bytes", action->bytes);
    }
    fields_add(&fields, "gputape-file-sha256", action->file_sha256);
    fields_add(&fields, "gputape-reason", action->reason);
    fields_add(&fields, "gputape-week", action->week);
    fields_add(&fields, "gputape-week-head", action->head);
    fields_add(&fields, "gputape-week-rows", action->rows);
    struct warc_record record = {.type = WARC_METADATA,
                                 .t_unix_s = action->t_unix_s,
                                 .content_type = GT_STR("application/warc-fields"),
                                 .body = strbuf_str(&fields)};
    enum gt_err err =
        fields.err != GT_OK ? gt_fail(info, fields.err, "out of memory") : warc_write(writer, &record, ret_place, info);
    strbuf_done(&fields);
    return err;
}

/* Synced before the store changes: an operator's word that the archive does not have would be gone after a rebuild. */
enum gt_err archive_action_put(const char *folder, const struct gt_clock *clock, const struct archive_action *action,
                               struct gt_errinfo *info)
{
    struct warc_writer *writer = NULL;
    struct warc_place place;
    struct warc_settings settings = {.folder = folder, .clock = clock, .software = "gputape/" GPUTAPE_VERSION};
    enum gt_err err = warc_writer_open(&settings, &writer, NULL, info);
    if (err == GT_OK) err = archive_action_write(writer, action, &place, info);
    if (err == GT_OK) err = warc_writer_sync(writer, info);
    warc_writer_close(writer);
    return err;
}

/* With [defaults] above it: the section alone does not say by which rules the page was read. */
enum gt_err archive_section_write(struct warc_writer *writer, struct conf *conf, const struct conf_section *section,
                                  int64_t t_unix_s, struct arena *arena, struct warc_place *ret_place, struct gt_errinfo *info)
{
    const struct conf_section *defaults = conf_find(conf, "defaults", GT_STR(""));
    struct gt_str own = conf_section_print(section, arena),
                  above = defaults != NULL ? conf_section_print(defaults, arena) : GT_STR("");
    struct gt_str text =
        own.ptr != NULL && above.ptr != NULL ? arena_printf(arena, "%.*s%.*s", GT_STR_ARG(above), GT_STR_ARG(own)) : own;
    struct gt_str uri = arena_printf(arena, "%s%.*s", section_uri, GT_STR_ARG(conf_section_name(section)));
    if (text.ptr == NULL || uri.ptr == NULL || above.ptr == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    struct warc_record record = {.type = WARC_RESOURCE,
                                 .target_uri = uri,
                                 .t_unix_s = t_unix_s,
                                 .content_type = GT_STR("text/plain; charset=utf-8"),
                                 .body = text};
    return warc_write(writer, &record, ret_place, info);
}

bool archive_action_read(struct gt_str fields, struct archive_action *ret_action)
{
    struct gt_str word = header_find(fields, "gputape-action", 0);
    for (int kind = 0; kind < ACTION_KINDS; kind++) {
        if (!gt_str_is(word, words[kind])) continue;
        *ret_action = (struct archive_action){
            .kind = (enum archive_action_kind)kind,
            .t_unix_s = fields_time(fields, "gputape-time", 0),
            .reason = header_find(fields, "gputape-reason", 0),
            .site = header_find(fields, "gputape-site", 0),
            .identity = {.part = header_find(fields, "gputape-part", 0),
                         .label = header_find(fields, "gputape-label", 0),
                         .plan = header_find(fields, "gputape-plan", 0),
                         .region = header_find(fields, "gputape-region", 0),
                         .variant = header_find(fields, "gputape-variant", 0),
                         .key = header_find(fields, "gputape-key", 0)},
            .run_start_unix_s = fields_time(fields, "gputape-run-start", 0),
            .rule = header_find(fields, "gputape-rule", 0),
            .until_unix_s = fields_time(fields, "gputape-until", 0),
            .file = header_find(fields, "gputape-file", 0),
            .file_sha256 = header_find(fields, "gputape-file-sha256", 0),
            .offset = fields_number(fields, "gputape-offset", 0),
            .records = fields_number(fields, "gputape-records", 0),
            .pages = fields_number(fields, "gputape-pages", 0),
            .bytes = fields_number(fields, "gputape-bytes", 0),
            .week = header_find(fields, "gputape-week", 0),
            .head = header_find(fields, "gputape-week-head", 0),
            .rows = header_find(fields, "gputape-week-rows", 0),
        };
        return true;
    }
    return false;
}
