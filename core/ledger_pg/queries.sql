-- The statements that Postgres says otherwise than SQLite; every other one is shared with core/ledger/*.sql.

-- name: create_migration_record
-- The schema and the record of what was applied.
CREATE SCHEMA IF NOT EXISTS ledger;
CREATE TABLE IF NOT EXISTS ledger.migration (
  number   bigint NOT NULL PRIMARY KEY,
  name     text NOT NULL,
  checksum text NOT NULL CHECK (length(checksum) = 64)
);

-- name: has_migration_record
-- Whether the database is a ledger at all.
SELECT 1 FROM pg_tables WHERE schemaname = 'ledger' AND tablename = 'migration';

-- name: has_settings
-- Whether it is new enough to keep settings.
SELECT 1 FROM pg_tables WHERE schemaname = 'ledger' AND tablename = 'setting';

-- name: query_only
-- Whether this transaction refuses every write.
SELECT (current_setting('transaction_read_only') = 'on')::integer AS query_only;

-- name: items_by_number
-- The items of a page, oldest first.
SELECT * FROM item WHERE queue_no IN (SELECT value::bigint FROM json_each(:numbers)) ORDER BY queue_no;

-- name: inputs_by_number
-- Envelopes of episodes; their words are not read.
SELECT serial_no, episode_id, provenance FROM episode WHERE serial_no IN (SELECT value::bigint FROM json_each(:numbers));

-- name: add_marks
-- What an episode is found again by.
INSERT INTO mark (owner_no, mark, serial_no)
SELECT mark_owner.owner_no, made.value::bigint, :serial_no
  FROM mark_owner CROSS JOIN json_each(:marks) AS made
 WHERE mark_owner.tenant = :tenant AND mark_owner.owner = :owner
ON CONFLICT DO NOTHING;

-- name: first_seen
-- For each mark the earliest episode of the owner that bears it.
SELECT wanted.value::bigint AS mark, seen.serial_no
  FROM mark_owner
 CROSS JOIN json_each(:marks) AS wanted
 JOIN mark AS seen
    ON seen.owner_no = mark_owner.owner_no AND seen.mark = wanted.value::bigint
   AND seen.serial_no = (SELECT min(serial_no) FROM mark
                          WHERE owner_no = mark_owner.owner_no AND mark = wanted.value::bigint)
 WHERE mark_owner.tenant = :tenant AND mark_owner.owner = :owner AND (:before = 0 OR seen.serial_no < :before);

-- name: add_candidate_roots
-- Index a decision's roots.
INSERT INTO candidate_root (root, queue_no)
SELECT root.value, candidate.queue_no FROM candidate, json_each(:roots) AS root
 WHERE candidate.candidate_id = :candidate_id
ON CONFLICT DO NOTHING;

-- name: add_decision_quotes
-- Index the memories whose words a decision's evidence repeats.
INSERT INTO decision_quote (memory_id, decision_no) SELECT value, :decision_no FROM json_each(:memory_ids)
ON CONFLICT DO NOTHING;

-- name: add_approval
-- Once a person and version, however often they click.
INSERT INTO approval (candidate_id, version, digest, user_id, at, note)
VALUES (:candidate_id, :version, :digest, :user_id, :at, :note)
ON CONFLICT DO NOTHING;

-- name: chain
-- Every link as its stored bytes.
SELECT seq, convert_to(at, 'UTF8') AS at, convert_to(actor, 'UTF8') AS actor, convert_to(attestation, 'UTF8') AS attestation,
       convert_to(action, 'UTF8') AS action, convert_to(about, 'UTF8') AS about, convert_to(tenant, 'UTF8') AS tenant,
       convert_to(owner, 'UTF8') AS owner, convert_to(prev_hash, 'UTF8') AS prev_hash, convert_to(hash, 'UTF8') AS hash
  FROM audit ORDER BY seq;

-- name: put_conversation
-- Insert, or update title and time; another scope's conversation is left alone.
INSERT INTO conversation (conversation_id, tenant, owner, agent, title, created_at, updated_at)
VALUES (:conversation_id, :tenant, :owner, :agent, :title, :created_at, :updated_at)
ON CONFLICT (conversation_id) DO UPDATE SET title = excluded.title, updated_at = excluded.updated_at
 WHERE conversation.tenant = excluded.tenant AND conversation.owner = excluded.owner AND conversation.agent = excluded.agent;

-- name: put_run
-- Insert an answer, or bring it up to date; whose it is and what it answers never changes.
INSERT INTO run (run_id, conversation_id, tenant, owner, agent, question_id, state, text, started_at, updated_at, model,
                 error, answer_id, detail)
VALUES (:run_id, :conversation_id, :tenant, :owner, :agent, :question_id, :state, :text, :started_at, :updated_at,
        :model, :error, :answer_id, :detail)
ON CONFLICT (run_id) DO UPDATE
   SET state = excluded.state, text = excluded.text, updated_at = excluded.updated_at, model = excluded.model,
       error = excluded.error, answer_id = excluded.answer_id, detail = excluded.detail
 WHERE run.tenant = excluded.tenant AND run.owner = excluded.owner AND run.agent = excluded.agent
   AND run.conversation_id = excluded.conversation_id;

-- name: reserve
-- One reservation an item: nobody's, one's own, one that ran out, or any with force.
INSERT INTO reservation (candidate_id, user_id, until) VALUES (:candidate_id, :user_id, :until)
ON CONFLICT (candidate_id) DO UPDATE SET user_id = excluded.user_id, until = excluded.until
 WHERE :force OR reservation.user_id = excluded.user_id OR reservation.until <= :now;

-- name: set_cursor
-- It only moves forwards.
INSERT INTO audit_cursor (name, seq) VALUES (:name, :seq)
ON CONFLICT (name) DO UPDATE SET seq = excluded.seq WHERE audit_cursor.seq < excluded.seq;

-- name: set_place
-- Its place in the queue, as its latest decision gives it.
UPDATE candidate SET priority = :priority, alone = :alone::integer WHERE candidate_id = :candidate_id;

-- name: slot_values
-- The values that live candidates give a slot; one that takes a value back says nothing for it.
SELECT candidate_id, json_extract(proposal, '$.value') AS value FROM candidate
 WHERE tenant = :tenant AND owner = :owner AND slot_key = :slot_key
   AND state IN ('held', 'admitted', 'promoted') AND json_extract(proposal, '$.retracts') IS DISTINCT FROM 'true'
 ORDER BY queue_no;

-- name: first_evidence
-- Origin and trust of candidates as the policy first saw them, in order; those of unknown origin are left out.
SELECT json_extract(decision.evidence, '$.origin') AS origin,
       json_extract(decision.evidence, '$.effective_trust')::double precision AS trust,
       json_extract(candidate.provenance, '$.observed_at') AS observed_at, candidate.created_at, candidate.episode_id
  FROM candidate
  JOIN decision ON decision.decision_no = (SELECT min(decision_no) FROM decision AS earlier
                                            WHERE earlier.candidate_id = candidate.candidate_id
                                              AND earlier.decided_by = 'policy')
 WHERE candidate.candidate_id IN (SELECT value FROM json_each(:candidate_ids))
   AND coalesce(json_extract(decision.evidence, '$.origin'), '') <> ''
 ORDER BY candidate.queue_no;

-- name: insight_rejected
-- Those of them that a person rejected, so that they had been held: by the day they came in and source kind.
SELECT substr(candidate.created_at, 1, 10) AS day, candidate.source_kind, count(*) AS total
  FROM decision
       JOIN candidate ON candidate.decision_no = decision.decision_no
 WHERE decision.decided_by <> 'policy' AND candidate.tenant = :tenant AND (:owner IS NULL OR candidate.owner = :owner)
   AND candidate.state = 'rejected'
 GROUP BY day, candidate.source_kind;

-- name: insight_promoted
-- People's admissions a day.
SELECT substr(decision.at, 1, 10) AS day, count(*) AS total
  FROM decision JOIN candidate USING (candidate_id)
 WHERE decision.decided_by <> 'policy' AND decision.at >= :since AND decision.verdict = 'admit'
   AND candidate.tenant = :tenant AND (:owner IS NULL OR candidate.owner = :owner)
 GROUP BY day;

-- name: insight_effects
-- Every change that was decided for one memory of an owner, in order.
SELECT effect FROM outbox
 WHERE memory_id = :memory_id AND tenant = :tenant AND owner = :owner ORDER BY outbox_no;

-- name: insight_held_trust
-- What waits, by the effective trust that the gate saw.
SELECT least(trunc(json_extract(decision.evidence, '$.effective_trust')::double precision * :bins + 1e-9)::integer,
             :bins - 1) AS low,
       count(*) AS total
  FROM candidate JOIN decision ON decision.decision_no = candidate.decision_no
 WHERE candidate.tenant = :tenant AND candidate.state = 'held' AND (:owner IS NULL OR candidate.owner = :owner)
 GROUP BY low;

-- name: markings
-- What people are doing about candidates.
SELECT c.candidate_id, c.tenant, c.owner, c.state, c.updated_at, c.snoozed_until, c.assigned_to, c.alike, reservation.user_id AS reserved_by,
       reservation.until AS reserved_until, asked.user_id AS assigned_by, asked.note AS assigned_note,
       (SELECT count(*) FROM candidate AS other
         WHERE other.tenant = c.tenant AND other.owner = c.owner AND other.alike = c.alike AND other.state = 'held'
           AND c.alike <> '') AS alike_count,
       EXISTS (SELECT 1 FROM candidate AS other JOIN decision ON decision.decision_no = other.decision_no
                WHERE other.tenant = c.tenant AND other.owner = c.owner AND other.agent = c.agent
                  AND other.digest = c.digest AND other.state = 'rejected' AND other.candidate_id <> c.candidate_id
                  AND decision.decided_by <> 'policy') AS declined_before
  FROM candidate AS c
  LEFT JOIN reservation ON reservation.candidate_id = c.candidate_id
  LEFT JOIN desk_note AS asked ON asked.candidate_id = c.candidate_id AND asked.kind = 'assignment'
 WHERE c.candidate_id IN (SELECT value FROM json_each(:candidate_ids));

-- name: observed_effects
-- What happened to an owner's memories, in order; who decided the candidate that an effect came from.
SELECT outbox.memory_id, json_extract(outbox.effect, '$.kind') AS kind, json_extract(outbox.effect, '$.at') AS at,
       json_extract(outbox.effect, '$.origin') AS origin, outbox.effect_id,
       json_extract(outbox.effect, '$.memory.kind') AS memory_kind,
       json_extract(outbox.effect, '$.memory.stated_at') AS stated_at,
       json_extract(outbox.effect, '$.memory.support') AS support,
       json_extract(outbox.effect, '$.by_memory_id') AS by_memory_id,
       coalesce((SELECT latest.decided_by FROM candidate JOIN decision AS latest USING (decision_no)
                  WHERE candidate.candidate_id = CASE WHEN instr(outbox.effect_id, ':') > 0
                                                      THEN split_part(outbox.effect_id, ':', 1) END), '')
         AS decided_by
  FROM outbox
 WHERE outbox.tenant = :tenant AND (:owner IS NULL OR outbox.owner = :owner)
   AND json_extract(outbox.effect, '$.kind') IN
       ('activate', 'confirm', 'attest', 'supersede', 'retract', 'restore', 'remove', 'tombstone')
 ORDER BY outbox.outbox_no DESC LIMIT :limit;

-- name: keys_of_owner
-- The keys that an owner's live statements use, with how many use each and the attribute as it was read.
SELECT slot_key, min(subject) AS subject, min(attribute) AS attribute, count(*) AS total FROM candidate
 WHERE tenant = :tenant AND owner = :owner AND state IN ('admitted', 'promoted')
   AND json_extract(proposal, '$.kind') <> 'event'
 GROUP BY slot_key ORDER BY slot_key;

-- name: ruled
-- Candidates whose latest decision is a person's and recent, newest first.
SELECT * FROM item WHERE queue_no IN (
  SELECT candidate.queue_no FROM decision
   JOIN candidate ON candidate.candidate_id = decision.candidate_id
                       AND candidate.decision_no = decision.decision_no
   WHERE decision.decided_by <> 'policy' AND decision.at >= :since
     AND candidate.tenant = :tenant AND (:owner IS NULL OR candidate.owner = :owner)
   ORDER BY decision.at DESC, candidate.queue_no DESC LIMIT :limit)
 ORDER BY at DESC, queue_no DESC;

-- name: ruled_by_policy
-- The last candidates with the machine's first word on each, newest first.
WITH newest AS MATERIALIZED (
  SELECT queue_no FROM candidate
   WHERE tenant = :tenant AND (:owner IS NULL OR owner = :owner)
   ORDER BY queue_no DESC LIMIT :limit
)
SELECT candidate.candidate_id, candidate.episode_id, candidate.tenant, candidate.owner, candidate.agent, candidate.state,
       candidate.version, candidate.serial_no, candidate.extractor, candidate.proposal, candidate.provenance,
       candidate.excerpt, candidate.marked_from, candidate.marked_to, candidate.updated_at, decision.decision_id,
       decision.verdict, decision.policy_digest, decision.decided_by, decision.at, decision.note, decision.reasons,
       decision.steps, decision.evidence, decision.effects
  FROM newest
 JOIN candidate ON candidate.queue_no = newest.queue_no
 JOIN decision
    ON decision.decision_no = (SELECT min(decision_no) FROM decision AS first
                                WHERE first.candidate_id = candidate.candidate_id AND first.decided_by = 'policy')
 ORDER BY newest.queue_no DESC;

-- name: tally_ruled
-- What people decided since a time and did not take back, by state.
SELECT coalesce(sum(candidate.state = 'promoted'), 0) AS promoted,
       coalesce(sum(candidate.state = 'rejected'), 0) AS rejected
  FROM decision
 JOIN candidate ON candidate.candidate_id = decision.candidate_id AND candidate.decision_no = decision.decision_no
 WHERE candidate.tenant = :tenant AND candidate.state IN ('promoted', 'rejected')
   AND (:owner IS NULL OR candidate.owner = :owner)
   AND decision.decided_by <> 'policy' AND decision.at >= :since;

-- name: held_groups
-- The items by owner and cluster or by owner and near-duplicates, each row with the number of groups.
WITH grouped AS MATERIALIZED (
  SELECT count(*) AS members, count(DISTINCT source_ref) AS sources, sum(alone) AS flagged, min(created_at) AS oldest,
         min(
         CASE :order WHEN 'priority' THEN priority << 40 | queue_no WHEN 'newest' THEN -queue_no ELSE queue_no END) AS place
    FROM candidate
   WHERE tenant = :tenant AND state IN (SELECT value FROM json_each(:states))
     AND (:owner IS NULL OR owner = :owner)
     AND (:source_kind IS NULL OR source_kind = :source_kind)
     AND (:source_ref IS NULL OR source_ref = :source_ref)
     AND (:cluster IS NULL OR cluster = :cluster)
     AND (:alike IS NULL OR alike = :alike)
     AND (:older_than IS NULL OR created_at < :older_than)
     AND (:assigned_to IS NULL OR assigned_to = :assigned_to)
     AND CASE WHEN :snoozed THEN snoozed_until > :at ELSE :at = '' OR snoozed_until <= :at END
     AND (:reason IS NULL OR decision_no IN (
           SELECT decision_no FROM decision_reason
            WHERE reason = :reason OR (reason > :reason || ':' AND reason < :reason || ';')))
     AND (:text IS NULL OR queue_no IN (SELECT queue_no FROM candidate_search WHERE instr(searched, :text) > 0))
   GROUP BY owner, CASE :by WHEN 'alike' THEN alike ELSE cluster END
), page AS MATERIALIZED (
  SELECT *, CASE :order WHEN 'priority' THEN place & ((1::bigint << 40) - 1) ELSE abs(place) END AS first_no
    FROM grouped ORDER BY place LIMIT :limit OFFSET :offset
)
SELECT (SELECT count(*) FROM grouped) AS total, page.*, candidate.source_kind, candidate.source_ref, candidate.title,
       candidate.owner, candidate.cluster, candidate.alike, candidate.candidate_id,
       json_extract(candidate.proposal, '$.statement') AS statement
  FROM (SELECT 1) LEFT JOIN page ON TRUE LEFT JOIN candidate ON candidate.queue_no = page.first_no
 ORDER BY page.place;

-- name: add_decision_reasons
-- Its reason codes, one a row.
INSERT INTO decision_reason (reason, decision_no) SELECT DISTINCT value, :decision_no::bigint FROM json_each(:reasons);

-- name: trace
-- One row a table: how many rows, and what moves when one is added, changed or taken away.
SELECT 'episode' AS name, count(*) AS rows,
       concat_ws(',', max(serial_no), sum(attempts), sum(state = 'new'), sum(state = 'leased'), sum(state = 'done')) AS sums
  FROM episode WHERE tenant = :tenant AND owner = :owner
UNION ALL
SELECT 'candidate', count(*),
       concat_ws(',', max(queue_no), sum(decision_no), sum(state = 'held'), sum(state = 'admitted'), sum(state = 'promoted'),
                  sum(state = 'rejected'))
  FROM candidate WHERE tenant = :tenant AND owner = :owner
UNION ALL
SELECT 'outbox', count(*),
       concat_ws(',', max(outbox_no), (SELECT count(*) FROM outbox AS waiting
                                    WHERE waiting.tenant = :tenant AND waiting.owner = :owner
                                      AND waiting.applied_at IS NULL))
  FROM outbox WHERE tenant = :tenant AND owner = :owner
UNION ALL
SELECT 'conversation', count(*), concat_ws(',', max(updated_at), sum(deleted_at IS NULL))
  FROM conversation WHERE tenant = :tenant AND owner = :owner
UNION ALL
SELECT 'pattern', count(*), concat_ws(',', max(updated_at), sum(version))
  FROM pattern WHERE tenant = :tenant AND owner = :owner
UNION ALL
SELECT 'run', count(*), concat_ws(',', max(updated_at), sum(state = 'running'))
  FROM run WHERE tenant = :tenant AND owner = :owner
UNION ALL
SELECT 'audit', count(*),
       concat_ws(',', max(seq), (SELECT hash FROM audit WHERE tenant = :tenant AND owner = :owner ORDER BY seq DESC LIMIT 1))
  FROM audit WHERE tenant = :tenant AND owner = :owner;
