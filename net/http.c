/* The client: libcurl's multi interface on an epoll loop. */
#include "net/http.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <unistd.h>

#include "common/clock.h"
#include "net/connect_to.h"
#include "net/header.h"
#include "net/http_internal.h"

enum {
    PARALLEL_DEFAULT = 64,
    EVENTS_MAX = 256,
    STEP_WAIT_MAX_MS = 1000, /* a stop that arrives between two waits is noticed after so long at the latest */
    CONNECTIONS_KEPT_MAX = 1024,
    FILES_SPARED = 32, /* for everything else this process has open */
    REQUEST_HEAD_MAX = 1024 * 1024,
};

/* What stands in an event of the caller's descriptors, where libcurl's have their number. */
#define EVENT_WATCHED UINT64_MAX

/* libcurl wants to be called again after so long. */
static int on_timer(CURLM *multi, long wait_ms, void *ctx)
{
    struct http_client *client = ctx;
    (void)multi;
    client->timer_mono_ms = wait_ms < 0 ? -1 : clock_mono_ms() + wait_ms;
    return 0;
}

/* Checks what would otherwise fail late and misleadingly, once for each request. */
static enum gt_err take_rules(struct http_client *client, struct gt_errinfo *info)
{
    const char *const *rules = client->settings.connect_to;
    for (; rules != NULL && *rules != NULL; rules++) {
        struct connect_rule rule;
        enum gt_err err = connect_rule_parse(gt_str_from(*rules), &rule, info);
        if (err != GT_OK) return err;
        struct curl_slist *grown = curl_slist_append(client->connect_to, *rules);
        if (grown == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
        client->connect_to = grown;
    }
    if (client->settings.ca_file != NULL && access(client->settings.ca_file, R_OK) != 0)
        return gt_fail(info, GT_ENOENT, "cannot read the certificates in %s: %s", client->settings.ca_file, strerror(errno));
    return GT_OK;
}

/* How many idle connections are kept: each is an open file, and few may be allowed. */
static long connections_kept(int32_t idle_max)
{
    struct rlimit files;
    if (idle_max <= 0 || idle_max > CONNECTIONS_KEPT_MAX) idle_max = CONNECTIONS_KEPT_MAX;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur >= FILES_SPARED + 2 * (rlim_t)idle_max) return idle_max;
    return files.rlim_cur > FILES_SPARED + 2 ? (long)(files.rlim_cur - FILES_SPARED) / 2 : 1;
}

