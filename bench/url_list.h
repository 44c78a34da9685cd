/* A file of one address a line, for the fetch programs. */
#ifndef GT_BENCH_URL_LIST_H
#define GT_BENCH_URL_LIST_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

struct url_list {
    char *text; /* the file, line ends turned into NULs */
    char **urls;
    size_t count;
};

/* Reads the file; ends the program when it cannot. */
static inline struct url_list url_list_read(const char *path)
{
    enum { LIST_BYTES_MAX = 4 * 1024 * 1024, URLS_MAX = 100000 };
    struct url_list list = {.text = calloc(1, LIST_BYTES_MAX), .urls = calloc(URLS_MAX, sizeof(char *))};
    FILE *file = fopen(path, "r");
    if (file == NULL || list.text == NULL || list.urls == NULL) {
        perror(path);
        exit(1);
    }
    size_t len = fread(list.text, 1, LIST_BYTES_MAX - 1, file);
    fclose(file);
    for (char *at = list.text; at < list.text + len && list.count < URLS_MAX; at += strlen(at) + 1) {
        at[strcspn(at, "\n")] = '\0';
        list.urls[list.count++] = at;
    }
    return list;
}

static inline double wall_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* What every fetch program says at its end; 0 when all pages came. */
static inline int fetch_report(size_t wanted, size_t done, size_t bytes, double begin)
{
    double wall = wall_seconds() - begin;
    printf("pages %zu of %zu, %zu bytes, %.3f s, %.0f pages/s\n", done, wanted, bytes, wall, (double)done / wall);
    return done == wanted ? 0 : 1;
}

#endif
