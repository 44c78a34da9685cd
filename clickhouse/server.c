#include "clickhouse/clickhouse.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <jansson.h>

#include "common/digest.h"
#include "common/utf8.h"
#include "net/http.h"
#include "net/url.h"

enum {
    ADDRESS_ARENA_MAX = 256 * 1024,
    TIMEOUT_MS = 10 * 60 * 1000, /* of one exchange; a slow one ends sooner, by the client's own rule */
    SAID_BYTES_MAX = 300,        /* of what the server says is wrong */
    STATUS_OVERLOADED = 500,     /* this and above: worth another attempt */
    DIGEST_BYTES = 16,
};

struct clickhouse {
    struct arena *arena;
    struct http_client *client;
    struct url url;
    char port[sizeof "65535"];
    struct http_header headers[2];
    size_t header_count;
};

/* The setting stands in the address. */
static bool has_setting(struct gt_str target, const char *name)
{
    size_t query = gt_str_find(target, GT_STR("?"), 0);
    struct gt_str rest = query == SIZE_MAX ? GT_STR("") : gt_str_slice(target, query + 1, target.len), setting;
    while (gt_str_split(&rest, '&', &setting))
        if (gt_str_starts(setting, gt_str_from(name))) return true;
    return false;
}

static void header_add(struct clickhouse *server, const char *name, const char *variable)
{
    const char *value = getenv(variable);
    if (value == NULL || value[0] == '\0') return;
    server->headers[server->header_count++] = (struct http_header){gt_str_from(name), gt_str_from(value), true};
}

/* The address taken apart. No message repeats it: it may hold what is secret. */
static enum gt_err address_read(struct clickhouse *server, const char *url, struct gt_errinfo *info)
{
    enum gt_err err = url_parse(gt_str_from(url), server->arena, &server->url, NULL);
    if (err == GT_EREFUSED ||
        (err == GT_OK && (has_setting(server->url.target, "user=") || has_setting(server->url.target, "password="))))
        return gt_fail(info, GT_EUSAGE,
                       "ClickHouse's address holds http or https and settings; user and password come from "
                       "$GPUTAPE_CLICKHOUSE_USER and $GPUTAPE_CLICKHOUSE_PASSWORD");
    if (err != GT_OK)
        return gt_fail(info, GT_EUSAGE, "ClickHouse's address is none: it looks like http://host:8123/?database=gputape");
    snprintf(server->port, sizeof server->port, "%u", (unsigned)server->url.port);
    return GT_OK;
}

