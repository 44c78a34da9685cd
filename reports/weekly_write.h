/* Writing the weekly report: its first screen, the sections below, and the same figures for programs. */
#ifndef GT_REPORTS_WEEKLY_WRITE_H
#define GT_REPORTS_WEEKLY_WRITE_H

#include "reports/frame.h"
#include "reports/table.h"
#include "reports/weekly.h"

enum { WEEKLY_SENTENCES_MAX = 7, WEEKLY_SCREEN_LINES = 24 };

/* The report in the making. */
struct weekly_frame {
    struct frame base;
    struct weekly weekly;
};

/* The key sentences, at most WEEKLY_SENTENCES_MAX: what is corrected, what moved, node against container, what to check. Returns how many. In
 * the arena. */
size_t weekly_sentences(const struct weekly_frame *frame, struct gt_str ret_sentences[WEEKLY_SENTENCES_MAX]);

/* "GPU 租价周报 2026-W38(09-14~09-20 北京时间)", the terms, and the line of sources, history and currency. In the arena. */
struct gt_str weekly_title(const struct weekly_frame *frame);
struct gt_str weekly_terms(const struct weekly_frame *frame);
struct gt_str weekly_subtitle(const struct weekly_frame *frame);

/* "单卡容器·包月·1卡起". In the arena. */
struct gt_str weekly_group_name(const struct weekly_frame *frame, const struct weekly_group *group);

/* The change of a class as a cell: a percent, or the word for why there is none. */
struct cell weekly_change_cell(const struct weekly_class *class, enum gt_lang lang);

/* Writes the first screen: sentences, the main tables, cards without a usable offer. GT_OK; GT_ENOMEM. */
enum gt_err weekly_first_screen(struct weekly_frame *frame);

/* "合约 train-a 每月比市场最低多付 480 …" of the contract that pays most above its market; empty when none does. In the arena. */
struct gt_str weekly_holding_sentence(const struct weekly_frame *frame);

/* What was published and would be printed otherwise now: lines for people, nothing when there is none; a table for programs. GT_OK; GT_ENOMEM. */
enum gt_err weekly_corrections(struct weekly_frame *frame);
void weekly_corrections_data(struct weekly_frame *frame);

/* The table of what is rented: for people, and for programs. GT_OK; GT_ENOMEM. */
enum gt_err weekly_holdings(struct weekly_frame *frame);

/* Writes what follows it, for people. GT_OK; GT_ENOMEM. */
enum gt_err weekly_sections(struct weekly_frame *frame);

/* Two of those: every class with its week and charts; what is doubted, stale, a lead, or marked otherwise. GT_OK; GT_ENOMEM. */
enum gt_err weekly_details(struct weekly_frame *frame);
enum gt_err weekly_doubts(struct weekly_frame *frame);

/* Writes every figure for programs. GT_OK; GT_ENOMEM. */
enum gt_err weekly_data(struct weekly_frame *frame);

#endif
