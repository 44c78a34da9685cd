/* A folder of a test's own, and its end. */
#ifndef GT_TESTS_UNIT_CRAWLER_FOLDER_H
#define GT_TESTS_UNIT_CRAWLER_FOLDER_H

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include "tests/unit/table.h"

enum { FOLDER_PATH_MAX = 64 };

static inline void folder_make(char path[FOLDER_PATH_MAX])
{
    snprintf(path, FOLDER_PATH_MAX, "/tmp/gputape-test-XXXXXX");
    assert_non_null(mkdtemp(path));
}

/* Removes the files in it, and it. */
static inline void folder_remove(const char *path)
{
    DIR *dir = opendir(path);
    struct dirent *entry;
    while (dir != NULL && (entry = readdir(dir)) != NULL) unlinkat(dirfd(dir), entry->d_name, 0);
    if (dir != NULL) closedir(dir);
    rmdir(path);
}

#endif
