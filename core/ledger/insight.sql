-- Numbers for the charts, counted from candidates and people's decisions. `:owner` null counts the whole tenant.
-- What is grouped by day, source and state reads the queue's covering index only, never a candidate's words. People
-- decide on few of all candidates: what asks for their decisions begins there.

-- name: insight_proposed
-- Candidates by the day they came in, source kind and state.
SELECT substr(created_at, 1, 10) AS day, source_kind, state, count(*) AS total
  FROM candidate
 WHERE tenant = :tenant AND (:owner IS NULL OR owner = :owner)
   AND state IN ('held', 'admitted', 'promoted', 'rejected', 'withdrawn')
 GROUP BY day, source_kind, state;

-- name: insight_rejected
-- Those of them that a person rejected, so that they had been held: by the day they came in and source kind.
SELECT substr(candidate.created_at, 1, 10) AS day, candidate.source_kind, count(*) AS total
  FROM decision INDEXED BY decision_by_people
       CROSS JOIN candidate INDEXED BY candidate_decision ON candidate.decision_no = decision.decision_no
 WHERE decision.decided_by <> 'policy' AND candidate.tenant = :tenant AND (:owner IS NULL OR candidate.owner = :owner)
   AND candidate.state = 'rejected'
 GROUP BY day, candidate.source_kind;

-- name: insight_promoted
-- People's admissions a day.
SELECT substr(decision.at, 1, 10) AS day, count(*) AS total
  FROM decision INDEXED BY decision_by_people CROSS JOIN candidate USING (candidate_id)
 WHERE decision.decided_by <> 'policy' AND decision.at >= :since AND decision.verdict = 'admit'
   AND candidate.tenant = :tenant AND (:owner IS NULL OR candidate.owner = :owner)
 GROUP BY day;

-- name: insight_contradicted
-- Candidates that met a memory which says otherwise, by source kind.
SELECT candidate.source_kind, count(DISTINCT candidate.candidate_id) AS total
  FROM decision_reason JOIN decision USING (decision_no) JOIN candidate USING (candidate_id)
 WHERE decision_reason.reason = 'conflict'
   AND candidate.tenant = :tenant AND (:owner IS NULL OR candidate.owner = :owner)
 GROUP BY candidate.source_kind;

-- name: insight_places
-- One owner's single sources; turns are left out, since each conversation would be one.
SELECT source_kind, source_ref, count(*) AS proposed, sum(state = 'held') AS held, sum(state = 'admitted') AS admitted,
       sum(state = 'promoted') AS promoted
  FROM candidate
 WHERE tenant = :tenant AND owner = :owner AND state IN ('held', 'admitted', 'promoted', 'rejected', 'withdrawn')
   AND source_kind NOT IN ('user_turn', 'agent_turn')
 GROUP BY source_kind, source_ref
 ORDER BY proposed DESC, source_kind, source_ref LIMIT :limit;

-- name: insight_places_contradicted
-- The same for candidates that met a memory which says otherwise.
SELECT candidate.source_kind, candidate.source_ref, count(DISTINCT candidate.candidate_id) AS total
  FROM decision_reason JOIN decision USING (decision_no) JOIN candidate USING (candidate_id)
 WHERE decision_reason.reason = 'conflict' AND candidate.tenant = :tenant AND candidate.owner = :owner
 GROUP BY candidate.source_kind, candidate.source_ref;

-- name: insight_held_trust
-- What waits, by the effective trust that the gate saw.
SELECT min(CAST(json_extract(decision.evidence, '$.effective_trust') * :bins + 1e-9 AS INTEGER), :bins - 1) AS low,
       count(*) AS total
  FROM candidate JOIN decision ON decision.decision_no = candidate.decision_no
 WHERE candidate.tenant = :tenant AND candidate.state = 'held' AND (:owner IS NULL OR candidate.owner = :owner)
 GROUP BY low;

-- name: insight_effects
-- Every change that was decided for one memory of an owner, in order.
SELECT effect FROM outbox INDEXED BY outbox_memory
 WHERE memory_id = :memory_id AND tenant = :tenant AND owner = :owner ORDER BY outbox_no;

-- name: vitals_inbox
-- What waits for a worker or is in its hands, from the index of what waits alone.
SELECT count(*) AS waiting, min(received_at) AS oldest,
       coalesce(sum(CASE WHEN state = 'leased' AND lease_until > :at THEN 1 ELSE 0 END), 0) AS leased
  FROM episode WHERE state IN ('new', 'leased');

-- name: vitals_outbox
-- What the store has not had yet, and when the first of it was decided: the time of the chain's head at its commit.
SELECT (SELECT count(*) FROM outbox WHERE applied_at IS NULL) AS waiting,
       (SELECT audit.at FROM outbox JOIN audit ON audit.seq = outbox.ledger_seq
         WHERE outbox.applied_at IS NULL ORDER BY outbox.outbox_no LIMIT 1) AS oldest;

-- name: vitals_held
-- What waits for people, tenant by tenant, from the queue's covering index.
WITH RECURSIVE
  place (tenant) AS (
    SELECT min(tenant) FROM candidate
    UNION ALL
    SELECT (SELECT min(candidate.tenant) FROM candidate WHERE candidate.tenant > place.tenant)
      FROM place WHERE place.tenant IS NOT NULL
  )
SELECT CASE WHEN candidate.snoozed_until > :at THEN 'snoozed' WHEN candidate.assigned_to <> '' THEN 'assigned'
            ELSE 'waiting' END AS held_as,
       count(*) AS total, min(candidate.created_at) AS oldest
  FROM place JOIN candidate ON candidate.tenant = place.tenant AND candidate.state = 'held'
 GROUP BY held_as;

-- name: vitals_untold
-- Audit entries that a reader of the chain has not dealt with, as far as it is worth counting them.
SELECT action, count(*) AS total
  FROM (SELECT action FROM audit
         WHERE seq > (SELECT seq FROM audit_cursor WHERE name = :reader AND seq > 0) ORDER BY seq LIMIT :most) AS next
 GROUP BY action;
