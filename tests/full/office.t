#!/usr/bin/env python3
"""The weekly report in LibreOffice (Debian: libreoffice-calc-nogui): the workbook opens, its amounts are numbers and those of the JSON, its Chinese is whole, and a label that
begins like a formula is none, neither in the workbook nor in the CSV. LibreOffice has a profile of its own, no network and a minute."""

import csv
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections import Counter
from decimal import Decimal
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
from harness import Box, Folder, Market, Tap, clean_environment, scenario  # noqa: E402

DAYS, MONDAY = ("2026-09-12", "2026-09-13", "2026-09-19", "2026-09-20"), "2026-09-20T17:00:00Z"
SITES = ("jygpu", "gongji", "autodl", "omniyq")
LABELS = {"l40s": '=HYPERLINK("http://x.example/","L40S")', "l20": "+1+1 L20", "a800": "-2+3 A800", "h800": '@SUM(1,2) H800 "双引号",逗号'}
PLAYED = scenario(*(("www.gongjiyun.com", "2026-09-19", "-", f"{key}.label", text) for key, text in LABELS.items()))
OFFICE_S = 60
CALC, CSV_UTF8 = "Text - txt - csv (StarCalc)", "44,34,76,1"
SHOWN_OF_EACH_SHEET = f"csv:{CALC}:{CSV_UTF8},,0,false,true,true,false,false,-1"
OFFICE, TABLE, TEXT = (f"{{urn:oasis:names:tc:opendocument:xmlns:{name}:1.0}}" for name in ("office", "table", "text"))
REPEATED_MAX = 64
FIRST, CLASSES, EVENTS = "摘要", "各可比组明细", "上新、下架、售罄、条款"
# A class's columns in the workbook, and the JSON's names of the same.
AMOUNTS = {"最低/卡": "low", "上期": "low_before", "期内均价": "week_mean", "期内最低": "week_low", "中位": "median", "家数": "sellers", "报价": "offers"}


class Office:
    """soffice without a window, in a folder of its own."""

    def __init__(self, folder):
        self.folder = folder
        # Where a user may not leave the network behind, nothing in these files points to one that answers.
        alone = ["unshare", "--map-root-user", "--net"]
        self.alone = alone if subprocess.run([*alone, "true"], capture_output=True, check=False).returncode == 0 else []

    def convert(self, path, into, *words):
        """The folder with what the conversion wrote; None when it failed."""
        out = self.folder / f"{path.name}.{into[:4]}"
        line = [*self.alone, "soffice", f"-env:UserInstallation=file://{self.folder}/profile", "--headless", "--norestore", *words, "--convert-to", into, "--outdir", str(out), str(path)]
        done = subprocess.run(line, capture_output=True, check=False, timeout=OFFICE_S, env=clean_environment(HOME=str(self.folder), LANG="C.UTF-8"))
        return out if done.returncode == 0 and out.is_dir() else None


def cells_of(row):
    """(type, value, formula) of each cell; an amount as the decimal that LibreOffice holds, a text as it is shown. What is repeated to the sheet's edge is none."""
    cells = []
    for cell in row:
        kind, value = cell.get(OFFICE + "value-type"), cell.get(OFFICE + "value")
        shown = "\n".join("".join(line.itertext()) for line in cell.iter(TEXT + "p"))
        repeated = int(cell.get(TABLE + "number-columns-repeated", "1"))
        if kind or repeated <= REPEATED_MAX:
            cells += [(kind, Decimal(value) if value else shown, cell.get(TABLE + "formula"))] * repeated
    return cells


def sheets_of(path):
    """Name → rows of a flat OpenDocument file."""
    return {sheet.get(TABLE + "name"): [cells_of(row) for row in sheet.iter(TABLE + "table-row")] for sheet in ET.parse(path).getroot().iter(TABLE + "table")}


def class_rows(rows):
    """The figures of each line that stands below a title with a low, as a dict by the JSON's names."""
    found, title = [], []
    for row in rows:
        words = [value for _, value, _ in row]
        if "最低/卡" in words:
            title = words
        elif title and len(row) > 1:
            found.append({AMOUNTS[name]: cell for name, cell in zip(title, row) if name in AMOUNTS})
    return found


