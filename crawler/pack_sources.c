/* Two looks at each record: here at its address, later (in the order of addresses) at its bytes. What is kept of it in between is small, for
 * a month may have a million of them. */
#include "crawler/pack_sources.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <openssl/evp.h>

#include "common/digest.h"
#include "common/file.h"
#include "crawler/warc_gzip.h"
#include "crawler/warc_reader.h"

enum { GROUPS_FIRST = 1024, GROUPS_MAX = 1 << 22 };

/* The addresses, each with a number. */
struct group {
    struct gt_str uri;
    uint64_t bytes; /* of all its members */
};

struct groups {
    struct arena *arena;
    uint32_t *places; /* open addressing: 1 + a group; 0 free */
    size_t place_count;
    struct group *items;
    size_t count, cap;
};

/* The place of an address, or the free one where it would be. */
static uint32_t *place_of(struct groups *groups, struct gt_str uri)
{
    size_t mask = groups->place_count - 1, at = (size_t)digest_check64(uri) & mask;
    while (groups->places[at] != 0 && !gt_str_eq(groups->items[groups->places[at] - 1].uri, uri)) at = (at + 1) & mask;
    return &groups->places[at];
}

/* Doubles the table when it is half full. */
static bool places_room(struct groups *groups)
{
    if (groups->count * 2 < groups->place_count) return true;
    size_t wanted = groups->place_count == 0 ? GROUPS_FIRST : groups->place_count * 2;
    uint32_t *places = wanted <= GROUPS_MAX * 2 ? arena_array(groups->arena, wanted, sizeof *places) : NULL;
    if (places == NULL) return false;
    groups->places = places;
    groups->place_count = wanted;
    for (size_t i = 0; i < groups->count; i++) *place_of(groups, groups->items[i].uri) = (uint32_t)i + 1;
    return true;
}

/* The number of an address, from 1; 0 when memory is out. */
static uint32_t group_of(struct groups *groups, struct gt_str uri, uint32_t member_len)
{
    void *items = groups->items;
    if (!places_room(groups)) return 0;
    uint32_t *place = place_of(groups, uri);
    if (*place == 0) {
        struct gt_str kept = arena_dup(groups->arena, uri);
        if (kept.ptr == NULL || !arena_grow(groups->arena, &items, groups->count, &groups->cap, sizeof *groups->items)) return 0;
        groups->items = items;
        groups->items[groups->count++] = (struct group){kept, 0};
        *place = (uint32_t)groups->count;
    }
    groups->items[*place - 1].bytes += member_len;
    return *place;
}

/* Reads exactly `len` bytes of a source file. */
static enum gt_err bytes_read(int fd, int64_t offset, char *bytes, size_t len, const char *name, struct gt_errinfo *info)
{
    enum gt_err err = file_read_at(fd, offset, bytes, len);
    if (err == GT_OK) return GT_OK;
    return err == GT_EINCOMPLETE ? gt_fail(info, GT_ECORRUPT, "%s ends inside a record", name) : file_fail(info, "cannot read", name);
}

enum gt_err sources_member(const struct pack_sources *sources, const struct pack_source *record, struct strbuf *out,
                           struct gt_errinfo *info)
{
    char piece[64 * 1024];
    enum gt_err err = GT_OK;
    strbuf_clear(out);
    for (size_t done = 0, len; done < record->member_len && err == GT_OK; done += len) {
        len = record->member_len - done < sizeof piece ? record->member_len - done : sizeof piece;
        err = bytes_read(sources->fds[record->file], record->offset + (int64_t)done, piece, len, sources->names[record->file],
                         info);
        if (err == GT_OK) strbuf_add(out, (struct gt_str){piece, len});
    }
    if (err == GT_OK && out->err != GT_OK) err = gt_fail(info, out->err, "%s", gt_err_text(out->err));
    return err;
}

struct pack_source *sources_record_add(struct pack_sources *sources)
{
    if (sources->count == sources->cap) {
        size_t cap = sources->cap == 0 ? GROUPS_FIRST : sources->cap * 2;
        struct pack_source *grown = cap <= PACK_RECORDS_MAX ? realloc(sources->records, cap * sizeof *grown) : NULL;
        if (grown == NULL) return NULL;
        sources->records = grown;
        sources->cap = cap;
    }
    sources->records[sources->count] = (struct pack_source){.file = 0};
    return &sources->records[sources->count++];
}

/* What is needed of a record: that it is whole, whose it is, and whether it begins a version. */
static enum gt_err record_look(const struct pack_sources *sources, struct pack_source *record, struct strbuf *member,
                               struct groups *groups, struct gt_errinfo *info)
{
    struct warc_entry entry;
    const char *name = sources->names[record->file];
    uint32_t member_len, plain_len;
    enum gt_err err = sources_member(sources, record, member, info);
    if (err != GT_OK) return err;
    char *plain = gzip_head_read(member->ptr, &member_len, &plain_len) ? gzip_member_unpack(strbuf_str(member), plain_len) : NULL;
    if (plain == NULL || !warc_entry_parse((struct gt_str){plain, plain_len}, &entry)) {
        free(plain);
        return gt_fail(info, GT_ECORRUPT, "%s: a damaged record at offset %lld", name, (long long)record->offset);
    }
    record->is_response = gt_str_is(entry.type, "response") || gt_str_is(entry.type, "resource");
    record->group = group_of(groups, entry.target_uri, record->member_len);
    free(plain);
    return record->group != 0 ? GT_OK : gt_fail(info, GT_ENOMEM, "out of memory");
}

