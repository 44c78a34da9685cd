#!/usr/bin/env python3
"""Name servers that lie or say nothing, in a network of one's own (needs the right to make one; skipped elsewhere)."""

import socket
import struct
import subprocess
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "market" / "hostile"))
from case import GOOD  # noqa: E402
from harness import Box, Folder, Tap  # noqa: E402

INSIDE = "--inside"
RUN_TIMEOUT_S = 120
TYPE_A, TYPE_AAAA = 1, 28
CONNECT_TIMEOUT_S = 10
CONF = """[defaults]
timeout = 5s
currency = CNY
[site s]
url = http://name.test/prices
extract = table
rows = //tr[td]
label = td[1]
price.hour = td[2]
"""


class Names(threading.Thread):
    """A name server on 127.0.0.1:53 that answers by a function: (type, how often that type was asked) → addresses, a code, or None for silence."""

    def __init__(self, answer):
        super().__init__(daemon=True)
        self.answer = answer
        self.asked = {}
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 53))
        self.start()

    def run(self):
        """Until the socket is closed."""
        while True:
            try:
                query, client = self.socket.recvfrom(4096)
            except OSError:
                return
            if b"\0" not in query[12:]:
                return
            end = query.index(b"\0", 12) + 1
            kind = struct.unpack(">H", query[end:end + 2])[0]
            self.asked[kind] = self.asked.get(kind, 0) + 1
            found = self.answer(kind, self.asked[kind])
            if found is None:
                continue
            code, addresses = (found, []) if isinstance(found, int) else (0, found)
            family, size = (socket.AF_INET, 4) if kind == TYPE_A else (socket.AF_INET6, 16)
            records = b"".join(b"\xc0\x0c" + struct.pack(">HHIH", kind, 1, 0, size) + socket.inet_pton(family, address) for address in addresses)
            header = query[:2] + struct.pack(">HHHHH", 0x8180 | code, 1, len(addresses), 0, 0)
            self.socket.sendto(header + query[12:end + 4] + records, client)

    def close(self):
        """Ends it, so that the next one finds the port free: recvfrom holds the socket open until a datagram comes."""
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
            self.socket.close()
            other.sendto(b"x" * 20, ("127.0.0.1", 53))
        self.join(1)


def serve_page():
    """A good page on 127.0.0.1:80 and on port 80 of nothing else; how often it was asked for."""
    count = [0]
    listener = socket.create_server(("127.0.0.1", 80))

    def loop():
        while True:
            client, _ = listener.accept()
            data = client.recv(65536)
            count[0] += 1
            robots = data.startswith(b"GET /robots.txt")
            body = b"" if robots else GOOD
            client.sendall(b"HTTP/1.1 %s\r\nContent-Type: text/html\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" %
                           (b"404 Not Found" if robots else b"200 OK", len(body)) + body)
            client.close()
    threading.Thread(target=loop, daemon=True).start()
    return count


PRIVATE = ["127.0.0.1", "10.0.0.1", "192.168.1.1", "169.254.169.254"]
# name, section more, answer(kind, nth), exit, words in the summary, seconds at most, whether 127.0.0.1 may be asked
CASES = (
    ("a name server that says nothing", "", lambda kind, nth: None, 3, "", 3 * CONNECT_TIMEOUT_S + 10, False),
    ("a name server that says nothing for longer than a request may take", "timeout = 1s\n", lambda kind, nth: None, 3, "Resolving timed out", 30, False),
    ("SERVFAIL", "", lambda kind, nth: 2, 3, "cannot be resolved", 30, False),
    ("NXDOMAIN", "", lambda kind, nth: 3, 3, "cannot be resolved", 10, False),
    ("no address at all", "", lambda kind, nth: [], 3, "cannot be resolved", 10, False),
    ("a private address", "", lambda kind, nth: ["127.0.0.1"] if kind == TYPE_A else [], 3, "leads to", 10, False),
    ("a private IPv6 address", "", lambda kind, nth: ["::1"] if kind == TYPE_AAAA else [], 3, "leads to", 10, False),
    ("a mapped address", "", lambda kind, nth: ["::ffff:127.0.0.1"] if kind == TYPE_AAAA else [], 3, "leads to", 10, False),
    ("a hundred private addresses", "", lambda kind, nth: PRIVATE * 7 if kind == TYPE_A else [], 3, "leads to", 15, False),
    ("a public address first, then loopback", "", lambda kind, nth: ([] if kind != TYPE_A else ["203.0.114.9"] if nth == 1 else ["127.0.0.1"]), 3, "",
     3 * CONNECT_TIMEOUT_S + 10, False),
    ("a public address and loopback in one answer", "", lambda kind, nth: ["203.0.114.9", "127.0.0.1"] if kind == TYPE_A else [], 3, "",
     3 * CONNECT_TIMEOUT_S + 10, False),
    ("loopback, allowed by the section", "allow_private = yes\n", lambda kind, nth: ["127.0.0.1"] if kind == TYPE_A else [], 0, "3 offers", 10, True),
    ("IPv6 leads nowhere, IPv4 works", "allow_private = yes\n", lambda kind, nth: ["127.0.0.1"] if kind == TYPE_A else ["fd00::9"], 0, "3 offers", 15, True),
)


def inside(tap):
    """In the network of one's own: only loopback, a name server of ours."""
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    count = serve_page()
    for name, more, answer, code, words, seconds, may_ask in CASES:
        with Folder() as folder:
            names = Names(answer)
            conf = folder / "sites.conf"
            conf.write_text(CONF + more, encoding="ascii")
            (folder / "resolv.conf").write_text("nameserver 127.0.0.1\noptions timeout:1 attempts:2\n", encoding="ascii")
            subprocess.run(["mount", "--bind", str(folder / "resolv.conf"), "/etc/resolv.conf"], check=True)
            asked, begin = count[0], time.monotonic()
            done = Box(folder, conf=conf).run("crawl", now="2026-09-20T02:00:00Z")
            took = time.monotonic() - begin
            subprocess.run(["umount", "/etc/resolv.conf"], check=True)
            names.close()
            good = done.code == code and words in done.out and took < seconds and (count[0] > asked) == may_ask
            tap.ok(good, f"{name}: {'fetched' if may_ask else 'refused or not found'} within {seconds} s", f"{took:.1f} s, asked {count[0] - asked}\n{done}")
            tap.ok(any(names.asked.values()), f"{name}: the name server was asked", names.asked)


def main():
    """Starts itself again in namespaces of its own."""
    tap = Tap()
    if INSIDE in sys.argv:
        inside(tap)
    elif subprocess.run(["unshare", "-mn", "ip", "link", "set", "lo", "up"], capture_output=True, check=False).returncode != 0:
        tap.skip("name servers that lie", "no network namespace of one's own here")
    else:
        done = subprocess.run(["unshare", "-mn", sys.executable, __file__, INSIDE], check=False, timeout=RUN_TIMEOUT_S * 4)
        sys.exit(done.returncode)
    tap.done()


main()
