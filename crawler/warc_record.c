/* The grammar in one place: WARC 1.1, sections 4 to 6. Fields stand in a fixed order, so that the same record is the same
 * bytes. */
#include "crawler/warc_record.h"

#include <stdio.h>
#include <sys/random.h>

#include "common/civil.h"
#include "common/digest.h"

static const char *const type_names[WARC_TYPES] = {"warcinfo", "request", "response", "revisit", "metadata", "resource"};

static const char *const profiles[] = {
    "",
    "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest",
    "http://netpreserve.org/warc/1.1/revisit/server-not-modified",
};

enum gt_err warc_id_make(char ret_id[WARC_ID_MAX])
{
    unsigned char b[16];
    if (getrandom(b, sizeof b, 0) != (ssize_t)sizeof b) return GT_EINTERNAL;
    /* version and variant bits, RFC 4122, 4.4 */
    b[6] = (unsigned char)((b[6] & 0x0F) | 0x40);
    b[8] = (unsigned char)((b[8] & 0x3F) | 0x80);
    char hex[33];
    digest_hex(b, sizeof b, hex);
    snprintf(ret_id, WARC_ID_MAX, "urn:uuid:%.8s-%.4s-%.4s-%.4s-%.12s", hex, hex + 8, hex + 12, hex + 16, hex + 20);
    return GT_OK;
}

/* True when the text would end its header line, or its C string. */
static bool has_line_break(struct gt_str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] == '\r' || text.ptr[i] == '\n' || text.ptr[i] == '\0') return true;
    return false;
}

/* One field; an empty value leaves it out. A value that would break out of its line turns the buffer into an error. */
static void add_field(struct strbuf *out, const char *name, struct gt_str value)
{
    if (value.len == 0) return;
    if (has_line_break(value) && out->err == GT_OK) out->err = GT_EFORMAT;
    strbuf_addf(out, "%s: %.*s\r\n", name, GT_STR_ARG(value));
}

/* Record ids stand in angle brackets, addresses do not (WARC 1.1, Annex A). */
static void add_id(struct strbuf *out, const char *name, struct gt_str id)
{
    if (id.len > 0) strbuf_addf(out, "%s: <%.*s>\r\n", name, GT_STR_ARG(id));
}

/* A moment as W3CDTF, to the second. */
static void add_date(struct strbuf *out, const char *name, int64_t t_unix_s)
{
    char date[CIVIL_TEXT_MAX];
    strbuf_addf(out, "%s: %s\r\n", name, civil_rfc3339(t_unix_s, date));
}

/* SHA-1 in Base32: weak against forgery and all the same what every index and tool compares; SHA-256 stands in the metadata. */
static void add_digest(struct strbuf *out, const char *name, struct gt_str bytes)
{
    char digest[SHA1_BASE32_MAX];
    if (digest_sha1_base32(bytes, digest) != GT_OK && out->err == GT_OK) out->err = GT_EINTERNAL;
    strbuf_addf(out, "%s: sha1:%s\r\n", name, digest);
}

/* What a revisit says of the record that holds its payload. */
static void add_revisit_fields(const struct warc_record *record, struct strbuf *out)
{
    strbuf_addf(out, "WARC-Profile: %s\r\n", profiles[record->profile]);
    add_field(out, "WARC-Refers-To-Target-URI", record->refers_to_uri);
    if (record->refers_to_uri.len > 0) add_date(out, "WARC-Refers-To-Date", record->refers_to_unix_s);
}

/* All named fields, the mandatory ones first. None is repeated. *ret_digest_at is where the block's digest stands, which is not known before
 * the block is in place. */
static void add_fields(const struct warc_record *record, struct gt_str id, struct gt_str warcinfo_id, struct strbuf *out, size_t *ret_digest_at)
{
    strbuf_addf(out, "WARC/1.1\r\nWARC-Type: %s\r\n", type_names[record->type]);
    add_id(out, "WARC-Record-ID", id);
    add_date(out, "WARC-Date", record->t_unix_s);
    if (record->type != WARC_WARCINFO) add_id(out, "WARC-Warcinfo-ID", warcinfo_id);
    /* of a warcinfo the "target" is the file it opens */
    add_field(out, record->type == WARC_WARCINFO ? "WARC-Filename" : "WARC-Target-URI", record->target_uri);
    add_field(out, "WARC-IP-Address", record->address);
    add_id(out, "WARC-Concurrent-To", record->concurrent_to);
    add_id(out, "WARC-Refers-To", record->refers_to);
    if (record->type == WARC_REVISIT) add_revisit_fields(record, out);
    add_field(out, "WARC-Truncated", record->truncated);
    if (record->payload_digest.len > 0) add_field(out, "WARC-Payload-Digest", record->payload_digest);
    else if (record->type == WARC_RESPONSE || record->type == WARC_RESOURCE) add_digest(out, "WARC-Payload-Digest", record->body);
    strbuf_adds(out, "WARC-Block-Digest: sha1:");
    *ret_digest_at = out->len;
    strbuf_addf(out, "%*s\r\n", SHA1_BASE32_MAX - 1, "");
    add_field(out, "Content-Type", record->content_type);
    strbuf_addf(out, "Content-Length: %zu\r\n\r\n", record->head.len + record->body.len);
}

/* What the grammar forbids (WARC 1.1, section 5 and Annex); NULL when nothing does. Checked here, so that a mistake of ours
 * is an error and never a file that other tools refuse. */
static const char *fault_of(const struct warc_record *record)
{
    bool may_lack_target = record->type == WARC_METADATA;
    if (record->target_uri.len == 0 && !may_lack_target) return "a record without a target";
    if ((record->type == WARC_REVISIT) != (record->profile != WARC_PROFILE_NONE)) return "profiles are for revisits";
    if (record->profile == WARC_PROFILE_SAME_PAYLOAD && record->payload_digest.len == 0)
        return "a revisit without a payload digest";
    bool may_refer = record->type == WARC_METADATA || record->type == WARC_REVISIT;
    if (record->refers_to.len > 0 && !may_refer) return "only revisits and metadata refer to others";
    return NULL;
}

/* The block is laid down once, and digested where it lies: a body may have megabytes. */
enum gt_err warc_record_print(const struct warc_record *record, struct gt_str id, struct gt_str warcinfo_id, struct strbuf *out,
                              struct gt_errinfo *info)
{
    const char *fault = fault_of(record);
    char digest[SHA1_BASE32_MAX];
    size_t digest_at;
    if (fault != NULL) return gt_fail(info, GT_EINTERNAL, "archive: %s", fault);
    add_fields(record, id, warcinfo_id, out, &digest_at);
    size_t block_at = out->len;
    strbuf_add(out, record->head);
    strbuf_add(out, record->body);
    if (out->err == GT_OK && out->len - block_at > WARC_BLOCK_BYTES_MAX) out->err = GT_ELIMIT; /* what the reader would refuse */
    enum gt_err err = out->err == GT_OK ? digest_sha1_base32(gt_str_slice(strbuf_str(out), block_at, SIZE_MAX), digest) : out->err;
    if (err == GT_OK) {
        memcpy(out->ptr + digest_at, digest, sizeof digest - 1);
        strbuf_adds(out, "\r\n\r\n");
        err = out->err;
    }
    return err == GT_OK ? GT_OK : gt_fail(info, err, "archive: a record cannot be written: %s", gt_err_text(err));
}
