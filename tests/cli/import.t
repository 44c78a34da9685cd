#!/usr/bin/env python3
"""Leads: quotes by phone, mail and contract out of a table: shown apart, never the cheapest of anything; hostile tables are refused by the line."""

import datetime
import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import Box, Folder, Market, Tap, noon  # noqa: E402

NOW = noon("2026-09-20")
HEAD = "card,price,currency,period,cards,delivery,region,source,date,note\n"
GOOD = "RTX 4090,1050,CNY,month,1,bare-metal,East,phone call,2026-09-18,\n"
CHINESE = """型号,价格（元/月）,卡数,交付,地区,来源,日期,备注
RTX 4090,1050,1,裸金属,华东,电话 王经理,2026-09-18,报价有效一周
H20 141G,¥7.2/小时,,,华北,邮件,2026/09/12,
昇腾910B,21000,8,裸金属,,合同,2026年9月1日,八卡整机
"""


def put(box, text, *words, now=NOW):
    """Imports a table."""
    path = Path(box.data).parent / "quotes.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return box.run("import", path, *words, now=now)


def stored(box):
    """The whole history as lines."""
    return box.run("export").out


def check_read(tap, folder):
    """A Chinese table, in every coding that spreadsheets write."""
    boards = []
    for name, encoding in (("utf8", "utf-8"), ("bom", "utf-8-sig"), ("gbk", "gb18030"), ("utf16", "utf-16")):
        box = Box(folder / name)
        box.data.parent.mkdir(exist_ok=True)
        done = put(box, CHINESE.encode(encoding))
        tap.ok(done.code == 0 and "3 leads imported" in done.out, f"a table in {encoding} is imported", done)
        boards.append({offer["label"]: {key: value for key, value in offer.items() if key != "page"} for offer in box.offers(now=NOW)})
    tap.ok(boards[0] == boards[1] == boards[2] == boards[3], "and reads the same", boards)
    lead = boards[0].get("昇腾910B", {})
    tap.ok((lead.get("sku"), lead.get("cards"), lead.get("month_list"), lead.get("delivery")) == ("ASCEND-910B", 8, "2625", "bare-metal"),
           "a node's price is divided by its cards", lead)
    tap.ok((boards[0].get("H20 141G", {}).get("hour_list"), boards[0].get("H20 141G", {}).get("currency")) == ("7.2", "CNY"), "a price says its own period")
    tap.ok(all(offer["provenance"] == "manual" and offer["cheapest"] is False for offer in boards[0].values()), "all are leads")
    tap.ok(boards[0].get("RTX 4090", {}).get("seen") == "2026-09-18T00:00:00Z" and "王经理" in boards[0]["RTX 4090"]["variant"],
           "with their date and source", boards[0].get("RTX 4090"))
    again = put(box, CHINESE)
    tap.ok(again.code == 0 and "0 leads imported, 3 known" in again.out, "a second time nothing is new", again)


def check_twice(tap, folder):
    """Nothing changes the second time; older quotes go to their place."""
    box = Box(folder / "twice")
    box.data.parent.mkdir(exist_ok=True)
    put(box, HEAD + GOOD)
    before, archive = stored(box), sum(path.stat().st_size for path in (box.data / "archive").iterdir())
    put(box, HEAD + GOOD)
    tap.ok(stored(box) == before, "the same file twice changes nothing in the store")
    tap.ok(sum(path.stat().st_size for path in (box.data / "archive").iterdir()) == archive, "nor in the archive")
    late = GOOD.replace("1050", "1100").replace("09-18", "09-19")
    early = GOOD.replace("1050", "990").replace("09-18", "08-01")
    done = put(box, HEAD + late + early)
    tap.ok(done.code == 0 and "2 leads imported" in done.out, "a later and an earlier quote", done)
    offers = box.offers(now=NOW)
    tap.same([(offer["month_list"], offer["seen"][:10]) for offer in offers], [("1100", "2026-09-19")], "the board shows the latest")
    spans = box.run("history", "4090", "--since", "2026-01-01", "--format", "json", now=NOW).json()["spans"]
    tap.same([(span["first"][:10], span["month_list"]) for span in spans], [("2026-08-01", "990"), ("2026-09-18", "1050"), ("2026-09-19", "1100")],
             "the history has all, in order of their dates")
    tap.same([offer["month_list"] for offer in box.offers(now="2026-08-15T00:00:00Z")], ["990"], "and what was known then is shown then")
    tap.ok(box.run("db", "check").code == 0, "db check finds nothing")
    seen = [box.run(*words, now=NOW).out for words in (("offers", "--json"), ("history", "--since", "2026-01-01", "--format", "json"))]
    done = box.run("db", "rebuild", now=NOW)
    tap.ok(done.code == 0, "a rebuild reads the tables out of the archive", done)
    tap.same([box.run(*words, now=NOW).out for words in (("offers", "--json"), ("history", "--since", "2026-01-01", "--format", "json"))], seen,
             "and gives the same")
    other = Box(folder / "moved")
    (folder / "all.jsonl").write_text(stored(box), encoding="utf-8")
    done = other.run("import", "--history", folder / "all.jsonl")
    tap.ok(done.code == 0 and stored(other) == stored(box), "leads go out and in with everything else", done)


