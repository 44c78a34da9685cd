#include "parsers/listing_build.h"

void listing_builder_init(struct listing_builder *builder, struct arena *arena)
{
    *builder = (struct listing_builder){.arena = arena};
}

/* The arena's copy of a name or rule: the same few come with every row. */
static struct gt_str keep_name(struct listing_builder *builder, struct gt_str name)
{
    for (size_t i = 0; i < builder->name_count; i++) {
        if (gt_str_eq(builder->names[i], name)) return builder->names[i];
    }
    struct gt_str copy = arena_dup(builder->arena, name);
    if (copy.ptr == NULL) builder->err = GT_ELIMIT;
    else if (builder->name_count < LISTING_NAMES_MAX) builder->names[builder->name_count++] = copy;
    return copy;
}

/* Words that tell rows apart are one field, joined. False when the row has none yet. */
static bool join_variant(struct listing_builder *builder, struct gt_str text)
{
    for (size_t i = 0; i < builder->field_count; i++) {
        struct listing_field *field = &builder->fields[i];
        if (!gt_str_is(field->name, "variant")) continue;
        struct gt_str joined = arena_printf(builder->arena, "%.*s | %.*s", GT_STR_ARG(field->text), GT_STR_ARG(text));
        if (joined.ptr == NULL) builder->err = GT_ELIMIT;
        else field->text = joined;
        return true;
    }
    return false;
}

/* A text beyond the limit spoils its row, not the page: a cell that holds an article is no label. */
void listing_builder_add(struct listing_builder *builder, struct gt_str name, struct gt_str text, struct gt_str header,
                         struct gt_str rule)
{
    text = gt_str_trim(text);
    if (builder->err != GT_OK || text.len == 0 || builder->field_count == LISTING_FIELDS_MAX) return;
    if (text.len > LISTING_TEXT_MAX) {
        builder->is_too_long = true;
        return;
    }
    struct gt_str copy = arena_dup(builder->arena, text);
    if (copy.ptr == NULL) {
        builder->err = GT_ELIMIT;
        return;
    }
    if (gt_str_is(name, "variant") && join_variant(builder, copy)) return;
    if (gt_str_is(name, "label")) builder->has_label = true;
    builder->fields[builder->field_count++] = (struct listing_field){
        .name = keep_name(builder, name), .text = copy, .header = header, .rule = keep_name(builder, rule)};
}

/* The beginning of a text, cut where a character begins. */
static struct gt_str cut(struct gt_str text, size_t bytes_max)
{
    if (text.len <= bytes_max) return text;
    size_t len = bytes_max;
    while (len > 0 && ((unsigned char)text.ptr[len] & 0xC0) == 0x80) len--;
    return gt_str_slice(text, 0, len);
}

/* With the words: a person must be able to find the row on the page. */
void listing_builder_refuse(struct listing_builder *builder, struct gt_str raw, struct gt_str reason)
{
    if (builder->err != GT_OK || builder->refused_count == LISTING_REFUSED_MAX) return;
    void *items = builder->refused;
    struct gt_str copy = arena_dup(builder->arena, cut(gt_str_trim(raw), LISTING_RAW_MAX));
    if (copy.ptr == NULL ||
        !arena_grow(builder->arena, &items, builder->refused_count, &builder->refused_cap, sizeof *builder->refused)) {
        builder->err = GT_ELIMIT;
        return;
    }
    builder->refused = items;
    builder->refused[builder->refused_count++] = (struct refusal){copy, reason};
}

static void keep(struct listing_builder *builder, int32_t confidence_permille, struct gt_str reasons)
{
    void *items = builder->listings;
    struct listing_field *fields = arena_array(builder->arena, builder->field_count, sizeof *fields);
    if (fields == NULL || builder->count == LISTINGS_MAX ||
        !arena_grow(builder->arena, &items, builder->count, &builder->cap, sizeof *builder->listings)) {
        builder->err = GT_ELIMIT;
        return;
    }
    memcpy(fields, builder->fields, builder->field_count * sizeof *fields);
    builder->listings = items;
    builder->listings[builder->count++] = (struct listing){
        .fields = fields, .field_count = builder->field_count, .confidence_permille = confidence_permille, .reasons = reasons};
}

bool listing_builder_refuses(const struct listing_builder *builder)
{
    return builder->is_too_long || !builder->has_label;
}

/* A row is kept whole or refused with a reason: a listing without a label could be no offer. */
void listing_builder_close(struct listing_builder *builder, struct gt_str raw, int32_t confidence_permille, struct gt_str reasons)
{
    if (builder->err == GT_OK) {
        if (builder->is_too_long) listing_builder_refuse(builder, raw, GT_STR("out-of-range"));
        else if (!builder->has_label) listing_builder_refuse(builder, raw, GT_STR("no-label"));
        else keep(builder, confidence_permille, reasons);
    }
    builder->field_count = 0;
    builder->has_label = builder->is_too_long = false;
}

/* All rows or an error: half a page would look like offers that are gone. */
enum gt_err listing_builder_finish(struct listing_builder *builder, struct extraction *ret, struct gt_errinfo *info)
{
    if (builder->err != GT_OK)
        return gt_fail(info, builder->err, "the page yields more than LISTINGS_MAX (%d) rows or EXTRACT_ARENA_MAX bytes",
                       LISTINGS_MAX);
    ret->listings = builder->listings;
    ret->count = builder->count;
    ret->refused = builder->refused;
    ret->refused_count = builder->refused_count;
    return GT_OK;
}
