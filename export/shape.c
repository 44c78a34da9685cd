#include "export/shape.h"

#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "common/civil.h"
#include "common/digest.h"
#include "common/utf8.h"
#include "pricing/guard.h"
#include "pricing/money.h"

enum { HEX_TEXT_MAX = 2 * 4096 + 1, HEX_BASE = 16 };

static const char *at_of(const struct shape_field *field, const void *item)
{
    return (const char *)item + field->offset;
}

/* A number of the field's width. */
static int64_t number_get(const struct shape_field *field, const void *item)
{
    int32_t narrow;
    uint32_t unsigned_narrow;
    int64_t wide;
    if (field->bytes == sizeof wide) {
        memcpy(&wide, at_of(field, item), sizeof wide);
        return wide;
    }
    memcpy(&narrow, at_of(field, item), sizeof narrow);
    memcpy(&unsigned_narrow, at_of(field, item), sizeof unsigned_narrow);
    return field->is_signed ? narrow : (int64_t)unsigned_narrow;
}

/* False when it does not fit. */
static bool number_put(const struct shape_field *field, void *item, int64_t number)
{
    int32_t narrow = (int32_t)number;
    uint32_t unsigned_narrow = (uint32_t)number;
    char *at = (char *)item + field->offset;
    if (!field->is_signed && number < 0) return false;
    if (field->bytes == sizeof number) {
        memcpy(at, &number, sizeof number);
        return true;
    }
    memcpy(at, field->is_signed ? (const void *)&narrow : (const void *)&unsigned_narrow, sizeof narrow);
    return field->is_signed ? narrow == number : (int64_t)unsigned_narrow == number;
}

/* ---- writing ---- */

static json_t *hex_write(const uint8_t *bytes, size_t len)
{
    char text[HEX_TEXT_MAX];
    if (len > sizeof text / 2) return NULL;
    digest_hex(bytes, len, text);
    return json_string(text);
}

/* Any bytes come back as they were. */
static json_t *text_write(struct gt_str text)
{
    if (text.len == 0) return json_null();
    if (utf8_is_valid(text)) return json_stringn_nocheck(text.ptr, text.len);
    return json_pack("{s:o}", "hex", hex_write((const uint8_t *)text.ptr, text.len));
}

static json_t *time_write(int64_t t_unix_s)
{
    char text[CIVIL_TEXT_MAX];
    int64_t read;
    civil_rfc3339(t_unix_s, text);
    if (civil_parse(gt_str_from(text), &read) && read == t_unix_s) return json_string(text);
    return json_sprintf("@%lld", (long long)t_unix_s);
}

static json_t *word_write(const struct shape_field *field, int value)
{
    const char *word = word_text(field->vocabulary, value);
    return value == 0 && (word[0] == '\0' || strcmp(word, "unknown") == 0) ? json_null() : json_string(word);
}

static json_t *kinds_write(uint32_t kinds)
{
    json_t *list = json_array();
    for (int kind = 0; kind < CHANGE_WORDS; kind++)
        if ((kinds >> kind & 1) != 0) json_array_append_new(list, json_string(word_text(VOCABULARY_CHANGE, kind)));
    return list;
}

/* The table says where pointer and count of a list stand; they need not be neighbours. */
static json_t *list_write(const struct shape_field *field, const void *item)
{
    const char *items;
    size_t count;
    memcpy(&items, at_of(field, item), sizeof items);
    memcpy(&count, (const char *)item + field->count_offset, sizeof count);
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) json_array_append_new(list, shape_write(field->shape, items + i * field->shape->bytes));
    return list;
}

static json_t *bytes_write(const struct shape_field *field, const void *item)
{
    const uint8_t *bytes = (const uint8_t *)at_of(field, item);
    size_t zeroes = 0;
    while (zeroes < field->bytes && bytes[zeroes] == 0) zeroes++;
    return zeroes == field->bytes ? json_null() : hex_write(bytes, field->bytes);
}

