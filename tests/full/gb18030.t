#!/usr/bin/env python3
"""The vectors of encoding_rs (Debian: librust-encoding-rs-dev), line by line: every two-byte sequence of gb18030, under each of its labels."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
from harness import Box, Folder, Tap  # noqa: E402

VECTORS_AT_LEAST = 23940
FOLDERS = "/usr/share/cargo/registry"


def lines_of(path):
    """The lines without the comment in front and the end behind."""
    return [line for line in path.read_bytes().split(b"\n") if line and not line.startswith(b"#")]


def main():
    """One file under each label."""
    tap = Tap()
    found = sorted(Path(FOLDERS).glob("encoding_rs-*/src/test_data/gb18030_in.txt"))
    if not found:
        tap.skip("vectors decode as encoding_rs decodes them", "librust-encoding-rs-dev is not installed")
        tap.done()
    vectors, wanted = lines_of(found[-1]), lines_of(found[-1].with_name("gb18030_in_ref.txt"))
    tap.ok(len(vectors) == len(wanted) >= VECTORS_AT_LEAST, f"{len(vectors)} vectors, as many answers")
    with Folder() as folder:
        (folder / "vectors").write_bytes(b"\n".join(vectors))
        for label in ("gb18030", "gbk", "gb2312", "GB_2312-80"):
            done = Box(folder).run("explain", "charset", "--content-type", f"text/plain; charset={label}", str(folder / "vectors"))
            have = done.out.encode().rstrip(b"\n").split(b"\n")
            wrong = [(vector, good, bad) for vector, good, bad in zip(vectors, wanted, have) if good != bad]
            tap.ok(done.code == 0 and not wrong and len(have) == len(wanted), f"{len(vectors)} vectors decode as encoding_rs decodes them, called {label}",
                   f"{len(have)} lines, {len(wrong)} wrong: {wrong[:5]}\n{done.err}")
    tap.done()


main()
