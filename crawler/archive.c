/* Files and packs behind one face. Plain files are read by the WARC reader, which knows how to go on behind damage; packed ones record by
 * record. */
#include "crawler/archive.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/file.h"
#include "crawler/warc_files.h"
#include "crawler/warc_gzip.h"

#define LIST_ARENA_MAX ((size_t)256 << 20)

struct archive {
    char *folder;
    struct arena *arena;
    struct archive_file *files;
    size_t file_count, file_cap;
    struct archive_pack_file *pack_names;
    struct pack **packs; /* opened at the beginning: their directories say what is in them. NULL: damaged */
    size_t pack_count, pack_cap;
    struct strbuf record;       /* of a pack, in plain */
    struct warc_reader *single; /* the reader of archive_read */
    struct warc_reader *reader; /* of the present file, in order */
    size_t at_file;
    int64_t at_offset;
};

/* A path in the folder; the folder's length was checked. */
static void path_print(const struct archive *archive, struct gt_str name, char ret_path[ARCHIVE_PATH_MAX])
{
    snprintf(ret_path, ARCHIVE_PATH_MAX, "%s/%.*s", archive->folder, GT_STR_ARG(name));
}

/* Serials grow from file to file, whatever the clock did. */
static int file_cmp(const void *left, const void *right)
{
    const struct archive_file *a = left, *b = right;
    struct warc_name an = {.serial = 0}, bn = {.serial = 0};
    warc_name_parse(a->name.ptr, &an);
    warc_name_parse(b->name.ptr, &bn);
    if (an.serial != bn.serial) return an.serial < bn.serial ? -1 : 1;
    int order = gt_str_cmp(a->name, b->name);
    /* of a file that is there twice, the one in the folder comes first, and stays */
    return order != 0 ? order : (int)(a->pack.len > 0) - (int)(b->pack.len > 0);
}

/* Adds a file to the list. */
static enum gt_err file_add(struct archive *archive, struct gt_str name, struct gt_str pack, int64_t bytes,
                            struct gt_errinfo *info)
{
    void *files = archive->files;
    struct gt_str kept = arena_dup(archive->arena, name);
    if (kept.ptr == NULL || !arena_grow(archive->arena, &files, archive->file_count, &archive->file_cap, sizeof *archive->files))
        return gt_fail(info, GT_ENOMEM, "out of memory");
    archive->files = files;
    archive->files[archive->file_count++] = (struct archive_file){kept, pack, bytes};
    return GT_OK;
}

/* Opens a pack and adds what it holds. */
static enum gt_err pack_add(struct archive *archive, struct gt_str name, struct gt_errinfo *info)
{
    char path[ARCHIVE_PATH_MAX];
    size_t count;
    void *names = archive->pack_names;
    struct gt_str kept = arena_dup(archive->arena, name);
    if (archive->pack_count >= ARCHIVE_PACKS_MAX)
        return gt_fail(info, GT_ELIMIT, "more than %d packs in %s", ARCHIVE_PACKS_MAX, archive->folder);
    if (kept.ptr == NULL ||
        !arena_grow(archive->arena, &names, archive->pack_count, &archive->pack_cap, sizeof *archive->pack_names))
        return gt_fail(info, GT_ENOMEM, "out of memory");
    archive->pack_names = names;
    path_print(archive, kept, path);
    struct pack *pack = NULL;
    struct gt_errinfo fault = {0};
    enum gt_err err = pack_open(path, &pack, &fault);
    struct archive_pack_file *added = &archive->pack_names[archive->pack_count];
    *added = (struct archive_pack_file){.name = kept};
    archive->packs[archive->pack_count++] = pack;
    if (err != GT_OK && !archive_is_damage(err)) return gt_fail(info, err, "%s", fault.text);
    if (err != GT_OK) {
        added->fault = arena_dup(archive->arena, gt_str_from(fault.text));
        return added->fault.ptr != NULL ? GT_OK : gt_fail(info, GT_ENOMEM, "out of memory");
    }
    const struct pack_file *files = pack_files(pack, &count);
    for (size_t i = 0; i < count && err == GT_OK; i++) err = file_add(archive, files[i].name, kept, files[i].bytes, info);
    return err;
}

