"""The Chinese hosts of the sample market, each in the shape that its real page or answer is documented to have."""

from page import Page, document, escape, json_page, number, table


def jygpu_price(item):
    """The first price cell: the list price with its unit."""
    return f"¥{item['list']}/{'时' if 'fold' in item else '月'}"


def jygpu_sale(item):
    """The second price cell: what is left after discounts, with the words that the page puts before it."""
    if "fold" in item:
        return f"月付 {item['fold']} 折后 ¥{item['sale']}/时"
    return f"折后 ¥{item['sale']}/月"


def jygpu_markets(host, _request):
    """极智算's market: containers by the hour, eight-card nodes by the month."""
    rows = [(item["label"], item["spec"], jygpu_price(item), jygpu_sale(item), item.get("promo", ""), item.get("stock", "有货"))
            for item in host.offers()]
    body = ("<h1>算力市场</h1>\n<p>容器云按小时计费，也可月付；裸金属按月租用整机。</p>\n"
            + table(("产品", "配置", "价格", "优惠价", "活动", "库存"), rows))
    return Page(document("算力市场", body))


def gongji_card(item):
    """One box of 共绩's price page."""
    lines = [f"<h3>{escape(item['label'])} {item['vram']}</h3>"]
    if "hour" in item:
        lines.append(f"<p>按量 <b>¥{item['hour']}</b>/时</p>")
    if "spot" in item:
        lines.append(f"<p>抢占式 <b>¥{item['spot']}</b>/时</p>")
    if "days30" in item:
        lines.append(f"<p>包月 <b>¥{item['days30']}</b>/30天</p>")
    return '<div class="price-card">' + "".join(lines) + "</div>"


def gongji_pricing(host, _request):
    """共绩算力's static price page."""
    cards = "\n".join(gongji_card(item) for item in host.offers())
    return Page(document("价格", f"<h1>弹性算力价格</h1>\n<p>按秒计费，随用随停。</p>\n<div>\n{cards}\n</div>"))


def autodl_home(_host, _request):
    """AutoDL's home page: an empty shell that loads its script."""
    return Page('<!DOCTYPE html>\n<html lang="zh-CN"><head><meta charset="utf-8"><title>AutoDL</title>\n'
                '<script src="https://hm.example.net/count.js"></script></head>\n'
                '<body><div id="app"></div><script src="/assets/home.8c1f2e.js"></script></body></html>\n')


def autodl_bundle(host, _request):
    """The script with the list prices, minified as such scripts are."""
    entries = ",".join(f'{{name:"{item["label"]}",originalPrice:{item["hour"]},desc:"1卡起租"}}' for item in host.offers())
    return Page(f'(()=>{{"use strict";const t=3600,e=[{entries}];window.__gpus=e;/* 示例数据 */}})();\n', "application/javascript")


def omniyq_text(host, _request):
    """云擎天下's page of plain lines; the one host that still speaks GBK."""
    lines = "\n".join(f"<p>8*{item['label']} - {item['month']}/月</p>" for item in host.offers())
    body = f"<h2>算力租赁</h2>\n<p>整机租赁，一台起租，机房直供。</p>\n{lines}"
    return Page(document("算力租赁", body, meta="gb2312"), charset="gbk", says_charset=False)


def gitee_products(host, request):
    """模力方舟's machines, ten a page."""
    first = (int(request.query.get("page", "1")) - 1) * 10
    items = [{"id": key, "gpu_model": item["label"], "gpu_num": item["cards"], "hour_price": number(item["hour"]),
              "gpu_idle": item["idle"]} for key, item in host.items.items() if "hidden" not in item]
    return json_page({"items": items[first:first + 10]})


def ctyun_overview(host, _request):
    """天翼云's overview: one table, prices of whole machines."""
    headings = ("规格名称", "vCPU", "内存", "显存", "显卡数", "显卡类型", "按需价格（元/小时）", "价格（元/月）")
    rows = [tuple(item[key] for key in ("spec", "vcpu", "ram", "vram", "cards", "label", "hour", "month")) for item in host.offers()]
    return Page(document("GPU云主机价格总览", "<h1>GPU云主机价格总览</h1>\n" + table(headings, rows)))


def huawei_plan(mode, count, amount):
    """One entry of a planList."""
    return {"billingMode": mode, "periodNum": count, "amount": number(amount)}


def huawei_product(host, request):
    """The calculator's answer for one region."""
    region = request.query.get("region", "cn-north-4")
    machines = []
    for item in host.offers():
        plans = [huawei_plan("ONDEMAND", None, item["hour"]), huawei_plan("MONTHLY", 1, item["month"]),
                 huawei_plan("YEARLY", 1, item["year"]), huawei_plan("RI", 1, "0")]
        machines.append({"resourceSpecCode": item["code"], "cpu": f"{item['vcpu']}BSSUNIT.pluralUnit.23", "mem": f"{item['mem']}GB",
                         "acceleratorCard": item["card"], "imageSpec": "linux", "planList": plans})
    return json_page({"region": region, "product": {"ec2_vm": machines}})


