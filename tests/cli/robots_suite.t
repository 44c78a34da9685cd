#!/usr/bin/env python3
"""google/robotstxt-spec-test, where it is at hand: every expectation, by `gputape explain robots`."""

import ast
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import ROOT, Box, Folder, Tap  # noqa: E402

SUITE = ROOT.parent / "shared" / "data" / "robots"
EXPECTATIONS_AT_LEAST = 146
TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|[\[\]{}]|[A-Za-z_]+|#[^\n]*')


def text_of(literals):
    """Adjacent string literals of a textproto as one text. Their escapes are C's, by bytes."""
    plain = ("".join(chr(byte) if byte < 0x80 else f"\\x{byte:02x}" for byte in literal.encode()) for literal in literals)
    return b"".join(ast.literal_eval("b" + literal) for literal in plain)


def expectations(source):
    """(robots.txt, address, agent, outcome) of a file: a robotstxt holds for the expectations behind it."""
    fields, robots, found = {}, b"", []
    tokens = [token for token in TOKEN.findall(source) if not token.startswith("#")]
    at = 0
    while at < len(tokens):
        name, literals = tokens[at], []
        at += 1
        while at < len(tokens) and tokens[at].startswith('"'):
            literals.append(tokens[at])
            at += 1
        if name == "robotstxt":
            robots = text_of(literals)
        elif name in ("testurl", "useragent"):
            fields[name] = text_of(literals)
        elif name in ("ALLOWED", "DISALLOWED"):
            fields["outcome"] = name
        elif name == "}" and "outcome" in fields:
            found.append((robots, fields["testurl"], fields["useragent"], fields.pop("outcome")))
    return found


def main():
    """Each expectation is a result."""
    tap = Tap()
    if not SUITE.is_dir():
        tap.skip("every expectation of the suite", "no suite data")
        tap.done()
    count = 0
    with Folder() as folder:
        box = Box(folder)
        for path in sorted(SUITE.glob("*.textproto")):
            for robots, url, agent, outcome in expectations(path.read_text(encoding="utf-8")):
                count += 1
                (folder / "robots.txt").write_bytes(robots)
                done = box.run("explain", "robots", "--agent", agent.decode(), "--file", str(folder / "robots.txt"), url.decode())
                tap.ok(done.code == (0 if outcome == "ALLOWED" else 1), f"{path.stem} {count}: {url.decode()} {outcome}", f"{robots!r}\n{done}")
    tap.ok(count >= EXPECTATIONS_AT_LEAST, f"{count} expectations, at least {EXPECTATIONS_AT_LEAST}")
    tap.done()


main()
