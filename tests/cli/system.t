#!/usr/bin/env python3
"""What a system can do to a crawl: closed standard streams, file size limits, a full or read-only /tmp, signals, clocks that jump."""

import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import ROOT, Box, Folder, Market, Tap, clean_environment, noon, program, scenario, wait_for  # noqa: E402
from hostile_server import Hostile  # noqa: E402

DAY, NEXT = "2026-09-19", "2026-09-20"
RUN_TIMEOUT_S = 120
IS_SANITIZED = "LD_PRELOAD" in os.environ or "san-" in os.environ.get("GPUTAPE", "")

CLOCKS = (("a day later", "+1d"), ("back again", "+0"), ("a day earlier", "-1d"), ("ten seconds earlier", "-10s"), ("1970", "@1970-01-02 00:00:00"),
          ("a leap second", "@2016-12-31 23:59:59"), ("2038", "@2038-01-19 03:14:05"), ("2100", "@2100-03-01 00:00:00"), ("today after all", "+2h"))


def shell(words, redirect, **keywords):
    """Runs through a shell, which alone can close streams and set limits."""
    line = " ".join(f"'{word}'" for word in words) + " " + redirect
    return subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False, env=clean_environment(), timeout=RUN_TIMEOUT_S, **keywords)


def check_streams(tap, box, market):
    """A closed output is no place for data, a closed error stream none for files."""
    offers = box.command("offers", now=noon(NEXT))
    done = shell(offers, ">&-")
    tap.ok(done.returncode == 1 and "writ" in done.stderr, "a report to a closed output: exit 1, said so", done)
    done = shell(offers + ["--json"], ">&- 2>&-")
    tap.ok(done.returncode == 1, "a report to a closed output, errors closed too: exit 1", done)
    done = shell(offers, "2>&-")
    tap.ok(done.returncode == 0 and "4090" in done.stdout, "with errors closed the report comes", done)
    done = shell(offers, "<&-")
    tap.ok(done.returncode == 0 and "4090" in done.stdout, "with the input closed the report comes", done)
    done = shell(box.command("parse", "auto", "-"), "<&-")
    tap.ok(done.returncode not in (0, 139), "a page from a closed input is an error", done)
    market.set_day(NEXT)
    crawl = box.command("crawl", "jygpu", "--force", *market.arguments(), now=noon(NEXT))
    done = shell(crawl, "<&- >&- 2>&-")
    tap.ok(done.returncode == 1, "a crawl whose summary goes nowhere does not end with 0", done)
    done = shell(crawl + ["--quiet"], "<&- >&- 2>&-")
    tap.ok(done.returncode == 0, "a quiet crawl without streams does", done)
    done = shell(crawl, "| true; exit ${PIPESTATUS[0]}")
    tap.ok(done.returncode in (0, 1), "a crawl whose reader has left is not killed by it", done)
    tap.ok(box.run("db", "check").code == 0, "and no message went into a data file")


