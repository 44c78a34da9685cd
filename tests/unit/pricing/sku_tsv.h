/* Rows of a tab-separated file as table rows: the first cell is the row's name. Lines that begin with '#' are comments. */
#ifndef GT_TESTS_UNIT_PRICING_SKU_TSV_H
#define GT_TESTS_UNIT_PRICING_SKU_TSV_H

#include <stdbool.h>

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

struct tsv {
    struct tsv_row *rows;
    size_t count;
    char *bytes;
};

/* Loads a file; false when it cannot be read. Free with tsv_done. */
static inline bool tsv_load(const char *path, struct tsv *tsv)
{
    size_t len;
    *tsv = (struct tsv){.rows = calloc(TSV_ROWS_MAX, sizeof *tsv->rows)};
    if (tsv->rows == NULL || file_read(path, TSV_BYTES_MAX, &tsv->bytes, &len, NULL) != GT_OK) return false;
    for (char *line = tsv->bytes; *line != '\0' && tsv->count < TSV_ROWS_MAX;) {
        char *end = line + strcspn(line, "\n");
        char *next = *end == '\n' ? end + 1 : end;
        *end = '\0';
        if (*line != '#' && *line != '\0') tsv_split(line, &tsv->rows[tsv->count++]);
        line = next;
    }
    return true;
}

static inline void tsv_done(struct tsv *tsv)
{
    free(tsv->rows);
    free(tsv->bytes);
}

#endif
