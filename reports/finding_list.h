/* The audit's findings over a board. */
#ifndef GT_REPORTS_FINDING_LIST_H
#define GT_REPORTS_FINDING_LIST_H

#include "pricing/audit.h"
#include "reports/board.h"

struct finding {
    const struct board_entry *entry;
    const char *code;
    struct gt_str detail;
};

struct finding_list {
    struct finding *findings; /* in the board's order */
    size_t count;
};

/* Audits every entry of the board. GT_OK; GT_ENOMEM. */
enum gt_err finding_list_compute(const struct board *board, struct arena *arena, struct finding_list *ret_list);

/* Writes the findings: for people or for programs, as the sink wants. GT_OK; GT_ENOMEM. */
enum gt_err finding_table_write(struct sink_writer *writer, const struct finding_list *list, enum gt_lang lang,
                                struct arena *arena);

#endif
