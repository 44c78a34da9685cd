/* Which months are packed, and what is deleted when. The order is all: the pack is durable under its name, its name is durable in the
 * folder, and only then the files go. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/file.h"
#include "crawler/archive.h"
#include "crawler/warc_files.h"

enum { MONTH_DIGITS = 6 };

/* Everything a call works with. */
struct packing {
    const char *folder;
    struct archive *archive;
    archive_packed_fn *fn;
    void *ctx;
    struct gt_errinfo *info;
    bool has_failed;
};

/* Takes unfinished packs away: the sources are all there. */
static enum gt_err leftovers_remove(const char *folder, struct gt_errinfo *info)
{
    DIR *dir = opendir(folder);
    if (dir == NULL) return errno == ENOENT ? GT_OK : file_fail(info, "cannot read the folder", folder);
    struct dirent *entry;
    while ((entry = readdir(dir)) != NULL) {
        struct gt_str name = gt_str_from(entry->d_name);
        if (gt_str_starts(name, GT_STR("gputape-")) && gt_str_ends(name, GT_STR(".pack.tmp")))
            unlinkat(dirfd(dir), entry->d_name, 0);
    }
    closedir(dir);
    return GT_OK;
}

/* One source file against what the pack would give for it. */
static bool is_same(struct archive *archive, struct pack *pack, const struct pack_file *packed)
{
    struct strbuf there, here;
    struct gt_errinfo info = {0};
    int64_t at = 0, next_there = 0, next_here = 0;
    bool is_good = true;
    strbuf_init(&there, 2 * WARC_BLOCK_BYTES_MAX);
    strbuf_init(&here, 2 * WARC_BLOCK_BYTES_MAX);
    for (; is_good && at < packed->bytes; at = next_there) {
        strbuf_clear(&there);
        strbuf_clear(&here);
        is_good = pack_read(pack, packed, at, PACK_MEMBER, &there, &next_there, &info) == GT_OK &&
                  archive_member(archive, packed->name, at, &here, &next_here, &info) == GT_OK &&
                  gt_str_eq(strbuf_str(&there), strbuf_str(&here));
    }
    strbuf_done(&there);
    strbuf_done(&here);
    return is_good;
}

/* After a crash between naming a pack and deleting its sources, they lie there still. They are deleted now, each one compared first: a file
 * that differs stays, and is the one that is read. */
static enum gt_err doubles_remove(struct packing *job)
{
    size_t pack_count, file_count;
    const struct archive_pack_file *packs = archive_packs(job->archive, &pack_count);
    const struct archive_file *files = archive_files(job->archive, &file_count);
    enum gt_err err = GT_OK;
    for (size_t p = 0; p < pack_count && err == GT_OK; p++) {
        char path[ARCHIVE_PATH_MAX];
        struct pack *pack = NULL;
        snprintf(path, sizeof path, "%s/%.*s", job->folder, GT_STR_ARG(packs[p].name));
        if (packs[p].fault.len > 0) continue;
        err = pack_open(path, &pack, job->info);
        for (size_t i = 0; err == GT_OK && i < file_count; i++) {
            const struct pack_file *packed = files[i].pack.len == 0 ? pack_file_find(pack, files[i].name) : NULL;
            if (packed == NULL || packed->bytes != files[i].bytes || !is_same(job->archive, pack, packed)) continue;
            snprintf(path, sizeof path, "%s/%.*s", job->folder, GT_STR_ARG(files[i].name));
            if (unlink(path) != 0) err = file_fail(job->info, "cannot delete", path);
        }
        pack_close(pack);
    }
    return err;
}

/* Tells a month's end, or why it was left alone. */
static void tell(struct packing *job, const char *pack, const struct pack_made *made, const char *error)
{
    struct archive_packed packed = {.error = gt_str_from(error)};
    snprintf(packed.pack, sizeof packed.pack, "%s", pack);
    if (made != NULL) packed.made = *made;
    job->has_failed = job->has_failed || error != NULL;
    job->fn(job->ctx, &packed);
}

