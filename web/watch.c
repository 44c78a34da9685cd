#include "web/watch.h"

#include <stdlib.h>
#include <sys/socket.h>

#include "web/limits.h"

struct web_watched *web_watch_add(struct web_watch *watch, int fd, int64_t now_mono_ms)
{
    struct web_watched *watched = calloc(1, sizeof *watched);
    if (watched == NULL) return NULL;
    *watched = (struct web_watched){.fd = fd, .since_mono_ms = now_mono_ms, .next = watch->first, .link = &watch->first};
    if (watch->first != NULL) watch->first->link = &watched->next;
    watch->first = watched;
    return watched;
}

void web_watch_turn(struct web_watched *watched, bool is_answering, int64_t now_mono_ms)
{
    if (watched == NULL) return;
    watched->is_answering = is_answering;
    watched->since_mono_ms = now_mono_ms;
}

void web_watch_drop(struct web_watched *watched)
{
    if (watched == NULL) return;
    *watched->link = watched->next;
    if (watched->next != NULL) watched->next->link = watched->link;
    free(watched);
}

void web_watch_expire(const struct web_watch *watch, int64_t now_mono_ms)
{
    for (const struct web_watched *watched = watch->first; watched != NULL; watched = watched->next)
        if (now_mono_ms - watched->since_mono_ms > (watched->is_answering ? WEB_ANSWER_MS : WEB_REQUEST_MS)) shutdown(watched->fd, SHUT_RDWR);
}