/* What is unknown is null for every type: a 0 or "" that a page printed must stay apart from nothing printed. */
struct json_t *shape_field_write(const struct shape_field *field, const void *item)
{
    const char *at = at_of(field, item);
    char money[MONEY_TEXT_MAX];
    struct gt_str text;
    int value;
    int64_t number;
    switch (field->type) {
    case SHAPE_FLAG: return json_boolean(*at != 0);
    case SHAPE_NUMBER: return json_integer(number_get(field, item));
    case SHAPE_COUNT: number = number_get(field, item); return number == 0 ? json_null() : json_integer(number);
    case SHAPE_UNITS: number = number_get(field, item); return number == -1 ? json_null() : json_integer(number);
    case SHAPE_MONEY: number = number_get(field, item); return number == 0 ? json_null() : json_string(money_format(number, money));
    case SHAPE_TIME: return time_write(number_get(field, item));
    case SHAPE_TEXT: memcpy(&text, at, sizeof text); return text_write(text);
    case SHAPE_CODE: return text_write((struct gt_str){at, strnlen(at, field->bytes)});
    case SHAPE_HEX: return bytes_write(field, item);
    case SHAPE_WORD: memcpy(&value, at, sizeof value); return word_write(field, value);
    case SHAPE_NAMED: memcpy(&value, at, sizeof value); return json_string(field->names[value]);
    case SHAPE_REASON:
        memcpy(&value, at, sizeof value);
        return value == GUARD_NONE ? json_null() : json_string(guard_reason_code((enum guard_reason)value));
    case SHAPE_KINDS: return kinds_write((uint32_t)number_get(field, item));
    default: return list_write(field, item);
    }
}

/* "nocheck": texts were checked (or written as hex) by text_write; jansson would look at each byte again. */
struct json_t *shape_write(const struct shape *shape, const void *item)
{
    json_t *object = json_object();
    if (shape->name != NULL) json_object_set_new_nocheck(object, "type", json_string(shape->name));
    for (const struct shape_field *field = shape->fields; field->name != NULL; field++) {
        if (json_object_set_new_nocheck(object, field->name, shape_field_write(field, item)) == 0) continue;
        json_decref(object);
        return NULL;
    }
    return object;
}

/* ---- reading ---- */

static int hex_digit(char c)
{
    const char *digits = "0123456789abcdef", *found = c != '\0' ? strchr(digits, c) : NULL;
    return found != NULL ? (int)(found - digits) : -1;
}

/* False for what is no hexadecimal of so many bytes. */
static bool hex_read(const json_t *value, uint8_t *bytes, size_t len)
{
    const char *text = json_string_value(value);
    if (text == NULL || json_string_length(value) != 2 * len) return false;
    for (size_t i = 0; i < len; i++) {
        int high = hex_digit(text[2 * i]), low = hex_digit(text[2 * i + 1]);
        if (high < 0 || low < 0) return false;
        bytes[i] = (uint8_t)(high * HEX_BASE + low);
    }
    return true;
}

/* Also the form of bytes that are no UTF-8: {"hex": …}. */
static bool text_read(const json_t *value, struct arena *arena, struct gt_str *ret_text)
{
    const json_t *hex = json_object_get(value, "hex");
    if (json_is_string(value)) {
        *ret_text = arena_dup(arena, (struct gt_str){json_string_value(value), json_string_length(value)});
        return ret_text->ptr != NULL;
    }
    size_t len = json_string_length(hex) / 2;
    uint8_t *bytes = hex != NULL ? arena_alloc(arena, len + 1) : NULL;
    if (bytes == NULL || !hex_read(hex, bytes, len)) return false;
    *ret_text = (struct gt_str){(const char *)bytes, len};
    return true;
}

static bool name_read(const struct shape_field *field, const json_t *value, void *item)
{
    const char *text = json_string_value(value);
    for (int i = 0; text != NULL && field->names[i] != NULL; i++) {
        if (strcmp(field->names[i], text) != 0) continue;
        memcpy((char *)item + field->offset, &i, sizeof i);
        return true;
    }
    return false;
}

static bool word_read(const struct shape_field *field, const json_t *value, void *item)
{
    int word;
    if (!json_is_string(value) || !word_find(field->vocabulary, gt_str_from(json_string_value(value)), &word)) return false;
    memcpy((char *)item + field->offset, &word, sizeof word);
    return true;
}

static bool reason_read(const struct shape_field *field, const json_t *value, void *item)
{
    const char *text = json_string_value(value);
    for (int i = GUARD_NONE + 1; text != NULL && i < GUARD_REASONS; i++) {
        if (strcmp(guard_reason_code((enum guard_reason)i), text) != 0) continue;
        memcpy((char *)item + field->offset, &i, sizeof i);
        return true;
    }
    return false;
}

