#!/usr/bin/env python3
"""What others do with the pages of bench_parse: the five cells of each row. Prints seconds of CPU, offers, and the hash of the cells.

usage: parse_peers.py lxml|parsel|bs4 FOLDER PAGES      Exit 2 when the library is not installed.
"""
import re
import sys
import time

FNV_START, FNV_PRIME, MASK = 0xCBF29CE484222325, 0x100000001B3, (1 << 64) - 1
HAS_CLASS = "contains(concat(' ',normalize-space(@class),' '),' {} ')"
ROWS = f"//table[@id='offers']/tbody/tr[{HAS_CLASS.format('offer')}]"
CLASSES = ["name", "vram", "price-hr", "price-mo", "discount"]


def reader(mode):
    """The function that turns a page's bytes into rows of cells, as each library's users would write it: by class."""
    cells = [f"string(td[{HAS_CLASS.format(name)}])" for name in CLASSES]
    if mode == "lxml":
        from lxml import etree, html
        rows, compiled, parser = etree.XPath(ROWS), [etree.XPath(cell) for cell in cells], html.HTMLParser(encoding="utf-8")
        return lambda page: [[cell(row) for cell in compiled] for row in rows(html.document_fromstring(page, parser=parser))]
    if mode == "parsel":
        from parsel import Selector
        return lambda page: [[row.xpath(cell).get() for cell in cells] for row in Selector(text=page.decode()).xpath(ROWS)]
    from bs4 import BeautifulSoup
    return lambda page: [[row.find("td", class_=name).get_text() for name in CLASSES]
                         for row in BeautifulSoup(page, "lxml", from_encoding="utf-8").find(id="offers").tbody.find_all("tr", class_="offer")]


def main():
    """One warm-up pass that is hashed, one that is timed."""
    mode, folder, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    pages = []
    for i in range(count):
        with open(f"{folder}/{i}.html", "rb") as file:
            pages.append(file.read())
    try:
        read = reader(mode)
    except ImportError:
        sys.exit(2)
    fnv, offers = FNV_START, 0
    for page in pages:
        for row in read(page):
            offers += 1
            for cell in row:
                for byte in re.sub(r"\s+", " ", cell).strip().encode() + b"\x1f":
                    fnv = ((fnv ^ byte) * FNV_PRIME) & MASK
    begin = time.process_time()
    for page in pages:
        read(page)
    print(time.process_time() - begin, offers, f"{fnv:x}")


main()
