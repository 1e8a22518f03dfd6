-- Every statement of the SQLite ledger. `:name` is a bound value; lists come as JSON.

-- --- schema ---------------------------------------------------------------------------------------------------

-- name: create_migration_record
-- The record of what was applied, made before the first migration.
CREATE TABLE IF NOT EXISTS migration (
  number   INTEGER NOT NULL PRIMARY KEY,
  name     TEXT NOT NULL,
  checksum TEXT NOT NULL CHECK (length(checksum) = 64)
) STRICT;

-- name: has_migration_record
-- Whether the file is a ledger at all.
SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'migration';

-- name: recorded_migrations
-- What the file has had.
SELECT number, checksum FROM migration ORDER BY number;

-- name: record_migration
-- Note one as applied, in its own transaction.
INSERT INTO migration (number, name, checksum) VALUES (:number, :name, :checksum);

-- --- episodes and the inbox -----------------------------------------------------------------------------------

-- name: add_episode
-- Store a raw input; its serial number is the row's.
INSERT INTO episode (episode_id, tenant, owner, agent, conversation_id, idempotency_key, provenance, text, received_at,
                     state)
VALUES (:episode_id, :tenant, :owner, :agent, :conversation_id, :idempotency_key, :provenance, :text, :received_at,
        :state)
RETURNING serial_no;

-- name: episode
-- One episode by id.
SELECT * FROM episode WHERE episode_id = :episode_id;

-- name: episode_by_key
-- The episode that a caller's idempotency key stored first.
SELECT * FROM episode
 WHERE tenant = :tenant AND owner = :owner AND agent = :agent AND idempotency_key = :idempotency_key;

-- name: episodes
-- The last episodes of a conversation, newest first; the reader turns them round.
SELECT * FROM episode
 WHERE tenant = :tenant AND owner = :owner AND agent = :agent AND conversation_id = :conversation_id
 ORDER BY serial_no DESC LIMIT :limit;

-- name: claimable
-- The oldest unprocessed episode that stands first in its owner's queue and is neither leased nor postponed.
SELECT episode_id FROM episode
 WHERE state IN ('new', 'leased')
   AND (state = 'new' OR lease_until <= :now)
   AND (not_before IS NULL OR not_before <= :now)
   AND NOT EXISTS (SELECT 1 FROM episode AS earlier
                    WHERE earlier.tenant = episode.tenant AND earlier.owner = episode.owner
                      AND earlier.state IN ('new', 'leased') AND earlier.serial_no < episode.serial_no)
 ORDER BY serial_no LIMIT 1;

-- name: lease
-- Put an episode into one worker's hands.
UPDATE episode
   SET state = 'leased', lease_owner = :worker, lease_until = :until, not_before = NULL, attempts = attempts + 1
 WHERE episode_id = :episode_id;

-- name: renew
-- Prolong a lease that is still this worker's.
UPDATE episode SET lease_until = :until
 WHERE episode_id = :episode_id AND state = 'leased' AND lease_owner = :worker;

-- name: release
-- Give a lease back unfinished; a lost lease is not this worker's to give.
UPDATE episode
   SET state = 'new', lease_owner = NULL, lease_until = NULL, not_before = :retry_at
 WHERE episode_id = :episode_id AND state = 'leased' AND lease_owner = :worker;

-- name: finish_episode
-- Take an episode out of the inbox, if the lease is still this worker's.
UPDATE episode
   SET state = 'done', lease_owner = NULL, lease_until = NULL
 WHERE episode_id = :episode_id AND state = 'leased' AND lease_owner = :worker;

-- name: processed
-- Whether an episode has left the inbox, or never was in it.
SELECT state IN ('done', 'kept') AS processed FROM episode WHERE episode_id = :episode_id;

-- name: conversation_scope
-- Whose conversation an id is, deleted ones included.
SELECT tenant, owner, agent FROM conversation WHERE conversation_id = :conversation_id
UNION ALL
SELECT tenant, owner, agent FROM episode WHERE conversation_id = :conversation_id
LIMIT 1;

