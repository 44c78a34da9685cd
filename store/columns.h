/* Lists of numbers, a column each, in few bytes: what lies beside each other in a column is alike. Each number is a `uint` of
 * FORMAT.md; the first bytes of a column's numbers stand together, then the second bytes of those that have one, and so on. */
#ifndef GT_STORE_COLUMNS_H
#define GT_STORE_COLUMNS_H

#include "store/codec.h"

enum {
    COLUMNS = 24,
    COLUMNS_BYTES_MAX = 1 << 20, /* of all numbers together, unpacked */
    COLUMN_PLANES = 10,          /* bytes of the longest number */
    COLUMN_MORE = 0x80,          /* bit of a byte that another one follows */
};

/* Columns being written, each a list of `uint`. A failure stands in the column's buffer, and comes out of enc_columns. */
struct columns {
    struct strbuf numbers[COLUMNS];
    uint64_t counts[COLUMNS];
};

/* Begins with empty ones; frees them. */
void columns_init(struct columns *columns);
void columns_done(struct columns *columns);

/* Adds a number to a column. */
void column_put(struct columns *columns, unsigned column, uint64_t number);

/* Writes the columns, packed. GT_ENOMEM, GT_ELIMIT in buf->err. */
void enc_columns(struct strbuf *buf, const struct columns *columns);

/* Columns being read. */
struct column_reader {
    uint8_t *bytes; /* of all of them; owned */
    const uint8_t *at[COLUMNS][COLUMN_PLANES];
    uint64_t left[COLUMNS]; /* numbers that were not read yet */
    bool has_failed;        /* a column was read past its end */
};

/* Reads what enc_columns wrote, to the end of the bytes. Failures stand in `dec`. Ends with column_reader_done in any case. */
void dec_columns(struct dec *dec, struct column_reader *ret_reader);
void column_reader_done(struct column_reader *reader);

/* The next number of a column, of any length; 0 behind its end. */
uint64_t column_get_long(struct column_reader *reader, unsigned column);
/* The same, beginning with the short ones. */
static inline uint64_t column_get(struct column_reader *reader, unsigned column)
{
    if (reader->left[column] == 0 || *reader->at[column][0] >= COLUMN_MORE) return column_get_long(reader, column);
    reader->left[column]--;
    return *reader->at[column][0]++;
}

/* True when every number was read, and none that is not there. */
bool column_reader_is_done(const struct column_reader *reader);

#endif
