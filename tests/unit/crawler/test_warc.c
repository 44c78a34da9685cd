#include "crawler/warc.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "common/civil.h"
#include "common/digest.h"
#include "common/file.h"
#include "crawler/warc_files.h"
#include "crawler/warc_gzip.h"
#include "crawler/warc_reader.h"
#include "net/header.h"
#include "tests/unit/crawler/folder.h"
#include "tests/unit/table.h"

enum { NOW = 1789905600 }; /* 2026-09-20T12:00:00Z */

static const struct gt_clock clock_fixed = {true, NOW};

static struct warc_writer *writer_open(const char *folder, const struct gt_clock *clock, int64_t file_bytes_max,
                                       struct warc_repair *repair)
{
    struct warc_settings settings = {.folder = folder,
                                     .clock = clock,
                                     .software = "gputape/test",
                                     .user_agent = GT_STR("gputape/test (+https://example.com)"),
                                     .file_bytes_max = file_bytes_max};
    struct warc_writer *writer = NULL;
    struct gt_errinfo info = {0};
    if (warc_writer_open(&settings, &writer, repair, &info) != GT_OK) print_error("# %s\n", info.text);
    assert_non_null(writer);
    return writer;
}

static struct warc_record response_record(struct gt_str body)
{
    return (struct warc_record){.type = WARC_RESPONSE,
                                .target_uri = GT_STR("https://a.com/x"),
                                .t_unix_s = NOW,
                                .content_type = GT_STR("application/http;msgtype=response"),
                                .address = GT_STR("8.8.8.8"),
                                .head = GT_STR("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"),
                                .body = body};
}

/* Counts the records of a file; every digest must hold and every record be found again by its offset. */
static int read_all(const char *folder, const char *file, enum gt_err *ret_end)
{
    char path[512];
    struct warc_reader *reader = NULL, *again = NULL;
    struct warc_entry entry, alone;
    struct gt_errinfo info = {0};
    int count = 0;
    snprintf(path, sizeof path, "%s/%s", folder, file);
    enum gt_err err = warc_reader_open(path, &reader, &info);
    while (err == GT_OK && (err = warc_reader_next(reader, &entry, &info)) == GT_OK) {
        assert_true(warc_entry_check(&entry));
        assert_true(entry.is_member_start);
        assert_int_equal(warc_reader_open_at(path, entry.offset, &again, &info), GT_OK);
        assert_int_equal(warc_reader_next(again, &alone, &info), GT_OK);
        assert_int_equal(alone.block.len, entry.block.len);
        assert_memory_equal(alone.block.ptr, entry.block.ptr, entry.block.len);
        assert_true(gt_str_eq(alone.record_id, entry.record_id));
        warc_reader_close(again);
        count++;
    }
    warc_reader_close(reader);
    *ret_end = err;
    return count;
}

/* ---- every type: what it must hold, and what it must not ---- */

