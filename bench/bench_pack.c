/* A month of hourly fetches, packed: bytes a page beside gzip's, time to pack, time to read one record. */
#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/clock.h"
#include "crawler/pack.h"
#include "crawler/warc_files.h"
#include "tests/unit/crawler/month.h"

enum { SITES = 3, READS = 2000 };

/* The one file that the month fits in. */
static bool file_find(const char *folder, char ret_name[WARC_NAME_MAX])
{
    char host[WARC_HOST_MAX];
    uint32_t serial;
    struct gt_errinfo info = {0};
    warc_host(host);
    return warc_newest_find(folder, host, &serial, ret_name, &info) == GT_OK && ret_name[0] != '\0';
}

/* Reads records here and there, as `archive cat` does, each with the pack opened anew. Prints the slowest and the mean. */
static bool reads_time(const char *path)
{
    struct gt_errinfo info = {0};
    int64_t slowest_ms = 0, begin_ms = clock_mono_ms(), offset = 0;
    int count = 0;
    for (; count < READS; count += 50) {
        struct pack *pack = NULL;
        struct strbuf record;
        size_t files;
        int64_t next = 0, t_ms = clock_mono_ms();
        if (pack_open(path, &pack, &info) != GT_OK) return false;
        strbuf_init(&record, PACK_FRAME_BYTES_MAX);
        const struct pack_file *file = pack_files(pack, &files);
        bool is_good = pack_read(pack, file, offset, PACK_PLAIN, &record, &next, &info) == GT_OK;
        int64_t took_ms = clock_mono_ms() - t_ms;
        if (took_ms > slowest_ms) slowest_ms = took_ms;
        for (int i = 1; is_good && i < 50 && next < file->bytes; i++) {
            offset = next;
            strbuf_clear(&record);
            is_good = pack_read(pack, file, offset, PACK_PLAIN, &record, &next, &info) == GT_OK;
        }
        offset = next < file->bytes ? next : 0;
        strbuf_done(&record);
        pack_close(pack);
        if (!is_good) return false;
    }
    printf("   first record of an opened pack: slowest %lld ms; %d records in %lld ms\n", (long long)slowest_ms, count,
           (long long)(clock_mono_ms() - begin_ms));
    return true;
}

/* One month of one kind. */
static bool month_time(bool is_gzip)
{
    char folder[] = "/tmp/gputape-bench-XXXXXX", name[WARC_NAME_MAX], file[512], path[512];
    struct gt_errinfo info = {0};
    struct pack_made made = {0};
    if (mkdtemp(folder) == NULL) return false;
    int64_t plain = month_write(folder, SITES, MONTH_HOURS, is_gzip);
    bool is_good = plain > 0 && file_find(folder, name);
    const char *names[] = {name};
    snprintf(path, sizeof path, "%s/month.pack", folder);
    snprintf(file, sizeof file, "%s/%s", folder, name);
    int64_t begin_ms = clock_mono_ms();
    is_good = is_good && pack_make(folder, names, 1, path, &made, &info) == GT_OK;
    int64_t took_ms = clock_mono_ms() - begin_ms, pages = (int64_t)SITES * MONTH_HOURS;
    if (is_good)
        printf("%s %lld pages of %lld bytes: %lld bytes a page in gzip records, %lld packed: %lld.%lld times smaller; %lld "
               "pages/s packed\n",
               is_gzip ? "gzip from the server, " : "plain from the server,", (long long)pages, (long long)(plain / pages),
               (long long)(made.source_bytes / pages), (long long)(made.pack_bytes / pages),
               (long long)(made.source_bytes / made.pack_bytes), (long long)(made.source_bytes * 10 / made.pack_bytes % 10),
               (long long)(pages * 1000 / (took_ms + 1)));
    is_good = is_good && reads_time(path);
    if (!is_good) fprintf(stderr, "%s\n", info.text);
    unlink(path);
    unlink(file);
    rmdir(folder);
    return is_good;
}

int main(void)
{
    return month_time(false) && month_time(true) ? 0 : 1;
}
