#!/usr/bin/env python3
"""A crawl of every host of tests/market/hostile: each ends with the status and the reason of its row, none takes the others along, and the crawl
keeps its deadline and its memory. A second crawl sends validators nowhere but where a whole body was read."""

import os
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "market" / "hostile"))
from harness import Box, Folder, Tap, clean_environment  # noqa: E402
from hostile_server import Hostile  # noqa: E402
from server import ROBOTS_HOPS  # noqa: E402
from table import table  # noqa: E402

NOW, NEXT_DAY = "2026-09-20T02:00:00Z", "2026-09-21T03:00:00Z"
DEADLINE_S, SLACK_S = 120, 5
BODY_LIMIT_KIB = 1024
MEMORY_KIB = 60 * 1024 + 2 * BODY_LIMIT_KIB
CASES_AT_LEAST = 300
REQUESTS_AT_MOST = 3
SHARED = ("landing", "robots-source")  # where redirects of several hosts lead
IS_SANITIZED = "ASAN_OPTIONS" in os.environ or "san-" in os.environ.get("GPUTAPE", "")


class Crawl:
    """One crawl, with what it took: seconds, the largest size that it ever had (VmHWM, and ru_maxrss with its children)."""

    def __init__(self, box, words, now):
        self.peak_kib = 0
        self.begin = time.monotonic()
        self.process = subprocess.Popen(box.command("crawl", *words, now=now), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        env=clean_environment(HOME=str(box.data.parent)))
        watcher = threading.Thread(target=self.watch, daemon=True)
        errors = []
        reader = threading.Thread(target=lambda: errors.append(self.process.stderr.read()), daemon=True)
        watcher.start()
        reader.start()
        self.out = self.process.stdout.read().decode("utf-8", "replace")
        _, status, usage = os.wait4(self.process.pid, 0)
        self.seconds = time.monotonic() - self.begin
        self.process.returncode = self.code = os.waitstatus_to_exitcode(status)
        reader.join()
        self.err = errors[0].decode("utf-8", "replace")
        self.maxrss_kib = usage.ru_maxrss

    def watch(self):
        """VmHWM only grows, so that the last look is the peak but for the last instant."""
        while self.process.returncode is None:
            try:
                found = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii"))
            except OSError:
                return
            if found:
                self.peak_kib = max(self.peak_kib, int(found.group(1)))
            time.sleep(0.02)

    def lines(self):
        """site → (status, rest of its line)."""
        found = {}
        for line in self.out.splitlines():
            name, status, *rest = line.split(None, 2)
            found[name] = (status, rest[0] if rest else "")
        return found

    def __str__(self):
        return f"exit {self.code} after {self.seconds:.1f} s\n{self.out[-1500:]}\n{self.err[-1500:]}"


def check_case(tap, case, line, rows):
    """A row of the table: status, reason, and of a good one its prices."""
    wants = (case.want,) if isinstance(case.want, str) else case.want
    status, rest = line or ("no line", "")
    good = status in wants and case.why in rest
    detail = f"want {case.want} {case.why!r}, have {status} {rest}"
    if good and status == "ok" and case.rows is not None:
        good = rows.get(case.name, []) == sorted(case.rows)
        detail = f"want {sorted(case.rows)}, have {rows.get(case.name)}"
    if good and status != "ok":
        good = status == "drifted" or case.name not in rows
        detail = f"{status}, and yet there are prices: {rows.get(case.name)}"
    tap.ok(good, f"{case.name}: {'|'.join(wants)}{' ' + case.why if case.why else ''}", detail)


def check_requests(tap, cases, log):
    """Nobody was asked more often than three times for one address; those who count their requests had just as many."""
    counts, pages, carried = {}, {}, set()
    for name, method, path, marks in log:
        counts[(name, path)] = counts.get((name, path), 0) + 1
        if path != "/robots.txt" and not (cases[name].robots and path in ROBOTS_HOPS):
            pages[name] = pages.get(name, 0) + 1
        carried.update((name, mark) for mark in marks if mark in "CA")
    often = {key: count for key, count in counts.items() if count > REQUESTS_AT_MOST and key[0] not in SHARED}
    tap.same(often, {}, "nothing was asked for more than three times")
    wrong = {case.name: (pages.get(case.name, 0), case.requests) for case in cases.values()
             if case.requests is not None and pages.get(case.name, 0) != case.requests}
    tap.same(wrong, {}, "each host had as many requests as its row says")
    tap.same(carried, {("hop-with-credentials", "A")}, "nobody got a cookie, and credentials only the host that they are for")


def board_of(box, now):
    """site → sorted (label, hour as printed) of the offers that stand."""
    rows = {}
    for offer in box.run("offers", "--json", now=now).json().get("offers", []):
        if not offer["doubted"]:
            hour = offer["hour_list"] or ""
            whole, _, fraction = hour.partition(".")
            rows.setdefault(offer["site"], []).append((offer["label"], f"{whole}.{fraction.ljust(2, '0')}"))
    return {site: sorted(offers) for site, offers in rows.items()}


