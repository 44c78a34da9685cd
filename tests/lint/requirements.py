#!/usr/bin/env python3
"""tests/requirements.tsv names for each requirement the tests that hold it: every id once or in neighbouring lines, every file one that a target runs, every
name in it. At most five requirements may have a sentence in the place of a test."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TABLE = ROOT / "tests" / "requirements.tsv"
IDS = [str(number) for number in range(1, 81)] + [f"W{number}" for number in range(1, 13)]
SENTENCES_MAX, SENTENCE_CHARS_MIN = 5, 60
RUN = re.compile(r"tests/(unit/\w+/test_\w+\.c|cli/\w+\.t|full/\w+\.t)$")
HOSTILE = "tests/cli/hostile.t"


def hostile_names():
    """The names of the table that hostile.t runs."""
    done = subprocess.run([sys.executable, str(ROOT / "tests" / "market" / "hostile" / "hostile.py"), "--list"], capture_output=True, text=True, check=True)
    return {line.split("\t")[0] for line in done.stdout.splitlines()}


def faults():
    """What is wrong, a line each."""
    hostile, seen, sentences, texts = hostile_names(), [], 0, {}
    for number, line in enumerate(TABLE.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("#"):
            continue
        fields = line.split("\t")
        if len(fields) != 4 or not all(fields):
            yield f"{number}: not id, requirement, file, name"
            continue
        identity, requirement, file, name = fields
        if not seen or seen[-1] != identity:
            seen.append(identity)
        if texts.setdefault(identity, requirement) != requirement:
            yield f"{number}: {identity} has two wordings"
        if file == "-":
            sentences += 1
            if len(name) < SENTENCE_CHARS_MIN:
                yield f"{number}: a reason of {len(name)} characters"
        elif not RUN.match(file) or not (ROOT / file).is_file():
            yield f"{number}: {file} is no test that a target runs"
        elif name not in (ROOT / file).read_text(encoding="utf-8") and not (file == HOSTILE and name in hostile):
            yield f"{number}: {file} has no {name!r}"
    if seen != IDS:
        yield f"ids missing, out of order or unknown: {sorted(set(IDS) ^ set(seen)) or seen}"
    if sentences > SENTENCES_MAX:
        yield f"{sentences} sentences in the place of tests, {SENTENCES_MAX} at most"


def main():
    """Prints what is wrong, or a line that counts."""
    found = list(faults())
    for fault in found:
        print(f"tests/requirements.tsv:{fault}")
    if not found:
        lines = [line for line in TABLE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
        print(f"{len(IDS)} requirements, {len(lines)} tests named")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
