#include "net/http.h"

#include <fcntl.h>
#include <zlib.h>

#include "common/arena.h"
#include "common/clock.h"
#include "net/url.h"
#include "tests/unit/net/raw_server.h"
#include "tests/unit/table.h"

enum { LIMIT = 64 * 1024, BIG = 4 * 1024 * 1024 };

/* What the server does: a function a path. */
struct scene {
    const char *path;
    bool (*act)(int fd);
};

static bool send_zeros(int fd, size_t len)
{
    char block[8192] = {0};
    memset(block, 'z', sizeof block);
    for (; len > 0; len -= len < sizeof block ? len : sizeof block)
        if (!raw_send(fd, block, len < sizeof block ? len : sizeof block)) return false;
    return true;
}

static bool act_plain(int fd)
{
    return raw_reply(fd, "200 OK", "Content-Type: text/html\r\nETag: \"x\"\r\n", "<p>hello</p>", 12);
}

static bool act_not_modified(int fd)
{
    return raw_puts(fd, "HTTP/1.1 304 Not Modified\r\nETag: \"x\"\r\n\r\n");
}

static bool act_chunked(int fd)
{
    return raw_puts(fd, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX-Trailer: 1\r\n\r\n");
}

static bool act_interim(int fd)
{
    raw_puts(fd, "HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n");
    return act_plain(fd);
}

static bool act_close(int fd)
{
    raw_puts(fd, "HTTP/1.0 200 OK\r\n\r\nhello");
    return false;
}

static bool act_farewell(int fd)
{
    return act_plain(fd) && false;
}

static bool act_chatter(int fd)
{
    act_plain(fd);
    nanosleep(&(struct timespec){.tv_nsec = 50 * 1000 * 1000}, NULL);
    return raw_puts(fd, "HTTP/1.1 408 Request Timeout\r\n\r\n");
}

static bool act_parting_words(int fd)
{
    return act_chatter(fd) && false;
}

static bool act_big_stated(int fd)
{
    raw_puts(fd, "HTTP/1.1 200 OK\r\nContent-Length: 4194304\r\n\r\n");
    return send_zeros(fd, BIG);
}

static bool act_big_chunked(int fd)
{
    raw_puts(fd, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n400000\r\n");
    return send_zeros(fd, BIG) && raw_puts(fd, "\r\n0\r\n\r\n");
}

static bool act_big_close(int fd)
{
    raw_puts(fd, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n");
    send_zeros(fd, BIG);
    return false;
}

/* `len` bytes of text as gzip, `less` bytes cut off its end. */
static bool send_gzip(int fd, size_t len, size_t less)
{
    static const size_t cap = 1024 * 1024;
    char *plain = malloc(len), *coded = malloc(cap);
    z_stream stream = {0};
    memset(plain, 'g', len);
    deflateInit2(&stream, 9, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY);
    stream.next_in = (Bytef *)plain;
    stream.avail_in = (uInt)len;
    stream.next_out = (Bytef *)coded;
    stream.avail_out = (uInt)cap;
    deflate(&stream, Z_FINISH);
    size_t made = cap - stream.avail_out - less;
    deflateEnd(&stream);
    bool is_sent = raw_reply(fd, "200 OK", "Content-Encoding: gzip\r\n", coded, made);
    free(plain);
    free(coded);
    return is_sent;
}

static bool act_gzip(int fd)
{
    return send_gzip(fd, 1000, 0);
}

static bool act_gzip_cut(int fd)
{
    return send_gzip(fd, 1000, 6);
}

static bool act_bomb(int fd)
{
    return send_gzip(fd, 64 * 1024 * 1024, 0);
}

static bool act_short(int fd)
{
    raw_puts(fd, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello");
    return false;
}

static bool act_cut_chunk(int fd)
{
    raw_puts(fd, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n64\r\nhello");
    return false;
}

static bool act_no_last_chunk(int fd)
{
    raw_puts(fd, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n");
    return false;
}

static bool act_bad_chunk(int fd)
{
    return raw_puts(fd, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n");
}

static bool act_reset(int fd)
{
    struct linger linger = {1, 0};
    raw_puts(fd, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello");
    usleep(50 * 1000);
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
    return false;
}

static bool act_two_lengths(int fd)
{
    raw_puts(fd, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 3\r\n\r\nhello");
    return false;
}

static bool act_nothing(int fd)
{
    (void)fd;
    return false;
}

static bool act_silent(int fd)
{
    char byte;
    recv(fd, &byte, 1, 0);
    return false;
}

static bool act_drip(int fd)
{
    raw_puts(fd, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n");
    for (int i = 0; i < 50 && raw_puts(fd, "x"); i++) usleep(100 * 1000);
    return false;
}

static bool act_endless_headers(int fd)
{
    raw_puts(fd, "HTTP/1.1 200 OK\r\n");
    for (int i = 0; i < 100000; i++)
        if (!raw_puts(fd, "X-Filler: 0123456789012345678901234567890123456789\r\n")) break;
    return false;
}

static bool act_interim_storm(int fd)
{
    for (int i = 0; i < 100000; i++)
        if (!raw_puts(fd, "HTTP/1.1 103 Early Hints\r\nLink: </aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.css>\r\n\r\n")) break;
    return false;
}

static bool act_long_line(int fd)
{
    raw_puts(fd, "HTTP/1.1 200 OK\r\nX-Long: ");
    send_zeros(fd, 200 * 1024);
    raw_puts(fd, "\r\nContent-Length: 0\r\n\r\n");
    return false;
}

static bool act_not_http(int fd)
{
    raw_puts(fd, "SSH-2.0-OpenSSH_9.2\r\n");
    return false;
}

static bool act_redirect(int fd)
{
    return raw_reply(fd, "302 Found", "Location: /plain\r\n", "", 0);
}

static bool act_loop(int fd)
{
    return raw_reply(fd, "301 Moved", "Location: /loop\r\n", "", 0);
}

static bool act_to_metadata(int fd)
{
    return raw_reply(fd, "302 Found", "Location: http://169.254.169.254/latest/meta-data/\r\n", "", 0);
}

static bool act_to_file(int fd)
{
    return raw_reply(fd, "302 Found", "Location: file:///etc/passwd\r\n", "", 0);
}

static bool act_to_port(int fd)
{
    return raw_reply(fd, "302 Found", "Location: http://a.test:22/\r\n", "", 0);
}

static bool act_to_long(int fd)
{
    raw_puts(fd, "HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: /");
    send_zeros(fd, 64 * 1024);
    return raw_puts(fd, "\r\n\r\n");
}

static bool act_unknown_coding(int fd)
{
    return raw_reply(fd, "200 OK", "Content-Encoding: sdch\r\n", "abc", 3);
}

static bool act_length_overflows(int fd)
{
    raw_puts(fd, "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\nhello");
    return false;
}

static bool act_transfer_coding(int fd)
{
    raw_puts(fd, "HTTP/1.1 200 OK\r\nTransfer-Encoding: rot13\r\n\r\nuryyb");
    return false;
}

static bool act_half_head(int fd)
{
    raw_puts(fd, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Le");
    return false;
}

static bool act_interim_only(int fd)
{
    raw_puts(fd, "HTTP/1.1 100 Continue\r\n\r\n");
    return false;
}

static bool act_no_content(int fd)
{
    return raw_puts(fd, "HTTP/1.1 204 No Content\r\n\r\n");
}

static const struct scene scenes[] = {
    {"/plain", act_plain},
    {"/304", act_not_modified},
    {"/chunked", act_chunked},
    {"/interim", act_interim},
    {"/close", act_close},
    {"/big-stated", act_big_stated},
    {"/big-chunked", act_big_chunked},
    {"/big-close", act_big_close},
    {"/gzip", act_gzip},
    {"/gzip-cut", act_gzip_cut},
    {"/bomb", act_bomb},
    {"/short", act_short},
    {"/cut-chunk", act_cut_chunk},
    {"/no-last-chunk", act_no_last_chunk},
    {"/bad-chunk", act_bad_chunk},
    {"/reset", act_reset},
    {"/two-lengths", act_two_lengths},
    {"/nothing", act_nothing},
    {"/silent", act_silent},
    {"/farewell", act_farewell},
    {"/chatter", act_chatter},
    {"/parting-words", act_parting_words},
    {"/drip", act_drip},
    {"/endless-headers", act_endless_headers},
    {"/interim-storm", act_interim_storm},
    {"/long-line", act_long_line},
    {"/not-http", act_not_http},
    {"/redirect", act_redirect},
    {"/loop", act_loop},
    {"/to-metadata", act_to_metadata},
    {"/to-file", act_to_file},
    {"/to-port", act_to_port},
    {"/to-long", act_to_long},
    {"/unknown-coding", act_unknown_coding},
    {"/204", act_no_content},
    {"/length-overflows", act_length_overflows},
    {"/transfer-coding", act_transfer_coding},
    {"/half-head", act_half_head},
    {"/interim-only", act_interim_only},
};

static bool answer(void *ctx, int fd, const char *request)
{
    (void)ctx;
    const char *path = strchr(request, ' ');
    size_t len = path != NULL ? strcspn(path + 1, " ?") : 0;
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++)
        if (strlen(scenes[i].path) == len && memcmp(scenes[i].path, path + 1, len) == 0) return scenes[i].act(fd);
    return raw_reply(fd, "404 Not Found", "", "no", 2);
}

/* One fetch through a client of its own, by way of connect_to unless the row asks for the address itself. */
struct fetched {
    struct http_response *response;
    int calls;
};

static void on_done(void *ctx, struct http_response *response)
{
    struct fetched *fetched = ctx;
    http_response_free(fetched->response);
    fetched->response = response;
    fetched->calls++;
}

static struct http_response *fetch_with(struct raw_server *server, bool is_redirected, struct http_request *request)
{
    char rule[64];
    snprintf(rule, sizeof rule, "a.test::127.0.0.1:%u", server->port);
    const char *rules[] = {rule, NULL};
    struct http_settings settings = {.connect_to = is_redirected ? rules : NULL};
    struct http_client *client = NULL;
    struct fetched fetched = {NULL, 0};
    assert_int_equal(http_client_new(&settings, &client, NULL), GT_OK);
    assert_int_equal(http_client_add(client, request, on_done, &fetched, NULL), GT_OK);
    assert_int_equal(http_client_run(client, NULL, clock_mono_ms() + 8000, NULL), GT_OK);
    assert_int_equal(http_client_pending(client), 0);
    assert_int_equal(fetched.calls, 1);
    assert_non_null(fetched.response);
    http_client_free(client);
    return fetched.response;
}

static const struct row {
    const char *name;
    const char *path;
    enum gt_err err;
    int32_t status;
    int64_t body_bytes; /* -1: not looked at */
    const char *detail; /* a part of it */
    bool is_length_known;
} answers[] = {
    {"stated length", "/plain", GT_OK, 200, 12, "", true},
    {"not modified", "/304", GT_OK, 304, 0, "", true},
    {"chunked with a trailer", "/chunked", GT_OK, 200, 5, "", true},
    {"interim answer before", "/interim", GT_OK, 200, 12, "", true},
    {"length known to nobody", "/close", GT_OK, 200, 5, "", false},
    {"gzip", "/gzip", GT_OK, 200, 1000, "", true},
    {"redirect followed", "/redirect", GT_OK, 200, 12, "", true},
    {"no content", "/204", GT_OK, 204, 0, "", true},
    {"not found is an answer", "/missing", GT_OK, 404, 2, "", true},
    {"too large, stated", "/big-stated", GT_ELIMIT, 200, LIMIT, "larger than", true},
    {"too large, chunked", "/big-chunked", GT_ELIMIT, 200, LIMIT, "larger than", true},
    {"too large, until close", "/big-close", GT_ELIMIT, 200, LIMIT, "larger than", false},
    {"too large when unpacked", "/bomb", GT_ELIMIT, 200, LIMIT, "unpacks", true},
    {"gzip cut behind a true length", "/gzip-cut", GT_EINCOMPLETE, 200, 0, "cut or corrupt", true},
    {"shorter than stated", "/short", GT_EINCOMPLETE, 200, 5, "stated length", true},
    {"cut in a chunk", "/cut-chunk", GT_EINCOMPLETE, 200, 5, "", true},
    {"last chunk missing", "/no-last-chunk", GT_EINCOMPLETE, 200, 5, "", true},
    {"chunk size is no number", "/bad-chunk", GT_EINCOMPLETE, 200, 0, "", true},
    {"reset in the body", "/reset", GT_EINCOMPLETE, 200, -1, "", true},
    {"two lengths", "/two-lengths", GT_EFORMAT, 200, -1, "two different lengths", true},
    {"a length beyond all numbers", "/length-overflows", GT_EFORMAT, 200, -1, "no number", true},
    {"a transfer coding that is not known", "/transfer-coding", GT_EFORMAT, 200, -1, "transfer coding", true},
    {"cut inside the headers", "/half-head", GT_ENET, 200, 0, "inside the headers", false},
    {"an interim answer and no other", "/interim-only", GT_ENET, 100, 0, "without an answer", false},
    {"closed without an answer", "/nothing", GT_ENET, 0, 0, "without an answer", false},
    {"headers without end", "/endless-headers", GT_EFORMAT, 200, 0, "headers are larger", false},
    {"interim answers without end", "/interim-storm", GT_EFORMAT, -1, 0, "", false},
    {"a header line of 200 KiB", "/long-line", GT_EFORMAT, -1, 0, "", false},
    {"not HTTP", "/not-http", GT_EFORMAT, 0, 0, "not an HTTP answer", false},
    {"redirect to itself", "/loop", GT_ELIMIT, 301, 0, "in a circle", true},
    {"redirect to the metadata service", "/to-metadata", GT_EREFUSED, 0, 0, "link-local", false},
    {"redirect to a file", "/to-file", GT_EREFUSED, 302, 0, "only http", true},
    {"redirect to another port", "/to-port", GT_EREFUSED, 0, 0, "port 22", false},
    {"redirect of 64 KiB", "/to-long", GT_ELIMIT, 302, 0, "address of", true},
    {"unknown content coding", "/unknown-coding", GT_EFORMAT, 200, -1, "sdch", true},
};

static void check_answer(void **state)
{
    const struct row *row = *state;
    struct raw_server server;
    assert_true(raw_server_start(&server, answer, NULL));
    char url[128];
    snprintf(url, sizeof url, "http://a.test%s", row->path);
    struct http_request request = {.url = gt_str_from(url), .body_bytes_max = LIMIT, .redirects_max = 5, .timeout_ms = 5000};
    struct http_response *response = fetch_with(&server, true, &request);
    if (response->err != row->err) print_error("# %s: %s\n", gt_err_name(response->err), response->detail.ptr);
    assert_int_equal(response->err, row->err);
    if (row->status >= 0) assert_int_equal(response->status, row->status);
    if (row->body_bytes >= 0) assert_int_equal(response->body.len, row->body_bytes);
    assert_true(response->wire.len <= LIMIT);
    if (row->detail[0] != '\0') assert_non_null(strstr(response->detail.ptr, row->detail));
    if (row->err == GT_OK) assert_int_equal(response->detail.len, 0);
    if (row->status > 0) assert_int_equal(response->is_length_known, row->is_length_known);
    if (row->err == GT_OK) assert_true(gt_str_starts(response->head, GT_STR("HTTP/1.")));
    http_response_free(response);
    raw_server_stop(&server);
}

static const struct slow_row {
    const char *name;
    const char *path;
} slows[] = {{"accepts and says nothing", "/silent"}, {"a byte now and then", "/drip"}};

static void check_slow(void **state)
{
    const struct slow_row *row = *state;
    struct raw_server server;
    assert_true(raw_server_start(&server, answer, NULL));
    char url[128];
    snprintf(url, sizeof url, "http://a.test%s", row->path);
    struct http_request request = {.url = gt_str_from(url), .timeout_ms = 300};
    int64_t begin = clock_mono_ms();
    struct http_response *response = fetch_with(&server, true, &request);
    assert_int_equal(response->err, GT_ETIMEOUT);
    assert_true(response->is_refetchable);
    assert_true(clock_mono_ms() - begin < 3000);
    http_response_free(response);
    raw_server_stop(&server);
}

/* The policy for addresses, without connect_to. PORT stands for the server's. */
static const struct policy_row {
    const char *name;
    const char *url;
    const char *ports;
    bool allow_private;
    enum gt_err err;
} policies[] = {
    {"loopback allowed by the site", "http://127.0.0.1:PORT/plain", "PORT", true, GT_OK},
    {"another spelling, allowed", "http://127.1:PORT/plain", "22 PORT", true, GT_OK},
    {"loopback", "http://127.0.0.1:PORT/plain", "PORT", false, GT_EREFUSED},
    {"short spelling", "http://127.1:PORT/plain", "PORT", false, GT_EREFUSED},
    {"decimal spelling", "http://2130706433:PORT/plain", "PORT", false, GT_EREFUSED},
    {"hexadecimal spelling", "http://0x7f.1:PORT/plain", "PORT", false, GT_EREFUSED},
    {"octal spelling", "http://0177.0.0.1:PORT/plain", "PORT", false, GT_EREFUSED},
    {"zero", "http://0:PORT/plain", "PORT", false, GT_EREFUSED},
    {"IPv6 loopback", "http://[::1]:PORT/plain", "PORT", false, GT_EREFUSED},
    {"mapped loopback", "http://[::ffff:127.0.0.1]:PORT/plain", "PORT", false, GT_EREFUSED},
    {"localhost by name", "http://localhost:PORT/plain", "PORT", false, GT_EREFUSED},
    {"port not allowed", "http://127.0.0.1:PORT/plain", "", true, GT_EREFUSED},
    {"another port allowed", "http://127.0.0.1:PORT/plain", "1", true, GT_EREFUSED},
    {"user name in it", "http://u@127.0.0.1:PORT/plain", "PORT", true, GT_EREFUSED},
    {"file", "file:///etc/passwd", "PORT", true, GT_EREFUSED},
};

static void put_port(char *out, size_t cap, const char *text, uint16_t port)
{
    const char *mark = strstr(text, "PORT");
    int before = mark != NULL ? (int)(mark - text) : (int)strlen(text);
    if (mark != NULL) snprintf(out, cap, "%.*s%u%s", before, text, port, mark + 4);
    else snprintf(out, cap, "%s", text);
}

static void check_policy(void **state)
{
    const struct policy_row *row = *state;
    struct raw_server server;
    assert_true(raw_server_start(&server, answer, NULL));
    char url[128], ports[64];
    put_port(url, sizeof url, row->url, server.port);
    put_port(ports, sizeof ports, row->ports, server.port);
    struct http_request request = {
        .url = gt_str_from(url), .allow_ports = gt_str_from(ports), .allow_private = row->allow_private};
    struct http_response *response = fetch_with(&server, false, &request);
    assert_int_equal(response->err, row->err);
    assert_int_equal(atomic_load(&server.requests), row->err == GT_OK);
    http_response_free(response);
    raw_server_stop(&server);
}

/* A connection that may be private is not reused by a request that may not; what the environment says changes nothing. */
static void check_reuse(void **state)
{
    (void)state;
    struct raw_server server;
    assert_true(raw_server_start(&server, answer, NULL));
    char url[64], port[8];
    snprintf(url, sizeof url, "http://127.0.0.1:%u/plain", server.port);
    snprintf(port, sizeof port, "%u", server.port);
    setenv("http_proxy", "http://127.0.0.1:1/", 1);
    setenv("all_proxy", "http://127.0.0.1:1/", 1);
    struct http_settings settings = {.connect_to = NULL};
    struct http_client *client = NULL;
    struct fetched fetched = {NULL, 0};
    struct http_request request = {.url = gt_str_from(url), .allow_ports = gt_str_from(port), .allow_private = true};
    assert_int_equal(http_client_new(&settings, &client, NULL), GT_OK);
    static const enum gt_err expected[] = {GT_OK, GT_EREFUSED, GT_OK};
    for (int i = 0; i < 3; i++) {
        request.allow_private = i != 1;
        assert_int_equal(http_client_add(client, &request, on_done, &fetched, NULL), GT_OK);
        assert_int_equal(http_client_run(client, NULL, 0, NULL), GT_OK);
        assert_int_equal(fetched.response->err, expected[i]);
    }
    assert_int_equal(atomic_load(&server.requests), 2);
    http_response_free(fetched.response);
    http_client_free(client);
    raw_server_stop(&server);
    unsetenv("http_proxy");
    unsetenv("all_proxy");
}

/* request_head is what went over the wire, but for secrets. */
static const struct head_row {
    const char *name;
    const char *url; /* NULL: http://a.test/plain?q=1#x */
    const char *method, *body;
    const char *field, *value; /* NULL: no header of the caller's */
    bool is_secret;
    const char *has; /* in what was sent */
} heads[] = {
    {"plain GET", NULL, "GET", "", NULL, NULL, false,
     "GET /plain?q=1 HTTP/1.1\r\nHost: a.test\r\nUser-Agent: gputape/1\r\nAccept: text/html"},
    {"upper case in the host", "HTTP://A.Test/Plain", "GET", "", NULL, NULL, false, "GET /Plain HTTP/1.1\r\nHost: a.test\r\n"},
    {"question mark without a query", "http://a.test/plain?#x", "GET", "", NULL, NULL, false, "GET /plain HTTP/1.1\r\n"},
    {"blanks and Chinese", "http://a.test/价 格?q=a b", "GET", "", NULL, NULL, false, "GET /%e4%bb%b7%20%e6%a0%bc?q=a+b HTTP/1.1\r\n"},
    {"a port that is usual", "http://a.test:80/plain", "GET", "", NULL, NULL, false, "\r\nHost: a.test\r\n"},
    {"own header", NULL, "GET", "", "X-A", "b c", false, "\r\nX-A: b c\r\n"},
    {"own Accept replaces ours", NULL, "GET", "", "accept", "text/plain", false, "\r\naccept: text/plain\r\n"},
    {"empty value", NULL, "GET", "", "X-Empty", "", false, "\r\nX-Empty:"},
    {"POST of JSON", NULL, "POST", "{\"a\":1}", NULL, NULL, false, "\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n"},
    {"POST of a form", NULL, "POST", "a=1", NULL, NULL, false, "Content-Type: application/x-www-form-urlencoded\r\n"},
    {"POST of nothing", NULL, "POST", "", NULL, NULL, false, "Content-Length: 0\r\n"},
    {"secret", NULL, "GET", "", "Authorization", "Bearer s3cr3t", true, "\r\nAuthorization: Bearer s3cr3t\r\n"},
};

static void check_head(void **state)
{
    const struct head_row *row = *state;
    struct raw_server server;
    assert_true(raw_server_start(&server, answer, NULL));
    struct http_header header = {gt_str_from(row->field), gt_str_from(row->value), row->is_secret};
    struct http_request request = {.url = gt_str_from(row->url != NULL ? row->url : "http://a.test/plain?q=1#x"),
                                   .method = gt_str_from(row->method),
                                   .body = gt_str_from(row->body),
                                   .user_agent = GT_STR("gputape/1"),
                                   .headers = &header,
                                   .header_count = row->field != NULL};
    struct http_response *response = fetch_with(&server, true, &request);
    assert_int_equal(response->err, GT_OK);
    assert_non_null(strstr(server.last_request, row->has));
    size_t head_len = (size_t)(strstr(server.last_request, "\r\n\r\n") - server.last_request) + 4;
    if (row->is_secret) {
        assert_null(strstr(response->request_head.ptr, "s3cr3t"));
        assert_non_null(strstr(response->request_head.ptr, "Authorization: [redacted]\r\n"));
    } else {
        assert_int_equal(response->request_head.len, head_len);
        assert_memory_equal(response->request_head.ptr, server.last_request, head_len);
    }
    assert_string_equal(response->address.ptr, "127.0.0.1");
    http_response_free(response);
    raw_server_stop(&server);
}

static const struct misuse_row {
    const char *name;
    const char *method;
    const char *field, *value;
} misuses[] = {
    {"another method", "PUT", "A", "b"},
    {"line break in a value", "GET", "A", "b\r\nX: y"},
    {"blank in a name", "GET", "A B", "b"},
    {"Host of the caller", "GET", "host", "b.com"},
    {"Accept-Encoding of the caller", "GET", "Accept-Encoding", "gzip"},
    {"Content-Length of the caller", "POST", "Content-Length", "0"},
};

static void check_misuse(void **state)
{
    const struct misuse_row *row = *state;
    struct http_settings settings = {.connect_to = NULL};
    struct http_client *client = NULL;
    struct gt_errinfo info = {0};
    struct http_header header = {gt_str_from(row->field), gt_str_from(row->value), false};
    struct http_request request = {
        .url = GT_STR("http://a.test/"), .method = gt_str_from(row->method), .headers = &header, .header_count = 1};
    assert_int_equal(http_client_new(&settings, &client, NULL), GT_OK);
    assert_int_equal(http_client_add(client, &request, on_done, NULL, &info), GT_EUSAGE);
    assert_true(strlen(info.text) > 0);
    assert_int_equal(http_client_pending(client), 0);
    http_client_free(client);
}

/* Hops by hand. */
static const struct hop_row {
    const char *name;
    const char *url, *location;
    int32_t status;
    bool is_post;
    enum gt_err err;
    const char *to;
    bool keeps_body;
} hops[] = {
    {"relative", "https://a.com/x/y", "z", 302, false, GT_OK, "https://a.com/x/z", false},
    {"another host", "https://a.com/", "https://b.com/", 301, false, GT_OK, "https://b.com/", false},
    {"http to https", "http://a.com/", "https://a.com/", 301, false, GT_OK, "https://a.com/", false},
    {"POST becomes GET", "https://a.com/", "/done", 303, true, GT_OK, "https://a.com/done", false},
    {"POST stays POST at home", "https://a.com/", "/v2", 307, true, GT_OK, "https://a.com/v2", true},
    {"https to http", "https://a.com/", "http://a.com/", 301, false, GT_EREFUSED, NULL, false},
    {"POST to another host", "https://a.com/", "https://b.com/", 308, true, GT_EREFUSED, NULL, false},
    {"javascript", "https://a.com/", "ftp://a.com/", 302, false, GT_EREFUSED, NULL, false},
};

static void check_hop(void **state)
{
    const struct hop_row *row = *state;
    char head[256];
    snprintf(head, sizeof head, "HTTP/1.1 %d x\r\nLocation: %s\r\n\r\n", row->status, row->location);
    struct http_response response = {.status = row->status, .url = gt_str_from(row->url), .head = gt_str_from(head)};
    struct arena *arena = arena_new(1 << 20);
    struct url to;
    bool keeps_body = false;
    assert_true(http_response_is_redirect(&response));
    assert_int_equal(http_redirect_resolve(&response, row->is_post, arena, &to, &keeps_body, NULL), row->err);
    if (row->err == GT_OK) {
        assert_str(to.href, row->to);
        assert_int_equal(keeps_body, row->keeps_body);
    }
    arena_free(arena);
}

/* Twenty requests to one host take turns on one connection. */
static void check_one_connection(void **state)
{
    (void)state;
    struct raw_server server;
    assert_true(raw_server_start(&server, answer, NULL));
    char url[64], port[8];
    snprintf(url, sizeof url, "http://127.0.0.1:%u/plain", server.port);
    snprintf(port, sizeof port, "%u", server.port);
    struct http_settings settings = {.connect_to = NULL};
    struct http_client *client = NULL;
    struct fetched fetched = {NULL, 0};
    struct http_request request = {.url = gt_str_from(url), .allow_ports = gt_str_from(port), .allow_private = true};
    assert_int_equal(http_client_new(&settings, &client, NULL), GT_OK);
    for (int i = 0; i < 20; i++) assert_int_equal(http_client_add(client, &request, on_done, &fetched, NULL), GT_OK);
    assert_int_equal(http_client_run(client, NULL, clock_mono_ms() + 8000, NULL), GT_OK);
    assert_int_equal(fetched.calls, 20);
    assert_int_equal(fetched.response->err, GT_OK);
    assert_int_equal(atomic_load(&server.connections), 1);
    http_response_free(fetched.response);
    http_client_free(client);
    raw_server_stop(&server);
}

/* A server behind every name, and a client that is led to it. */
struct pair {
    struct raw_server server;
    struct http_client *client;
    char rule[64];
    const char *rules[2];
};

static void pair_start(struct pair *pair)
{
    assert_true(raw_server_start(&pair->server, answer, NULL));
    snprintf(pair->rule, sizeof pair->rule, "::127.0.0.1:%u", pair->server.port);
    pair->rules[0] = pair->rule;
    pair->rules[1] = NULL;
    struct http_settings settings = {.connect_to = pair->rules, .parallel_max = 8};
    assert_int_equal(http_client_new(&settings, &pair->client, NULL), GT_OK);
}

static void pair_stop(struct pair *pair)
{
    http_client_free(pair->client);
    raw_server_stop(&pair->server);
}

/* Many at once, every one called back; an abort calls back too. */
static void check_many(void **state)
{
    (void)state;
    struct pair pair;
    struct fetched fetched = {NULL, 0};
    pair_start(&pair);
    struct http_client *client = pair.client;
    for (int i = 0; i < 40; i++) {
        char url[64];
        snprintf(url, sizeof url, "http://h%d.test/plain", i % 4);
        struct http_request request = {.url = gt_str_from(url)};
        assert_int_equal(http_client_add(client, &request, on_done, &fetched, NULL), GT_OK);
    }
    assert_int_equal(http_client_run(client, NULL, clock_mono_ms() + 8000, NULL), GT_OK);
    assert_int_equal(fetched.calls, 40);
    assert_int_equal(fetched.response->err, GT_OK);
    assert_true(atomic_load(&pair.server.connections) < 40);
    struct http_request silent = {.url = GT_STR("http://h9.test/silent")};
    assert_int_equal(http_client_add(client, &silent, on_done, &fetched, NULL), GT_OK);
    assert_int_equal(http_client_run(client, NULL, clock_mono_ms() + 50, NULL), GT_ETIMEOUT);
    assert_int_equal(fetched.calls, 41);
    assert_int_equal(fetched.response->err, GT_EINTERRUPTED);
    http_response_free(fetched.response);
    pair_stop(&pair);
}

/* The caller's own descriptors end a wait, those that are watched only; a silent server has nothing to say in between. */
static const struct watch {
    const char *name;
    bool is_watched, is_taken_back, is_ready;
    bool ends;
} watches[] = {
    {"watched and ready", true, false, true, true},
    {"watched, nothing to read", true, false, false, false},
    {"taken back", true, true, true, false},
    {"never watched", false, false, true, false},
};

static void check_watch(void **state)
{
    enum { WAIT_MS = 200, LONG_MS = 8000 };
    const struct watch *row = *state;
    struct pair pair;
    struct fetched fetched = {NULL, 0};
    struct http_request silent = {.url = GT_STR("http://h.test/silent")};
    int idle[2], ends[2];
    pair_start(&pair);
    struct http_client *client = pair.client;
    assert_int_equal(http_client_add(client, &silent, on_done, &fetched, NULL), GT_OK);
    assert_int_equal(pipe2(idle, O_CLOEXEC) + pipe2(ends, O_CLOEXEC), 0);
    assert_int_equal(http_client_watch(client, idle[0]), GT_OK);
    if (row->is_watched) assert_int_equal(http_client_watch(client, ends[0]), GT_OK);
    if (row->is_taken_back) http_client_unwatch(client, ends[0]);
    if (row->is_ready) assert_int_equal(write(ends[1], "x", 1), 1);
    int64_t begin_ms = clock_mono_ms();
    assert_int_equal(http_client_step(client, row->ends ? LONG_MS : WAIT_MS, NULL), GT_OK);
    int64_t took_ms = clock_mono_ms() - begin_ms;
    assert_true(row->ends ? took_ms < LONG_MS / 2 : took_ms >= WAIT_MS);
    assert_int_equal(fetched.calls, 0);
    assert_int_equal(http_client_watch(client, -1), GT_EIO);
    for (int i = 0; i < 2; i++) close(idle[i]), close(ends[i]);
    pair_stop(&pair);
}

/* What a server does on a connection between two requests costs the client nothing while it waits for another server. */
static const struct between {
    const char *name, *path;
    int connections; /* of two requests, and of the one that is waited for */
} betweens[] = {
    {"keeps it, and is silent", "http://h.test/plain", 2},
    {"closes it", "http://h.test/farewell", 3},
    {"talks unasked", "http://h.test/chatter", 3},
    {"talks unasked, and closes it", "http://h.test/parting-words", 3},
};

static int64_t thread_cpu_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void check_between(void **state)
{
    enum { WAIT_MS = 300 };
    const struct between *row = *state;
    struct pair pair;
    struct fetched fetched = {NULL, 0};
    struct http_request silent = {.url = GT_STR("http://other.test/silent")}, request = {.url = gt_str_from(row->path)};
    pair_start(&pair);
    for (int i = 1; i <= 2; i++) {
        assert_int_equal(http_client_add(pair.client, &request, on_done, &fetched, NULL), GT_OK);
        while (fetched.calls < i) assert_int_equal(http_client_step(pair.client, WAIT_MS, NULL), GT_OK);
        assert_int_equal(fetched.response->err, GT_OK);
        if (i == 1) assert_int_equal(http_client_add(pair.client, &silent, on_done, &fetched, NULL), GT_OK);
        int64_t begin_ms = thread_cpu_ms();
        assert_int_equal(http_client_step(pair.client, WAIT_MS, NULL), GT_OK);
        assert_true(thread_cpu_ms() - begin_ms < WAIT_MS / 4);
    }
    assert_int_equal(atomic_load(&pair.server.connections), row->connections);
    http_response_free(fetched.response);
    pair_stop(&pair);
}

/* Two connections that were idle for longer than libcurl's timer for a second attempt, with the answers there: news of the one makes
 * libcurl go through both, and epoll's news of the other one come too late. Both connections have to be kept. */
static void check_late_news(void **state)
{
    enum { HOSTS = 2, PAST_TIMER_MS = 250 };
    (void)state;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof address;
    int listening = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), fds[HOSTS];
    assert_int_equal(bind(listening, (struct sockaddr *)&address, len), 0);
    assert_int_equal(listen(listening, 8) + getsockname(listening, (struct sockaddr *)&address, &len), 0);
    char rule[64];
    snprintf(rule, sizeof rule, "::127.0.0.1:%u", ntohs(address.sin_port));
    const char *const rules[] = {rule, NULL};
    struct http_settings settings = {.connect_to = rules};
    struct http_client *client = NULL;
    struct fetched fetched = {NULL, 0};
    const struct http_request requests[HOSTS] = {{.url = GT_STR("http://a.test/")}, {.url = GT_STR("http://b.test/")}};
    assert_int_equal(http_client_new(&settings, &client, NULL), GT_OK);
    for (int i = 0; i < 2; i++) {
        for (int h = 0; h < HOSTS; h++) assert_int_equal(http_client_add(client, &requests[h], on_done, &fetched, NULL), GT_OK);
        assert_int_equal(http_client_step(client, 0, NULL), GT_OK);
        for (int h = 0; h < HOSTS; h++) {
            if (i == 0) fds[h] = accept(listening, NULL, NULL);
            assert_true(act_plain(fds[h]));
        }
        nanosleep(&(struct timespec){.tv_nsec = PAST_TIMER_MS * 1000 * 1000}, NULL);
        assert_int_equal(http_client_run(client, NULL, clock_mono_ms() + 2000, NULL), GT_OK);
        assert_int_equal(fetched.response->err, GT_OK);
        assert_int_equal(http_client_step(client, 20, NULL), GT_OK);
    }
    assert_int_equal(accept(listening, NULL, NULL), -1);
    http_response_free(fetched.response);
    http_client_free(client);
    for (int h = 0; h < HOSTS; h++) close(fds[h]);
    close(listening);
}

static const struct single {
    const char *name;
} reuses[] = {{"connections and the environment"}}, ones[] = {{"twenty requests, one host"}},
  manys[] = {{"forty requests, four hosts"}}, lates[] = {{"two connections are kept"}};

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(answers, check_answer) + TABLE_RUN(slows, check_slow) + TABLE_RUN(policies, check_policy) +
           TABLE_RUN(reuses, check_reuse) + TABLE_RUN(heads, check_head) + TABLE_RUN(misuses, check_misuse) +
           TABLE_RUN(hops, check_hop) + TABLE_RUN(ones, check_one_connection) + TABLE_RUN(manys, check_many) +
           TABLE_RUN(watches, check_watch) + TABLE_RUN(betweens, check_between) + TABLE_RUN(lates, check_late_news);
}