def aliyun_prices(host, _request):
    """The file of list prices: one key an instance type and region, prices as texts."""
    def price(amount):
        return [{"price": amount, "period": "1"}]

    prices = {}
    for item in host.offers():
        for region in ("cn-beijing", "cn-hangzhou"):
            prices[f"{region}::{item['type']}::vpc::linux::optimized"] = {
                "hours": price(item["hour"]), "weeks": [], "months": price(item["month"]), "years": []}
    return json_page({"currency": "CNY", "version": "v1.0", "pricingInfo": prices})


def tencent_quota(item, mode, price):
    """One instance type under one charge type."""
    return {"Zone": "ap-guangzhou-6", "InstanceType": item["type"], "InstanceChargeType": mode, "GpuCount": item["cards"],
            "Externals": {"GPUDesc": item["card"]} if item["card"] else {}, "Status": item.get("stock", "SELL"), "Price": price}


def tencent_quotas(item):
    """All charge types of one instance type."""
    yield tencent_quota(item, "POSTPAID_BY_HOUR", {"UnitPrice": number(item["hour"]), "UnitPriceDiscount": number(item["sale"])})
    yield tencent_quota(item, "PREPAID", {"OriginalPrice": number(item["month"]), "DiscountPrice": number(item["month_sale"])})
    if "spot" in item:
        yield tencent_quota(item, "SPOTPAID", {"UnitPrice": number(item["hour"]), "UnitPriceDiscount": number(item["spot"])})


def tencent_infos(host, request):
    """The purchase page's interface: a POST that names the action."""
    if b"DescribeZoneInstanceConfigInfos" not in request.body:
        return json_page({"code": 400, "data": None})
    quotas = [quota for item in host.offers() for quota in tencent_quotas(item)]
    return json_page({"code": 0, "data": {"Response": {"InstanceTypeQuotaSet": quotas}}})


def shengsuan_shell(_host, _request):
    """胜算云's hashrate page: an empty shell; a browser that runs its script shows the prices."""
    return Page('<!DOCTYPE html>\n<html lang="zh-CN"><head><meta charset="utf-8"><title>算力</title>\n'
                '<link rel="stylesheet" href="/static/app.css"></head>\n'
                '<body><div id="root"></div><script src="/static/app.js"></script></body></html>\n')


def shengsuan_script(_host, _request):
    """Fetches the list and builds a card of each entry, after the page has loaded and in two steps, as such applications do."""
    return Page('const card = o => `<li class="card"><h3>${o.name}（${o.price}元/时）</h3><p>显存 ${o.memory}GB</p></li>`;\n'
                'window.addEventListener("load", async () => {\n'
                '  const pages = (await (await fetch("/api/hashrate")).json()).pages;\n'
                '  const lists = await Promise.all(pages.map(async p => (await fetch(p)).json()));\n'
                '  const cards = lists.flat().map(card).join("");\n'
                '  document.getElementById("root").innerHTML = `<h1>算力价格</h1><ul>${cards}</ul><footer>SAMPLE / 示例数据</footer>`;\n'
                '});\n', "application/javascript")


def shengsuan_index(_host, _request):
    """Names the two halves of the list."""
    return json_page({"pages": ["/api/hashrate/0", "/api/hashrate/1"]})


def shengsuan_half(host, request):
    """Every second offer."""
    half = int(request.path[-1])
    return json_page([{"name": item["label"], "price": number(item["hour"]), "memory": item["vram"]} for item in host.offers()[half::2]])


ROUTES = {
    "www.jygpu.com": {"/markets": jygpu_markets},
    "www.gongjiyun.com": {"/pricing": gongji_pricing},
    "www.autodl.com": {"/home": autodl_home, "/assets/home.8c1f2e.js": autodl_bundle},
    "www.omniyq.com": {"/h-col-104.html": omniyq_text},
    "ai.gitee.com": {"/api/base/market/products": gitee_products},
    "www.ctyun.cn": {"/document/10029787/10047957": ctyun_overview},
    "portal.huaweicloud.com": {"/api/calculator/rest/cbc/portalcalculatornodeservice/v4/api/productInfo": huawei_product},
    "g.alicdn.com": {"/aliyun/ecs-price-info/2.0.375/price/download/instancePrice.json": aliyun_prices},
    "workbench.cloud.tencent.com": {"/cgi/api": tencent_infos},
    "www.shengsuanyun.com": {"/hashrate": shengsuan_shell, "/static/app.js": shengsuan_script, "/api/hashrate": shengsuan_index,
                             "/api/hashrate/0": shengsuan_half, "/api/hashrate/1": shengsuan_half},
}
