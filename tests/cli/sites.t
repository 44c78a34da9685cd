#!/usr/bin/env python3
"""sites check: rules compile, coverage of cards from the store, labels without a card, saved pages; aliases of a section; sites new."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import ROOT, Box, Folder, Market, Tap, noon, scenario  # noqa: E402

DAY, NEXT = "2026-09-19", "2026-09-20"
JYGPU = ROOT / "tests" / "fixtures" / "jygpu"


def conf_with(folder, name, **keys):
    """The shipped configuration with further lines at the head of sections; the path."""
    text = (ROOT / "sites.conf").read_text(encoding="utf-8")
    for site, lines in keys.items():
        assert f"[site {site}]\n" in text
        text = text.replace(f"[site {site}]\n", f"[site {site}]\n{lines}\n")
    path = Path(folder) / name
    path.write_text(text, encoding="utf-8")
    return path


def check_rules(tap):
    """What is said without a store, and of rules that are wrong."""
    with Folder() as folder:
        box = Box(folder)
        done = box.run("sites", "check")
        tap.ok(done.code == 0 and "jygpu            rules compile" in done.out, "the shipped rules compile", done)
        tap.ok("no store in" in done.out and "after a crawl" in done.out, "without a store that is said, and is no error", done)
        tap.ok(not (box.data / "store").exists(), "and none is made")
        parsed = box.run("sites", "check", "--json").json()
        tap.ok(parsed.get("store") is False and parsed.get("coverage") == [] and parsed.get("labels") == [], "the same as JSON", parsed)
        tap.ok(all(site["compiles"] for site in parsed.get("sites", [{"compiles": False}])), "every site compiles")
        tap.ok(box.run("sites", "check", "nowhere").code == 2, "a site that is none is wrong use")
        tap.ok(box.run("sites", "check", "jygpu", "modal").code == 2, "two sites are wrong use")
        broken = Box(folder, conf=conf_with(folder, "broken.conf", modal="charset = klingon"))
        done = broken.run("sites", "check")
        tap.ok(done.code == 2 and "broken.conf:" in done.err, "a rule that does not compile: exit 2 with file and line", done)


def check_aliases(tap):
    """An alias must name a card of the catalogue."""
    with Folder() as folder:
        for lines, words in ((("alias.NVIDIA-RTX-409O = x"), "did you mean \"NVIDIA-RTX-4090"), ("alias.4090 = x", "did you mean \"NVIDIA-RTX-4090\""),
                             ("alias.Zebra = x", "no card \"Zebra\"")):
            box = Box(folder, conf=conf_with(folder, "alias.conf", jygpu=lines))
            line = next(number for number, text in enumerate(box.conf.read_text(encoding="utf-8").splitlines(), 1) if text == lines)
            done = box.run("sites", "check", "jygpu")
            tap.ok(done.code == 2 and f"alias.conf:{line}: " in done.err and words in done.err, f"{lines}: refused with its place", done)
            parsed = box.run("parse", "jygpu", JYGPU / "table-plain.html")
            tap.ok(parsed.code == 2 and words in parsed.err, f"{lines}: by parse as well", parsed)
        box = Box(folder, conf=conf_with(folder, "alias.conf", jygpu="alias.NVIDIA-L40S = 昇腾 910B\n  算力卡甲"))
        skus = [offer["sku"] for offer in box.run("parse", "jygpu", JYGPU / "table-plain.html", "--json").json().get("offers", [])]
        tap.ok("NVIDIA-L40S" in skus and "ASCEND-910B" not in skus, "an alias of the user wins over the catalogue", skus)
        page = Path(folder) / "cards.html"
        page.write_text((JYGPU / "table-plain.html").read_text(encoding="utf-8").replace("4090", "算力卡甲"), encoding="utf-8")
        skus = [offer["sku"] for offer in box.run("parse", "jygpu", page, "--json").json().get("offers", [])]
        tap.ok(skus.count("NVIDIA-L40S") == 4, "each line of an alias is a name of its own", skus)


def check_files(tap):
    """A saved page by the site's rules."""
    with Folder() as folder:
        box = Box(folder)
        good = box.run("sites", "check", "jygpu", "--file", JYGPU / "table-plain.html")
        tap.ok(good.code == 0 and "jygpu: ok, 6 rows, 6 offers, 0 refused, read by table" in good.out, "a page that fits", good)
        parsed = box.run("sites", "check", "jygpu", "--file", JYGPU / "table-plain.html", "--json").json()
        tap.ok(parsed.get("status") == "ok" and parsed.get("rows") == 6 and parsed.get("offers") == 6 and parsed.get("refused") == [],
               "the same as JSON", parsed)
        drifted = box.run("sites", "check", "jygpu", "--file", JYGPU / "cards-plain.html")
        tap.ok(drifted.code == 1 and "drifted" in drifted.out and "auto found 6 rows" in drifted.out, "another layout: exit 1, and why", drifted)
        pages = {
            "login.html": ("<html><body><form>请登录后查看</form></body></html>", "blocked"),
            "empty.html": ("<html><body><p>欢迎使用我们的服务，一切正常。</p></body></html>" * 40, "drifted"),
            "words.html": ((JYGPU / "table-plain.html").read_text(encoding="utf-8").replace("¥", "").translate(str.maketrans("0123456789", "一" * 10)),
                           "drifted"),
        }
        for name, (text, status) in pages.items():
            path = Path(folder) / name
            path.write_text(text, encoding="utf-8")
            done = box.run("sites", "check", "jygpu", "--file", path)
            tap.ok(done.code == 1 and f"jygpu: {status}" in done.out, f"{name}: {status}, exit 1", done)
        tap.ok(box.run("sites", "check", "jygpu", "--file", folder / "nothing").code == 1, "a file that is not there: exit 1")
        tap.ok(box.run("sites", "check", "--file", JYGPU / "table-plain.html").code == 2, "a file without a site: exit 2")


