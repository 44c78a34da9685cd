/* JSON Lines: each thing one object on a line of its own. */
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "common/file.h"
#include "common/utf8.h"
#include "export/export.h"
#include "export/export_shape.h"

/* Characters that steer a terminal and that JSON allows raw: DEL, C1 controls, bidi marks, line separators. */
static bool steers_terminal(int32_t c)
{
    return (c >= 0x7F && c < 0xA0) || c == 0x61C || c == 0x200E || c == 0x200F || c == 0x2028 || c == 0x2029 ||
           (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

/* Those become \uXXXX: they stand only inside strings, so the value is the same. ASCII goes by whole stretches. */
static void put_line(FILE *file, struct gt_str line)
{
    size_t from = 0;
    for (size_t at = 0, step; at < line.len; at += step) {
        step = 1;
        if ((unsigned char)line.ptr[at] < 0x7F) continue;
        int32_t c = utf8_decode(line, at, &step);
        if (!steers_terminal(c)) continue;
        fwrite(line.ptr + from, 1, at - from, file);
        fprintf(file, "\\u%04x", (unsigned)c);
        from = at + step;
    }
    fwrite(line.ptr + from, 1, line.len - from, file);
    putc('\n', file);
}

struct jsonl {
    FILE *file;
    struct gt_errinfo *info;
};

/* Written as it comes: an export takes as much memory as its longest line. */
static enum gt_err jsonl_line(void *ctx, enum dump_kind kind, const void *item)
{
    const struct jsonl *jsonl = ctx;
    json_t *object = shape_write(&export_shapes[kind], item);
    char *text = object != NULL ? json_dumps(object, JSON_COMPACT) : NULL;
    json_decref(object);
    if (text == NULL) return gt_fail(jsonl->info, GT_ENOMEM, "out of memory");
    put_line(jsonl->file, gt_str_from(text));
    free(text);
    return ferror(jsonl->file) != 0 ? file_fail(jsonl->info, "cannot write", "the export") : GT_OK;
}

enum gt_err export_jsonl(struct store *store, const struct dump_options *options, FILE *file, struct gt_errinfo *info)
{
    struct jsonl jsonl = {file, info};
    return store_dump(store, options, jsonl_line, &jsonl, info);
}
