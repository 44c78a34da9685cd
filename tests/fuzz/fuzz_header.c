/* Header blocks. The fields that are walked are the fields that are found, and all of them are pieces of the block. */
#include "net/header.h"
#include "net/retry_after.h"
#include "tests/fuzz/fuzz.h"

enum { FIELDS_MAX = 200, NAME_MAX_BYTES = 300 };

static bool is_trimmed(struct gt_str text)
{
    return gt_str_eq(gt_str_trim(text), text);
}

/* How many of the fields before `end` have this name. */
static size_t count_before(struct gt_str block, struct gt_str name, size_t end)
{
    struct gt_str found, value;
    size_t count = 0;
    for (size_t i = 0; i < end && header_next(&block, &found, &value); i++) count += gt_str_eq_nocase(found, name);
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gt_str block = fuzz_input(data, size), rest = block, name, value;
    for (size_t i = 0; i < FIELDS_MAX && header_next(&rest, &name, &value); i++) {
        char text[NAME_MAX_BYTES];
        FUZZ_CHECK("name and value are pieces of the block", fuzz_lies_in(name, block) && fuzz_lies_in(value, block));
        FUZZ_CHECK("trimmed", is_trimmed(name) && is_trimmed(value));
        FUZZ_CHECK("no colon or line end in a name",
                   name.len == 0 || (memchr(name.ptr, ':', name.len) == NULL && memchr(name.ptr, '\n', name.len) == NULL));
        FUZZ_CHECK("the rest is the end of the block", rest.len == 0 || rest.ptr + rest.len == block.ptr + block.len);
        (void)header_name_is_valid(name);
        (void)header_value_is_valid(value);
        if (name.len >= sizeof text || (name.len > 0 && memchr(name.ptr, 0, name.len) != NULL)) continue;
        snprintf(text, sizeof text, "%.*s", GT_STR_ARG(name));
        struct gt_str found = header_find(block, text, count_before(block, name, i));
        FUZZ_CHECK("what is walked is found", found.ptr != NULL && gt_str_eq(found, value));
    }
    int64_t wait_s = 0;
    if (retry_after_find(block, 1700000000, &wait_s))
        FUZZ_CHECK("a wait is between nothing and its limit", wait_s >= 0 && wait_s <= RETRY_AFTER_MAX_S);
    FUZZ_CHECK("no value that could end a line is sent",
               !header_value_is_valid(block) || memchr(block.ptr != NULL ? block.ptr : "", '\n', block.len) == NULL);
    return 0;
}
