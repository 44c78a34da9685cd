#!/usr/bin/env python3
"""db backup, restore and compact: equal to what was copied, verified before they count, and harmless whenever they end early."""

import os
import resource
import shutil
import signal
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import Box, Folder, Market, Tap  # noqa: E402

DAYS = ("2026-09-18", "2026-09-19", "2026-09-20")
MONDAY = "2026-09-20T17:00:00Z"
KILLS = 25
REPORTS = (("export",), ("offers", "--json"), ("changes", "--since", "2026-09-01", "--json"), ("history", "4090", "--since", "2026-09-01", "--json"))


def told(box):
    """All that a store tells."""
    return [box.run(*words, now=MONDAY).out for words in REPORTS]


def clean(box):
    """db check finds nothing."""
    return box.run("db", "check").code == 0


def check_equal(tap, box, folder):
    """A backup restored elsewhere, and a compacted store, say what the store said."""
    before, path = told(box), folder / "backup.mdb"
    done = box.run("db", "backup", path)
    tap.ok(done.code == 0 and path.stat().st_size > 0, "a backup is written", done)
    other = Box(folder / "other")
    done = other.run("db", "restore", path)
    tap.ok(done.code == 0 and clean(other), "it is restored where no store was", done)
    tap.same(told(other), before, "the restored store tells the same, byte for byte")
    done = other.run("db", "restore", path)
    tap.ok(done.code == 1 and "--replace" in done.err, "a store is not replaced unasked", done)
    done = other.run("db", "restore", "--replace", path)
    tap.ok(done.code == 0 and (other.data / "store.old" / "data.mdb").exists(), "--replace keeps the old one beside it", done)
    done = other.run("db", "restore", "--replace", path)
    tap.ok(done.code == 0 and clean(other) and told(other) == before, "also where one was kept before", done)
    done = box.run("db", "compact")
    tap.ok(done.code == 0 and clean(box), "a store is compacted", done)
    tap.same(told(box), before, "the compacted store tells the same")
    for turn in ("packed", "packed again"):
        done = box.run("db", "compact", "--pack")
        tap.ok(done.code == 0 and clean(box), f"a store is {turn}", done)
        tap.same(told(box), before, f"the store that was {turn} tells the same")
    done = box.run("db", "backup", path)
    tap.ok(done.code == 0 and other.run("db", "restore", "--replace", path).code == 0 and told(other) == before, "and so does its backup", done)
    return path


def check_goes_on(tap, box):
    """A crawl after a compaction."""
    done = box.crawl(DAYS[2])
    tap.ok(done.code == 0 and clean(box), "crawls go on in a compacted store", done)
    done = box.run("db", "backup", box.data / "again.mdb")
    tap.ok(done.code == 0, "and it is copied again", done)


def check_damage(tap, box, folder, path):
    """Neither a damaged store nor a damaged file gets through."""
    damaged = Box(folder / "damaged")
    shutil.copytree(box.data, damaged.data)
    good = path.read_bytes()
    data = damaged.data / "store" / "data.mdb"
    # every copy: a page that is free, or only history, may hold one
    bytes_ = data.read_bytes().replace(b"jygpu", b"jygpt")
    data.write_bytes(bytes_)
    done = damaged.run("db", "backup", path)
    tap.ok(done.code == 1 and path.read_bytes() == good, "a damaged store replaces no backup", done)
    broken = folder / "broken.mdb"
    for name, content in (("cut", good[:-4096 * 3]), ("empty", b""), ("text", b"not a store\n" * 1000), ("turned", bytes_)):
        broken.write_bytes(content)
        target = Box(folder / f"to-{name}")
        done = target.run("db", "restore", broken)
        tap.ok(done.code == 1 and not (target.data / "store").exists(), f"a backup that is {name} is refused", done)
    done = Box(folder / "to-none").run("db", "restore", folder / "none.mdb")
    tap.ok(done.code == 1 and "none.mdb" in done.err, "a file that is not there is named", done)


def check_full(tap, box, path):
    """No room: the old backup stays."""
    good = path.read_bytes()

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536))

    done = box.run("db", "backup", path, preexec_fn=limit)
    tap.ok(done.code == 1 and path.read_bytes() == good, "a backup that finds no room leaves the old one", done)
    left = [name for name in os.listdir(path.parent) if name.endswith("part")]
    tap.same(left, [], "and nothing beside it")


def check_kills(tap, box, folder):
    """SIGKILL at many moments of each: a store and a backup that are whole."""
    path, want = folder / "killed.mdb", told(box)
    box.run("db", "backup", path)
    bad = []
    for words in (("db", "backup", path), ("db", "compact"), ("db", "compact", "--pack")):
        for i in range(KILLS):
            child = box.start(*words)
            time.sleep(0.001 * i)
            child.kill()
            child.communicate()
            if not clean(box):
                bad.append((words, i))
        if told(box) != want:
            bad.append(words)
    tap.same(bad, [], f"{3 * KILLS} kills in the middle: the store is whole each time")
    other = Box(folder / "killed")
    tap.ok(other.run("db", "restore", path).code == 0 and told(other) == want, "and the backup is a whole one")
    tap.same(box.run("db", "compact").code, 0, "what a kill left is in nobody's way")


def main():
    """Two crawls, then copies."""
    tap = Tap()
    with Market() as market, Folder() as folder:
        box = Box(folder, market=market)
        for day in DAYS[:2]:
            tap.same(box.crawl(day).code, 0, f"the crawl of {day} ends with 0")
        path = check_equal(tap, box, folder)
        check_goes_on(tap, box)
        check_damage(tap, box, folder, path)
        check_full(tap, box, path)
        check_kills(tap, box, folder)
    tap.done()


main()
