// The bench's price history in DuckDB, in this process: an appender a commit, durable when it is closed; then the questions in SQL. Prints what
// the other programs of the bench do. usage: tool_pages SHAPE | duckdb.mjs MODULES FILE SHAPE PAGES_A_COMMIT    MODULES: where npm put it
import { statSync } from 'node:fs';
import { createRequire } from 'node:module';

const PER_SITE = 333, BEGIN_UNIX_S = 1767225600, WEEK_S = 604800, PAGE_BYTES = (2 + PER_SITE) * 4;
const ASKS = 5, SLOW_NS = 2e9, TENTHS = 10;
const [modules, file, shape, perCommit] = process.argv.slice(2);
const { DuckDBInstance, DuckDBDataChunk, INTEGER } = createRequire(modules + '/')('@duckdb/node-api');
const [sites, hours] = shape.split('/')[0].split('x').map(Number);
const lastWeek = BEGIN_UNIX_S + hours * 3600 - WEEK_S, asked = Math.floor(sites * PER_SITE / 2) + 17;
const questions = [
  'SELECT count(*) FILTER (p > 0), sum(p) FROM (SELECT series, arg_max(price, ts) p FROM obs GROUP BY series)',
  `SELECT count(nullif(price, 0)), sum(price) FROM obs WHERE series = ${asked}`,
  `SELECT count(*), sum(med * (w * 64 + sku + 1)) FROM (SELECT sku, (ts - ${BEGIN_UNIX_S}) // ${WEEK_S} w, quantile_disc(price, 0.5) med FROM obs
    JOIN series ON id = series WHERE price > 0 GROUP BY 1, 2)`,
  `SELECT count(*), sum(rank * series) FROM (SELECT series, row_number() OVER (ORDER BY swing DESC, series) rank FROM (SELECT series,
    (max(price) - min(price)) / min(price)::DOUBLE swing FROM obs WHERE ts >= ${lastWeek} AND price > 0 GROUP BY series)) WHERE rank <= 20`,
];

// Of all threads; the reading of the pipe counts, too, which is little.
const cpuNs = () => { const used = process.cpuUsage(); return (used.user + used.system) * 1e3; };
const wallNs = () => Number(process.hrtime.bigint());
const median = numbers => numbers.sort((a, b) => a - b)[numbers.length >> 1];

// Whole commits of standard input.
async function* commits(bytes) {
  let parts = [], size = 0;
  for await (const part of process.stdin) {
    parts.push(part);
    size += part.length;
    if (size < bytes) continue;
    const all = Buffer.concat(parts);
    let at = 0;
    for (; at + bytes <= size; at += bytes) yield new Int32Array(all.buffer.slice(all.byteOffset + at, all.byteOffset + at + bytes));
    parts = [all.subarray(at)];
    size -= at;
  }
}

const CHUNK_ROWS = 2048;

async function commit(connection, numbers) {
  const columns = [[], [], []], appender = await connection.createAppender('obs');
  const send = () => {
    const chunk = DuckDBDataChunk.create([INTEGER, INTEGER, INTEGER], columns[0].length);
    chunk.setColumns(columns);
    appender.appendDataChunk(chunk);
    for (const column of columns) column.length = 0;
  };
  for (let at = 0; at < numbers.length; at += 2 + PER_SITE)
    for (let i = 0; i < PER_SITE; i++) {
      columns[0].push(numbers[at] * PER_SITE + i);
      columns[1].push(numbers[at + 1]);
      columns[2].push(numbers[at + 2 + i]);
      if (columns[0].length === CHUNK_ROWS) send();
    }
  if (columns[0].length > 0) send();
  appender.closeSync();
}

const instance = await DuckDBInstance.create(file);
const connection = await instance.connect();
await connection.run(`CREATE TABLE series AS SELECT i::INTEGER id, ((i // ${PER_SITE} * 7 + i % ${PER_SITE} // 9) % 60)::INTEGER sku FROM range(${sites * PER_SITE}) t(i)`);
await connection.run('CREATE TABLE obs(series INTEGER, ts INTEGER, price INTEGER)');

let wall = 0, cpu = 0, pages = 0;
const tenths = new Array(TENTHS).fill(0);
for await (const numbers of commits(PAGE_BYTES * perCommit)) {
  const begin = wallNs(), before = cpuNs();
  await commit(connection, numbers);
  const took = cpuNs() - before;
  tenths[Math.floor(pages * TENTHS / (sites * hours))] += took;
  cpu += took;
  wall += wallNs() - begin;
  pages += Number(perCommit);
}
console.log(`ingest_ns ${cpu}\ningest_wall_ns ${wall}\nfirst_tenth_ns ${tenths[0]}\nlast_tenth_ns ${tenths[TENTHS - 1]}`);
await connection.run('CHECKPOINT');
console.log(`bytes ${statSync(file).size}`);
for (const [i, query] of questions.entries()) {
  const took = [], walls = [];
  let total = 0, answer;
  while (took.length < ASKS && total < SLOW_NS) {
    const begin = wallNs(), before = cpuNs();
    answer = (await connection.runAndReadAll(query)).getRows()[0];
    took.push(cpuNs() - before);
    walls.push(wallNs() - begin);
    total += took.at(-1);
  }
  console.log(`q${i + 1}_ns ${median(took)}\nq${i + 1}_wall_ns ${median(walls)}\nanswer${i + 1} ${answer.join(' ')}`);
}
process.exit(0);
