#!/usr/bin/env python3
"""Each system call that writes, syncs, cuts or maps fails: once, and from then on; in an ordinary crawl and while a crash is recovered from."""

import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from traced import SITES, Traced, has_strace  # noqa: E402  (puts tests/cli on the path)
from harness import Folder, Market, Tap  # noqa: E402

CALLS_MAX = 3000
# name, calls, error, whether all later ones fail too
FAULTS = (("a write fails once", "pwrite64,pwritev,writev", "EIO", False), ("the disk is full from a write on", "pwrite64,pwritev,writev", "ENOSPC", True),
          ("an fsync fails once", "fsync,fdatasync,msync", "EIO", False), ("each fsync fails from one on", "fsync,fdatasync,msync", "EIO", True),
          ("a cut fails once", "ftruncate", "EIO", False), ("each cut fails from one on", "ftruncate", "EIO", True),
          ("each write fails from one on", "pwrite64,pwritev,writev", "EIO", True), ("a map of the store fails once", "mmap", "ENOMEM", False),
          ("each map of the store fails from one on", "mmap", "ENOMEM", True))


def kept_of(folder, market, is_crashed):
    """A data folder after one good crawl, and perhaps one that was killed while it wrote."""
    traced = Traced(folder, market)
    traced.crawl(0)
    if is_crashed:
        calls = "pwrite64,pwritev,writev,fdatasync"
        traced.crawl(1, "-e", f"trace={calls}", "-e", f"inject={calls}:signal=KILL:when=9")
    kept = folder / f"kept{int(is_crashed)}"
    shutil.move(folder / "data", kept)
    return kept


def fail_at(folder, market, kept, calls, error, when):
    """(whether a call failed, what is wrong)."""
    shutil.rmtree(folder / "data", ignore_errors=True)
    shutil.copytree(kept, folder / "data")
    traced = Traced(folder, market)
    before = traced.runs(5)
    log = folder / "calls"
    # the loader and malloc map, too: of maps those of the store's file alone
    where = ("-P", str(folder / "data" / "store" / "data.mdb")) if calls == "mmap" else ()
    code, told, err = traced.crawl(5, *where, "-o", str(log), "-e", f"trace={calls}", "-e", f"inject={calls}:error={error}:when={when}")
    is_failed = "(INJECTED)" in log.read_text(encoding="utf-8", errors="replace")
    wrong = []
    if code < 0 or code > 3:
        wrong.append(f"when={when}: ends with {code}: {err[-300:]}")
    if is_failed and code != 0 and len(err) < 10:
        wrong.append(f"when={when}: ends with {code} without a word")
    if not traced.is_clean():
        wrong.append(f"when={when}: db check")
    after = traced.runs(5)
    wrong += [f"when={when}: {site} was told and is not there: {after}" for site in told if after.get(site, 0) <= before.get(site, 0)]
    code, _, err = traced.crawl(6)
    if code != 0 or not traced.is_clean():
        wrong.append(f"when={when}: the next crawl ends with {code}: {err[-300:]}")
    last = traced.runs(6)
    wrong += [f"when={when}: {site} {before} {last}" for site in SITES if last.get(site, 0) <= before.get(site, 0)]
    return is_failed, wrong


def main():
    """Each fault, at each call, in both states."""
    tap = Tap()
    if not has_strace():
        tap.skip("each call that writes fails once", "strace is not there, or may not trace")
        tap.done()
    with Market() as market, Folder() as folder:
        for is_crashed, where in ((False, "in an ordinary crawl"), (True, "while a crash is recovered from")):
            kept = kept_of(folder, market, is_crashed)
            for name, calls, error, is_lasting in FAULTS:
                wrong, fails = [], 0
                # strace counts the calls of each kind apart
                for kind in calls.split(","):
                    call, is_failed = 0, True
                    while is_failed and call < CALLS_MAX:
                        call += 1
                        is_failed, found = fail_at(folder, market, kept, kind, error, f"{call}{'+' if is_lasting else ''}")
                        wrong += found
                        fails += is_failed
                tap.same(wrong, [], f"{name} {where}, at each of {fails} calls")
    tap.done()


main()
