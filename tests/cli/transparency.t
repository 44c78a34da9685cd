#!/usr/bin/env python3
"""What each platform of the sample market discloses, against a table made by reading its pages; and what `transparency` must never say."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import Box, Folder, Market, Tap  # noqa: E402

DAY = "2026-09-20"
NOW = "2026-09-21T01:00:00Z"
ASPECTS = ("stock", "vram", "host", "interconnect", "storage", "tax")
YES, NO, NONE, BAD = "disclosed", "not-seen", "not-examined", "contradictory"
# What the rows of the page (or answer) state, by reading them: stock words or counts; memory of one card, in a cell or beside
# its name; vCPU and RAM; links of several
# cards (none offered: not examined); a storage fee in sites.conf; tax.
TRUTH = {
    "jygpu": (YES, YES, YES, BAD, NONE, NO),
    "gongji": (NO, YES, NO, NO, NONE, NO),
    "autodl": (NO, YES, NO, NONE, YES, NO),
    "gitee": (YES, NO, NO, NO, NONE, NO),
    "omniyq": (NO, NO, NO, NO, NONE, NO),
    "ctyun": (NO, YES, YES, NO, NONE, NO),
    "huaweicloud": (NO, YES, NO, NO, NONE, NO),
    "aliyun": (NO, NO, NO, NO, NONE, NO),
    "tencent": (YES, NO, NO, NO, NONE, NO),
    "beam": (NO, YES, NO, NONE, YES, NO),
    "cerebrium": (NO, YES, NO, NONE, YES, NO),
    "runpod": (NO, YES, NO, NONE, YES, NO),
    "lambda": (NO, YES, YES, NONE, NONE, NO),
    "e2e": (NO, NO, NO, NONE, NONE, NO),
    "verda": (NO, YES, NO, NO, NONE, NO),
    "modal": (NO, YES, NO, NONE, NONE, NO),
}


def states(box, *query):
    """{site: {aspect: state}} of one run."""
    done = box.run("transparency", *query, "--json", now=NOW)
    table = {}
    for row in json.loads(done.out)["aspects"]:
        table.setdefault(row["site"], {})[row["aspect"]] = row["state"]
    return table


def main():
    """One crawl, the table, the filters, the words."""
    tap = Tap()
    with Market() as market, Folder() as folder:
        box = Box(folder, market=market)
        tap.same(box.crawl(DAY).code, 0, "the crawl ends with 0")
        table = states(box)
        for site, truth in TRUTH.items():
            got = tuple(table.get(site, {}).get(aspect) for aspect in ASPECTS)
            tap.same(got, truth, f"{site}: {', '.join(ASPECTS)}")
        tap.ok("not-disclosed" not in {state for site in table.values() for state in site.values()},
               "nothing is called not disclosed while nobody has looked")
        tap.same(sorted(states(box, "site=jygpu")), ["jygpu"], "site= asks for one platform")
        tap.ok(0 < len(states(box, "H100")) < len(table), "a card asks for those that offer it", sorted(states(box, "H100")))
        tap.same(list(table), sorted(table), "platforms stand in order of name")
        text = box.run("transparency", "--lang", "en", now=NOW).out
        tap.ok("judges cost alone" in text and "no ranking" in text, "the report says what it does not judge")
        conf = Path(folder) / "own.conf"
        shipped = Path(box.conf).read_text(encoding="utf-8")
        conf.write_text(shipped.replace("[site omniyq]\n", "[site omniyq]\nfact.fault = - | https://www.omniyq.com | 2026-09-01\n"
                                                           "fact.tax = yes\n"), encoding="utf-8")
        box.conf = conf
        bad = box.run("transparency", now=NOW)
        tap.ok(bad.code == 2 and "fact.tax" in bad.err, "a fact without source and day is refused by name", bad)
        tap.same(box.run("offers", now=NOW).code, 2, "every report refuses it")
        conf.write_text(shipped.replace("[site omniyq]\n", "[site omniyq]\nfact.fault = - | https://www.omniyq.com | 2026-09-01\n"), encoding="utf-8")
        tap.same(states(box)["omniyq"]["fault"], "not-disclosed", "somebody looked and found nothing")
    tap.done()


main()
