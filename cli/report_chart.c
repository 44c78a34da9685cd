/* --chart: a report's charts as a picture in a file, in place of the report. */
#include <stdlib.h>

#include "alerts/alerts.h"
#include "cli/report.h"
#include "common/file.h"
#include "reports/picture.h"

int cli_chart_sink(struct cli *cli, const struct arguments *args, const struct sink **ret_sink)
{
    struct gt_str path = gt_str_from(argument_get(args, "--chart"));
    if (argument_has(args, "--format") || argument_has(args, "--json") || argument_has(args, "-o") || argument_has(args, "--bom"))
        return cli_usage(cli, "--chart draws in place of the report: it goes with none of --format, --json, -o, --bom");
    *ret_sink = gt_str_ends(path, GT_STR(".png")) ? &picture_sink_png : &picture_sink_svg;
    if (*ret_sink == &picture_sink_png || gt_str_ends(path, GT_STR(".svg"))) return EXIT_DONE;
    return cli_usage(cli, "--chart takes a file that ends in .svg or .png, not \"%.*s\"", GT_STR_ARG(path));
}

/* Draws, then writes: into the file as a whole or not at all. */
static enum gt_err draw(struct cli *cli, const struct sink *sink, struct gt_str commands, const char *path)
{
    char program[PATH_MAX];
    struct gt_str picture = {NULL, 0};
    struct file_draft draft;
    if (commands.len == 0)
        return gt_fail(&cli->info, GT_ENOENT, "there is nothing to draw: no prices over that time (`history` and `index` say what is known)");
    alerts_picture_program(cli->conf, program);
    enum gt_err err = picture_draw(program, sink, commands, &picture, &cli->info);
    if (err == GT_OK) err = file_draft_begin(path, 0644, &draft, &cli->info);
    if (err == GT_OK) {
        fwrite(picture.ptr, 1, picture.len, draft.file);
        err = file_draft_end(&draft, GT_OK, &cli->info);
    }
    free((char *)(uintptr_t)picture.ptr);
    return err;
}

/* The report runs into memory with a sink that keeps only its charts: gnuplot is started once all is known. */
enum gt_err cli_chart_write(struct cli *cli, const struct report *report, const struct report_input *input, const struct sink *sink,
                            const char *path)
{
    char *bytes = NULL;
    size_t len = 0;
    FILE *memory = open_memstream(&bytes, &len);
    if (memory == NULL) return gt_fail(&cli->info, GT_ENOMEM, "out of memory");
    enum gt_err err = report->run(input, sink, memory, &cli->info);
    if (fclose(memory) != 0 && err == GT_OK) err = gt_fail(&cli->info, GT_ENOMEM, "out of memory");
    if (err == GT_OK) err = draw(cli, sink, (struct gt_str){bytes, len}, path);
    free(bytes);
    return err;
}