static const struct type_row {
    const char *name;
    struct warc_record record;
    const char *has[6];
    const char *lacks[4];
    enum gt_err err;
} types[] = {
    {"response",
     {.type = WARC_RESPONSE,
      .target_uri = {"https://a.com/", 14},
      .t_unix_s = NOW,
      .head = {"HTTP/1.1 200 OK\r\n\r\n", 19},
      .body = {"hi", 2}},
     {"WARC-Type: response\r\n", "WARC-Target-URI: https://a.com/\r\n", "WARC-Date: 2026-09-20T12:00:00Z\r\n",
      "WARC-Payload-Digest: sha1:", "WARC-Warcinfo-ID: <urn:uuid:", "Content-Length: 21\r\n"},
     {"WARC-Refers-To", "WARC-Profile", "WARC-Truncated"},
     GT_OK},
    {"cut response",
     {.type = WARC_RESPONSE, .target_uri = {"https://a.com/", 14}, .truncated = {"length", 6}},
     {"WARC-Truncated: length\r\n"},
     {NULL},
     GT_OK},
    {"request",
     {.type = WARC_REQUEST, .target_uri = {"https://a.com/", 14}, .concurrent_to = {"urn:uuid:1", 10}},
     {"WARC-Concurrent-To: <urn:uuid:1>\r\n"},
     {"WARC-Payload-Digest"},
     GT_OK},
    {"not modified",
     {.type = WARC_REVISIT,
      .target_uri = {"https://a.com/", 14},
      .profile = WARC_PROFILE_NOT_MODIFIED,
      .refers_to = {"urn:uuid:1", 10},
      .refers_to_uri = {"https://a.com/", 14},
      .refers_to_unix_s = NOW - 60},
     {"WARC-Profile: http://netpreserve.org/warc/1.1/revisit/server-not-modified\r\n", "WARC-Refers-To: <urn:uuid:1>\r\n",
      "WARC-Refers-To-Target-URI: https://a.com/\r\n", "WARC-Refers-To-Date: 2026-09-20T11:59:00Z\r\n"},
     {"WARC-Payload-Digest"},
     GT_OK},
    {"same payload",
     {.type = WARC_REVISIT,
      .target_uri = {"https://a.com/", 14},
      .profile = WARC_PROFILE_SAME_PAYLOAD,
      .payload_digest = {"sha1:X", 6}},
     {"revisit/identical-payload-digest\r\n", "WARC-Payload-Digest: sha1:X\r\n"},
     {NULL},
     GT_OK},
    {"metadata without a target",
     {.type = WARC_METADATA, .body = {"a: b\r\n", 6}},
     {"WARC-Type: metadata\r\n"},
     {"WARC-Payload-Digest", "WARC-Target-URI"},
     GT_OK},
    {"resource",
     {.type = WARC_RESOURCE, .target_uri = {"gputape:site/x", 14}, .body = {"title = X", 9}},
     {"WARC-Payload-Digest: sha1:"},
     {NULL},
     GT_OK},
    {"response without a target", {.type = WARC_RESPONSE}, {NULL}, {NULL}, GT_EINTERNAL},
    {"revisit without a profile", {.type = WARC_REVISIT, .target_uri = {"https://a.com/", 14}}, {NULL}, {NULL}, GT_EINTERNAL},
    {"response with a profile",
     {.type = WARC_RESPONSE, .target_uri = {"https://a.com/", 14}, .profile = WARC_PROFILE_NOT_MODIFIED},
     {NULL},
     {NULL},
     GT_EINTERNAL},
    {"same payload without its digest",
     {.type = WARC_REVISIT, .target_uri = {"https://a.com/", 14}, .profile = WARC_PROFILE_SAME_PAYLOAD},
     {NULL},
     {NULL},
     GT_EINTERNAL},
    {"response that refers",
     {.type = WARC_RESPONSE, .target_uri = {"https://a.com/", 14}, .refers_to = {"urn:uuid:1", 10}},
     {NULL},
     {NULL},
     GT_EINTERNAL},
    {"line break in the target",
     {.type = WARC_RESPONSE, .target_uri = {"https://a.com/\r\nX: y", 20}},
     {NULL},
     {NULL},
     GT_EFORMAT},
};

static void check_type(void **state)
{
    const struct type_row *row = *state;
    char folder[FOLDER_PATH_MAX], path[512];
    folder_make(folder);
    struct warc_writer *writer = writer_open(folder, &clock_fixed, 0, NULL);
    struct warc_place place;
    assert_int_equal(warc_write(writer, &row->record, &place, NULL), row->err);
    warc_writer_close(writer);
    if (row->err == GT_OK) {
        struct warc_reader *reader = NULL;
        struct warc_entry entry;
        snprintf(path, sizeof path, "%s/%s", folder, place.file);
        assert_int_equal(warc_reader_open_at(path, place.offset, &reader, NULL), GT_OK);
        assert_int_equal(warc_reader_next(reader, &entry, NULL), GT_OK);
        assert_str(entry.version, "WARC/1.1");
        assert_str(entry.record_id, place.record_id);
        for (int i = 0; i < 6 && row->has[i] != NULL; i++)
            assert_int_not_equal(gt_str_find(entry.head, gt_str_from(row->has[i]), 0), SIZE_MAX);
        for (int i = 0; i < 4 && row->lacks[i] != NULL; i++)
            assert_int_equal(gt_str_find(entry.head, gt_str_from(row->lacks[i]), 0), SIZE_MAX);
        assert_true(warc_entry_check(&entry));
        warc_reader_close(reader);
    }
    folder_remove(folder);
}

