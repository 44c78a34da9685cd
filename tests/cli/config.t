#!/usr/bin/env python3
"""Wrong configuration and wrong use: the place, the word, what was meant, exit 2; never a crash, never a half-read file."""

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import Box, Folder, Tap, clean_environment, program  # noqa: E402

SITE = "[site jygpu]\nurl = https://www.jygpu.com/markets\ncurrency = CNY\n"
# situation, text of the file, what the message must hold
BROKEN = (
    ("unknown key, nearest known one", SITE + "prise = td[2]\n", ["{}:4:", '"prise"', "price"]),
    ("unknown section", "[sight jygpu]\nurl = https://x.example/\n", ["{}:1:", "sight", "site"]),
    ("value that is none of the words", SITE + "extract = tables\n", ["{}:4:", "extract", "table"]),
    ("duration that is none", SITE + "every = often\n", ["{}:4:", "every"]),
    ("number out of range", SITE + "hours_per_month = 9999\n", ["{}:4:", "hours_per_month"]),
    ("key twice", SITE + "currency = USD\n", ["{}:4:", "currency"]),
    ("section twice", SITE + SITE, ["{}:4:", "jygpu"]),
    ("line without a sign", SITE + "label td[1]\n", ["{}:4:"]),
    ("key before any section", "url = https://x.example/\n", ["{}:1:"]),
    ("bytes that are no UTF-8", SITE.encode() + b"title = \xff\xfe\n", ["{}:4:"]),
    ("a NUL byte", SITE.encode() + b"title = a\0b\n", ["{}:4:"]),
)
# what only the compiler of the rules can see: `sites check`
WRONG_RULES = (
    ("XPath that does not compile", SITE + "extract = table\nrows = //tr[\nlabel = td[1]\n", ":5:"),
    ("jq that does not compile", SITE + "extract = json\nrows = .[ |\n", ":5:"),
    ("regex that does not compile", SITE + "extract = text\nrows = /(?<label>[a-z/\n", ":5:"),
    ("word of a price field that means nothing", SITE + "extract = table\nrows = //tr\nlabel = td[1]\nprice.huor = td[2]\n", ':7: price.huor: "huor"'),
    ("its nearest word", SITE + "extract = table\nrows = //tr\nlabel = td[1]\nprice.month.lst = td[2]\n", '"list"'),
    ("word of a discount field that means nothing", SITE + "extract = table\nrows = //tr\nlabel = td[1]\ndiscount.x = td[2]\n", ':7: discount.x: "x"'),
    ("address without its scheme", "[site x]\nurl = example.com\nextract = auto\n", ":2: url: an address begins with https://"),
    ("scale that is no number", SITE + "scale = many\n", ":4:"),
)
WRONG_USE = (
    ("no such command", ["ofers"], "offers"),
    ("no such option", ["offers", "--jsn"], "--json"),
    ("--now that is no time", ["--now", "yesterday", "offers"], "yesterday"),
    ("a query with an unknown key", ["offers", "delivry=container"], "delivery"),
    ("a format that is none", ["offers", "--format", "pdf"], "pdf"),
    ("a week that is none", ["report", "--week", "2026-W60"], "2026-W60"),
    ("a global option without its value", ["-d"], "-d"),
    ("a global option with an empty value", ["-d", "", "offers"], "-d wants a value"),
    ("a file without a name", ["offers", "-o", ""], "-o wants a value"),
    ("two formats", ["offers", "--json", "--format", "csv"], "one of --json, --format"),
    ("a week before all clocks", ["report", "--week", "0000-W01"], "0000-W01"),
    ("a base that is no week", ["index", "--base", "2026-08"], "2026-08"),
    ("a word too many", ["version", "x"], '"x"'),
    ("a word too many behind an action", ["db", "stat", "x"], '"x"'),
    ("a word too many behind an action of alerts", ["alerts", "list", "x"], '"x"'),
    ("a data folder that is a file", ["-d", "/etc/passwd", "offers"], "/etc/passwd is not a folder"),
    ("a width with words in it", ["offers", "--width", "80x"], "80x"),
    ("a memory that is no number", ["explain", "sku", "4090", "--vram", "24GB"], "24GB"),
    ("alerts a day below nothing", ["alerts", "lint", "--max", "-1"], "-1"),
    ("--delay without --connect-to", ["crawl", "--delay", "0"], "--connect-to"),
)