def check_half(tap, box, hostile, names):
    """Some hundreds of hosts at once; the summary of their crawl."""
    crawl = Crawl(box, [*names, *hostile.arguments(), "--deadline", f"{DEADLINE_S}s"], NOW)
    print(f"# {len(names)} hosts in {crawl.seconds:.1f} s; VmHWM {crawl.peak_kib} KiB, ru_maxrss with children {crawl.maxrss_kib} KiB, limit {MEMORY_KIB} KiB")
    tap.ok(crawl.code == 3, "the crawl ends with 3: some sites failed", crawl)
    tap.ok(crawl.seconds < DEADLINE_S + SLACK_S, f"it ends within its deadline of {DEADLINE_S} s and {SLACK_S} s", crawl)
    if IS_SANITIZED:
        tap.skip("its memory stays below 60 MiB and two bodies", "a sanitizer has memory of its own")
    else:
        tap.ok(0 < crawl.peak_kib <= MEMORY_KIB, f"its memory stays below 60 MiB and two bodies ({crawl.peak_kib} KiB)", crawl.peak_kib)
    check_traces(tap, box, crawl.out)
    return crawl.lines()


def check_first(tap, box, hostile, cases):
    """Every row of the table, in two crawls of each more than three hundred hosts."""
    names = sorted(cases)
    lines = {**check_half(tap, box, hostile, names[::2]), **check_half(tap, box, hostile, names[1::2])}
    rows = board_of(box, NOW)
    for case in cases.values():
        check_case(tap, case, lines.get(case.name), rows)
    check_requests(tap, cases, hostile.log())
    return lines


def check_traces(tap, box, out):
    """What a server says reaches neither a file name nor a terminal."""
    names = {re.sub(r"gputape-\d+-\d+-.*", "WARC", path.name) for path in box.data.rglob("*")}
    tap.same(names - {"archive", "store", "lock", "WARC", "data.mdb", "lock.mdb", "open", "reserve"}, set(), "no file has a name that a server chose")
    tap.ok(not re.search(r"[\x00-\x09\x0b-\x1f\x7f\u202e]", out), "no control character of a page is printed")


def check_second(tap, box, hostile, cases, lines):
    """A day later: what was not read whole is asked for in full."""
    before = len(hostile.log())
    unread = [name for name in cases if lines.get(name, ("",))[0] == "incomplete"]
    crawl = Crawl(box, [*unread, *hostile.arguments()], NEXT_DAY)
    asked = {name for name, _, path, _ in hostile.log()[before:] if path != "/robots.txt"}
    conditional = {name for name, _, path, marks in hostile.log()[before:] if set(marks) & set("EM") and path != "/robots.txt"}
    tap.ok(len(asked) >= len(unread) // 2 > 10, f"a day later the {len(unread)} incomplete ones are asked for again ({len(asked)})", crawl)
    tap.same(conditional, set(), "and none of them with a validator")
    again = crawl.lines()
    tap.same([name for name in unread if again.get(name, ("",))[0] not in ("incomplete", "skipped")], [], "and none of them became whole by itself")


def check_deadline(tap, hostile):
    """Thirty hosts that say nothing, and three seconds."""
    with Folder() as folder:
        conf = folder / "silent.conf"
        conf.write_text("[defaults]\ntimeout = 60s\n" + "".join(
            f"[site s{i}]\nurl = https://slow-silent.hostile.test/{i}\n" if i % 3 else f"[site s{i}]\nurl = https://tls-silent.hostile.test/{i}\n"
            for i in range(30)), encoding="ascii")
        crawl = Crawl(Box(folder, conf=conf), [*hostile.arguments(), "--deadline", "3s"], NOW)
        tap.ok(2.5 < crawl.seconds < 3 + SLACK_S, f"thirty silent pages and a deadline of 3 s: over after {crawl.seconds:.1f} s", crawl)
        tap.ok(crawl.code == 3 and "time was over" in crawl.out, "and said so", crawl)


def main():
    """The table, a second day, a deadline."""
    tap = Tap()
    cases = table()
    tap.ok(len(cases) >= CASES_AT_LEAST, f"there are {len(cases)} kinds of hostile host")
    with Hostile() as hostile, Folder() as folder:
        # files of the home folder that curl and libcurl could obey
        (folder / ".netrc").write_text("default login someone password secret\n", encoding="ascii")
        (folder / ".curlrc").write_text('user = "someone:secret"\nproxy = "http://127.0.0.1:9"\ninsecure\n', encoding="ascii")
        box = Box(folder, conf=hostile.folder / "sites.conf")
        lines = check_first(tap, box, hostile, cases)
        check_second(tap, box, hostile, cases, lines)
        tap.ok(box.run("db", "check").code == 0, "the store is clean afterwards")
        verify = box.run("health", "--json", now=NOW)
        tap.ok(verify.code == 0 and len(verify.json().get("sources", [])) >= CASES_AT_LEAST, "health tells of every one of them", verify)
        check_deadline(tap, hostile)
    tap.done()


main()
