/* The actions of `gputape sites`, a file each. Inside cli/sites*.c only. */
#ifndef GT_CLI_SITES_H
#define GT_CLI_SITES_H

#include "cli/command.h"

struct json_t;

/* sites check [SITE] [--file PAGE]: rules compile; with --file a saved page is read by them; else the store's coverage. */
int sites_check_run(struct cli *cli, const struct arguments *args);


/* sites new URL|FILE: proposes a section for a page. */
int sites_new_run(struct cli *cli, const struct arguments *args);

/* The store's coverage of cards and its labels without a card, of one site or (NULL) of all: as text for people, or (ret_json
 * not NULL) as members of an object. Without a store the text says so and the object has "store": false. */
enum gt_err sites_coverage_print(struct cli *cli, const char *site);
enum gt_err sites_coverage_json(struct cli *cli, const char *site, struct json_t *object);

#endif