-- name: unprocessed
-- Work that has not reached its end: in the inbox, and in the outbox.
SELECT (SELECT count(*) FROM episode WHERE state IN ('new', 'leased'))
     + (SELECT count(*) FROM outbox WHERE applied_at IS NULL) AS waiting;

-- --- candidates and decisions ---------------------------------------------------------------------------------

-- name: add_candidate
-- Store a candidate in its first state.
INSERT INTO candidate (candidate_id, episode_id, tenant, owner, agent, state, version, digest, subject, attribute,
                       slot_key, source_kind, source_ref, title, span_start, excerpt, marked_from, marked_to, serial_no,
                       extractor, proposal, provenance, created_at, updated_at)
VALUES (:candidate_id, :episode_id, :tenant, :owner, :agent, :state, :version, :digest, :subject, :attribute,
        :slot_key, :source_kind, :source_ref, :title, :span_start, :excerpt, :marked_from, :marked_to, :serial_no,
        :extractor, :proposal, :provenance, :at, :at)
RETURNING queue_no;

-- name: add_candidate_search
-- What free text finds it by.
INSERT INTO candidate_search (queue_no, searched) VALUES (:queue_no, :searched);

-- name: move_candidate
-- Compare-and-swap on the version (rules §3.6).
UPDATE candidate
   SET state = :state, version = version + 1, updated_at = :at
 WHERE candidate_id = :candidate_id AND version = :seen_version
RETURNING version;

-- name: candidate_changed_by
-- Who moved a candidate last, for the message to whoever came too late.
SELECT candidate.version, candidate.state, candidate.updated_at, decision.decided_by
  FROM candidate LEFT JOIN decision ON decision.decision_no = candidate.decision_no
 WHERE candidate.candidate_id = :candidate_id;

-- name: add_decision
-- Store a ruling with its evidence.
INSERT INTO decision (decision_id, candidate_id, verdict, policy_digest, decided_by, at, note, reasons, steps, evidence,
                      effects)
VALUES (:decision_id, :candidate_id, :verdict, :policy_digest, :decided_by, :at, :note, :reasons, :steps, :evidence,
        :effects)
RETURNING decision_no;

-- name: add_decision_reasons
-- Its reason codes, one a row.
INSERT INTO decision_reason (reason, decision_no) SELECT DISTINCT value, :decision_no FROM json_each(:reasons);

-- name: set_latest_decision
-- Point the candidate at it.
UPDATE candidate SET decision_no = :decision_no WHERE candidate_id = :candidate_id;

-- name: set_cluster
-- What a reviewer decides it with: as its first decision says, for good.
UPDATE candidate SET cluster = coalesce(nullif(:cluster, ''), source_kind || ':' || source_ref)
 WHERE candidate_id = :candidate_id AND cluster = '';

-- name: undecided
-- Candidates among these that have no decision: a transaction must not leave one.
SELECT candidate_id FROM candidate
 WHERE candidate_id IN (SELECT value FROM json_each(:candidate_ids)) AND decision_no IS NULL;

-- name: item
-- One candidate with its latest decision.
SELECT * FROM item WHERE candidate_id = :candidate_id;

-- name: ruled
-- Candidates whose latest decision is a person's and recent, newest first.
-- CROSS JOIN keeps SQLite to the few rulings since a time; it would otherwise walk the tenant's whole queue.
SELECT * FROM item WHERE queue_no IN (
  SELECT candidate.queue_no FROM decision
   CROSS JOIN candidate ON candidate.candidate_id = decision.candidate_id
                       AND candidate.decision_no = decision.decision_no
   WHERE decision.decided_by <> 'policy' AND decision.at >= :since
     AND candidate.tenant = :tenant AND (:owner IS NULL OR candidate.owner = :owner)
   ORDER BY decision.at DESC, candidate.queue_no DESC LIMIT :limit)
 ORDER BY at DESC, queue_no DESC;

