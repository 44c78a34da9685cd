/* How values travel between the crawler and the processes that read pages: numbers of 32 bits, little-endian, and texts with their length
 * before them. Both sides are this program, but one of them has met a stranger's bytes: the reader believes nothing. Pure. */
#ifndef GT_CRAWLER_JAIL_WIRE_H
#define GT_CRAWLER_JAIL_WIRE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/str.h"

enum {
    WIRE_TEXT_BYTES_MAX = 1024 * 1024, /* of one text, unless the caller names another limit */
    WIRE_NUMBER_BYTES = 4,
};

/* Writes into memory that somebody else owns. Sticky: once something did not fit, `is_full` stays and nothing more is written. */
struct wire_writer {
    char *ptr;
    size_t len, cap;
    bool is_full;
};

/* Adds a number; those over 2^32-1 make the writer full, for they cannot be told. */
void wire_put_number(struct wire_writer *writer, uint64_t number);

/* Adds bytes as they are. */
void wire_put_bytes(struct wire_writer *writer, struct gt_str bytes);

/* Adds a text that the reader will find to be UTF-8: bytes that are not become U+FFFD. Longer than WIRE_TEXT_BYTES_MAX: full. */
void wire_put_text(struct wire_writer *writer, struct gt_str text);

/* Reads from borrowed memory. Sticky: once something could not be read, `is_bad` stays and everything further is 0 or empty. */
struct wire_reader {
    struct gt_str rest;
    bool is_bad;
};

/* The next number; one over `max` makes the reader bad. */
uint32_t wire_get_number(struct wire_reader *reader, uint32_t max);

/* The next number as yes or no; anything but 0 and 1 makes the reader bad. */
bool wire_get_flag(struct wire_reader *reader);

/* The next bytes, at most `max` of them, of any kind. Borrowed. */
struct gt_str wire_get_bytes(struct wire_reader *reader, size_t max);

/* The next text: at most WIRE_TEXT_BYTES_MAX bytes of UTF-8, else the reader is bad. Borrowed. */
struct gt_str wire_get_text(struct wire_reader *reader);

/* True when everything was read, and nothing is left over. */
bool wire_is_done(const struct wire_reader *reader);

#endif
