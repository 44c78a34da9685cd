"""What the sample market holds on a day: the catalogue (catalog.json) with the scenario's changes (scenario.tsv) laid over it."""

import datetime
import json
from pathlib import Path

HERE = Path(__file__).resolve().parent
BEIJING = datetime.timezone(datetime.timedelta(hours=8))


def read_day(text):
    """The day in Beijing of a time as `--now` takes it: RFC 3339, a bare day, or @seconds."""
    text = text.strip()
    if text.startswith("@"):
        return datetime.datetime.fromtimestamp(int(text[1:]), BEIJING).date()
    if len(text) == 10:
        return datetime.date.fromisoformat(text)
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).astimezone(BEIJING).date()


class Change:
    """One line of the scenario."""

    def __init__(self, line):
        self.host, first, last, self.what, self.value = line.split("\t")[:5]
        self.first = datetime.date.min if first == "-" else datetime.date.fromisoformat(first)
        self.last = datetime.date.max if last == "-" else datetime.date.fromisoformat(last)

    def holds(self, day):
        """Whether the change is in force on the day."""
        return self.first <= day <= self.last


class Host:
    """One host on one day: `items` in the catalogue's order, `behaviour` for the names that begin with a dot."""

    def __init__(self, items, behaviour):
        self.items = items
        self.behaviour = behaviour

    def offers(self):
        """The items that the page shows."""
        return [item for item in self.items.values() if "hidden" not in item]


class State:
    """The whole market, by day."""

    def __init__(self, scenario=None, catalog=None):
        self.catalog = json.loads(Path(catalog or HERE / "catalog.json").read_text(encoding="utf-8"))
        text = Path(scenario or HERE / "scenario.tsv").read_text(encoding="utf-8")
        lines = [line for line in text.splitlines() if line and not line.startswith("#")]
        self.changes = [Change(line) for line in lines]

    def hosts(self):
        """The names of all hosts."""
        return list(self.catalog)

    def host(self, name, day):
        """The host on the day, or None when the market has no such host."""
        if name not in self.catalog:
            return None
        items = {key: dict(item) for key, item in self.catalog[name].items()}
        behaviour = {}
        for change in self.changes:
            if change.host in (name, "*") and change.holds(day):
                target, _, field = change.what.partition(".")
                place = items.setdefault(target, {}) if target else behaviour
                place[field] = change.value
        return Host(items, behaviour)
