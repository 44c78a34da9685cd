#!/usr/bin/env python3
"""The store when the disk lies or is full: damage is told by db check, a full disk is called full and loses nothing."""

import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import Box, Folder, Market, Tap  # noqa: E402

DAY, NEXT = "2026-09-19", "2026-09-20"


def data_file(box):
    """The LMDB file."""
    return next((box.data / "store").glob("data.mdb"))


def flip_after(path, words):
    """Turns one bit at each place where `words` stand (some may be pages that were given back); False when they stand nowhere."""
    content = bytearray(path.read_bytes())
    at, found = content.find(words), False
    while at >= 0:
        content[at + len(words) - 1] ^= 0x01
        at, found = content.find(words, at + 1), True
    path.write_bytes(content)
    return found


def check_damage(tap, market):
    """One wrong bit in a stored text."""
    with Folder() as folder:
        box = Box(folder, market=market)
        box.crawl(DAY, "jygpu")
        tap.ok(box.run("db", "check").code == 0, "a store as written is clean")
        damaged = flip_after(data_file(box), "昇腾 910B".encode())
        tap.ok(damaged, "a stored text is found to be damaged by hand")
        check = box.run("db", "check")
        tap.ok(check.code == 1 and check.out.strip(), "one wrong bit is told by db check, exit 1", check)
        board = box.run("offers", now="2026-09-20T02:00:00Z")
        tap.ok(board.code in (0, 1) and "Segmentation" not in board.err, "and crashes no reader", board)


def check_truncated(tap, market):
    """A file that ends too early."""
    with Folder() as folder:
        box = Box(folder, market=market)
        box.crawl(DAY, "jygpu")
        path = data_file(box)
        os.truncate(path, path.stat().st_size // 2)
        check = box.run("db", "check")
        tap.ok(check.code == 1, "a file cut in half is told by db check, exit 1", check)
        path.write_bytes(b"this is not a database" * 400)
        check = box.run("db", "check")
        tap.ok(check.code == 1, "and so is a file that is none", check)


def mount_small(folder, kib):
    """A small disk; False when it may not be made."""
    line = ["mount", "-t", "tmpfs", "-o", f"size={kib}k", "gputape-test", str(folder)]
    return subprocess.run(line, capture_output=True, check=False).returncode == 0


def fill(path):
    """Writes until there is no room left."""
    out = os.open(path, os.O_WRONLY | os.O_CREAT)
    try:
        while os.write(out, b"x" * 4096) > 0:
            pass
    except OSError:
        pass
    os.close(out)


def check_full(tap, market):
    """Crawls until the disk is full: said so, nothing lost, works again with room."""
    with Folder() as folder:
        small = folder / "small"
        small.mkdir()
        if os.geteuid() != 0 or not mount_small(small, 2048):
            tap.skip("a full disk is called full", "needs root and a tmpfs")
            return
        try:
            box = Box(small, market=market)
            first = box.crawl(DAY, "jygpu")
            tap.ok(first.code == 0, "a crawl on a small disk goes through", first)
            before = box.offers("site=jygpu", day=DAY)
            filler = small / "filler"
            fill(filler)
            full = box.crawl(NEXT)
            tap.ok(full.code == 1, "on a full disk a crawl fails", full)
            tap.ok("space" in full.err or "full" in full.err, "and says that the disk is full", full)
            tap.same(len(box.offers("site=jygpu", day=DAY)), len(before), "what was known is still readable")
            filler.unlink()
            again = box.crawl(NEXT)
            tap.ok(again.code == 0, "with room again the next crawl goes through", again)
            check = box.run("db", "check")
            tap.ok(check.code == 0, "and the store is clean", check)
        finally:
            subprocess.run(["umount", "-l", str(small)], check=False)


def main():
    """All situations."""
    tap = Tap()
    with Market() as market:
        check_damage(tap, market)
        check_truncated(tap, market)
        check_full(tap, market)
    tap.done()


main()
