/* Files are found by their names alone; a folder of tens of thousands is listed once a crawl. */
#include "crawler/warc_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/civil.h"
#include "common/file.h"

static const char prefix[] = "gputape-";
static const char suffix[] = ".warc.gz";

/* True for digits only, at least one. */
static bool all_digits(struct gt_str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] < '0' || text.ptr[i] > '9') return false;
    return text.len > 0;
}

/* Only names of this shape are the archive's: whatever else lies in the folder is left alone. */
bool warc_name_parse(const char *name, struct warc_name *ret_name)
{
    struct gt_str rest = gt_str_from(name), timestamp, serial;
    if (!gt_str_starts(rest, gt_str_from(prefix)) || !gt_str_ends(rest, gt_str_from(suffix))) return false;
    rest = gt_str_slice(rest, sizeof prefix - 1, rest.len - (sizeof prefix - 1) - (sizeof suffix - 1));
    if (!gt_str_split(&rest, '-', &timestamp) || timestamp.len != 14 || !all_digits(timestamp)) return false;
    if (!gt_str_split(&rest, '-', &serial) || serial.len > 9 || !all_digits(serial)) return false;
    if (rest.len == 0 || rest.len >= WARC_HOST_MAX) return false;
    struct warc_name parsed = {.serial = (uint32_t)strtoul(serial.ptr, NULL, 10)};
    memcpy(parsed.timestamp, timestamp.ptr, timestamp.len);
    memcpy(parsed.host, rest.ptr, rest.len);
    *ret_name = parsed;
    return true;
}

bool warc_pack_name_parse(const char *name, char ret_month[7], uint32_t *ret_first, uint32_t *ret_last)
{
    struct gt_str rest = gt_str_from(name), month, first, end = GT_STR(".pack");
    if (!gt_str_starts(rest, gt_str_from(prefix)) || !gt_str_ends(rest, end)) return false;
    rest = gt_str_slice(rest, sizeof prefix - 1, rest.len - (sizeof prefix - 1) - end.len);
    if (!gt_str_split(&rest, '-', &month) || month.len != 6 || !all_digits(month)) return false;
    if (!gt_str_split(&rest, '-', &first) || first.len > 9 || !all_digits(first)) return false;
    if (rest.len > 9 || !all_digits(rest)) return false;
    if (ret_month != NULL) snprintf(ret_month, 7, "%.6s", month.ptr);
    if (ret_first != NULL) *ret_first = (uint32_t)strtoul(first.ptr, NULL, 10);
    if (ret_last != NULL) *ret_last = (uint32_t)strtoul(rest.ptr, NULL, 10);
    return true;
}

void warc_name_print(const struct warc_name *name, char ret_text[WARC_NAME_MAX])
{
    snprintf(ret_text, WARC_NAME_MAX, "%s%s-%05u-%s%s", prefix, name->timestamp, name->serial, name->host, suffix);
}

void warc_timestamp(int64_t t_unix_s, char ret_timestamp[15])
{
    struct civil c = civil_from_unix(t_unix_s, 0);
    char text[64];
    int64_t year = c.year >= 0 && c.year <= 9999 ? c.year : 0;
    snprintf(text, sizeof text, "%04d%02d%02d%02d%02d%02d", (int)year, c.month, c.day, c.hour, c.minute, c.second);
    memcpy(ret_timestamp, text, 14);
    ret_timestamp[14] = '\0';
}

/* What a machine is called may hold anything; in a file name only these characters are safe. */
void warc_host(char ret_host[WARC_HOST_MAX])
{
    if (gethostname(ret_host, WARC_HOST_MAX - 1) != 0) ret_host[0] = '\0';
    ret_host[WARC_HOST_MAX - 1] = '\0';
    for (char *c = ret_host; *c != '\0'; c++) {
        bool is_kept = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') || *c == '.' || *c == '-';
        if (!is_kept) *c = '_';
    }
    if (ret_host[0] == '\0' || ret_host[0] == '.') snprintf(ret_host, WARC_HOST_MAX, "localhost");
}

/* Serials never go back, over packs as well: two files of one number would be one file to the store's index. */
enum gt_err warc_newest_find(const char *folder, const char *host, uint32_t *ret_serial, char ret_name[WARC_NAME_MAX],
                             struct gt_errinfo *info)
{
    uint32_t highest = 0, own = 0;
    ret_name[0] = '\0';
    DIR *dir = opendir(folder);
    if (dir == NULL && errno == ENOENT) {
        *ret_serial = 0;
        return GT_OK;
    }
    if (dir == NULL) return file_fail(info, "cannot read the folder", folder);
    struct dirent *entry;
    while ((entry = readdir(dir)) != NULL) {
        struct warc_name name;
        uint32_t packed;
        if (warc_pack_name_parse(entry->d_name, NULL, NULL, &packed) && packed > highest) highest = packed;
        if (!warc_name_parse(entry->d_name, &name)) continue;
        if (name.serial > highest) highest = name.serial;
        if (strcmp(name.host, host) != 0 || name.serial <= own) continue;
        own = name.serial;
        warc_name_print(&name, ret_name);
    }
    closedir(dir);
    *ret_serial = highest;
    return GT_OK;
}