-- name: ruled_by_policy
-- The last candidates with the machine's first word on each, newest first, whatever people ruled since. Their numbers
-- come from the queue's index alone, before any wide row is read.
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
 CROSS JOIN candidate ON candidate.queue_no = newest.queue_no
 CROSS JOIN decision
    ON decision.decision_no = (SELECT min(decision_no) FROM decision AS first
                                WHERE first.candidate_id = candidate.candidate_id AND first.decided_by = 'policy')
 ORDER BY newest.queue_no DESC;

-- name: tally_held
-- What waits now, and since when.
SELECT coalesce(sum(shown), 0) AS held, min(CASE WHEN shown THEN created_at END) AS oldest,
       coalesce(sum(created_at >= :since), 0) AS held_since,
       coalesce(sum(created_at >= :since AND alone = 1), 0) AS alone_since,
       count(*) - coalesce(sum(shown), 0) AS snoozed
  FROM (SELECT created_at, alone, :at = '' OR snoozed_until <= :at AS shown FROM candidate
         WHERE tenant = :tenant AND state = 'held' AND (:owner IS NULL OR owner = :owner));

-- name: tally_ruled
-- What people decided since a time and did not take back, by state.
SELECT coalesce(sum(candidate.state = 'promoted'), 0) AS promoted,
       coalesce(sum(candidate.state = 'rejected'), 0) AS rejected
  FROM decision
 CROSS JOIN candidate ON candidate.candidate_id = decision.candidate_id AND candidate.decision_no = decision.decision_no
 WHERE candidate.tenant = :tenant AND candidate.state IN ('promoted', 'rejected')
   AND (:owner IS NULL OR candidate.owner = :owner)
   AND decision.decided_by <> 'policy' AND decision.at >= :since;

-- name: items_of_episode
-- All candidates of one episode, in order of their span.
SELECT * FROM item WHERE episode_id = :episode_id ORDER BY span_start, queue_no;

-- name: items_of_slot
-- All candidates of one owner's slot, in order of receipt.
SELECT * FROM item WHERE queue_no IN (
  SELECT queue_no FROM candidate WHERE tenant = :tenant AND owner = :owner AND slot_key = :slot_key)
   AND agent = :agent
 ORDER BY queue_no LIMIT :limit;

-- part: shown_items
-- What a filter of the review desk leaves of the queue.
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

-- part: place
-- Where an item stands in the wanted order, smallest first; its queue number is read back from it.
         CASE :order WHEN 'priority' THEN priority << 40 | queue_no WHEN 'newest' THEN -queue_no ELSE queue_no END

-- name: held
-- One page's queue numbers in order, each row with the true total; a page past the end is one row without a number.
WITH matching AS MATERIALIZED (
  SELECT queue_no,
         {{place}} AS place
    FROM candidate
{{shown_items}}
), page AS MATERIALIZED (
  SELECT queue_no, place FROM matching ORDER BY place LIMIT :limit OFFSET :offset
)
SELECT (SELECT count(*) FROM matching) AS total, page.queue_no
  FROM (SELECT 1) LEFT JOIN page ON TRUE
 ORDER BY page.place;

-- name: items_by_number
-- The items of a page, oldest first.
SELECT * FROM item WHERE queue_no IN (SELECT value FROM json_each(:numbers)) ORDER BY queue_no;

