#!/usr/bin/env python3
"""A crawl killed before each of its system calls that write, sync, rename or cut: exhaustively, one after the other."""

import shutil
import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from traced import SITES, WRITING, Traced, has_strace  # noqa: E402  (puts tests/cli on the path)
from harness import Folder, Market, Tap  # noqa: E402

CALLS_MAX = 3000
CALLS_LEAST = 30  # of three sites: fewer, and it is not the crawl that is traced


def kill_at(folder, market, kind, call, kept):
    """From a kept copy of the first crawl: the second one killed at the call of that kind. (whether it was killed, what is wrong)."""
    shutil.rmtree(folder / "data", ignore_errors=True)
    shutil.copytree(kept, folder / "data")
    traced = Traced(folder, market)
    code, told, _ = traced.crawl(1, "-e", f"trace={kind}", "-e", f"inject={kind}:signal=KILL:when={call}")
    is_killed = code in (-signal.SIGKILL, 128 + signal.SIGKILL)
    wrong = traced.judge(told, f"{kind} {call}")
    runs = traced.runs(2)
    wrong += [f"{kind} {call}: {site} has {runs.get(site)} runs" for site in SITES if not 2 <= runs.get(site, 0) <= 3]
    return is_killed, wrong


def main():
    """Until a call that the crawl does not reach."""
    tap = Tap()
    if not has_strace():
        tap.skip("killed before each system call that writes", "strace is not there, or may not trace")
        tap.done()
    with Market() as market, Folder() as folder:
        first = Traced(folder, market)
        tap.ok(first.crawl(0)[0] == 0, "a first crawl is good")
        kept = folder / "kept"
        shutil.copytree(folder / "data", kept)
        wrong, kills = [], 0
        # strace counts the calls of each kind apart
        for kind in WRITING.split(","):
            call, is_killed = 0, True
            while is_killed and call < CALLS_MAX:
                call += 1
                is_killed, found = kill_at(folder, market, kind, call, kept)
                wrong += found
                kills += is_killed
        tap.ok(kills >= CALLS_LEAST, f"killed before each of {kills} calls")
        tap.same(wrong, [], "each time the store is clean, holds what was told, and the next crawl goes on")
    tap.done()


main()
