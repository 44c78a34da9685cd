/* Layers are undone one by one into memory of their own, outermost first, each with the whole limit: five small bombs on top
 * of each other are stopped at the first that grows too large. */
#include "net/decode.h"

#include <stdint.h>
#include <stdlib.h>

#include "net/decode_stream.h"

#include <libdeflate.h>

static const struct {
    const char *name;
    decode_fn *fn; /* NULL: nothing to undo */
} codings_known[] = {
    {"gzip", decode_gzip}, {"x-gzip", decode_gzip}, {"deflate", decode_deflate},
    {"br", decode_brotli}, {"zstd", decode_zstd},   {"identity", NULL},
};

/* The layers to undo, as rows of codings_known, in the order in which they were put on. */
struct layers {
    size_t rows[DECODE_LAYERS_MAX];
    size_t count;
};

/* By four up to the limit: bombs meet it after a few steps, pages need one or two. */
enum gt_err decoded_grow(struct decoded *out)
{
    if (out->cap >= out->bytes_max) return GT_ELIMIT;
    size_t cap = out->cap == 0 ? 4096 : out->cap > SIZE_MAX / 4 ? SIZE_MAX : out->cap * 4;
    if (cap > out->bytes_max) cap = out->bytes_max;
    char *grown = realloc(out->bytes, cap);
    if (grown == NULL) return GT_ENOMEM;
    out->bytes = grown;
    out->cap = cap;
    return GT_OK;
}

/* Reads the list of codings. Those that change nothing do not count towards the limit. */
static enum gt_err layers_read(struct gt_str codings, struct layers *ret_layers, struct gt_errinfo *info)
{
    struct layers layers = {.count = 0};
    struct gt_str name;
    while (gt_str_split(&codings, ',', &name)) {
        if (name.len == 0) continue;
        size_t i = 0, known = sizeof codings_known / sizeof codings_known[0];
        while (i < known && !gt_str_eq_nocase(name, gt_str_from(codings_known[i].name))) i++;
        if (i == known) {
            struct gt_str shown = gt_str_slice(name, 0, 64);
            return gt_fail(info, GT_EFORMAT, "unknown content coding \"%.*s\"", GT_STR_ARG(shown));
        }
        if (codings_known[i].fn == NULL) continue;
        if (layers.count == DECODE_LAYERS_MAX)
            return gt_fail(info, GT_EFORMAT, "more than %d content codings on top of each other", DECODE_LAYERS_MAX);
        layers.rows[layers.count++] = i;
    }
    *ret_layers = layers;
    return GT_OK;
}

bool decode_is_identity(struct gt_str codings)
{
    struct gt_str name;
    while (gt_str_split(&codings, ',', &name))
        if (name.len > 0 && !gt_str_eq_nocase(name, GT_STR("identity"))) return false;
    return true;
}

/* One sentence for a layer's failure. */
static enum gt_err layer_fail(enum gt_err err, size_t bytes_max, struct gt_errinfo *info)
{
    switch (err) {
    case GT_EINCOMPLETE: return gt_fail(info, err, "the compressed body is cut or corrupt");
    case GT_ELIMIT: return gt_fail(info, err, "the body unpacks to more than %zu bytes", bytes_max);
    default: return gt_fail(info, err, "%s", gt_err_text(err));
    }
}

struct decoder *decoder_new(void)
{
    struct decoder *decoder = calloc(1, sizeof *decoder);
    if (decoder != NULL) decoder->inflater = libdeflate_alloc_decompressor();
    if (decoder != NULL && decoder->inflater != NULL) return decoder;
    free(decoder);
    return NULL;
}

void decoder_free(struct decoder *decoder)
{
    if (decoder == NULL) return;
    libdeflate_free_decompressor(decoder->inflater);
    free(decoder);
}

/* Undoes the layers one by one. *ret_left: how many were not undone when a failure came. */
static enum gt_err layers_undo(struct decoder *decoder, const struct layers *layers, struct gt_str wire, size_t bytes_max,
                               struct decoded *ret_plain, size_t *ret_left)
{
    struct decoded now = {.bytes = NULL}, next;
    struct gt_str input = wire;
    size_t left = layers->count;
    enum gt_err err = GT_OK;
    for (; left > 0 && err == GT_OK; left--) {
        next = (struct decoded){.bytes_max = bytes_max};
        err = codings_known[layers->rows[left - 1]].fn(decoder, input, &next);
        free(now.bytes);
        now = next;
        input = (struct gt_str){now.bytes, now.len};
    }
    *ret_plain = now;
    *ret_left = left;
    return err;
}

enum gt_err decode_body(struct decoder *decoder, struct gt_str codings, struct gt_str wire, size_t bytes_max, char **ret_bytes,
                        size_t *ret_len, struct gt_errinfo *info)
{
    struct layers layers = {.count = 0};
    struct decoded now = {.bytes = NULL};
    size_t left = 0;
    enum gt_err err = layers_read(codings, &layers, info);
    if (err != GT_OK) return err;
    if (wire.len == 0) layers.count = 0;
    struct decoder *own = decoder == NULL && layers.count > 0 ? decoder_new() : NULL;
    if (decoder == NULL) decoder = own;
    if (decoder == NULL && layers.count > 0) return gt_fail(info, GT_ENOMEM, "out of memory");
    err = layers_undo(decoder, &layers, wire, bytes_max, &now, &left);
    decoder_free(own);
    if (err != GT_OK) layer_fail(err, bytes_max, info);
    /* Without a layer the caller still gets memory of its own. */
    if (err == GT_OK && layers.count == 0) {
        now.bytes = malloc(wire.len > 0 ? wire.len : 1);
        if (now.bytes == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
        now.len = wire.len < bytes_max ? wire.len : bytes_max;
        if (now.len > 0) memcpy(now.bytes, wire.ptr, now.len);
        if (wire.len > bytes_max) err = layer_fail(GT_ELIMIT, bytes_max, info);
    }
    if (err != GT_OK && err != GT_ELIMIT) {
        free(now.bytes);
        return err;
    }
    if (err == GT_ELIMIT && left > 0) now.len = 0;
    *ret_bytes = now.bytes;
    *ret_len = now.len;
    return err;
}
