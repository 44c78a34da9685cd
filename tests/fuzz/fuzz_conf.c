/* sites.conf. What was read and is printed again reads as the same; an error names its line; nothing of a failed file is kept. */
#include "alerts/rule.h"
#include "common/conf.h"
#include "pricing/site_facts.h"
#include "tests/fuzz/fuzz.h"

enum { ARENA_BYTES_MAX = 64 * 1024 * 1024, NAME_BYTES_MAX = 200 };

static const char *const kinds[] = {"site", "channel", "alert", "report", "holding"};

/* The section alone, printed, must be a file that means the same. */
static void check_printed(const struct conf_section *section, struct arena *arena)
{
    struct gt_errinfo info = {0};
    struct gt_str body = conf_section_print(section, arena), name = conf_section_name(section);
    FUZZ_CHECK("printed", body.ptr != NULL);
    struct gt_str text = arena_printf(arena, "[%s %.*s]\n%.*s", conf_section_kind(section), GT_STR_ARG(name), GT_STR_ARG(body));
    struct conf *conf = conf_new();
    if (conf == NULL || text.ptr == NULL) exit(1);
    if (gt_str_find(body, GT_STR("["), 0) == 0) text = gt_str_slice(text, text.len - body.len, SIZE_MAX);
    enum gt_err err = conf_read_text(conf, "printed", text, &info);
    if (err != GT_OK) fprintf(stderr, "%s\n---\n%.*s\n---\n", info.text, GT_STR_ARG(text));
    FUZZ_CHECK("a printed section can be read", err == GT_OK);
    const struct conf_section *again = conf_find(conf, conf_section_kind(section), name);
    FUZZ_CHECK("under its name", again != NULL);
    struct gt_str twice = conf_section_print(again, arena);
    if (!gt_str_eq(body, twice)) fprintf(stderr, "%.*s\n---\n%.*s\n---\n", GT_STR_ARG(body), GT_STR_ARG(twice));
    FUZZ_CHECK("and is the same", gt_str_eq(body, twice));
    conf_free(conf);
}

/* What the readers of one section's keys say. */
static void check_section(const struct conf_section *section, struct arena *arena)
{
    struct gt_errinfo info = {0};
    struct site_facts facts;
    struct rule rule;
    const char *kind = conf_section_kind(section);
    enum gt_err err = GT_OK;
    if (strcmp(kind, "site") == 0) err = site_facts_from_conf(section, &facts, &info);
    if (strcmp(kind, "alert") == 0) err = rule_read(section, arena, &rule, &info);
    FUZZ_CHECK("a bad value is a fault of the file", err == GT_OK || err == GT_ECONF);
    FUZZ_CHECK("with its place", err == GT_OK || strncmp(info.text, "fuzz.conf:", 10) == 0);
    if (err == GT_OK && strcmp(kind, "site") == 0)
        FUZZ_CHECK("facts that can be worked with",
                   facts.scale_num > 0 && facts.scale_den > 0 && facts.hours_per_month > 0 && facts.cards >= 0);
    check_printed(section, arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gt_str text = fuzz_copy(fuzz_input(data, size));
    struct conf *conf = conf_new();
    struct arena *arena = arena_new(ARENA_BYTES_MAX);
    struct gt_errinfo info = {0};
    if (conf == NULL || arena == NULL) return 0;
    enum gt_err err = conf_read_text(conf, "fuzz.conf", text, &info);
    FUZZ_CHECK("read, or a fault of the file", err == GT_OK || err == GT_ECONF);
    if (err != GT_OK) FUZZ_CHECK("with its place", strncmp(info.text, "fuzz.conf", 9) == 0);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const struct conf_section *const *section = conf_sections(conf, kinds[i]);
        FUZZ_CHECK("nothing of a failed file is kept", err == GT_OK || section == NULL || *section == NULL);
        for (; err == GT_OK && section != NULL && *section != NULL; section++) check_section(*section, arena);
    }
    arena_free(arena);
    conf_free(conf);
    fuzz_free(text);
    return 0;
}
