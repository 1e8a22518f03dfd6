-- What a health check asks of a server; every statement only reads.

-- name: server
-- Versions of the server and of its vector extension.
SELECT current_setting('server_version') AS server, current_setting('server_version_num')::int AS number,
    (SELECT extversion FROM pg_extension WHERE extname = 'vector') AS vector;

-- name: made
-- Whether this database holds a store.
SELECT 1 FROM pg_tables WHERE schemaname = 'chronomemory' AND tablename = 'schema_migration';

-- name: migrated
-- How many migrations it has had.
SELECT count(*) AS total FROM chronomemory.schema_migration;
