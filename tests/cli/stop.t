#!/usr/bin/env python3
"""A crawl that is stopped in the middle keeps what it has committed, and the next one goes on: SIGINT, SIGTERM, SIGKILL."""

import os
import signal
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import Box, Folder, Market, Tap, scenario, wait_for  # noqa: E402

DAY = "2026-09-20"
ENDS_WITHIN_S = 10
RUNS_WITHIN_S = 90


def stat(path):
    """State and parent of a process; empty when it is gone."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[:2]
    except OSError:
        return []


def children(pid):
    """The processes that a process has made, by /proc."""
    return [int(path.parent.name) for path in Path("/proc").glob("[0-9]*/stat") if stat(path)[1:] == [str(pid)]]


def is_alive(pid):
    """A dead process whose new parent does not ask for it is dead."""
    return stat(Path(f"/proc/{pid}/stat"))[:1] not in ([], ["Z"], ["X"])


def check_stop(tap, number):
    """One signal while a page is on its way."""
    name = signal.Signals(number).name
    slow = scenario(("www.omniyq.com", DAY, DAY, ".slow", "3"), ("nebius.com", DAY, DAY, ".slow", "3"))
    with Market(scenario=slow) as market, Folder() as folder:
        box = Box(folder, market=market)
        crawl = box.start_crawl(DAY)
        wait_for(lambda: len(market.log()) >= 6, 20)
        before = time.monotonic()
        readers = children(crawl.pid)
        crawl.send_signal(number)
        out, err = crawl.communicate(timeout=60)
        took = time.monotonic() - before
        tap.ok(took < ENDS_WITHIN_S, f"{name}: ends within {ENDS_WITHIN_S} s", f"{took:.1f} s\n{out}\n{err}")
        tap.ok(crawl.returncode != 0, f"{name}: a stopped crawl is no success", crawl.returncode)
        tap.ok(len(readers) == 1, f"{name}: one process was reading pages", readers)
        wait_for(lambda: not any(is_alive(pid) for pid in readers), 2)
        tap.ok(not any(is_alive(pid) for pid in readers), f"{name}: and is gone", readers)
        check = box.run("db", "check")
        tap.ok(check.code == 0, f"{name}: the store is clean", check)
        again = box.crawl(DAY)
        tap.ok(again.code == 0, f"{name}: the second crawl ends with 0", again)
        sites = {offer["site"] for offer in box.offers()}
        tap.ok(len(sites) >= 11, f"{name}: and completes the board ({len(sites)} sites)", sorted(sites))
        tap.ok(box.run("db", "check").code == 0, f"{name}: the store is clean afterwards")


def check_reader_killed(tap):
    """The process that reads pages is killed in mid crawl: at most the page in hand is lost, and a new one takes over."""
    # a sanitizer looks for leaks in a child of its own, and waits for ever when that one is killed
    os.environ["ASAN_OPTIONS"] = "detect_leaks=0"
    slow = scenario(("www.omniyq.com", DAY, DAY, ".slow", "2"), ("nebius.com", DAY, DAY, ".slow", "2"))
    with Market(scenario=slow) as market, Folder() as folder:
        box = Box(folder, market=market)
        crawl = box.start_crawl(DAY)
        wait_for(lambda: len(market.log()) >= 6, 20)
        killed, end = 0, time.monotonic() + RUNS_WITHIN_S
        while crawl.poll() is None and time.monotonic() < end:
            for pid in children(crawl.pid):
                os.kill(pid, signal.SIGKILL)
                killed += 1
            time.sleep(0.3)
        out, err = crawl.communicate(timeout=60)
        tap.ok(killed >= 2, "the reader of pages was killed, more than once", killed)
        failed = [line for line in out.decode().splitlines() if "parser-crashed" in line]
        tap.ok(crawl.returncode == (3 if failed else 0), "the crawl goes through", f"{crawl.returncode}\n{out}\n{err}")
        tap.ok(box.run("db", "check").code == 0, "the store is clean")
        again = box.crawl(DAY, "--force")
        sites = {offer["site"] for offer in box.offers()}
        tap.ok(again.code == 0 and len(sites) >= 11, f"the next crawl has the whole board ({len(sites)} sites)", again)


def main():
    """Three ways to be stopped."""
    tap = Tap()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        check_stop(tap, number)
    check_reader_killed(tap)
    tap.done()


main()
