/* Synthetic pricing pages for the benchmark: navigation, a table of offers, a footer; prices differ from page to page. */
#ifndef GT_BENCH_PAGES_H
#define GT_BENCH_PAGES_H

#include "common/strbuf.h"

enum { BENCH_PAGE_OFFERS = 40, BENCH_PAGE_BYTES_MAX = 256 * 1024 };

/* Writes page number `page` of site number `site` into `ret_page` (cleared first): about 44 KiB of HTML, BENCH_PAGE_OFFERS rows of
 * card, memory, hourly price, monthly price, discount. The same numbers give the same bytes. */
void bench_page_write(uint32_t site, uint32_t page, struct strbuf *ret_page);

/* The section of sites.conf that reads such pages. */
extern const char *const bench_page_section;

#endif
