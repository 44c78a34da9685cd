/* The history that stands for dropped pages: found again by what the packs say, read back as it was written, and not believed when it is not whole. */
#include "common/file.h"
#include "crawler/archive.h"
#include "crawler/archive_history.h"
#include "tests/unit/crawler/folder.h"
#include "tests/unit/crawler/month.h"
#include "tests/unit/table.h"

enum { OCTOBER = 1790899200, PIECE_BYTES = 1024 * 1024, TEXT_BYTES_MAX = 4 * PIECE_BYTES };

static const struct gt_clock october = {.is_fixed = true, .fixed_unix_s = OCTOBER};

/* How the history is written, and what becomes of it. `by_hand`: record by record, with files that end early. */
static const struct row {
    const char *name;
    size_t bytes;
    bool by_hand, is_thinned, has_action;
    int64_t more_records; /* that the action speaks of */
    enum gt_err want;
} rows[] = {{"in one record", 1000, false, true, true, 0, GT_OK},
            {"in several", 3 * PIECE_BYTES + 77, false, true, true, 0, GT_OK},
            {"that goes on in other files", 3 * PIECE_BYTES + 77, true, true, true, 0, GT_OK},
            {"that no pack speaks of", 1000, false, false, true, 0, GT_ENOENT},
            {"without its action", 1000, true, true, false, 0, GT_ECORRUPT},
            {"that lacks a record", 2 * PIECE_BYTES, true, true, true, 1, GT_ECORRUPT},
            {"that has one too many", 2 * PIECE_BYTES, true, true, true, -1, GT_ECORRUPT}};

/* No byte is like the one before it, and no piece like another. */
static void text_fill(char *text, size_t len)
{
    uint32_t state = 20261002;
    for (size_t i = 0; i < len; i++) {
        state = state * 1664525u + 1013904223u;
        text[i] = (char)('a' + (state >> 24) % 26);
    }
}

static enum gt_err text_print(void *ctx, FILE *file, struct gt_errinfo *info)
{
    const struct gt_str *text = ctx;
    (void)info;
    return fwrite(text->ptr, 1, text->len, file) == text->len ? GT_OK : GT_EIO;
}

/* As archive_history_put does, into files of at most a piece, and with an action that may be wrong or missing. */
static void write_by_hand(const char *folder, const struct row *row, struct gt_str text, struct warc_place *first, struct archive_action *action)
{
    struct warc_writer *writer = NULL;
    struct warc_place place;
    struct gt_errinfo info = {0};
    struct warc_settings settings = {.folder = folder, .clock = &october, .software = "test", .file_bytes_max = PIECE_BYTES / 2};
    assert_int_equal(warc_writer_open(&settings, &writer, NULL, &info), GT_OK);
    for (size_t at = 0; at < text.len; at += PIECE_BYTES) {
        struct warc_record record = {.type = WARC_RESOURCE,
                                     .target_uri = GT_STR(ARCHIVE_HISTORY_URI),
                                     .t_unix_s = OCTOBER,
                                     .body = gt_str_slice(text, at, PIECE_BYTES)};
        assert_int_equal(warc_write(writer, &record, &place, &info), GT_OK);
        if (action->records++ == 0) *first = place;
    }
    action->records += row->more_records;
    action->file = gt_str_from(first->file);
    action->offset = first->offset;
    if (row->has_action) assert_int_equal(archive_action_write(writer, action, &place, &info), GT_OK);
    assert_int_equal(warc_writer_sync(writer, &info), GT_OK);
    warc_writer_close(writer);
}

static bool goes(void *ctx, const struct warc_entry *entry)
{
    (void)ctx;
    (void)entry;
    return true;
}

static void packed(void *ctx, const struct archive_packed *pack)
{
    snprintf(ctx, WARC_NAME_MAX, "%s", pack->pack);
}

/* The month's pages go, for the history. */
static void pages_drop(const char *folder, const struct archive_action *action)
{
    char name[WARC_NAME_MAX], from[FOLDER_PATH_MAX + WARC_NAME_MAX], to[FOLDER_PATH_MAX + WARC_NAME_MAX];
    const struct pack_history history = {action->file, action->offset};
    struct pack_made made;
    struct gt_errinfo info = {0};
    assert_int_equal(archive_pack(folder, OCTOBER, packed, name, &info), GT_OK);
    snprintf(from, sizeof from, "%s/%s", folder, name);
    snprintf(to, sizeof to, "%s/thin", folder);
    assert_int_equal(pack_thin(from, to, OCTOBER, &history, goes, NULL, &made, &info), GT_OK);
    assert_int_equal(rename(to, from), 0);
}

/* Twice from its beginning, as a rebuild reads it: once to fill, once to compare. */
static void check_text(const char *folder, const struct archive_action *action, struct gt_str want)
{
    static char have[TEXT_BYTES_MAX];
    FILE *file = NULL;
    struct gt_errinfo info = {0};
    assert_int_equal(archive_history_open(folder, action, &file, &info), GT_OK);
    for (int i = 0; i < 2; i++) {
        rewind(file);
        assert_int_equal(fread(have, 1, sizeof have, file), want.len);
        assert_memory_equal(have, want.ptr, want.len);
        assert_true(feof(file) && !ferror(file));
    }
    fclose(file);
}

static void check_history(void **state)
{
    static char bytes[TEXT_BYTES_MAX];
    const struct row *row = *state;
    char folder[FOLDER_PATH_MAX];
    struct gt_str text = {bytes, row->bytes};
    struct warc_place first = {.offset = 0};
    struct archive_action action = {.kind = ACTION_DROP, .t_unix_s = OCTOBER, .until_unix_s = OCTOBER}, found;
    struct archive_mark mark;
    struct gt_errinfo info = {0};
    struct arena *arena = arena_new(1 << 20);
    text_fill(bytes, row->bytes);
    folder_make(folder);
    assert_true(month_write(folder, 1, 3, false) > 0);
    if (row->by_hand) write_by_hand(folder, row, text, &first, &action);
    else assert_int_equal(archive_history_put(folder, &october, text_print, &text, arena, &action, &info), GT_OK);
    if (row->is_thinned) pages_drop(folder, &action);
    assert_int_equal(archive_history_find(folder, arena, &found, &mark, &info), row->want);
    if (row->want == GT_OK) {
        assert_true(gt_str_eq(found.file, action.file) && found.offset == action.offset && found.records == action.records);
        check_text(folder, &found, text);
    }
    arena_free(arena);
    folder_remove(folder);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(rows, check_history);
}
