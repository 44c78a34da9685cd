#include "crawler/jail_wire.h"

#include <string.h>

#include "common/utf8.h"

/* Room for `bytes` more, or NULL for a writer that is full now. */
static char *reserve(struct wire_writer *writer, size_t bytes)
{
    if (writer->is_full || bytes > writer->cap - writer->len) {
        writer->is_full = true;
        return NULL;
    }
    char *at = writer->ptr + writer->len;
    writer->len += bytes;
    return at;
}

void wire_put_number(struct wire_writer *writer, uint64_t number)
{
    if (number > UINT32_MAX) writer->is_full = true;
    char *at = reserve(writer, WIRE_NUMBER_BYTES);
    for (int i = 0; at != NULL && i < WIRE_NUMBER_BYTES; i++) at[i] = (char)(unsigned char)(number >> (8 * i));
}

void wire_put_bytes(struct wire_writer *writer, struct gt_str bytes)
{
    wire_put_number(writer, bytes.len);
    char *at = reserve(writer, bytes.len);
    if (at != NULL && bytes.len > 0) memcpy(at, bytes.ptr, bytes.len);
}

/* Adds a text of which some bytes are no UTF-8, such as one that was cut inside a character. Its length is known only at the end. */
static void put_cleaned(struct wire_writer *writer, struct gt_str text)
{
    struct wire_writer length = {.ptr = reserve(writer, WIRE_NUMBER_BYTES), .cap = WIRE_NUMBER_BYTES};
    size_t begin = writer->len;
    for (size_t at = 0, step; at < text.len && !writer->is_full; at += step) {
        char bytes[4];
        size_t len = utf8_encode(utf8_decode(text, at, &step), bytes);
        char *to = reserve(writer, len);
        if (to != NULL) memcpy(to, bytes, len);
    }
    if (!writer->is_full) wire_put_number(&length, writer->len - begin);
}

void wire_put_text(struct wire_writer *writer, struct gt_str text)
{
    /* U+FFFD takes three bytes for one: what is cleaned must still be a text that the reader takes */
    bool is_clean = utf8_is_valid(text);
    if (text.len > WIRE_TEXT_BYTES_MAX / (is_clean ? 1 : 3)) writer->is_full = true;
    else if (is_clean) wire_put_bytes(writer, text);
    else put_cleaned(writer, text);
}

/* The first bad value makes all that follow 0: callers check once, at the end. */
uint32_t wire_get_number(struct wire_reader *reader, uint32_t max)
{
    uint32_t number = 0;
    if (reader->is_bad || reader->rest.len < WIRE_NUMBER_BYTES) {
        reader->is_bad = true;
        return 0;
    }
    for (int i = 0; i < WIRE_NUMBER_BYTES; i++) number |= (uint32_t)(unsigned char)reader->rest.ptr[i] << (8 * i);
    reader->rest = gt_str_slice(reader->rest, WIRE_NUMBER_BYTES, SIZE_MAX);
    if (number <= max) return number;
    reader->is_bad = true;
    return 0;
}

bool wire_get_flag(struct wire_reader *reader)
{
    return wire_get_number(reader, 1) == 1;
}

struct gt_str wire_get_bytes(struct wire_reader *reader, size_t max)
{
    size_t len = wire_get_number(reader, max < UINT32_MAX ? (uint32_t)max : UINT32_MAX);
    if (len > reader->rest.len) reader->is_bad = true;
    if (reader->is_bad) return GT_STR("");
    struct gt_str bytes = gt_str_slice(reader->rest, 0, len);
    reader->rest = gt_str_slice(reader->rest, len, SIZE_MAX);
    return bytes;
}

struct gt_str wire_get_text(struct wire_reader *reader)
{
    struct gt_str text = wire_get_bytes(reader, WIRE_TEXT_BYTES_MAX);
    if (utf8_is_valid(text)) return text;
    reader->is_bad = true;
    return GT_STR("");
}

bool wire_is_done(const struct wire_reader *reader)
{
    return !reader->is_bad && reader->rest.len == 0;
}
