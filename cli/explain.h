/* What `explain` can explain: one file and one line of explain.def each. */
#ifndef GT_CLI_EXPLAIN_H
#define GT_CLI_EXPLAIN_H

#include "cli/command.h"

struct explainer {
    const char *name;
    const char *usage;
    int (*run)(struct cli *cli, const struct arguments *args); /* words[0] is the name */
};

#define EXPLAINER(id) extern const struct explainer explainer_##id;
#include "cli/explain.def"
#undef EXPLAINER

#endif
