#!/usr/bin/env python3
"""Everything out and back in: the round trip of an export is exact, a file that was touched is refused, and observations are the spans'."""

import collections
import csv
import io
import json
import sys
from pathlib import Path

import jsonschema

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import ROOT, Box, Folder, Market, Tap, noon, scenario, untold  # noqa: E402

DAYS = [f"2026-09-{day:02}" for day in range(13, 21)]
NOW = noon(DAYS[-1])
# Doubts that stay, one that is released by itself, one that a person releases; prices that move; the shipped scenario has failures.
LINES = (("www.autodl.com", DAYS[3], DAYS[4], "r4090.hour", "0.198"), ("www.autodl.com", DAYS[6], "-", "h20.hour", "1.05"),
         ("nebius.com", DAYS[5], "-", "h100.hour", "$30.80"), ("www.autodl.com", DAYS[2], "-", "r5090.hour", "3.50"),
         ("www.gongjiyun.com", DAYS[4], "-", "l20.hour", "4.40"), ("www.jygpu.com", DAYS[2], DAYS[3], ".status", "503"),
         ("www.autodl.com", DAYS[5], DAYS[6], "a40.hidden", "1"))


def seen(box):
    """What readers of the store see, at the end and in the middle."""
    return [box.run(*words, now=at).out for at in (NOW, noon(DAYS[4])) for words in
            (("offers", "--json"), ("history", "--since", DAYS[0], "--format", "json"),
             ("changes", "--since", DAYS[0], "--format", "json"), ("health", "--since", DAYS[0], "--format", "json"))]


def seen_by_times(box):
    """The same without the next run and the alerts' events, which are this machine's and no history."""
    def strip(value):
        if isinstance(value, dict):
            return {key: strip(inner) for key, inner in value.items() if key not in ("next_due",)}
        return [strip(inner) for inner in value] if isinstance(value, list) else value
    return [json.dumps(strip(json.loads(untold(text))), sort_keys=True) for text in seen(box)]


def lines_of(box, *words):
    """An export as objects."""
    return [json.loads(line) for line in box.run("export", *words, now=NOW).out.splitlines()]


def play(folder, market):
    """Days with all that can happen to an offer: a void, a release by hand, a delisting."""
    box = Box(folder, market=market)
    for day in DAYS:
        box.crawl(day)
        if day == DAYS[6]:
            doubted = [offer for offer in lines_of(box) if offer["type"] == "change" and offer["step"] == "doubt" and offer["site"] == "nebius"]
            if doubted:
                box.run("db", "release", doubted[0]["offer"], "looked at", now=noon(day))
    moved = [line for line in lines_of(box) if line["type"] == "change" and "price" in line["changes"]]
    if moved:
        box.run("db", "void", moved[0]["offer"], moved[0]["seq"], "typed wrong", now=NOW)
    return box


def check_content(tap, box):
    """The situations are there, and every observation of every span is."""
    lines = lines_of(box)
    kinds = collections.Counter(line["type"] for line in lines)
    steps = collections.Counter(line["step"] for line in lines if line["type"] == "change")
    told = collections.Counter(word for line in lines if line["type"] == "change" for word in line["changes"])
    for word in ("doubt", "release", "void", "absent", "good"):
        tap.ok(steps[word] > 0, f"the history has a {word}", steps)
    for word in ("appeared", "price", "delisted", "doubted", "released", "voided", "source-failed"):
        tap.ok(told[word] > 0, f"and tells: {word}", told)
    status = collections.Counter(line["status"] for line in lines if line["type"] == "run")
    tap.ok(status["failed"] + status["blocked"] > 0 and status["ok"] > 0, "and failed runs", status)
    tap.ok(any(line["voided"] for line in lines if line["type"] == "observation"), "voided observations are flagged")
    tap.ok(any(line["doubted"] and line["doubt"] for line in lines if line["type"] == "observation"), "doubted ones too, with the sentence")
    spans = box.run("history", "--since", "2026-01-01", "--format", "json", now=NOW).json()["spans"]
    want = collections.Counter()
    for span in spans:
        want[span["offer_id"], span["first"], span["doubted"], span["voided"]] += span["observations"]
    when = {(line["stream"], line["seq"]): line["t"] for line in lines if line["type"] == "run"}
    have = collections.Counter((line["offer"], when[line["stream"], line["first_seq"]], line["doubted"], line["voided"])
                               for line in lines if line["type"] == "observation")
    tap.ok(have == want and sum(have.values()) > 500, f"{sum(have.values())} observations: of each span as many as it has",
           list((have - want).items())[:3] + list((want - have).items())[:3])
    runs = {(line["stream"], line["seq"]): line for line in lines if line["type"] == "run"}
    tap.ok(all(runs[line["stream"], line["seq"]]["t"] == line["t"] and runs[line["stream"], line["seq"]]["read"]
               for line in lines if line["type"] == "observation"), "each in a run that was read, at its time")
    tap.ok(kinds["crawl"] == len(DAYS), "every crawl is there", kinds)


