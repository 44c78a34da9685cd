/* What comes out of the jail, as if a page had taken the reader over: any bytes. What is accepted keeps to every limit, lies within the
 * bytes, is UTF-8, and written again it is read as the same. */
#include "common/utf8.h"
#include "crawler/jail_message.h"
#include "tests/fuzz/fuzz.h"

enum { ARENA_BYTES_MAX = 64 * 1024 * 1024, WRITTEN_MAX = 4 * 1024 * 1024 };

static void check_text(struct gt_str text, struct gt_str whole)
{
    FUZZ_CHECK("a text of the answer", fuzz_lies_in(text, whole));
    FUZZ_CHECK("a text is UTF-8", utf8_is_valid(text) && text.len <= WIRE_TEXT_BYTES_MAX);
}

static void check_extraction(const struct extraction *found, struct gt_str whole)
{
    FUZZ_CHECK("lists fit", found->count <= LISTINGS_MAX && found->follow_count <= EXTRACT_FOLLOW_MAX && found->rows_found <= INT32_MAX);
    for (size_t i = 0; i < found->follow_count; i++) check_text(found->follow[i], whole);
    for (size_t i = 0; i < found->refused_count; i++) {
        check_text(found->refused[i].raw, whole);
        check_text(found->refused[i].reason, whole);
    }
    for (size_t i = 0; i < found->count; i++) {
        const struct listing *listing = &found->listings[i];
        FUZZ_CHECK("fields fit", listing->field_count <= LISTING_FIELDS_MAX);
        FUZZ_CHECK("a confidence in permille", listing->confidence_permille >= 0 && listing->confidence_permille <= 1000);
        check_text(listing->reasons, whole);
        for (size_t k = 0; k < listing->field_count; k++) {
            check_text(listing->fields[k].name, whole);
            check_text(listing->fields[k].text, whole);
            check_text(listing->fields[k].header, whole);
            check_text(listing->fields[k].rule, whole);
        }
    }
}

/* The answer as bytes; texts that stand at one address in two rows are written once, so the second writing is the shortest. */
static struct gt_str write_again(const struct jail_answer *answer, char *room)
{
    struct wire_writer writer = {.ptr = room, .cap = WRITTEN_MAX};
    jail_answer_put(&writer, answer);
    return writer.is_full ? (struct gt_str){NULL, 0} : (struct gt_str){room, writer.len};
}

static void check_answer(const struct jail_answer *answer, struct gt_str whole, struct arena *arena)
{
    static char first[WRITTEN_MAX], second[WRITTEN_MAX];
    struct jail_answer again;
    FUZZ_CHECK("an error that exists", answer->err < GT_ERR_COUNT);
    FUZZ_CHECK("a status that may be", answer->verdict.status < STATUS_WORDS && answer->verdict.status != STATUS_UNCHANGED);
    check_text(answer->message, whole);
    check_text(answer->verdict.reason, whole);
    check_text(answer->proposal.rules, whole);
    check_text(answer->proposal.title, whole);
    if (answer->verdict.has_extraction) check_extraction(&answer->verdict.extraction, whole);
    struct gt_str written = write_again(answer, first);
    if (written.ptr == NULL) return;
    FUZZ_CHECK("written, it is read", jail_answer_get(written, arena, &again) == GT_OK);
    FUZZ_CHECK("and is the same", gt_str_eq(write_again(&again, second), written));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct jail_answer answer;
    struct gt_str bytes = fuzz_copy(fuzz_input(data, size));
    struct arena *arena = arena_new(ARENA_BYTES_MAX);
    if (arena == NULL) exit(1);
    enum gt_err err = jail_answer_get(bytes, arena, &answer);
    FUZZ_CHECK("an answer, none, or too large", err == GT_OK || err == GT_EFORMAT || err == GT_ENOMEM);
    if (err == GT_OK) check_answer(&answer, bytes, arena);
    arena_free(arena);
    fuzz_free(bytes);
    return 0;
}
