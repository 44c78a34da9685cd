#!/usr/bin/env python3
"""A crawl that is stopped in the middle keeps what it has committed, and the next one goes on: SIGINT, SIGTERM, SIGKILL."""

import signal
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import Box, Folder, Market, Tap, scenario, wait_for  # noqa: E402

DAY = "2026-09-20"
ENDS_WITHIN_S = 10


def check_stop(tap, number):
    """One signal while a page is on its way."""
    name = signal.Signals(number).name
    slow = scenario(("www.omniyq.com", DAY, DAY, ".slow", "3"), ("nebius.com", DAY, DAY, ".slow", "3"))
    with Market(scenario=slow) as market, Folder() as folder:
        box = Box(folder, market=market)
        crawl = box.start_crawl(DAY)
        wait_for(lambda: len(market.log()) >= 6, 20)
        before = time.monotonic()
        crawl.send_signal(number)
        out, err = crawl.communicate(timeout=60)
        took = time.monotonic() - before
        tap.ok(took < ENDS_WITHIN_S, f"{name}: ends within {ENDS_WITHIN_S} s", f"{took:.1f} s\n{out}\n{err}")
        tap.ok(crawl.returncode != 0, f"{name}: a stopped crawl is no success", crawl.returncode)
        check = box.run("db", "check")
        tap.ok(check.code == 0, f"{name}: the store is clean", check)
        again = box.crawl(DAY)
        tap.ok(again.code == 0, f"{name}: the second crawl ends with 0", again)
        sites = {offer["site"] for offer in box.offers()}
        tap.ok(len(sites) >= 11, f"{name}: and completes the board ({len(sites)} sites)", sorted(sites))
        tap.ok(box.run("db", "check").code == 0, f"{name}: the store is clean afterwards")


def main():
    """Three ways to be stopped."""
    tap = Tap()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        check_stop(tap, number)
    tap.done()


main()
