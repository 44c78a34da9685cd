/* A file is replaced whole or not at all, and whoever is stopped while writing leaves nothing beside it. */
#include "tests/unit/crawler/folder.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "common/file.h"

enum how { ENDS, FAILS, FINDS_NO_NAME, IS_KILLED };

enum { NAMES = 100 }; /* as many as are tried */

static const struct draft_row {
    const char *name, *before; /* what is there; NULL: nothing */
    bool is_link;
    enum how how;
    const char *after; /* NULL: nothing */
} drafts[] = {
    {"a new file", NULL, false, ENDS, "new"},
    {"one that is there", "old", false, ENDS, "new"},
    {"what a link leads to, not the link", "old", true, ENDS, "new"},
    {"a new file that failed", NULL, false, FAILS, NULL},
    {"one that is there, failed", "old", false, FAILS, "old"},
    {"a link, failed", "old", true, FAILS, "old"},
    {"a new file, every name beside it somebody's", NULL, false, FINDS_NO_NAME, NULL},
    {"one that is there, every name beside it somebody's", "old", false, FINDS_NO_NAME, "old"},
    {"a new file, killed", NULL, false, IS_KILLED, NULL},
    {"one that is there, killed", "old", false, IS_KILLED, "old"},
};

static size_t count_of(const char *folder)
{
    size_t count = 0;
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    while (readdir(dir) != NULL) count++;
    closedir(dir);
    return count - 2; /* . and .. */
}

/* Only where the file system can hold files without names is nothing left of a killed one. */
static bool has_nameless(const char *folder)
{
    int fd = open(folder, O_WRONLY | O_TMPFILE | O_CLOEXEC, 0600);
    if (fd >= 0) close(fd);
    return fd >= 0;
}

static void take_names(const char *path)
{
    char name[128];
    for (int n = 0; n < NAMES; n++) {
        snprintf(name, sizeof name, "%s.%ld-%d.tmp", path, (long)getpid(), n);
        close(open(name, O_WRONLY | O_CREAT, 0600));
    }
}

/* Writes "new" over `path`, in a process of its own that may be killed before the end. */
static void write_apart(const char *path, enum how how)
{
    pid_t child = fork();
    int status;
    if (child == 0) {
        struct file_draft draft;
        if (how == FINDS_NO_NAME) take_names(path);
        if (file_draft_begin(path, 0644, &draft, NULL) != GT_OK) _exit(1);
        fputs("new", draft.file);
        fflush(draft.file);
        if (how == IS_KILLED) raise(SIGKILL);
        _exit(file_draft_end(&draft, how == FAILS ? GT_EIO : GT_OK, NULL) == GT_OK ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) == (how == IS_KILLED));
    if (how != IS_KILLED) assert_int_equal(WEXITSTATUS(status), how != ENDS);
}

static void check_draft(void **state)
{
    const struct draft_row *row = *state;
    char folder[FOLDER_PATH_MAX], real[96], path[96], *bytes = NULL;
    size_t len = 0;
    struct stat st;
    folder_make(folder);
    snprintf(real, sizeof real, "%s/real", folder);
    snprintf(path, sizeof path, "%s/%s", folder, row->is_link ? "link" : "real");
    if (row->is_link) assert_int_equal(symlink("real", path), 0);
    if (row->before != NULL) {
        FILE *file = fopen(real, "w");
        assert_non_null(file);
        fputs(row->before, file);
        fclose(file);
    }
    bool leaves_one = row->how == IS_KILLED && !has_nameless(folder);
    write_apart(path, row->how);
    assert_int_equal(file_read(real, 100, &bytes, &len, NULL), row->after != NULL ? GT_OK : GT_ENOENT);
    if (row->after != NULL) assert_string_equal(bytes, row->after);
    if (row->how == ENDS && row->before == NULL) assert_true(stat(real, &st) == 0 && (st.st_mode & 0777) == 0644);
    if (row->is_link) assert_true(lstat(path, &st) == 0 && S_ISLNK(st.st_mode));
    assert_int_equal(count_of(folder), (size_t)(row->after != NULL) + row->is_link + leaves_one + (row->how == FINDS_NO_NAME ? NAMES : 0));
    free(bytes);
    folder_remove(folder);
}

int main(void)
{
    umask(022);
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(drafts, check_draft);
}
