/* The extractor `auto`: offers from a page without rules. */
#include "parsers/extractor.h"

static enum gt_err compile(const struct conf_section *section, void **ret_state, struct gt_errinfo *info)
{
    (void)section;
    (void)info;
    *ret_state = NULL;
    return GT_OK;
}

static void free_rules(void *state)
{
    (void)state;
}

static enum gt_err extract(const void *state, const struct decoded_page *input, struct arena *arena, struct extraction *ret,
                           struct gt_errinfo *info)
{
    (void)state;
    (void)input;
    (void)arena;
    ret->rows_found = 0;
    return gt_fail(info, GT_ENOROWS, "no block with a card and a price");
}

const struct extractor extractor_auto = {.name = "auto", .compile = compile, .free = free_rules, .extract = extract};