/* ---- files ---- */

static void write_some(struct warc_writer *writer, int count, struct warc_place *ret_last)
{
    for (int i = 0; i < count; i++) {
        char body[64];
        snprintf(body, sizeof body, "<p>page %d</p>", i);
        struct warc_record record = response_record(gt_str_from(body));
        assert_int_equal(warc_write(writer, &record, ret_last, NULL), GT_OK);
    }
    assert_int_equal(warc_writer_sync(writer, NULL), GT_OK);
}

static const struct session_row {
    const char *name;
    int64_t second_unix_s; /* when the second session writes */
    int64_t file_bytes_max;
    bool is_same_file;
} sessions[] = {
    {"a minute later, same file", NOW + 60, 0, true},
    {"clock set back a day, same month", NOW - 86400, 0, true},
    {"next month, a new file", NOW + 30 * 86400, 0, false},
    {"clock set back two months, a new file of a higher serial", NOW - 60 * 86400, 0, false},
    {"file is full", NOW + 60, 100, false},
};

static void check_session(void **state)
{
    const struct session_row *row = *state;
    char folder[FOLDER_PATH_MAX];
    folder_make(folder);
    struct warc_place first = {.offset = 0}, second = {.offset = 0};
    struct warc_repair repair;
    struct warc_writer *writer = writer_open(folder, &clock_fixed, 0, &repair);
    assert_string_equal(repair.file, "");
    write_some(writer, 3, &first);
    warc_writer_close(writer);
    struct gt_clock later = {true, row->second_unix_s};
    writer = writer_open(folder, &later, row->file_bytes_max, &repair);
    assert_string_equal(repair.file, first.file);
    assert_int_equal(repair.cut_bytes, 0);
    write_some(writer, 1, &second);
    warc_writer_close(writer);
    assert_int_equal(strcmp(first.file, second.file) == 0, row->is_same_file);
    struct warc_name a, b;
    assert_true(warc_name_parse(first.file, &a) && warc_name_parse(second.file, &b));
    assert_int_equal(b.serial, row->is_same_file ? a.serial : a.serial + 1);
    enum gt_err end;
    assert_int_equal(read_all(folder, first.file, &end), row->is_same_file ? 6 : 4);
    assert_int_equal(end, GT_ENOENT);
    if (!row->is_same_file) assert_int_equal(read_all(folder, second.file, &end), 2);
    folder_remove(folder);
}

static const struct name_row {
    const char *name;
    const char *file;
    bool is_ours;
} names[] = {
    {"ours", "gputape-20260920120000-00001-host.warc.gz", true},
    {"host with a dash", "gputape-20260920120000-00001-a-b.warc.gz", true},
    {"six-digit serial", "gputape-20260920120000-100000-host.warc.gz", true},
    {"another prefix", "other-20260920120000-00001-host.warc.gz", false},
    {"short timestamp", "gputape-2026092012000-00001-host.warc.gz", false},
    {"letters in the serial", "gputape-20260920120000-0000x-host.warc.gz", false},
    {"no host", "gputape-20260920120000-00001-.warc.gz", false},
    {"not packed", "gputape-20260920120000-00001-host.warc", false},
    {"serial of eleven digits", "gputape-20260920120000-12345678901-host.warc.gz", false},
};

