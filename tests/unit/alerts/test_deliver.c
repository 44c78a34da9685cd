/* From the outbox to channels that work, fail, come back: nothing is lost, nothing is sent twice when all goes well. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "common/digest.h"
#include "common/file.h"
#include "common/civil.h"
#include "tests/unit/alerts/fixture.h"

enum { HOUR_S = 3600, SECRET_BYTES = 5 };

/* What a program or server took: everything in one text. */
static char *taken(const struct fixture *f, const char *name, char *text)
{
    char path[256], *bytes = NULL;
    size_t len = 0;
    snprintf(path, sizeof path, "%s/%s", f->folder, name);
    text[0] = '\0';
    if (file_read(path, FIXTURE_TEXT_MAX - 1, &bytes, &len, NULL) == GT_OK) memcpy(text, bytes, len + 1);
    free(bytes);
    return text;
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part)) count++;
    return count;
}

static void write_file(const struct fixture *f, const char *name, const char *text, mode_t mode)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", f->folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0 && fclose(file) == 0);
    assert_int_equal(chmod(path, mode), 0);
}

static void deliver(struct fixture *f)
{
    const struct log quiet = {.out = NULL};
    enum gt_err err = alerts_deliver(f->alerts, &quiet, &f->info);
    if (err != GT_OK) print_error("%s\n", f->info.text);
    assert_int_equal(err, GT_OK);
}

static enum gt_err keep_queue(void *ctx, const struct alerts_queue *queue)
{
    struct alerts_queue *kept = ctx;
    if (gt_str_is(queue->channel, "x")) *kept = *queue;
    kept->channel = kept->last_error = (struct gt_str){NULL, 0}; /* their text lives for the call only */
    return GT_OK;
}

static struct alerts_queue queue_of(struct fixture *f)
{
    struct alerts_queue kept = {.attempts = -1};
    assert_int_equal(alerts_queues(f->alerts, keep_queue, &kept, &f->info), GT_OK);
    return kept;
}

/* A program that notes what it got and ends as the file `code` says. */
static void open_with_program(struct fixture *f, const char *script, const char *more)
{
    char conf[1024];
    fixture_folder(f);
    snprintf(conf, sizeof conf,
             "[channel x]\ntype = exec\ncommand = %s/program\n %s/taken\ntimeout = 1s\n"
             "[alert r]\nmatch = label~main\nwhen = month_net moves 5%% against previous\nto = x\n%s",
             f->folder, f->folder, more);
    if (script != NULL) write_file(f, "program", script, 0755);
    fixture_open_here(f, conf);
}

struct program_case {
    const char *name;
    const char *script;                   /* NULL: there is no such program */
    const char *second;                   /* what the program is after the first delivery; NULL: the same */
    size_t taken_first, taken_in_the_end; /* events of a cut that the program has seen */
    size_t waiting, parked;               /* after the first delivery */
};

#define TAKE "#!/bin/sh\ncat >>\"$1\"\necho >>\"$1\"\n"

static const struct program_case program_cases[] = {
    {"a program that takes it", TAKE, NULL, 1, 1, 0, 0},
    {"one that fails, then takes it", TAKE "exit 1\n", TAKE, 1, 2, 1, 0},
    {"one that does not read its input", "#!/bin/sh\nexit 0\n", NULL, 0, 0, 0, 0},
    {"one that hangs is ended, then replaced", "#!/bin/sh\nsleep 60\n", TAKE, 0, 1, 1, 0},
    {"one that dies of a signal", "#!/bin/sh\nkill -9 $$\n", TAKE, 0, 1, 1, 0},
    {"no such program: parked, then put back in line", NULL, TAKE, 0, 1, 0, 1},
};

