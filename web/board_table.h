/* The table of offers that the board, a card's page and a platform's page show: a report's board with links into the server. */
#ifndef GT_WEB_BOARD_TABLE_H
#define GT_WEB_BOARD_TABLE_H

#include "reports/board.h"
#include "web/page.h"

/* A board read for a page. */
struct web_board {
    struct board_rows rows;
    struct board board;
};

/* Reads and reckons the board that `input` asks for, in the view's arena. GT_OK; GT_ENOMEM; what the store says. */
enum gt_err web_board_read(const struct web_view *view, const struct report_input *input, struct web_board *ret_board, struct gt_errinfo *info);

/* Writes entries [from, until), a table for each class and currency under a heading. GT_OK; GT_ENOMEM. */
enum gt_err web_board_write(const struct web_page *page, const struct board *board, size_t from, size_t until);

#endif
