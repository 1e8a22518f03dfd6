-- Imports: runs, results, known versions.

-- name: put_import
-- Insert or update a run; its owner, format and name stay.
INSERT INTO import_run (run_id, tenant, owner, agent, format, name, state, started_at, updated_at, counts, total, upload,
                        problem)
VALUES (:run_id, :tenant, :owner, :agent, :format, :name, :state, :started_at, :updated_at, :counts, :total, :upload,
        :problem)
ON CONFLICT (run_id) DO UPDATE
   SET state = excluded.state, updated_at = excluded.updated_at, counts = excluded.counts, total = excluded.total,
       upload = excluded.upload, problem = excluded.problem
 WHERE import_run.tenant = excluded.tenant AND import_run.owner = excluded.owner AND import_run.agent = excluded.agent;

-- name: import_run
-- One run of a scope.
SELECT * FROM import_run WHERE run_id = :run_id AND tenant = :tenant AND owner = :owner AND agent = :agent;

-- name: import_runs
-- A scope's runs, newest first.
SELECT * FROM import_run WHERE tenant = :tenant AND owner = :owner AND agent = :agent
 ORDER BY started_at DESC, run_id DESC LIMIT :limit;

-- name: open_imports
-- What the worker has to go on with.
SELECT * FROM import_run WHERE state IN ('waiting', 'running') AND upload <> '' ORDER BY started_at, run_id LIMIT :limit;

-- name: kept_uploads
-- Files that are still needed.
SELECT upload FROM import_run WHERE state IN ('waiting', 'running') AND upload <> '';

-- name: add_import_result
-- What became of one entry; a run that goes on after a kill writes its last ones again.
INSERT INTO import_result (run_id, number, outcome, place, title, reason)
VALUES (:run_id, :number, :outcome, :place, :title, :reason)
ON CONFLICT (run_id, number) DO UPDATE
   SET outcome = excluded.outcome, place = excluded.place, title = excluded.title, reason = excluded.reason;

-- name: import_results
-- One page of results.
SELECT import_result.* FROM import_result
 WHERE run_id = :run_id AND (:only IS NULL OR outcome = :only)
 ORDER BY number LIMIT :limit OFFSET :offset;

-- name: import_result_total
-- How many there are in all.
SELECT count(*) AS total FROM import_result WHERE run_id = :run_id AND (:only IS NULL OR outcome = :only);

-- name: put_known_item
-- The newest version of an item.
INSERT INTO imported_item (tenant, owner, agent, connector, namespace, item_id, version, digest, parts, outgoing, at)
VALUES (:tenant, :owner, :agent, :connector, :namespace, :item_id, :version, :digest, :parts, :outgoing, :at)
ON CONFLICT (tenant, owner, agent, connector, namespace, item_id) DO UPDATE
   SET version = excluded.version, digest = excluded.digest, parts = excluded.parts, outgoing = excluded.outgoing,
       at = excluded.at;

-- name: known_items
-- The last version of each of some items.
SELECT * FROM imported_item
 WHERE tenant = :tenant AND owner = :owner AND agent = :agent AND connector = :connector AND namespace = :namespace
   AND item_id IN (SELECT value FROM json_each(:item_ids));

-- name: outgoing_items
-- Changed items whose new sections, and whose owner's texts before them, are all read.
SELECT * FROM imported_item AS item
 WHERE outgoing <> '[]'
   AND NOT EXISTS (SELECT 1 FROM json_each(item.parts) AS part JOIN episode ON episode.episode_id = part.value
                    WHERE episode.state IN ('new', 'leased'))
   AND NOT EXISTS (SELECT 1 FROM json_each(item.outgoing) AS past JOIN episode ON episode.episode_id = past.value
                    WHERE episode.state IN ('new', 'leased'))
 ORDER BY at LIMIT :limit;

-- name: erase_imported_items
-- Paths and ids.
DELETE FROM imported_item WHERE tenant = :tenant AND owner = :owner;

-- name: erase_import_results
-- Places and titles.
DELETE FROM import_result
 WHERE run_id IN (SELECT run_id FROM import_run WHERE tenant = :tenant AND owner = :owner);

-- name: erase_imports
-- Names of files.
DELETE FROM import_run WHERE tenant = :tenant AND owner = :owner;