static void check_name(void **state)
{
    const struct name_row *row = *state;
    struct warc_name parsed;
    char text[WARC_NAME_MAX];
    assert_int_equal(warc_name_parse(row->file, &parsed), row->is_ours);
    if (!row->is_ours) return;
    warc_name_print(&parsed, text);
    assert_string_equal(text, row->file);
}

/* A file cut after any byte opens again, cut back to its last whole record, and takes the next one. */
static void check_cut(void **state)
{
    (void)state;
    char folder[FOLDER_PATH_MAX], path[512];
    folder_make(folder);
    struct warc_place place;
    struct warc_writer *writer = writer_open(folder, &clock_fixed, 0, NULL);
    int64_t ends[5] = {0};
    for (int i = 1; i < 5; i++) {
        write_some(writer, 1, &place);
        ends[i] = place.offset + place.bytes;
    }
    warc_writer_close(writer);
    snprintf(path, sizeof path, "%s/%s", folder, place.file);
    char *whole = NULL;
    size_t len = 0;
    assert_int_equal(file_read(path, 1 << 20, &whole, &len, NULL), GT_OK);
    uint32_t member, plain;
    assert_true(gzip_head_read(whole, &member, &plain));
    int64_t info_end = member;
    for (size_t cut = 0; cut <= len; cut++) {
        int fd = open(path, O_WRONLY | O_TRUNC);
        assert_int_equal(write(fd, whole, cut), (ssize_t)cut);
        close(fd);
        int64_t expected = 0;
        if ((int64_t)cut >= info_end) expected = info_end;
        for (int i = 1; i < 5; i++)
            if ((int64_t)cut >= ends[i]) expected = ends[i];
        struct warc_repair repair;
        writer = writer_open(folder, &clock_fixed, 0, &repair);
        assert_int_equal(repair.cut_bytes, (int64_t)cut - expected);
        struct stat st;
        assert_int_equal(stat(path, &st), 0);
        assert_int_equal(st.st_size, expected);
        if (cut % 97 == 0) {
            struct warc_place next;
            enum gt_err end;
            write_some(writer, 1, &next);
            assert_true(read_all(folder, place.file, &end) >= 2);
            assert_int_equal(end, GT_ENOENT);
        }
        warc_writer_close(writer);
    }
    free(whole);
    folder_remove(folder);
}

/* A folder with one file of four responses; its path. */
static void file_make(char folder[FOLDER_PATH_MAX], struct warc_place *ret_last, char *path, size_t max)
{
    folder_make(folder);
    struct warc_writer *writer = writer_open(folder, &clock_fixed, 0, NULL);
    write_some(writer, 4, ret_last);
    warc_writer_close(writer);
    snprintf(path, max, "%s/%s", folder, ret_last->file);
}

/* Damage that a lost sync can leave at the end: the length is right, the bytes are not. */
static const struct damage_row {
    const char *name;
    int from_end; /* first damaged byte, counted from the end */
    int len;
    char fill;
    int kept; /* records that stay, of warcinfo and four responses */
} damages[] = {
    {"trailer zero", 8, 8, 0, 4},     {"last byte wrong", 1, 1, 1, 4},  {"body of the last wrong", 60, 8, 0x55, 4},
    {"zeros appended", 0, 500, 0, 5}, {"text appended", 0, 40, 'x', 5},
};

static void check_damage(void **state)
{
    const struct damage_row *row = *state;
    char folder[FOLDER_PATH_MAX], path[512];
    struct warc_place place;
    file_make(folder, &place, path, sizeof path);
    int fd = open(path, O_RDWR);
    int64_t size = lseek(fd, 0, SEEK_END);
    for (int i = 0; i < row->len; i++) {
        char byte = 0;
        (void)!pread(fd, &byte, 1, size - row->from_end + i);
        byte = row->from_end > 0 ? (char)(byte ^ (row->fill != 0 ? row->fill : 0x7F)) : row->fill;
        assert_int_equal(pwrite(fd, &byte, 1, size - row->from_end + i), 1);
    }
    close(fd);
    enum gt_err end;
    struct warc_repair repair;
    struct warc_writer *writer = writer_open(folder, &clock_fixed, 0, &repair);
    assert_true(repair.cut_bytes > 0);
    warc_writer_close(writer);
    assert_int_equal(read_all(folder, place.file, &end), row->kept);
    assert_int_equal(end, GT_ENOENT);
    folder_remove(folder);
}

