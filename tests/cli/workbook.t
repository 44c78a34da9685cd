#!/usr/bin/env python3
"""--format xlsx: a workbook whose numbers are numbers, whose texts are never formulas, the same byte for byte wherever it is made."""

import io
import re
import sys
import xml.etree.ElementTree as ET
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import Box, Folder, Market, Tap, clean_environment, scenario  # noqa: E402
import subprocess  # noqa: E402

MONDAY = "2026-09-20T17:00:00Z"
NS = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
FORMULA = '=HYPERLINK("http://x.example/","L40S 48GB")'
PLAYED = scenario(("www.gongjiyun.com", "-", "-", "l40s.label", FORMULA))


def workbook(box, *words, **env):
    """The bytes."""
    done = subprocess.run(box.command(*words, "--format", "xlsx", now=MONDAY), capture_output=True, check=False, timeout=60,
                          env=clean_environment(**env))
    return done.returncode, done.stdout


def sheets_of(data):
    """Name → rows of (type, value) with the shared strings put in."""
    with zipfile.ZipFile(io.BytesIO(data)) as book:
        strings = ["".join(item.itertext()) for item in ET.fromstring(book.read("xl/sharedStrings.xml"))]
        names = [sheet.get("name") for sheet in ET.fromstring(book.read("xl/workbook.xml")).iter(NS + "sheet")]
        found = {}
        for number, name in enumerate(names, 1):
            rows = []
            for row in ET.fromstring(book.read(f"xl/worksheets/sheet{number}.xml")).iter(NS + "row"):
                cells = []
                for cell in row.iter(NS + "c"):
                    value = cell.findtext(NS + "v")
                    is_text = cell.get("t") == "s"
                    cells.append(("text", strings[int(value)]) if is_text else ("number", float(value)))
                rows.append(cells)
            found[name] = rows
        formulas = [name for name in book.namelist() if name.endswith(".xml") and re.search(rb"<f[ >]", book.read(name))]
    return found, formulas


def check_weekly(tap, box):
    """The report's golden figures, typed."""
    code, data = workbook(box, "report")
    tap.ok(code == 0 and data[:2] == b"PK", "report as xlsx is a zip", code)
    sheets, formulas = sheets_of(data)
    tap.ok(len(sheets) >= 6, "a sheet for each part", list(sheets))
    first = next(iter(sheets.values()))
    texts = [value for row in first for kind, value in row if kind == "text"]
    tap.ok(any("SAMPLE" in text for text in texts), "it says SAMPLE")
    tap.ok(any("租价周报" in text for text in texts), "and what it is", texts[:4])
    row = next((row for row in first if row and row[0] == ("text", "4090")), [])
    tap.ok(("number", 1074.0) in row and ("number", 1.96) in row, "4090: 1074 and 1.96 are numbers", row)
    tap.same(formulas, [], "no formula in any sheet")
    for env in ({"TZ": "America/New_York"}, {"LC_ALL": "C"}, {"LANG": "zh_CN.GB18030"}):
        tap.ok(workbook(box, "report", **env)[1] == data, f"the same bytes with {env}")


def check_hostile(tap, box):
    """A label that a spreadsheet would run."""
    code, data = workbook(box, "offers", "site=gongji")
    sheets, formulas = sheets_of(data)
    texts = [value for rows in sheets.values() for row in rows for kind, value in row if kind == "text"]
    tap.ok(code == 0 and any(text.startswith("=HYPERLINK") for text in texts), "a label that looks like a formula is there as text",
           [text for text in texts if "HYPER" in text])
    tap.same(formulas, [], "and is none")


def check_places(tap, box, folder):
    """Where it is written."""
    path = folder / "board.xlsx"
    done = box.run("offers", "--format", "xlsx", "-o", path, now=MONDAY)
    tap.ok(done.code == 0 and zipfile.is_zipfile(path), "-o writes it", done)
    for words in (("history", "4090", "--since", "2026-09-01"), ("changes", "--since", "2026-09-01"), ("index",), ("audit",), ("health",)):
        code, data = workbook(box, *words)
        tap.ok(code == 0 and sheets_of(data)[0], f"{words[0]} as xlsx", code)


def main():
    """One crawl."""
    tap = Tap()
    with Market(scenario=PLAYED) as market, Folder() as folder:
        box = Box(folder, market=market)
        box.crawl("2026-09-20")
        check_weekly(tap, box)
        check_hostile(tap, box)
        check_places(tap, box, folder)
    tap.done()


main()
