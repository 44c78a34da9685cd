/* --store: a history that lies elsewhere as a store that every command opens like its own. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "clickhouse/clickhouse.h"
#include "common/file.h"

static void finding_take(void *ctx, struct gt_str sentence)
{
    struct gt_errinfo *info = ctx;
    gt_fail(info, GT_ECORRUPT, "the history in ClickHouse does not fit itself: %.*s", GT_STR_ARG(sentence));
}

/* Fills, checks and opens it. What is read no more has no name any more: it goes with the process, however that ends. */
static enum gt_err pull_into(struct clickhouse *server, const char *folder, struct store **ret_store, struct gt_errinfo *info)
{
    struct store *made = NULL;
    struct store_draft *draft = NULL;
    size_t findings = 0;
    enum gt_err err = store_draft_begin(folder, false, &draft, &made, info);
    if (err == GT_OK) err = clickhouse_pull(server, made, info);
    store_close(made);
    if (err == GT_OK) err = store_check(store_draft_folder(draft), finding_take, info, &findings, info);
    if (err == GT_OK) err = store_open(store_draft_folder(draft), STORE_READ, ret_store, info);
    store_draft_abort(draft);
    return err;
}

/* LMDB keeps the file open, so that its name can go at once: nothing is left behind, even after a crash of whoever reads it. */
enum gt_err clickhouse_store_open(const char *url, struct store **ret_store, struct gt_errinfo *info)
{
    char folder[PATH_MAX], store[PATH_MAX];
    const char *parent = getenv("TMPDIR");
    struct clickhouse *server = NULL;
    int len = snprintf(folder, sizeof folder, "%s/gputape-XXXXXX", parent != NULL && parent[0] == '/' ? parent : "/tmp");
    if (len < 0 || len >= (int)sizeof folder - (int)sizeof "/store") return gt_fail(info, GT_ELIMIT, "$TMPDIR is too long");
    enum gt_err err = clickhouse_open(url, &server, info);
    if (err == GT_OK && mkdtemp(folder) == NULL) err = file_fail(info, "cannot make", folder);
    if (err == GT_OK) {
        snprintf(store, sizeof store, "%.*s/store", len, folder);
        err = pull_into(server, store, ret_store, info);
        rmdir(folder);
    }
    clickhouse_close(server);
    return err;
}