/* ---- reading what others wrote, and what nobody should ---- */

static const struct read_row {
    const char *name;
    const char *bytes;
    int count;       /* records before the end or the error */
    enum gt_err err; /* that ends it; GT_ENOENT: none */
} reads[] = {
    {"plain 1.1", "WARC/1.1\r\nWARC-Type: metadata\r\nContent-Length: 2\r\n\r\nhi\r\n\r\n", 1, GT_ENOENT},
    {"version 0.18", "WARC/0.18\r\nWARC-Type: metadata\r\nContent-Length: 2\r\n\r\nhi\r\n\r\n", 1, GT_ENOENT},
    {"line feeds only", "WARC/1.0\nWARC-Type: metadata\nContent-Length: 2\n\nhi\n\n", 1, GT_ENOENT},
    {"two records", "WARC/1.1\r\nContent-Length: 2\r\n\r\nhi\r\n\r\nWARC/1.1\r\nContent-Length: 0\r\n\r\n\r\n\r\n", 2, GT_ENOENT},
    {"closing lines missing at the end", "WARC/1.1\r\nContent-Length: 2\r\n\r\nhi", 1, GT_ENOENT},
    {"closing lines missing between", "WARC/1.1\r\nContent-Length: 2\r\n\r\nhiWARC/1.1\r\nContent-Length: 1\r\n\r\nx", 2,
     GT_ENOENT},
    {"folded field", "WARC/1.0\r\nX: a\r\n b\r\nContent-Length: 2\r\n\r\nhi\r\n\r\n", 1, GT_ENOENT},
    {"block cut", "WARC/1.1\r\nContent-Length: 20\r\n\r\nhi", 0, GT_EINCOMPLETE},
    {"length below zero", "WARC/1.1\r\nContent-Length: -2\r\n\r\nhi", 0, GT_EFORMAT},
    {"length of words", "WARC/1.1\r\nContent-Length: two\r\n\r\nhi", 0, GT_EFORMAT},
    {"no length", "WARC/1.1\r\nWARC-Type: metadata\r\n\r\nhi", 0, GT_EFORMAT},
    {"200 MB", "WARC/1.1\r\nContent-Length: 200000000\r\n\r\nhi", 0, GT_ELIMIT},
    {"length of thirty digits", "WARC/1.1\r\nContent-Length: 111111111111111111111111111111\r\n\r\nhi", 0, GT_ELIMIT},
    {"head without an end", "WARC/1.1\r\nContent-Length: 2\r\n", 0, GT_EFORMAT},
    {"rubbish behind a record", "WARC/1.1\r\nContent-Length: 2\r\n\r\nhi\r\n\r\nrubbish\r\n\r\n", 1, GT_EFORMAT},
    {"ARC", "filedesc://IAH.arc 0.0.0.0 2002 text/plain 76\n", 0, GT_EREFUSED},
    {"zstd", "\x28\xB5\x2F\xFD....", 0, GT_EREFUSED},
    {"HTML", "<html></html>", 0, GT_EFORMAT},
};

static void write_bytes(const char *path, const void *bytes, size_t len)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_int_equal(write(fd, bytes, len), (ssize_t)len);
    close(fd);
}

static int count_records(const char *path, enum gt_err *ret_err)
{
    struct warc_reader *reader = NULL;
    struct warc_entry entry;
    struct gt_errinfo info = {0};
    int count = 0;
    enum gt_err err = warc_reader_open(path, &reader, &info);
    while (err == GT_OK && (err = warc_reader_next(reader, &entry, &info)) == GT_OK) count++;
    warc_reader_close(reader);
    assert_true(strlen(info.text) > 0);
    *ret_err = err;
    return count;
}

