/* What `explain` can explain: one file and one line of explain.def each. */
#ifndef GT_CLI_EXPLAIN_H
#define GT_CLI_EXPLAIN_H

#include "cli/command.h"
#include "pricing/price_text.h"

struct json_t;

struct explainer {
    const char *name;
    const char *usage;
    int (*run)(struct cli *cli, const struct arguments *args); /* words[0] is the name */
};

/* What the options say of a text's surroundings: GT_OK; GT_EUSAGE, GT_ECONF of a site or a sign that is none. */
enum gt_err explain_context_read(struct cli *cli, const struct arguments *args, struct price_context *ret_context);

/* A reading as JSON (the caller owns it), and as lines for people. */
struct json_t *explain_reading_json(const struct price_reading *reading);
void explain_reading_print(struct cli *cli, const struct price_reading *reading);

#define EXPLAINER(id) extern const struct explainer explainer_##id;
#include "cli/explain.def"
#undef EXPLAINER

#endif
