/* The bench's price history in SQLite, one durable transaction a page; then the questions in SQL.
 * usage: tool_sqlite plain|spans|runs FILE SHAPE
 *
 *  plain  a row an observation, with an index
 *  spans  a row a price, from its first observation to its last; when those between were is lost
 *  runs   a row only where the price changes, and a row a run: the peer to beat */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/history.h"

/* Statements of a page, by what they do. */
enum { BEGIN, COMMIT, PUT, LATEST, EXTEND, RUN_LAST, RUN_PUT, STATEMENTS };

enum { QUESTIONS = 4 };

struct layout {
    const char *name, *tables;
    const char *statements[STATEMENTS]; /* NULL: the layout has no use for it */
    /* ?1 is when the history begins, ?2 when its last week does, ?3 the series asked for. */
    const char *questions[QUESTIONS];
};

struct bench {
    sqlite3 *db;
    const struct layout *layout;
    struct history *history;
    sqlite3_stmt *statements[STATEMENTS];
    sqlite3_stmt *question;
};

static void check(struct bench *bench, bool is_good)
{
    if (is_good) return;
    fprintf(stderr, "tool_sqlite: %s\n", sqlite3_errmsg(bench->db));
    exit(1);
}

static void run_sql(struct bench *bench, const char *sql)
{
    check(bench, sqlite3_exec(bench->db, sql, NULL, NULL, NULL) == SQLITE_OK);
}

static sqlite3_stmt *prepare(struct bench *bench, const char *sql)
{
    sqlite3_stmt *statement;
    check(bench, sqlite3_prepare_v2(bench->db, sql, -1, &statement, NULL) == SQLITE_OK);
    return statement;
}

/* Runs a statement with up to three numbers. The first column of its first row; `none` without a row or where it is NULL. */
static int64_t step(struct bench *bench, int number, int64_t a, int64_t b, int64_t c, int64_t none)
{
    sqlite3_stmt *statement = bench->statements[number];
    const int64_t values[] = {a, b, c};
    for (int i = 0; i < 3 && i < sqlite3_bind_parameter_count(statement); i++) sqlite3_bind_int64(statement, i + 1, values[i]);
    int rc = sqlite3_step(statement);
    check(bench, rc == SQLITE_ROW || rc == SQLITE_DONE);
    if (rc == SQLITE_ROW && sqlite3_column_type(statement, 0) != SQLITE_NULL) none = sqlite3_column_int64(statement, 0);
    sqlite3_reset(statement);
    return none;
}

/* ---- layouts ---- */

#define SERIES_TABLE "CREATE TABLE series(id INTEGER PRIMARY KEY, site INT, sku INT);"

/* The latest row of every series, and the sum of what it has. */
#define LATEST_OF(table, time)                                                                                                   \
    "SELECT count(nullif(price,0)), sum(price) FROM (SELECT (SELECT price FROM " table " WHERE series=s.id ORDER BY " time       \
    " DESC LIMIT 1) price FROM series s)"

/* Every price of a series with the runs [a, b) that showed it. */
#define HELD                                                                                                                     \
    "SELECT c.series series, s.site site, s.sku sku, c.price price, c.run a, lead(c.run, 1, (SELECT max(run)+1 FROM run r WHERE" \
    " r.site=s.site)) OVER (PARTITION BY c.series ORDER BY c.run) b FROM chg c JOIN series s ON s.id=c.series"

/* From c(sku, w, price, n) to the count and sum of the lower medians. */
#define MEDIANS                                                                                                                  \
    " d AS (SELECT sku, w, price, sum(n) OVER (PARTITION BY w,sku ORDER BY price) cum, sum(n) OVER (PARTITION BY w,sku) tot "    \
    "FROM c),"                                                                                                                   \
    " m AS (SELECT w, sku, min(price) med FROM d WHERE cum*2>=tot GROUP BY 1,2) SELECT count(*), sum(med*(w*64+sku+1)) FROM m"

/* Ranked series of (series, price) rows of the last week. */
#define SWING "(max(price)-min(price))*1.0/min(price) sw"
#define RANKED " GROUP BY series ORDER BY sw DESC, series LIMIT 20"