static void check_program(void **state)
{
    const struct program_case *row = *state;
    struct fixture f;
    char text[FIXTURE_TEXT_MAX];
    open_with_program(&f, row->script, "");
    fixture_run(&f, "a", "1000");
    deliver(&f);
    assert_int_equal(count_of(taken(&f, "taken", text), "price-moved"), 0);
    f.clock.fixed_unix_s += HOUR_S;
    fixture_run(&f, "a", "900");
    deliver(&f);
    assert_int_equal(count_of(taken(&f, "taken", text), "price-moved"), row->taken_first);
    struct alerts_queue queue = queue_of(&f);
    assert_int_equal(queue.waiting, row->waiting);
    assert_int_equal(queue.parked, row->parked);
    assert_int_equal(queue.attempts, row->waiting > 0 ? 1 : 0);
    deliver(&f); /* at once: what failed waits for its time, what was parked for a person */
    assert_int_equal(count_of(taken(&f, "taken", text), "price-moved"), row->taken_first);
    if (row->second != NULL) write_file(&f, "program", row->second, 0755);
    if (row->parked > 0) assert_int_equal(alerts_unpark(f.alerts, GT_STR("x"), &f.info), GT_OK);
    f.clock.fixed_unix_s += HOUR_S;
    deliver(&f);
    assert_int_equal(count_of(taken(&f, "taken", text), "price-moved"), row->taken_in_the_end);
    queue = queue_of(&f);
    assert_int_equal(queue.waiting + queue.parked, 0);
    assert_int_equal(queue.attempts, 0);
    fixture_close(&f);
}

/* Waits grow and end. */
struct backoff {
    const char *name;
    int failures;
    int64_t wait_s;
};

static const struct backoff backoffs[] = {
    {"the first", 1, 60},
    {"the second", 2, 120},
    {"the third", 3, 240},
    {"the ninth", 9, 15360},
    {"the tenth is as long as it gets", 10, 21600},
    {"and the thirtieth", 30, 21600},
};

static void check_backoff(void **state)
{
    const struct backoff *row = *state;
    struct fixture f;
    open_with_program(&f, "#!/bin/sh\nexit 1\n", "");
    fixture_run(&f, "a", "1000");
    f.clock.fixed_unix_s += HOUR_S;
    fixture_run(&f, "a", "900");
    for (int i = 0; i < row->failures; i++) {
        struct alerts_queue queue = queue_of(&f);
        if (queue.next_try_unix_s > 0) {
            f.clock.fixed_unix_s = queue.next_try_unix_s - 1;
            deliver(&f); /* a second too early: nothing is tried */
            assert_int_equal(queue_of(&f).attempts, i);
            f.clock.fixed_unix_s++;
        }
        deliver(&f);
    }
    struct alerts_queue queue = queue_of(&f);
    assert_int_equal(queue.attempts, row->failures);
    assert_int_equal(queue.waiting, 1);
    assert_int_equal(queue.next_try_unix_s - f.clock.fixed_unix_s, row->wait_s);
    fixture_close(&f);
}

/* A server on a free port: answers each connection with the next status, writes requests to a file. Its process id. */
static pid_t serve(const char *path, const char *statuses, uint16_t *ret_port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(listener >= 0 && bind(listener, (struct sockaddr *)&address, len) == 0 && listen(listener, 8) == 0);
    assert_int_equal(getsockname(listener, (struct sockaddr *)&address, &len), 0);
    *ret_port = ntohs(address.sin_port);
    pid_t pid = fork();
    if (pid != 0) {
        close(listener);
        return pid;
    }
    int out = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    for (;; statuses += strlen(statuses) > 4 ? 4 : 0) {
        static char request[65536];
        char answer[256];
        size_t got = 0, want = sizeof request;
        int peer = accept(listener, NULL, NULL);
        while (got < want) {
            ssize_t n = read(peer, request + got, sizeof request - 1 - got);
            if (n <= 0) break;
            got += (size_t)n;
            request[got] = '\0';
            const char *end = strstr(request, "\r\n\r\n"), *length = strcasestr(request, "content-length:");
            if (end != NULL && length != NULL) want = (size_t)(end + 4 - request) + (size_t)strtoul(length + 15, NULL, 10);
        }
        if (write(out, request, got) < 0 || write(out, "\n", 1) < 0) _exit(1);
        int size =
            snprintf(answer, sizeof answer, "HTTP/1.1 %.3s X\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok", statuses);
        if (write(peer, answer, (size_t)size) < 0) _exit(1);
        close(peer);
    }
}

