/* The thread that speaks to clients: libmicrohttpd's loop, what is at hand, and hand-over of what has to be made. */
#include "web/server.h"

#include <microhttpd.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "web/gate.h"
#include "web/limits.h"
#include "web/watch.h"
#include "web/worker.h"

struct web_server {
    const struct web_settings *settings;
    struct MHD_Daemon *daemon;
    struct web_cache *cache;
    struct web_worker *worker;
    struct web_watch watch;
    int wake_fd; /* an eventfd: the worker has an answer */
    struct web_moment moment;
    atomic_size_t living;
};

/* ---- the moment ---- */

static bool version_eq(const struct store_version *a, const struct store_version *b)
{
    return a->device == b->device && a->inode == b->inode && a->commit == b->commit;
}

/* The store as it is at this request, and a time that stands still while it does, a minute at most: else no two answers would be alike and
 * none could be kept. A store that cannot be read is none. */
static struct web_moment moment_now(struct web_server *server)
{
    struct web_moment moment = {.now_unix_s = clock_unix_s(&server->settings->clock)};
    if (store_version_read(server->settings->store_folder, &moment.version, NULL) != GT_OK) moment.version = (struct store_version){0};
    bool is_other = !version_eq(&moment.version, &server->moment.version);
    if (is_other || moment.now_unix_s / WEB_MOMENT_S != server->moment.now_unix_s / WEB_MOMENT_S) server->moment = moment;
    return server->moment;
}

/* ---- one exchange ---- */

static void exchange_free(struct web_exchange *exchange)
{
    if (exchange == NULL) return;
    web_answer_unref(exchange->answer);
    arena_free(exchange->arena);
    free(exchange);
}

/* The request line has come: its address as it was sent. */
static void *exchange_begin(void *cls, const char *target, struct MHD_Connection *connection)
{
    (void)cls;
    struct web_exchange *exchange = calloc(1, sizeof *exchange);
    if (exchange == NULL) return NULL;
    *exchange = (struct web_exchange){.connection = connection, .arena = arena_new(WEB_REQUEST_ARENA_BYTES)};
    if (exchange->arena != NULL) exchange->target = arena_dup(exchange->arena, gt_str_from(target));
    if (exchange->target.ptr != NULL) return exchange;
    exchange_free(exchange);
    return NULL;
}

/* Takes the reference. MHD_NO closes the connection: what is left when there is no memory for an answer. */
static enum MHD_Result send_answer(struct MHD_Connection *connection, struct web_answer *answer)
{
    if (answer == NULL) return MHD_NO;
    enum MHD_Result result = MHD_queue_response(connection, answer->status, answer->response);
    web_answer_unref(answer);
    return result;
}

static enum MHD_Result send_refusal(struct web_server *server, struct web_exchange *exchange, unsigned status, const char *why)
{
    struct web_answer_terms terms = {.route = exchange->route, .living = &server->living};
    return send_answer(exchange->connection, web_answer_refuse(status, why, &terms));
}

/* From the client's own copy, from the cache, or from the worker. */
static enum MHD_Result exchange_answer(struct web_server *server, struct web_exchange *exchange)
{
    const char *why = "";
    exchange->moment = moment_now(server);
    unsigned status = web_gate_address(exchange, &why);
    if (status != 0) return send_refusal(server, exchange, status, why);
    struct web_answer_terms terms = {.route = exchange->route, .etag = exchange->etag, .living = &server->living,
                                     .is_asked_for_token = server->settings->token.len > 0};
    if (web_gate_is_known(exchange->connection, exchange->etag)) return send_answer(exchange->connection, web_answer_unmodified(&terms));
    struct web_answer *kept = web_cache_get(server->cache, exchange->key);
    if (kept != NULL) return send_answer(exchange->connection, kept);
    exchange->stage = WEB_WAITING;
    MHD_suspend_connection(exchange->connection);
    if (web_worker_add(server->worker, exchange)) return MHD_YES;
    MHD_resume_connection(exchange->connection);
    exchange->answer = web_answer_refuse(MHD_HTTP_SERVICE_UNAVAILABLE, "too many answers are waited for", &terms);
    return MHD_YES;
}

static struct web_watched *watched_of(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info != NULL ? info->socket_context : NULL;
}

/* Called when the header has come, when the request is complete, and when the worker is done. */
static enum MHD_Result on_request(void *cls, struct MHD_Connection *connection, const char *url, const char *method, const char *version,
                                  const char *upload, size_t *upload_size, void **context)
{
    (void)url, (void)version, (void)upload;
    struct web_server *server = cls;
    struct web_exchange *exchange = *context;
    const char *why = "";
    if (exchange == NULL) return MHD_NO;
    if (exchange->stage == WEB_NEW) {
        exchange->stage = WEB_COMPLETE;
        unsigned status = web_gate_header(connection, method, server->settings, &why);
        return status != 0 ? send_refusal(server, exchange, status, why) : MHD_YES;
    }
    if (*upload_size != 0) return MHD_NO;
    if (exchange->stage == WEB_COMPLETE) {
        web_watch_turn(watched_of(connection), true, clock_mono_ms());
        return exchange_answer(server, exchange);
    }
    struct web_answer *answer = exchange->answer;
    exchange->answer = NULL;
    return send_answer(connection, answer);
}

