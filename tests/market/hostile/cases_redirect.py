"""Redirects: where they may lead and where not."""

from case import Case, by_path, raw, redirect, reply

CODES = ("301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent")
PRIVATE = ("127.0.0.1", "127.1", "2130706433", "0x7f.1", "0177.0.0.1", "0", "10.0.0.1", "100.64.0.1", "100.100.100.200", "169.254.169.254",
           "172.16.0.1", "192.0.0.170", "192.168.1.1", "198.18.0.1", "224.0.0.251", "240.0.0.1", "255.255.255.255", "[::]", "[::1]",
           "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::7f00:1]", "[64:ff9b::7f00:1]", "[2001:db8::1]", "[2002:7f00:1::]", "[fc00::1]",
           "[fe80::1]", "[ff02::1]", "localhost")
REFUSED = (("file", "file:///etc/passwd"), ("gopher", "gopher://a.com/1"), ("ftp", "ftp://a.com/x"), ("javascript", "javascript:alert(1)"),
           ("data", "data:text/html,<table></table>"), ("ldap", "ldap://a.com/"), ("dict", "dict://a.com:2628/"), ("blob", "blob:https://a.com/x"),
           ("user", "https://user:pass@landing.hostile.test/prices"), ("port-22", "https://landing.hostile.test:22/"),
           ("port-8080", "http://landing.hostile.test:8080/"), ("port-0", "http://landing.hostile.test:0/"),
           ("port-too-large", "http://landing.hostile.test:99999/"), ("port-a-word", "http://landing.hostile.test:http/"),
           ("no-host", "https:///prices"), ("bracket", "https://[::1/"), ("blank-host", "https://a b/"), ("nul", b"https://a.com/\0x"),
           ("to-http", "http://landing.hostile.test/prices"), ("of-64-kib", "/" + "x" * 65536))


def chain(count):
    """/prices → /1 → … → /count, where the page is."""
    paths = {f"/{i}": redirect(f"/{i + 1}") for i in range(1, count)}
    return by_path({"/prices": redirect("/1"), f"/{count}": reply(), **paths})


def followed():
    """Good ones."""
    for code in CODES:
        yield Case(f"hop-{code[:3]}", by_path({"/prices": redirect("/there", code), "/there": reply()}), "ok", requests=2)
    for name, target in (("relative", "there"), ("dots", "../x/./../there"), ("query", "/there?a=b&c=%20"), ("fragment", "/there#prices"),
                         ("absolute", "https://hop-absolute.hostile.test/there"), ("capitals", "HTTPS://HOP-CAPITALS.hostile.test/there"),
                         ("port-443", "https://hop-port-443.hostile.test:443/there"), ("slashes", "//hop-slashes.hostile.test/there"),
                         ("blanks-around", "  /there  "), ("utf-8", "/there?价格=1".encode()), ("blank-inside", "/there?a b")):
        there = reply()
        yield Case(f"hop-{name}", by_path({"/prices": redirect(target)}, otherwise=there), "ok", requests=2)
    yield Case("hop-other-host", redirect("https://landing.hostile.test/prices"), "ok", requests=1)
    yield Case("hop-http-to-https", redirect("https://landing.hostile.test/prices"), "ok", scheme="http", requests=1)
    yield Case("hop-five", chain(5), "ok", requests=6)
    yield Case("hop-303-after-post", by_path({"/prices": redirect("/there", "303 See Other"), "/there": reply()}), "ok",
               conf="method = POST\nbody = {}\n", requests=2)
    yield Case("hop-with-credentials", redirect("https://landing.hostile.test/prices"), "ok", requests=1,
               conf="header = Authorization: Bearer of-the-first-host\n  X-Own: yes\n")
    yield Case("landing", reply(), "ok")
    yield Case("address-with-a-port", reply(), "failed", "port 8443", url="https://address-with-a-port.hostile.test:8443/prices", requests=0)


def refused():
    """Bad ones."""
    yield Case("hop-six", chain(6), "failed", "more than 5 redirects", requests=6)
    yield Case("hop-to-itself", redirect("/prices"), "failed", "in a circle", requests=1)
    yield Case("hop-to-itself-303", redirect("/prices", "303 See Other"), "failed", "in a circle", requests=1)
    yield Case("hop-to-itself-as-get", redirect("/prices", "303 See Other"), "failed", "in a circle", conf="method = POST\nbody = {}\n", requests=2)
    yield Case("hop-in-circles", by_path({"/prices": redirect("/b"), "/b": redirect("/prices")}), "failed", "in a circle", requests=2)
    yield Case("hop-in-circles-between-hosts", by_path({"/prices": redirect("https://hop-circle-partner.hostile.test/back")}), "failed", "in a circle", requests=1)
    yield Case("hop-circle-partner", by_path({"/back": redirect("https://hop-in-circles-between-hosts.hostile.test/prices"), "/prices": reply()}), "ok")
    yield Case("hop-cookie-wall", redirect("/prices", more="Set-Cookie: seen=1\r\n"), "failed", "in a circle", requests=1)
    yield Case("hop-growing", by_path({}, otherwise=lambda connection, request: redirect(request.path + "/x")(connection, request)), "failed",
               "redirects", requests=6)
    yield Case("hop-no-location", raw("HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n", end="keep"), "failed", "HTTP 302", requests=1)
    yield Case("hop-empty-location", redirect(""), "failed", "HTTP 302", requests=1)
    yield Case("hop-two-locations", by_path({"/prices": redirect("/there\r\nLocation: https://10.0.0.1/")}), "failed",
               "HTTP 404")
    yield Case("hop-to-404", by_path({"/prices": redirect("/missing")}), "failed", "HTTP 404", requests=2)
    yield Case("hop-post-other-host", redirect("https://landing.hostile.test/prices", "307 Temporary"), "failed", "POST",
               conf="method = POST\nbody = {}\n", requests=1)
    yield Case("hop-to-unknown-name", redirect("https://nowhere.invalid/"), "failed", "resolved")
    for name, target in REFUSED:
        yield Case(f"hop-{name}", redirect(target), "failed", requests=1)
    for address in PRIVATE:
        name = address.strip("[]").replace(":", "-").replace(".", "-").strip("-") or "unspecified"
        yield Case(f"hop-private-{name}" + ("-v6" if "[" in address else ""), redirect(f"https://{address}/latest/meta-data/"), "failed", "leads to",
                   requests=1)


def cases():
    """All of them."""
    yield from followed()
    yield from refused()