def check_schema(tap, box):
    """Every line is what docs/schema says."""
    schema = json.loads((ROOT / "docs" / "schema" / "export.json").read_text(encoding="utf-8"))
    names = {alternative["$ref"].rsplit("line-", 1)[1] for alternative in schema["oneOf"]}
    kinds = {name: jsonschema.Draft7Validator({**schema["definitions"]["line-" + name], "definitions": schema["definitions"]}) for name in names}
    lines = lines_of(box)
    faults = [(error.message, line) for line in lines for error in kinds[line["type"]].iter_errors(line)]
    tap.ok({line["type"] for line in lines} | {"note"} == names and not faults, f"{len(lines)} lines of {len(names)} kinds are what the schema says", faults[:2])


def check_round(tap, box, folder, name):
    """Out, in, out."""
    first, second = folder / "first.jsonl", folder / "second.jsonl"
    tap.ok(box.run("export", "-o", first, now=NOW).code == 0, f"{name}: exported")
    other = Box(folder / "other")
    done = other.run("import", "--history", first)
    tap.ok(done.code == 0 and "imported" in done.out, f"{name}: imported into an empty folder", done)
    other.run("export", "-o", second)
    tap.ok(first.read_bytes() == second.read_bytes(), f"{name}: the export of it is the file, byte for byte")
    tap.ok(other.run("db", "check").code == 0, f"{name}: db check finds nothing")
    for have, want, what in zip(seen_by_times(other), seen_by_times(box), ("offers", "history", "changes", "health") * 2):
        tap.ok(have == want, f"{name}: {what} are the same", f"{have[:600]}\n{want[:600]}")
    again = other.run("import", "--history", first)
    tap.ok(again.code == 1 and "has a history already" in again.err, f"{name}: not into a folder that has one", again)
    return other


def check_goes_on(tap, box, other, market):
    """The imported history goes on with the next crawl as the original does."""
    day = "2026-09-21"
    other.market = market
    for each in (box, other):
        each.crawl(day, "--force")
    def told(each):
        return [{key: line[key] for key in ("site", "label", "step", "changes", "hour_list", "hour_list_before")}
                for line in lines_of(each, "--since", day) if line["type"] == "change"]
    tap.ok(told(box) == told(other), "the next crawl says the same of both", (told(box)[:3], told(other)[:3]))
    tap.ok(other.run("db", "check").code == 0, "and db check finds nothing")


