#!/usr/bin/env python3
"""The first screen of the weekly report over the sample market's eight weeks, in both languages, as golden text (weeks.golden; UPDATE=1 writes it anew, to be read in the diff):
moves, promotions, what sold out and came back, each in the week in which it happened. No environment changes a byte, and every other format has the same sentences."""

import os
import sys
from datetime import date, timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import Box, Folder, Market, Tap  # noqa: E402

GOLDEN = Path(__file__).with_name("weeks.golden")
FIRST_MONDAY, WEEKS = date(2026, 7, 27), 8
PLACES = ({"TZ": "America/New_York"}, {"LC_ALL": "C", "TZ": "Asia/Kathmandu"}, {"LANG": "zh_CN.GB18030"}, {"LANG": "tr_TR.UTF-8", "TZ": "Pacific/Apia"})
SITES = ("jygpu", "gongji", "autodl", "omniyq", "gitee", "ctyun", "runpod")


def monday(week):
    """The Monday that a week begins with."""
    return FIRST_MONDAY + timedelta(weeks=week)


def screen_of(text):
    """What stands before the first section."""
    return text.split("\n== ")[0].rstrip("\n") + "\n"


def report(box, week, lang, form, **env):
    """A week's report as it is made on the Monday after."""
    name = "{}-W{:02}".format(*monday(week).isocalendar()[:2])
    return box.run("report", "--week", name, "--lang", lang, "--format", form, "--width", "100", now=f"{monday(week + 1)}T01:00:00Z", env=env).out


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
    screens = []
    with Market() as market, Folder() as folder:
        box = Box(folder, market=market)
        for week in range(WEEKS):
            for day in (monday(week) + timedelta(days=2), monday(week) + timedelta(days=6)):
                box.crawl(str(day), *SITES)
        for lang in ("zh", "en"):
            screens += [check_week(tap, box, week, lang) for week in range(WEEKS)]
    if os.environ.get("UPDATE"):
        GOLDEN.write_text("\n".join(screens), encoding="utf-8")
    wanted = GOLDEN.read_text(encoding="utf-8")
    for have, want in zip(screens, (wanted + "\n").split("*** SAMPLE / 示例数据 ***\n")[1:]):
        tap.same(have.split("\n", 1)[1], want[:-1], want.split("\n", 1)[0][:40])
    tap.same(len(screens), wanted.count("*** SAMPLE"), "as many screens as the golden file has")
    tap.done()


main()
