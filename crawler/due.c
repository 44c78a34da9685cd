/* Arithmetic of waiting, without a clock of its own: every function is given the time, so that tests and --now move it by
 * hand. */
#include "crawler/due.h"

#include "net/retry_after.h"

enum { SLACK_DIVISOR = 20, RETRY_DIVISOR = 4, SHIFT_MAX = 16, FIELDS_MAX = 3 };

bool due_site(const struct attempt *last, int64_t every_ms, int64_t now_unix_s, int64_t *ret_due_unix_s)
{
    int64_t wait_s = every_ms / 1000;
    /* sooner than usual, for a gap in the history grows; not at once, for the host may be in trouble */
    if (last->failures > 0) wait_s /= RETRY_DIVISOR;
    int64_t slack_s = wait_s / SLACK_DIVISOR;
    if (slack_s > DUE_SLACK_MAX_S) slack_s = DUE_SLACK_MAX_S;
    *ret_due_unix_s = last->last_unix_s + wait_s;
    return now_unix_s >= last->last_unix_s + wait_s - slack_s || last->last_unix_s > now_unix_s + slack_s;
}

/* Reads `count` decimal numbers, blank-separated, behind the version "1". */
static bool numbers_read(struct gt_str text, int64_t *ret_numbers, size_t count)
{
    struct gt_str word;
    if (!gt_str_split(&text, ' ', &word) || !gt_str_is(word, "1")) return false;
    for (size_t i = 0; i < count; i++) {
        int64_t number = 0;
        if (!gt_str_split(&text, ' ', &word) || word.len == 0 || word.len > 18) return false;
        for (size_t k = 0; k < word.len; k++) {
            if (word.ptr[k] < '0' || word.ptr[k] > '9') return false;
            number = number * 10 + (word.ptr[k] - '0');
        }
        ret_numbers[i] = number;
    }
    return text.len == 0;
}

/* Into 32 bits; a count that large is as good as any. */
static int32_t small(int64_t number)
{
    return number > INT32_MAX ? INT32_MAX : (int32_t)number;
}

struct gt_str attempt_print(const struct attempt *attempt, struct arena *arena)
{
    return arena_printf(arena, "1 %lld %d", (long long)attempt->last_unix_s, attempt->failures);
}

bool attempt_parse(struct gt_str text, struct attempt *ret_attempt)
{
    int64_t numbers[FIELDS_MAX];
    if (!numbers_read(text, numbers, 2)) return false;
    *ret_attempt = (struct attempt){numbers[0], small(numbers[1])};
    return true;
}

struct gt_str host_memory_print(const struct host_memory *memory, struct arena *arena)
{
    return arena_printf(arena, "1 %lld %lld %d", (long long)memory->last_unix_s, (long long)memory->not_before_unix_s,
                        memory->failures);
}

bool host_memory_parse(struct gt_str text, struct host_memory *ret_memory)
{
    int64_t numbers[FIELDS_MAX];
    if (!numbers_read(text, numbers, 3)) return false;
    *ret_memory = (struct host_memory){numbers[0], numbers[1], small(numbers[2])};
    return true;
}

bool due_host_waits(const struct host_memory *memory, int64_t now_unix_s)
{
    return memory->not_before_unix_s > now_unix_s && memory->not_before_unix_s - now_unix_s <= RETRY_AFTER_MAX_S;
}

void due_host_failed(struct host_memory *memory, bool is_overloaded, int64_t retry_after_s, int64_t now_unix_s)
{
    int64_t wait_s = 0;
    if (memory->failures < INT32_MAX) memory->failures++;
    /* who says that it is overloaded is believed at once; who merely fails may do so twice */
    int over = is_overloaded ? memory->failures - 1 : memory->failures - BREAKER_FAILURES;
    if (over >= 0) {
        wait_s = (int64_t)BREAKER_FIRST_S << (over < SHIFT_MAX ? over : SHIFT_MAX);
        if (wait_s > BREAKER_MAX_S) wait_s = BREAKER_MAX_S;
    }
    if (retry_after_s > RETRY_AFTER_MAX_S) retry_after_s = RETRY_AFTER_MAX_S;
    if (retry_after_s > wait_s) wait_s = retry_after_s;
    if (wait_s > 0) memory->not_before_unix_s = now_unix_s + wait_s;
}

int64_t due_backoff_ms(int64_t base_ms, int attempt, uint64_t seed)
{
    int shift = attempt > 1 ? attempt - 1 : 0;
    int64_t wait_ms = base_ms << (shift < SHIFT_MAX ? shift : SHIFT_MAX);
    return wait_ms - wait_ms / 4 + (int64_t)(seed % 1000) * (wait_ms / 2) / 1000;
}
