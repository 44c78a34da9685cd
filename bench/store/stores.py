"""What the scripts of this folder share: the stores, one of them filled with a history and asked, and the answers compared with the history's own."""
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PER_SITE = 333
SKIPPED = 77  # how a program ends that this machine has no store for
DUCKDB, NPM_S = '@duckdb/node-api@1.5.6-r.1', 300
INDEX_TABLES = ('run_pages', 'pages')
OURS, PACKED = 'gputape', 'gputape, packed'
ONE_CORE = 'taskset -c 0 '
# Words of a command: {tools} built programs, {place} where the store is to be, {shape}, {sites}, {modules} what npm installed. PACKED finds the place of OURS full.
STORES = {
    OURS: ONE_CORE + '{tools}/tool_ours {place} {shape}',
    PACKED: ONE_CORE + '{tools}/tool_ours {place} {shape} packed',
    'SQLite, changes only': ONE_CORE + '{tools}/tool_sqlite runs {place} {shape}',
    'SQLite, spans': ONE_CORE + '{tools}/tool_sqlite spans {place} {shape}',
    'SQLite, plain': ONE_CORE + '{tools}/tool_sqlite plain {place} {shape}',
    'PostgreSQL': '{here}/servers.py postgres {tools}/tool_pages {place} {shape} 1',
    'DuckDB, a page a commit': '{tools}/tool_pages {shape} | node {here}/duckdb.mjs {modules} {place} {shape} 1',
    'DuckDB, an hour a commit': '{tools}/tool_pages {shape} | node {here}/duckdb.mjs {modules} {place} {shape} {sites}',
    'ClickHouse, a page a block': '{here}/servers.py clickhouse {tools}/tool_pages {place} {shape} 1',
    'ClickHouse, an hour a block': '{here}/servers.py clickhouse {tools}/tool_pages {place} {shape} {sites}',
    'RRDtool': ONE_CORE + '{tools}/tool_rrd {place} {shape}',
}


class Absent(Exception):
    """This machine has no such store, and why."""


def lines(text):
    """`name rest` lines of a program."""
    return {name: rest for name, _, rest in (line.partition(' ') for line in text.splitlines())}


def observations_of(shape):
    """How many a history has."""
    sites, hours = shape.split('/')[0].split('x')
    return int(sites) * PER_SITE * int(hours)


def table_bytes(folder):
    """Bytes that each table of an LMDB file takes, by mdb_stat."""
    out = subprocess.run(['mdb_stat', '-a', folder], stdout=subprocess.PIPE, check=True, text=True).stdout
    tables, name = {}, None
    for line in out.splitlines():
        key, _, value = line.strip().partition(': ')
        if key.startswith('Status of '):
            name = key.removeprefix('Status of ')
            tables[name] = 0
        elif key.endswith(' pages'):
            tables[name] += int(value) * os.sysconf('SC_PAGE_SIZE')
    return tables


class Bench:
    """A folder for one store at a time, and the programs that fill them."""

    def __init__(self, build):
        self.tools = Path(build).resolve() / 'bench' / 'store'
        self.modules = self.tools / 'node'
        self.expected = {}

    def __enter__(self):
        self.work = tempfile.mkdtemp(prefix='gputape-bench-')
        os.chmod(self.work, 0o755)  # PostgreSQL's server is another user when root starts it
        self.place = os.path.join(self.work, 'store')
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.work)

    def answers(self, shape):
        """The history's own answers, and how many changes it has."""
        if shape not in self.expected:
            self.expected[shape] = lines(subprocess.run([self.tools / 'tool_expected', shape], stdout=subprocess.PIPE, check=True, text=True).stdout)
        return self.expected[shape]

    def node_modules(self):
        """DuckDB comes by npm; once it is there it stays in the build folder."""
        if (self.modules / 'node_modules' / '@duckdb').exists():
            return
        command = ['npm', 'install', '--no-audit', '--no-fund', '--prefix', self.modules, DUCKDB]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=NPM_S)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise Absent(f'npm: {error}') from error
        if done.returncode != 0:
            raise Absent(f'npm install {DUCKDB}: {" ".join(done.stderr.split())[:200]}')

    def fill(self, name, shape):
        """One store, filled and asked. What its program printed, with `bytes`, `index` and `tables` in numbers."""
        command = STORES[name]
        if '{modules}' in command:
            self.node_modules()
        if name != PACKED:
            self.empty()
        places = {'tools': self.tools, 'here': HERE, 'modules': self.modules, 'place': self.place}
        command = command.format(**{word: shlex.quote(str(path)) for word, path in places.items()}, shape=shape, sites=shape.split('x')[0])
        done = subprocess.run(['bash', '-o', 'pipefail', '-c', command], stdout=subprocess.PIPE, text=True)
        result = lines(done.stdout)
        if done.returncode == SKIPPED:
            raise Absent(result['skipped'])
        if done.returncode != 0:
            sys.exit(f'{name}: exit {done.returncode}')
        for question, answer in self.answers(shape).items():
            if question.startswith('answer') and result.get(question) != answer:
                sys.exit(f'{name}: {question} is {result.get(question)}, not {answer}')
        result['tables'] = table_bytes(self.place) if name in (OURS, PACKED) else {}
        result['index'] = sum(result['tables'].get(table, 0) for table in INDEX_TABLES)
        result['bytes'] = int(result.get('bytes') or self.size()) - result['index']
        return result

    def size(self):
        """Bytes of the store's files."""
        place = Path(self.place)
        return sum(path.stat().st_size for path in ([place] if place.is_file() else place.rglob('*')) if path.is_file() and path.name != 'lock.mdb')

    def empty(self):
        """No store."""
        for name in os.listdir(self.work):
            path = os.path.join(self.work, name)
            if os.path.isdir(path):
                shutil.rmtree(path)
            else:
                os.remove(path)