struct webhook_case {
    const char *name;
    const char *statuses; /* three digits and a blank each; the last one stands for all further */
    bool allow_private;
    size_t requests, waiting, parked; /* after two deliveries, an hour apart */
};

static const struct webhook_case webhook_cases[] = {
    {"taken", "200", true, 1, 0, 0},
    {"taken with no content", "204", true, 1, 0, 0},
    {"an error of the server, then taken", "500 200", true, 2, 0, 0},
    {"asked to slow down, then taken", "429 200", true, 2, 0, 0},
    {"errors all along", "503", true, 2, 1, 0},
    {"refused for good: parked", "404", true, 1, 0, 1},
    {"not allowed in: parked", "403", true, 1, 0, 1},
    {"a redirect is no success", "302", true, 1, 0, 1},
    {"a private address that was not meant: parked", "200", false, 0, 0, 1},
};

static void check_signature(const char *requests)
{
    static const char secret[] = "s3cr\xC3";
    const char *header = strcasestr(requests, "X-Gputape-Signature: sha256="), *body = strstr(requests, "\r\n\r\n");
    uint8_t digest[SHA256_BYTES];
    char hex[SHA256_HEX_MAX];
    assert_true(header != NULL && body != NULL);
    struct gt_str signed_body = gt_str_from(body + 4);
    signed_body.len = strcspn(signed_body.ptr, "\n");
    assert_int_equal(digest_hmac_sha256((struct gt_str){secret, SECRET_BYTES}, signed_body, digest), GT_OK);
    digest_hex(digest, sizeof digest, hex);
    assert_memory_equal(header + strlen("X-Gputape-Signature: sha256="), hex, SHA256_HEX_MAX - 1);
    assert_non_null(strcasestr(requests, "content-type: application/json"));
}

static void check_webhook(void **state)
{
    const struct webhook_case *row = *state;
    struct fixture f;
    char path[128], conf[1024], text[FIXTURE_TEXT_MAX];
    uint16_t port;
    fixture_folder(&f);
    snprintf(path, sizeof path, "%s/taken", f.folder);
    pid_t server = serve(path, row->statuses, &port);
    snprintf(
        conf, sizeof conf,
        "[channel x]\ntype = webhook\nurl = http://127.0.0.1:%u/hook?token=hidden\nsecret_file = %s/secret\nallow_private = %s\n"
        "[alert r]\nmatch = label~main\nwhen = month_net moves 5%% against previous\nto = x\n",
        port, f.folder, row->allow_private ? "yes" : "no");
    write_file(&f, "secret", "s3cr\xC3\n", 0600);
    fixture_open_here(&f, conf);
    fixture_run(&f, "a", "1000");
    f.clock.fixed_unix_s += HOUR_S;
    fixture_run(&f, "a", "900");
    for (int i = 0; i < 2; i++) {
        deliver(&f);
        f.clock.fixed_unix_s += HOUR_S;
    }
    struct alerts_queue queue = queue_of(&f);
    kill(server, SIGKILL);
    waitpid(server, NULL, 0);
    taken(&f, "taken", text);
    assert_int_equal(count_of(text, "POST /hook?token=hidden"), row->requests);
    assert_int_equal(queue.waiting, row->waiting);
    assert_int_equal(queue.parked, row->parked);
    if (row->requests > 0) check_signature(text);
    fixture_close(&f);
}

/* ---- what is sent ---- */