/* Walks one file from head to head, digesting as it goes. */
static enum gt_err file_scan(struct pack_sources *sources, uint32_t index, int64_t size, struct groups *groups,
                             struct gt_errinfo *info)
{
    struct strbuf member;
    char head[GZIP_HEAD_BYTES];
    uint32_t member_len, plain_len;
    enum gt_err err = GT_OK;
    EVP_MD_CTX *digest = EVP_MD_CTX_new();
    strbuf_init(&member, 2 * WARC_BLOCK_BYTES_MAX);
    if (digest == NULL || EVP_DigestInit_ex(digest, EVP_sha256(), NULL) != 1) err = gt_fail(info, GT_ENOMEM, "out of memory");
    for (int64_t at = 0; at < size && err == GT_OK; at += member_len) {
        bool has_head = size - at >= GZIP_HEAD_BYTES;
        if (has_head) err = bytes_read(sources->fds[index], at, head, sizeof head, sources->names[index], info);
        if (err != GT_OK) break;
        if (!has_head || !gzip_head_read(head, &member_len, &plain_len) || member_len > size - at ||
            plain_len > 2u * WARC_BLOCK_BYTES_MAX) {
            err = gt_fail(info, GT_ECORRUPT, "%s: no record at offset %lld", sources->names[index], (long long)at);
            break;
        }
        struct pack_source *record = sources_record_add(sources);
        if (record == NULL) {
            err = gt_fail(info, GT_ELIMIT, "too many records");
            break;
        }
        *record = (struct pack_source){.file = index, .member_len = member_len, .offset = at};
        err = record_look(sources, record, &member, groups, info);
        if (err == GT_OK) EVP_DigestUpdate(digest, member.ptr, member.len);
    }
    if (err == GT_OK) EVP_DigestFinal_ex(digest, sources->files[index].sha256, NULL);
    EVP_MD_CTX_free(digest);
    strbuf_done(&member);
    return err;
}

enum gt_err sources_scan(const char *folder, const char *const *names, size_t file_count, struct arena *arena,
                         struct pack_sources *sources, struct gt_errinfo *info)
{
    struct groups groups = {.arena = arena};
    enum gt_err err = GT_OK;
    *sources = (struct pack_sources){.arena = arena, .names = names};
    sources->fds = arena_array(arena, file_count, sizeof *sources->fds);
    sources->files = arena_array(arena, file_count, sizeof *sources->files);
    if (sources->fds == NULL || sources->files == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    for (size_t i = 0; i < file_count && err == GT_OK; i++) {
        char path[PATH_MAX];
        struct stat st;
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        sources->fds[i] = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
        if (sources->fds[i] < 0) return file_fail(info, "cannot open", path);
        sources->file_count++;
        if (fstat(sources->fds[i], &st) != 0) return file_fail(info, "cannot look at", path);
        sources->files[i] = (struct pack_file){.name = gt_str_from(names[i]), .bytes = st.st_size};
        err = file_scan(sources, (uint32_t)i, st.st_size, &groups, info);
    }
    /* frames of their own would cost the small ones more than they hold */
    for (size_t i = 0; groups.items != NULL && i < sources->count && err == GT_OK; i++)
        if (groups.items[sources->records[i].group - 1].bytes < PACK_SMALL_BYTES) sources->records[i].group = 0;
    return err;
}

void sources_done(struct pack_sources *sources)
{
    for (size_t i = 0; sources->fds != NULL && i < sources->file_count; i++) close(sources->fds[i]);
    free(sources->records);
    sources->records = NULL;
    sources->file_count = 0;
}

/* Files are in order of name, so their numbers order them by time. */
static int place_cmp(const void *left, const void *right)
{
    const struct pack_source *a = left, *b = right;
    if (a->file != b->file) return a->file < b->file ? -1 : 1;
    return a->offset < b->offset ? -1 : a->offset > b->offset;
}

static int group_cmp(const void *left, const void *right)
{
    const struct pack_source *a = left, *b = right;
    if (a->group != b->group) return a->group < b->group ? -1 : 1;
    return place_cmp(left, right);
}

void sources_sort_by_group(struct pack_sources *sources)
{
    if (sources->count > 0) qsort(sources->records, sources->count, sizeof *sources->records, group_cmp);
}

void sources_sort_by_place(struct pack_sources *sources)
{
    if (sources->count > 0) qsort(sources->records, sources->count, sizeof *sources->records, place_cmp);
}
