/* import --history: a complete export as a store again. It is made beside, checked as `db check` does, exported again and compared with the
 * file byte by byte, and only then put in place: what was imported is what the file says, or nothing is. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "cli/clickhouse.h"
#include "cli/export.h"
#include "cli/export_shape.h"
#include "cli/import.h"
#include "common/file.h"
#include "crawler/lock.h"

#define LINE_BYTES_MAX ((ssize_t)64 << 20)

/* The file being read. */
struct history_file {
    const char *path;
    FILE *file;
    char *line;
    size_t cap;
    uint64_t number; /* of the line */
    size_t runs, observations;
};

/* The kind of a line by its type. */
static bool kind_of(const json_t *object, enum dump_kind *ret_kind)
{
    const char *type = json_string_value(json_object_get(object, "type"));
    for (int kind = 0; type != NULL && kind < DUMP_KINDS; kind++) {
        if (strcmp(export_shapes[kind].name, type) != 0) continue;
        *ret_kind = (enum dump_kind)kind;
        return true;
    }
    return false;
}

/* One line as a thing. */
static enum gt_err line_read(struct history_file *in, size_t len, struct arena *arena, enum dump_kind *ret_kind, void **ret_item,
                             struct gt_errinfo *info)
{
    json_error_t fault;
    struct gt_errinfo inner = {0};
    json_t *object = json_loadb(in->line, len, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &fault);
    if (object == NULL) return gt_fail(info, GT_EFORMAT, "%s:%" PRIu64 ": no JSON: %s", in->path, in->number, fault.text);
    enum gt_err err = GT_EFORMAT;
    if (!kind_of(object, ret_kind)) gt_fail(&inner, GT_EFORMAT, "\"type\" is not a kind of line");
    else if (in->number == 1 && *ret_kind != DUMP_HEAD) gt_fail(&inner, GT_EFORMAT, "the first line is not that of an export");
    else err = shape_read(&export_shapes[*ret_kind], object, arena, ret_item, &inner);
    json_decref(object);
    return err == GT_OK ? GT_OK : gt_fail(info, err, "%s:%" PRIu64 ": %s", in->path, in->number, inner.text);
}

static enum gt_err next_item(void *ctx, struct arena *arena, enum dump_kind *ret_kind, const void **ret_item, struct gt_errinfo *info)
{
    struct history_file *in = ctx;
    void *item = NULL;
    ssize_t len = getline(&in->line, &in->cap, in->file);
    in->number++;
    if (len < 0) return ferror(in->file) != 0 ? gt_fail(info, GT_EIO, "%s cannot be read", in->path) : GT_ENOENT;
    if (len > LINE_BYTES_MAX) return gt_fail(info, GT_ELIMIT, "%s:%" PRIu64 ": the line is too long", in->path, in->number);
    enum gt_err err = line_read(in, (size_t)len, arena, ret_kind, &item, info);
    if (err != GT_OK) return err;
    in->runs += *ret_kind == DUMP_RUN;
    in->observations += *ret_kind == DUMP_OBSERVATION;
    *ret_item = item;
    return GT_OK;
}

/* ---- comparing ---- */

/* Where what the new store exports is held against the file. */
struct compare {
    FILE *file;
    uint64_t line;
    bool differs;
};

/* Takes bytes of the export: the same must come next in the file. */
static ssize_t compare_write(void *ctx, const char *bytes, size_t len)
{
    struct compare *compare = ctx;
    for (size_t i = 0; i < len && !compare->differs; i++) {
        if (getc_unlocked(compare->file) != (unsigned char)bytes[i]) compare->differs = true;
        else compare->line += bytes[i] == '\n';
    }
    return compare->differs ? 0 : (ssize_t)len;
}

/* The new store, exported, must be the file. */
static enum gt_err compare_with(struct cli *cli, struct store *made, struct history_file *in)
{
    struct compare compare = {.file = in->file, .line = 1};
    struct dump_options all = {0};
    struct gt_errinfo own = {0};
    rewind(in->file);
    FILE *out = fopencookie(&compare, "w", (cookie_io_functions_t){.write = compare_write});
    if (out == NULL) return gt_fail(&cli->info, GT_ENOMEM, "out of memory");
    enum gt_err err = export_jsonl(made, &all, out, &own);
    if (fclose(out) != 0 && err == GT_OK) err = GT_EIO;
    if (err == GT_OK && getc_unlocked(in->file) != EOF) compare.differs = true;
    if (compare.differs)
        return gt_fail(&cli->info, GT_EFORMAT, "%s:%" PRIu64 ": the line does not follow from the others; nothing was imported", in->path,
                       compare.line);
    return err == GT_OK ? GT_OK : gt_fail(&cli->info, err, "%s", own.text);
}