static json_t *digest_of(const struct fixture *f)
{
    char text[FIXTURE_TEXT_MAX];
    taken(f, "taken", text);
    text[strcspn(text, "\n")] = '\0';
    json_t *digest = json_loads(text, 0, NULL);
    assert_non_null(digest);
    return digest;
}

struct field {
    const char *name;     /* of an event of a cut from 1000 to 900 */
    const char *expected; /* as compact JSON; "*" anything but null */
};

static const struct field fields[] = {
    {"id", "*"},
    {"rule", "\"r\""},
    {"severity", "\"warning\""},
    {"time", "\"2026-05-28T21:26:40Z\""},
    {"what", "\"price-moved\""},
    {"site", "\"a\""},
    {"label", "\"4090 main\""},
    {"sku", "\"NVIDIA-RTX-4090\""},
    {"sku_status", "\"exact\""},
    {"metric", "\"month_net\""},
    {"per", "\"card\""},
    {"term", "\"month\""},
    {"currency", "\"CNY\""},
    {"old", "\"1000\""},
    {"new", "\"900\""},
    {"percent", "\"-10.0\""},
    {"reference", "\"previous\""},
    {"since", "\"2026-05-28T21:26:40Z\""},
    {"evidence", "\"printed\""},
    {"url", "\"https://example.com/prices\""},
    {"sample", "false"},
    {"silenced", "false"},
    {"detail", "null"},
    {"delivery", "\"container\""},
    {"cards", "1"},
};

static void check_field(void **state)
{
    const struct field *row = *state;
    struct fixture f;
    open_with_program(&f, TAKE, "");
    fixture_run(&f, "a", "1000");
    f.clock.fixed_unix_s += HOUR_S;
    fixture_run(&f, "a", "900");
    deliver(&f);
    json_t *digest = digest_of(&f);
    json_t *value = json_object_get(json_array_get(json_object_get(digest, "events"), 0), row->name);
    assert_non_null(value);
    char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
    if (strcmp(row->expected, "*") == 0) assert_string_not_equal(text, "null");
    else assert_string_equal(text, row->expected);
    const char *line = json_string_value(json_object_get(digest, "text"));
    assert_non_null(line);
    if (strstr(line, "gputape") != line || strstr(line, "1000 → 900 CNY") == NULL || strstr(line, "下降 10.0%") == NULL)
        fail_msg("text: %s", line);
    free(text);
    json_decref(digest);
    fixture_close(&f);
}

/* ---- identity of events, silence, tests ---- */

static enum gt_err keep_id(void *ctx, int64_t t_unix_s, struct gt_str json)
{
    char *ids = ctx;
    (void)t_unix_s;
    json_t *event = json_loadb(json.ptr, json.len, 0, NULL);
    strncat(ids, json_string_value(json_object_get(event, "id")), FIXTURE_TEXT_MAX - strlen(ids) - 1);
    json_decref(event);
    return GT_OK;
}

static void ids_of(const char *site, const char *last, char *ids)
{
    struct fixture f;
    fixture_open(&f, "[alert r]\nmatch = label~main\nwhen = month_net moves 5% against previous\n");
    fixture_run(&f, site, "1000");
    f.clock.fixed_unix_s += HOUR_S;
    fixture_run(&f, site, last);
    ids[0] = '\0';
    assert_int_equal(alerts_list(f.alerts, 0, INT64_MAX, keep_id, ids, &f.info), GT_OK);
    fixture_close(&f);
}

struct identity {
    const char *name;
    const char *site, *last;
    bool same;
};

static const struct identity identities[] = {
    {"the same cut in another store has the same id", "a", "900", true},
    {"to another price: the same event of the same run", "a", "850", true},
    {"at another site: another id", "b", "900", false},
};

static void check_identity(void **state)
{
    const struct identity *row = *state;
    char first[FIXTURE_TEXT_MAX], second[FIXTURE_TEXT_MAX];
    ids_of("a", "900", first);
    ids_of(row->site, row->last, second);
    assert_int_equal(strlen(first), 32);
    assert_int_equal(strcmp(first, second) == 0, row->same);
}

