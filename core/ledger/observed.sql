-- What was observed of sources and of statements over time: ids, codes and times, never words.

-- name: observed_statements
-- Live and decided candidates of an owner with the origin that the policy first saw, in order of receipt.
SELECT candidate.candidate_id, candidate.source_kind, candidate.state,
       json_extract(candidate.provenance, '$.tool') AS tool,
       json_extract(first.evidence, '$.origin') AS origin,
       latest.decided_by
  FROM candidate
  JOIN decision AS first ON first.decision_no = (SELECT min(decision_no) FROM decision AS earlier
                                                  WHERE earlier.candidate_id = candidate.candidate_id)
  JOIN decision AS latest ON latest.decision_no = candidate.decision_no
 WHERE candidate.tenant = :tenant AND candidate.owner = :owner
   AND json_extract(candidate.proposal, '$.kind') <> 'event'
   AND (:origin IS NULL OR json_extract(first.evidence, '$.origin') = :origin)
   AND coalesce(json_extract(first.evidence, '$.origin'), '') <> ''
 ORDER BY candidate.queue_no DESC LIMIT :limit;

-- name: observed_effects
-- What happened to an owner's memories, in order; who decided the candidate that an effect came from.
SELECT outbox.memory_id, json_extract(outbox.effect, '$.kind') AS kind, json_extract(outbox.effect, '$.at') AS at,
       json_extract(outbox.effect, '$.origin') AS origin, outbox.effect_id,
       json_extract(outbox.effect, '$.memory.kind') AS memory_kind,
       json_extract(outbox.effect, '$.memory.stated_at') AS stated_at,
       json_extract(outbox.effect, '$.memory.support') AS support,
       json_extract(outbox.effect, '$.by_memory_id') AS by_memory_id,
       coalesce((SELECT latest.decided_by FROM candidate JOIN decision AS latest USING (decision_no)
                  WHERE candidate.candidate_id = substr(outbox.effect_id, 1, instr(outbox.effect_id, ':') - 1)), '')
         AS decided_by
  FROM outbox
 WHERE outbox.tenant = :tenant AND (:owner IS NULL OR outbox.owner = :owner)
   AND json_extract(outbox.effect, '$.kind') IN
       ('activate', 'confirm', 'attest', 'supersede', 'retract', 'restore', 'remove', 'tombstone')
 ORDER BY outbox.outbox_no DESC LIMIT :limit;
