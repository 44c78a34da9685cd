"""The hostile hosts for tests of the command line: a server as a context, and plain HTTP pages that need no valid clock."""

import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from harness import ROOT, wait_for_server

PROGRAM = ROOT / "tests" / "market" / "hostile" / "hostile.py"


class Hostile:
    """The server, ended by its own process id."""

    def __enter__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="gputape-hostile-"))
        self.process = subprocess.Popen([sys.executable, str(PROGRAM), "--dir", str(self.folder)])
        wait_for_server(self.process, self.folder)
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=20)
        shutil.rmtree(self.folder, ignore_errors=True)

    def rules(self, names=None):
        """The --connect-to values of some hosts, or of all."""
        rules = (self.folder / "connect-to").read_text().split()
        return rules if names is None else [rule for rule in rules if rule.split(".")[0] in names]

    def arguments(self, names=None):
        """What sends the program here."""
        line = []
        for rule in self.rules(names):
            line += ["--connect-to", rule]
        return line + ["--cacert", str(self.folder / "ca.pem"), "--delay", "0"]

    def log(self):
        """(case, method, path, marks) of every request."""
        lines = (self.folder / "access.log").read_text().splitlines()
        return [tuple(line.split(" ")[1:5]) for line in lines]

    def conf(self, folder, names, defaults=""):
        """A sites.conf with the sections of some hosts."""
        sections = (self.folder / "sites.conf").read_text(encoding="utf-8").split("[site ")
        chosen = [part for part in sections[1:] if part.split("]")[0] in names]
        path = Path(folder) / "chosen.conf"
        path.write_text(sections[0] + defaults + "".join("[site " + part for part in chosen), encoding="utf-8")
        return path