/* A run that is committed twice, as after a crash before it was acknowledged, tells its event once. */
static void twice(void)
{
    struct fixture f;
    char ids[FIXTURE_TEXT_MAX] = "";
    open_with_program(&f, TAKE, "");
    fixture_run(&f, "a", "1000");
    f.clock.fixed_unix_s += HOUR_S;
    fixture_run(&f, "a", "900");
    fixture_run(&f, "a", "900");
    assert_int_equal(alerts_list(f.alerts, 0, INT64_MAX, keep_id, ids, &f.info), GT_OK);
    assert_int_equal(strlen(ids), 32);
    assert_int_equal(queue_of(&f).waiting, 1);
    fixture_close(&f);
}

static void silenced(void)
{
    struct fixture f;
    char text[FIXTURE_TEXT_MAX], ids[FIXTURE_TEXT_MAX] = "";
    open_with_program(&f, TAKE, "");
    fixture_run(&f, "a", "1000");
    assert_int_equal(alerts_silence(f.alerts, GT_STR("nobody"), INT64_MAX, &f.info), GT_ENOENT);
    assert_int_equal(alerts_silence(f.alerts, GT_STR("r"), f.clock.fixed_unix_s + 2 * HOUR_S, &f.info), GT_OK);
    f.clock.fixed_unix_s += HOUR_S;
    fixture_run(&f, "a", "900");
    deliver(&f);
    assert_int_equal(count_of(taken(&f, "taken", text), "price-moved"), 0);
    assert_int_equal(alerts_list(f.alerts, 0, INT64_MAX, keep_id, ids, &f.info), GT_OK);
    assert_int_equal(strlen(ids), 32); /* recorded all the same */
    f.clock.fixed_unix_s += HOUR_S;
    fixture_run(&f, "a", "800");
    deliver(&f);
    assert_int_equal(count_of(taken(&f, "taken", text), "price-moved"), 1); /* its time is over */
    fixture_close(&f);
}

static void tested(void)
{
    struct fixture f;
    char text[FIXTURE_TEXT_MAX];
    open_with_program(&f, TAKE, "");
    assert_int_equal(alerts_test(f.alerts, GT_STR("nobody"), &f.info), GT_ENOENT);
    assert_int_equal(alerts_test(f.alerts, GT_STR("x"), &f.info), GT_OK);
    deliver(&f);
    assert_int_equal(count_of(taken(&f, "taken", text), "\"what\":\"test\""), 1);
    fixture_close(&f);
}

/* More events than one digest holds go into further ones. */
static void many(void)
{
    struct fixture f;
    char text[64];
    open_with_program(&f, "#!/bin/sh\ncat >/dev/null\necho x >>\"$1\"\n", "");
    for (int i = 0; i < ALERT_DIGEST_EVENTS_MAX + 1; i++) {
        snprintf(text, sizeof text, "%d", i % 2 == 0 ? 1000 : 900);
        fixture_run(&f, "a", text);
        f.clock.fixed_unix_s += HOUR_S;
    }
    fixture_run(&f, "a", "900");
    assert_int_equal(queue_of(&f).waiting, ALERT_DIGEST_EVENTS_MAX + 1);
    deliver(&f);
    char got[FIXTURE_TEXT_MAX];
    assert_int_equal(count_of(taken(&f, "taken", got), "x"), 2);
    assert_int_equal(queue_of(&f).waiting, 0);
    fixture_close(&f);
}

