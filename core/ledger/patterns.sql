-- Patterns and the marks of the last look.

-- name: pattern_work
-- Owners with more taken through the write path than their last look saw, or looked at by another policy.
SELECT seen.tenant, seen.owner, seen.agent, seen.through
  FROM (SELECT tenant, owner, agent,
               coalesce(min(CASE WHEN state IN ('new', 'leased') THEN serial_no END) - 1, max(serial_no)) AS through
          FROM episode GROUP BY tenant, owner, agent) AS seen
  LEFT JOIN pattern_mark AS mark
    ON mark.tenant = seen.tenant AND mark.owner = seen.owner AND mark.agent = seen.agent
 WHERE seen.through > coalesce(mark.through, 0) OR (mark.policy IS NOT NULL AND mark.policy <> :policy)
 ORDER BY seen.through LIMIT :limit;

-- name: pattern_episodes
-- The last episodes that others than assistants made, newest first; the reader turns them round.
SELECT * FROM episode
 WHERE tenant = :tenant AND owner = :owner AND agent = :agent AND serial_no <= :through
   AND json_extract(provenance, '$.source_kind') <> 'agent_turn'
   AND coalesce(idempotency_key, '') NOT LIKE 'pattern:%'
 ORDER BY serial_no DESC LIMIT :limit;

-- name: patterns
-- An owner's patterns, last changed first.
SELECT * FROM pattern
 WHERE tenant = :tenant AND owner = :owner AND agent = :agent
 ORDER BY updated_at DESC, pattern_id;

-- name: pattern
-- One pattern.
SELECT * FROM pattern WHERE pattern_id = :pattern_id;

-- name: add_pattern
-- A pattern that was not kept yet.
INSERT INTO pattern (pattern_id, tenant, owner, agent, detector, key, sentence, state, supports, against, sessions, seen,
                     candidate_id, updated_at, version)
VALUES (:pattern_id, :tenant, :owner, :agent, :detector, :key, :sentence, :state, :supports, :against, :sessions, :seen,
        :candidate_id, :updated_at, 1)
ON CONFLICT DO NOTHING;

-- name: change_pattern
-- Compare-and-swap on the version.
UPDATE pattern
   SET key = :key, sentence = :sentence, state = :state, supports = :supports, against = :against, sessions = :sessions,
       seen = :seen, candidate_id = :candidate_id, updated_at = :updated_at, version = version + 1
 WHERE pattern_id = :pattern_id AND version = :version;

-- name: mark_patterns
-- How far the last look went.
INSERT INTO pattern_mark (tenant, owner, agent, through, policy)
VALUES (:tenant, :owner, :agent, :through, :policy)
ON CONFLICT (tenant, owner, agent) DO UPDATE SET through = excluded.through, policy = excluded.policy;

-- name: pattern_of_candidate
-- The pattern that a candidate was made of.
SELECT * FROM pattern WHERE candidate_id = :candidate_id;

-- name: erase_patterns
-- What was concluded about an owner.
DELETE FROM pattern WHERE tenant = :tenant AND owner = :owner;

-- name: erase_pattern_marks
-- And how far.
DELETE FROM pattern_mark WHERE tenant = :tenant AND owner = :owner;
