/* QUERY, PERSONA and the alerts' conditions: read, or refused with a sentence; a persona that is printed reads as the same. */
#include "alerts/rule.h"
#include "pricing/persona.h"
#include "pricing/query.h"
#include "tests/fuzz/fuzz.h"

enum { ARENA_BYTES_MAX = 16 * 1024 * 1024 };

static const struct offer_identity identity = {.part = {"page", 4}, .label = {"RTX 4090 24G", 12}, .region = {"cn-north", 8}};
static const struct offer_attributes attributes = {.sku = "NVIDIA-RTX-4090", .sku_status = SKU_EXACT, .cards = 1, .vram_gb = 24};
static const struct offer_attributes unmapped = {.sku_status = SKU_UNMAPPED};

static void check_query(struct gt_str text, struct arena *arena)
{
    struct gt_errinfo info = {0};
    const struct query *query = NULL, *again = NULL;
    struct query_subject subjects[] = {{GT_STR("jygpu"), &identity, &attributes, GT_STR("hour month")},
                                       {GT_STR(""), &identity, &unmapped, GT_STR("")}};
    enum gt_err err = query_read(text, arena, &query, &info);
    FUZZ_CHECK("a known result", err == GT_OK || err == GT_EUSAGE);
    FUZZ_CHECK("a refusal has a sentence", err == GT_OK || info.text[0] != '\0');
    struct gt_str padded = arena_printf(arena, "  %.*s ", GT_STR_ARG(text));
    if (padded.ptr == NULL || err != GT_OK || padded.len != text.len + 3) return;
    FUZZ_CHECK("blanks around do not matter", query_read(padded, arena, &again, &info) == GT_OK);
    for (size_t i = 0; i < sizeof subjects / sizeof subjects[0]; i++)
        FUZZ_CHECK("nor for what passes", query_matches(query, &subjects[i]) == query_matches(again, &subjects[i]));
    if (gt_str_trim(text).len == 0) FUZZ_CHECK("nothing asked, everything passes", query_matches(query, &subjects[1]));
}

static void check_persona(struct gt_str text, struct arena *arena)
{
    struct gt_errinfo info = {0};
    struct persona persona, again;
    enum gt_err err = persona_read(text, &persona, &info);
    FUZZ_CHECK("a known result", err == GT_OK || err == GT_EUSAGE);
    FUZZ_CHECK("a refusal has a sentence", err == GT_OK || info.text[0] != '\0');
    if (err != GT_OK) return;
    FUZZ_CHECK("counts", persona.months >= 1 && persona.cards >= 1 && persona.hours_per_month >= 0);
    struct gt_str printed = persona_print(&persona, arena);
    err = persona_read(printed, &again, &info);
    if (err != GT_OK) fprintf(stderr, "%.*s: %s\n", GT_STR_ARG(printed), info.text);
    FUZZ_CHECK("a printed persona is read", err == GT_OK);
    FUZZ_CHECK("as it was", gt_str_eq(persona_print(&again, arena), printed) && again.pay == persona.pay &&
                                again.months == persona.months && again.cards == persona.cards &&
                                again.takes_spot == persona.takes_spot && gt_str_eq(again.member, persona.member) &&
                                again.hours_per_month == persona.hours_per_month && again.market == persona.market);
}

static void check_when(struct gt_str text)
{
    struct gt_errinfo info = {0};
    struct when when;
    int64_t nano;
    struct currency currency;
    enum gt_err err = when_read(text, &when, &info);
    FUZZ_CHECK("a known result", err == GT_OK || err == GT_EUSAGE);
    FUZZ_CHECK("a refusal has a sentence", err == GT_OK || info.text[0] != '\0');
    if (err == GT_OK && when.kind == WHEN_MOVE) FUZZ_CHECK("a move of something", when.percent_nano > 0);
    if (err == GT_OK) FUZZ_CHECK("days that can be looked back", when.days >= 0 && when.days <= RULE_DAYS_MAX);
    err = amount_read(text, &nano, &currency, &info);
    FUZZ_CHECK("an amount or none", err == GT_OK ? currency.code[0] != '\0' : err == GT_EUSAGE);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* neither a command line nor sites.conf can hold a NUL */
    if (size == 0 || memchr(data, 0, size) != NULL) return 0;
    struct gt_str text = fuzz_copy(fuzz_input(data, size));
    struct arena *arena = arena_new(ARENA_BYTES_MAX);
    if (arena == NULL) return 0;
    check_query(text, arena);
    check_persona(text, arena);
    check_when(text);
    arena_free(arena);
    fuzz_free(text);
    return 0;
}