def figures(box):
    """What leads must not move. A class that only leads are in has no figure."""
    def of(*words):
        return box.run(*words, "--format", "json", now=NOW).json()
    report = of("report", "--week", "2026-W38")
    return {"class": [row for row in report["classes"] if row["low"] is not None], "move": report["moves"], "crossing": report["crossings"],
            "index": of("index"), "source": of("health")["sources"], "break-even": of("breakeven")["breakeven"]}


def check_apart(tap, folder, market):
    """A lead that would be the lowest of its class is the lowest of nothing."""
    box = Box(folder / "apart", market=market)
    box.data.parent.mkdir(exist_ok=True)
    for day in ("2026-09-12", "2026-09-19", "2026-09-20"):
        box.crawl(day)
    told = box.run("alerts", "list", "--json", now=NOW).out
    before, cheapest = figures(box), [offer["label"] for offer in box.offers(now=NOW) if offer["cheapest"]]
    done = put(box, HEAD + "RTX 4090,600,CNY,month,1,container,,phone,2026-09-20,\nH20,1.5,CNY,hour,1,container,,mail,2026-09-19,\n", "--site", "jygpu")
    tap.ok(done.code == 0, "two bargains by phone and mail", done)
    after = figures(box)
    for name, want in before.items():
        tap.ok(after[name] == want and (want or name == "break-even"), f"no {name} moves",
               next((pair for pair in zip(after[name], want) if pair[0] != pair[1]), (len(after[name]), len(want))))
    tap.same([offer["label"] for offer in box.offers(now=NOW) if offer["cheapest"]], cheapest, "and nothing else is the cheapest")
    report = box.run("report", "--week", "2026-W38", "--format", "json", now=NOW).json()
    apart = [row for row in report.get("apart", []) if row["lead"] and row["site"] == "jygpu"]
    tap.ok(len(apart) >= 1 and any("phone" in json.dumps(row, ensure_ascii=False) for row in apart), "the weekly report lists them apart, with their source", apart)
    text = box.run("report", "--week", "2026-W38", "--lang", "en", now=NOW).out
    tap.ok("Leads" in text and "phone" in text, "for people too")
    tap.same(box.run("alerts", "list", "--json", now=NOW).out, told, "no alert knows of them")


