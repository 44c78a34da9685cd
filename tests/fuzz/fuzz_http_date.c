/* Retry-After and HTTP dates. Every value is a wait between nothing and the limit; a date printed in the preferred form is read
 * again as the same second. */
#include "common/civil.h"
#include "net/retry_after.h"
#include "tests/fuzz/fuzz.h"

enum { DATE_BYTES_MAX = 80 };

static void check_printed(int64_t at_unix_s)
{
    static const char *const months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    struct civil civil = civil_from_unix(at_unix_s, 0);
    char text[DATE_BYTES_MAX];
    int64_t again;
    if (civil.year > 9999) return;
    snprintf(text, sizeof text, "Mon, %02d %s %04lld %02d:%02d:%02d GMT", civil.day, months[civil.month - 1],
             (long long)civil.year, civil.hour, civil.minute, civil.second);
    FUZZ_CHECK("a printed date is read", http_date_parse(gt_str_from(text), &again));
    FUZZ_CHECK("as the same second", again == at_unix_s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const int64_t nows[] = {0, 784111777, 1796000000, INT64_C(253402300799)};
    struct gt_str text = fuzz_copy(fuzz_input(data, size));
    int64_t at_unix_s = 0, wait_s = -1;
    bool is_date = http_date_parse(text, &at_unix_s);
    if (is_date) {
        FUZZ_CHECK("a year of four digits",
                   at_unix_s >= civil_midnight_unix(1900, 1, 1, 0) && at_unix_s <= civil_midnight_unix(10000, 1, 3, 0));
        check_printed(at_unix_s);
    }
    for (size_t i = 0; i < sizeof nows / sizeof nows[0]; i++) {
        bool is_read = retry_after_parse(text, nows[i], &wait_s);
        FUZZ_CHECK("every date is a wait", is_read || !is_date);
        if (is_read) FUZZ_CHECK("a wait is between nothing and its limit", wait_s >= 0 && wait_s <= RETRY_AFTER_MAX_S);
        if (is_date && at_unix_s <= nows[i]) FUZZ_CHECK("a past date waits for nothing", wait_s == 0);
    }
    fuzz_free(text);
    return 0;
}