/* Events of quiet hours wait; what fires meanwhile joins them, and all go with the first delivery afterwards. */
static void quiet(void)
{
    struct fixture f;
    char text[FIXTURE_TEXT_MAX];
    open_with_program(&f, TAKE, "quiet = 20:00-23:00 UTC\n"); /* the fixture's clock begins at 20:26 */
    fixture_run(&f, "a", "1000");
    f.clock.fixed_unix_s += HOUR_S;
    fixture_run(&f, "a", "900");
    deliver(&f);
    assert_int_equal(count_of(taken(&f, "taken", text), "price-moved"), 0);
    assert_int_equal(queue_of(&f).waiting, 1);
    f.clock.fixed_unix_s += HOUR_S / 2;
    fixture_run(&f, "a", "800");
    deliver(&f);
    assert_int_equal(queue_of(&f).waiting, 2);
    f.clock.fixed_unix_s = FIXTURE_START / FIXTURE_DAY_S * FIXTURE_DAY_S + 23 * HOUR_S - 1;
    deliver(&f);
    assert_int_equal(queue_of(&f).waiting, 2);
    f.clock.fixed_unix_s++;
    deliver(&f);
    assert_int_equal(queue_of(&f).waiting, 0);
    assert_int_equal(count_of(taken(&f, "taken", text), "\"what\":\"price-moved\""), 2);
    fixture_close(&f);
}

/* `a_day = 2`: the third waits for nine in the morning in Shanghai, where another day begins. */
static void a_day(void)
{
    static const char *const pages[] = {"900", "800", "700", "600"};
    struct fixture f;
    char text[FIXTURE_TEXT_MAX];
    open_with_program(&f, TAKE, "a_day = 2\n"); /* the fixture's clock begins at 20:26, which is 04:26 there */
    fixture_run(&f, "a", "1000");
    for (size_t i = 0; i < sizeof pages / sizeof pages[0]; i++) {
        f.clock.fixed_unix_s += HOUR_S / 2;
        fixture_run(&f, "a", pages[i]);
        deliver(&f);
        assert_int_equal(queue_of(&f).waiting, i > 1 ? i - 1 : 0);
    }
    assert_int_equal(count_of(taken(&f, "taken", text), "\"what\":\"price-moved\""), 2);
    f.clock.fixed_unix_s = FIXTURE_START / FIXTURE_DAY_S * FIXTURE_DAY_S + FIXTURE_DAY_S + HOUR_S;
    deliver(&f);
    assert_int_equal(queue_of(&f).waiting, 0);
    fixture_run(&f, "a", "500");
    deliver(&f);
    assert_int_equal(queue_of(&f).waiting, 0);
    assert_int_equal(count_of(taken(&f, "taken", text), "\"what\":\"price-moved\""), 5);
    fixture_close(&f);
}

/* `deliver = weekly`: until Monday 09:00 in Shanghai, with what fires at once going at once. */
static void weekly(void)
{
    struct fixture f;
    char text[FIXTURE_TEXT_MAX];
    open_with_program(&f, TAKE, "deliver = weekly\n[alert now]\nwhen = month_net below 850 CNY\nmatch = label~main\nto = x\n");
    fixture_run(&f, "a", "1000");
    f.clock.fixed_unix_s += HOUR_S;
    fixture_run(&f, "a", "800");
    deliver(&f);
    assert_int_equal(count_of(taken(&f, "taken", text), "\"what\":\"price-below\""), 1);
    assert_int_equal(count_of(text, "\"what\":\"price-moved\""), 0);
    int64_t monday = 0;
    assert_true(civil_parse(GT_STR("2026-06-01T01:00:00Z"), &monday));
    f.clock.fixed_unix_s = monday - 1;
    deliver(&f);
    assert_int_equal(queue_of(&f).waiting, 1);
    f.clock.fixed_unix_s = monday;
    deliver(&f);
    assert_int_equal(count_of(taken(&f, "taken", text), "\"what\":\"price-moved\""), 1);
    assert_int_equal(queue_of(&f).waiting, 0);
    fixture_close(&f);
}

