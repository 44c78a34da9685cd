/* Where the archive's records are: one is found again by sixteen bytes; a million of them take 48 MiB. */
#include <stdlib.h>

#include "common/digest.h"
#include "crawler/replay_internal.h"

enum { INDEX_FIRST = 4096 };

struct known_record {
    uint8_t uuid[REPLAY_UUID_BYTES]; /* all zero: free */
    uint32_t file;
    int64_t offset;
};

/* The sixteen bytes of an id: the first of its digest, for foreign files have ids of every kind. */
static void uuid_of(struct gt_str id, uint8_t ret_uuid[REPLAY_UUID_BYTES])
{
    uint8_t sha256[SHA256_BYTES] = {0};
    digest_sha256(id, sha256);
    memcpy(ret_uuid, sha256, REPLAY_UUID_BYTES);
    ret_uuid[0] |= 1; /* never all zero */
}

/* The place of an id, or the free one. */
static struct known_record *place_of(const struct replay_index *index, const uint8_t uuid[REPLAY_UUID_BYTES])
{
    static const uint8_t none[REPLAY_UUID_BYTES] = {0};
    uint64_t hash;
    memcpy(&hash, uuid + 8, sizeof hash);
    size_t mask = index->cap - 1, at = (size_t)hash & mask;
    while (memcmp(index->items[at].uuid, none, sizeof none) != 0 && memcmp(index->items[at].uuid, uuid, REPLAY_UUID_BYTES) != 0)
        at = (at + 1) & mask;
    return &index->items[at];
}

/* Doubles the table when it is half full. */
static bool room(struct replay_index *index)
{
    static const uint8_t none[REPLAY_UUID_BYTES] = {0};
    if (index->count * 2 < index->cap) return true;
    struct replay_index grown = *index;
    grown.cap = index->cap == 0 ? INDEX_FIRST : index->cap * 2;
    grown.items = grown.cap <= (size_t)2 * REPLAY_RECORDS_MAX ? calloc(grown.cap, sizeof *grown.items) : NULL;
    if (grown.items == NULL) return false;
    for (size_t i = 0; i < index->cap; i++)
        if (memcmp(index->items[i].uuid, none, sizeof none) != 0) *place_of(&grown, index->items[i].uuid) = index->items[i];
    free(index->items);
    *index = grown;
    return true;
}

/* The number of a file; records come file by file, so it is nearly always the last one. */
static bool file_number(struct replay_index *index, struct gt_str file, uint32_t *ret_number)
{
    void *files = index->files;
    if (index->file_count == 0 || !gt_str_eq(index->files[index->file_count - 1], file)) {
        if (!arena_grow(index->arena, &files, index->file_count, &index->file_cap, sizeof *index->files)) return false;
        index->files = files;
        index->files[index->file_count] = arena_dup(index->arena, file);
        if (index->files[index->file_count].ptr == NULL) return false;
        index->file_count++;
    }
    *ret_number = (uint32_t)index->file_count - 1;
    return true;
}

/* By the bytes of the UUID: a text and a pointer a record would take several times as much. */
bool replay_index_add(struct replay_index *index, const struct archive_record *record)
{
    uint8_t uuid[REPLAY_UUID_BYTES];
    uint32_t file;
    if (record->entry.record_id.len == 0) return true;
    if (!room(index) || !file_number(index, record->file, &file)) return false;
    uuid_of(record->entry.record_id, uuid);
    struct known_record *place = place_of(index, uuid);
    index->count += memcmp(place->uuid, uuid, sizeof uuid) != 0;
    memcpy(place->uuid, uuid, sizeof uuid);
    place->file = file;
    place->offset = record->offset;
    return true;
}

bool replay_index_find(const struct replay_index *index, struct gt_str record_id, struct gt_str *ret_file, int64_t *ret_offset)
{
    uint8_t uuid[REPLAY_UUID_BYTES];
    if (index->cap == 0) return false;
    uuid_of(record_id, uuid);
    const struct known_record *place = place_of(index, uuid);
    if (memcmp(place->uuid, uuid, sizeof uuid) != 0) return false;
    *ret_file = index->files[place->file];
    *ret_offset = place->offset;
    return true;
}

void replay_index_done(struct replay_index *index)
{
    free(index->items);
    index->items = NULL;
}

bool replay_place_find(const struct replay *replay, struct gt_str record_id, struct arena *arena, struct gt_str *ret_file, int64_t *ret_offset)
{
    const struct replay_options *options = replay->options;
    return replay_index_find(&replay->index, record_id, ret_file, ret_offset) ||
           (options->place != NULL && options->place(options->place_ctx, record_id, arena, ret_file, ret_offset) == GT_OK);
}

/* Id and digest are asked for both: a file that was put together by hand may hold anything at that place. */
enum gt_err replay_record_get(struct replay *replay, struct gt_str record_id, struct arena *arena, struct archive_record *ret_record,
                              struct gt_errinfo *info)
{
    struct gt_str file;
    int64_t offset;
    if (!replay_place_find(replay, record_id, arena, &file, &offset))
        return gt_fail(info, GT_ENOENT, "the archive has no record %.*s", GT_STR_ARG(record_id));
    enum gt_err err = archive_read(replay->lookup, file, offset, ret_record, info);
    if (err == GT_OK && !gt_str_eq(ret_record->entry.record_id, record_id))
        err = gt_fail(info, GT_ECORRUPT, "another record lies where %.*s should", GT_STR_ARG(record_id));
    if (err == GT_OK && !warc_entry_check(&ret_record->entry))
        err = gt_fail(info, GT_ECORRUPT, "the digest of %.*s does not hold", GT_STR_ARG(record_id));
    return err;
}
