/* What the commands that print a report share: their options, and the way from the words to the output. */
#ifndef GT_CLI_REPORT_H
#define GT_CLI_REPORT_H

#include "cli/command.h"
#include "reports/period.h"
#include "reports/report.h"

/* clang-format off */
#define SINK_OPTIONS                                                                     \
    {"--format", "F", "text, md, html, csv, json or xlsx"},                                   \
    {"--json", NULL, "the same as --format json"},                                       \
    {"-o", "FILE", "write there, whole or not at all"},                                  \
    {"--lang", "zh|en", "language"},                                                     \
    {"--width", "N", "columns of the text; by default the terminal's"},                  \
    {"--bom", NULL, "csv that begins with a byte order mark, for Excel"}
#define PERSONA_OPTIONS                                                                  \
    {"--persona", "P", "who asks: a preset or pay=month,months=12,student,cards=8"},     \
    {"--currency", "C", "only prices in this currency"}
#define CHART_OPTION {"--chart", "FILE", "draw the charts into FILE (.svg, .png) by gnuplot, in place of the report"}
#define IN_OPTION {"--in", "C", "amounts in this currency, too, by the rates of [fx] or of a site of kind fx"}
#define STORE_OPTION                                                                         \
    {"--store", "clickhouse:URL", "the history that several crawlers have pushed there, as if one had crawled everything"}
#define TIME_OPTIONS                                                                     \
    {"--since", "T", "from this time on"},                                               \
    {"--until", "T", "up to this time, not included"}
/* clang-format on */

/* --lang, else the configuration's language, else Chinese. An exit code; messages go to cli->info. */
int cli_language_read(struct cli *cli, const struct arguments *args, enum gt_lang *ret_lang);

/* Reads the options above, opens the store and prints `report`; `advice` is what `advise` is asked, NULL for the others. An exit
 * code; messages go to cli->info. */
int cli_report_print(struct cli *cli, const struct arguments *args, const struct report *report, const struct advice_need *advice);

/* Writes the published weeks that the archive does not have into it, with the figures that were told, so that a rebuild has them without the old
 * store. Under the run lock, behind what publishes: a week that a crash leaves out is written by the next call. */
enum gt_err cli_published_archive(struct cli *cli, struct store *store);

/* A week that is to be published once its report is written. */
struct cli_publication {
    bool is_wanted;
    struct report_period period;
    struct run_lock *lock;
};

/* report_publish.c: --publish, where it is given: looks whether the week may be published and takes the run lock; an exit code. Then keeps
 * the figures unless `err` says that the report was not written, lets go of the lock, and returns the first error. */
int cli_publish_begin(struct cli *cli, const struct arguments *args, const struct report_input *input, struct cli_publication *ret_publication);
enum gt_err cli_publish_end(struct cli *cli, struct report_input *input, struct cli_publication *publication, enum gt_err err);

/* report_chart.c: the sink that --chart asks for; an exit code. Then the picture of a report into the file: GT_ENOENT when there is
 * nothing to draw; what picture_draw says; what the file says. */
int cli_chart_sink(struct cli *cli, const struct arguments *args, const struct sink **ret_sink);
enum gt_err cli_chart_write(struct cli *cli, const struct report *report, const struct report_input *input, const struct sink *sink,
                            const char *path);

#endif
