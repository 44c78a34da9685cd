#!/usr/bin/env python3
"""The weekly report's first screen, from JYGPU's published prices alone while ten other sources have given nothing: these words, figures and order."""

import re
import sys
import unicodedata
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import ROOT, Box, Folder, Market, Tap, noon  # noqa: E402

DAY, MONDAY = "2026-09-20", "2026-09-20T17:00:00Z"
SITES = ("jygpu", "gongji", "autodl", "ctyun", "huaweicloud", "aliyun", "tencent", "beam", "cerebrium", "omniyq", "gitee")
LINES_MAX, COLUMNS_MAX = 24, 100
SCREEN = """\
GPU 租价周报 2026-W38(09-14~09-20 北京时间)|月付·普通客户·无抢占|720时/月|税:未标明
来源 1/11 正常,10 家无数据(见末)|首周,无环比|人民币
①4090 整机折单卡 990,比容器 1074 低 7.8%,但最低月付 7920
②910B 整机 2650,比容器 2139 高 23.9%
③待核:0.80 系推断;整机标 NVLink 与型号不符
A 单卡容器·包月·1卡起
卡    显存 按量原价/时 折后/卡·月     环比 家数 最低平台 依据 更新
4090  24G  1.96       1074(另解1130)  首周  1   极智算  推断 09-20
910B  64G  4.47       2139(另解2138)  首周  1   极智算  推断 09-20
H20   96G  7.75       3571(另解4464)  首周  1   极智算  推断 09-20
B 8卡裸金属·按月·8卡起
卡    显存   整机折后/月 折后/卡·月 活动/卡·月        环比 依据
4090  8×24G  7920      990      —               首周 标价÷8
5090  8×32G  15910     1989     —               首周 标价÷8
910B  8×64G  21200     2650     2350起,截止未标   首周 标价÷8
5090容器、A800、H800:无可用报价
"""


def sections(names):
    """[defaults] and some sites of the shipped sites.conf."""
    parts = re.split(r"(?m)^(?=\[)", (ROOT / "sites.conf").read_text(encoding="utf-8"))
    heads = {"[defaults]"} | {f"[site {name}]" for name in names}
    return "".join(part for part in parts if part.split("\n", 1)[0].strip() in heads)


def words(text):
    """Lines as their words: spacing is free."""
    return [line.split() for line in text.splitlines() if line.strip()]


def columns(line):
    """Cells of a terminal that the line takes."""
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in line)


def main():
    """One crawl of one source, the report of that week."""
    tap = Tap()
    with Market() as market, Folder() as folder:
        conf = folder / "sites.conf"
        conf.write_text(sections(SITES), encoding="utf-8")
        box = Box(folder, conf=conf, market=market)
        tap.same(box.crawl(DAY, "jygpu", now=noon(DAY)).code, 0, "the crawl of one source ends with 0")
        lines = [line for line in box.run("report", "--width", "100", now=MONDAY).out.splitlines() if "SAMPLE" not in line]
        end = next((i for i, line in enumerate(lines) if line.startswith("==")), len(lines))
        screen = lines[:end]
        for have, want in zip(words("\n".join(screen)), words(SCREEN)):
            tap.same(have, want, want[0][:40])
        tap.same(len(words("\n".join(screen))), len(words(SCREEN)), "no line more or less")
        tap.ok(end <= LINES_MAX, f"at most {LINES_MAX} lines", end)
        widest = max(columns(line) for line in screen)
        tap.ok(widest <= COLUMNS_MAX, f"at most {COLUMNS_MAX} columns", widest)
    tap.done()


main()
