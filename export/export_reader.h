/* A complete export in JSON Lines as a history again. What a file says is believed only when the store that is made of it says the same. */
#ifndef GT_EXPORT_EXPORT_READER_H
#define GT_EXPORT_EXPORT_READER_H

#include <stdio.h>

#include "common/err.h"
#include "store/dump.h"

/* A file and how far it was read. */
struct export_reader {
    const char *path; /* borrowed */
    FILE *file;
    char *line;
    size_t cap;
    uint64_t number; /* of the line */
    size_t runs, observations;
};

/* Opens the file; _close also what was never opened (zeroed). GT_ENOENT and what else the system says, with the file's name. */
enum gt_err export_reader_open(const char *path, struct export_reader *ret_reader, struct gt_errinfo *info);
void export_reader_close(struct export_reader *reader);

/* Fills an empty store with the file's lines. GT_EFORMAT with the line's number; GT_ELIMIT for a line too long; errors of store_fill. */
enum gt_err export_reader_fill(struct export_reader *reader, struct store *store, struct gt_errinfo *info);

/* Exports the store that was filled, by the options that the file was written with, and compares, byte for byte. GT_EFORMAT names the first
 * line that does not follow from the others. */
enum gt_err export_reader_prove(struct export_reader *reader, struct store *store, const struct dump_options *options, struct gt_errinfo *info);

#endif
