#!/usr/bin/env python3
"""What somebody does who has only the README: odd files, odd words, rules that loop. It ends soon, says why, and breaks nothing."""

import fcntl
import os
import pty
import stat
import struct
import subprocess
import sys
import termios
import time
import unicodedata
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import Box, Folder, Tap, program  # noqa: E402

PAGE = ("<html><table id=gpu><tr><th>GPU</th><th>Price</th></tr>"
        "<tr><td>RTX 4090</td><td>$0.50/hr</td></tr></table></html>")
SECTION = "[site mine]\ntitle = Mine\nurl = https://example.com/pricing\ncurrency = USD\nproof = unproven\n"
TABLE = "extract = table\nrows = //tr[td]\nlabel = td[1]\nprice = td[2]\n"
PAGE_SECONDS_MAX = 10
SLACK_SECONDS = 8


def box_of(folder, rules):
    """A box whose configuration is one section."""
    conf = Path(folder) / "mine.conf"
    conf.write_text(SECTION + rules, encoding="utf-8")
    return Box(folder, conf=conf)


def check_rules_that_loop(tap):
    """jq has no limits of its own: the child that reads first has."""
    programs = {"an endless program": "def f: f; f", "endless memory": "[range(1e9)]", "endless depth": "def f: 1+f; f"}
    for name, program in programs.items():
        with Folder() as folder:
            box = box_of(folder, f"extract = json\nrows = {program}\nlabel = l\nprice = p\n")
            page = Path(folder) / "page.json"
            page.write_text('{"a":[{"l":"RTX 4090","p":"$1/hr"}]}', encoding="utf-8")
            start = time.monotonic()
            done = box.run("parse", "mine", page)
            took = time.monotonic() - start
            tap.ok(done.code == 1 and "reading the page by these rules" in done.err, f"{name}: refused, with a reason", done)
            tap.ok(took < PAGE_SECONDS_MAX + SLACK_SECONDS, f"{name}: in bounded time", f"{took:.1f} s")


def check_pages_that_stall(tap):
    """Pages on which libxml2's time is quadratic are refused before it sees them."""
    pages = {"HTML_OPEN_COMMENTS_MAX": "<!--" * 500000, "HTML_TAG_ATTRIBUTES_MAX": "<p" + " a=1" * 50000 + ">",
             "HTML_DEPTH_MAX": "<div>" * 200000}
    for cap, piece in pages.items():
        with Folder() as folder:
            page = Path(folder) / "page.html"
            page.write_text(piece + PAGE, encoding="utf-8")
            start = time.monotonic()
            done = box_of(folder, TABLE).run("parse", "mine", page)
            took = time.monotonic() - start
            tap.ok(done.code == 1 and cap in done.err, f"{cap}: the page is refused by name", done)
            tap.ok(took < PAGE_SECONDS_MAX / 2, f"{cap}: quickly", f"{took:.1f} s")


def check_outputs(tap):
    """-o never puts a file in the place of a device, pipe, folder or link. The device is one of this test's own."""
    with Folder() as folder:
        box = box_of(folder, TABLE + "enabled = no\n")
        target, link, pipe = Path(folder) / "out.txt", Path(folder) / "link", Path(folder) / "pipe"
        made = box.run("crawl")  # nothing is enabled: a store, and no request
        tap.ok(made.code == 0 and box.data.exists(), "a crawl of nothing makes a store", made)
        target.write_text("old", encoding="utf-8")
        link.symlink_to(target)
        done = box.run("offers", "-o", link)
        tap.ok(done.code == 0 and link.is_symlink() and target.read_text(encoding="utf-8") != "old",
               "what a link leads to is replaced, not the link", done)
        os.mkfifo(pipe)
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        done = box.run("offers", "-o", pipe)
        got = os.read(reader, 1 << 16)
        os.close(reader)
        tap.ok(done.code == 0 and got and stat.S_ISFIFO(pipe.stat().st_mode), "a pipe is written to and stays one", done)
        done = box.run("offers", "-o", folder)
        tap.ok(done.code == 1 and "is a folder" in done.err, "a folder is refused", done)


def check_words(tap):
    """Typos are told, not obeyed."""
    bad = {"url = ftp://x": "ftp", "url = file:///etc/passwd": "file", "url = example.com": "url",
           "header = no colon": "header"}
    for line, word in bad.items():
        with Folder() as folder:
            key = line.split(" ", 1)[0]
            kept = "".join(row for row in SECTION.splitlines(True) if not row.startswith(f"{key} "))
            conf = Path(folder) / "mine.conf"
            conf.write_text(kept + TABLE + line + "\n", encoding="utf-8")
            done = Box(folder, conf=conf).run("sites", "check")
            tap.ok(done.code == 2 and word in done.out + done.err, f"sites check refuses {line!r}", done)
    with Folder() as folder:
        box = box_of(folder, TABLE)
        done = box.run("sites", "check")
        tap.ok(done.code == 0, "sites check takes a section in order", done)
        done = box.run("crawl", "--connect-to", "x")
        tap.ok(done.code == 2 and not box.data.exists(), "a malformed --connect-to makes no store", done)
        done = box.run("offers", "--currency", "US")
        tap.ok(done.code == 2 and "ISO" in done.err, "--currency US is no currency", done)
        done = box.run("report", "--week", "2030-W01", now="2026-09-20T12:00:00Z")
        tap.ok(done.code == 2 and "not begun" in done.err, "a week to come has no report", done)
        done = box.run("report", now="1969-01-01")
        tap.ok("not begun" not in done.err and "(null)" not in done.err, "a day before 1970 is no week to come", done)


def width_of(line):
    """Its columns on a terminal."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in line)


def in_window(columns, *words):
    """What a terminal of so many columns is shown."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    with subprocess.Popen([program(), *words], stdout=theirs, stdin=subprocess.DEVNULL) as process:
        os.close(theirs)
        told = b""
        try:
            while piece := os.read(ours, 1 << 16):
                told += piece
        except OSError:  # the other end is closed
            pass
        os.close(ours)
        process.wait()
    return told.decode().replace("\r\n", "\n").splitlines()


def check_help(tap):
    """Help fits the window but for single words wider than that, and loses no word for it."""
    commands = [line.split()[0] for line in Box("/nonexistent").run("help").out.splitlines() if line.startswith("  ")]
    tap.ok(len(commands) > 20, "help lists the commands", commands)
    for columns in (80, 200):
        wide, lost = [], []
        for name in [*commands, "conf"]:
            lines = in_window(columns, "help", name)
            wide += [line for line in lines if len(line.split()) > 1 and width_of(line) > columns]
            if " ".join(lines).split() != Box("/nonexistent").run("help", name).out.split():
                lost.append(name)
        tap.same((wide, lost), ([], []), f"help in {columns} columns")


def main():
    """All of it."""
    tap = Tap()
    check_help(tap)
    check_rules_that_loop(tap)
    check_pages_that_stall(tap)
    check_outputs(tap)
    check_words(tap)
    tap.done()


main()