/* An event that is acknowledged leaves its line, stays recorded and says when. */
static void acknowledged(void)
{
    struct fixture f;
    char ids[FIXTURE_TEXT_MAX] = "", text[FIXTURE_TEXT_MAX];
    struct fixture_log log = {""};
    open_with_program(&f, TAKE, "");
    fixture_run(&f, "a", "1000");
    f.clock.fixed_unix_s += HOUR_S;
    fixture_run(&f, "a", "900");
    assert_int_equal(alerts_list(f.alerts, 0, INT64_MAX, keep_id, ids, &f.info), GT_OK);
    assert_int_equal(alerts_ack(f.alerts, GT_STR("0123456"), &f.info), GT_EUSAGE); /* too short to mean one */
    assert_int_equal(alerts_ack(f.alerts, GT_STR("zzzzzzzz"), &f.info), GT_ENOENT);
    assert_int_equal(queue_of(&f).waiting, 1);
    assert_int_equal(alerts_ack(f.alerts, gt_str_slice(gt_str_from(ids), 0, 8), &f.info), GT_OK);
    assert_int_equal(queue_of(&f).waiting, 0);
    deliver(&f);
    assert_int_equal(count_of(taken(&f, "taken", text), "price-moved"), 0);
    assert_int_equal(alerts_list(f.alerts, 0, INT64_MAX, fixture_log_add, &log, &f.info), GT_OK);
    assert_int_equal(count_of(log.text, "\"acked\":\"2026-05-28T21:26:40Z\""), 1);
    assert_int_equal(alerts_ack(f.alerts, gt_str_from(ids), &f.info), GT_OK); /* twice is once */
    fixture_close(&f);
}

/* Queries silence offers and sources, whatever the rule. */
static void silenced_query(void)
{
    static const struct {
        const char *query;
        int sent; /* of one move at site a */
    } rows[] = {{"4090", 0}, {"5090", 1}, {"site=a", 0}, {"site=b", 1}, {"label~main", 0}, {"term=month", 0}, {"term=hour", 1}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct fixture f;
        char text[FIXTURE_TEXT_MAX];
        open_with_program(&f, TAKE, "");
        fixture_run(&f, "a", "1000");
        assert_int_equal(alerts_silence(f.alerts, gt_str_from(rows[i].query), f.clock.fixed_unix_s + 2 * HOUR_S, &f.info), GT_OK);
        f.clock.fixed_unix_s += HOUR_S;
        fixture_run(&f, "a", "900");
        deliver(&f);
        assert_int_equal(count_of(taken(&f, "taken", text), "\"what\":\"price-moved\""), rows[i].sent);
        assert_int_equal(alerts_silence(f.alerts, gt_str_from(rows[i].query), 0, &f.info), GT_OK);
        f.clock.fixed_unix_s += HOUR_S / 2;
        fixture_run(&f, "a", "800");
        deliver(&f);
        assert_int_equal(count_of(taken(&f, "taken", text), "\"what\":\"price-moved\""), rows[i].sent + 1); /* ended */
        fixture_close(&f);
    }
}

/* What history says of rules: matched, in a currency that they name, fired. */
static enum gt_err hear_review(void *ctx, const struct alerts_review *review)
{
    char *text = ctx;
    size_t len = strlen(text);
    snprintf(text + len, FIXTURE_TEXT_MAX - len, "%.*s:%zu:%zu:%zu:%zu:%d ", GT_STR_ARG(review->name), review->offers_matched,
             review->offers_in_floor, review->fired, review->interrupting, review->days);
    return GT_OK;
}