-- name: held_groups
-- The same items by owner and cluster or by owner and near-duplicates, first group first, each row with the number of
-- groups; the group's first item in the wanted order names it.
WITH grouped AS MATERIALIZED (
  SELECT count(*) AS members, count(DISTINCT source_ref) AS sources, sum(alone) AS flagged, min(created_at) AS oldest,
         min(
         {{place}}) AS place
    FROM candidate
{{shown_items}}
   GROUP BY owner, CASE :by WHEN 'alike' THEN alike ELSE cluster END
), page AS MATERIALIZED (
  SELECT *, CASE :order WHEN 'priority' THEN place & ((1 << 40) - 1) ELSE abs(place) END AS first_no
    FROM grouped ORDER BY place LIMIT :limit OFFSET :offset
)
SELECT (SELECT count(*) FROM grouped) AS total, page.*, candidate.source_kind, candidate.source_ref, candidate.title,
       candidate.owner, candidate.cluster, candidate.alike, candidate.candidate_id,
       json_extract(candidate.proposal, '$.statement') AS statement
  FROM (SELECT 1) LEFT JOIN page ON TRUE LEFT JOIN candidate ON candidate.queue_no = page.first_no
 ORDER BY page.place;

-- name: declined
-- Whether a person, not the policy, rejected these very words in this scope.
SELECT 1 FROM candidate JOIN decision ON decision.decision_no = candidate.decision_no
 WHERE candidate.tenant = :tenant AND candidate.owner = :owner AND candidate.agent = :agent
   AND candidate.digest = :digest AND candidate.state = 'rejected' AND decision.decided_by <> 'policy'
 LIMIT 1;

-- name: decisions
-- Every ruling on one candidate, oldest first.
SELECT * FROM decision WHERE candidate_id = :candidate_id ORDER BY decision_no;

-- --- audit ----------------------------------------------------------------------------------------------------

-- name: tenants
-- Every tenant but the installation itself: from one to the next along the index, however long the chain.
WITH RECURSIVE named (tenant) AS (
  SELECT min(tenant) FROM audit WHERE tenant > ''
  UNION ALL
  SELECT (SELECT min(tenant) FROM audit WHERE audit.tenant > named.tenant) FROM named WHERE named.tenant IS NOT NULL
)
SELECT tenant FROM named WHERE tenant IS NOT NULL;

-- name: head
-- The last link's position.
SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1;

-- name: add_audit
-- Append a link; the trigger demands that it follows the head.
INSERT INTO audit (seq, at, actor, attestation, action, about, tenant, owner, prev_hash, hash)
VALUES (:seq, :at, :actor, :attestation, :action, :about, :tenant, :owner, :prev_hash, :hash);

-- name: chain
-- Every link as its stored bytes: damaged text must reach the verifier, not stop it.
SELECT seq, CAST(at AS BLOB) AS at, CAST(actor AS BLOB) AS actor, CAST(attestation AS BLOB) AS attestation,
       CAST(action AS BLOB) AS action, CAST(about AS BLOB) AS about, CAST(tenant AS BLOB) AS tenant,
       CAST(owner AS BLOB) AS owner, CAST(prev_hash AS BLOB) AS prev_hash, CAST(hash AS BLOB) AS hash
  FROM audit ORDER BY seq;

-- part: audit_where
  FROM audit
 WHERE tenant = :tenant AND (:owner IS NULL OR owner = :owner)
   AND (:action IS NULL OR substr(action, 1, length(:action)) = :action)
   AND (:about IS NULL OR seq IN (SELECT seq FROM audit_ref WHERE ref = :about))
   AND (:actor IS NULL OR actor = :actor)
   AND (:since IS NULL OR at >= :since) AND (:until IS NULL OR at < :until)

-- name: audit_page
-- One page of a tenant's links, newest first.
SELECT *
{{audit_where}}
 ORDER BY seq DESC LIMIT :limit OFFSET :offset;

-- name: audit_count
-- How many there are in all.
SELECT count(*) AS total
{{audit_where}};

-- name: erasing
-- Whether the erasure of an owner was begun; the action stands here as in the index that answers it.
SELECT 1 AS begun FROM audit WHERE tenant = :tenant AND owner = :owner AND action = 'person:erasure_started' LIMIT 1;

-- name: owner_key
-- The key that an owner's digests are made under.
SELECT key FROM owner_key WHERE tenant = :tenant AND owner = :owner;

