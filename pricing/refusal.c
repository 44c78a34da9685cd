#include "pricing/refusal.h"

struct reason {
    struct gt_str code;
    const char *sentence;
};

static const struct reason reasons[] = {
#define GT_REFUSAL(name, code, sentence) {{code, sizeof(code) - 1}, sentence},
#include "pricing/refusal.def"
#undef GT_REFUSAL
};

struct gt_str refusal_code(enum refusal_reason reason)
{
    return (unsigned)reason < REFUSAL_REASONS ? reasons[reason].code : reasons[REFUSAL_NONE].code;
}

struct gt_str refusal_sentence(struct gt_str code)
{
    for (int i = 0; i < REFUSAL_REASONS; i++)
        if (gt_str_eq(code, reasons[i].code)) return gt_str_from(reasons[i].sentence);
    return code;
}
