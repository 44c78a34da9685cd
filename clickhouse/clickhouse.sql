-- The history of many crawlers in ClickHouse (Debian's 18.16 and later): what `gputape push clickhouse URL` fills. Lines that begin with "--"
-- are comments. Run the part `columns`, one of the two layouts, and `end`; with clickhouse-client:
--     for part in columns "one node" end; do sed -n "/^-- === $part/,/^-- ===\$/p" clickhouse.sql; done | clickhouse-client --multiquery
-- `shards and replicas` is run on every server. Its remote_servers has a cluster `gputape` (internal_replication true), its macros `shard` and
-- `replica`, and ZooKeeper is named. Crawlers may push to any of them, readers may ask any.
-- Every row has a key and may be sent again; FINAL shows each once. A run counts once its row in `runs` is there, which comes last.
--
-- entity    hash of (site, part, provenance, writer): what rows are spread over shards by
-- epoch     a stream that was written anew (reparse, import) is sent whole under the next number; only the highest counts
-- n         the run's place in its stream, from 1 on without gaps: a number that no crawler changes
-- seq       the crawler's own number of the run: parts of one attempt share it; own_stream: its own number of the stream, which orders them
-- digest    over all bodies of the stream up to this run
-- bytes     of this run's bodies, its changes included
-- body      JSON: the line of an export, with what it refers to by value; what a store is made of again
-- t_unix_s  when the run began, UTC: toDateTime(t_unix_s)
-- amounts   nano-units of the currency for one card; 0: none
-- last_n, last_unix_s, observations: 0 while the span is open; its end then is the last good run of its stream

-- === columns
CREATE TABLE runs_columns (entity UInt64, epoch UInt32, n UInt32, seq UInt64, own_stream UInt32, site String, part String, provenance String, writer String,
    t_unix_s Int64, status String, is_good UInt8, is_action UInt8, http_code Int32, latency_ms Int64,
    body_bytes Int64, offers_seen UInt32, changes UInt32, digest String, bytes UInt64, body String)
    ENGINE = Null;
CREATE TABLE changes_columns (entity UInt64, epoch UInt32, n UInt32, i UInt32, site String, part String, provenance String, writer String,
    t_unix_s Int64, offer String, label String, sku String, changes String, currency String,
    hour_list_before_nano Int64, hour_list_nano Int64, month_list_before_nano Int64, month_list_nano Int64, body String)
    ENGINE = Null;
CREATE TABLE spans_columns (entity UInt64, epoch UInt32, offer String, first_n UInt32, version UInt32, site String, part String, provenance String,
    writer String, label String, plan String, region String, sku String, vram_gb UInt32, cards UInt32, delivery String, tier String,
    availability String, currency String, hour_list_nano Int64, month_list_nano Int64, first_unix_s Int64, last_unix_s Int64, last_n UInt32,
    observations UInt32, is_doubted UInt8, is_voided UInt8, is_open UInt8)
    ENGINE = Null;
CREATE TABLE offers_columns (entity UInt64, offer String, site String, part String, label String, plan String, region String, variant String, key String,
    body String)
    ENGINE = Null;
-- ===

-- === one node
CREATE TABLE runs AS runs_columns ENGINE = ReplacingMergeTree ORDER BY (entity, epoch, n);
CREATE TABLE changes AS changes_columns ENGINE = ReplacingMergeTree ORDER BY (entity, epoch, n, i);
CREATE TABLE spans AS spans_columns ENGINE = ReplacingMergeTree(version) ORDER BY (entity, epoch, offer, first_n);
CREATE TABLE offers AS offers_columns ENGINE = ReplacingMergeTree ORDER BY (entity, offer);
-- ===

-- === shards and replicas
CREATE TABLE runs_local AS runs_columns ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/gputape/runs', '{replica}')
    ORDER BY (entity, epoch, n);
CREATE TABLE changes_local AS changes_columns ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/gputape/changes', '{replica}')
    ORDER BY (entity, epoch, n, i);
CREATE TABLE spans_local AS spans_columns ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/gputape/spans', '{replica}', version)
    ORDER BY (entity, epoch, offer, first_n);
CREATE TABLE offers_local AS offers_columns ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/gputape/offers', '{replica}')
    ORDER BY (entity, offer);
CREATE TABLE runs AS runs_columns ENGINE = Distributed(gputape, currentDatabase(), runs_local, entity);
CREATE TABLE changes AS changes_columns ENGINE = Distributed(gputape, currentDatabase(), changes_local, entity);
CREATE TABLE spans AS spans_columns ENGINE = Distributed(gputape, currentDatabase(), spans_local, entity);
CREATE TABLE offers AS offers_columns ENGINE = Distributed(gputape, currentDatabase(), offers_local, entity);
-- ===

-- === end
DROP TABLE runs_columns;
DROP TABLE changes_columns;
DROP TABLE spans_columns;
DROP TABLE offers_columns;
-- ===
