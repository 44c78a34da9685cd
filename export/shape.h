/* Structs by tables: one table says how a struct is written as a JSON object and read back, so that the two cannot part. */
#ifndef GT_EXPORT_SHAPE_H
#define GT_EXPORT_SHAPE_H

#include <stddef.h>
#include <stdint.h>

#include "common/arena.h"
#include "common/err.h"
#include "common/str.h"
#include "pricing/words.h"

struct json_t;

enum shape_type {
    SHAPE_FLAG,   /* bool or uint8_t: true, false */
    SHAPE_NUMBER, /* signed or unsigned, 4 or 8 bytes */
    SHAPE_COUNT,  /* a number whose 0 means unknown or none: null */
    SHAPE_UNITS,  /* int64_t whose -1 means unknown: null */
    SHAPE_MONEY,  /* int64_t nano-units: a decimal string; 0 is null */
    SHAPE_TIME,   /* int64_t UTC seconds: RFC 3339, or "@seconds" for years that it does not have */
    SHAPE_TEXT,   /* struct gt_str; empty is null; bytes that are no UTF-8 are {"hex": …} */
    SHAPE_CODE,   /* char array closed by NUL; empty is null */
    SHAPE_HEX,    /* bytes; all zero is null */
    SHAPE_WORD,   /* an enum with a vocabulary; "" and "unknown" are null */
    SHAPE_NAMED,  /* an enum with names of its own, NULL-closed */
    SHAPE_REASON, /* enum guard_reason by its code; GUARD_NONE is null */
    SHAPE_KINDS,  /* uint32_t with a bit a kind of change: a list of words */
    SHAPE_LIST    /* pointer and size_t count of structs with a shape */
};

struct shape;

struct shape_field {
    const char *name;
    enum shape_type type;
    size_t offset, bytes;
    bool is_signed;             /* NUMBER, COUNT */
    enum vocabulary vocabulary; /* WORD */
    const char *const *names;   /* NAMED */
    const struct shape *shape;  /* LIST */
    size_t count_offset, count_max;
};

struct shape {
    const char *name; /* "type" of the object; NULL for one inside another */
    size_t bytes;
    const struct shape_field *fields; /* closed by a NULL name */
};

/* The struct as a new JSON object, its fields in the table's order. NULL when memory is out. */
struct json_t *shape_write(const struct shape *shape, const void *item);

/* One field alone; never a list for the scalar types. NULL when memory is out. */
struct json_t *shape_field_write(const struct shape_field *field, const void *item);

/* An object read into a zeroed struct in `arena`, which also gets its texts and lists. Fields that are missing are as null. GT_EFORMAT with a
 * sentence that names the field; GT_ENOMEM. */
enum gt_err shape_read(const struct shape *shape, const struct json_t *object, struct arena *arena, void **ret_item, struct gt_errinfo *info);

#endif
