/* The lines of an export: one shape a kind of thing, in the order of enum dump_kind. docs/schema/export.json says the same. */
#ifndef GT_EXPORT_EXPORT_SHAPE_H
#define GT_EXPORT_EXPORT_SHAPE_H

#include "export/shape.h"
#include "store/dump.h"

extern const struct shape export_shapes[DUMP_KINDS];

#endif
