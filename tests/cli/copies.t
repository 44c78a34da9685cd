#!/usr/bin/env python3
"""db backup, restore, compact and migrate: equal to what was copied, verified before they count, and harmless whenever they end early."""

import gzip
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
OLDER = Path(__file__).resolve().parent / "older"
OLDER_NOW = "@1790078400"
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


def older_box(folder, name):
    """A store of format 2, as the program that wrote that format left it."""
    box = Box(folder / name)
    store = box.data / "store"
    store.mkdir(parents=True)
    store.chmod(0o750)
    (store / "data.mdb").write_bytes(gzip.decompress((OLDER / "format2.mdb.gz").read_bytes()))
    return box


def told_older(box):
    """What the program that wrote format 2 was asked, too."""
    return "".join(box.run(*words, "--since", "2026-09-01", "--json", now=OLDER_NOW).out for words in (("changes",), ("history", "4090")))


def check_older(tap, folder, archive):
    """A store of an older format: nothing but a migration and a check touches it, and the migrated one has the same history."""
    box, want = older_box(folder, "older"), gzip.decompress((OLDER / "format2.told.gz").read_bytes()).decode()
    data, backup = box.data / "store" / "data.mdb", folder / "older.mdb"
    shutil.copy(data, backup)
    for words in (("offers",), ("db", "compact"), ("db", "backup", folder / "none")):
        done = box.run(*words)
        tap.ok(done.code == 1 and "gputape db migrate" in done.err and data.read_bytes() == backup.read_bytes(), f"{words} refuses it and says what to do", done)
    tap.ok(clean(box), "it is checked as it is")
    done = box.run("db", "migrate")
    tap.ok(done.code == 0 and "format 2" in done.out and clean(box), "it is migrated", done)
    tap.same(told_older(box), want, "its history and changes are those that the older program told")
    cards = {offer["label"]: offer["cards"] for offer in box.run("offers", "--json", now=OLDER_NOW).json()["offers"] if not offer["doubted"]}
    tap.same(cards, {f"RTX 4090 #{k}": 8 if k == 1 else 1 for k in range(6)}, "a page that was not believed says nothing about what stands")
    tap.ok((box.data / "store.old" / "data.mdb").read_bytes() == backup.read_bytes(), "the older one is kept, byte for byte")
    done = box.run("db", "migrate")
    tap.ok(done.code == 0 and "nothing to do" in done.out, "a second time there is nothing to do", done)
    other = Box(folder / "older-backup")
    done = other.run("db", "restore", backup)
    tap.ok(done.code == 0 and clean(other) and told_older(other) == want, "a backup of that format is migrated on its way in", done)
    rebuilt, kept = older_box(folder, "older-rebuilt"), Box(folder / "older-kept")
    shutil.copytree(archive, rebuilt.data / "archive")
    done = rebuilt.run("db", "rebuild")
    tap.ok(done.code == 0 and clean(rebuilt), "a rebuild takes the place of one of that format", done)
    kept.data.mkdir(parents=True)
    (rebuilt.data / "store.old").rename(kept.data / "store")
    tap.same(told_older(kept), want, "and could read it for what the archive does not tell")
    broken = older_box(folder, "older-broken")
    data = broken.data / "store" / "data.mdb"
    data.write_bytes(data.read_bytes().replace(b"RTX 4090 #3", b"RTX 4090 #4"))
    before = data.read_bytes()
    done = broken.run("db", "migrate")
    tap.ok(done.code == 1 and data.read_bytes() == before and not (broken.data / "store.old").exists(), "a damaged one stays as it is", done)


def check_migrate_kills(tap, folder):
    """SIGKILL at many moments of a migration: the store is that of the one format or of the other, and whole."""
    want, bad, done = gzip.decompress((OLDER / "format2.told.gz").read_bytes()).decode(), [], 0
    begin = time.monotonic()
    older_box(folder, "older-whole").run("db", "migrate")
    whole_s = time.monotonic() - begin
    for i in range(KILLS):
        box = older_box(folder, f"older-{i}")
        child = box.start("db", "migrate")
        time.sleep(1.2 * whole_s * i / KILLS)
        child.kill()
        child.communicate()
        done += "migrate" not in box.run("offers").err
        if not clean(box) or box.run("db", "migrate").code != 0 or told_older(box) != want:
            bad.append(i)
    tap.same(bad, [], f"{KILLS} kills of a migration, {done} of them after its end: none is lost, and the next one ends well")


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
        check_older(tap, folder, box.data / "archive")
        check_migrate_kills(tap, folder)
    tap.done()


main()