/* A word that is none is refused, not dropped: a change without its kind would be another change. */
static bool kinds_read(const struct shape_field *field, const json_t *value, void *item)
{
    uint32_t kinds = 0;
    size_t i;
    json_t *entry;
    json_array_foreach(value, i, entry) {
        int kind;
        if (!json_is_string(entry) || !word_find(VOCABULARY_CHANGE, gt_str_from(json_string_value(entry)), &kind)) return false;
        kinds |= 1U << kind;
    }
    memcpy((char *)item + field->offset, &kinds, sizeof kinds);
    return json_is_array(value);
}

/* The limit is the struct's own: a file may not ask for more than a page can have given. */
static bool list_read(const struct shape_field *field, const json_t *value, struct arena *arena, void *item, struct gt_errinfo *info)
{
    size_t count = json_array_size(value);
    char *items = json_is_array(value) && count <= field->count_max ? arena_array(arena, count, field->shape->bytes) : NULL;
    if (items == NULL) return false;
    for (size_t i = 0; i < count; i++) {
        void *entry = NULL;
        if (shape_read(field->shape, json_array_get(value, i), arena, &entry, info) != GT_OK || entry == NULL) return false;
        memcpy(items + i * field->shape->bytes, entry, field->shape->bytes);
    }
    memcpy((char *)item + field->offset, &items, sizeof items);
    memcpy((char *)item + field->count_offset, &count, sizeof count);
    return true;
}

/* Null stands for the value that means "unknown" or "none". */
static bool null_read(const struct shape_field *field, void *item)
{
    struct gt_str none = {"", 0};
    if (field->type == SHAPE_UNITS) return number_put(field, item, -1);
    if (field->type == SHAPE_TEXT) memcpy((char *)item + field->offset, &none, sizeof none);
    return field->type != SHAPE_TIME && field->type != SHAPE_NAMED;
}

static bool code_read(const struct shape_field *field, const json_t *value, void *item)
{
    size_t len = json_string_length(value);
    if (!json_is_string(value) || len >= field->bytes || memchr(json_string_value(value), '\0', len) != NULL) return false;
    memcpy((char *)item + field->offset, json_string_value(value), len);
    return true;
}

/* Each type refuses what it would not have written; a false says nothing more, the caller names the field. */
static bool field_read(const struct shape_field *field, const json_t *value, struct arena *arena, void *item, struct gt_errinfo *info)
{
    char *at = (char *)item + field->offset;
    struct gt_str text = {json_string_value(value), json_string_length(value)};
    int64_t number;
    if (value == NULL || json_is_null(value)) return null_read(field, item);
    switch (field->type) {
    case SHAPE_FLAG: *at = (char)json_is_true(value); return json_is_boolean(value);
    case SHAPE_NUMBER:
    case SHAPE_COUNT:
    case SHAPE_UNITS: return json_is_integer(value) && number_put(field, item, json_integer_value(value));
    case SHAPE_MONEY: return json_is_string(value) && money_parse(text, &number) == GT_OK && number_put(field, item, number);
    case SHAPE_TIME: return json_is_string(value) && civil_parse(text, &number) && number_put(field, item, number);
    case SHAPE_TEXT: return text_read(value, arena, (struct gt_str *)(void *)at);
    case SHAPE_CODE: return code_read(field, value, item);
    case SHAPE_HEX: return hex_read(value, (uint8_t *)at, field->bytes);
    case SHAPE_WORD: return word_read(field, value, item);
    case SHAPE_NAMED: return name_read(field, value, item);
    case SHAPE_REASON: return reason_read(field, value, item);
    case SHAPE_KINDS: return kinds_read(field, value, item);
    default: return list_read(field, value, arena, item, info);
    }
}

/* Members that the table does not have are passed over here; that nothing was in them shows when the store is exported again. */
enum gt_err shape_read(const struct shape *shape, const struct json_t *object, struct arena *arena, void **ret_item, struct gt_errinfo *info)
{
    void *item = arena_alloc(arena, shape->bytes);
    if (item == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    if (!json_is_object(object)) return gt_fail(info, GT_EFORMAT, "not an object");
    for (const struct shape_field *field = shape->fields; field->name != NULL; field++) {
        struct gt_errinfo inner = {0};
        if (field_read(field, json_object_get(object, field->name), arena, item, &inner)) continue;
        return gt_fail(info, GT_EFORMAT, "\"%s\"%s%s", field->name, inner.text[0] != '\0' ? ": " : " is not what it should be", inner.text);
    }
    *ret_item = item;
    return GT_OK;
}
