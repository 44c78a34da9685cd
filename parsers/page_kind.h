/* What a page is, from its header and its first bytes. Inside parsers/ only. */
#ifndef GT_PARSERS_PAGE_KIND_H
#define GT_PARSERS_PAGE_KIND_H

#include "parsers/extractor.h"

enum page_kind {
    PAGE_HTML,
    PAGE_JSON,
    PAGE_TEXT, /* markdown, plain text, scripts */
};

/* The header decides when it names a type that is one of these; text/plain and an absent header leave it to the bytes: markup
 * at the front is HTML, a bracket that JSON would have is JSON. */
enum page_kind page_kind(const struct decoded_page *page);

#endif
