/* Packed months: what comes out is what went in, whatever is killed, cut or turned on the way. */
#include "crawler/pack.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/file.h"
#include "crawler/archive.h"
#include "crawler/deflate_twin.h"
#include "crawler/dropped.h"
#include "crawler/pack_fold.h"
#include "crawler/warc_fields.h"
#include "crawler/warc_files.h"
#include "tests/unit/crawler/folder.h"
#include "tests/unit/crawler/month.h"
#include "tests/unit/table.h"

enum { HOURS = 60, SITES = 2, KILLS = 40, FLIPS = 300, OCTOBER = 1790899200 };

/* All members of the archive, one behind the other; malloc'ed. */
static char *archive_bytes(const char *folder, size_t *ret_len)
{
    struct archive *archive = NULL;
    struct gt_errinfo info = {0};
    struct strbuf all;
    size_t count;
    assert_int_equal(archive_open(folder, &archive, &info), GT_OK);
    const struct archive_file *files = archive_files(archive, &count);
    strbuf_init(&all, SIZE_MAX / 2);
    for (size_t i = 0; i < count; i++)
        for (int64_t at = 0, next = 0; at < files[i].bytes; at = next)
            assert_int_equal(archive_member(archive, files[i].name, at, &all, &next, &info), GT_OK);
    archive_close(archive);
    *ret_len = all.len;
    return strbuf_take(&all);
}

static void tell_nobody(void *ctx, const struct archive_packed *packed)
{
    *(struct archive_packed *)ctx = *packed;
}

/* ---- there and back ---- */

static const struct back_row {
    const char *name;
    bool is_gzip;
    int times_smaller;
} backs[] = {{"pages as they are", false, 15}, {"pages that the server packed", true, 15}};

static void check_back(void **state)
{
    const struct back_row *row = *state;
    char folder[FOLDER_PATH_MAX];
    size_t before_len, after_len;
    struct archive_packed packed = {.error = {NULL, 0}};
    struct gt_errinfo info = {0};
    folder_make(folder);
    assert_true(month_write(folder, SITES, HOURS, row->is_gzip) > 0);
    char *before = archive_bytes(folder, &before_len);
    assert_int_equal(archive_pack(folder, MONTH_START + 3600, tell_nobody, &packed, &info), GT_OK);
    assert_int_equal(packed.made.records, 0); /* the month is not over */
    assert_int_equal(archive_pack(folder, OCTOBER, tell_nobody, &packed, &info), GT_OK);
    assert_int_equal(packed.made.verbatim, 0);
    print_message("# %lld bytes in %lld\n", (long long)packed.made.source_bytes, (long long)packed.made.pack_bytes);
    assert_true(packed.made.pack_bytes * row->times_smaller < packed.made.source_bytes);
    char *after = archive_bytes(folder, &after_len);
    assert_int_equal(after_len, before_len);
    assert_memory_equal(after, before, before_len);
    free(before);
    free(after);
    folder_remove(folder);
}

/* ---- thinned ---- */

enum { WHO_NOBODY, WHO_FIRST, WHO_ALL };

static const struct thin_row {
    const char *name;
    bool is_gzip;
    int goes;
    size_t dropped;
} thins[] = {{"nothing goes", false, WHO_NOBODY, 0},
             {"the pages that the others are packed against", true, WHO_FIRST, SITES},
             {"every page", false, WHO_ALL, (size_t)SITES * HOURS},
             {"every page, of a server that packs", true, WHO_ALL, (size_t)SITES * HOURS}};

/* A month's first pages are of its first minute. */
static bool goes(void *ctx, const struct warc_entry *entry)
{
    const struct thin_row *row = ctx;
    bool is_first = fields_time(entry->head, "WARC-Date", INT64_MAX) < MONTH_START + CIVIL_MINUTE_S;
    return row->goes == WHO_ALL || (row->goes == WHO_FIRST && is_first);
}

/* One record of the old pack against what the new one has in its place. */
struct thin_check {
    struct pack *made;
    size_t same, noted;
};