def card(parsed, sku):
    """The sites of one card as {site: counts}."""
    for entry in parsed.get("coverage", []):
        if entry["sku"] == sku:
            return {site["site"]: site for site in entry["sites"]}
    return {}


def check_coverage(tap):
    """What the store has of each card and site."""
    played = scenario(("www.jygpu.com", NEXT, "-", "ch20.stock", "售罄"), ("www.gongjiyun.com", NEXT, "-", ".status", "503"),
                      ("www.jygpu.com", NEXT, "-", "n910b.list", "2486"))
    with Folder() as folder, Market(scenario=played) as market:
        box = Box(folder, market=market)
        box.crawl(DAY)
        box.crawl(NEXT)
        text = box.run("sites", "check", now=noon(NEXT))
        tap.ok(text.code == 0 and "NVIDIA-RTX-4090 " in text.out and "jygpu 2" in text.out, "cards and the sites that have them", text)
        parsed = box.run("sites", "check", "--json", now=noon(NEXT)).json()
        tap.ok(card(parsed, "NVIDIA-RTX-4090").get("jygpu", {}).get("current") == 2, "as JSON", card(parsed, "NVIDIA-RTX-4090"))
        tap.ok(card(parsed, "NVIDIA-H20-96G").get("jygpu", {}).get("sold_out") == 1, "sold out is told apart", card(parsed, "NVIDIA-H20-96G"))
        tap.ok(card(parsed, "ASCEND-910B").get("jygpu", {}).get("doubted", 0) >= 1, "and so is what is doubted", card(parsed, "ASCEND-910B"))
        later = box.run("sites", "check", "--json", now="2026-09-25T02:00:00Z").json()
        tap.ok(card(later, "NVIDIA-RTX-4090").get("jygpu", {}).get("stale") == 2, "what was not seen for days is stale", card(later, "NVIDIA-RTX-4090"))
        before = box.run("sites", "check", "--json", now="2026-09-01T02:00:00Z").json()
        tap.same(before.get("coverage"), [], "before the first crawl there is nothing")
        labels = {(label["site"], label["sku_status"]): label for label in parsed.get("labels", [])}
        tap.ok(("linode", "ambiguous") in labels and len(labels[("linode", "ambiguous")]["candidates"]) == 3, "an ambiguous label has its candidates", labels)
        tap.ok(("aliyun", "unmapped") in labels, "an unmapped label is listed", labels)
        tap.ok("alias.CARD" in text.out and "db rebuild --skus" in text.out, "and what to do is said", text)
        one = box.run("sites", "check", "linode", "--json", now=noon(NEXT)).json()
        tap.ok({site["site"] for entry in one["coverage"] for site in entry["sites"]} == {"linode"}, "one site's alone", one.get("coverage"))
        tap.same([label["site"] for label in one["labels"]], ["linode"], "with its labels alone")
        report = box.run("report", "--format", "md", now=noon("2026-09-21"))
        tap.ok(all(label["label"] in report.out for label in parsed["labels"]), "the weekly report lists the same labels", report)


def value_of(text, key):
    """The value of a key in a printed section."""
    return next((line.split(" = ", 1)[1] for line in text.splitlines() if line.startswith(f"{key} = ")), None)


def check_section(tap, folder, page, printed, name):
    """A proposed section put into a file reads the page as `auto` does."""
    conf = Path(folder) / "proposed.conf"
    conf.write_text(printed, encoding="utf-8")
    site = printed.split("[site ", 1)[1].split("]", 1)[0]
    box = Box(folder, conf=conf)
    kept = ("label", "sku", "cards", "region", "availability")
    prices = ("amount", "currency", "period", "role", "bound")

    def offers(words):
        read = box.run("parse", *words, "--json").json().get("offers", [])
        return sorted(json.dumps([[offer[key] for key in kept], sorted([str([q[key] for key in prices]) for q in offer["quotes"]])], ensure_ascii=False)
                      for offer in read)

    tap.ok(offers((site, page)) == offers(("auto", page)) != [], f"{name}: the printed section reads what auto reads", printed)
    check = box.run("sites", "check", site, "--file", page)
    tap.ok(check.code == 0 and ": ok, " in check.out, f"{name}: and sites check agrees", check)


