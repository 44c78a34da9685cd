/* Packs, as a damaged disk may leave them. Input: the file. Opening and walking come to an end; a record that is given out lies where its
 * entry says, and is read the same alone. */
#include <sys/mman.h>
#include <unistd.h>

#include "crawler/pack.h"
#include "tests/fuzz/fuzz.h"

enum { PATH_BYTES_MAX = 64, ALONE_MAX = 8 };

struct walk {
    struct pack *pack;
    size_t records;
};

/* Reads the record again by its place alone. What cannot be made again is an error there, too. */
static enum gt_err record_check(void *ctx, const struct pack_file *file, const struct pack_entry *entry, struct gt_str unfolded)
{
    struct walk *walk = ctx;
    struct strbuf alone;
    struct gt_errinfo info = {0};
    int64_t next = 0;
    FUZZ_CHECK("a record's bytes are as long as its entry says", unfolded.len == entry->len);
    if (walk->records++ >= ALONE_MAX) return GT_OK;
    strbuf_init(&alone, PACK_FRAME_BYTES_MAX);
    enum gt_err err = pack_read(walk->pack, file, entry->offset, PACK_PLAIN, &alone, &next, &info);
    FUZZ_CHECK("a known result", err == GT_OK || info.text[0] != '\0');
    if (err == GT_OK) FUZZ_CHECK("the next one lies behind it", next > entry->offset);
    strbuf_done(&alone);
    return GT_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[PATH_BYTES_MAX];
    struct walk walk = {.records = 0};
    struct gt_errinfo info = {0};
    int fd = memfd_create("fuzz", MFD_CLOEXEC);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size) exit(1);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    enum gt_err err = pack_open(path, &walk.pack, &info);
    FUZZ_CHECK("a refusal has a sentence", err == GT_OK || info.text[0] != '\0');
    if (err == GT_OK) pack_walk(walk.pack, record_check, &walk, &info);
    pack_close(walk.pack);
    close(fd);
    return 0;
}