static const struct layout layouts[] = {
    {.name = "plain",
     .tables = SERIES_TABLE "CREATE TABLE obs(series INT, ts INT, price INT); CREATE INDEX obs_i ON obs(series, ts)",
     .statements = {[PUT] = "INSERT INTO obs VALUES(?,?,?)"},
     .questions =
         {LATEST_OF("obs", "ts"), "SELECT count(nullif(price,0)), sum(price) FROM obs WHERE series=?3",
          "WITH c AS (SELECT s.sku sku, (o.ts-?1)/604800 w, o.price price, count(*) n FROM obs o JOIN series s ON s.id=o.series"
          " WHERE o.price>0 GROUP BY 1,2,3)," MEDIANS,
          "SELECT o.series series, " SWING " FROM series s JOIN obs o ON o.series=s.id AND o.ts>=?2 WHERE price>0" RANKED}},
    {.name = "spans",
     .tables = SERIES_TABLE
     "CREATE TABLE span(series INT, first INT, last INT, n INT, price INT, PRIMARY KEY(series, first)) WITHOUT ROWID",
     .statements = {[PUT] = "INSERT INTO span VALUES(?1,?2,?2,1,?3)",
                    [EXTEND] = "UPDATE span SET last=?2, n=n+1 WHERE series=?1 AND price=?3 AND first="
                               "(SELECT first FROM span WHERE series=?1 ORDER BY first DESC LIMIT 1)"},
     /* observations are counted by the hour, where a week ends within a span */
     .questions =
         {LATEST_OF("span", "first"), "SELECT sum(n), sum(n*price) FROM span WHERE series=?3 AND price>0",
          "WITH RECURSIVE k(w) AS (SELECT 0 UNION ALL SELECT w+1 FROM k WHERE w<(SELECT (max(last)-?1)/604800 FROM span)),"
          " c AS (SELECT s.sku sku, w, price, sum(min((last-?1)/3600, w*168+167)-max((first-?1)/3600, w*168)+1) n FROM span p"
          " JOIN series s ON s.id=p.series JOIN k ON w BETWEEN (first-?1)/604800 AND (last-?1)/604800 WHERE price>0"
          " GROUP BY 1,2,3)," MEDIANS,
          "SELECT series, " SWING " FROM span WHERE last>=?2 AND price>0" RANKED}},
    {.name = "runs",
     .tables = SERIES_TABLE "CREATE TABLE chg(series INT, run INT, price INT, PRIMARY KEY(series, run)) WITHOUT ROWID;"
                            "CREATE TABLE run(site INT, run INT, ts INT, PRIMARY KEY(site, run)) WITHOUT ROWID",
     .statements = {[PUT] = "INSERT INTO chg VALUES(?,?,?)",
                    [LATEST] = "SELECT price FROM chg WHERE series=? ORDER BY run DESC LIMIT 1",
                    [RUN_LAST] = "SELECT max(run) FROM run WHERE site=?",
                    [RUN_PUT] = "INSERT INTO run VALUES(?,?,?)"},
     .questions =
         {LATEST_OF("chg", "run"), "SELECT sum(b-a), sum((b-a)*price) FROM (" HELD " WHERE c.series=?3) WHERE price>0",
          "WITH k AS MATERIALIZED (SELECT site, (ts-?1)/604800 w, min(run) lo, max(run)+1 hi FROM run GROUP BY 1,2), p AS (" HELD
          "),"
          " x AS (SELECT sku, w, price, min(b,hi)-max(a,lo) n FROM p JOIN k ON k.site=p.site AND lo<b AND hi>a WHERE price>0),"
          " c AS (SELECT sku, w, price, sum(n) n FROM x GROUP BY 1,2,3)," MEDIANS,
          "WITH k AS MATERIALIZED (SELECT site, min(run) lo FROM run WHERE ts>=?2 GROUP BY site) SELECT series, " SWING
          " FROM (" HELD ") p JOIN k ON k.site=p.site WHERE b>lo AND price>0" RANKED}},
};

static const struct layout *layout_find(const char *name)
{
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++)
        if (strcmp(layouts[i].name, name) == 0) return &layouts[i];
    fprintf(stderr, "tool_sqlite: no layout %s\n", name);
    exit(2);
}

/* ---- in ---- */

