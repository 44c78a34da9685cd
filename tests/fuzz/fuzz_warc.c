/* WARC files. Input: a byte for the packing ('p' as it is, 'z' each piece between "%%" lines a gzip member), then the file. The
 * reader comes to an end, and a record that begins a member is found again by its offset. */
#include <sys/mman.h>
#include <unistd.h>

#include "crawler/warc.h"
#include "crawler/warc_gzip.h"
#include "crawler/warc_reader.h"
#include "net/header.h"
#include "tests/fuzz/fuzz.h"

enum { PATH_BYTES_MAX = 64, AGAIN_MAX = 8 };

static void write_all(int fd, struct gt_str bytes)
{
    while (bytes.len > 0) {
        ssize_t done = write(fd, bytes.ptr, bytes.len);
        if (done <= 0) exit(1);
        bytes = gt_str_slice(bytes, (size_t)done, SIZE_MAX);
    }
}

/* Each piece a member of its own. */
static void write_packed(int fd, struct gt_str text)
{
    struct libdeflate_compressor *packer = gzip_packer_new();
    if (packer == NULL) exit(1);
    while (text.len > 0) {
        size_t end = gt_str_find(text, GT_STR("%%\n"), 0), len = 0;
        char *member = NULL;
        struct gt_str piece = gt_str_slice(text, 0, end);
        if (gzip_member_make(packer, piece, &member, &len) != GT_OK) exit(1);
        uint32_t member_len = 0, plain_len = 0;
        FUZZ_CHECK("a member tells its lengths",
                   gzip_head_read(member, &member_len, &plain_len) && member_len == len && plain_len == piece.len);
        char *plain = gzip_member_unpack((struct gt_str){member, len}, plain_len);
        FUZZ_CHECK("and holds", plain != NULL && memcmp(plain, piece.ptr, piece.len) == 0);
        free(plain);
        write_all(fd, (struct gt_str){member, len});
        free(member);
        text = end == SIZE_MAX ? GT_STR("") : gt_str_slice(text, end + 3, SIZE_MAX);
    }
    gzip_packer_free(packer);
}

static void check_entry(const struct warc_entry *entry, int64_t file_bytes)
{
    struct gt_str http_head, payload;
    FUZZ_CHECK("a record", gt_str_starts(entry->version, GT_STR("WARC/")));
    FUZZ_CHECK("at a place in the file", entry->offset >= 0 && entry->offset < file_bytes);
    FUZZ_CHECK("within the limits", entry->head.len <= 2 * WARC_HEAD_BYTES_MAX && entry->block.len <= WARC_BLOCK_BYTES_MAX);
    warc_entry_split(entry, &http_head, &payload);
    FUZZ_CHECK("head and payload are the block", http_head.len + payload.len == entry->block.len);
    (void)warc_entry_check(entry);
}

/* Reads the record again by its offset alone. */
static void check_again(const char *path, const struct warc_entry *entry)
{
    struct warc_reader *reader = NULL;
    struct warc_entry again;
    struct gt_errinfo info = {0};
    FUZZ_CHECK("a record's offset can be gone to", warc_reader_open_at(path, entry->offset, &reader, &info) == GT_OK);
    FUZZ_CHECK("the record is there", warc_reader_next(reader, &again, &info) == GT_OK);
    FUZZ_CHECK("the same",
               gt_str_eq(again.block, entry->block) && gt_str_eq(again.head, entry->head) && again.offset == entry->offset);
    warc_reader_close(reader);
}

static void check_file(const char *path, int64_t file_bytes)
{
    struct warc_reader *reader = NULL;
    struct warc_entry entry;
    struct gt_errinfo info = {0};
    int64_t end = -1;
    size_t records = 0;
    if (warc_reader_open(path, &reader, &info) != GT_OK) return;
    /* each answer but the last uses up a byte at least */
    for (int64_t i = 0;; i++) {
        FUZZ_CHECK("the reader comes to an end", i <= file_bytes + 1);
        enum gt_err err = warc_reader_next(reader, &entry, &info);
        if (err == GT_ENOENT) break;
        FUZZ_CHECK("a known result",
                   err == GT_OK || err == GT_EINCOMPLETE || err == GT_ECORRUPT || err == GT_EFORMAT || err == GT_ELIMIT);
        FUZZ_CHECK("damage has a sentence", err == GT_OK || info.text[0] != '\0');
        if (err != GT_OK) continue;
        check_entry(&entry, file_bytes);
        if (entry.is_member_start && records++ < AGAIN_MAX) check_again(path, &entry);
    }
    warc_reader_close(reader);
    if (warc_end_find(path, &end, &info) == GT_OK)
        FUZZ_CHECK("the end of the last record is in the file", end >= 0 && end <= file_bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[PATH_BYTES_MAX];
    if (size == 0) return 0;
    struct gt_str file = fuzz_input(data + 1, size - 1);
    int fd = memfd_create("fuzz", MFD_CLOEXEC);
    if (fd < 0) exit(1);
    if (data[0] == 'z') write_packed(fd, file);
    else write_all(fd, file);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    check_file(path, (int64_t)lseek(fd, 0, SEEK_END));
    close(fd);
    return 0;
}
