/* Append, sync, and undo what did not fit. Order is all: a record is on disk before its site is committed, and its file's
 * name before the record. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/digest.h"
#include "common/file.h"
#include "crawler/warc.h"
#include "crawler/warc_files.h"
#include "crawler/warc_gzip.h"
#include "crawler/warc_record.h"

struct warc_writer {
    struct warc_settings settings;
    char *folder;
    char host[WARC_HOST_MAX];
    int fd; /* -1: no file yet */
    char file[WARC_NAME_MAX];
    uint32_t serial; /* the highest in the folder */
    int64_t size;    /* of the present file */
    int64_t unsynced_bytes;
    char warcinfo_id[WARC_ID_MAX]; /* of the present file and session; "": not yet written */
    enum gt_err err;               /* sticky: a failed sync is final */
    struct libdeflate_compressor *packer;
};

/* A file's path; the folder's length was checked when it was made. */
static void path_print(const struct warc_writer *writer, const char *file, char ret_path[PATH_MAX])
{
    snprintf(ret_path, PATH_MAX, "%s/%s", writer->folder, file);
}

/* Cuts an unfinished record off the file that is to be gone on with. */
static enum gt_err tail_repair(const char *path, int64_t *ret_size, int64_t *ret_cut, struct gt_errinfo *info)
{
    struct stat st;
    int64_t end;
    enum gt_err err = warc_end_find(path, &end, info);
    if (err != GT_OK) return err;
    int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0) return file_fail(info, "cannot open", path);
    if (fstat(fd, &st) != 0) err = file_fail(info, "cannot look at", path);
    if (err == GT_OK && st.st_size > end && (ftruncate(fd, end) != 0 || fsync(fd) != 0))
        err = file_fail(info, "cannot cut back", path);
    close(fd);
    *ret_size = end;
    *ret_cut = st.st_size - end;
    return err;
}

/* True when the file was begun in this month: a closed month can then be packed, no file of it grows any more. */
static bool is_of_month(const char *file, int64_t now_unix_s)
{
    struct warc_name name;
    char now[15];
    warc_timestamp(now_unix_s, now);
    return warc_name_parse(file, &name) && memcmp(name.timestamp, now, 6) == 0;
}

/* Goes on with the host's newest file, or leaves that for the first record to decide. */
static enum gt_err resume(struct warc_writer *writer, struct warc_repair *repair, struct gt_errinfo *info)
{
    char name[WARC_NAME_MAX], path[PATH_MAX];
    enum gt_err err = warc_newest_find(writer->folder, writer->host, &writer->serial, name, info);
    if (err != GT_OK || name[0] == '\0') return err;
    path_print(writer, name, path);
    err = tail_repair(path, &writer->size, &repair->cut_bytes, info);
    if (err != GT_OK) return err;
    snprintf(repair->file, sizeof repair->file, "%s", name);
    snprintf(writer->file, sizeof writer->file, "%s", name);
    /* a file of last month, or a full one, is repaired all the same, and then left alone */
    if (writer->size >= writer->settings.file_bytes_max || !is_of_month(name, clock_unix_s(writer->settings.clock))) return GT_OK;
    writer->fd = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
    return writer->fd >= 0 ? GT_OK : file_fail(info, "cannot open", path);
}

