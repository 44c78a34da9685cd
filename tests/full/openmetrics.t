#!/usr/bin/env python3
"""Prometheus' own tool loads an export, and its samples are the history's."""

import collections
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
from harness import Box, Folder, Market, Tap  # noqa: E402

DAYS = [f"2026-09-{day:02}" for day in range(14, 21)]
TIMEOUT_S = 120


def promtool(*words):
    """One command of promtool."""
    return subprocess.run(["promtool", "tsdb", *map(str, words)], capture_output=True, text=True, timeout=TIMEOUT_S, check=False)


def check_blocks(tap, folder, box):
    """Every sample comes through, none is changed."""
    text, blocks = folder / "metrics.txt", folder / "blocks"
    done = box.run("export", "--format", "openmetrics", "-o", text)
    tap.ok(done.code == 0, "the export is written", done)
    (blocks / "wal").mkdir(parents=True)  # a database that promtool opens has one
    made = promtool("create-blocks-from", "openmetrics", text, blocks)
    tap.ok(made.returncode == 0 and "error" not in made.stderr.lower(), "promtool makes blocks of it", made.stderr)
    lines = [line for line in text.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    dumped = promtool("dump", blocks)
    samples = [line for line in dumped.stdout.splitlines() if "gputape_" in line]
    tap.ok(len(samples) == len(lines) > 1000, f"{len(lines)} samples, all of them in the blocks", (len(samples), dumped.stderr[:500]))
    want = collections.Counter((line.split("{")[0], float(line.rsplit(" ", 2)[1]), int(line.rsplit(" ", 1)[1]) * 1000) for line in lines)
    have = collections.Counter((line.split('__name__="')[1].split('"')[0], float(line.rsplit(" ", 2)[1]), int(line.rsplit(" ", 1)[1])) for line in samples)
    tap.ok(have == want, "each with its value and time", list((want - have).items())[:3])
    asked = promtool("dump", '--match=gputape_hour_list_price{site="autodl",label="RTX 4090"}', blocks).stdout.splitlines()
    board = [offer["hour_list"] for offer in box.offers("site=autodl") if offer["label"] == "RTX 4090"]
    tap.ok(len(asked) == len(DAYS) and [float(asked[-1].split("} ")[1].split()[0])] == [float(price) for price in board],
           "a query for one card gives a sample a day, the last one the board's price", (asked[-1:], board))


def main():
    """A week of the sample market."""
    tap = Tap()
    if shutil.which("promtool") is None:
        tap.skip("promtool loads an export", "prometheus is not installed")
        tap.done()
    with Folder() as folder, Market() as market:
        box = Box(folder, market=market)
        for day in DAYS:
            box.crawl(day)
        check_blocks(tap, folder, box)
    tap.done()


main()
