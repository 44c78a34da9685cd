#!/usr/bin/env python3
"""Power lost at every moment of a crawl. The crawl's writes are recorded by strace; for each moment, what was synced is kept and of the rest a part, sector
by sector; the program is started on what is left. What it had told before must be there.

    tests/full/power.t [STATES [SEED]]      at least so many: more random parts of each moment

Where little was not synced random parts come out the same again: the program is started once on each state that is another.
"""

import hashlib
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from traced import LINE, RUN_TIMEOUT_S, Traced, has_strace  # noqa: E402  (puts tests/cli on the path)
from harness import Folder, Market, Tap, clean_environment  # noqa: E402

SECTORS = (512, 4096)
RANDOM_PARTS = 2
SEED = 1
CALLS = "openat,lseek,write,pwrite64,pwritev,writev,fsync,fdatasync,ftruncate"
CALL = re.compile(r'^(\w+)\((?:(\d+)<([^>]*)>)?(.*)\) += (\d+)')
TEXT = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')


def bytes_of(literal):
    """strace -xx writes every byte as \\xNN."""
    return bytes.fromhex(literal.replace("\\x", ""))


class Recorder:
    """Turns strace's lines into (kind, path, offset, bytes). A file opened with O_DSYNC is synced by each write to it (LMDB's meta pages)."""

    def __init__(self):
        self.calls = []
        self.places = {}
        self.synced = set()

    def take(self, text):
        """One line; what is no finished call of ours is passed over."""
        found = CALL.match(text)
        if not found:
            return
        kind, number, path, rest, result = found.groups()
        path = bytes_of(path).decode() if path and "\\x" in path else path
        last = rest.rsplit(",", 1)[-1].strip()
        if kind == "openat":
            self.places[result] = 0
            self.synced.discard(result)
            if "O_DSYNC" in rest or "O_SYNC" in rest:
                self.synced.add(result)
        elif kind == "lseek":
            self.places[number] = int(result)
        elif kind in ("fsync", "fdatasync"):
            self.calls.append(("sync", path, 0, b""))
        elif kind == "ftruncate":
            self.calls.append(("cut", path, int(last), b""))
        else:
            self.write(kind, number, path, b"".join(bytes_of(part) for part in TEXT.findall(rest))[:int(result)], last)

    def write(self, kind, number, path, data, last):
        """A write, at a place of its own or where the file stands."""
        if number == "1":
            self.calls.append(("told", None, 0, data))
            return
        place = int(last) if kind.startswith("p") else self.places.get(number, 0)
        if not kind.startswith("p"):
            self.places[number] = place + len(data)
        self.calls.append(("write through" if number in self.synced else "write", path, place, data))


def record(traced, number, log):
    """The crawl, and its calls."""
    line = ["strace", "-o", str(log), "-y", "-xx", "-s", "10000000", "-e", f"trace={CALLS}", *traced.command(number)]
    done = subprocess.run(line, capture_output=True, text=True, check=False, env=clean_environment(), timeout=RUN_TIMEOUT_S)
    recorder = Recorder()
    for text in log.read_text(encoding="ascii", errors="replace").splitlines():
        recorder.take(text)
    return done, [call for call in recorder.calls if call[1] is None or call[1].startswith(str(traced.box.data))]