static void check_read(void **state)
{
    const struct read_row *row = *state;
    char folder[FOLDER_PATH_MAX], path[512];
    enum gt_err err;
    folder_make(folder);
    snprintf(path, sizeof path, "%s/x.warc", folder);
    write_bytes(path, row->bytes, strlen(row->bytes));
    assert_int_equal(count_records(path, &err), row->count);
    assert_int_equal(err, row->err);
    folder_remove(folder);
}

/* Packed by hand: pieces of plain bytes, each a member of its own; NULL piece: garbage between. */
static const struct gzip_row {
    const char *name;
    const char *members[3]; /* packed; one that begins with '!' is written as it is, without that sign */
    size_t less;            /* bytes cut off the end */
    int count, errors;      /* records read in all, errors met on the way */
} gzips[] = {
    {"a member a record",
     {"WARC/1.1\r\nContent-Length: 2\r\n\r\nhi\r\n\r\n", "WARC/1.1\r\nContent-Length: 2\r\n\r\nho\r\n\r\n"},
     0,
     2,
     0},
    {"two records in a member",
     {"WARC/1.1\r\nContent-Length: 2\r\n\r\nhi\r\n\r\nWARC/1.1\r\nContent-Length: 2\r\n\r\nho\r\n\r\n"},
     0,
     2,
     0},
    {"garbage between",
     {"WARC/1.1\r\nContent-Length: 2\r\n\r\nhi\r\n\r\n", "!rubbish", "WARC/1.1\r\nContent-Length: 2\r\n\r\nho\r\n\r\n"},
     0,
     2,
     1},
    {"garbage at the end", {"WARC/1.1\r\nContent-Length: 2\r\n\r\nhi\r\n\r\n", "!rubbish"}, 0, 1, 1},
    {"cut in the trailer",
     {"WARC/1.1\r\nContent-Length: 2\r\n\r\nhi\r\n\r\n", "WARC/1.1\r\nContent-Length: 2\r\n\r\nho\r\n\r\n"},
     3,
     1,
     1},
    {"no record inside, then one", {"nothing of the kind\r\n\r\n", "WARC/1.1\r\nContent-Length: 2\r\n\r\nho\r\n\r\n"}, 0, 1, 1},
    {"block longer than its member",
     {"WARC/1.1\r\nContent-Length: 99\r\n\r\nhi\r\n\r\n", "WARC/1.1\r\nContent-Length: 2\r\n\r\nho\r\n\r\n"},
     0,
     1,
     1},
};

