/* A saved page read as a site's section reads it: for `parse`, `sites check --file` and `sites new`. */
#ifndef GT_CLI_PAGE_H
#define GT_CLI_PAGE_H

#include "cli/command.h"
#include "parsers/extract.h"

/* One page on its way through the extractor and the reader. */
struct cli_page {
    struct site_facts facts;
    struct site_rules *rules;
    struct extraction extraction;
    struct reading reading;
    struct gt_str status; /* "ok"; "drifted"; "leads-on": no rows, but pages to follow */
    struct gt_str reason; /* why drifted, one sentence; else empty */
};

/* Runs the bytes through page->rules and page->facts; a page without rows is a result, not an error.
 *
 *  args  gives --url, --content-type and --followed where the command has them.
 *  path  names the file: its ending stands in for a content type that was not given.
 *
 * Everything read lives in the cli's arena and borrows from `body`. GT_OK; GT_EFORMAT, GT_ELIMIT, GT_ENOMEM with a message. */
enum gt_err cli_page_read(struct cli *cli, const struct arguments *args, const char *path, struct gt_str body, struct cli_page *page);

/* What a server would call a file of this name: "text/html" for .html; "" when nothing is known. */
struct gt_str cli_content_type(const char *path);

#endif
