/* glibc reads each of its tables from a file of its own when it is first asked for. A process that may open no file has to have them
 * before. */
#include <iconv.h>
#include <stdlib.h>

#include "parsers/charset.h"
#include "parsers/charset_codec.h"

static const char *const NAMES[] = {
#define CHARSET(name, decoder, iconv_name, labels) iconv_name,
#include "parsers/charset_labels.def"
#undef CHARSET
};

enum { NAME_TOTAL = sizeof NAMES / sizeof NAMES[0] };

/* Open converters: glibc unloads a table that nobody uses. */
struct charset_tables {
    iconv_t converters[NAME_TOTAL];
    size_t count;
};

/* iconv loads its tables from files, which a jailed reader cannot open any more: they are loaded before. */
struct charset_tables *charset_tables_open(void)
{
    struct charset_tables *tables = calloc(1, sizeof *tables);
    for (size_t i = 0; tables != NULL && i < NAME_TOTAL; i++) {
        if (NAMES[i] == NULL) continue;
        iconv_t converter = iconv_open("UTF-8", NAMES[i]);
        if (converter != (iconv_t)-1) tables->converters[tables->count++] = converter;
    }
    return tables;
}

void charset_tables_close(struct charset_tables *tables)
{
    for (size_t i = 0; tables != NULL && i < tables->count; i++) iconv_close(tables->converters[i]);
    free(tables);
}
