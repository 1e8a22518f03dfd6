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

-- name: lacking
-- Which of these effects were never applied here, or were lost: as the keeper, who alone sees every owner's.
SELECT e.effect_id FROM unnest(%(owners)s::text[], %(ids)s::text[]) AS e(owner, effect_id)
WHERE NOT EXISTS (
    SELECT 1 FROM chronomemory.applied_effect a WHERE a.owner = e.owner AND a.effect_id = e.effect_id
);
