#!/usr/bin/env python3
"""A server of lies: every host below hostile.test does one thing wrong, on real HTTPS and HTTP.

    tests/market/hostile/hostile.py --dir DIR        serves until SIGTERM
    tests/market/hostile/hostile.py --list           prints the table: name, expected status, expected reason

DIR receives ca.pem, sites.conf (a section a case), connect-to (one curl --connect-to value a line) and access.log (one line a request: when, case,
method, path, and which of Cookie, Authorization, If-None-Match (E), If-Modified-Since (M) it carried). DIR/ready appears last.
"""

import argparse
import signal
import sys
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from certificates import Certificates  # noqa: E402
from server import Hostile  # noqa: E402
from table import table  # noqa: E402

DEFAULTS = "[defaults]\nevery = 6h\nbody_max = 1M\ncurrency = CNY\n"


def write_facts(folder, cases, ports):
    """What a client needs to know."""
    tls, plain = ports
    rules = [f"{case.host()}:{443 if case.scheme == 'https' else 80}:127.0.0.1:{tls if case.scheme == 'https' else plain}\n" for case in cases.values()]
    (folder / "connect-to").write_text("".join(rules), encoding="ascii")
    (folder / "sites.conf").write_text(DEFAULTS + "".join(case.section() for case in cases.values()), encoding="utf-8")
    (folder / "ready").write_text("ready\n", encoding="ascii")


def main():
    """Starts, serves, ends."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dir", type=Path)
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()
    cases = table()
    if arguments.list:
        for case in cases.values():
            want = case.want if isinstance(case.want, str) else "|".join(case.want)
            print(case.name, want, case.why, sep="\t")
        return 0
    arguments.dir.mkdir(parents=True, exist_ok=True)
    ended = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ended.set())
    with open(arguments.dir / "access.log", "a", encoding="utf-8") as log:
        server = Hostile(cases, Certificates(arguments.dir), log)
        write_facts(arguments.dir, cases, server.ports())
        ended.wait()
        server.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