/* Takes one name of the folder. Others than ours are nobody's business here. */
static enum gt_err name_add(struct archive *archive, int folder_fd, const char *name, struct gt_errinfo *info)
{
    struct warc_name warc;
    struct stat st;
    if (warc_pack_name_parse(name, NULL, NULL, NULL)) return pack_add(archive, gt_str_from(name), info);
    if (!warc_name_parse(name, &warc) || fstatat(folder_fd, name, &st, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(st.st_mode))
        return GT_OK;
    return file_add(archive, gt_str_from(name), GT_STR(""), st.st_size, info);
}

/* Lists the folder, sorts, and drops what is there twice. */
static enum gt_err list(struct archive *archive, struct gt_errinfo *info)
{
    size_t kept = 0;
    enum gt_err err = GT_OK;
    DIR *dir = opendir(archive->folder);
    if (dir == NULL && errno == ENOENT) return GT_OK;
    if (dir == NULL) return file_fail(info, "cannot read the folder", archive->folder);
    struct dirent *entry;
    while (err == GT_OK && (entry = readdir(dir)) != NULL) err = name_add(archive, dirfd(dir), entry->d_name, info);
    closedir(dir);
    if (err != GT_OK) return err;
    if (archive->file_count > 0) qsort(archive->files, archive->file_count, sizeof *archive->files, file_cmp);
    for (size_t i = 0; i < archive->file_count; i++)
        if (kept == 0 || !gt_str_eq(archive->files[kept - 1].name, archive->files[i].name))
            archive->files[kept++] = archive->files[i];
    archive->file_count = kept;
    return GT_OK;
}

enum gt_err archive_open(const char *folder, struct archive **ret_archive, struct gt_errinfo *info)
{
    if (strlen(folder) + WARC_NAME_MAX + 2 > ARCHIVE_PATH_MAX) return gt_fail(info, GT_ELIMIT, "path too long: %s", folder);
    struct archive *archive = calloc(1, sizeof *archive);
    if (archive == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    strbuf_init(&archive->record, PACK_FRAME_BYTES_MAX);
    archive->folder = strdup(folder);
    archive->arena = arena_new(LIST_ARENA_MAX);
    archive->packs = calloc(ARCHIVE_PACKS_MAX, sizeof(struct pack *));
    bool has_memory = archive->folder != NULL && archive->arena != NULL && archive->packs != NULL;
    enum gt_err err = has_memory ? list(archive, info) : gt_fail(info, GT_ENOMEM, "out of memory");
    if (err != GT_OK) archive_close(archive);
    else *ret_archive = archive;
    return err;
}

void archive_close(struct archive *archive)
{
    if (archive == NULL) return;
    for (size_t i = 0; archive->packs != NULL && i < archive->pack_count; i++) pack_close(archive->packs[i]);
    warc_reader_close(archive->reader);
    warc_reader_close(archive->single);
    strbuf_done(&archive->record);
    arena_free(archive->arena);
    free(archive->packs);
    free(archive->folder);
    free(archive);
}

const struct archive_file *archive_files(const struct archive *archive, size_t *ret_count)
{
    *ret_count = archive->file_count;
    return archive->files;
}

const struct archive_pack_file *archive_packs(const struct archive *archive, size_t *ret_count)
{
    *ret_count = archive->pack_count;
    return archive->pack_names;
}

/* Newest in the order in which it was written: serials and offsets grow, clocks may not. */
static bool is_newer(const struct pack_history *history, const struct pack_history *than)
{
    char name[WARC_NAME_MAX];
    struct warc_name own = {.serial = 0}, other = {.serial = 0};
    snprintf(name, sizeof name, "%.*s", GT_STR_ARG(history->file));
    warc_name_parse(name, &own);
    snprintf(name, sizeof name, "%.*s", GT_STR_ARG(than->file));
    warc_name_parse(name, &other);
    return own.serial != other.serial ? own.serial > other.serial : history->offset > than->offset;
}

uint64_t archive_dropped(const struct archive *archive, struct pack_history *ret_history)
{
    uint64_t dropped = 0;
    *ret_history = (struct pack_history){.offset = 0};
    for (size_t i = 0; i < archive->pack_count; i++) {
        struct pack_history history = {.offset = 0};
        dropped += archive->packs[i] != NULL ? pack_dropped(archive->packs[i], &history) : 0;
        if (history.file.len > 0 && is_newer(&history, ret_history)) *ret_history = history;
    }
    return dropped;
}

/* The place of a file in the list; SIZE_MAX when it is not there. */
static size_t file_find(const struct archive *archive, struct gt_str name)
{
    for (size_t i = 0; i < archive->file_count; i++)
        if (gt_str_eq(archive->files[i].name, name)) return i;
    return SIZE_MAX;
}

/* The pack of a packed file. */
static struct pack *pack_of(const struct archive *archive, const struct archive_file *file)
{
    for (size_t i = 0; i < archive->pack_count; i++)
        if (gt_str_eq(archive->pack_names[i].name, file->pack)) return archive->packs[i];
    return NULL;
}

/* A record out of a pack. */
static enum gt_err packed_read(struct archive *archive, const struct archive_file *file, int64_t offset,
                               struct archive_record *ret_record, int64_t *ret_next, struct gt_errinfo *info)
{
    struct pack *pack = pack_of(archive, file);
    strbuf_clear(&archive->record);
    enum gt_err err = pack_read(pack, pack_file_find(pack, file->name), offset, PACK_PLAIN, &archive->record, ret_next, info);
    if (err != GT_OK) return err;
    struct archive_record record = {.file = file->name, .offset = offset};
    if (!warc_entry_parse(strbuf_str(&archive->record), &record.entry))
        return gt_fail(info, GT_ECORRUPT, "%.*s: no record at offset %lld", GT_STR_ARG(file->name), (long long)offset);
    record.entry.offset = offset;
    record.entry.member_bytes = *ret_next - offset;
    *ret_record = record;
    return GT_OK;
}

/* A record that begins elsewhere than asked is another one: the offset came from a table that may be old. */
enum gt_err archive_read(struct archive *archive, struct gt_str name, int64_t offset, struct archive_record *ret_record,
                         struct gt_errinfo *info)
{
    char path[ARCHIVE_PATH_MAX];
    int64_t next;
    size_t index = file_find(archive, name);
    if (index == SIZE_MAX) return gt_fail(info, GT_ENOENT, "the archive has no file %.*s", GT_STR_ARG(name));
    const struct archive_file *file = &archive->files[index];
    if (file->pack.len > 0) return packed_read(archive, file, offset, ret_record, &next, info);
    if (offset < 0 || offset >= file->bytes)
        return gt_fail(info, GT_ENOENT, "%.*s has no record at offset %lld", GT_STR_ARG(name), (long long)offset);
    path_print(archive, name, path);
    warc_reader_close(archive->single);
    archive->single = NULL;
    enum gt_err err = warc_reader_open_at(path, offset, &archive->single, info);
    struct archive_record record = {.file = file->name, .offset = offset};
    if (err == GT_OK) err = warc_reader_next(archive->single, &record.entry, info);
    if (err == GT_OK && record.entry.offset != offset)
        err = gt_fail(info, GT_ENOENT, "%.*s has no record at offset %lld", GT_STR_ARG(name), (long long)offset);
    if (err == GT_OK) *ret_record = record;
    return err;
}

/* A member of a file in the folder: our members state their lengths. */
static enum gt_err plain_member(const char *path, int64_t offset, struct strbuf *out, int64_t *ret_next, struct gt_errinfo *info)
{
    char head[GZIP_HEAD_BYTES];
    uint32_t member_len = 0, plain_len = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0) return file_fail(info, "cannot open", path);
    enum gt_err err = GT_OK;
    if (file_read_at(fd, offset, head, sizeof head) != GT_OK || !gzip_head_read(head, &member_len, &plain_len) ||
        member_len > 2u * WARC_BLOCK_BYTES_MAX)
        err = gt_fail(info, GT_ECORRUPT, "%s: no record of ours at offset %lld", path, (long long)offset);
    char *member = err == GT_OK ? malloc((size_t)member_len + 1) : NULL;
    if (err == GT_OK && member == NULL) err = gt_fail(info, GT_ENOMEM, "out of memory");
    if (err == GT_OK && file_read_at(fd, offset, member, member_len) != GT_OK)
        err = gt_fail(info, GT_EINCOMPLETE, "%s: a record that is cut off at offset %lld", path, (long long)offset);
    close(fd);
    if (err == GT_OK) strbuf_add(out, (struct gt_str){member, member_len});
    free(member);
    if (err == GT_OK) err = out->err;
    if (err == GT_OK) *ret_next = offset + member_len;
    return err;
}

/* The compressed bytes as they lie, or as they lay before packing: for export, and for whoever checks digests. */
enum gt_err archive_member(struct archive *archive, struct gt_str name, int64_t offset, struct strbuf *out, int64_t *ret_next,
                           struct gt_errinfo *info)
{
    char path[ARCHIVE_PATH_MAX];
    size_t index = file_find(archive, name);
    if (index == SIZE_MAX) return gt_fail(info, GT_ENOENT, "the archive has no file %.*s", GT_STR_ARG(name));
    const struct archive_file *file = &archive->files[index];
    struct pack *pack = file->pack.len > 0 ? pack_of(archive, file) : NULL;
    if (pack != NULL) return pack_read(pack, pack_file_find(pack, file->name), offset, PACK_MEMBER, out, ret_next, info);
    path_print(archive, name, path);
    return plain_member(path, offset, out, ret_next, info);
}

enum gt_err archive_seek(struct archive *archive, struct gt_str file, int64_t offset, struct gt_errinfo *info)
{
    size_t index = file.len > 0 ? file_find(archive, file) : 0;
    if (index == SIZE_MAX) return gt_fail(info, GT_ENOENT, "the archive has no file %.*s", GT_STR_ARG(file));
    warc_reader_close(archive->reader);
    archive->reader = NULL;
    archive->at_file = index;
    archive->at_offset = offset;
    return GT_OK;
}

bool archive_is_damage(enum gt_err err)
{
    return err == GT_EINCOMPLETE || err == GT_ECORRUPT || err == GT_EFORMAT || err == GT_ELIMIT;
}

/* Ends the present file. */
static void file_leave(struct archive *archive)
{
    warc_reader_close(archive->reader);
    archive->reader = NULL;
    archive->at_file++;
    archive->at_offset = 0;
}

/* The next record of a file in the folder. */
static enum gt_err plain_next(struct archive *archive, const struct archive_file *file, struct archive_record *ret_record,
                              struct gt_errinfo *info)
{
    char path[ARCHIVE_PATH_MAX];
    struct archive_record record = {.file = file->name};
    enum gt_err err = GT_OK;
    if (archive->at_offset >= file->bytes && archive->reader == NULL) return GT_ENOENT;
    path_print(archive, file->name, path);
    if (archive->reader == NULL) err = warc_reader_open_at(path, archive->at_offset, &archive->reader, info);
    if (err != GT_OK) {
        file_leave(archive);
        return err == GT_ENOENT ? GT_ECORRUPT : err;
    }
    err = warc_reader_next(archive->reader, &record.entry, info);
    record.offset = record.entry.offset;
    if (err == GT_OK) *ret_record = record;
    return err;
}

/* The next record of a packed file. Damage there costs the rest of the file: where the next record begins is not known. */
static enum gt_err packed_next(struct archive *archive, const struct archive_file *file, struct archive_record *ret_record,
                               struct gt_errinfo *info)
{
    if (archive->at_offset >= file->bytes) return GT_ENOENT;
    enum gt_err err = packed_read(archive, file, archive->at_offset, ret_record, &archive->at_offset, info);
    if (err == GT_OK) return GT_OK;
    file_leave(archive);
    return err == GT_ENOENT ? GT_ECORRUPT : err;
}

/* File after file in order of their names, which is that of their beginning. */
enum gt_err archive_next(struct archive *archive, struct archive_record *ret_record, struct gt_errinfo *info)
{
    while (archive->at_file < archive->file_count) {
        const struct archive_file *file = &archive->files[archive->at_file];
        enum gt_err err =
            file->pack.len > 0 ? packed_next(archive, file, ret_record, info) : plain_next(archive, file, ret_record, info);
        if (err != GT_ENOENT) return err;
        file_leave(archive);
    }
    return gt_fail(info, GT_ENOENT, "no further record");
}

/* Looks through one file. */
static enum gt_err file_search(struct archive *archive, size_t index, struct gt_str record_id, struct archive_record *ret_record,
                               struct gt_errinfo *info)
{
    enum gt_err err = archive_seek(archive, archive->files[index].name, 0, info);
    while (err == GT_OK && archive->at_file == index) {
        err = archive_next(archive, ret_record, info);
        if (err == GT_OK && gt_str_eq(ret_record->entry.record_id, record_id)) return GT_OK;
        if (archive_is_damage(err)) err = GT_OK;
    }
    return err == GT_OK ? GT_ENOENT : err;
}

enum gt_err archive_find(struct archive *archive, struct gt_str record_id, struct archive_record *ret_record,
                         struct gt_errinfo *info)
{
    for (size_t i = archive->file_count; i > 0; i--) {
        enum gt_err err = file_search(archive, i - 1, record_id, ret_record, info);
        if (err != GT_ENOENT) return err;
    }
    return gt_fail(info, GT_ENOENT, "the archive has no record %.*s", GT_STR_ARG(record_id));
}
