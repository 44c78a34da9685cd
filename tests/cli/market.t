#!/usr/bin/env python3
"""The sample market itself, with a client that is not ours: real TLS, keep-alive, validators, gzip, encodings, a scenario that moves."""

import gzip
import http.client
import json
import socket
import ssl
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import Market, Tap, scenario  # noqa: E402


class Client(http.client.HTTPSConnection):
    """Connects to the market whatever the host's name, and checks the certificate for that name."""

    def __init__(self, market, host):
        context = ssl.create_default_context(cafile=market.folder / "ca.pem")
        super().__init__(host, context=context, timeout=20)
        self.market_port = market.port
        self.context_of_host = context

    def connect(self):
        """To the market's port instead of the host's."""
        plain = socket.create_connection(("127.0.0.1", self.market_port), 20)
        self.sock = self.context_of_host.wrap_socket(plain, server_hostname=self.host)

    def fetch(self, path, method="GET", body=None, **headers):
        """Status, headers, bytes."""
        self.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
        answer = self.getresponse()
        return answer.status, answer.headers, answer.read()


def check_http(tap, market):
    """What a crawler relies on in HTTP."""
    client = Client(market, "www.jygpu.com")
    status, headers, body = client.fetch("/markets", Accept_Encoding="gzip")
    tap.same((status, headers["Content-Type"]), (200, "text/html; charset=utf-8"), "a page has its type and charset")
    tap.ok("¥1.96/时" in gzip.decompress(body).decode(), "gzip is a whole stream and holds the golden price")
    again, _, rest = client.fetch("/markets", Accept_Encoding="gzip", If_None_Match=headers["ETag"])
    tap.same((again, rest), (304, b""), "the validator answers 304 on the same connection")
    plain = client.fetch("/markets")
    tap.ok(plain[1]["ETag"] != headers["ETag"], "each coding has a validator of its own")
    tap.same(client.fetch("/nothing")[0], 404, "an unknown path is 404")
    tap.ok(b"Disallow: /admin/" in client.fetch("/robots.txt")[2], "robots.txt is served")
    tap.same(client.fetch("/markets", "HEAD")[2], b"", "HEAD has no body")


def check_sites(tap, market):
    """Encodings and POST."""
    body = Client(market, "www.omniyq.com").fetch("/h-col-104.html")[2]
    tap.ok("8*910B - 15000/月".encode("gbk") in body and b"gb2312" in body, "one host speaks GBK and calls it gb2312")
    tencent = Client(market, "workbench.cloud.tencent.com")
    answer = json.loads(tencent.fetch("/cgi/api?i=cvm/DescribeZoneInstanceConfigInfos", "POST",
                                      '{"action":"DescribeZoneInstanceConfigInfos"}')[2])
    tap.ok(answer["data"]["Response"]["InstanceTypeQuotaSet"], "an interface answers a POST")
    raw = Client(market, "api.runpod.io").fetch("/graphql", "POST", '{"query":"{gpuTypes{id}}"}')[2].decode()
    tap.ok('"securePrice":0.69,' in raw, "numbers keep their digits")


def check_scenario(tap, market):
    """Prices move with the clock file."""
    def page(day, host, path):
        market.set_day(day)
        return Client(market, host).fetch(path)

    tap.ok("¥2.18/时".encode() in page("2026-07-27", "www.jygpu.com", "/markets")[2], "before the cut: 2.18")
    tap.ok("¥1.96/时".encode() in page("2026-08-17", "www.jygpu.com", "/markets")[2], "from the day of the cut: 1.96")
    tap.ok("18800".encode() in page("2026-08-10", "www.jygpu.com", "/markets")[2], "the promotion has begun")
    tap.ok("18800".encode() not in page("2026-08-31", "www.jygpu.com", "/markets")[2], "the promotion has ended")
    path = "/document/10029787/10047957"
    codes = [page(day, "www.ctyun.cn", path)[0] for day in ("2026-08-18", "2026-08-19", "2026-08-20", "2026-08-21")]
    tap.same(codes, [200, 503, 503, 200], "a host is out of order for two days")
    tap.ok(b"L40S" not in page("2026-08-15", "www.gongjiyun.com", "/pricing")[2], "a card is delisted")
    tap.ok(b"L40S" in page("2026-08-20", "www.gongjiyun.com", "/pricing")[2], "and is back")
    tap.ok(b"c-pricing-table" not in page("2026-08-27", "www.cerebrium.ai", "/pricing")[2], "a layout changes")
    tap.ok(b"$30.80" in page("2026-09-04", "nebius.com", "/prices")[2], "a node's price stands where a card's stood")


def main():
    """Two markets: the shipped scenario, and one that breaks."""
    tap = Tap()
    with Market() as market:
        check_http(tap, market)
        check_sites(tap, market)
        check_scenario(tap, market)
    broken = scenario(("modal.com", "-", "-", ".cut", "100"), ("nebius.com", "-", "-", ".robots", "500"))
    with Market(scenario=broken) as market:
        try:
            Client(market, "modal.com").fetch("/pricing")
            tap.ok(False, "a cut body is noticed")
        except http.client.IncompleteRead:
            tap.ok(True, "a cut body is noticed")
        tap.same(Client(market, "nebius.com").fetch("/robots.txt")[0], 500, "robots.txt may fail")
    tap.ok(market.process.returncode == 0, "the market ends on SIGTERM with 0", market.process.returncode)
    tap.done()


main()
