#!/usr/bin/env python3
"""explain price in words: what a person at the terminal is told of a phrase."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import Box, Folder, Tap  # noqa: E402

# phrase | what its first line begins with
PHRASES = """
$2.49/GPU/hr|2.49 USD per hour; basis card of 1 cards; list, exact; from "$2.49/GPU/hr"
¥99/3个月|99 CNY per 3 months; basis unknown
3 元/10分钟|3 CNY per 10 minutes; basis unknown
$1.5-2.5/hr|1.5 to 2.5 USD per hour; basis unknown; list, range
新用户首月 99 元|99 CNY per (not known); basis unknown; sale
月付95折|discount: pays 0.95 of the price; if prepay-month; from "95折"
价格面议|not taken (quote-only): 价格面议
128 GB|not taken (spec): 128 GB
没有数字|no price: none
"""


def main():
    """A row a phrase."""
    tap = Tap()
    with Folder() as folder:
        box = Box(folder)
        for line in PHRASES.strip().splitlines():
            phrase, wanted = line.split("|")
            done = box.run("explain", "price", phrase, "--currency", "CNY")
            tap.same(done.out.splitlines()[0][:len(wanted)], wanted, phrase)
            tap.same(done.err, "", f"{phrase}: nothing on stderr")
    tap.done()


main()
