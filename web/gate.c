#include "web/gate.h"

#include <inttypes.h>
#include <microhttpd.h>
#include <stdio.h>

#include "web/limits.h"

/* ---- the header ---- */

/* Counts a field, and what cannot be counted away. */
struct field_count {
    const char *name;
    unsigned count;
};

static enum MHD_Result field_counted(void *cls, enum MHD_ValueKind kind, const char *name, const char *value)
{
    (void)kind, (void)value;
    struct field_count *count = cls;
    count->count += gt_str_eq_nocase(gt_str_from(name), gt_str_from(count->name));
    return MHD_YES;
}

static unsigned fields_of(struct MHD_Connection *connection, const char *name)
{
    struct field_count count = {.name = name};
    MHD_get_connection_values(connection, MHD_HEADER_KIND, field_counted, &count);
    return count.count;
}

static const char *field_of(struct MHD_Connection *connection, const char *name)
{
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

/* Every byte is looked at whatever they are, so that the time tells nothing; digests make the lengths equal. */
static bool token_is(struct gt_str token, struct gt_str given)
{
    uint8_t want[SHA256_BYTES], have[SHA256_BYTES], differs = 0;
    if (digest_sha256(token, want) != GT_OK || digest_sha256(given, have) != GT_OK) return false;
    for (size_t i = 0; i < SHA256_BYTES; i++) differs |= (uint8_t)(want[i] ^ have[i]);
    return differs == 0;
}

/* "Authorization: Bearer TOKEN" of scripts, or the password that a browser asks for. */
static bool has_token(struct MHD_Connection *connection, struct gt_str token)
{
    static const char bearer[] = "Bearer ";
    struct gt_str field = gt_str_from(field_of(connection, MHD_HTTP_HEADER_AUTHORIZATION));
    if (fields_of(connection, MHD_HTTP_HEADER_AUTHORIZATION) != 1) return false;
    if (gt_str_eq_nocase(gt_str_slice(field, 0, sizeof bearer - 1), GT_STR(bearer)))
        return token_is(token, gt_str_trim(gt_str_slice(field, sizeof bearer - 1, SIZE_MAX)));
    char *password = NULL;
    char *user = MHD_basic_auth_get_username_password(connection, &password);
    bool ok = password != NULL && token_is(token, gt_str_from(password));
    MHD_free(user);
    MHD_free(password);
    return ok;
}

/* Before a byte of the address is read. Two lengths or hosts are how requests are smuggled past a proxy. */
unsigned web_gate_header(struct MHD_Connection *connection, const char *method, const struct web_settings *settings, const char **ret_why)
{
    const char *length = field_of(connection, MHD_HTTP_HEADER_CONTENT_LENGTH);
    *ret_why = "only GET and HEAD";
    if (strcmp(method, MHD_HTTP_METHOD_GET) != 0 && strcmp(method, MHD_HTTP_METHOD_HEAD) != 0) return MHD_HTTP_METHOD_NOT_ALLOWED;
    *ret_why = "a request here has no body";
    if ((length != NULL && strcmp(length, "0") != 0) || field_of(connection, MHD_HTTP_HEADER_TRANSFER_ENCODING) != NULL) return MHD_HTTP_BAD_REQUEST;
    *ret_why = "two lengths or hosts in one request";
    if (fields_of(connection, MHD_HTTP_HEADER_CONTENT_LENGTH) > 1 || fields_of(connection, MHD_HTTP_HEADER_HOST) > 1) return MHD_HTTP_BAD_REQUEST;
    *ret_why = "a token is needed";
    if (settings->token.len > 0 && !has_token(connection, settings->token)) return MHD_HTTP_UNAUTHORIZED;
    return 0;
}

/* ---- where the request comes from ---- */

/* Asked by a program on this machine for this machine: a proxy's request carries the name that the world knows, or says that it is one's. So
 * does one that a stranger's page makes a browser send by a name of its own. */
static bool is_from_here(struct MHD_Connection *connection)
{
    static const char *const forwarded[] = {"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via"};
    static const char *const names[] = {"localhost", "127.0.0.1", "[::1]"};
    struct gt_str host = gt_str_from(field_of(connection, MHD_HTTP_HEADER_HOST));
    for (size_t i = 0; i < sizeof forwarded / sizeof forwarded[0]; i++)
        if (field_of(connection, forwarded[i]) != NULL) return false;
    size_t bracket = gt_str_find(host, GT_STR("]"), 0);
    size_t colon = gt_str_find(host, GT_STR(":"), bracket == SIZE_MAX ? 0 : bracket);
    host = gt_str_slice(host, 0, colon);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (gt_str_is(host, names[i])) return true;
    return false;
}

/* True when gzip is accepted: named (or "*") without q=0 (RFC 9110, 12.5.3). */
static bool accepts_gzip(struct MHD_Connection *connection)
{
    struct gt_str rest = gt_str_from(field_of(connection, MHD_HTTP_HEADER_ACCEPT_ENCODING)), coding, name;
    while (gt_str_split(&rest, ',', &coding)) {
        struct gt_str weight = coding;
        if (!gt_str_split(&weight, ';', &name) || (!gt_str_eq_nocase(name, GT_STR("gzip")) && !gt_str_is(name, "*"))) continue;
        weight = gt_str_trim(weight);
        bool is_zero = gt_str_starts(weight, GT_STR("q=0"));
        for (size_t i = 3; i < weight.len; i++) is_zero &= gt_char_is_in(weight.ptr[i], ".0");
        return !is_zero;
    }
    return false;
}

/* ---- the address ---- */

/* Everything that the bytes of an answer depend on, as a digest; the ETag is its beginning. */
static bool key_make(struct web_exchange *exchange)
{
    const struct store_version *version = &exchange->moment.version;
    struct gt_str address = web_request_key(&exchange->request, 0, exchange->arena);
    bool is_file = exchange->route->kind == WEB_KIND_FILE;
    struct gt_str text = arena_printf(exchange->arena, "%s %" PRIx64 ":%" PRIx64 ":%" PRIx64 " %" PRId64 " %d%d %.*s", GPUTAPE_VERSION,
                                      is_file ? 0 : version->device, is_file ? 0 : version->inode, is_file ? 0 : version->commit,
                                      is_file ? 0 : exchange->moment.now_unix_s, exchange->is_gzip, exchange->is_local, GT_STR_ARG(address));
    char hex[SHA256_HEX_MAX];
    if (address.ptr == NULL || text.ptr == NULL || digest_sha256(text, exchange->key) != GT_OK) return false;
    digest_hex(exchange->key, SHA256_BYTES / 2, hex);
    snprintf(exchange->etag, sizeof exchange->etag, "\"%s\"", hex);
    return true;
}

/* What is refused here has cost no thread and no look at the store. */
unsigned web_gate_address(struct web_exchange *exchange, const char **ret_why)
{
    int status = web_request_read(exchange->target, exchange->arena, &exchange->request, ret_why);
    if (status != 0) return (unsigned)status;
    exchange->route = web_route_find(exchange->request.path);
    *ret_why = "no such page";
    if (exchange->route == NULL) return MHD_HTTP_NOT_FOUND;
    exchange->is_gzip = accepts_gzip(exchange->connection);
    exchange->is_local = is_from_here(exchange->connection);
    *ret_why = "out of memory";
    return key_make(exchange) ? 0 : MHD_HTTP_INTERNAL_SERVER_ERROR;
}

bool web_gate_is_known(struct MHD_Connection *connection, const char *etag)
{
    struct gt_str rest = gt_str_from(field_of(connection, MHD_HTTP_HEADER_IF_NONE_MATCH)), one;
    while (gt_str_split(&rest, ',', &one)) {
        if (gt_str_starts(one, GT_STR("W/"))) one = gt_str_slice(one, 2, SIZE_MAX);
        if (gt_str_is(one, etag)) return true;
    }
    return false;
}