/* What a crash left half-written at the end is cut off: it was acknowledged to nobody, and appending behind it would bury it. */
enum gt_err warc_writer_open(const struct warc_settings *settings, struct warc_writer **ret_writer,
                             struct warc_repair *ret_repair, struct gt_errinfo *info)
{
    struct warc_repair repair = {.cut_bytes = 0};
    enum gt_err err = file_make_folder(settings->folder, info);
    if (err != GT_OK) return err;
    struct warc_writer *writer = calloc(1, sizeof *writer);
    if (writer == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    writer->settings = *settings;
    writer->fd = -1;
    if (writer->settings.file_bytes_max <= 0) writer->settings.file_bytes_max = WARC_FILE_BYTES_DEFAULT;
    writer->folder = strdup(settings->folder);
    warc_host(writer->host);
    writer->packer = gzip_packer_new();
    err = writer->folder != NULL && writer->packer != NULL ? resume(writer, &repair, info) : gt_fail(info, GT_ENOMEM, "out of memory");
    if (err != GT_OK) {
        warc_writer_close(writer);
        return err;
    }
    if (ret_repair != NULL) *ret_repair = repair;
    *ret_writer = writer;
    return GT_OK;
}

void warc_writer_close(struct warc_writer *writer)
{
    if (writer == NULL) return;
    if (writer->fd >= 0) close(writer->fd);
    gzip_packer_free(writer->packer);
    free(writer->folder);
    free(writer);
}

/* Makes a new file's name durable: without it, a synced file may be nowhere after a power loss. */
static enum gt_err folder_sync(const struct warc_writer *writer, struct gt_errinfo *info)
{
    int fd = open(writer->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return file_fail(info, "cannot open the folder", writer->folder);
    enum gt_err err = fsync(fd) == 0 ? GT_OK : file_fail(info, "cannot sync the folder", writer->folder);
    close(fd);
    return err;
}

/* Begins the next file. O_EXCL: a name is never taken twice, whatever the clock says. */
static enum gt_err file_begin(struct warc_writer *writer, struct gt_errinfo *info)
{
    struct warc_name name = {.serial = writer->serial + 1};
    char path[PATH_MAX], file[WARC_NAME_MAX];
    if (writer->fd >= 0) {
        enum gt_err err = warc_writer_sync(writer, info);
        if (err != GT_OK) return err;
        close(writer->fd);
        writer->fd = -1;
    }
    warc_timestamp(clock_unix_s(writer->settings.clock), name.timestamp);
    memcpy(name.host, writer->host, sizeof name.host);
    warc_name_print(&name, file);
    path_print(writer, file, path);
    writer->fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0640);
    if (writer->fd < 0) return file_fail(info, "cannot make", path);
    memcpy(writer->file, file, sizeof file);
    writer->serial = name.serial;
    writer->size = 0;
    writer->warcinfo_id[0] = '\0';
    return folder_sync(writer, info);
}

/* Appends one member. What was written of it is taken back when it does not fit. */
static enum gt_err append(struct warc_writer *writer, struct gt_str member, struct gt_errinfo *info)
{
    size_t done = 0;
    while (done < member.len) {
        ssize_t n = pwrite(writer->fd, member.ptr + done, member.len - done, writer->size + (int64_t)done);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) {
            if (n == 0) errno = EIO;
            enum gt_err err = file_fail(info, "cannot write the archive in", writer->folder);
            /* when not even that is possible, nothing may be written behind the half record */
            if (ftruncate(writer->fd, writer->size) != 0) writer->err = err;
            return err;
        }
        done += (size_t)n;
    }
    writer->size += (int64_t)member.len;
    writer->unsynced_bytes += (int64_t)member.len;
    return writer->unsynced_bytes > WARC_UNSYNCED_BYTES_MAX ? warc_writer_sync(writer, info) : GT_OK;
}

/* The block's digest off a printed record, where it was just computed. */
static bool block_sha1(struct gt_str printed, uint8_t ret_sha1[SHA1_BYTES])
{
    static const char field[] = "\r\nWARC-Block-Digest: sha1:";
    size_t at = gt_str_find(printed, gt_str_from(field), 0);
    return at != SIZE_MAX && digest_base32_read(gt_str_slice(printed, at + sizeof field - 1, SHA1_BASE32_MAX - 1), ret_sha1);
}

