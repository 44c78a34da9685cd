#include "export/export_reader.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "common/file.h"
#include "export/export.h"
#include "export/export_shape.h"

#define LINE_BYTES_MAX ((ssize_t)64 << 20)

enum gt_err export_reader_open(const char *path, struct export_reader *ret_reader, struct gt_errinfo *info)
{
    FILE *file = fopen(path, "re");
    if (file == NULL) return file_fail(info, "cannot read", path);
    *ret_reader = (struct export_reader){.path = path, .file = file};
    return GT_OK;
}

void export_reader_close(struct export_reader *reader)
{
    free(reader->line);
    if (reader->file != NULL) fclose(reader->file);
}

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
static enum gt_err line_read(struct export_reader *in, size_t len, struct arena *arena, enum dump_kind *ret_kind, void **ret_item,
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

/* The source that store_fill draws from. A line's number is kept for whatever is found wrong with it later. */
static enum gt_err next_item(void *ctx, struct arena *arena, enum dump_kind *ret_kind, const void **ret_item, struct gt_errinfo *info)
{
    struct export_reader *in = ctx;
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

enum gt_err export_reader_fill(struct export_reader *in, struct store *made, struct gt_errinfo *info)
{
    struct gt_errinfo why = {0};
    enum gt_err err = store_fill(made, next_item, in, &why);
    if (err == GT_OK) return GT_OK;
    bool names_line = why.text[0] == '\0' || strncmp(why.text, in->path, strlen(in->path)) == 0;
    if (err != GT_EFORMAT || names_line) return gt_fail(info, err, "%s", why.text);
    return gt_fail(info, err, "%s, before line %" PRIu64 ": %s; nothing was imported", in->path, in->number + 1, why.text);
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

/* Nothing is held in memory for that: the export is written into a stream that reads the file along with it. */
enum gt_err export_reader_prove(struct export_reader *in, struct store *made, const struct dump_options *options, struct gt_errinfo *info)
{
    struct compare compare = {.file = in->file, .line = 1};
    struct gt_errinfo own = {0};
    rewind(in->file);
    FILE *out = fopencookie(&compare, "w", (cookie_io_functions_t){.write = compare_write});
    if (out == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    enum gt_err err = export_jsonl(made, options, out, &own);
    if (fclose(out) != 0 && err == GT_OK) err = GT_EIO;
    if (err == GT_OK && getc_unlocked(in->file) != EOF) compare.differs = true;
    if (compare.differs)
        return gt_fail(info, GT_EFORMAT, "%s:%" PRIu64 ": the line does not follow from the others; nothing was imported", in->path,
                       compare.line);
    return err == GT_OK ? GT_OK : gt_fail(info, err, "%s", own.text);
}