def check_prices(tap, sheets, report):
    """Every class's figures are numbers, and those of the JSON."""
    rows = class_rows(sheets.get(CLASSES, []))
    wrong = [row for row in rows if any(kind not in (None, "float") for kind, _, _ in row.values())]
    tap.ok(rows and not wrong, f"the figures of {len(rows)} classes are of type float", wrong[:3])
    have = Counter(tuple(sorted((name, cell[1]) for name, cell in row.items() if cell[0])) for row in rows)
    want = Counter(tuple(sorted((name, Decimal(str(told[name]))) for name in AMOUNTS.values() if told[name] is not None)) for told in report["classes"] if told["low"])
    tap.ok(len(want) > 10 and have == want, f"and those of the JSON's {want.total()} classes", f"only here {have - want}\nonly there {want - have}")
    screen = next((row for row in sheets[FIRST] if row and row[0][1] == "4090"), [])
    tap.ok({("float", Decimal("1074")), ("float", Decimal("1.96"))} <= {cell[:2] for cell in screen}, "a note behind an amount leaves it a number", screen)


def check_words(tap, box, sheets, shown):
    """Chinese as the terminal has it, in every sheet as it is shown."""
    lines = [line for line in box.run("report", "--width", "200", now=MONDAY).out.splitlines() if line.startswith(("来源", "①", "②", "③"))]
    texts = {value for rows in sheets.values() for row in rows for kind, value, _ in row if kind == "string"}
    tap.ok(len(lines) > 2 and set(lines) <= texts, "the first lines are whole", set(lines) - texts)
    tap.same({name.rsplit("-", 1)[1] for name in shown}, set(sheets), "every sheet can be read")
    read = {value for rows in shown.values() for row in rows for value in row}
    tap.ok(texts <= read and not any("\ufffd" in value for value in read), "no text of a sheet is lost in reading", sorted(texts - read)[:5])


def check_labels(tap, sheets, name):
    """What a platform wrote is a text, whatever it begins with."""
    cells = [cell for rows in sheets.values() for row in rows for cell in row]
    tap.same([cell for cell in cells if cell[2] is not None], [], f"{name}: no cell of any sheet is a formula")
    texts = [value for kind, value, _ in cells if kind == "string"]
    for label in LABELS.values():
        tap.ok(any(label in text for text in texts), f"{name}: {label[:6]}… is there as it was printed")


def check_workbook(tap, box, office, folder):
    """The workbook, typed and as it is shown."""
    path = folder / "week.xlsx"
    tap.same(box.run("report", "--format", "xlsx", "-o", path, now=MONDAY).code, 0, "the workbook is written")
    typed, shown = office.convert(path, "fods"), office.convert(path, SHOWN_OF_EACH_SHEET)
    if not tap.ok(typed and shown, "LibreOffice opens it"):
        return
    sheets = sheets_of(typed / "week.fods")
    tap.ok({FIRST, CLASSES, EVENTS} <= set(sheets), "with its sheets", list(sheets))
    check_prices(tap, sheets, box.run("report", "--json", now=MONDAY).json())
    check_words(tap, box, sheets, {file.stem: list(csv.reader(file.open(encoding="utf-8", newline=""))) for file in shown.glob("*.csv")})
    check_labels(tap, sheets, "workbook")


def check_csv(tap, box, office, folder):
    """The CSV is opened with its formulas evaluated, as a spreadsheet does when asked nothing; that it does shows a file with one."""
    evaluated = f"--infilter={CALC}:{CSV_UTF8},,0,false,true,false,false,false,0,true"
    path, trial = folder / "week.csv", folder / "trial.csv"
    tap.same(box.run("report", "--format", "csv", "--bom", "-o", path, now=MONDAY).code, 0, "the CSV is written")
    trial.write_text("=1+1\n", encoding="utf-8")
    typed, tried = office.convert(path, "fods", evaluated), office.convert(trial, "fods", evaluated)
    if tap.ok(typed and tried, "LibreOffice opens it"):
        tap.same([cell[1] for rows in sheets_of(tried / "trial.fods").values() for cell in rows[0]], [Decimal(2)], "where a formula would be evaluated")
        check_labels(tap, sheets_of(typed / "week.fods"), "CSV")


def main():
    """Two weeks of four platforms."""
    tap = Tap()
    if shutil.which("soffice") is None:
        tap.skip("the weekly report in LibreOffice", "libreoffice-calc-nogui is not installed")
        tap.done()
    with Market(scenario=PLAYED) as market, Folder() as folder:
        box = Box(folder, market=market)
        for day in DAYS:
            tap.same(box.crawl(day, *SITES).code, 0, f"the crawl of {day} ends with 0")
        office = Office(folder)
        check_workbook(tap, box, office, folder)
        check_csv(tap, box, office, folder)
    tap.done()


main()
