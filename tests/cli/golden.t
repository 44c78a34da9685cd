#!/usr/bin/env python3
"""The golden figures on the board, after a crawl of the market's last day: JYGPU's published prices of 2026-09-20."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import Box, Folder, Market, Tap, noon  # noqa: E402

DAY = "2026-09-20"
# label, SKU, cards, month of one card, what it would be without the inferred factor, evidence
CONTAINERS = (
    ("NVIDIA 4090 容器云", "NVIDIA-RTX-4090", 1, "1074", "1130", "inferred"),
    ("华为昇腾 910B 容器云", "ASCEND-910B", 1, "2139", "2138", "inferred"),
    ("NVIDIA H20 容器云", "NVIDIA-H20-96G", 1, "3571", "4464", "inferred"),
)
NODES = (
    ("4090 8 卡裸金属", "NVIDIA-RTX-4090", 8, "990", "printed"),
    ("5090 8 卡裸金属", "NVIDIA-RTX-5090", 8, "1989", "printed"),
    ("昇腾 910B 8 卡裸金属", "ASCEND-910B", 8, "2650", "printed"),
)
# site, label part, field, value: one published figure of each further platform
OTHERS = (
    ("gongji", "4090", "hour_list", "1.98"), ("autodl", "RTX 4090", "hour_list", "1.98"), ("ctyun", "L20", "month_net", "7545"),
    ("aliyun", "gn7e-c16g1.32xlarge", "month_net", "16676"), ("beam", "T4", "hour_list", "0.54"),
    ("cerebrium", "B200", "hour_list", "6.012"), ("omniyq", "8*910B", "month_net", "1875"), ("verda", "1x H200", "hour_list", "3.95"),
    ("lambda", "H100 SXM", "hour_list", "3.99"), ("nebius", "HGX H100", "hour_list", "3.85"), ("runpod", "RTX 5090", "hour_list", "0.99"),
    ("huaweicloud", "2 * NVIDIA T4", "hour_list", "9.84"), ("tencent", "NVIDIA A100", "hour_list", "28.64"),
)


def check_jygpu(tap, offers):
    """Six rows."""
    rows = {offer["label"]: offer for offer in offers if offer["site"] == "jygpu"}
    tap.same(sorted(rows), sorted(row[0] for row in CONTAINERS + NODES), "JYGPU's six offers are on the board")
    for label, sku, cards, month, alternative, evidence in CONTAINERS:
        row = rows.get(label, {})
        have = tuple(row.get(key) for key in ("sku", "cards", "month_net", "month_alt", "evidence"))
        tap.same(have, (sku, cards, month, alternative, evidence), f"{label}: {month} a month, {alternative} without the inferred factor")
    for label, sku, cards, month, evidence in NODES:
        row = rows.get(label, {})
        have = tuple(row.get(key) for key in ("sku", "cards", "month_net", "evidence"))
        tap.same(have, (sku, cards, month, evidence), f"{label}: {month} a month and card")


def main():
    """One crawl."""
    tap = Tap()
    with Market() as market, Folder() as folder:
        box = Box(folder, market=market)
        tap.same(box.crawl(DAY).code, 0, "the crawl ends with 0")
        offers = box.offers()
        check_jygpu(tap, offers)
        for site, part, field, value in OTHERS:
            values = [offer[field] for offer in offers if offer["site"] == site and part in offer["label"]]
            tap.ok(value in values, f"{site} {part}: {field} {value}", values)
        text = box.run("offers", "4090", "delivery=container", now=noon(DAY)).out
        tap.ok("1074" in text and "1130" in text, "the board's text shows both readings", text)
    tap.done()


main()