static void on_done(void *cls, struct MHD_Connection *connection, void **context, enum MHD_RequestTerminationCode code)
{
    (void)cls, (void)code;
    web_watch_turn(watched_of(connection), false, clock_mono_ms());
    exchange_free(*context);
    *context = NULL;
}

static void on_connection(void *cls, struct MHD_Connection *connection, void **context, enum MHD_ConnectionNotificationCode code)
{
    struct web_server *server = cls;
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    if (code == MHD_CONNECTION_NOTIFY_STARTED && info != NULL) {
        *context = web_watch_add(&server->watch, info->connect_fd, clock_mono_ms());
    } else if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
        web_watch_drop(*context);
        *context = NULL;
    }
}

/* On the worker's thread. libmicrohttpd's own way of waking its loop does not reach a loop that is not its own. */
static void exchange_done(void *cls, struct web_exchange *exchange)
{
    const struct web_server *server = cls;
    const uint64_t one = 1;
    MHD_resume_connection(exchange->connection);
    (void)!write(server->wake_fd, &one, sizeof one);
}

/* ---- the loop ---- */

/* Waits for clients, a signal, or the next look at time-outs. False when it is time to end. */
static bool turn(struct web_server *server, int epoll_fd, int signal_fd)
{
    MHD_UNSIGNED_LONG_LONG wanted = WEB_TICK_MS;
    uint64_t ignored;
    struct pollfd fds[] = {{.fd = epoll_fd, .events = POLLIN}, {.fd = signal_fd, .events = POLLIN}, {.fd = server->wake_fd, .events = POLLIN}};
    if (MHD_get_timeout(server->daemon, &wanted) != MHD_YES || wanted > WEB_TICK_MS) wanted = WEB_TICK_MS;
    (void)poll(fds, sizeof fds / sizeof fds[0], (int)wanted);
    if (fds[1].revents != 0) return false;
    if (fds[2].revents != 0) (void)!read(server->wake_fd, &ignored, sizeof ignored);
    MHD_run(server->daemon);
    web_watch_expire(&server->watch, clock_mono_ms());
    return true;
}

static struct MHD_Daemon *daemon_start(struct web_server *server, int fd)
{
    return MHD_start_daemon(MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, on_request, server,
                            MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_URI_LOG_CALLBACK, exchange_begin, server, MHD_OPTION_NOTIFY_COMPLETED, on_done,
                            server, MHD_OPTION_NOTIFY_CONNECTION, on_connection, server, MHD_OPTION_CONNECTION_LIMIT, (unsigned)WEB_CONNECTIONS_MAX,
                            MHD_OPTION_PER_IP_CONNECTION_LIMIT, (unsigned)WEB_CONNECTIONS_PER_ADDRESS_MAX, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
                            (size_t)WEB_CONNECTION_BYTES_MAX, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)(WEB_ANSWER_MS / 1000),
                            MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_END);
}

enum gt_err web_serve(const struct web_settings *settings, int fd, struct gt_errinfo *info)
{
    struct web_server server = {.settings = settings, .wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
    sigset_t signals;
    enum gt_err err = GT_ENOMEM;
    const union MHD_DaemonInfo *epoll = NULL;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    int signal_fd = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
    server.cache = web_cache_new(WEB_CACHE_BYTES_MAX, WEB_CACHE_ENTRIES_MAX);
    if (server.cache != NULL) server.worker = web_worker_new(settings, server.cache, &server.living, exchange_done, &server);
    if (server.worker != NULL) server.daemon = daemon_start(&server, fd);
    if (server.daemon != NULL) epoll = MHD_get_daemon_info(server.daemon, MHD_DAEMON_INFO_EPOLL_FD);
    if (epoll == NULL || signal_fd < 0 || server.wake_fd < 0) {
        gt_fail(info, err, "the server could not begin");
        goto out;
    }
    while (turn(&server, epoll->epoll_fd, signal_fd)) {
    }
    err = GT_OK;
out:
    /* first the worker: it resumes what waits for it, and nothing may wait when the daemon ends */
    web_worker_free(server.worker);
    if (server.daemon != NULL) MHD_stop_daemon(server.daemon);
    else close(fd);
    web_cache_free(server.cache);
    if (signal_fd >= 0) close(signal_fd);
    if (server.wake_fd >= 0) close(server.wake_fd);
    return err;
}
