#include "reports/report.h"

static const struct report *const reports[] = {
#define REPORT(id) &report_##id,
#include "reports/reports.def"
#undef REPORT
    NULL,
};

const struct report *const *report_list(void)
{
    return reports;
}

const struct report *report_find(struct gt_str name)
{
    for (const struct report *const *report = reports; *report != NULL; report++)
        if (gt_str_is(name, (*report)->name)) return *report;
    return NULL;
}
