/* Rows of a tab-separated file as table rows: the first cell is the row's name. Lines that begin with '#' are comments. */
#ifndef GT_TESTS_UNIT_PRICING_SKU_TSV_H
#define GT_TESTS_UNIT_PRICING_SKU_TSV_H

#include "common/file.h"
#include "tests/unit/table.h"

enum { TSV_CELLS = 8, TSV_ROWS_MAX = 2048, TSV_BYTES_MAX = 1 << 20 };

struct tsv_row {
    const char *name;
    const char *cell[TSV_CELLS]; /* cell[0] is the name; missing ones are "" */
};

static inline void tsv_split(char *line, struct tsv_row *row)
{
    for (int i = 0; i < TSV_CELLS; i++) {
        row->cell[i] = line;
        char *tab = line + strcspn(line, "\t");
        line = *tab == '\t' ? tab + 1 : tab;
        *tab = '\0';
    }
    row->name = row->cell[0];
}

/* Loads a file; the rows and their text live until the process ends. NULL with *ret_count 0 when it cannot be read. */
static inline struct tsv_row *tsv_load(const char *path, size_t *ret_count)
{
    char *bytes;
    size_t len;
    *ret_count = 0;
    if (file_read(path, TSV_BYTES_MAX, &bytes, &len, NULL) != GT_OK) return NULL;
    struct tsv_row *rows = calloc(TSV_ROWS_MAX, sizeof *rows);
    if (rows == NULL) return NULL;
    for (char *line = bytes; *line != '\0' && *ret_count < TSV_ROWS_MAX;) {
        char *end = line + strcspn(line, "\n");
        char *next = *end == '\n' ? end + 1 : end;
        *end = '\0';
        if (*line != '#' && *line != '\0') tsv_split(line, &rows[(*ret_count)++]);
        line = next;
    }
    return rows;
}

#endif
