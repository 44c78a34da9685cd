/* The thread that makes answers, the only one that opens the store: a slow report delays other new answers, but not those that are at hand,
 * and a store's handle is used by one thread alone. */
#ifndef GT_WEB_WORKER_H
#define GT_WEB_WORKER_H

#include "web/cache.h"
#include "web/exchange.h"

struct web_worker;

/* Called by the worker when an exchange has its answer. */
typedef void web_done_fn(void *ctx, struct web_exchange *exchange);

/* Starts the thread. `settings`, `cache`, `living` are borrowed until web_worker_free. NULL when it cannot be. */
struct web_worker *web_worker_new(const struct web_settings *settings, struct web_cache *cache, atomic_size_t *living, web_done_fn *done,
                                  void *done_ctx);

/* Hands an exchange over; false when WEB_QUEUE_MAX wait already. */
bool web_worker_add(struct web_worker *worker, struct web_exchange *exchange);

/* Ends the thread after the answer that it is making; those that wait get 503. NULL is accepted. */
void web_worker_free(struct web_worker *worker);

#endif
