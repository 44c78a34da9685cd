/* explain charset: a page's bytes as the parsers will see them. The text goes to stdout, the decision to stderr. */
#include <stdlib.h>

#include "cli/explain.h"
#include "common/file.h"
#include "parsers/charset.h"

/* The text goes to stdout and what was decided to stderr, so that the text can be piped on. */
static int run(struct cli *cli, const struct arguments *args)
{
    char *bytes = NULL;
    size_t len = 0;
    struct charset_text text;
    const char *type = argument_get(args, "--content-type");
    if (args->word_count != 2) return cli_usage(cli, "explain charset wants a file or -");
    enum gt_err err = file_read(args->words[1], FILE_ARG_BYTES_MAX, &bytes, &len, &cli->info);
    if (err == GT_OK)
        err = charset_decode((struct gt_str){bytes, len}, gt_str_from(type), (struct gt_str){NULL, 0}, cli->arena, &text, &cli->info);
    if (err == GT_OK) {
        fwrite(text.text.ptr, 1, text.text.len, cli->out);
        fprintf(cli->err, "%.*s, %zu replaced\n", GT_STR_ARG(text.decision), text.replaced);
    }
    free(bytes);
    return exit_from_err(err);
}

const struct explainer explainer_charset = {"charset", "FILE", run};
