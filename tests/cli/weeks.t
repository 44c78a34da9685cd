#!/usr/bin/env python3
"""The first screen of the weekly report over the sample market's eight weeks, in both languages, as golden text (weeks.golden; UPDATE=1 writes it anew, to be read in the diff):
moves, promotions, what sold out and came back, each in the week in which it happened. No environment changes a byte, and every other format has the same sentences.
Of the whole reports, in each of the six formats, weeks.digests has the SHA-256 (of a workbook: of its members, whatever packed them)."""

import hashlib
import os
import sys
import zipfile
from datetime import date, timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import Box, Folder, Market, Tap  # noqa: E402

GOLDEN = Path(__file__).with_name("weeks.golden")
DIGESTS = Path(__file__).with_name("weeks.digests")
FORMATS = ("text", "md", "html", "csv", "json", "xlsx")
FIRST_MONDAY, WEEKS = date(2026, 7, 27), 8
PLACES = ({"TZ": "America/New_York"}, {"LC_ALL": "C", "TZ": "Asia/Kathmandu"}, {"LANG": "zh_CN.GB18030"}, {"LANG": "tr_TR.UTF-8", "TZ": "Pacific/Apia"})
SITES = ("jygpu", "gongji", "autodl", "omniyq", "gitee", "ctyun", "runpod")


def monday(week):
    """The Monday that a week begins with."""
    return FIRST_MONDAY + timedelta(weeks=week)


def screen_of(text):
    """What stands before the first section."""
    return text.split("\n== ")[0].rstrip("\n") + "\n"


def report(box, week, lang, form, *words, **env):
    """A week's report as it is made on the Monday after."""
    name = "{}-W{:02}".format(*monday(week).isocalendar()[:2])
    return box.run("report", "--week", name, "--lang", lang, "--format", form, "--width", "100", *words, now=f"{monday(week + 1)}T01:00:00Z", env=env).out


def digest_of(path):
    """A workbook's members lie in a zip, whose bytes are the compressor's."""
    if path.suffix != ".xlsx":
        return hashlib.sha256(path.read_bytes()).hexdigest()
    with zipfile.ZipFile(path) as book:
        return hashlib.sha256(b"".join(name.encode() + b"\n" + book.read(name) for name in book.namelist())).hexdigest()


def digests(box, week, lang):
    """A line for each format of a week's report."""
    lines = []
    for form in FORMATS:
        path = Path(box.data) / f"week.{form}"
        report(box, week, lang, form, "-o", str(path))
        lines.append(f"{monday(week)} {lang} {form} {digest_of(path)}")
    return lines


def check_week(tap, box, week, lang):
    """One week in one language; what its screen is."""
    text = report(box, week, lang, "text")
    for place in PLACES:
        tap.same(report(box, week, lang, "text", **place), text, f"{monday(week)} {lang}: the same with {place}")
    sentences = [line for line in screen_of(text).splitlines() if line[:1] in "①②③④⑤⑥⑦"]
    for form in ("md", "json"):
        other = report(box, week, lang, form).replace("\\", "")
        missing = [line for line in sentences if line[1:] not in other]
        tap.ok(sentences and not missing, f"{monday(week)} {lang}: {form} has its {len(sentences)} sentences", missing)
    return screen_of(text)


def main():
    """Two crawls a week for eight weeks, then the reports."""
    tap = Tap()
    screens, sums = [], []
    with Market() as market, Folder() as folder:
        box = Box(folder, market=market)
        for week in range(WEEKS):
            for day in (monday(week) + timedelta(days=2), monday(week) + timedelta(days=6)):
                box.crawl(str(day), *SITES)
        for lang in ("zh", "en"):
            screens += [check_week(tap, box, week, lang) for week in range(WEEKS)]
            sums += [line for week in range(WEEKS) for line in digests(box, week, lang)]
    if os.environ.get("UPDATE"):
        GOLDEN.write_text("\n".join(screens), encoding="utf-8")
        DIGESTS.write_text("\n".join(sums) + "\n", encoding="utf-8")
    wanted = GOLDEN.read_text(encoding="utf-8")
    for have, want in zip(screens, (wanted + "\n").split("*** SAMPLE / 示例数据 ***\n")[1:]):
        tap.same(have.split("\n", 1)[1], want[:-1], want.split("\n", 1)[0][:40])
    for have, want in zip(sums, DIGESTS.read_text(encoding="utf-8").splitlines()):
        tap.same(have, want, "the whole report of " + want.rsplit(" ", 1)[0])
    tap.same(len(sums), WEEKS * 2 * len(FORMATS), "reports in all formats")
    tap.same(len(screens), wanted.count("*** SAMPLE"), "as many screens as the golden file has")
    tap.done()


main()
