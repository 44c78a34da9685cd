/* The form in a pack:
 *   byte form   0: the member as it is follows.
 *               1: a record whose member is made again. 2: and whose payload is, too.
 *               Plus 16 where the block digest is left out, plus 32 where the payload's is: 32 equal signs stand in their places.
 *   form 1, 2:  recipe of the member (4 bytes), its gzip header (byte length, bytes)
 *   form 2:     recipe of the payload (4 bytes), its gzip header (byte length, bytes), 4 bytes where it begins in the record, 4 bytes its
 *               plain length, low byte first
 *   then the record, with its payload in plain where the form is 2.
 *   byte form   3: what is left of a page that was dropped; the record follows. It had another member, which nothing makes again. */
#include "crawler/pack_fold.h"

#include <stdlib.h>

#include <libdeflate.h>

#include "common/digest.h"
#include "crawler/pack_codec.h"
#include "crawler/warc.h"
#include "crawler/warc_gzip.h"
#include "crawler/warc_reader.h"
#include "net/header.h"

enum { FORM_MEMBER, FORM_RECORD, FORM_PAYLOAD, FORM_DROPPED, FORM_MASK = 15, GZIP_TRAILER_BYTES = 8, HEADER_BYTES_MAX = 255, NUMBER_BYTES = 4 };

enum { DIGEST_BLOCK, DIGEST_PAYLOAD, DIGESTS };

/* A digest cannot be packed, and follows from the rest: 40 bytes of each page would be digests. */
static const struct {
    const char *name;
    char flag;
} digest_fields[DIGESTS] = {{"WARC-Block-Digest", 16}, {"WARC-Payload-Digest", 32}};

static const char digest_blank[] = "================================";

#define RECORD_BYTES_MAX ((size_t)2 * WARC_BLOCK_BYTES_MAX)

/* A gzip member taken apart. */
struct gzip_parts {
    struct gt_str header, packed;
    struct deflate_recipe recipe;
};

/* Takes exactly one member apart, unpacks it into `plain` and finds out how it was made. False when it is not whole, not alone, or of
 * unknown making. */
static bool gzip_take_apart(struct gt_str member, const struct deflate_recipe *hint, struct strbuf *plain,
                            struct gzip_parts *ret_parts)
{
    size_t header = gzip_header_len(member), taken = 0;
    if (header == 0 || header > HEADER_BYTES_MAX) return false;
    struct gt_str rest = gt_str_slice(member, header, SIZE_MAX);
    if (deflate_unpack(rest, plain, &taken) != GT_OK || rest.len - taken != GZIP_TRAILER_BYTES) return false;
    struct gt_str bytes = strbuf_str(plain);
    const char *trailer = rest.ptr + taken;
    if (bytes.len > RECORD_BYTES_MAX || pack_get_fixed(trailer + 4, NUMBER_BYTES) != (uint32_t)bytes.len) return false;
    if (pack_get_fixed(trailer, NUMBER_BYTES) != libdeflate_crc32(0, bytes.ptr, bytes.len)) return false;
    *ret_parts = (struct gzip_parts){gt_str_slice(member, 0, header), gt_str_slice(rest, 0, taken), *hint};
    return deflate_recipe_find(ret_parts->packed, bytes, &ret_parts->recipe);
}

/* Recipe and header: all that is needed beside the plain bytes. */
static void parts_put(const struct gzip_parts *parts, struct strbuf *out)
{
    uint8_t recipe[DEFLATE_RECIPE_BYTES];
    deflate_recipe_put(&parts->recipe, recipe);
    strbuf_add(out, (struct gt_str){(const char *)recipe, sizeof recipe});
    strbuf_addc(out, (char)parts->header.len);
    strbuf_add(out, parts->header);
}

/* Puts a member together again. */
static enum gt_err parts_join(const struct gzip_parts *parts, struct gt_str plain, struct strbuf *out)
{
    strbuf_add(out, parts->header);
    enum gt_err err = deflate_remake(&parts->recipe, plain, out);
    pack_put_fixed(out, libdeflate_crc32(0, plain.ptr, plain.len), NUMBER_BYTES);
    pack_put_fixed(out, (uint32_t)plain.len, NUMBER_BYTES);
    return err != GT_OK ? err : out->err;
}

/* Reads what parts_put wrote off *rest. */
static bool parts_get(struct gt_str *rest, struct gzip_parts *ret_parts)
{
    if (rest->len < DEFLATE_RECIPE_BYTES + 1) return false;
    if (!deflate_recipe_get((const uint8_t *)rest->ptr, &ret_parts->recipe)) return false;
    size_t header = (unsigned char)rest->ptr[DEFLATE_RECIPE_BYTES];
    ret_parts->header = gt_str_slice(*rest, DEFLATE_RECIPE_BYTES + 1, header);
    *rest = gt_str_slice(*rest, DEFLATE_RECIPE_BYTES + 1 + header, SIZE_MAX);
    return ret_parts->header.len == header && header > 0;
}

