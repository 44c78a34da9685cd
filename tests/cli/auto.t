#!/usr/bin/env python3
"""`auto` reads pages without rules: our own corpus, and the shared pages where they are at hand."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "auto"))
from harness import ROOT, Tap  # noqa: E402
from score import mean_f1, other_pages, own_pages, summary  # noqa: E402

OWN_F1_MIN, SHARED_F1_MIN = 0.99, 0.92  # our own pages are all read right; one that breaks may not hide among hundreds
PAGES_MIN, LAYOUTS_MIN, NEGATIVE_MIN = 342, 74, 111
SHARED = ROOT.parent / "shared" / "data" / "pages"


def worst(pages):
    """The pages that are not read whole, worst first."""
    return "\n".join(f"{page.f1:.2f} {page.path.name}" for page in sorted(pages, key=lambda page: page.f1) if page.f1 < 1)


def check(tap, name, pages, f1_min):
    """No crash, and the mean."""
    crashed = [page.path.name for page in pages if page.crashed]
    tap.ok(not crashed, f"{name}: every page ends with an answer", crashed)
    tap.ok(mean_f1(pages) >= f1_min, f"{name}: mean F1 is at least {f1_min}", f"{summary(pages)}\n{worst(pages)}")


def main():
    """Own pages, then others."""
    tap = Tap()
    pages = own_pages()
    selling = [page for page in pages if page.required]
    negative = [page for page in pages if not page.required]
    tap.ok(len(selling) >= PAGES_MIN and len({page.layout for page in selling}) >= LAYOUTS_MIN and len(negative) >= NEGATIVE_MIN,
           "the corpus is as large as it says", summary(pages))
    check(tap, "own corpus", pages, OWN_F1_MIN)
    tap.ok(mean_f1(selling) >= OWN_F1_MIN, f"own corpus: pages that sell have a mean F1 of at least {OWN_F1_MIN}", worst(selling))
    for page in negative:
        tap.ok(not page.prices, f"nothing is for sale in {page.path.name}", page.prices)
    if (SHARED / "truth").is_dir():
        check(tap, "shared pages", other_pages(SHARED / "raw", SHARED / "truth"), SHARED_F1_MIN)
    else:
        tap.skip("shared pages", "they are not here")
    print(f"# {summary(pages)}")
    tap.done()


main()