/* Prints, packs and appends one record. */
static enum gt_err record_put(struct warc_writer *writer, const struct warc_record *record, struct warc_place *ret_place,
                              struct gt_errinfo *info)
{
    struct warc_place place = {.offset = writer->size};
    struct strbuf plain;
    char *member = NULL;
    uint8_t sha1[SHA1_BYTES];
    size_t len = 0;
    if (record->record_id.len >= WARC_ID_MAX) return gt_fail(info, GT_EINTERNAL, "archive: a record id that is too long");
    if (record->record_id.len > 0) memcpy(place.record_id, record->record_id.ptr, record->record_id.len);
    else if (warc_id_make(place.record_id) != GT_OK) return gt_fail(info, GT_EINTERNAL, "archive: no random numbers");
    strbuf_init(&plain, WARC_BLOCK_BYTES_MAX + 64 * 1024);
    enum gt_err err = warc_record_print(record, gt_str_from(place.record_id), gt_str_from(writer->warcinfo_id), &plain, info);
    if (err == GT_OK) err = block_sha1(strbuf_str(&plain), sha1) ? GT_OK : gt_fail(info, GT_EINTERNAL, "archive: a record without its digest");
    if (err == GT_OK) err = gzip_member_make(writer->packer, strbuf_str(&plain), &member, &len);
    if (err == GT_OK) err = append(writer, (struct gt_str){member, len}, info);
    free(member);
    strbuf_done(&plain);
    if (err != GT_OK) return err;
    memcpy(place.file, writer->file, sizeof place.file);
    place.bytes = (int64_t)len;
    memcpy(place.block_sha1, sha1, sizeof sha1);
    *ret_place = place;
    return GT_OK;
}

/* Each session says who writes, and with what; the records behind point back to it. */
static enum gt_err warcinfo_put(struct warc_writer *writer, struct gt_errinfo *info)
{
    struct strbuf fields;
    struct warc_place place;
    strbuf_init(&fields, 16 * 1024);
    strbuf_addf(&fields, "software: %s\r\nformat: WARC File Format 1.1\r\n", writer->settings.software);
    strbuf_adds(&fields, "conformsTo: http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/\r\n");
    strbuf_addf(&fields, "hostname: %s\r\nrobots: obey\r\n", writer->host);
    if (writer->settings.user_agent.len > 0)
        strbuf_addf(&fields, "http-header-user-agent: %.*s\r\n", GT_STR_ARG(writer->settings.user_agent));
    if (writer->settings.operator_contact.len > 0)
        strbuf_addf(&fields, "operator: %.*s\r\n", GT_STR_ARG(writer->settings.operator_contact));
    struct warc_record record = {.type = WARC_WARCINFO,
                                 .target_uri = gt_str_from(writer->file),
                                 .t_unix_s = clock_unix_s(writer->settings.clock),
                                 .content_type = GT_STR("application/warc-fields"),
                                 .body = strbuf_str(&fields)};
    enum gt_err err =
        fields.err != GT_OK ? gt_fail(info, fields.err, "out of memory") : record_put(writer, &record, &place, info);
    strbuf_done(&fields);
    if (err == GT_OK) memcpy(writer->warcinfo_id, place.record_id, sizeof writer->warcinfo_id);
    return err;
}

enum gt_err warc_write(struct warc_writer *writer, const struct warc_record *record, struct warc_place *ret_place,
                       struct gt_errinfo *info)
{
    if (writer->err != GT_OK) return gt_fail(info, writer->err, "the archive in %s failed before", writer->folder);
    enum gt_err err = GT_OK;
    /* rotation between records only; a record larger than the limit gets a file that is larger */
    if (writer->fd < 0 || writer->size >= writer->settings.file_bytes_max) err = file_begin(writer, info);
    if (err == GT_OK && writer->warcinfo_id[0] == '\0') err = warcinfo_put(writer, info);
    if (err == GT_OK) err = record_put(writer, record, ret_place, info);
    return err;
}

void warc_writer_at(const struct warc_writer *writer, char ret_file[WARC_NAME_MAX], int64_t *ret_offset)
{
    memcpy(ret_file, writer->file, WARC_NAME_MAX);
    *ret_offset = writer->size;
}

enum gt_err warc_writer_sync(struct warc_writer *writer, struct gt_errinfo *info)
{
    if (writer->err != GT_OK) return gt_fail(info, writer->err, "the archive in %s failed before", writer->folder);
    /* fdatasync writes the size too, which is all of the metadata that matters to us */
    if (writer->unsynced_bytes == 0) return GT_OK;
    if (fdatasync(writer->fd) != 0) {
        writer->err = file_fail(info, "cannot sync the archive in", writer->folder);
        return writer->err;
    }
    writer->unsynced_bytes = 0;
    return GT_OK;
}
