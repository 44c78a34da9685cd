#include "web/worker.h"

#include <pthread.h>
#include <stdlib.h>

#include "web/limits.h"
#include "web/snapshot.h"

enum { STATUS_UNAVAILABLE = 503 };

struct web_worker {
    const struct web_settings *settings;
    struct web_cache *cache;
    atomic_size_t *living;
    web_done_fn *done;
    void *done_ctx;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    struct web_exchange *first, **last; /* the queue, under the lock */
    size_t waiting;
    bool is_stopping;
    struct store *store; /* the thread's own, with the file that it is */
    struct store_version opened;
    struct web_snapshot snapshot; /* of the store as `seen` */
    struct store_version seen;
};

/* ---- the store ---- */

static void store_drop(struct web_worker *worker)
{
    web_snapshot_drop(&worker->snapshot);
    store_close(worker->store);
    worker->store = NULL;
}

/* Opens the store that the moment speaks of: for the first time, or because another file has taken its place. */
static enum gt_err store_need(struct web_worker *worker, const struct store_version *version, struct gt_errinfo *info)
{
    if (worker->seen.commit != version->commit) web_snapshot_drop(&worker->snapshot);
    worker->seen = *version;
    bool is_same = worker->opened.device == version->device && worker->opened.inode == version->inode;
    if (worker->store != NULL && is_same) return GT_OK;
    store_drop(worker);
    enum gt_err err = store_open(worker->settings->store_folder, STORE_READ, &worker->store, info);
    if (err == GT_OK) worker->opened = *version;
    return err;
}

/* ---- one answer ---- */

/* One arena an answer, freed whole: what a page forgot to free cannot gather. */
static struct web_answer *answer_make(struct web_worker *worker, struct web_exchange *exchange, const struct web_answer_terms *terms)
{
    struct gt_errinfo info = {0};
    struct web_answer *answer = NULL;
    struct web_view view = {.route = exchange->route,
                            .request = &exchange->request,
                            .settings = worker->settings,
                            .is_local = exchange->is_local,
                            .snapshot = &worker->snapshot,
                            .arena = arena_new(WEB_VIEW_BYTES_MAX)};
    if (view.arena == NULL) return NULL;
    view.input.now_unix_s = exchange->moment.now_unix_s;
    if (exchange->route->kind != WEB_KIND_FILE) {
        enum gt_err err = exchange->moment.version.inode == 0 ? GT_ENOENT : store_need(worker, &exchange->moment.version, &info);
        if (err != GT_OK) {
            if (err != GT_ENOENT) log_event(worker->settings->log, LOG_ERROR, "store-not-opened", "error", info.text, NULL);
            answer = web_answer_refuse(STATUS_UNAVAILABLE, "there is no store to read yet", terms);
            goto out;
        }
        view.input.store = worker->store;
    }
    answer = web_answer_render(&view, terms, worker->settings->log);
out:
    arena_free(view.arena);
    return answer;
}

/* Another request may have had the same answer made while this one waited. */
static void exchange_answer(struct web_worker *worker, struct web_exchange *exchange)
{
    struct web_answer_terms terms = {.route = exchange->route,
                                     .etag = exchange->etag,
                                     .is_gzip = exchange->is_gzip,
                                     .is_asked_for_token = worker->settings->token.len > 0,
                                     .living = worker->living};
    exchange->answer = web_cache_get(worker->cache, exchange->key);
    if (exchange->answer != NULL) return;
    if (atomic_load(worker->living) > WEB_LIVING_BYTES_MAX) {
        exchange->answer = web_answer_refuse(STATUS_UNAVAILABLE, "too many answers are being sent", &terms);
        return;
    }
    exchange->answer = answer_make(worker, exchange, &terms);
    if (exchange->answer != NULL && exchange->answer->status == 200) web_cache_put(worker->cache, exchange->key, exchange->answer);
}

/* ---- the thread ---- */

/* The next exchange; NULL when the worker is to end and none waits. */
static struct web_exchange *queue_take(struct web_worker *worker, bool *ret_is_stopping)
{
    pthread_mutex_lock(&worker->lock);
    while (worker->first == NULL && !worker->is_stopping) pthread_cond_wait(&worker->wake, &worker->lock);
    struct web_exchange *exchange = worker->first;
    if (exchange != NULL) {
        worker->first = exchange->next;
        if (worker->first == NULL) worker->last = &worker->first;
        worker->waiting--;
    }
    *ret_is_stopping = worker->is_stopping;
    pthread_mutex_unlock(&worker->lock);
    return exchange;
}

/* At the end whoever still waits is told so, instead of being cut off. */
static void *worker_run(void *arg)
{
    struct web_worker *worker = arg;
    struct web_exchange *exchange;
    bool is_stopping;
    while ((exchange = queue_take(worker, &is_stopping)) != NULL) {
        struct web_answer_terms terms = {.route = exchange->route, .living = worker->living};
        if (is_stopping) exchange->answer = web_answer_refuse(STATUS_UNAVAILABLE, "the server is ending", &terms);
        else exchange_answer(worker, exchange);
        worker->done(worker->done_ctx, exchange);
    }
    store_drop(worker);
    return NULL;
}

struct web_worker *web_worker_new(const struct web_settings *settings, struct web_cache *cache, atomic_size_t *living, web_done_fn *done,
                                  void *done_ctx)
{
    struct web_worker *worker = calloc(1, sizeof *worker);
    if (worker == NULL) return NULL;
    *worker = (struct web_worker){.settings = settings, .cache = cache, .living = living, .done = done, .done_ctx = done_ctx, .last = &worker->first};
    if (pthread_mutex_init(&worker->lock, NULL) != 0) goto fail;
    if (pthread_cond_init(&worker->wake, NULL) != 0) goto fail_lock;
    if (pthread_create(&worker->thread, NULL, worker_run, worker) == 0) return worker;
    pthread_cond_destroy(&worker->wake);
fail_lock:
    pthread_mutex_destroy(&worker->lock);
fail:
    free(worker);
    return NULL;
}

/* A full line is the caller's to refuse: waiting longer than a visitor does helps nobody. */
bool web_worker_add(struct web_worker *worker, struct web_exchange *exchange)
{
    pthread_mutex_lock(&worker->lock);
    bool has_room = worker->waiting < WEB_QUEUE_MAX;
    if (has_room) {
        exchange->next = NULL;
        *worker->last = exchange;
        worker->last = &exchange->next;
        worker->waiting++;
        pthread_cond_signal(&worker->wake);
    }
    pthread_mutex_unlock(&worker->lock);
    return has_room;
}

void web_worker_free(struct web_worker *worker)
{
    if (worker == NULL) return;
    pthread_mutex_lock(&worker->lock);
    worker->is_stopping = true;
    pthread_cond_signal(&worker->wake);
    pthread_mutex_unlock(&worker->lock);
    pthread_join(worker->thread, NULL);
    pthread_cond_destroy(&worker->wake);
    pthread_mutex_destroy(&worker->lock);
    free(worker);
}