enum gt_err http_client_new(const struct http_settings *settings, struct http_client **ret_client, struct gt_errinfo *info)
{
    struct http_client *client = calloc(1, sizeof *client);
    if (client == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    unsetenv("SSLKEYLOGFILE");
    client->settings = *settings;
    client->timer_mono_ms = -1;
    client->epoll_fd = -1;
    client->awake_mono_ms = clock_mono_ms();
    int32_t parallel = settings->parallel_max > 0 ? settings->parallel_max : PARALLEL_DEFAULT;
    client->parallel_max = parallel < HTTP_PARALLEL_MAX ? parallel : HTTP_PARALLEL_MAX;
    bool is_ready = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
    enum gt_err err = is_ready ? take_rules(client, info) : gt_fail(info, GT_EINTERNAL, "libcurl does not start");
    if (err == GT_OK) {
        client->multi = curl_multi_init();
        client->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
        client->decoder = decoder_new();
        if (client->decoder == NULL || client->multi == NULL || client->epoll_fd < 0)
            err = gt_fail(info, GT_ENOMEM, "no room for another wait: %s", strerror(errno));
    }
    if (err != GT_OK) {
        http_client_free(client);
        return err;
    }
    curl_multi_setopt(client->multi, CURLMOPT_SOCKETFUNCTION, http_socket_want);
    curl_multi_setopt(client->multi, CURLMOPT_SOCKETDATA, client);
    curl_multi_setopt(client->multi, CURLMOPT_TIMERFUNCTION, on_timer);
    curl_multi_setopt(client->multi, CURLMOPT_TIMERDATA, client);
    /* libcurl counts connections by where they lead: behind connect_to all hosts would share one, and push each other out of it */
    if (client->connect_to == NULL) curl_multi_setopt(client->multi, CURLMOPT_MAX_HOST_CONNECTIONS, 1L);
    curl_multi_setopt(client->multi, CURLMOPT_MAXCONNECTS, connections_kept(settings->idle_max));
    *ret_client = client;
    return GT_OK;
}

/* Frees a list of transfers. */
static void free_list(struct transfer *list)
{
    while (list != NULL) {
        struct transfer *next = list->next;
        transfer_free(list);
        list = next;
    }
}

/* Takes a transfer out of the list of running ones. */
static void running_unlink(struct http_client *client, struct transfer *transfer)
{
    if (transfer->prev_running != NULL) transfer->prev_running->next_running = transfer->next_running;
    else client->running = transfer->next_running;
    if (transfer->next_running != NULL) transfer->next_running->prev_running = transfer->prev_running;
    transfer->next_running = transfer->prev_running = NULL;
    client->running_count--;
}

/* Nobody is called back any more: what still ran has no answer. */
void http_client_free(struct http_client *client)
{
    if (client == NULL) return;
    while (client->running != NULL) {
        struct transfer *transfer = client->running;
        running_unlink(client, transfer);
        curl_multi_remove_handle(client->multi, transfer->easy);
        transfer_free(transfer);
    }
    free_list(client->waiting);
    free_list(client->spare);
    if (client->multi != NULL) curl_multi_cleanup(client->multi);
    free(client->watched);
    if (client->epoll_fd >= 0) close(client->epoll_fd);
    decoder_free(client->decoder);
    curl_slist_free_all(client->connect_to);
    curl_global_cleanup();
    free(client);
}

/* A transfer with a handle of its own. Handles are kept: a fresh one costs more than a small page. */
static struct transfer *transfer_new(struct http_client *client)
{
    struct transfer *transfer = calloc(1, sizeof *transfer);
    if (transfer == NULL) return NULL;
    transfer->client = client;
    transfer->arena = arena_new(TRANSFER_ARENA_MAX);
    strbuf_init(&transfer->head, HEADER_BLOCK_BYTES_MAX);
    strbuf_init(&transfer->request_head, REQUEST_HEAD_MAX);
    if (transfer->arena != NULL && transfer_handle_make(transfer) == GT_OK) return transfer;
    transfer_free(transfer);
    return NULL;
}

/* Puts a transfer that has called back aside for the next request. */
static void transfer_recycle(struct transfer *transfer)
{
    struct http_client *client = transfer->client;
    transfer_reset_answer(transfer);
    arena_clear(transfer->arena);
    transfer->url = (struct url){0};
    transfer->origin = (struct gt_str){NULL, 0};
    transfer->redirects = 0;
    memset(transfer->hops, 0, sizeof transfer->hops);
    transfer->next = client->spare;
    client->spare = transfer;
}

/* Everything that can be wrong with a request is told here; once it is in line, its answer comes by the callback. */
enum gt_err http_client_add(struct http_client *client, const struct http_request *request, http_done_fn *fn, void *ctx,
                            struct gt_errinfo *info)
{
    struct transfer *transfer = client->spare;
    if (transfer != NULL) client->spare = transfer->next;
    else transfer = transfer_new(client);
    if (transfer == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    transfer->next = NULL;
    transfer->fn = fn;
    transfer->ctx = ctx;
    enum gt_err err = transfer_take_request(transfer, request, info);
    if (err != GT_OK) {
        transfer_recycle(transfer);
        return err;
    }
    if (client->waiting_last != NULL) client->waiting_last->next = transfer;
    else client->waiting = transfer;
    client->waiting_last = transfer;
    client->pending_count++;
    return GT_OK;
}

/* Calls back; the transfer is free for reuse by what the callback adds. A lost response (no memory) is still answered. */
static void call_back(struct transfer *transfer, struct http_response *response)
{
    struct http_client *client = transfer->client;
    http_done_fn *fn = transfer->fn;
    void *ctx = transfer->ctx;
    /* first set aside, then called back: a request that the callback adds may use this very transfer */
    transfer_recycle(transfer);
    client->pending_count--;
    client->finished_count++;
    fn(ctx, response);
}

/* Begins a transfer's first or next hop. What is against the rules is answered at once, without a socket. */
static void start_hop(struct transfer *transfer)
{
    struct http_client *client = transfer->client;
    struct gt_errinfo info = {0};
    struct gt_str text = transfer->url.href.len > 0 ? transfer->url.href : transfer->request.url;
    CURLU *address = NULL;
    transfer_reset_answer(transfer);
    enum gt_err err = url_parse_address(text, transfer->arena, &transfer->url, &address, &info);
    curl_url_cleanup(transfer->address);
    transfer->address = address;
    transfer->begin_mono_ms = clock_mono_ms();
    transfer->begin_busy_ms = http_client_busy_ms(client);
    if (err == GT_OK) err = transfer_prepare(transfer, &info);
    if (err == GT_OK && curl_multi_add_handle(client->multi, transfer->easy) != CURLM_OK)
        err = gt_fail(&info, GT_ENOMEM, "libcurl does not take another transfer");
    if (err != GT_OK) {
        call_back(transfer, transfer_refuse(transfer, err, info.text));
        return;
    }
    transfer->next_running = client->running;
    if (client->running != NULL) client->running->prev_running = transfer;
    client->running = transfer;
    client->running_count++;
}

/* Begins as many of the waiting ones as may run. */
static void start_waiting(struct http_client *client)
{
    while (client->waiting != NULL && client->running_count < (size_t)client->parallel_max) {
        struct transfer *transfer = client->waiting;
        client->waiting = transfer->next;
        if (client->waiting == NULL) client->waiting_last = NULL;
        transfer->next = NULL;
        start_hop(transfer);
    }
}

/* True when the response was a hop and the next one has begun. On a hop against the rules the response says so. */
static bool follow(struct transfer *transfer, struct http_response *response)
{
    struct gt_errinfo info = {0};
    struct url to;
    bool keeps_body;
    if (transfer->request.redirects_max == 0 || !http_response_is_redirect(response)) return false;
    enum gt_err err = GT_OK;
    if (transfer->redirects >= transfer->request.redirects_max || transfer->redirects >= HTTP_REDIRECTS_MAX)
        err = gt_fail(&info, GT_ELIMIT, "more than %d redirects", transfer->redirects);
    if (err == GT_OK) err = http_redirect_resolve(response, transfer->is_post, transfer->arena, &to, &keeps_body, &info);
    if (err == GT_OK && !transfer->is_post) {
        /* without cookies the same question gets the same answer */
        transfer->hops[transfer->redirects] = transfer->url.href;
        for (int i = 0; i <= transfer->redirects && err == GT_OK; i++)
            if (gt_str_eq(transfer->hops[i], to.href)) err = gt_fail(&info, GT_ELIMIT, "redirects in a circle");
    }
    if (err != GT_OK) {
        free((char *)(uintptr_t)response->detail.ptr);
        response->err = err;
        response->detail = (struct gt_str){strdup(info.text), 0};
        response->detail.len = response->detail.ptr != NULL ? strlen(response->detail.ptr) : 0;
        return false;
    }
    transfer->url = to;
    transfer->is_post = keeps_body;
    transfer->redirects++;
    http_response_free(response);
    start_hop(transfer);
    return true;
}

/* Takes the transfers that libcurl is done with. */
static void reap(struct http_client *client)
{
    CURLMsg *message;
    int left;
    while ((message = curl_multi_info_read(client->multi, &left)) != NULL) {
        struct transfer *transfer = NULL;
        if (message->msg != CURLMSG_DONE) continue;
        CURLcode result = message->data.result;
        curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&transfer);
        running_unlink(client, transfer);
        /* before the handle is taken off: libcurl forgets address and timing with it */
        struct http_response *response = transfer_finish(transfer, result);
        curl_multi_remove_handle(client->multi, transfer->easy);
        if (response == NULL || !follow(transfer, response)) call_back(transfer, response);
    }
}

int64_t http_client_busy_ms(const struct http_client *client)
{
    return client->busy_ms + clock_mono_ms() - client->awake_mono_ms;
}

/* How long to wait: until libcurl's timer, the caller's limit, or ours, whichever is first. */
static int wait_of(const struct http_client *client, int64_t wait_ms)
{
    int64_t now = clock_mono_ms();
    if (client->timer_mono_ms >= 0 && client->timer_mono_ms - now < wait_ms) wait_ms = client->timer_mono_ms - now;
    if (wait_ms > STEP_WAIT_MAX_MS) wait_ms = STEP_WAIT_MAX_MS;
    return wait_ms > 0 ? (int)wait_ms : 0;
}

/* One wait, and all that it brought. GT_EINTERRUPTED when a signal ended it. *ret_is_watched is set by news of http_client_watch. */
static enum gt_err turn(struct http_client *client, int64_t wait_ms, bool *ret_is_watched, struct gt_errinfo *info)
{
    struct epoll_event events[EVENTS_MAX];
    int running;
    client->busy_ms = http_client_busy_ms(client);
    int count = epoll_wait(client->epoll_fd, events, EVENTS_MAX, wait_of(client, wait_ms));
    client->awake_mono_ms = clock_mono_ms();
    if (count < 0 && errno == EINTR) return GT_EINTERRUPTED;
    if (count < 0) return gt_fail(info, GT_EINTERNAL, "cannot wait for the network: %s", strerror(errno));
    for (int i = 0; i < count; i++) {
        int what = 0;
        if (events[i].data.u64 == EVENT_WATCHED) {
            *ret_is_watched = true;
            continue;
        }
        curl_socket_t fd = (curl_socket_t)events[i].data.u64;
        if (!http_socket_hear(client, fd)) continue;
        if (events[i].events & (EPOLLIN | EPOLLHUP | EPOLLERR)) what |= CURL_CSELECT_IN;
        if (events[i].events & EPOLLOUT) what |= CURL_CSELECT_OUT;
        curl_multi_socket_action(client->multi, fd, what, &running);
    }
    if (client->timer_mono_ms >= 0 && clock_mono_ms() >= client->timer_mono_ms) {
        client->timer_mono_ms = -1;
        curl_multi_socket_action(client->multi, CURL_SOCKET_TIMEOUT, 0, &running);
    }
    reap(client);
    start_waiting(client);
    return GT_OK;
}

/* Returns as soon as one has finished: its callback may have added the next, which should not wait for the others. */
enum gt_err http_client_step(struct http_client *client, int64_t wait_ms, struct gt_errinfo *info)
{
    int64_t end_mono_ms = clock_mono_ms() + wait_ms;
    size_t finished = client->finished_count;
    start_waiting(client);
    for (;;) {
        int64_t left_ms = end_mono_ms - clock_mono_ms();
        if (client->finished_count != finished) left_ms = 0;
        bool is_watched = false;
        enum gt_err err = turn(client, left_ms, &is_watched, info);
        if (err == GT_EINTERRUPTED) return GT_OK;
        if (err != GT_OK || is_watched || client->finished_count != finished || clock_mono_ms() >= end_mono_ms) return err;
    }
}

enum gt_err http_client_watch(struct http_client *client, int fd)
{
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = EVENT_WATCHED};
    return epoll_ctl(client->epoll_fd, EPOLL_CTL_ADD, fd, &event) == 0 ? GT_OK : GT_EIO;
}

