/* Finding the end of the last whole record. Members state their lengths, so the file is walked from head to head; only what may
 * not have reached the disk before a crash is unpacked: the writer never leaves more than WARC_UNSYNCED_BYTES_MAX and one
 * record unsynced. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/file.h"
#include "crawler/warc.h"
#include "crawler/warc_gzip.h"

/* Twice what can be unsynced: the last sync may itself have come late. */
enum { CHECKED_BYTES = 2 * WARC_UNSYNCED_BYTES_MAX + WARC_BLOCK_BYTES_MAX };

/* True when a whole member stands at `offset`; looks inside when asked to. */
static bool member_stands(int fd, int64_t offset, int64_t size, bool is_checked, int64_t *ret_len)
{
    char head[GZIP_HEAD_BYTES];
    uint32_t member_len, plain_len;
    if (size - offset < GZIP_HEAD_BYTES || file_read_at(fd, offset, head, sizeof head) != GT_OK) return false;
    if (!gzip_head_read(head, &member_len, &plain_len) || member_len > size - offset) return false;
    *ret_len = member_len;
    if (!is_checked) return true;
    /* no record of ours is so large: a wrong bit in the length must not ask for gigabytes */
    if (plain_len > 2u * WARC_BLOCK_BYTES_MAX) return false;
    char *member = malloc(member_len);
    bool is_read = member != NULL && file_read_at(fd, offset, member, member_len) == GT_OK;
    char *plain = is_read ? gzip_member_unpack((struct gt_str){member, member_len}, plain_len) : NULL;
    free(member);
    free(plain);
    return plain != NULL;
}

enum gt_err warc_end_find(const char *path, int64_t *ret_end, struct gt_errinfo *info)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0) return file_fail(info, "cannot open", path);
    if (fstat(fd, &st) != 0) {
        enum gt_err err = file_fail(info, "cannot look at", path);
        close(fd);
        return err;
    }
    /* a head that is not ours ends the walk: whatever stands there, nothing behind it can be found again by its offset */
    int64_t end = 0, len, size = st.st_size;
    while (end < size && member_stands(fd, end, size, size - end <= CHECKED_BYTES, &len)) end += len;
    close(fd);
    *ret_end = end;
    return GT_OK;
}