def write(folder, text):
    """A configuration file."""
    path = folder / "sites.conf"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def check_broken(tap, folder):
    """Every row: exit 2 and all words."""
    for name, text, words in BROKEN:
        path = write(folder, text)
        done = Box(folder, conf=path).run("sites", "list")
        wanted = [word.format(path) for word in words]
        tap.ok(done.code == 2 and all(word in done.err for word in wanted), f"{name}: exit 2 with file, line and word",
               f"{wanted}\n{done}")
    for name, text, place in WRONG_RULES:
        done = Box(folder, conf=write(folder, text)).run("sites", "check")
        tap.ok(done.code == 2 and place in done.out + done.err, f"{name}: found by sites check, with its line", done)


def check_files(tap, folder):
    """Files and folders that are not there or not for us."""
    missing = Box(folder, conf=folder / "none.conf").run("sites", "list")
    tap.ok(missing.code != 0 and "none.conf" in missing.err, "a configuration that is not there is named", missing)
    empty = Box(folder / "empty").run("offers", now="2026-09-20T02:00:00Z")
    tap.ok(empty.code == 1 and "crawl" in empty.err, "no store yet: says how to make one", empty)


def check_prefix(tap, folder):
    """Installed with any prefix the program finds the configuration that came with it; --version needs none."""
    (folder / "bin").mkdir()
    moved = Path(shutil.copy(program(), folder / "bin"))
    run = {"capture_output": True, "text": True, "check": False, "env": clean_environment(), "timeout": 60}
    version = subprocess.run([moved, "--version"], **run)
    tap.ok(version.returncode == 0 and version.stdout.startswith("gputape "), "--version tells the version", version)
    share = folder / "share" / "gputape"
    if not Path("/etc/gputape/sites.conf").exists():
        lone = subprocess.run([moved, "sites", "list"], **run)
        tap.ok(lone.returncode == 2 and str(share) in lone.stderr, "where it looked for a configuration is told", lone)
    share.mkdir(parents=True)
    (share / "sites.conf").write_text(SITE, encoding="utf-8")
    found = subprocess.run([moved, "sites", "list"], **run)
    tap.ok(found.returncode == 0 and "jygpu" in found.stdout, "the shipped configuration is that of the program's prefix", found)


def check_use(tap, folder):
    """Every row: exit 2 and the word."""
    for name, words, expected in WRONG_USE:
        box = Box(folder)
        done = subprocess.run([program(), "-c", str(box.conf), "-d", str(box.data)] + words if words[0] not in ("-d", "--now")
                              else [program(), "-c", str(box.conf)] + words, capture_output=True, text=True, check=False,
                              env=clean_environment(), timeout=60)
        tap.ok(done.returncode == 2 and expected in done.stderr, f"{name}: exit 2", f"{done.returncode} {done.stderr}")


def check_unreadable(tap, folder):
    """A data folder that belongs to somebody else, seen by an unprivileged user."""
    if os.geteuid() != 0:
        tap.skip("a data folder that may not be written is named", "needs root to become somebody else")
        return
    closed = folder / "closed"
    closed.mkdir(mode=stat.S_IRWXU)
    for path in (folder, *folder.parents):
        if path != Path("/") and path.stat().st_mode & 0o005 != 0o005 and path.stat().st_uid == 0 and str(path).startswith("/tmp/gputape"):
            path.chmod(0o755)
    copied = folder / "sites.conf"
    copied.write_bytes((Path(__file__).resolve().parents[2] / "sites.conf").read_bytes())
    copied.chmod(0o644)
    copy = folder / "gputape"
    copy.write_bytes(Path(program()).read_bytes())
    copy.chmod(0o755)
    line = [str(copy), "-c", str(copied), "-d", str(closed / "data"), "crawl", "jygpu"]
    done = subprocess.run(line, capture_output=True, text=True, check=False, env=clean_environment(), timeout=60, user=65534,
                          group=65534, extra_groups=[], cwd="/")
    tap.ok(done.returncode == 1 and str(closed) in done.stderr, "a data folder that may not be written is named", done.stderr)
    readable = Box(folder / "readable")
    readable.run("alerts", "deliver")
    for path in (folder / "readable", *(folder / "readable").rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    line = [str(copy), "-c", str(copied), "-d", str(readable.data), "offers"]
    done = subprocess.run(line, capture_output=True, text=True, check=False, env=clean_environment(), timeout=60, user=65534,
                          group=65534, extra_groups=[], cwd="/")
    tap.ok(done.returncode == 1 and "lock.mdb" in done.stderr, "a store that may be read but not locked: what is missing is told", done.stderr)


def main():
    """All situations."""
    tap = Tap()
    with Folder() as folder:
        check_broken(tap, folder)
        check_files(tap, folder)
        check_use(tap, folder)
        check_prefix(tap, folder)
        check_unreadable(tap, folder)
        shipped = Box(folder).run("sites", "check")
        tap.ok(shipped.code == 0, "every rule of the shipped sites.conf compiles", shipped)
    tap.done()


main()