/* Packs the files of one month under a temporary name, gives it its name, deletes the files. */
static enum gt_err month_pack(struct packing *job, const char *const *names, size_t count)
{
    struct warc_name first, last;
    struct pack_made made;
    char name[WARC_NAME_MAX], path[ARCHIVE_PATH_MAX], temporary[ARCHIVE_PATH_MAX + 8];
    if (!warc_name_parse(names[0], &first) || !warc_name_parse(names[count - 1], &last)) return GT_EINTERNAL;
    snprintf(name, sizeof name, "gputape-%.6s-%05u-%05u.pack", first.timestamp, first.serial, last.serial);
    snprintf(path, sizeof path, "%s/%s", job->folder, name);
    snprintf(temporary, sizeof temporary, "%s.tmp", path);
    if (access(path, F_OK) == 0) {
        tell(job, name, NULL, "a pack of that name is there already");
        return GT_OK;
    }
    enum gt_err err = pack_make(job->folder, names, count, temporary, &made, job->info);
    if (err == GT_ECORRUPT || err == GT_EINTERNAL || err == GT_ELIMIT) {
        tell(job, name, NULL, job->info->text);
        return GT_OK;
    }
    if (err == GT_OK && rename(temporary, path) != 0) err = file_fail(job->info, "cannot name", path);
    if (err == GT_OK) err = file_sync_folder_of(path, job->info);
    for (size_t i = 0; i < count && err == GT_OK; i++) {
        char source[ARCHIVE_PATH_MAX];
        snprintf(source, sizeof source, "%s/%s", job->folder, names[i]);
        if (unlink(source) != 0) err = file_fail(job->info, "cannot delete", source);
    }
    if (err == GT_OK) tell(job, name, &made, NULL);
    return err;
}

/* The files of a month, one run of them after the other in order of serial. */
static enum gt_err months_pack(struct packing *job, int64_t now_unix_s)
{
    size_t count, used = 0;
    char now[15];
    const struct archive_file *files = archive_files(job->archive, &count);
    const char **names = calloc(count + 1, sizeof *names);
    if (names == NULL) return gt_fail(job->info, GT_ENOMEM, "out of memory");
    enum gt_err err = GT_OK;
    struct warc_name name, month = {.serial = 0};
    warc_timestamp(now_unix_s, now);
    for (size_t i = 0; i < count && err == GT_OK; i++) {
        bool is_open =
            !warc_name_parse(files[i].name.ptr, &name) || memcmp(name.timestamp, now, MONTH_DIGITS) >= 0 || files[i].pack.len > 0;
        bool is_other = used > 0 && memcmp(name.timestamp, month.timestamp, MONTH_DIGITS) != 0;
        if (used > 0 && (is_open || is_other)) {
            err = month_pack(job, names, used);
            used = 0;
        }
        month = name;
        if (!is_open) names[used++] = files[i].name.ptr;
    }
    if (err == GT_OK && used > 0) err = month_pack(job, names, used);
    free(names);
    return err;
}

/* Leftovers and doubles of a pack that was interrupted go first; then the archive is opened anew, as it is by then. */
enum gt_err archive_pack(const char *folder, int64_t now_unix_s, archive_packed_fn *fn, void *ctx, struct gt_errinfo *info)
{
    struct packing job = {.folder = folder, .fn = fn, .ctx = ctx, .info = info};
    enum gt_err err = leftovers_remove(folder, info);
    if (err == GT_OK) err = archive_open(folder, &job.archive, info);
    if (err == GT_OK) err = doubles_remove(&job);
    archive_close(job.archive);
    job.archive = NULL;
    if (err == GT_OK) err = archive_open(folder, &job.archive, info);
    if (err == GT_OK) err = months_pack(&job, now_unix_s);
    archive_close(job.archive);
    if (err == GT_OK && job.has_failed) err = gt_fail(info, GT_ECORRUPT, "some months were left as they are");
    return err;
}