def check_new(tap):
    """Sections for saved pages."""
    with Folder() as folder:
        box = Box(folder)
        for page, extract in (("table-plain.html", "table"), ("cards-plain.html", "table"), ("answer-plain.json", "json"), ("script-plain.html", "json"),
                              ("table-promotion.html", "table")):
            done = box.run("sites", "new", JYGPU / page)
            tap.ok(done.code == 0 and value_of(done.out, "extract") == extract and "# 6 offers: these rules were run" in done.out, f"{page}: rules", done)
            check_section(tap, folder, JYGPU / page, done.out, page)
        prose = Path(folder) / "prose.txt"
        prose.write_text("8*910B - 15000/月\n8*H100 - 75000/月\n8*H800 - 68000/月\n", encoding="utf-8")
        done = box.run("sites", "new", prose, "--currency", "CNY")
        tap.ok(done.code == 0 and value_of(done.out, "extract") == "auto" and "No rules were found" in done.out, "prose: left to auto, and said so", done)
        named = box.run("sites", "new", JYGPU / "table-plain.html", "--url", "https://www.example.com/prices")
        tap.ok("[site example]" in named.out and value_of(named.out, "url") == "https://www.example.com/prices", "a file with an address is named after it", named)
        taken = box.run("sites", "new", JYGPU / "table-plain.html", "--url", "https://www.jygpu.com/markets")
        tap.ok("[site jygpu_2]" in taken.out, "a name that a section has is not given again", taken)
        shop = Path(folder) / "shop.html"
        shop.write_text("<html><body><ul><li>RTX 4090 显卡 ¥12999</li><li>RTX 5090 显卡 ¥16499</li></ul></body></html>", encoding="utf-8")
        done = box.run("sites", "new", shop)
        tap.ok(done.code == 1 and done.out == "" and "nothing to propose" in done.err, "a page that rents out nothing: exit 1", done)
        tap.ok(box.run("sites", "new").code == 2, "without a page it is wrong use")
        tap.ok(box.run("sites", "new", shop, "--currency", "yuan").code == 2, "and so is a currency that is none")
        tap.ok(box.run("sites", "new", folder / "nothing.html").code == 1, "a file that is not there: exit 1")


def check_new_url(tap):
    """Sections for addresses: fetched once, robots.txt asked first."""
    played = scenario(("www.autodl.com", "-", "-", ".robots", "User-agent: *\\nDisallow: /"), ("lambda.ai", "-", "-", ".robots", "503"),
                      ("www.omniyq.com", "-", "-", ".status", "503"))
    with Folder() as folder, Market(scenario=played) as market:
        box = Box(folder, market=market)
        reach = [word for word in market.arguments() if word not in ("--delay", "0")]
        market.forget_log()
        done = box.run("sites", "new", "https://www.jygpu.com/markets", *reach)
        tap.ok(done.code == 0 and "[site jygpu_2]" in done.out and value_of(done.out, "extract") not in (None, "auto"), "an address", done)
        tap.same([line.split()[:3] for line in market.new_log()], [["www.jygpu.com", "GET", "/robots.txt"], ["www.jygpu.com", "GET", "/markets"]],
                 "robots.txt and the page are fetched once each")
        market.forget_log()
        done = box.run("sites", "new", "https://www.autodl.com/", *reach)
        tap.ok(done.code == 1 and "robots.txt" in done.err and "Disallow: /" in done.err, "what robots.txt forbids is not fetched, and the rule is told", done)
        tap.same(len(market.new_log()), 1, "nothing but robots.txt was asked for")
        done = box.run("sites", "new", "https://lambda.ai/instances", *reach)
        tap.ok(done.code == 1 and "503" in done.err, "where robots.txt cannot be had nothing is", done)
        done = box.run("sites", "new", "https://www.omniyq.com/", *reach)
        tap.ok(done.code == 1 and "503" in done.err, "an answer that is no page: exit 1", done)
        done = box.run("sites", "new", "http://127.0.0.1:1/")
        tap.ok(done.code == 1 and done.out == "", "private addresses are not connected to", done)
        tap.ok(not (box.data / "store").exists(), "nothing is stored")


def main():
    """All situations."""
    tap = Tap()
    check_rules(tap)
    check_aliases(tap)
    check_files(tap)
    check_coverage(tap)
    check_new(tap)
    check_new_url(tap)
    tap.done()


main()