-- name: add_owner_key
-- Made on first use.
INSERT INTO owner_key (tenant, owner, key) VALUES (:tenant, :owner, :key);

-- --- outbox ---------------------------------------------------------------------------------------------------

-- name: enqueue
-- Put an effect after everything enqueued before it.
INSERT INTO outbox (effect_id, effect) VALUES (:effect_id, :effect);

-- name: stamp_outbox
-- Give this transaction's effects the audit position they are committed at.
UPDATE outbox SET ledger_seq = :seq, ledger_head = :head
 WHERE ledger_seq IS NULL AND effect_id IN (SELECT value FROM json_each(:effect_ids));

-- name: outbox
-- Effects that wait for the relay, in order.
SELECT effect, ledger_seq, ledger_head FROM outbox WHERE applied_at IS NULL ORDER BY outbox_no LIMIT :limit;

-- name: mark_applied
-- The relay reports an effect as applied.
UPDATE outbox SET applied_at = :at WHERE effect_id = :effect_id AND applied_at IS NULL;

-- name: effect_known
-- Whether the ledger ever enqueued it.
SELECT 1 FROM outbox WHERE effect_id = :effect_id;

-- --- conversations and answers --------------------------------------------------------------------------------

-- name: put_conversation
-- Insert, or update title and time; another scope's conversation is left alone.
INSERT INTO conversation (conversation_id, tenant, owner, agent, title, created_at, updated_at)
VALUES (:conversation_id, :tenant, :owner, :agent, :title, :created_at, :updated_at)
ON CONFLICT (conversation_id) DO UPDATE SET title = excluded.title, updated_at = excluded.updated_at
 WHERE tenant = excluded.tenant AND owner = excluded.owner AND agent = excluded.agent;

-- name: delete_conversation
-- Take it out of the list.
UPDATE conversation SET deleted_at = :at
 WHERE conversation_id = :conversation_id AND tenant = :tenant AND owner = :owner AND agent = :agent
   AND deleted_at IS NULL;

-- name: conversations
-- The list, last used first.
SELECT * FROM conversation
 WHERE tenant = :tenant AND owner = :owner AND agent = :agent AND deleted_at IS NULL
 ORDER BY updated_at DESC, conversation_id DESC LIMIT :limit;

-- name: conversation
-- One of this scope, unless deleted.
SELECT * FROM conversation
 WHERE conversation_id = :conversation_id AND tenant = :tenant AND owner = :owner AND agent = :agent
   AND deleted_at IS NULL;

-- name: put_run
-- Insert an answer, or bring it up to date; whose it is and what it answers never changes.
INSERT INTO run (run_id, conversation_id, tenant, owner, agent, question_id, state, text, started_at, updated_at, model,
                 error, answer_id, detail)
VALUES (:run_id, :conversation_id, :tenant, :owner, :agent, :question_id, :state, :text, :started_at, :updated_at,
        :model, :error, :answer_id, :detail)
ON CONFLICT (run_id) DO UPDATE
   SET state = excluded.state, text = excluded.text, updated_at = excluded.updated_at, model = excluded.model,
       error = excluded.error, answer_id = excluded.answer_id, detail = excluded.detail
 WHERE tenant = excluded.tenant AND owner = excluded.owner AND agent = excluded.agent
   AND conversation_id = excluded.conversation_id;

-- name: beat_run
-- A sign of life of an answer that runs.
UPDATE run SET updated_at = :at WHERE run_id = :run_id AND state = 'running';

-- name: stop_run
-- End an answer that runs; the process that gives it finds out.
UPDATE run SET state = 'stopped', updated_at = :at WHERE run_id = :run_id AND state = 'running';

-- name: run
-- One answer.
SELECT * FROM run WHERE run_id = :run_id;

-- name: runs
-- All answers of a conversation, oldest first.
SELECT * FROM run
 WHERE tenant = :tenant AND owner = :owner AND agent = :agent AND conversation_id = :conversation_id
 ORDER BY started_at, run_id;