def check_bad(tap, folder):
    """By the line; nothing is stored."""
    box = Box(folder / "bad")
    box.data.parent.mkdir(exist_ok=True)
    cases = {"no price": GOOD.replace("1050", "ask us"), "no currency": GOOD.replace("CNY", ""), "no period": GOOD.replace("month", ""),
             "a period that is none": GOOD.replace("month", "fortnight"), "no source": GOOD.replace("phone call", ""), "no date": GOOD.replace("2026-09-18", ""),
             "a date that is none": GOOD.replace("2026-09-18", "2026-02-30"), "a date to come": GOOD.replace("2026-09-18", "2026-12-18"),
             "an open date": GOOD.replace("2026-09-18", "03/04/2026"), "seconds for a date": GOOD.replace("2026-09-18", "@1"),
             "no card": GOOD.replace("RTX 4090", ""), "a short row": "RTX 4090,1050\n", "a line of a megabyte": GOOD.replace("phone call", "x" * 1000000),
             "many cells": "a," * 5000 + "\n", "a negative price": GOOD.replace("1050", "-1050"), "a price beyond all": GOOD.replace("1050", "9" * 30),
             "a formula for a price": GOOD.replace("1050", "=1050*1"), "two prices as one": GOOD.replace("1050", "1050/990/880")}
    for name, row in cases.items():
        done = put(box, HEAD + GOOD + row)
        tap.ok(done.code == 1 and "line 3" in done.err and "nothing was imported" in done.err and not (box.data / "store").exists(), f"refused with its line: {name}", done)
    for name, text in {"an open quote": HEAD + '"RTX 4090,1050\n' + GOOD * 3, "an empty file": "", "blank lines alone": "\n\n\n", "no heads": GOOD,
                       "a head twice": HEAD.replace("note", "price") + GOOD, "binary": bytes(range(256)) * 100, "JSON": '{"card": "4090"}'}.items():
        done = put(box, text)
        tap.ok(done.code == 1 and done.err.startswith("gputape: ") and not (box.data / "store").exists(), f"no table: {name}", done)
    done = put(box, HEAD + GOOD + "".join(cases.values()), "--skip-bad")
    tap.ok(done.code == 0 and f"1 leads imported, 0 known already, {len(cases)} rows refused" in done.out, "--skip-bad takes the others", done)
    tap.ok(box.run("import").code == 2 and box.run("import", "a", "b").code == 2 and box.run("import", "a", "--history", "b").code == 2, "other words are usage errors")
    tap.ok(box.run("import", folder / "nowhere.csv").code == 1, "a file that is not there")


def check_hostile(tap, folder):
    """Cells that try something are texts, and shown as such."""
    box = Box(folder / "hostile")
    box.data.parent.mkdir(exist_ok=True)
    text = HEAD + '"RTX 4090","1,050",CNY,month,1,,"say ""hi""\nsecond line",=cmd|calc,2026-09-18,"a;b"\r\n' \
        + "H20 \x1b[31m,7.2,CNY,hour,1,,,<script>alert(1)</script>,2026-09-18,\n"
    done = put(box, text)
    tap.ok(done.code == 0 and "2 leads" in done.out, "quotes, line ends, formulas, escapes", done)
    shown = box.run("offers", now=NOW).out + box.run("report", "--week", "2026-W38", now=NOW).out
    tap.ok("\x1b" not in shown and "1050" in shown, "the terminal gets no escape", shown[:400])
    page = box.run("report", "--week", "2026-W38", "--format", "html", now=NOW).out
    tap.ok("<script>alert" not in page and "&lt;script&gt;" in page, "the page no script")
    sheet = box.run("export", "--format", "csv").out
    tap.ok("'=cmd|calc" in sheet and ",=cmd" not in sheet, "the sheet no formula")
    for sign in (";", "\t"):
        other = Box(folder / f"sign{ord(sign)}")
        other.data.parent.mkdir(exist_ok=True)
        tap.ok(put(other, (HEAD + GOOD).replace(",", sign)).code == 0, f"{sign!r} between the cells")


def check_many(tap, folder):
    """A hundred thousand rows."""
    box = Box(folder / "many")
    box.data.parent.mkdir(exist_ok=True)
    day = lambda n: datetime.date(2020, 1, 1) + datetime.timedelta(days=n)
    rows = "".join(f"RTX 4090,{1000 + i % 97},CNY,month,1,container,region {i % 50},source {i % 10},{day(i // 50)},n{i}\n" for i in range(100000))
    begin = time.monotonic()
    done = put(box, HEAD + rows)
    tap.ok(done.code == 0 and "100000 leads imported" in done.out, f"100,000 rows in {time.monotonic() - begin:.1f} s", done)
    again = put(box, HEAD + rows)
    tap.ok("0 leads imported, 100000 known" in again.out, "a second time none", again)
    tap.ok(box.run("db", "check").code == 0, "db check finds nothing")


def main():
    """Everything in folders of its own."""
    tap = Tap()
    with Folder() as folder:
        for sub in ("many", "apart", "bad", "hostile", "twice"):
            (folder / sub).mkdir(exist_ok=True)
        check_read(tap, folder / "bad")
        check_twice(tap, folder / "twice")
        check_bad(tap, folder)
        check_hostile(tap, folder / "hostile")
        with Market() as market:
            check_apart(tap, folder / "apart", market)
        check_many(tap, folder / "many")
    tap.done()


main()