static enum gt_err thin_look(void *ctx, const struct pack_file *file, const struct pack_entry *entry, struct gt_str unfolded)
{
    struct thin_check *check = ctx;
    struct strbuf have, plain;
    struct gt_errinfo info = {0};
    struct warc_entry before, after;
    int64_t next;
    strbuf_init(&have, WARC_BLOCK_BYTES_MAX);
    strbuf_init(&plain, WARC_BLOCK_BYTES_MAX);
    assert_int_equal(record_fold_plain(unfolded, &plain), GT_OK);
    assert_int_equal(pack_read(check->made, pack_file_find(check->made, file->name), entry->offset, PACK_PLAIN, &have, &next, &info), GT_OK);
    assert_int_equal(next, entry->offset + entry->member_len);
    assert_true(warc_entry_parse(strbuf_str(&plain), &before) && warc_entry_parse(strbuf_str(&have), &after));
    assert_true(gt_str_eq(before.record_id, after.record_id) && gt_str_eq(before.target_uri, after.target_uri));
    check->same += gt_str_eq(strbuf_str(&have), strbuf_str(&plain));
    if (dropped_is(&after) && !dropped_is(&before)) {
        check->noted++;
        assert_true(gt_str_eq(dropped_digest(&after), dropped_digest(&before)) && warc_entry_check(&after));
        assert_int_equal(dropped_fail(&after, &info), GT_ENOENT);
        assert_string_equal(info.text, "page dropped by retention on 2026-10-02; its records are kept");
    }
    strbuf_done(&have);
    strbuf_done(&plain);
    return GT_OK;
}

/* Thins twice: the second time there is nothing left to take, and the bytes are the same. */
static void check_thin(void **state)
{
    const struct thin_row *row = *state;
    char folder[FOLDER_PATH_MAX], from[256], to[256], again[256], *first, *second;
    size_t first_len, second_len;
    struct archive_packed packed = {.error = {NULL, 0}};
    struct pack_made made, twice;
    struct pack *old = NULL;
    struct thin_check check = {NULL, 0, 0};
    const struct pack_history history = {GT_STR("gputape-20261002000000-00002-host.warc.gz"), 4711};
    struct pack_history found;
    struct gt_errinfo info = {0};
    folder_make(folder);
    assert_true(month_write(folder, SITES, HOURS, row->is_gzip) > 0);
    assert_int_equal(archive_pack(folder, OCTOBER, tell_nobody, &packed, &info), GT_OK);
    snprintf(from, sizeof from, "%s/%s", folder, packed.pack);
    snprintf(to, sizeof to, "%s/thin", folder);
    snprintf(again, sizeof again, "%s/again", folder);
    union { const void *in; void *out; } ctx = {row};
    assert_int_equal(pack_thin(from, to, OCTOBER, &history, goes, ctx.out, &made, &info), GT_OK);
    assert_int_equal(made.dropped, row->dropped);
    assert_int_equal(made.records, packed.made.records);
    assert_true(made.pack_bytes * 10 < packed.made.pack_bytes * 11); /* also when what stays has lost what it was packed against */
    print_message("# %lld bytes packed, %lld thinned, %zu records\n", (long long)packed.made.pack_bytes, (long long)made.pack_bytes, made.records);
    assert_int_equal(pack_thin(from, to, OCTOBER, &history, goes, ctx.out, &twice, &info), GT_EEXIST);
    assert_int_equal(pack_open(from, &old, &info), GT_OK);
    assert_int_equal(pack_open(to, &check.made, &info), GT_OK);
    assert_int_equal(pack_dropped(check.made, &found), row->dropped);
    assert_true(row->dropped == 0 ? found.file.len == 0 : gt_str_eq(found.file, history.file) && found.offset == history.offset);
    assert_int_equal(pack_walk(old, thin_look, &check, &info), GT_OK);
    assert_int_equal(check.noted, row->dropped);
    assert_int_equal(check.same, made.records - row->dropped);
    pack_close(old);
    pack_close(check.made);
    assert_int_equal(pack_thin(to, again, OCTOBER, &history, goes, ctx.out, &twice, &info), GT_OK);
    assert_int_equal(file_read(to, SIZE_MAX / 4, &first, &first_len, &info), GT_OK);
    assert_int_equal(file_read(again, SIZE_MAX / 4, &second, &second_len, &info), GT_OK);
    assert_int_equal(first_len, second_len);
    assert_memory_equal(first, second, first_len);
    free(first);
    free(second);
    folder_remove(folder);
}