static void reviewed(void)
{
    struct fixture f;
    char text[FIXTURE_TEXT_MAX] = "";
    fixture_open(&f, "[alert a]\nwhen = month_net moves 5% against previous\nmatch = label~main\n[alert b]\nwhen = sold out\nmatch = 5090\n"
                     "[alert c]\nwhen = month_net below 5 USD\n[alert d]\nwhen = source failed\ndeliver = weekly\n"
                     "[alert e]\nwhen = sold out\nenabled = no\n");
    const char *const pages[] = {"1000", "900", "!", "800"};
    for (size_t i = 0; i < sizeof pages / sizeof pages[0]; i++) {
        assert_int_equal(fixture_run(&f, "a", pages[i]), GT_OK);
        f.clock.fixed_unix_s += FIXTURE_DAY_S;
    }
    assert_int_equal(alerts_review(f.alerts, hear_review, text, &f.info), GT_OK);
    assert_string_equal(text, "a:1:1:2:2:4 b:0:0:0:0:4 c:5:0:0:0:4 d:0:0:2:0:4 ");
    fixture_close(&f);
}

/* Lets a crawl close at a moment and delivers; how many reports the program has got by then. */
static size_t reports_after(struct fixture *f, const char *time)
{
    static char text[64 * FIXTURE_TEXT_MAX];
    char path[128];
    assert_true(civil_parse(gt_str_from(time), &f->clock.fixed_unix_s));
    assert_int_equal(fixture_run(f, "a", "1000"), GT_OK);
    assert_int_equal(fixture_crawl_end(f), GT_OK);
    deliver(f);
    snprintf(path, sizeof path, "%s/taken", f->folder);
    FILE *file = fopen(path, "re");
    size_t len = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file != NULL) fclose(file);
    text[len] = '\0';
    return (size_t)count_of(text, "\"what\":\"report\"");
}

/* The report of the week before, at the first crawl after Monday 09:00 in Shanghai, once. */
static void report_weekly_sent(void)
{
    struct fixture f;
    struct fixture_log *log = calloc(1, sizeof *log);
    assert_non_null(log);
    open_with_program(&f, TAKE, "[report weekly]\nto = x x\n");
    assert_int_equal(reports_after(&f, "2026-05-28T20:00:00Z"), 0); /* the first crawl of a store */
    assert_int_equal(reports_after(&f, "2026-06-01T00:59:59Z"), 0); /* Monday, a second before nine */
    assert_int_equal(reports_after(&f, "2026-06-01T01:00:00Z"), 1);
    assert_int_equal(reports_after(&f, "2026-06-01T07:00:00Z"), 1);
    assert_int_equal(reports_after(&f, "2026-06-07T23:00:00Z"), 1);
    assert_int_equal(reports_after(&f, "2026-06-10T02:00:00Z"), 2); /* no crawl on Monday: the next one */
    assert_int_equal(alerts_list(f.alerts, 0, INT64_MAX, fixture_log_add, log, &f.info), GT_OK);
    assert_int_equal(count_of(log->text, "2026-W22: last crawl 2026-06-01T01:00:00Z, 0 alerts sent, 0 waiting"), 2); /* its detail, and the text */
    assert_int_equal(count_of(log->text, "2026-W22，最近抓取 2026-06-01T01:00:00Z，已发 0 条提醒，0 条等待"), 1);
    fixture_close(&f);
    free(log);
}

struct story {
    const char *name;
    void (*tell)(void);
};

static const struct story stories[] = {
    {"a run committed twice tells once", twice},
    {"a silenced rule records and does not send", silenced},
    {"quiet hours: events wait, none is lost", quiet},
    {"more than a rule may say a day wait for the morning", a_day},
    {"weekly events wait for Monday", weekly},
    {"an acknowledged event", acknowledged},
    {"queries that silence", silenced_query},
    {"rules held against the history", reviewed},
    {"the weekly report: once a week", report_weekly_sent},
    {"a test message", tested},
    {"more events than one digest holds", many},
};

static void check_story(void **state)
{
    const struct story *row = *state;
    row->tell();
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(program_cases, check_program) + TABLE_RUN(backoffs, check_backoff) +
           TABLE_RUN(webhook_cases, check_webhook) + TABLE_RUN(fields, check_field) + TABLE_RUN(identities, check_identity) +
           TABLE_RUN(stories, check_story);
}
