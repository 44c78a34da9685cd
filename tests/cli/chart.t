#!/usr/bin/env python3
"""`history --chart` and `index --chart`: pictures by gnuplot, whole or not at all; without it one sentence says what is missing."""

import re
import shutil
import struct
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import ROOT, Box, Folder, Market, Tap, scenario  # noqa: E402

MONDAY = "2026-09-21T01:00:00Z"
HISTORY = ("history", "4090", "--since", "2026-09-01", "--chart")
SPACE = "{http://www.w3.org/2000/svg}"


def check_drawn(tap, box, folder):
    """What gnuplot drew, by both kinds and both languages."""
    if not shutil.which("gnuplot"):
        tap.skip("pictures", "gnuplot is not installed")
        return
    for lang, words in (("zh", ("GPU 租价历史", "4090 24G · 容器", "极智算")), ("en", ("GPU rental price history", "4090 24G · container", "SAMPLE"))):
        path = folder / f"{lang}.svg"
        done = box.run(*HISTORY, path, "--lang", lang, now=MONDAY)
        tap.ok(done.code == 0 and done.out == "", f"{lang}: the picture stands in place of the report", done)
        texts = "\n".join("".join(item.itertext()) for item in xml.fromstring(path.read_bytes()).iter(SPACE + "text"))
        tap.ok(all(word in texts for word in words), f"{lang}: it names period, class and platform", texts)
        again = folder / "again.svg"
        box.run(*HISTORY, again, "--lang", lang, now=MONDAY)
        tap.ok(path.read_bytes() == again.read_bytes(), f"{lang}: drawn twice it is the same")
    path = folder / "index.png"
    done = box.run("index", "--chart", path, now=MONDAY)
    png = path.read_bytes() if done.code == 0 else b""
    tap.ok(png[:8] == b"\x89PNG\r\n\x1a\n" and struct.unpack(">I", png[16:20]) == (2000,) and len(png) > 15000, "the index is a PNG, fine enough for print", done)


def check_refused(tap, box, folder):
    """What cannot be drawn, and what is no picture."""
    none = folder / "none.svg"
    for words, code, said in (((*HISTORY, folder / "x.jpg"), 2, ".svg or .png"), ((*HISTORY, none, "--json"), 2, "in place of the report"),
                              ((*HISTORY, none, "-o", none), 2, "in place of the report"), (("offers", "--chart", none), 2, "--chart"),
                              (("history", "4090", "--since", "2026-09-20T13:00:00Z", "--until", "2026-09-20T13:00:01Z", "--chart", none), 1, "nothing to draw"),
                              (("history", "GT200", "--chart", none), 2, "GT200")):
        done = box.run(*words, now=MONDAY)
        tap.ok(done.code == code and said in done.err and done.err.count("\n") == 1, f"{' '.join(map(str, words[2:]))[:60]}: one sentence says why", done)
    if shutil.which("gnuplot"):
        done = box.run(*HISTORY, folder / "no" / "x.svg", now=MONDAY)
        tap.ok(done.code == 1 and "no/x.svg" in done.err, "a place that cannot be written is named", done)
    tap.ok(not none.exists(), "nothing was written")


def check_programs(tap, folder, market):
    """No gnuplot, and one that fails or draws something else: the file that was there stays."""
    path, fake = folder / "kept.svg", folder / "draw"
    path.write_text("before", encoding="utf-8")
    for script, said in ((None, "gnuplot-nox"), ("exit 3", "code 3"), ("echo no picture", "no SVG"), ("kill -9 $$", "signal 9")):
        conf = folder / "draw.conf"
        if script:
            fake.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
            fake.chmod(0o755)
        shipped = (ROOT / "sites.conf").read_text(encoding="utf-8")
        conf.write_text(f"{shipped}\n[report weekly]\npicture_program = {fake if script else '/nonexistent/gnuplot'}\n", encoding="utf-8")
        done = Box(folder, conf=conf, market=market).run(*HISTORY, path, now=MONDAY)
        tap.ok(done.code == 1 and said in done.err and done.err.count("\n") == 1, f"{script or 'absent'}: one sentence says so", done)
        tap.same(path.read_text(encoding="utf-8"), "before", f"{script or 'absent'}: the file that was there stays")


def check_gap(tap):
    """A line goes on where the next run showed the offer at another price, and breaks where one did not show it."""
    away = scenario(("www.autodl.com", "-", "2026-09-15", "r4090.hour", "2.08"), ("www.autodl.com", "-", "2026-09-15", "r5090.hour", "3.03"),
                    ("www.autodl.com", "2026-09-14", "2026-09-15", "r5090.hidden", "yes"))
    with Market(scenario=away) as market, Folder() as folder:
        box = Box(folder, market=market)
        for day in ("2026-09-13", "2026-09-14", "2026-09-16", "2026-09-17"):
            box.crawl(day, "autodl")
        for card, lines, why in (("4090", 1, "moved"), ("5090", 2, "was away for a run")):
            page = box.run("history", card, "site=autodl", "--since", "2026-09-01", "--format", "html", now=MONDAY).out
            drawn = re.search(rf'<path class="l k0" d="([^"]+)"><title>AutoDL · RTX {card}<', page)
            tap.same(drawn and drawn.group(1).count("M"), lines, f"what {why} is drawn in {lines} piece{'s' * (lines - 1)}")


def main():
    """Two crawls, then the pictures."""
    tap = Tap()
    check_gap(tap)
    with Market() as market, Folder() as folder:
        box = Box(folder, market=market)
        for day in ("2026-09-13", "2026-09-20"):
            tap.same(box.crawl(day, "jygpu", "autodl", "gongji", "runpod").code, 0, f"the crawl of {day} ends with 0")
        check_drawn(tap, box, folder)
        check_refused(tap, box, folder)
        check_programs(tap, folder, market)
    tap.done()


main()
