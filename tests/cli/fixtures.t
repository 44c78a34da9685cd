#!/usr/bin/env python3
"""Page fixtures: every tests/fixtures/SITE/CASE.expect against what `gputape parse SITE CASE.*` reads. One result an expected line.

An .expect file holds one JSON object a line: {"args": [...]} more arguments for parse; {"page": {...}} what the page as a whole must
give (status, number of offers, follow …); {"find": {...}, ...} names exactly one offer, the other keys are what it must hold. An
expected object matches one that holds its keys; an expected list matches when each of its members is found.
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import ROOT, Box, Folder, Tap  # noqa: E402

FIXTURES = ROOT / "tests" / "fixtures"
ENDINGS = (".html", ".json", ".md", ".js", ".xml")


def holds(have, want):
    """Whether `have` fulfils `want`."""
    if isinstance(want, dict):
        return isinstance(have, dict) and all(holds(have.get(key), value) for key, value in want.items())
    if isinstance(want, list):
        return isinstance(have, list) and all(any(holds(item, wanted) for item in have) for wanted in want)
    return have == want


def read_expect(path):
    """The lines of an .expect file as (line number, object)."""
    lines = enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
    return [(number, json.loads(line)) for number, line in lines if line.strip() and not line.startswith("#")]


def page_of(expect):
    """The page beside an .expect file."""
    return next(page for ending in ENDINGS for page in [expect.with_suffix(ending)] if page.exists())


def check_page(tap, name, parsed, want):
    """The page as a whole; `offers` is a count."""
    have = dict(parsed, offers=len(parsed.get("offers", [])))
    tap.ok(holds(have, want), f"{name}: page", f"want {want}\nhave {json.dumps(dict(have, refused=None), ensure_ascii=False)}")


def check_offer(tap, name, parsed, expected):
    """One offer."""
    want = {key: value for key, value in expected.items() if key != "find"}
    found = [offer for offer in parsed.get("offers", []) if holds(offer, expected["find"])]
    title = f"{name}: {' '.join(str(word) for word in expected['find'].values())}: {' '.join(want)}"
    if len(found) != 1:
        tap.ok(False, title, f"{len(found)} offers match {expected['find']}")
        return
    wrong = {key: found[0].get(key) for key in want if not holds(found[0].get(key), want[key])}
    tap.ok(not wrong, title, f"want {json.dumps({key: want[key] for key in wrong}, ensure_ascii=False)}\n"
                             f"have {json.dumps(wrong, ensure_ascii=False)}")


def check_case(tap, box, expect):
    """One fixture."""
    lines = read_expect(expect)
    name = f"{expect.parent.name}/{expect.stem}"
    arguments = [word for _, line in lines for word in line.get("args", [])]
    done = box.run("parse", expect.parent.name, page_of(expect), "--json", *arguments, now="2026-09-20T02:00:00Z")
    parsed = done.json()
    if not parsed:
        tap.ok(False, f"{name}: is read", done)
        return
    for _, line in lines:
        if "page" in line:
            check_page(tap, name, parsed, line["page"])
        elif "find" in line:
            check_offer(tap, name, parsed, line)


def main():
    """All fixtures, or those whose path holds a word of the command line."""
    tap = Tap()
    cases = [path for path in sorted(FIXTURES.glob("*/*.expect")) if not sys.argv[1:] or any(word in str(path) for word in sys.argv[1:])]
    pages = [path for path in FIXTURES.glob("*/*") if path.suffix in ENDINGS and not path.with_suffix(".expect").exists()]
    tap.same(sorted(str(page) for page in pages), [], "every page has an .expect")
    with Folder() as folder:
        box = Box(folder)
        for case in cases:
            check_case(tap, box, case)
    tap.done()


main()