def check_file_size(tap, market):
    """RLIMIT_FSIZE, as `ulimit -f` sets it: an error that says what is too large, never a death by SIGXFSZ."""
    with Folder() as folder:
        box = Box(folder, market=market)
        box.crawl(DAY, "jygpu")
        sizes = [path.stat().st_size for path in box.data.rglob("*") if path.is_file()]
        for name, limit in (("a little more than the largest file", max(sizes) + 4096), ("less than the store", max(sizes) // 2), ("a block", 512)):
            market.set_day(NEXT)
            done = box.run("crawl", *market.arguments(), "--force", now=noon(NEXT),
                           preexec_fn=lambda at=limit: resource.setrlimit(resource.RLIMIT_FSIZE, (at, at)))
            tap.ok(done.code in (0, 1, 3) and (done.code == 0 or len(done.err + done.out) > 10), f"files of at most {name}: ends, and says why", done)
            tap.ok(box.run("db", "check").code == 0, f"files of at most {name}: the store is clean")
        tap.ok(box.crawl(NEXT, "--force").code == 0, "without the limit the next crawl is good")


def check_tmp(tap, market):
    """/tmp is full, or may not be written: nothing of ours needs it."""
    if subprocess.run(["unshare", "-m", "true"], capture_output=True, check=False).returncode != 0:
        tap.skip("a full /tmp", "no mount namespace of one's own here")
        tap.skip("a read-only /tmp", "no mount namespace of one's own here")
        return
    folder = Path(tempfile.mkdtemp(prefix="gputape-", dir="/var/tmp"))
    try:
        # The tree itself may lie below /tmp: what is run comes along.
        shutil.copytree(market.folder, folder / "market")
        tool, conf = shutil.copy(program(), folder / "gputape"), shutil.copy(ROOT / "sites.conf", folder)
        for name, prepare in (("full", "mount -t tmpfs -o size=64k none /tmp && cat /dev/zero >/tmp/fill 2>/dev/null;"),
                              ("read-only", "mount -t tmpfs -o ro none /tmp;")):
            box = Box(folder / name, conf=conf, market=market)
            words = [word.replace(str(market.folder), str(folder / "market")) for word in market.arguments()]
            line = " ".join(f"'{word}'" for word in [str(tool), *box.command("crawl", "jygpu", *words, now=noon(NEXT))[1:]])
            (folder / name).mkdir()
            done = subprocess.run(["unshare", "-m", "bash", "-c", prepare + line], capture_output=True, text=True, check=False, env=clean_environment(),
                                  timeout=RUN_TIMEOUT_S)
            tap.ok(done.returncode == 0, f"a {name} /tmp", done)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def check_signal(tap, number):
    """A signal while a page is on its way ends the crawl cleanly, at a record's end."""
    name = signal.Signals(number).name
    slow = scenario(("www.omniyq.com", NEXT, NEXT, ".slow", "4"))
    with Market(scenario=slow) as market, Folder() as folder:
        box = Box(folder, market=market)
        crawl = box.start_crawl(NEXT, "jygpu", "omniyq")
        wait_for(lambda: any("www.omniyq.com GET /robots.txt" in line for line in market.log()), 20)
        begin = time.monotonic()
        crawl.send_signal(number)
        out, err = crawl.communicate(timeout=60)
        took = time.monotonic() - begin
        tap.ok(took < 3 and crawl.returncode == 1 and b"interrupted" in err, f"{name}: ends at once, by itself and with 1", f"{crawl.returncode} {took} {out} {err}")
        tap.ok(box.run("db", "check").code == 0, f"{name}: the store is clean")
        tap.ok(box.crawl(NEXT, "omniyq").code == 0, f"{name}: the next crawl goes on")


def check_clocks(tap, hostile):
    """The clock jumps between crawls, and within one: runs stay in their order, nothing hangs, nothing is lost."""
    library = next((str(path) for path in Path("/usr/lib").glob("*/faketime/libfaketime.so.1")), None)
    if library is None or IS_SANITIZED:
        tap.skip("clocks that jump", "libfaketime is not installed, or a sanitizer wants to be the first library")
        return
    names = ("length-http", "status-404")
    with Folder() as folder:
        box = Box(folder, conf=hostile.conf(folder, ("length-http",)))
        words = ["crawl", "--force", *hostile.arguments(names)]
        env = {"LD_PRELOAD": library, "DONT_FAKE_MONOTONIC": "1", "NO_FAKE_STAT": "1"}
        runs = 0
        for name, shift in CLOCKS:
            done = box.run(*words, env={**env, "FAKETIME": shift})
            have = box.run("db", "stat", "--json").json().get("runs", 0)
            tap.ok(done.code == 0 and have > runs, f"clock {name}: a crawl ends with 0 and adds a run", f"{done}\nruns {runs} then {have}")
            runs = have
            tap.ok(box.run("db", "check").code == 0, f"clock {name}: the store is clean")
        board = box.run("offers", "--json", env={**env, "FAKETIME": "+3h"})
        tap.ok(len(board.json().get("offers", [])) == 3, "after all of it the board has the three cards", board)


def check_clock_within(tap, hostile):
    """Time-outs and pauses are reckoned by a clock that does not jump."""
    library = next((str(path) for path in Path("/usr/lib").glob("*/faketime/libfaketime.so.1")), None)
    if library is None or IS_SANITIZED:
        tap.skip("a clock that jumps within a crawl", "libfaketime is not installed, or a sanitizer wants to be the first library")
        return
    for name, jump in (("a day on", "+1d"), ("a day back", "-1d"), ("ten seconds back", "-10s")):
        with Folder() as folder:
            stamp = folder / "clock"
            stamp.write_text("+0\n", encoding="ascii")
            box = Box(folder, conf=hostile.conf(folder, ("slow-silent-http", "length-http")))
            env = clean_environment(LD_PRELOAD=library, DONT_FAKE_MONOTONIC="1", FAKETIME_TIMESTAMP_FILE=str(stamp), FAKETIME_NO_CACHE="1")
            begin = time.monotonic()
            crawl = subprocess.Popen(box.command("crawl", *hostile.arguments(("slow-silent-http", "length-http"))), stdout=subprocess.PIPE,
                                     stderr=subprocess.PIPE, env=env)
            time.sleep(0.7)
            stamp.write_text(jump + "\n", encoding="ascii")
            out, err = crawl.communicate(timeout=RUN_TIMEOUT_S)
            took = time.monotonic() - begin
            good = crawl.returncode == 3 and 4 < took < 40 and b"length-http       ok" in out
            tap.ok(good, f"clock {name} within a crawl: three attempts of two seconds each, and the other site is good", f"{took:.1f} s\n{out}\n{err}")
            tap.ok(box.run("db", "check").code == 0, f"clock {name} within a crawl: the store is clean")


def main():
    """All situations."""
    tap = Tap()
    with Market() as market, Folder() as folder:
        box = Box(folder, market=market)
        box.crawl(DAY, "jygpu", "gongji")
        check_streams(tap, box, market)
        check_file_size(tap, market)
        check_tmp(tap, market)
    for number in (signal.SIGHUP, signal.SIGTERM):
        check_signal(tap, number)
    with Hostile() as hostile:
        check_clocks(tap, hostile)
        check_clock_within(tap, hostile)
    tap.done()


main()
