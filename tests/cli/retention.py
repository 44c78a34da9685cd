"""What the tests of `db compact --keep-pages` share: two months of a market, and whether an archive alone makes the store that it belongs to."""

import shutil
from datetime import date, timedelta

from harness import ROOT, Box, scenario

SITES = ("jygpu", "gongji", "autodl", "runpod")
DAYS = [str(date(2026, 7, 27) + timedelta(days=4 * i)) for i in range(14)]
NOW = "2026-10-02T00:00:00Z"
KEEP = ("db", "compact", "--keep-pages", "30d")
# A price that is doubted to the end, an offer that is gone for good, a page that differs each time.
PLAYED = (ROOT / "tests" / "market" / "scenario.tsv").read_text(encoding="utf-8") + scenario(
    ("www.autodl.com", "2026-08-10", "-", "r4090.hour", "0.198"), ("www.gongjiyun.com", "2026-08-20", "-", "l40s.hidden", "yes"),
    *(("www.gongjiyun.com", day, day, "r5090.hour", f"3.{60 + i}") for i, day in enumerate(DAYS[:-1])))


def exported(box):
    """All that a store is asked for: what a rebuild has to bring back."""
    return box.run("export").out


def archive(box):
    """Names and bytes of the archive's files."""
    return {path.name: path.read_bytes() for path in sorted((box.data / "archive").iterdir())}


def listed(box):
    """The archive's records."""
    return box.run("archive", "list", "--json").json()["records"]


def copy_of(folder, name, box):
    """The same data elsewhere."""
    other = Box(folder / name, market=box.market)
    shutil.copytree(box.data, other.data)
    return other


def rebuilt(folder, box, now=NOW):
    """What a store says that is made of the archive alone; then it is gone again."""
    other = Box(folder / "alone", market=box.market)
    shutil.copytree(box.data / "archive", other.data / "archive")
    done = other.run("db", "rebuild", now=now)
    told = exported(other) if done.code == 0 and other.run("db", "check").code == 0 else str(done)
    shutil.rmtree(other.data)
    return told


def is_whole(box):
    """Verification finds nothing."""
    done = box.run("archive", "verify", "--json")
    return done.code == 0 and done.json()["findings"] == []
