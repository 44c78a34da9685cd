#!/usr/bin/env python3
"""db compact --keep-pages killed before each of its system calls that write, sync, rename or cut: exhaustively, one after the other. Each time the archive alone makes the same
store, and the next call ends what was begun."""

import signal
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from traced import RUN_TIMEOUT_S, WRITING, has_strace  # noqa: E402  (puts tests/cli on the path)
from harness import Box, Folder, Market, Tap, clean_environment  # noqa: E402
from retention import DAYS, KEEP, NOW, PLAYED, SITES, copy_of, exported, is_whole, listed, rebuilt  # noqa: E402

CALLS_MAX = 3000
CALLS_LEAST = 60  # of a file, two packs and a store: fewer, and it is not the whole that is traced


def kill_at(folder, box, want, kind, call):
    """From a copy: killed at the call of that kind. (whether it was killed, what is wrong)."""
    other, where = copy_of(folder, "killed", box), f"{kind} {call}"
    line = ["strace", "-o", "/dev/null", "-e", f"trace={kind}", "-e", f"inject={kind}:signal=KILL:when={call}", *other.command(*KEEP, "--pack", now=NOW)]
    code = subprocess.run(line, capture_output=True, check=False, env=clean_environment(), timeout=RUN_TIMEOUT_S).returncode
    wrong = []
    if other.run("db", "check").code != 0 or exported(other) != want or rebuilt(folder, other) != want:
        wrong.append(f"{where}: the store or the archive says something else")
    if other.run(*KEEP, "--pack", now=NOW).code != 0 or not is_whole(other) or rebuilt(folder, other) != want:
        wrong.append(f"{where}: the next call does not end it")
    if not any(row["dropped"] for row in listed(other)):
        wrong.append(f"{where}: no page was dropped")
    shutil.rmtree(other.data)
    return code in (-signal.SIGKILL, 128 + signal.SIGKILL), wrong


def main():
    """Until a call that is not reached."""
    tap = Tap()
    if not has_strace():
        tap.skip("killed before each system call that writes", "strace is not there, or may not trace")
        tap.done()
    with Market(scenario=PLAYED) as market, Folder() as folder:
        box = Box(folder, market=market)
        tap.same([box.crawl(day, *SITES[:2]).code for day in DAYS[::3]], [0] * len(DAYS[::3]), "crawls of two months")
        want, wrong, kills = exported(box), [], 0
        for kind in WRITING.split(","):
            call, is_killed = 0, True
            while is_killed and call < CALLS_MAX:
                call += 1
                is_killed, found = kill_at(folder, box, want, kind, call)
                wrong += found
                kills += is_killed
        tap.ok(kills >= CALLS_LEAST, f"killed before each of {kills} calls")
        tap.same(wrong, [], "each time nothing is lost, and the next call ends it")
    tap.done()


main()
