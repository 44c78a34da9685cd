/* robots.txt. Input: agent, URL, then the file. The verdict follows from what the lines say, not from how they end or what stands
 * behind them. */
#include "crawler/robots.h"
#include "tests/fuzz/fuzz.h"

/* The same lines with other line ends and something behind them. */
static struct robots_verdict match_rewritten(struct gt_str text, struct gt_str agent, struct gt_str url)
{
    char *copy = malloc(text.len * 2 + 32);
    size_t len = 0;
    if (copy == NULL) exit(1);
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '\n') copy[len++] = '\r';
        copy[len++] = text.ptr[i];
    }
    memcpy(copy + len, "\r\n# closing words\r\n", 19);
    struct robots_verdict verdict = robots_match((struct gt_str){copy, len + 19}, agent, url);
    verdict.rule = GT_STR("");
    free(copy);
    return verdict;
}

static void check_verdict(const struct robots_verdict *verdict, struct gt_str text)
{
    FUZZ_CHECK("the rule is a piece of the file", fuzz_lies_in(verdict->rule, text));
    FUZZ_CHECK("without a rule everything is allowed", verdict->rule.len > 0 || verdict->is_allowed);
    FUZZ_CHECK("a delay is none or bounded",
               verdict->crawl_delay_ms >= -1 && verdict->crawl_delay_ms <= INT64_C(1000) * INT32_MAX);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gt_str rest = fuzz_input(data, size);
    struct gt_str agent = fuzz_copy(robots_agent_token(fuzz_line(&rest))), url = fuzz_copy(fuzz_line(&rest)), text = fuzz_copy(rest);
    struct robots_verdict verdict = robots_match(text, agent, url);
    check_verdict(&verdict, text);
    if (text.len < ROBOTS_LINE_BYTES_MAX && memchr(text.ptr, '\r', text.len) == NULL) {
        struct robots_verdict again = match_rewritten(text, agent, url);
        FUZZ_CHECK("line ends and what is behind do not matter", again.is_allowed == verdict.is_allowed);
        FUZZ_CHECK("nor for the delay", again.crawl_delay_ms == verdict.crawl_delay_ms);
    }
    FUZZ_CHECK("a token is its own token", gt_str_eq(robots_agent_token(agent), agent));
    fuzz_free(agent);
    fuzz_free(url);
    fuzz_free(text);
    return 0;
}