def check_refusals(tap, box, folder):
    """A file that says something that does not follow from it, or is none."""
    text = box.run("export", now=NOW).out
    lines = text.splitlines(keepends=True)
    place = {}
    for number, line in enumerate(lines):
        place.setdefault(json.loads(line)["type"], number)
    def changed(kind, **values):
        line = json.loads(lines[place[kind]])
        line.update(values)
        return "".join(lines[:place[kind]] + [json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"] + lines[place[kind] + 1:])
    def without(kind):
        return "".join(lines[:place[kind]] + lines[place[kind] + 1:])
    deep = "[" * 100000
    cases = {"an observation's price": changed("observation", hour_list="0.01"), "an observation too few": without("observation"),
             "an offer too few": without("offer"), "a record too few": without("record"),
             "a change too few": without("change"), "no head": without("export"), "another version": changed("export", version=1),
             "a choice": changed("export", complete=False), "a run twice": "".join(lines[:place["run"] + 1] + lines[place["run"]:]),
             "a number out of range": changed("run", seq=1 << 60), "a negative number": changed("run", seq=-1), "a word that is none": changed("run", status="fine"),
             "a number for a text": changed("run", site=7), "an id that jumps": changed("offer", id=1 << 31), "a change to nowhere": changed("change", after=99999999),
             "cut in the middle": text[:len(text) // 2], "cut at a line": "".join(lines[:-40]), "an empty file": "", "no JSON": "type,t\nrun,1\n",
             "deep brackets": deep, "a NUL": "\0" * 100, "a line without end": lines[0] + "{\"type\":\"run\"" + " " * 100000,
             "bytes behind it": text + "x", "an empty line": text + "\n", "other blanks": lines[0].replace(",", ", ", 1) + "".join(lines[1:]),
             "a steps list too long": changed("record", quotes=[{"amount": "1"}] * 40),
             "an amount of many digits": changed("record", hour_list="1" * 40)}
    for name, content in cases.items():
        path = folder / "touched.jsonl"
        path.write_bytes(content.encode("utf-8", "surrogatepass"))
        fresh = Box(folder / "fresh")
        done = fresh.run("import", "--history", path)
        tap.ok(done.code == 1 and done.err.startswith("gputape: ") and "Sanitizer" not in done.err and not (fresh.data / "store").exists() and not (fresh.data / "store.gputape-part").exists(),
               f"refused, and nothing stored: {name}", done)
    path.write_text(box.run("export", "site=autodl").out, encoding="utf-8")
    done = fresh.run("import", "--history", path)
    tap.ok(done.code == 1 and "choice" in done.err, "an export of a choice makes no history", done)


def check_choice(tap, box):
    """QUERY and times."""
    lines = lines_of(box, "site=autodl", "--since", DAYS[2], "--until", DAYS[4])
    tap.ok({line["site"] for line in lines if line["type"] in ("run", "change", "observation")} == {"autodl"}, "a query chooses sites")
    times = [line["t"] for line in lines if line["type"] in ("run", "change", "observation")]
    tap.ok(times and min(times) >= DAYS[2] and max(times) < DAYS[4], "times choose runs", times[:3])
    offers = {line["id"] for line in lines if line["type"] == "offer"}
    tap.ok({line["offer"] for line in lines if line["type"] == "observation"} <= offers, "and what lines refer to comes with them")
    cards = {line["sku"] for line in lines_of(box, "4090") if line["type"] == "observation"}
    tap.ok(cards and all("4090" in card for card in cards), "a card chooses offers", cards)
    tap.ok(box.run("export", "--format", "xml").code == 2 and box.run("export", "nosuchcard").code == 2, "a format or card that is none is a usage error")
    tap.ok(Box(box.data / "nowhere").run("export").code == 1, "without a store there is nothing to export")


def check_csv(tap, box):
    """One table of equal rows."""
    text = box.run("export", "--format", "csv", now=NOW).out
    body = [line for line in text.splitlines() if "SAMPLE" not in line]
    tap.ok(len(text.splitlines()) == len(body) + 2, "sample data is called that at the top and the end")
    rows = list(csv.reader(io.StringIO("\n".join(body))))
    tap.ok(rows[0][:4] == ["type", "t", "seq", "stream"] and all(len(row) == len(rows[0]) for row in rows), "every row has every column", rows[0])
    want = [line for line in lines_of(box) if line["type"] in ("run", "change", "observation")]
    have = [dict(zip(rows[0], row)) for row in rows[1:]]
    tap.ok(len(have) == len(want), "a row a run, change and observation", (len(have), len(want)))
    wrong = [(a, b) for a, b in zip(have, want) for key in ("type", "t", "site", "label", "hour_list", "sku") if a[key] != str(b.get(key) or "")]
    tap.ok(not wrong, "that say what the JSON Lines say", wrong[:1])


def check_openmetrics(tap, box, folder):
    """Families together, series together and in order, nothing twice."""
    path = folder / "metrics.txt"
    tap.ok(box.run("export", "--format", "openmetrics", "-o", path).code == 0, "OpenMetrics are written")
    lines = path.read_text(encoding="utf-8").splitlines()
    tap.ok(lines[-1] == "# EOF" and lines.count("# EOF") == 1, "and end as they must")
    order, last, families, ok = [], None, [], True
    for line in lines[:-1]:
        if line.startswith("#"):
            families += [line.split()[2]] if line.startswith("# TYPE") else []
            continue
        series, _value, when = line.rsplit(" ", 2)
        ok = ok and series.split("{")[0] == families[-1] and (series != (last or [""])[0] or int(when) > last[1])
        if series != (last or [""])[0]:
            order.append(series)
        last = (series, int(when))
    tap.ok(ok and len(order) == len(set(order)) > 100, f"{len(order)} series, each whole, in order of time, in its family")
    want = [line for line in lines_of(box) if line["type"] == "observation" and line["hour_list"]]
    have = [line for line in lines if line.startswith("gputape_hour_list_price{")]
    tap.ok(len(have) == len(want), "every observation with a price by the hour is a sample", (len(have), len(want)))


def check_provenance(tap, folder, box):
    """History that is not live: foreign WARC files."""
    warcs = sorted((box.data / "archive").glob("*.warc.gz"))
    other = Box(folder / "warc")
    done = other.run("archive", "import", *warcs, now=NOW)
    lines = lines_of(other)
    tap.ok(done.code == 0 and {line["provenance"] for line in lines if line["type"] == "run"} == {"warc"}, "a history of provenance warc", done)
    check_round(tap, other, folder / "warc", "warc")


def main():
    """One market, one history."""
    tap = Tap()
    shipped = (ROOT / "tests" / "market" / "scenario.tsv").read_text(encoding="utf-8")
    with Folder() as folder, Market(scenario=shipped + scenario(*LINES)) as market:
        box = play(folder, market)
        check_content(tap, box)
        check_schema(tap, box)
        other = check_round(tap, box, folder, "live")
        check_choice(tap, box)
        check_csv(tap, box)
        check_openmetrics(tap, box, folder)
        check_refusals(tap, box, folder)
        (folder / "warc").mkdir()
        check_provenance(tap, folder, box)
        check_goes_on(tap, box, other, market)
    tap.done()


main()
