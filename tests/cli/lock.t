#!/usr/bin/env python3
"""Two crawls at once: the second says whose the lock is and leaves; a lock holder that is killed leaves none."""

import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import Box, Folder, Market, Tap, scenario, wait_for  # noqa: E402

DAY = "2026-09-20"


def main():
    """A crawl that takes a while, a second one, a kill, a third one."""
    tap = Tap()
    slow = scenario(("www.jygpu.com", "-", "-", ".slow", "4"))
    with Market(scenario=slow) as market, Folder() as folder:
        box = Box(folder, market=market)
        first = box.start_crawl(DAY, "jygpu")
        tap.ok(wait_for(lambda: "www.jygpu.com GET /robots.txt 200" in market.log(), 20), "the first crawl is under way")
        second = box.crawl(DAY, "gongji")
        tap.same(second.code, 75, "the second crawl ends with 75")
        tap.ok(str(first.pid) in second.err, f"and names the holder's pid {first.pid}", second)
        board = box.run("offers", "--json", now="2026-09-20T02:00:00Z")
        tap.ok(board.code in (0, 1), "readers are not kept out by the lock", board)
        first.send_signal(signal.SIGKILL)
        first.communicate()
        third = box.crawl(DAY, "gongji")
        tap.ok(third.code == 0, "after the holder was killed the next crawl goes through", third)
    tap.done()


main()
