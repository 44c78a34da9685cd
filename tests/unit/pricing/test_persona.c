/* Personas: presets, lists of words, printing and reading back. */
#include "pricing/persona.h"

#include "tests/unit/pricing/build.h"

struct read_case {
    const char *name;
    const char *text;
    const char *printed; /* NULL: refused */
    const char *message; /* a part of the refusal */
};

static const struct read_case readings[] = {
    {"nothing is the default", "", "pay=month", NULL},
    {"the default in words", "pay=month", "pay=month", NULL},
    {"by the hour", "pay=hour", "pay=hour", NULL},
    {"who pays a year stays one", "pay=year", "pay=year,months=12", NULL},
    {"who pays a year may stay longer", "pay=year,months=24", "pay=year,months=24", NULL},
    {"all of it", "pay=month,months=12,student,cards=8", "pay=month,months=12,cards=8,student", NULL},
    {"blanks between", " pay=hour , hours=200 ,cards=2", "pay=hour,hours=200,cards=2", NULL},
    {"flags with yes and no", "student=yes,enterprise=no,new-customer", "pay=month,student,new-customer", NULL},
    {"a member of a level", "member=黄金", "pay=month,member=黄金", NULL},
    {"a market", "market=overseas", "pay=month,market=overseas", NULL},
    {"any market", "domestic,market=any", "pay=month", NULL},
    {"the preset individual", "individual", "pay=hour,hours=160", NULL},
    {"the preset startup", "startup", "pay=month,months=3,enterprise", NULL},
    {"the preset inference", "inference", "pay=month,months=12,enterprise", NULL},
    {"the preset training", "training", "pay=month,months=3,cards=8,enterprise", NULL},
    {"the preset domestic", "domestic", "pay=month,market=domestic", NULL},
    {"the preset overseas", "overseas", "pay=month,market=overseas", NULL},
    {"a preset, then changes", "training,cards=16,spot", "pay=month,months=3,cards=16,enterprise,spot", NULL},
    {"a preset without what it sets", "startup,enterprise=no", "pay=month,months=3", NULL},
    {"a preset that is not first", "cards=8,training", NULL, "unknown word \"training\""},
    {"a misspelt word", "studnt", NULL, "did you mean \"student\""},
    {"a misspelt preset", "trainig", NULL, "did you mean \"training\""},
    {"a misspelt key", "card=8", NULL, "did you mean \"cards\""},
    {"something else", "xyzzy=1", NULL, "unknown word \"xyzzy\""},
    {"a period that nobody pays by", "pay=second", NULL, "hour, month or year"},
    {"no months", "months=0", NULL, "1 to 120"},
    {"too many months", "months=121", NULL, "1 to 120"},
    {"months that overflow", "months=99999999999999999999", NULL, "1 to 120"},
    {"negative cards", "cards=-1", NULL, "1 to 4096"},
    {"more hours than a month has", "hours=745", NULL, "1 to 744"},
    {"a number with a tail", "cards=8x", NULL, "1 to 4096"},
    {"an empty member", "member=", NULL, "level"},
    {"an unknown market", "market=mars", NULL, "domestic, overseas or any"},
    {"a flag that is neither yes nor no", "student=maybe", NULL, "yes or no"},
};

static void check_read(void **state)
{
    const struct read_case *row = *state;
    struct arena *arena = arena_new(BUILD_ARENA_BYTES);
    struct persona persona = {.months = -7};
    struct gt_errinfo info = {0};
    enum gt_err err = persona_read(gt_str_from(row->text), &persona, &info);
    if (row->printed == NULL) {
        assert_int_equal(err, GT_EUSAGE);
        assert_int_equal(persona.months, -7);
        assert_non_null(strstr(info.text, row->message));
    } else {
        struct persona again;
        assert_int_equal(err, GT_OK);
        struct gt_str printed = persona_print(&persona, arena);
        assert_str(printed, row->printed);
        assert_int_equal(persona_read(printed, &again, NULL), GT_OK);
        assert_str(persona_print(&again, arena), row->printed);
    }
    arena_free(arena);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(readings, check_read);
}
