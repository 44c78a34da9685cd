/* A table gathered before it is written, so that columns in which nothing stands can be left out. */
#ifndef GT_REPORTS_TABLE_H
#define GT_REPORTS_TABLE_H

#include "reports/sink.h"

/* How a column behaves; bits. */
enum column_flag {
    COLUMN_RIGHT = 1,
    COLUMN_EXTRA = 2, /* left out where the window is too narrow */
    COLUMN_WRAP = 4,
    COLUMN_KEEP = 8, /* stays when nothing stands in it */
};

/* A column of a report's table, as static data. */
struct column_def {
    const char *key;
    enum label title; /* LABEL_UNTITLED in tables for programs */
    unsigned flags;   /* enum column_flag */
    int decimals;     /* of amounts; 0: exact */
};

/* Makes a sink's columns from static data: for tables that are written row by row. `ret_columns` holds `count`. */
void table_columns(const struct column_def *defs, size_t count, enum gt_lang lang, struct column *ret_columns);

struct table {
    struct arena *arena;
    const struct column_def *defs;
    enum gt_lang lang;
    size_t column_count;
    struct cell *cells; /* row after row */
    size_t row_count, row_cap;
    size_t row_max, rows_left;           /* 0: no limit; how many table_has_room turned away */
    bool is_out_of_memory;               /* sticky; table_write says so */
    struct cell spare[SINK_COLUMNS_MAX]; /* the row that is handed out when memory is out */
};

/* Begins an empty table over `defs` (static, at most SINK_COLUMNS_MAX of them); rows live in the arena. */
void table_init(struct table *table, struct arena *arena, enum gt_lang lang, const struct column_def *defs, size_t count);

/* True while the table has fewer than row_max rows; else counts one that is left out, which table_write says below the table. */
bool table_has_room(struct table *table);

/* Adds a row and returns its cells, all CELL_NONE, to be filled before the next call. Never NULL. */
struct cell *table_row(struct table *table);

/* Writes the table for people: nothing when it has no rows, and no column that holds nothing in any row. GT_OK; GT_ENOMEM. */
enum gt_err table_write(const struct table *table, struct sink_writer *writer, const char *key, struct gt_str caption);

/* Writes the table for programs: all columns, and an empty table too. */
enum gt_err table_write_all(const struct table *table, struct sink_writer *writer, const char *key);

#endif
