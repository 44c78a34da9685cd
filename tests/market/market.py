#!/usr/bin/env python3
"""The sample market: an HTTPS server on a free port of 127.0.0.1 that plays the platforms of sites.conf, with prices that move.

    tests/market/market.py --dir DIR --clock FILE [--scenario FILE] [--catalog FILE] [--plain]

FILE of --clock holds the simulated time, as gputape's --now takes it; it is read at every request, so whoever plays writes it
before each crawl. DIR receives ca.pem (to be trusted), port, hosts (one name a line), connect-to (one curl --connect-to value a
line) and access.log. DIR/ready appears last. The server ends on SIGTERM or SIGINT.
"""

import argparse
import signal
import sys
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from server import Market  # noqa: E402
from state import State  # noqa: E402
from tls import server_context  # noqa: E402


def read_arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dir", type=Path, required=True)
    parser.add_argument("--clock", type=Path, required=True)
    parser.add_argument("--scenario", type=Path)
    parser.add_argument("--catalog", type=Path)
    parser.add_argument("--plain", action="store_true", help="HTTP without TLS")
    return parser.parse_args()


def write_facts(folder, port, hosts):
    """What a client needs to know."""
    (folder / "port").write_text(f"{port}\n", encoding="ascii")
    (folder / "hosts").write_text("".join(f"{host}\n" for host in hosts), encoding="ascii")
    (folder / "connect-to").write_text("".join(f"{host}:443:127.0.0.1:{port}\n" for host in hosts), encoding="ascii")
    (folder / "ready").write_text("ready\n", encoding="ascii")


def main():
    """Starts, serves, ends."""
    arguments = read_arguments()
    arguments.dir.mkdir(parents=True, exist_ok=True)
    state = State(arguments.scenario, arguments.catalog)
    context = None if arguments.plain else server_context(arguments.dir, state.hosts())
    with open(arguments.dir / "access.log", "a", encoding="utf-8") as access_log:
        market = Market(state, arguments.clock, context, access_log)
        for number in (signal.SIGTERM, signal.SIGINT):
            # shutdown() waits for the loop that this handler interrupts, so it must run elsewhere.
            signal.signal(number, lambda *_: threading.Thread(target=market.shutdown).start())
        write_facts(arguments.dir, market.server_address[1], state.hosts())
        market.serve_forever(poll_interval=0.05)
        market.server_close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