void http_client_unwatch(struct http_client *client, int fd)
{
    epoll_ctl(client->epoll_fd, EPOLL_CTL_DEL, fd, NULL);
}

size_t http_client_pending(const struct http_client *client)
{
    return client->pending_count;
}

void http_client_abort(struct http_client *client)
{
    size_t left = client->pending_count; /* what the callbacks add is not aborted */
    while (left-- > 0) {
        struct transfer *transfer = client->running;
        if (transfer != NULL) {
            running_unlink(client, transfer);
            curl_multi_remove_handle(client->multi, transfer->easy);
        } else if ((transfer = client->waiting) != NULL) {
            client->waiting = transfer->next;
            if (client->waiting == NULL) client->waiting_last = NULL;
        } else {
            return;
        }
        call_back(transfer, transfer_refuse(transfer, GT_EINTERRUPTED, "the run was ended"));
    }
}

/* In steps, so that a stop and the deadline are seen within one of them. */
enum gt_err http_client_run(struct http_client *client, const volatile int *stop, int64_t deadline_mono_ms,
                            struct gt_errinfo *info)
{
    while (client->pending_count > 0) {
        enum gt_err err = GT_OK;
        if (stop != NULL && *stop != 0) err = gt_fail(info, GT_EINTERRUPTED, "interrupted");
        else if (deadline_mono_ms > 0 && clock_mono_ms() >= deadline_mono_ms)
            err = gt_fail(info, GT_ETIMEOUT, "the deadline has passed");
        if (err != GT_OK) {
            http_client_abort(client);
            return err;
        }
        int64_t wait_ms = deadline_mono_ms > 0 ? deadline_mono_ms - clock_mono_ms() : STEP_WAIT_MAX_MS;
        if (wait_ms > STEP_WAIT_MAX_MS) wait_ms = STEP_WAIT_MAX_MS;
        err = http_client_step(client, wait_ms, info);
        if (err != GT_OK) return err;
    }
    return GT_OK;
}
