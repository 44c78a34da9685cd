#!/usr/bin/env python3
"""The whole program killed at random moments, in crawls and in what copies, packs and rebuilds: what a crawl has printed is in the store, nothing is there
twice, store and archive stay readable. (A migration needs a store of an older format: tests/cli/copies.t, tests/unit/store/test_crash.c.)

    tests/cli/kill.t [KILLS [SEED]]
"""

import gzip
import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import Box, Folder, Market, Tap, clean_environment  # noqa: E402

DAY = "2026-09-20"
# a program with sanitizers takes ten times as long
KILLS, SEED = 60 if "san-" in os.environ.get("GPUTAPE", "") else 500, 1
SITES = ("jygpu", "gongji", "nebius", "cerebrium", "lambda")
OTHERS_EVERY = 3
START_UNIX_S, STEP_S = 1789870000, 6 * 3600
LINE = re.compile(r"^(\S+) +(ok|unchanged|failed|blocked|drifted|incomplete) ")


def crawl_command(box, market, number):
    """The crawl of one moment: each has a time of its own, six hours after the one before."""
    return box.command("crawl", *SITES, *market.arguments(), "--force", now=f"@{START_UNIX_S + number * STEP_S}")


def other_command(box, number, which):
    """What else writes to the store or to the archive; the months before it are over, so that there is something to pack."""
    words = (("db", "compact", "--pack"), ("db", "backup", box.data / "backup.mdb"), ("db", "rebuild"), ("archive", "pack"))[which % 4]
    return box.command(*words, now=f"@{START_UNIX_S + number * STEP_S}")


def run_and_kill(command, delay_s):
    """Starts it, kills it after the delay; the sites whose line was printed, and whether it ended by itself."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=clean_environment())
    time.sleep(delay_s)
    process.send_signal(signal.SIGKILL)
    out = process.communicate()[0].decode("utf-8", "replace")
    return [found.group(1) for found in map(LINE.match, out.splitlines()) if found], process.returncode >= 0


def runs_of(box, number):
    """site → how many runs the store holds."""
    health = box.run("health", "--since", f"@{START_UNIX_S - 1}", "--until", f"@{START_UNIX_S + (number + 1) * STEP_S}", "--json",
                     now=f"@{START_UNIX_S + number * STEP_S}")
    return {source["site"]: source["runs"] for source in health.json().get("sources", [])}


def check_archive(tap, box):
    """Every file is a whole one: the crawl after a kill has cut off what was unfinished."""
    bad = []
    for path in sorted((box.data / "archive").glob("*.warc.gz")):
        try:
            records = gzip.decompress(path.read_bytes()).count(b"WARC/1.1\r\n")
            bad += [] if records > 0 else [path.name]
        except (OSError, EOFError) as error:
            bad.append(f"{path.name}: {error}")
    tap.same(bad, [], "every file of the archive is whole")


def main():
    """Kills, and a crawl that is left alone."""
    tap = Tap()
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else KILLS
    choose = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else SEED)
    acknowledged, ended, unclean = dict.fromkeys(SITES, 0), 0, []
    with Market() as market, Folder() as folder:
        box = Box(folder, market=market)
        market.set_day(DAY)
        begin = time.monotonic()
        first = subprocess.run(crawl_command(box, market, 0), capture_output=True, check=False, env=clean_environment())
        whole_s = time.monotonic() - begin
        tap.ok(first.returncode == 0, "a crawl that is left alone ends with 0", first.stderr)
        for site in SITES:
            acknowledged[site] += 1
        for number in range(1, kills + 1):
            is_crawl = number % OTHERS_EVERY != 0
            command = crawl_command(box, market, number) if is_crawl else other_command(box, number, number // OTHERS_EVERY)
            lines, is_ended = run_and_kill(command, choose.random() * whole_s * 1.1)
            ended += is_ended
            for site in lines:
                acknowledged[site] += 1
            if number % 5 == 0 and box.run("db", "check").code != 0:
                unclean.append(number)
        tap.ok(ended < kills * 0.8, f"{kills - ended} of {kills} commands were killed before their end ({whole_s:.2f} s)")
        tap.same(unclean, [], "the store was clean whenever it was looked at")
        last = subprocess.run(crawl_command(box, market, kills + 1), capture_output=True, check=False, env=clean_environment())
        tap.ok(last.returncode == 0, "the crawl after the last kill ends with 0", last.stderr)
        for site in SITES:
            acknowledged[site] += 1
        runs = runs_of(box, kills + 1)
        lost = {site: (runs.get(site, 0), count) for site, count in acknowledged.items() if runs.get(site, 0) < count}
        tap.same(lost, {}, f"no run whose line was printed is lost ({sum(acknowledged.values())} lines)")
        twice = {site: (runs.get(site, 0), count) for site, count in acknowledged.items() if runs.get(site, 0) > count + kills}
        more = sum(runs.get(site, 0) - count for site, count in acknowledged.items())
        tap.ok(not twice and more <= kills - ended, f"at most one run a kill was committed without its line ({more})", runs)
        tap.ok(box.run("db", "check").code == 0, "the store is clean at the end")
        tap.ok(len(box.run("offers", "--json", now=f"@{START_UNIX_S + (kills + 1) * STEP_S}").json().get("offers", [])) > 20, "the board is whole")
        check_archive(tap, box)
    tap.done()


main()
