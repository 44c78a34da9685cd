/* Tables of phrases in tab-separated files: lines split into fields. */
#ifndef GT_TESTS_PRICE_TABLE_H
#define GT_TESTS_PRICE_TABLE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE_FIELDS = 12, TABLE_LINES_MAX = 4000 };

struct table_line {
    const char *name; /* the first field: the phrase; a table row's name */
    const char *field[TABLE_FIELDS];
    int number;
};

struct table {
    char *bytes;
    struct table_line *lines;
    size_t count;
};

/* Splits a line at tabs; missing fields are empty. */
static inline void table_split(char *line, struct table_line *ret)
{
    for (int i = 0; i < TABLE_FIELDS; i++) {
        char *tab = line != NULL ? strchr(line, '\t') : NULL;
        ret->field[i] = line != NULL ? line : "";
        if (tab != NULL) *tab++ = '\0';
        line = tab;
    }
    ret->name = ret->field[0];
}

/* Reads a file; its first line and lines that begin with # are left out. False when there is no such file. */
static inline int table_load(const char *path, struct table *ret)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) return 0;
    char *bytes = NULL;
    size_t cap = 0, used = 0, got = 1;
    while (got > 0) {
        if (cap - used < 65536) bytes = realloc(bytes, cap = cap * 2 + 131072);
        if (bytes == NULL) abort();
        got = fread(bytes + used, 1, 65535, file);
        used += got;
    }
    bytes[used] = '\0';
    fclose(file);
    *ret = (struct table){.bytes = bytes, .lines = calloc(TABLE_LINES_MAX, sizeof *ret->lines)};
    int number = 0;
    for (char *line = bytes, *next; line != NULL && *line != '\0'; line = next) {
        next = strchr(line, '\n');
        if (next != NULL) *next++ = '\0';
        if (++number == 1 || *line == '#' || *line == '\0') continue;
        ret->lines[ret->count].number = number;
        if (ret->count == TABLE_LINES_MAX) abort(); /* rows that nobody reads would pass */
        table_split(line, &ret->lines[ret->count++]);
    }
    return 1;
}

static inline void table_free(struct table *table)
{
    free(table->bytes);
    free(table->lines);
}

#endif