/* ---- kills ---- */

static const struct kill_row {
    const char *name;
    unsigned step_us;
} kills[] = {{"killed early", 300}, {"killed late", 3000}};

/* Packs in a child that is killed after a while; the archive must read the same after each kill, and a last call ends it. */
static void check_kill(void **state)
{
    const struct kill_row *row = *state;
    char folder[FOLDER_PATH_MAX];
    size_t before_len, after_len;
    struct archive_packed packed = {.error = {NULL, 0}};
    struct gt_errinfo info = {0};
    folder_make(folder);
    assert_true(month_write(folder, 1, 12, true) > 0);
    char *before = archive_bytes(folder, &before_len);
    for (unsigned i = 0; i < KILLS; i++) {
        pid_t child = fork();
        if (child == 0) {
            archive_pack(folder, OCTOBER, tell_nobody, &packed, &info);
            _exit(0);
        }
        usleep(1 + i * row->step_us);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        char *after = archive_bytes(folder, &after_len);
        assert_int_equal(after_len, before_len);
        assert_memory_equal(after, before, before_len);
        free(after);
    }
    assert_int_equal(archive_pack(folder, OCTOBER, tell_nobody, &packed, &info), GT_OK);
    DIR *dir = opendir(folder);
    struct dirent *entry;
    int names = 0;
    while ((entry = readdir(dir)) != NULL) names += entry->d_name[0] != '.';
    closedir(dir);
    assert_int_equal(names, 1); /* the pack, and nothing beside it */
    char *after = archive_bytes(folder, &after_len);
    assert_int_equal(after_len, before_len);
    assert_memory_equal(after, before, before_len);
    free(after);
    free(before);
    folder_remove(folder);
}

/* ---- damage ---- */

enum damage { DAMAGE_FLIP, DAMAGE_CUT };

static const struct damage_row {
    const char *name;
    enum damage kind;
    bool is_thin;
} damages[] = {{"a bit turned", DAMAGE_FLIP, false},
               {"cut short", DAMAGE_CUT, false},
               {"a bit turned in a thinned one", DAMAGE_FLIP, true},
               {"a thinned one cut short", DAMAGE_CUT, true}};

/* The first page goes; the pack of before is replaced. */
static void thin_some(const char *folder, char path[256])
{
    static const struct thin_row first = {"", true, WHO_FIRST, 0};
    union { const void *in; void *out; } ctx = {&first};
    const struct pack_history history = {GT_STR("gputape-20261002000000-00002-host.warc.gz"), 4711};
    struct pack_made made;
    struct gt_errinfo info = {0};
    char thin[256];
    snprintf(thin, sizeof thin, "%s/thin", folder);
    assert_int_equal(pack_thin(path, thin, OCTOBER, &history, goes, ctx.out, &made, &info), GT_OK);
    assert_true(made.dropped > 0);
    assert_int_equal(rename(thin, path), 0);
}

static enum gt_err walk_on(void *ctx, const struct pack_file *file, const struct pack_entry *entry, struct gt_str unfolded)
{
    (void)file;
    (void)entry;
    uint64_t *hash = ctx; /* FNV-1a */
    for (size_t i = 0; i < unfolded.len; i++) *hash = (*hash ^ (unsigned char)unfolded.ptr[i]) * UINT64_C(1099511628211);
    return GT_OK;
}

static void write_file(const char *path, struct gt_str bytes)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes.ptr, 1, bytes.len, file), bytes.len);
    assert_int_equal(fclose(file), 0);
}

/* Each damage is an error, never a crash, and never another record. A bit that means nothing (zstd's frame header has some that its decoder passes
 * over) may be turned: what is read is the same then. */