/* Nothing is asked of the server yet: a mistyped address is told before any work is done for it. */
enum gt_err clickhouse_open(const char *url, struct clickhouse **ret_server, struct gt_errinfo *info)
{
    static const struct http_settings settings = {.parallel_max = 1};
    struct clickhouse *server = calloc(1, sizeof *server);
    if (server == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    server->arena = arena_new(ADDRESS_ARENA_MAX);
    enum gt_err err = server->arena != NULL ? GT_OK : gt_fail(info, GT_ENOMEM, "out of memory");
    if (err == GT_OK) err = address_read(server, url, info);
    if (err == GT_OK) err = http_client_new(&settings, &server->client, info);
    if (err != GT_OK) {
        clickhouse_close(server);
        return err;
    }
    header_add(server, "X-ClickHouse-User", "GPUTAPE_CLICKHOUSE_USER");
    header_add(server, "X-ClickHouse-Key", "GPUTAPE_CLICKHOUSE_PASSWORD");
    *ret_server = server;
    return GT_OK;
}

void clickhouse_close(struct clickhouse *server)
{
    if (server == NULL) return;
    http_client_free(server->client);
    arena_free(server->arena);
    free(server);
}

/* ---- one exchange ---- */

static void take_response(void *ctx, struct http_response *response)
{
    struct http_response **ret = ctx;
    *ret = response;
}

/* What came, judged; *ret_may_pass: another attempt may go well. */
static enum gt_err response_judge(const struct clickhouse *server, const struct http_response *response, bool *ret_may_pass,
                                  struct gt_errinfo *info)
{
    struct arena *arena = arena_new(ADDRESS_ARENA_MAX);
    enum gt_err err = GT_OK;
    if (response->err != GT_OK) {
        *ret_may_pass = response->is_refetchable;
        err = gt_fail(info, response->err, "ClickHouse at %.*s: %.*s", GT_STR_ARG(server->url.origin),
                      GT_STR_ARG(response->detail));
    } else if (response->status != 200) {
        struct gt_str said =
            arena != NULL ? utf8_printable(gt_str_cut(gt_str_trim(response->body), SAID_BYTES_MAX), arena) : GT_STR("");
        *ret_may_pass = response->status >= STATUS_OVERLOADED;
        err = gt_fail(info, GT_EREFUSED, "ClickHouse at %.*s answers %d: %.*s", GT_STR_ARG(server->url.origin),
                      (int)response->status, GT_STR_ARG(said));
    }
    arena_free(arena);
    return err;
}

/* Sends `body` with the settings that hold for it; the answer, when there was a good one, is the caller's. */
static enum gt_err exchange(struct clickhouse *server, const char *settings, struct gt_str body,
                            struct http_response **ret_response, struct gt_errinfo *info)
{
    struct arena *arena = arena_new(ADDRESS_ARENA_MAX);
    bool has_query = gt_str_find(server->url.href, GT_STR("?"), 0) != SIZE_MAX, may_pass = true;
    struct gt_str url = arena != NULL
                            ? arena_printf(arena, "%.*s%c%s", GT_STR_ARG(server->url.href), has_query ? '&' : '?', settings)
                            : GT_STR("");
    const struct http_request request = {.url = url,
                                         .method = GT_STR("POST"),
                                         .body = body,
                                         .user_agent = GT_STR("gputape/" GPUTAPE_VERSION),
                                         .headers = server->headers,
                                         .header_count = server->header_count,
                                         .allow_ports = gt_str_from(server->port), /* whoever wrote the address meant its port, */
                                         .timeout_ms = TIMEOUT_MS,
                                         .allow_private = true}; /* and its host */
    enum gt_err err = url.len > 0 ? GT_ENET : gt_fail(info, GT_ENOMEM, "out of memory");
    for (int i = 0; i < CLICKHOUSE_ATTEMPTS && err != GT_OK && may_pass && url.len > 0; i++) {
        struct http_response *response = NULL;
        const struct timespec pause = {.tv_sec = i};
        nanosleep(&pause, NULL);
        err = http_client_add(server->client, &request, take_response, &response, info);
        if (err == GT_OK) err = http_client_run(server->client, NULL, 0, info);
        if (err == GT_OK && response == NULL) err = gt_fail(info, GT_ENOMEM, "out of memory");
        if (response == NULL) break;
        err = response_judge(server, response, &may_pass, info);
        if (err == GT_OK) *ret_response = response;
        else http_response_free(response);
    }
    arena_free(arena);
    return err;
}

enum gt_err clickhouse_insert(struct clickhouse *server, const char *table, struct gt_str rows, struct gt_errinfo *info)
{
    char settings[256];
    struct http_response *response = NULL;
    snprintf(settings, sizeof settings, "insert_distributed_sync=1&query=INSERT%%20INTO%%20%s%%20FORMAT%%20JSONEachRow", table);
    enum gt_err err = exchange(server, settings, rows, &response, info);
    http_response_free(response);
    return err;
}

enum gt_err clickhouse_select(struct clickhouse *server, const char *query, clickhouse_row_fn *fn, void *ctx,
                              struct gt_errinfo *info)
{
    /* the status is told when all has been computed, so that an answer with 200 is whole */
    static const char settings[] = "wait_end_of_query=1&output_format_json_quote_64bit_integers=1&default_format=JSONEachRow";
    struct http_response *response = NULL;
    struct gt_str rest = {NULL, 0}, line;
    enum gt_err err = exchange(server, settings, gt_str_from(query), &response, info);
    if (response != NULL) rest = response->body;
    while (err == GT_OK && gt_str_split(&rest, '\n', &line)) {
        json_error_t fault;
        if (line.len == 0) continue;
        json_t *row = json_loadb(line.ptr, line.len, JSON_REJECT_DUPLICATES, &fault);
        err = json_is_object(row) ? fn(ctx, row) : gt_fail(info, GT_EFORMAT, "ClickHouse answers with something else than rows");
        json_decref(row);
    }
    http_response_free(response);
    return err;
}

/* ---- rows ---- */

uint64_t clickhouse_number(const json_t *row, const char *column)
{
    const json_t *value = json_object_get(row, column);
    if (json_is_string(value)) return strtoull(json_string_value(value), NULL, 10);
    return (uint64_t)json_integer_value(value);
}

const char *clickhouse_text(const json_t *row, const char *column)
{
    const char *text = json_string_value(json_object_get(row, column));
    return text != NULL ? text : "";
}

enum gt_err clickhouse_digest(struct gt_str text, char ret_digest[CLICKHOUSE_DIGEST_MAX])
{
    uint8_t digest[SHA256_BYTES];
    enum gt_err err = digest_sha256(text, digest);
    if (err == GT_OK) digest_hex(digest, DIGEST_BYTES, ret_digest);
    return err;
}