/* The payload of a response that came under gzip, as a piece of `record`; empty when there is none. */
static struct gt_str packed_payload(struct gt_str record)
{
    struct warc_entry entry;
    struct gt_str http_head, payload;
    if (!warc_entry_parse(record, &entry)) return GT_STR("");
    warc_entry_split(&entry, &http_head, &payload);
    return gt_str_starts(payload, (struct gt_str){"\x1F\x8B\x08", 3}) ? payload : GT_STR("");
}

/* Where the Base32 text of a record's digest stands, and what it has to be; empty when the record states none, or one of another kind. */
static struct gt_str digest_place(struct gt_str record, int which, char ret_expected[SHA1_BASE32_MAX])
{
    struct warc_entry entry;
    struct gt_str http_head, bytes;
    if (!warc_entry_parse(record, &entry)) return GT_STR("");
    struct gt_str stated = header_find(entry.head, digest_fields[which].name, 0);
    bool is_sha1 = gt_str_starts(stated, GT_STR("sha1:")) && stated.len == 5 + SHA1_BASE32_MAX - 1;
    warc_entry_split(&entry, &http_head, &bytes);
    if (which == DIGEST_BLOCK) bytes = entry.block;
    if (!is_sha1 || digest_sha1_base32(bytes, ret_expected) != GT_OK) return GT_STR("");
    return gt_str_slice(stated, 5, SIZE_MAX);
}

/* Blanks the digests out that follow from the rest; returns their flags. `record` is malloc'ed, not const memory. */
static char digests_blank(struct strbuf *record)
{
    char flags = 0, expected[SHA1_BASE32_MAX];
    for (int i = 0; i < DIGESTS; i++) {
        struct gt_str place = digest_place(strbuf_str(record), i, expected);
        if (place.len == 0 || !gt_str_is(place, expected)) continue;
        memcpy(record->ptr + (place.ptr - record->ptr), digest_blank, sizeof digest_blank - 1);
        flags = (char)(flags | digest_fields[i].flag);
    }
    return flags;
}

/* Puts the digests in again that `form` says were left out. The record stands in `out` behind `from`. */
static enum gt_err digests_fill(struct strbuf *out, size_t from, int form)
{
    char expected[SHA1_BASE32_MAX];
    for (int i = 0; i < DIGESTS && out->err == GT_OK; i++) {
        if ((form & digest_fields[i].flag) == 0) continue;
        struct gt_str place = digest_place(gt_str_slice(strbuf_str(out), from, SIZE_MAX), i, expected);
        if (!gt_str_is(place, digest_blank)) return GT_ECORRUPT;
        memcpy(out->ptr + (place.ptr - out->ptr), expected, sizeof expected - 1);
    }
    return out->err;
}

/* Adds a record and what its member was, with the payload unpacked when that can be undone. */
static enum gt_err record_add(struct strbuf *bytes, const struct gzip_parts *member, struct fold_hints *hints, struct strbuf *out)
{
    struct strbuf plain;
    char flags = digests_blank(bytes);
    struct gt_str record = strbuf_str(bytes);
    struct gzip_parts parts = {.recipe = hints->payload};
    struct gt_str payload = packed_payload(record);
    strbuf_init(&plain, RECORD_BYTES_MAX);
    bool is_unpacked = payload.len > 0 && gzip_take_apart(payload, &hints->payload, &plain, &parts);
    strbuf_addc(out, (char)((is_unpacked ? FORM_PAYLOAD : FORM_RECORD) | flags));
    parts_put(member, out);
    if (is_unpacked) {
        size_t at = (size_t)(payload.ptr - record.ptr);
        hints->payload = parts.recipe;
        parts_put(&parts, out);
        pack_put_fixed(out, (uint32_t)at, NUMBER_BYTES);
        pack_put_fixed(out, (uint32_t)plain.len, NUMBER_BYTES);
        strbuf_add(out, gt_str_slice(record, 0, at));
        strbuf_add(out, strbuf_str(&plain));
        strbuf_add(out, gt_str_slice(record, at + payload.len, SIZE_MAX));
    } else {
        strbuf_add(out, record);
    }
    strbuf_done(&plain);
    return out->err;
}