static void check_damage(void **state)
{
    const struct damage_row *row = *state;
    char folder[FOLDER_PATH_MAX], path[256], *bytes;
    size_t len;
    uint64_t whole = 0, walked;
    struct pack *good = NULL;
    struct archive_packed packed = {.error = {NULL, 0}};
    struct gt_errinfo info = {0};
    folder_make(folder);
    assert_true(month_write(folder, 1, 12, true) > 0);
    assert_int_equal(archive_pack(folder, OCTOBER, tell_nobody, &packed, &info), GT_OK);
    snprintf(path, sizeof path, "%s/%s", folder, packed.pack);
    if (row->is_thin) thin_some(folder, path);
    assert_int_equal(file_read(path, SIZE_MAX / 4, &bytes, &len, &info), GT_OK);
    assert_int_equal(pack_open(path, &good, &info), GT_OK);
    assert_int_equal(pack_walk(good, walk_on, &whole, &info), GT_OK);
    pack_close(good);
    for (size_t i = 0; i < FLIPS; i++) {
        size_t at = len * i / FLIPS;
        char kept = bytes[at];
        struct pack *pack = NULL;
        if (row->kind == DAMAGE_FLIP) bytes[at] = (char)(bytes[at] ^ 1 << i % 8);
        struct gt_str written = {bytes, row->kind == DAMAGE_FLIP ? len : at};
        write_file(path, written);
        enum gt_err err = pack_open(path, &pack, &info);
        walked = 0;
        if (err == GT_OK) err = pack_walk(pack, walk_on, &walked, &info);
        bool is_same = err == GT_OK && row->kind == DAMAGE_FLIP && walked == whole;
        pack_close(pack);
        if (!is_same && err != GT_ECORRUPT && err != GT_EFORMAT) print_error("# byte %zu of %zu: %s\n", at, len, gt_err_text(err));
        assert_true(is_same || err == GT_ECORRUPT || err == GT_EFORMAT);
        bytes[at] = kept;
    }
    free(bytes);
    folder_remove(folder);
}

/* ---- streams made again ---- */

static const struct twin_row {
    const char *name;
    int level, window_bits, mem_level;
    bool is_found;
} twins[] = {{"nginx and Python", 6, 31, 8, true},
             {"the best that zlib can", 9, 31, 8, true},
             {"the fastest", 1, 31, 8, true},
             {"an unusual memory level", 6, 31, 3, false}};

static void check_twin(void **state)
{
    const struct twin_row *row = *state;
    struct strbuf plain, again;
    struct deflate_recipe recipe = {.maker = DEFLATE_BY_NOBODY};
    struct month_page page;
    static Bytef packed[MONTH_PAGE_BYTES_MAX];
    strbuf_init(&plain, MONTH_PAGE_BYTES_MAX);
    strbuf_init(&again, MONTH_PAGE_BYTES_MAX);
    month_begin(7, &page);
    month_print(&page, 7, MONTH_START, &plain);
    z_stream stream = {.next_in = (Bytef *)plain.ptr, .avail_in = (uInt)plain.len, .next_out = packed, .avail_out = sizeof packed};
    assert_int_equal(deflateInit2(&stream, row->level, Z_DEFLATED, row->window_bits, row->mem_level, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    struct gt_str member = {(char *)packed, stream.total_out};
    deflateEnd(&stream);
    struct gt_str raw = gt_str_slice(member, gzip_header_len(member), member.len - gzip_header_len(member) - 8);
    assert_int_equal(deflate_recipe_find(raw, strbuf_str(&plain), &recipe), row->is_found);
    if (row->is_found) {
        assert_int_equal(deflate_remake(&recipe, strbuf_str(&plain), &again), GT_OK);
        assert_true(gt_str_eq(strbuf_str(&again), raw));
    }
    strbuf_done(&plain);
    strbuf_done(&again);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(backs, check_back) + TABLE_RUN(thins, check_thin) + TABLE_RUN(kills, check_kill) + TABLE_RUN(damages, check_damage) + TABLE_RUN(twins, check_twin);
}
