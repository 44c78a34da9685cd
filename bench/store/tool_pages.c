/* The bench's price history on standard output, for stores that are not written to from C: a page after the other, each as 32-bit numbers of
 * this machine, the site, when it was read, and the price of every series. usage: tool_pages SHAPE */
#include <stdio.h>

#include "bench/history.h"

enum { SITE, TIME, PRICES, PAGE_NUMBERS = PRICES + HISTORY_PER_SITE };

int main(int argc, char **argv)
{
    if (argc != 2) return fprintf(stderr, "usage: tool_pages SHAPE\n"), 2;
    struct history *history = history_new(argv[1]);
    bool is_good = true;
    for (int64_t hour = 0; hour < history->hours && is_good; hour++) {
        history_step(history, hour);
        for (size_t site = 0; site < history->sites && is_good; site++) {
            uint32_t page[PAGE_NUMBERS] = {[SITE] = (uint32_t)site, [TIME] = (uint32_t)history_time(site, hour)};
            for (size_t i = 0; i < HISTORY_PER_SITE; i++) page[PRICES + i] = (uint32_t)history->now[site * HISTORY_PER_SITE + i];
            is_good = fwrite(page, sizeof page, 1, stdout) == 1;
        }
    }
    history_free(history);
    return is_good && fflush(stdout) == 0 ? 0 : 1;
}
