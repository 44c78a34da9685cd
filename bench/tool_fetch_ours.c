/* Fetches a list with net/'s client, bodies decoded in memory. usage: fetch_ours LIST PARALLEL PORT [CONNECT_TO] */
#include "bench/url_list.h"
#include "net/http.h"

struct job {
    struct http_client *client;
    struct url_list list;
    struct gt_str port;
    size_t next, done, bytes;
};

static void on_done(void *ctx, struct http_response *response);

static void start_next(struct job *job)
{
    struct gt_errinfo info = {0};
    if (job->next == job->list.count) return;
    struct http_request request = {.url = gt_str_from(job->list.urls[job->next++]),
                                   .user_agent = GT_STR("bench"),
                                   .allow_ports = job->port,
                                   .allow_private = true};
    if (http_client_add(job->client, &request, on_done, job, &info) != GT_OK) {
        fprintf(stderr, "%s\n", info.text);
        exit(1);
    }
}

static void on_done(void *ctx, struct http_response *response)
{
    struct job *job = ctx;
    if (response != NULL && response->err == GT_OK && response->status == 200) {
        job->done++;
        job->bytes += response->body.len;
    } else if (response != NULL) {
        fprintf(stderr, "%.*s: %d %.*s\n", GT_STR_ARG(response->url), response->status, GT_STR_ARG(response->detail));
    }
    http_response_free(response);
    start_next(job);
}

int main(int argc, char **argv)
{
    struct gt_errinfo info = {0};
    struct job job = {.next = 0};
    if (argc < 4) {
        fprintf(stderr, "usage: fetch_ours LIST PARALLEL PORT [CONNECT_TO]\n");
        return 2;
    }
    const char *const rules[] = {argc > 4 ? argv[4] : NULL, NULL};
    struct http_settings settings = {.connect_to = argc > 4 ? rules : NULL, .parallel_max = (int32_t)strtol(argv[2], NULL, 10)};
    job.list = url_list_read(argv[1]);
    job.port = gt_str_from(argv[3]);
    double begin = wall_seconds();
    enum gt_err err = http_client_new(&settings, &job.client, &info);
    for (int32_t i = 0; err == GT_OK && i < settings.parallel_max; i++) start_next(&job);
    if (err == GT_OK) err = http_client_run(job.client, NULL, 0, &info);
    if (err != GT_OK) fprintf(stderr, "%s\n", info.text);
    int code = fetch_report(job.list.count, job.done, job.bytes, begin);
    http_client_free(job.client);
    free(job.list.urls);
    free(job.list.text);
    return code;
}
