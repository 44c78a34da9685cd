#!/usr/bin/env python3
"""Discount stacks worked out by hand: a text, a price, who asks, and what it comes to."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import Box, Folder, Tap  # noqa: E402

NOW = "2026-11-30T08:00:00Z"
# text | price | cards in the unit | persona | by the hour | a month per card | the whole unit | what it is about
STACKS = """
月付95折|¥1.96/时|1||1.96|1341||1.96 × 0.95 × 720 = 1340.64; by the hour nobody pays ahead
月付95折, 学生9折|¥1.96/时|1|student|1.764|1207||× 0.95 × 0.90 × 720 = 1206.576
月付95折, 学生9折|¥1.96/时|1||1.96|1341||not a student
全场8折|¥1.96/时|1||1.57|1130||1.568 is rounded by the site, × 720 = 1130.4
全场8折, 月付95折|¥1.96/时|1||1.57|1074||1.57 × 0.95 × 720 = 1073.88
以上优惠不可叠加：月付95折、学生8折|¥1.96/时|1|student|1.568|1129||the better one alone: 1.96 × 0.80 × 720 = 1128.96
以上优惠不可叠加：月付95折、学生8折|¥1.96/时|1||1.96|1341||only one is hers
满1000减100|¥1.96/时|1||1.96|1311||1411.2 − 100
满5000减800|¥1.96/时|1||1.96|1411||the bill does not reach it
新人立减200元|¥1260/月|1|new-customer||1060||
新人立减200元|¥1260/月|1|||1260||
3个月95折，12个月85折|¥1260/月|1|months=12||1071||tiers are alternatives, not factors
3个月95折，12个月85折|¥1260/月|1|months=3||1197||
3个月95折，12个月85折|¥1260/月|1|||1260||
年付8折|¥1260/月|1|pay=year,months=12||1008||
年付8折|¥1260/月|1|pay=month,months=12||1260||who pays monthly does not pay the year ahead
预付一年75折|¥1260/月|1|pay=year,months=12||945||
预付一年75折|¥1260/月|1|pay=month,months=12||1260||
8卡起9折|¥1260/月|1|cards=8||1134||
8卡起9折|¥1260/月|1|||1260||
8卡起9折|¥9900/月|8|||1114|8910|a node of eight is eight cards: 8910 / 8 = 1113.75
8卡以上且租满6个月享8折|¥1260/月|1|cards=8,months=6||1008||
8卡以上且租满6个月享8折|¥1260/月|1|cards=8,months=3||1260||both must hold
8卡95折、16卡9折|¥1260/月|1|cards=16||1134||
8卡95折、16卡9折|¥1260/月|1|cards=8||1197||
钻石会员85折, 黄金会员9折|¥1260/月|1|member=黄金||1134||
钻石会员85折, 黄金会员9折|¥1260/月|1|member=钻石||1071||
钻石会员85折, 黄金会员9折|¥1260/月|1|member=白银||1260||
会员95折|¥1260/月|1|member=白银||1197||any level
夜间5折|¥1260/月|1|||1260||a month is not a night
周末8折|¥1260/月|1|||1260||
续费7折|¥1260/月|1|||1260||
大客户6折|¥1260/月|1|enterprise||1260||a company is no big customer
第二台半价|¥1260/月|1|||1260||
包周95折|¥1260/月|1|||1260||
8折，截止2026-11-11|¥1260/月|1|||1260||over
8折，截止2026-12-11|¥1260/月|1|||1008||
低至5折|¥1260/月|1|||1260||a bound is not multiplied
享30%折扣|¥1260/月|1|||1260||neither is what can be read two ways
30% off|$1000/month|1|||700||
$100 off, 10% off|$1000/month|1|||800||amounts go last: 900 − 100
立减¥100，月付9折|¥1260/月|1|||1034||1134 − 100
Save 20% with annual billing|$1000/month|1|pay=year,months=12||800||
Save 20% with annual billing|$1000/month|1|||1000||
月付7折，企业（3个月以上）额外享5%折扣|¥1800/月|1|enterprise,months=3||1197||1800 × 0.70 × 0.95
月付7折，企业（3个月以上）额外享5%折扣|¥1800/月|1|months=3||1260||
月付9折，可与学生8折叠加|¥1260/月|1|student||907||1260 × 0.72 = 907.2
月付9折，年付8折|¥1260/月|1|pay=year,months=12||1008||
月付9折，年付8折|¥1260/月|1|||1134||
1年8折 3年5折|¥1260/月|1|months=36||630||
1年8折 3年5折|¥1260/月|1|months=12||1008||
9.9折|¥1260/月|1|||1247||1247.4
新用户首单5折|¥1260/月|1|new-customer||630||
企业认证95折|¥1.98/时|1|pay=hour,enterprise|1.881|1354||1.98 × 0.95 × 720 = 1354.32
学生8折，企业9折|¥1260/月|1|enterprise||1134||
全场8折|¥9900/月|8|||990|7920|
全场8折|¥19888/月|8|||1989|15910|15910.4; ÷ 8 = 1988.8
全场8折|¥26500/月|8|||2650|21200|
"""


def main():
    """One result a line."""
    tap = Tap()
    with Folder() as folder:
        box = Box(folder)
        for line in STACKS.strip().splitlines():
            text, price, cards, persona, hour, month, unit, about = line.split("|")
            words = ["explain", "discount", text, "--price", price, "--cards", cards, "--json", "--currency", "USD" if "$" in price else "CNY"]
            done = box.run(*words, *(["--persona", persona] if persona else []), now=NOW)
            stack = done.json().get("stack") or {}
            have = tuple(stack.get(key) or "" for key in ("hour_net", "month_net", "node_month_net"))
            tap.same(have if hour else ("",) + have[1:], (hour, month, unit), f"{text} on {price} for {persona or 'nobody special'} {about}")
            if not stack:
                tap.ok(False, "there is a stack", done)
        refused = box.run("explain", "discount", "8折", "--price", "暂无报价", now=NOW)
        tap.ok(refused.code == 2 and "no price" in refused.err, "a price that is none is refused", refused)
        for cards in ("0", "-3", "99999", "8x", ""):
            tap.ok(box.run("explain", "discount", "8折", "--price", "¥1/时", "--cards", cards).code == 2, f"so are {cards} cards")
        plain = box.run("explain", "discount", "月付95折, 学生8折", "--price", "¥1.96/时", "--currency", "CNY", now=NOW)
        tap.ok("taken, step 1" in plain.out and "not taken (condition)" in plain.out and "1.96 × 0.95 × 720 = 1340.64 → 1341" in plain.out,
               "people read which ones are taken, why others are not, and the formula", plain)
    tap.done()


main()