class Disk:
    """Files as they are once all that is pending was written, or only a part of it."""

    def __init__(self, folder):
        self.durable = {str(path): bytearray(path.read_bytes()) for path in folder.rglob("*") if path.is_file()}
        self.now = {path: bytearray(data) for path, data in self.durable.items()}
        self.pending = {}

    def apply(self, call):
        """One recorded call."""
        kind, path, offset, data = call
        if kind == "sync":
            if path in self.now:
                self.durable[path] = bytearray(self.now[path])
                self.pending.pop(path, None)
            return
        if kind == "told":
            return
        file = self.now.setdefault(path, bytearray())
        durable = self.durable.setdefault(path, bytearray())
        if kind == "write through":
            change(durable, "write", offset, data)
            change(file, "write", offset, data)
            return
        self.pending.setdefault(path, []).append((kind, offset, data))
        change(file, kind, offset, data)

    def left(self, sector, choose):
        """What a loss of power leaves of the files, by path; choose() says of a sector whether it reached the disk."""
        files = {}
        for path, data in self.durable.items():
            file = files[path] = bytearray(data)
            for kind, offset, piece in self.pending.get(path, []):
                if kind == "cut":
                    if choose():
                        change(file, kind, offset, piece)
                    continue
                at = 0
                while at < len(piece):
                    end = min(len(piece), (offset + at) // sector * sector + sector - offset)
                    if choose():
                        change(file, "write", offset + at, piece[at:end])
                    at = end
        return files


def change(file, kind, offset, data):
    """A write or a cut."""
    if kind == "cut":
        del file[offset:]
        file.extend(b"\0" * (offset - len(file)))
        return
    file.extend(b"\0" * (offset - len(file)))
    file[offset:offset + len(data)] = data


def restore(folder, modes, files):
    """The data folder with its folders and these files, nothing else."""
    shutil.rmtree(folder)
    folder.mkdir(mode=0o750)
    for path, mode in modes.items():
        (folder / path).mkdir(parents=True, exist_ok=True)
        (folder / path).chmod(mode & 0o7777)
    for path, data in files.items():
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_bytes(data)
        Path(path).chmod(0o640)


def digest_of(files):
    """Equal for the same files."""
    digest = hashlib.sha256()
    for path, data in sorted(files.items()):
        digest.update(f"{path} {len(data)}\n".encode())
        digest.update(data)
    return digest.digest()


def unsynced(calls):
    """After how many calls something was not on the disk yet."""
    pending, moments = set(), 0
    for kind, path, _, _ in calls:
        if kind == "sync":
            pending.discard(path)
        elif kind in ("write", "cut"):
            pending.add(path)
        moments += bool(pending)
    return max(1, moments)


def main():
    """Each moment, two sizes of sectors, nothing, all and random parts of what was not synced."""
    tap = Tap()
    if not has_strace():
        tap.skip("states after a power loss", "strace is not there, or may not trace")
        tap.done()
    with Market() as market, Folder() as folder:
        traced = Traced(folder, market)
        tap.ok(traced.crawl(0)[0] == 0, "a first crawl is good")
        disk = Disk(folder / "data")
        blind = Disk(folder / "data")
        modes = {path.relative_to(folder / "data"): path.stat().st_mode for path in (folder / "data").rglob("*") if path.is_dir()}
        done, calls = record(traced, 1, folder / "log")
        syncs = sum(call[0] == "sync" for call in calls)
        tap.ok(done.returncode == 0 and syncs >= 4, f"the second one is recorded: {len(calls)} calls, {syncs} syncs", done.stderr[-500:])
        wrong, states, seen, told, rng = [], 0, set(), [], random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else SEED)
        parts = max(RANDOM_PARTS, -(-int(sys.argv[1]) // (len(SECTORS) * unsynced(calls)))) if len(sys.argv) > 1 else RANDOM_PARTS
        for count, call in enumerate(calls):
            disk.apply(call)
            if call[0] != "sync":
                blind.apply(("write", *call[1:]) if call[0] == "write through" else call)
            if call[0] == "told":
                told += [found.group(1) for found in map(LINE.match, call[3].decode().splitlines()) if found]
            choices = [lambda: False, lambda: True] + [lambda: rng.random() < 0.5] * parts
            for sector in SECTORS:
                for kept, choose in enumerate(choices):
                    if not any(disk.pending.values()) and kept:
                        continue
                    files = disk.left(sector, choose)
                    states += 1
                    state = (len(told), digest_of(files))
                    if state in seen:
                        continue
                    seen.add(state)
                    restore(folder / "data", modes, files)
                    wrong += traced.judge(told, f"after call {count}, sectors of {sector}, part {kept}")
        tap.ok(states > 100, f"{states} states after a power loss, {len(seen)} of them different")
        restore(folder / "data", modes, blind.left(SECTORS[0], lambda: False))
        tap.ok(traced.judge(told, "without syncs"), "a disk that ignores syncs loses what was told, and this test sees it", told)
        tap.same(wrong[:20], [], "each time the store is clean, holds what was told, and the next crawl goes on")
    tap.done()


main()
