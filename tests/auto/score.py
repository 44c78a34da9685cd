#!/usr/bin/env python3
"""Scores `gputape parse auto` against pages with known answers.

usage: score.py [-v] [--update] [PAGES TRUTH]

A price is found when a row of the page's truth has the same amount, period, currency and card (a card compares by prefix at a dash)
and, where both say it, the same number of cards. Truth rows whose note begins "OPTIONAL:" and rows without a card (CPU machines) are
neither required nor errors; `|` in a cell separates answers that are all right. F1 is reckoned a page and averaged; a page that sells
nothing scores 1 when nothing was found and 0 otherwise. --update writes the table of the layouts into README.md.
"""

import csv
import json
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BEGIN, END = "<!-- table begins -->", "<!-- table ends -->"
RUN_TIMEOUT_S = 60
SHOWN_MAX = 8


def number(text):
    """An amount or a count as a fraction, also "1/4"; None when it is none."""
    try:
        return Fraction(str(text))
    except (ValueError, ZeroDivisionError):
        return None


def plain(name):
    """A card's name as it is compared."""
    return (name or "").upper().replace("QUADRO-", "").replace("_", "-")


def card_fits(want, have):
    """The truth may be less exact than the reading, or more."""
    names = want.split("|")
    return not want or "GPU" in names or any(plain(have).startswith(plain(name)) or have and plain(name).startswith(plain(have))
                                             for name in names)


def word_fits(want, have):
    """A period or a currency; what one side does not know is no contradiction."""
    return not want or not have or have == "unknown" or have in want.split("|") or "unknown" in want.split("|")


def count_fits(want, have):
    """The number of cards."""
    return not want or have is None or have == "" or number(have) in [number(count) for count in want.split("|")]


def row_fits(row, price):
    """True when a truth row is this price."""
    sku, cards, quote = price
    return (number(row["amount"]) == number(quote.get("amount")) and word_fits(row["period"], quote.get("period"))
            and word_fits(row["currency"], quote.get("currency")) and card_fits(row["gpu"], sku) and count_fits(row["cards"], cards))


class Page:
    """One page, what was read in it, and how much of that is right."""

    def __init__(self, path, truth, layout):
        self.path = path
        self.layout = layout
        with open(truth, encoding="utf-8", newline="") as lines:
            rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
        self.required = [row for row in rows if row["gpu"] and not row["note"].startswith("OPTIONAL")]
        self.allowed = [row for row in rows if row not in self.required]
        self.read()
        self.judge()

    def read(self):
        """Runs the program. `crashed` when it did not end by itself with an answer."""
        self.prices, self.crashed = [], True
        program = os.environ.get("GPUTAPE") or str(ROOT / "gputape")
        try:
            done = subprocess.run([program, "parse", "auto", str(self.path), "--json"], capture_output=True, timeout=RUN_TIMEOUT_S,
                                  check=False, cwd=ROOT)
            answer = json.loads(done.stdout.decode("utf-8", "replace"))
        except (subprocess.TimeoutExpired, ValueError):
            return
        self.crashed = done.returncode < 0
        for offer in answer.get("offers", []):
            self.prices += [(offer.get("sku") or "", offer.get("cards"), quote) for quote in offer.get("quotes", [])
                            if quote.get("role") != "derived"]

    def judge(self):
        """Gives each required row one price that fits."""
        used, self.missed = set(), []
        for row in self.required:
            match = next((at for at, price in enumerate(self.prices) if at not in used and row_fits(row, price)), None)
            if match is None:
                self.missed.append(row)
            else:
                used.add(match)
        self.found = len(used)
        self.wrong = [price for at, price in enumerate(self.prices) if at not in used and not self.is_harmless(price)]

    def is_harmless(self, price):
        """True for a price that the truth allows, and for one that repeats a required row."""
        amount = number(price[2].get("amount"))
        return any(number(row["amount"]) == amount for row in self.allowed) or any(row_fits(row, price) for row in self.required)

    @property
    def f1(self):
        """Harmonic mean of precision and recall."""
        if not self.required:
            return 0.0 if self.wrong else 1.0
        return 2 * self.found / (2 * self.found + len(self.missed) + len(self.wrong))

    def show(self, verbose):
        """One line, with the errors below it."""
        print(f"{self.f1:.2f}  required {len(self.required):3} found {self.found:3} wrong {len(self.wrong):3}  {self.path.name}"
              f"{'  CRASHED' if self.crashed else ''}")
        if verbose:
            for row in self.missed[:SHOWN_MAX]:
                print("      missed", row["label"], row["gpu"], row["cards"], row["amount"], row["currency"], row["period"])
            for sku, cards, quote in self.wrong[:SHOWN_MAX]:
                print("      wrong ", sku, cards, *(quote.get(key) for key in ("amount", "currency", "period", "raw")))


def own_pages():
    """The pages beside this file."""
    with open(HERE / "INDEX.tsv", encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [Page(HERE / "pages" / row["file"], HERE / "truth" / f"{row['id']}.tsv", row["layout"]) for row in rows]


def other_pages(folder, truth):
    """Pages of a folder whose names begin with the name of a truth file."""
    found = [(path, next(iter(sorted(Path(folder).glob(f"{path.stem}-*"))), None)) for path in sorted(Path(truth).glob("*.tsv"))]
    return [Page(page, path, "other") for path, page in found if page]


def mean_f1(pages):
    """Every page counts alike, however many prices it has."""
    return sum(page.f1 for page in pages) / len(pages) if pages else 0.0


def share(part, whole):
    """A quotient for a table; a dash where there is nothing to divide by."""
    return f"{part / whole:.3f}" if whole else "-"


def table(pages):
    """The layouts as a markdown table."""
    lines = ["| layout | pages | prices | precision | recall | F1 |", "|---|--:|--:|--:|--:|--:|"]
    for layout in sorted({page.layout for page in pages}, key=lambda name: (name.startswith("sells nothing"), name)):
        mine = [page for page in pages if page.layout == layout]
        required, found, wrong = sum(len(p.required) for p in mine), sum(p.found for p in mine), sum(len(p.wrong) for p in mine)
        lines.append(f"| {layout} | {len(mine)} | {required} | {share(found, found + wrong)} | {share(found, required)} "
                     f"| {mean_f1(mine):.3f} |")
    return "\n".join(lines)


def summary(pages):
    """The totals in one sentence."""
    selling = [page for page in pages if page.required]
    required, found = sum(len(page.required) for page in pages), sum(page.found for page in pages)
    wrong = sum(len(page.wrong) for page in pages)
    clean = sum(not page.wrong for page in pages if not page.required)
    return (f"{len(pages)} pages: mean F1 {mean_f1(pages):.3f} (selling {mean_f1(selling):.3f}; {clean} of {len(pages) - len(selling)} "
            f"that sell nothing yield nothing), precision {share(found, found + wrong)}, recall {share(found, required)}")


def update(pages):
    """Writes the table into README.md."""
    path = HERE / "README.md"
    text = path.read_text(encoding="utf-8")
    head, rest = text.split(BEGIN)
    path.write_text(f"{head}{BEGIN}\n{summary(pages)}\n\n{table(pages)}\n{END}{rest.split(END)[1]}", encoding="utf-8")


def main():
    """Command line."""
    words = [word for word in sys.argv[1:] if not word.startswith("-")]
    pages = other_pages(*words[:2]) if len(words) >= 2 else own_pages()
    for page in pages:
        page.show("-v" in sys.argv)
    if "--update" in sys.argv and len(words) < 2:
        update(pages)
    print(summary(pages))


if __name__ == "__main__":
    main()