static size_t pack(const char *text, unsigned char *out, size_t cap)
{
    z_stream stream = {0};
    assert_int_equal(deflateInit2(&stream, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
    stream.next_in = (Bytef *)(uintptr_t)text;
    stream.avail_in = (uInt)strlen(text);
    stream.next_out = out;
    stream.avail_out = (uInt)cap;
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    size_t len = cap - stream.avail_out;
    deflateEnd(&stream);
    return len;
}

static void check_gzip(void **state)
{
    const struct gzip_row *row = *state;
    char folder[FOLDER_PATH_MAX], path[512];
    unsigned char bytes[4096];
    size_t len = 0;
    folder_make(folder);
    snprintf(path, sizeof path, "%s/x.warc.gz", folder);
    for (int i = 0; i < 3 && row->members[i] != NULL; i++) {
        const char *text = row->members[i];
        if (text[0] != '!') {
            len += pack(text, bytes + len, sizeof bytes - len);
        } else {
            memcpy(bytes + len, text + 1, strlen(text) - 1);
            len += strlen(text) - 1;
        }
    }
    write_bytes(path, bytes, len - row->less);
    struct warc_reader *reader = NULL;
    struct warc_entry entry;
    int count = 0, errors = 0;
    assert_int_equal(warc_reader_open(path, &reader, NULL), GT_OK);
    for (enum gt_err err = GT_OK; err != GT_ENOENT && errors < 10; err == GT_OK ? count++ : (errors += err != GT_ENOENT))
        err = warc_reader_next(reader, &entry, NULL);
    warc_reader_close(reader);
    assert_int_equal(count, row->count);
    assert_int_equal(errors, row->errors);
    folder_remove(folder);
}

/* Bits wrong at random, packed and plain: the reader comes to an end, and what it gives out whole is whole. */
static const struct noise_row {
    const char *name;
    int bits; /* wrong ones at a time */
} noises[] = {{"one bit", 1}, {"three bits", 3}, {"forty bits", 40}};

static void check_noise(void **state)
{
    const struct noise_row *row = *state;
    char folder[FOLDER_PATH_MAX], path[512];
    struct warc_place place;
    file_make(folder, &place, path, sizeof path);
    char *bytes = NULL;
    size_t len = 0;
    assert_int_equal(file_read(path, 1 << 20, &bytes, &len, NULL), GT_OK);
    snprintf(path, sizeof path, "%s/noise.warc.gz", folder);
    uint32_t seed = (uint32_t)row->bits;
    for (int round = 0; round < 60; round++) {
        char *noisy = malloc(len);
        memcpy(noisy, bytes, len);
        for (int i = 0; i < row->bits; i++) {
            seed = seed * 1664525 + 1013904223;
            noisy[2 + (seed >> 3) % (len - 2)] ^= (char)(1 << (seed & 7)); /* it still looks like gzip */
        }
        write_bytes(path, noisy, len);
        free(noisy);
        struct warc_reader *reader = NULL;
        struct warc_entry entry;
        int whole = 0, calls = 0;
        assert_int_equal(warc_reader_open(path, &reader, NULL), GT_OK);
        for (enum gt_err err = GT_OK; err != GT_ENOENT && calls < 100; calls++) {
            err = warc_reader_next(reader, &entry, NULL);
            if (err == GT_OK) whole += warc_entry_check(&entry);
        }
        assert_true(calls < 100);
        assert_in_range(whole, 0, 5);
        if (row->bits == 1) assert_true(whole >= 4);
        warc_reader_close(reader);
    }
    free(bytes);
    folder_remove(folder);
}

/* Files of another project's tests. */
static const struct sample_row {
    const char *name;
    const char *file;
    int count;       /* records read; -1: only that it ends */
    enum gt_err err; /* of the first trouble */
} samples[] = {
    {"plain", "example.warc", 6, GT_ENOENT},      {"packed", "example.warc.gz", 6, GT_ENOENT},
    {"POST", "post-test.warc.gz", -1, GT_ENOENT}, {"wget's brackets", "example-wget-bad-target-uri.warc.gz", -1, GT_ENOENT},
    {"cut", "example-trunc.warc", -1, GT_ENOENT}, {"members without bounds", "example-bad.warc.gz.bad", -1, GT_ENOENT},
};

static void check_sample(void **state)
{
    const struct sample_row *row = *state;
    char path[512];
    enum gt_err err;
    snprintf(path, sizeof path, "../shared/data/warc/%s", row->file);
    if (access(path, R_OK) != 0) {
        print_message("# skipped: no suite data (%s)\n", row->file);
        skip();
    }
    int count = count_records(path, &err);
    print_message("# %s: %d records, then %s\n", row->file, count, gt_err_name(err));
    if (row->count >= 0) assert_int_equal(count, row->count);
    if (row->count >= 0) assert_int_equal(err, row->err);
    assert_true(count > 0);
}

static const struct single {
    const char *name;
} cuts[] = {{"cut after every byte"}};

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(types, check_type) + TABLE_RUN(sessions, check_session) + TABLE_RUN(names, check_name) +
           TABLE_RUN(cuts, check_cut) + TABLE_RUN(damages, check_damage) + TABLE_RUN(reads, check_read) +
           TABLE_RUN(gzips, check_gzip) + TABLE_RUN(noises, check_noise) + TABLE_RUN(samples, check_sample);
}
