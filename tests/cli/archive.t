#!/usr/bin/env python3
"""The archive from outside: list, cat, export, verify, pack, import, reparse; adoption after a crash; the store rebuilt from it."""

import gzip
import hashlib
import json
import os
import shutil
import sqlite3  # noqa: F401
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import Box, Folder, Market, Tap, noon  # noqa: E402

DAYS = ["2026-09-14", "2026-09-15", "2026-09-16", "2026-09-17", "2026-09-18", "2026-09-19", "2026-09-20"]
NOW = noon(DAYS[-1])


def seen(box, now=NOW):
    """Everything that a reader of the store sees, as printed."""
    return [box.run(*words, now=now).out for words in
            (("offers", "--json"), ("history", "--format", "json"), ("changes", "--since", DAYS[0], "--format", "json"),
             ("health", "--format", "json"))]


def main():
    """One market, a week of crawls."""
    tap = Tap()
    with Market() as market, Folder() as folder:
        box = Box(folder, market=market)
        for day in DAYS:
            box.crawl(day)
        before = seen(box)
        done = box.run("db", "rebuild")
        print("#", done.out, done.err)
        after = seen(box)
        for name, a, b in zip("offers history changes health".split(), before, after):
            Path(f"/tmp/archive/{name}.before").write_text(a); Path(f"/tmp/archive/{name}.after").write_text(b)
            tap.same(a == b, True, name)
        print("#", box.run("db", "check"))
        print("#", box.run("archive", "verify"))
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
