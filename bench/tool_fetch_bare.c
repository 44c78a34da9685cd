/* The peer: libcurl's multi interface on epoll and libdeflate, nothing else: no checks of addresses, no copies, no limits, buffers
 * reused. usage: fetch_bare LIST PARALLEL [CONNECT_TO] */
#include <curl/curl.h>
#include <libdeflate.h>
#include <sys/epoll.h>

#include "bench/url_list.h"

enum { EVENTS_MAX = 256, PLAIN_BYTES_MAX = 1 << 20 };

struct bare {
    struct url_list list;
    CURLM *multi;
    int epoll_fd;
    double due; /* when libcurl wants to be called; below 0: not */
    struct libdeflate_decompressor *inflater;
    char *plain;
    size_t next, ended, done, bytes;
};

struct slot {
    struct bare *bare;
    CURL *easy;
    char *wire;
    size_t len, cap;
};

static size_t on_body(char *bytes, size_t size, size_t count, void *ctx)
{
    struct slot *slot = ctx;
    size_t len = size * count;
    if (slot->cap - slot->len < len) {
        slot->cap = (slot->len + len) * 2;
        slot->wire = realloc(slot->wire, slot->cap);
        if (slot->wire == NULL) exit(1);
    }
    memcpy(slot->wire + slot->len, bytes, len);
    slot->len += len;
    return len;
}

static int on_socket(CURL *easy, curl_socket_t fd, int what, void *ctx, void *known)
{
    struct bare *bare = ctx;
    (void)easy;
    if (what == CURL_POLL_REMOVE) {
        epoll_ctl(bare->epoll_fd, EPOLL_CTL_DEL, fd, NULL);
        return 0;
    }
    struct epoll_event event = {.data.fd = fd};
    if (what & CURL_POLL_IN) event.events |= EPOLLIN;
    if (what & CURL_POLL_OUT) event.events |= EPOLLOUT;
    epoll_ctl(bare->epoll_fd, known != NULL ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, fd, &event);
    if (known == NULL) curl_multi_assign(bare->multi, fd, bare);
    return 0;
}

static int on_timer(CURLM *multi, long wait_ms, void *ctx)
{
    struct bare *bare = ctx;
    (void)multi;
    bare->due = wait_ms < 0 ? -1 : wall_seconds() + (double)wait_ms / 1e3;
    return 0;
}

static void start_next(struct slot *slot)
{
    struct bare *bare = slot->bare;
    if (bare->next == bare->list.count) return;
    slot->len = 0;
    curl_easy_setopt(slot->easy, CURLOPT_URL, bare->list.urls[bare->next++]);
    curl_multi_add_handle(bare->multi, slot->easy);
}

static void reap(struct bare *bare)
{
    CURLMsg *message;
    int left;
    while ((message = curl_multi_info_read(bare->multi, &left)) != NULL) {
        struct slot *slot = NULL;
        long status = 0;
        size_t len = 0;
        if (message->msg != CURLMSG_DONE) continue;
        CURLcode result = message->data.result;
        curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&slot);
        curl_easy_getinfo(slot->easy, CURLINFO_RESPONSE_CODE, &status);
        curl_multi_remove_handle(bare->multi, slot->easy);
        if (result == CURLE_OK && status == 200 &&
            libdeflate_gzip_decompress(bare->inflater, slot->wire, slot->len, bare->plain, PLAIN_BYTES_MAX, &len) ==
                LIBDEFLATE_SUCCESS)
            bare->done++;
        bare->bytes += len;
        bare->ended++;
        start_next(slot);
    }
}

static void run(struct bare *bare)
{
    struct epoll_event events[EVENTS_MAX];
    int running;
    while (bare->ended < bare->list.count) {
        double left = bare->due < 0 ? 1 : bare->due - wall_seconds();
        int count = epoll_wait(bare->epoll_fd, events, EVENTS_MAX, left > 0 ? (int)(left * 1e3) + 1 : 0);
        for (int i = 0; i < count; i++) {
            int what = (events[i].events & EPOLLOUT ? CURL_CSELECT_OUT : 0) |
                       (events[i].events & ~(unsigned)EPOLLOUT ? CURL_CSELECT_IN : 0);
            curl_multi_socket_action(bare->multi, events[i].data.fd, what, &running);
        }
        if (bare->due >= 0 && wall_seconds() >= bare->due) {
            bare->due = -1;
            curl_multi_socket_action(bare->multi, CURL_SOCKET_TIMEOUT, 0, &running);
        }
        reap(bare);
    }
}

static void slot_make(struct bare *bare, struct slot *slot, struct curl_slist *fields, struct curl_slist *connect_to)
{
    *slot = (struct slot){.bare = bare, .easy = curl_easy_init()};
    if (slot->easy == NULL) exit(1);
    curl_easy_setopt(slot->easy, CURLOPT_PRIVATE, slot);
    curl_easy_setopt(slot->easy, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(slot->easy, CURLOPT_WRITEDATA, slot);
    curl_easy_setopt(slot->easy, CURLOPT_HTTPHEADER, fields);
    curl_easy_setopt(slot->easy, CURLOPT_BUFFERSIZE, 64L * 1024);
    curl_easy_setopt(slot->easy, CURLOPT_NOSIGNAL, 1L);
    if (connect_to != NULL) curl_easy_setopt(slot->easy, CURLOPT_CONNECT_TO, connect_to);
    start_next(slot);
}

int main(int argc, char **argv)
{
    struct bare bare = {.due = -1};
    if (argc < 3) {
        fprintf(stderr, "usage: fetch_bare LIST PARALLEL [CONNECT_TO]\n");
        return 2;
    }
    size_t parallel = strtoul(argv[2], NULL, 10);
    bare.list = url_list_read(argv[1]);
    double begin = wall_seconds();
    curl_global_init(CURL_GLOBAL_DEFAULT);
    struct curl_slist *fields = curl_slist_append(NULL, "Accept-Encoding: gzip");
    struct curl_slist *connect_to = argc > 3 ? curl_slist_append(NULL, argv[3]) : NULL;
    struct slot *slots = calloc(parallel, sizeof *slots);
    bare.plain = malloc(PLAIN_BYTES_MAX);
    bare.inflater = libdeflate_alloc_decompressor();
    bare.epoll_fd = epoll_create1(0);
    bare.multi = curl_multi_init();
    if (slots == NULL || bare.plain == NULL || bare.inflater == NULL || bare.multi == NULL) exit(1);
    curl_multi_setopt(bare.multi, CURLMOPT_SOCKETFUNCTION, on_socket);
    curl_multi_setopt(bare.multi, CURLMOPT_SOCKETDATA, &bare);
    curl_multi_setopt(bare.multi, CURLMOPT_TIMERFUNCTION, on_timer);
    curl_multi_setopt(bare.multi, CURLMOPT_TIMERDATA, &bare);
    curl_multi_setopt(bare.multi, CURLMOPT_MAXCONNECTS, 1024L);
    for (size_t i = 0; i < parallel; i++) slot_make(&bare, &slots[i], fields, connect_to);
    run(&bare);
    return fetch_report(bare.list.count, bare.done, bare.bytes, begin);
}