static void tables_make(struct bench *bench)
{
    run_sql(bench, "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-262144; PRAGMA temp_store=MEMORY");
    run_sql(bench, bench->layout->tables);
    bench->statements[PUT] = prepare(bench, "INSERT INTO series VALUES(?,?,?)");
    run_sql(bench, "BEGIN");
    for (size_t i = 0; i < bench->history->series; i++)
        step(bench, PUT, (int64_t)i, (int64_t)(i / HISTORY_PER_SITE), history_sku(i), 0);
    run_sql(bench, "COMMIT");
    sqlite3_finalize(bench->statements[PUT]);
    for (int i = 0; i < STATEMENTS; i++) {
        const char *sql = i == BEGIN ? "BEGIN" : i == COMMIT ? "COMMIT" : bench->layout->statements[i];
        bench->statements[i] = sql == NULL ? NULL : prepare(bench, sql);
    }
}

/* Whether the series' latest row says the price already, or is made to. */
static bool is_known(struct bench *bench, int64_t series, int64_t time, int64_t price)
{
    if (bench->statements[LATEST] != NULL) return step(bench, LATEST, series, 0, 0, -1) == price;
    if (bench->statements[EXTEND] == NULL) return false;
    step(bench, EXTEND, series, time, price, 0);
    return sqlite3_changes(bench->db) > 0;
}

/* Keeps nothing in memory between pages, as a crawler that cron starts: what is latest is looked up. */
static void page_commit(struct bench *bench, int64_t site, int64_t hour)
{
    int64_t time = history_time((size_t)site, hour), run = time;
    step(bench, BEGIN, 0, 0, 0, 0);
    if (bench->statements[RUN_PUT] != NULL) {
        run = step(bench, RUN_LAST, site, 0, 0, -1) + 1;
        step(bench, RUN_PUT, site, run, time, 0);
    }
    for (int64_t series = site * HISTORY_PER_SITE; series < (site + 1) * HISTORY_PER_SITE; series++) {
        int64_t price = bench->history->now[series];
        if (!is_known(bench, series, time, price)) step(bench, PUT, series, run, price, 0);
    }
    step(bench, COMMIT, 0, 0, 0, 0);
}

static void history_take(struct bench *bench)
{
    struct meter meter = meter_init(bench->history->sites * (uint64_t)bench->history->hours);
    for (int64_t hour = 0; hour < bench->history->hours; hour++) {
        history_step(bench->history, hour);
        for (size_t site = 0; site < bench->history->sites; site++) {
            meter_begin(&meter);
            page_commit(bench, (int64_t)site, hour);
            meter_end(&meter);
        }
    }
    run_sql(bench, "PRAGMA wal_checkpoint(TRUNCATE)");
    meter_print(&meter);
}

/* ---- out ---- */

/* A count and a sum; or ranked series, which add up by rank. */
static struct answer ask(void *ctx)
{
    struct bench *bench = ctx;
    struct answer answer = {0, 0};
    sqlite3_stmt *statement = bench->question;
    bool is_ranked = strcmp(sqlite3_column_name(statement, 0), "series") == 0;
    int rc = sqlite3_step(statement);
    for (; rc == SQLITE_ROW; rc = sqlite3_step(statement)) {
        uint64_t first = (uint64_t)sqlite3_column_int64(statement, 0);
        answer.count = is_ranked ? answer.count + 1 : first;
        answer.sum += is_ranked ? answer.count * first : (uint64_t)sqlite3_column_int64(statement, 1);
    }
    check(bench, rc == SQLITE_DONE);
    sqlite3_reset(statement);
    return answer;
}

int main(int argc, char **argv)
{
    if (argc != 4) return fprintf(stderr, "usage: tool_sqlite plain|spans|runs FILE SHAPE\n"), 2;
    struct bench bench = {.layout = layout_find(argv[1]), .history = history_new(argv[3])};
    check(&bench, sqlite3_open(argv[2], &bench.db) == SQLITE_OK);
    tables_make(&bench);
    history_take(&bench);
    int64_t parameters[] = {HISTORY_BEGIN_UNIX_S, history_last_week(bench.history),
                            (int64_t)history_asked(bench.history->series)};
    for (int i = 0; i < QUESTIONS; i++) {
        bench.question = prepare(&bench, bench.layout->questions[i]);
        for (int j = 0; j < 3 && j < sqlite3_bind_parameter_count(bench.question); j++)
            sqlite3_bind_int64(bench.question, j + 1, parameters[j]);
        question_ask(i + 1, ask, &bench);
        sqlite3_finalize(bench.question);
    }
    for (int i = 0; i < STATEMENTS; i++) sqlite3_finalize(bench.statements[i]);
    sqlite3_close(bench.db);
    history_free(bench.history);
    return 0;
}
