-- What agents keep under a key.

-- part: item_read
-- With its words, whether they were read, and whether nothing of them was held, rejected, taken back or given up.
SELECT kept_item.*, episode.text,
       episode.state = 'done' AND NOT EXISTS (SELECT 1 FROM audit_ref JOIN audit ON audit.seq = audit_ref.seq
                                               WHERE audit_ref.ref = kept_item.episode_id
                                                 AND audit.action = 'episode:failed') AS read,
       NOT EXISTS (SELECT 1 FROM candidate WHERE candidate.episode_id = kept_item.episode_id
                      AND (candidate.state NOT IN ('admitted', 'promoted')
                           OR (SELECT json_extract(outbox.effect, '$.kind') FROM outbox
                                WHERE outbox.memory_id = candidate.candidate_id
                                  AND json_extract(outbox.effect, '$.kind')
                                      IN ('activate', 'tombstone', 'restore', 'remove')
                                ORDER BY outbox.outbox_no DESC LIMIT 1) IN ('tombstone', 'remove'))) AS clear,
       EXISTS (SELECT 1 FROM candidate WHERE candidate.episode_id = kept_item.episode_id
                  AND candidate.state = 'promoted') AS promoted
  FROM kept_item JOIN episode ON episode.episode_id = kept_item.episode_id

-- name: kept_item_by_key
-- One item.
{{item_read}}
 WHERE kept_item.tenant = :tenant AND kept_item.owner = :owner AND kept_item.agent = :agent AND kept_item.maker = :maker
   AND kept_item.namespace = :namespace AND kept_item.key = :key;

-- name: kept_items_of_maker
-- All of an agent's items, last put first.
{{item_read}}
 WHERE kept_item.tenant = :tenant AND kept_item.owner = :owner AND kept_item.agent = :agent AND kept_item.maker = :maker
 ORDER BY kept_item.updated_at DESC, kept_item.namespace, kept_item.key;

-- name: count_kept_items
-- How many an agent keeps.
SELECT count(*) AS total FROM kept_item
 WHERE tenant = :tenant AND owner = :owner AND agent = :agent AND maker = :maker;

-- name: put_kept_item
-- The newest value of a key.
INSERT INTO kept_item (tenant, owner, agent, maker, namespace, key, episode_id, digest, worth, created_at, updated_at)
VALUES (:tenant, :owner, :agent, :maker, :namespace, :key, :episode_id, :digest, :worth, :at, :at)
ON CONFLICT (tenant, owner, agent, maker, namespace, key) DO UPDATE
   SET episode_id = excluded.episode_id, digest = excluded.digest, worth = excluded.worth,
       updated_at = excluded.updated_at;

-- name: drop_kept_item
-- A key is kept no more; its episode stays.
DELETE FROM kept_item
 WHERE tenant = :tenant AND owner = :owner AND agent = :agent AND maker = :maker AND namespace = :namespace
   AND key = :key;

-- name: erase_kept_items
-- Namespaces and keys are words too.
DELETE FROM kept_item WHERE tenant = :tenant AND owner = :owner;
