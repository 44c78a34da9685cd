-- The history of many crawlers in ClickHouse (Debian's 18.16 and later): what `gputape push clickhouse URL` fills. Lines that begin with "--"
-- are comments; take one of the two layouts. With clickhouse-client:
--     sed -n '/^-- === one node/,/^-- === shards/p' store/clickhouse.sql | clickhouse-client --multiquery
-- Every row has a key and may be sent again; FINAL shows each once. A run counts once its row in `runs` is there, which comes last.
--
-- entity    hash of (site, part, provenance, writer): what rows are spread over shards by
-- epoch     a stream that was written anew (reparse, import) is sent whole under the next number; only the highest counts
-- n         the run's place in its stream, from 1 on without gaps: a number that no crawler changes
-- seq       the crawler's own number of the run: parts of one attempt share it; own_stream: its own number of the stream, which orders them
-- digest    over all bodies of the stream up to this run
-- bytes     of this run's bodies, its changes included
-- body      JSON: the line of an export, with what it refers to by value; what a store is made of again
-- amounts   nano-units of the currency for one card; 0: none
-- last_n, last_unix_s, observations: 0 while the span is open; its end then is the last good run of its stream

-- === one node ===
CREATE TABLE runs (entity UInt64, epoch UInt32, n UInt32, seq UInt64, own_stream UInt32, site String, part String, provenance String, writer String,
    t_unix_s Int64, t DateTime MATERIALIZED toDateTime(t_unix_s), status String, is_good UInt8, is_action UInt8, http_code Int32, latency_ms Int64,
    body_bytes Int64, offers_seen UInt32, changes UInt32, digest String, bytes UInt64, body String)
    ENGINE = ReplacingMergeTree ORDER BY (entity, epoch, n);
CREATE TABLE changes (entity UInt64, epoch UInt32, n UInt32, i UInt32, site String, part String, provenance String, writer String,
    t_unix_s Int64, t DateTime MATERIALIZED toDateTime(t_unix_s), offer String, label String, sku String, changes String, currency String,
    hour_list_before_nano Int64, hour_list_nano Int64, month_list_before_nano Int64, month_list_nano Int64, body String)
    ENGINE = ReplacingMergeTree ORDER BY (entity, epoch, n, i);
CREATE TABLE spans (entity UInt64, epoch UInt32, offer String, first_n UInt32, version UInt32, site String, part String, provenance String,
    writer String, label String, plan String, region String, sku String, vram_gb UInt32, cards UInt32, delivery String, tier String,
    availability String, currency String, hour_list_nano Int64, month_list_nano Int64, first_unix_s Int64, last_unix_s Int64, last_n UInt32,
    observations UInt32, is_doubted UInt8, is_voided UInt8, is_open UInt8)
    ENGINE = ReplacingMergeTree(version) ORDER BY (entity, epoch, offer, first_n);
CREATE TABLE offers (entity UInt64, offer String, site String, part String, label String, plan String, region String, variant String, key String,
    body String)
    ENGINE = ReplacingMergeTree ORDER BY (entity, offer);

-- === shards and replicas ===