enum gt_err record_unfold(struct gt_str member, struct fold_hints *hints, struct strbuf *out)
{
    struct strbuf record;
    struct gzip_parts parts;
    enum gt_err err;
    strbuf_init(&record, RECORD_BYTES_MAX);
    bool is_known = gzip_take_apart(member, &hints->member, &record, &parts);
    if (is_known) {
        hints->member = parts.recipe;
        err = record_add(&record, &parts, hints, out);
    } else {
        /* kept as it is: larger, and right */
        strbuf_addc(out, FORM_MEMBER);
        strbuf_add(out, member);
        err = out->err;
    }
    strbuf_done(&record);
    return err;
}

void record_unfold_dropped(struct gt_str record, struct strbuf *out)
{
    strbuf_addc(out, FORM_DROPPED);
    strbuf_add(out, record);
}

bool record_is_dropped(struct gt_str unfolded)
{
    return unfolded.len > 0 && unfolded.ptr[0] == FORM_DROPPED;
}

/* Adds the record of an unfolded payload: head, payload packed again, and what stands behind it. */
static enum gt_err payload_fold(struct gt_str rest, struct strbuf *out)
{
    struct gzip_parts parts;
    if (!parts_get(&rest, &parts) || rest.len < 2 * NUMBER_BYTES) return GT_ECORRUPT;
    size_t at = pack_get_fixed(rest.ptr, NUMBER_BYTES), len = pack_get_fixed(rest.ptr + NUMBER_BYTES, NUMBER_BYTES);
    rest = gt_str_slice(rest, 2 * NUMBER_BYTES, SIZE_MAX);
    if (at > rest.len || len > rest.len - at) return GT_ECORRUPT;
    strbuf_add(out, gt_str_slice(rest, 0, at));
    enum gt_err err = parts_join(&parts, gt_str_slice(rest, at, len), out);
    strbuf_add(out, gt_str_slice(rest, at + len, SIZE_MAX));
    return err != GT_OK ? err : out->err;
}

/* The record in plain, and (forms 1 and 2) what its member was. */
static enum gt_err unfolded_read(struct gt_str unfolded, struct gzip_parts *ret_member, struct strbuf *out)
{
    size_t taken;
    struct gt_str rest = gt_str_slice(unfolded, 1, SIZE_MAX);
    size_t before = out->len;
    int flags = unfolded.len > 0 ? (unsigned char)unfolded.ptr[0] : FORM_MASK, form = flags & FORM_MASK;
    if (form == FORM_MEMBER) {
        size_t header = gzip_header_len(rest);
        return header == 0 ? GT_ECORRUPT : deflate_unpack(gt_str_slice(rest, header, SIZE_MAX), out, &taken);
    }
    if (flags == FORM_DROPPED) {
        strbuf_add(out, rest);
        return out->err;
    }
    if ((form != FORM_RECORD && form != FORM_PAYLOAD) || !parts_get(&rest, ret_member)) return GT_ECORRUPT;
    enum gt_err err = GT_OK;
    if (form == FORM_PAYLOAD) err = payload_fold(rest, out);
    else strbuf_add(out, rest);
    return err != GT_OK ? err : digests_fill(out, before, flags);
}

enum gt_err record_fold_plain(struct gt_str unfolded, struct strbuf *out)
{
    struct gzip_parts member;
    return unfolded_read(unfolded, &member, out);
}

/* A member as the archive's writer makes them, so that an exported file is a whole one. */
static enum gt_err dropped_fold(struct gt_str record, struct strbuf *out)
{
    char *member = NULL;
    size_t len = 0;
    struct libdeflate_compressor *packer = gzip_packer_new();
    enum gt_err err = packer != NULL ? gzip_member_make(packer, record, &member, &len) : GT_ENOMEM;
    if (err == GT_OK) strbuf_add(out, (struct gt_str){member, len});
    free(member);
    gzip_packer_free(packer);
    return err == GT_OK ? out->err : err;
}

/* A member that could not be taken apart was kept as it was: every file can be packed, some only less. */
enum gt_err record_fold(struct gt_str unfolded, struct strbuf *out)
{
    struct strbuf record;
    struct gzip_parts member = {.header = GT_STR("")};
    if (unfolded.len > 0 && unfolded.ptr[0] == FORM_MEMBER) {
        strbuf_add(out, gt_str_slice(unfolded, 1, SIZE_MAX));
        return out->err;
    }
    if (record_is_dropped(unfolded)) return dropped_fold(gt_str_slice(unfolded, 1, SIZE_MAX), out);
    strbuf_init(&record, RECORD_BYTES_MAX);
    enum gt_err err = unfolded_read(unfolded, &member, &record);
    if (err == GT_OK) err = parts_join(&member, strbuf_str(&record), out);
    strbuf_done(&record);
    return err;
}