/* The new store says what the file says, byte for byte. */
static enum gt_err prove(struct cli *cli, const char *folder, struct history_file *in)
{
    struct store *made = NULL;
    enum gt_err err = store_open(folder, STORE_READ, &made, &cli->info);
    if (err == GT_OK) err = compare_with(cli, made, in);
    store_close(made);
    return err;
}

/* A history is not mixed with another: the data folder must have none. */
static enum gt_err is_empty(struct cli *cli)
{
    struct store *store = NULL;
    struct store_stat stat = {0};
    struct gt_errinfo info = {0};
    enum gt_err err = store_open(cli_data_path(cli, "store"), STORE_READ, &store, &info);
    if (err == GT_ENOENT) return GT_OK;
    if (err == GT_OK) err = store_stat(store, &stat, &info);
    store_close(store);
    if (err != GT_OK) return gt_fail(&cli->info, err, "%s", info.text);
    if (stat.runs == 0) return GT_OK;
    return gt_fail(&cli->info, GT_EEXIST, "%s has a history already (%" PRIu64 " runs): import --history needs an empty data folder",
                   cli->data_folder, stat.runs);
}

static enum gt_err fill_and_prove(struct cli *cli, struct history_file *in)
{
    struct store *made = NULL;
    struct store_draft *draft = NULL;
    enum gt_err err = cli_store_draft(cli, false, &draft, &made);
    if (err == GT_OK) err = store_fill(made, next_item, in, &cli->info);
    if (err == GT_EFORMAT && cli->info.text[0] != '\0' && strncmp(cli->info.text, in->path, strlen(in->path)) != 0) {
        struct gt_errinfo why = cli->info;
        gt_fail(&cli->info, err, "%s, before line %" PRIu64 ": %s; nothing was imported", in->path, in->number + 1, why.text);
    }
    store_close(made);
    if (err == GT_OK) err = prove(cli, store_draft_folder(draft), in);
    if (err == GT_OK) err = store_draft_commit(draft, &cli->info);
    else store_draft_abort(draft);
    return err;
}

/* What crawlers have pushed, as they would have it if there were one. Each run is held against the digest that was sent with it. */
static enum gt_err fill_from_clickhouse(struct cli *cli, const char *url)
{
    struct store *made = NULL;
    struct store_draft *draft = NULL;
    struct clickhouse *server = NULL;
    enum gt_err err = clickhouse_open(cli, url, &server);
    if (err == GT_OK) err = cli_store_draft(cli, false, &draft, &made);
    if (err == GT_OK) err = clickhouse_pull(server, made, &cli->info);
    store_close(made);
    if (err == GT_OK) err = store_draft_commit(draft, &cli->info);
    else store_draft_abort(draft);
    clickhouse_close(server);
    return err;
}

int import_history_run(struct cli *cli, const char *path)
{
    bool is_file = !gt_str_starts(gt_str_from(path), GT_STR(CLICKHOUSE_SCHEME));
    struct history_file in = {.path = path, .file = is_file ? fopen(path, "re") : NULL};
    struct run_lock *lock = NULL;
    if (is_file && in.file == NULL) return exit_from_err(file_fail(&cli->info, "cannot read", path));
    enum gt_err err = file_make_folder(cli->data_folder, &cli->info);
    if (err == GT_OK) err = run_lock_take(cli->data_folder, &lock, &cli->info);
    if (err == GT_OK) err = is_empty(cli);
    if (err == GT_OK) err = is_file ? fill_and_prove(cli, &in) : fill_from_clickhouse(cli, path + strlen(CLICKHOUSE_SCHEME));
    run_lock_free(lock);
    free(in.line);
    if (is_file) fclose(in.file);
    if (err != GT_OK) return exit_from_err(err);
    if (!is_file) fputs("the history that was pushed to ClickHouse is imported\n", cli->out);
    else fprintf(cli->out, "%zu runs and %zu observations imported: an export gives the same file again\n", in.runs, in.observations);
    return EXIT_DONE;
}
