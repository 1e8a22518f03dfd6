-- Statements of the ledger's marks, origins and maintenance. `:name` is a bound value; lists come as JSON.

-- --- settings -------------------------------------------------------------------------------------------------

-- name: has_settings
-- Whether the file is new enough to keep settings.
SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'setting';

-- name: setting
-- One setting of the file.
SELECT value FROM setting WHERE name = :name;

-- name: add_setting
-- Settle one for good.
INSERT INTO setting (name, value) VALUES (:name, :value);

-- --- marks and inputs -----------------------------------------------------------------------------------------

-- name: add_mark_owner
-- Give an owner a number.
INSERT INTO mark_owner (tenant, owner) VALUES (:tenant, :owner) ON CONFLICT DO NOTHING;

-- name: add_marks
-- What an episode is found again by.
INSERT OR IGNORE INTO mark (owner_no, mark, serial_no)
SELECT mark_owner.owner_no, made.value, :serial_no
  FROM mark_owner CROSS JOIN json_each(:marks) AS made
 WHERE mark_owner.tenant = :tenant AND mark_owner.owner = :owner;

-- name: set_marked
-- An episode's marks are complete.
UPDATE episode SET marked = 1 WHERE serial_no = :serial_no;

-- name: unmarked_episodes
-- Episodes that an older version stored.
SELECT serial_no, tenant, owner, agent, text FROM episode WHERE marked = 0 ORDER BY serial_no LIMIT :limit;

-- name: slotless_candidates
-- Candidates that an older version stored.
SELECT queue_no, subject, attribute FROM candidate WHERE slot_key = '' ORDER BY queue_no LIMIT :limit;

-- name: set_slot
-- Where a candidate's value stands against others.
UPDATE candidate SET slot_key = :slot_key WHERE queue_no = :queue_no;

-- name: unclustered
-- One candidate that an older version stored, if any is left.
SELECT 1 FROM candidate WHERE cluster = '' LIMIT 1;

-- name: give_clusters
-- A batch of them by their own sources, as they were listed before.
UPDATE candidate SET cluster = source_kind || ':' || source_ref
 WHERE queue_no IN (SELECT queue_no FROM candidate WHERE cluster = '' ORDER BY queue_no LIMIT :limit);

-- name: first_seen
-- For each mark the earliest episode of the owner that bears it.
SELECT wanted.value AS mark, seen.serial_no
  FROM mark_owner
 CROSS JOIN json_each(:marks) AS wanted
 CROSS JOIN mark AS seen
    ON seen.owner_no = mark_owner.owner_no AND seen.mark = wanted.value
   AND seen.serial_no = (SELECT min(serial_no) FROM mark
                          WHERE owner_no = mark_owner.owner_no AND mark = wanted.value)
 WHERE mark_owner.tenant = :tenant AND mark_owner.owner = :owner AND (:before = 0 OR seen.serial_no < :before);

-- name: inputs_by_number
-- Envelopes of episodes; their words are not read.
SELECT serial_no, episode_id, provenance FROM episode WHERE serial_no IN (SELECT value FROM json_each(:numbers));

-- name: inputs_before
-- What of a conversation is not wholly the user's own words, in order of receipt.
SELECT serial_no, episode_id, provenance FROM episode
 WHERE conversation_id = :conversation_id AND tenant = :tenant AND owner = :owner AND agent = :agent
   AND foreign_words AND (:before = 0 OR serial_no < :before)
 ORDER BY serial_no;

-- --- what supports a fact and what rests on it ------------------------------------------------------------------

-- name: slot_values
-- The values that live candidates give a slot; one that takes a value back says nothing for it.
SELECT candidate_id, json_extract(proposal, '$.value') AS value FROM candidate
 WHERE tenant = :tenant AND owner = :owner AND slot_key = :slot_key
   AND state IN ('held', 'admitted', 'promoted') AND json_extract(proposal, '$.retracts') IS NOT 1
 ORDER BY queue_no;

-- name: first_evidence
-- Origin and trust of candidates as the policy first saw them, in order; those of unknown origin are left out.
SELECT json_extract(decision.evidence, '$.origin') AS origin,
       json_extract(decision.evidence, '$.effective_trust') AS trust,
       json_extract(candidate.provenance, '$.observed_at') AS observed_at, candidate.created_at, candidate.episode_id
  FROM candidate
  JOIN decision ON decision.decision_no = (SELECT min(decision_no) FROM decision AS earlier
                                            WHERE earlier.candidate_id = candidate.candidate_id
                                              AND earlier.decided_by = 'policy')
 WHERE candidate.candidate_id IN (SELECT value FROM json_each(:candidate_ids))
   AND coalesce(json_extract(decision.evidence, '$.origin'), '') <> ''
 ORDER BY candidate.queue_no;

-- name: add_candidate_roots
-- Index a decision's roots.
INSERT OR IGNORE INTO candidate_root (root, queue_no)
SELECT root.value, candidate.queue_no FROM candidate, json_each(:roots) AS root
 WHERE candidate.candidate_id = :candidate_id;

-- name: add_decision_quotes
-- Index the memories whose words a decision's evidence repeats.
INSERT OR IGNORE INTO decision_quote (memory_id, decision_no) SELECT value, :decision_no FROM json_each(:memory_ids);

-- name: derived
-- Live candidates that rest on one root.
SELECT * FROM item
 WHERE queue_no IN (SELECT queue_no FROM candidate_root WHERE root = :root)
   AND tenant = :tenant AND owner = :owner AND state IN ('admitted', 'promoted')
 ORDER BY queue_no;

-- --- epochs -----------------------------------------------------------------------------------------------------

-- name: epoch
-- The owner's last effect. One that this very transaction enqueued has no position yet and does not count.
SELECT outbox_no, effect_id FROM outbox
 WHERE tenant = :tenant AND owner = :owner AND ledger_seq IS NOT NULL
 ORDER BY outbox_no DESC LIMIT 1;

-- name: waiting
-- The owner's effects that the store does not have yet.
SELECT count(*) AS waiting FROM outbox WHERE tenant = :tenant AND owner = :owner AND applied_at IS NULL;

-- name: first_waiting
-- The first effect that the store does not have yet.
SELECT outbox_no FROM outbox WHERE applied_at IS NULL ORDER BY outbox_no LIMIT 1;

-- name: applied
-- The last effects that the store is said to have, before a number.
SELECT outbox_no, effect_id, tenant, owner FROM outbox
 WHERE applied_at IS NOT NULL AND outbox_no < :before
 ORDER BY outbox_no DESC LIMIT :limit;

-- name: requeue
-- Some of them, for a store that lost them.
UPDATE outbox SET applied_at = NULL
 WHERE applied_at IS NOT NULL AND effect_id IN (SELECT value FROM json_each(:effect_ids));

-- name: requeue_effects
-- To rebuild an emptied store.
UPDATE outbox SET applied_at = NULL WHERE applied_at IS NOT NULL;

-- --- purge ------------------------------------------------------------------------------------------------------

-- name: scrub_candidate
-- A candidate without its words; version and state stay.
UPDATE candidate
   SET proposal = :proposal, subject = :subject, attribute = :attribute, slot_key = :slot_key, excerpt = :excerpt,
       marked_from = 0, marked_to = length(:excerpt)
 WHERE candidate_id = :candidate_id;

-- name: scrub_candidate_search
-- Free text finds it no more.
UPDATE candidate_search SET searched = ''
 WHERE queue_no = (SELECT queue_no FROM candidate WHERE candidate_id = :candidate_id);

-- name: scrub_decision
-- A decision without the words.
UPDATE decision SET evidence = :evidence, effects = :effects, note = :note WHERE decision_id = :decision_id;

-- name: decisions_quoting
-- Decisions whose evidence repeats a memory's words.
SELECT * FROM decision
 WHERE decision_no IN (SELECT decision_no FROM decision_quote WHERE memory_id = :memory_id);

-- name: effects_on
-- Effects that change a memory.
SELECT effect FROM outbox WHERE memory_id = :memory_id;

-- name: scrub_effect
-- An effect without the words.
UPDATE outbox SET effect = :effect WHERE effect_id = :effect_id;

-- name: items_of_text
-- Everything that was read out of one text.
SELECT * FROM item WHERE episode_id = :episode_id;

-- name: set_episode_text
-- A text with words blanked; its length stays.
UPDATE episode SET text = :text WHERE episode_id = :episode_id AND length(text) = length(:text);

-- name: set_excerpt
-- What is shown around a candidate's words.
UPDATE candidate SET excerpt = :excerpt, marked_from = :marked_from, marked_to = :marked_to
 WHERE candidate_id = :candidate_id;

-- name: title
-- What a conversation is called: its first words.
SELECT title FROM conversation WHERE conversation_id = :conversation_id;

-- name: set_title
-- Called otherwise.
UPDATE conversation SET title = :title WHERE conversation_id = :conversation_id;

-- name: runs_with
-- An owner's answers in some conversations, or made with one memory.
SELECT * FROM run
 WHERE tenant = :tenant AND owner = :owner
   AND (conversation_id IN (SELECT value FROM json_each(:conversations)) OR instr(detail, :memory_id) > 0);

-- name: set_run_words
-- An answer with words blanked.
UPDATE run SET text = :text, detail = :detail WHERE run_id = :run_id;

-- --- erasure, in this order ---------------------------------------------------------------------------------------

-- name: erase_marks
-- What the owner's words were found again by.
DELETE FROM mark WHERE owner_no IN (SELECT owner_no FROM mark_owner WHERE tenant = :tenant AND owner = :owner);

-- name: erase_mark_owner
-- And the number that stood for the owner.
DELETE FROM mark_owner WHERE tenant = :tenant AND owner = :owner;

-- name: erase_roots
-- What the owner's facts rested on.
DELETE FROM candidate_root
 WHERE queue_no IN (SELECT queue_no FROM candidate WHERE tenant = :tenant AND owner = :owner);

-- name: erase_quotes
-- What their decisions repeated.
DELETE FROM decision_quote
 WHERE decision_no IN (SELECT decision_no FROM decision WHERE candidate_id IN (
         SELECT candidate_id FROM candidate WHERE tenant = :tenant AND owner = :owner));

-- name: unlink_decisions
-- Candidate and decision name each other; one side lets go first.
UPDATE candidate SET decision_no = NULL WHERE tenant = :tenant AND owner = :owner;

-- name: erase_decisions
-- Decisions; their reason rows go with them.
DELETE FROM decision
 WHERE candidate_id IN (SELECT candidate_id FROM candidate WHERE tenant = :tenant AND owner = :owner);

-- name: erase_candidates
-- Candidates; their search rows go with them.
DELETE FROM candidate WHERE tenant = :tenant AND owner = :owner;

-- name: erase_episodes
-- Raw inputs.
DELETE FROM episode WHERE tenant = :tenant AND owner = :owner;

-- name: erase_runs
-- Answers.
DELETE FROM run WHERE tenant = :tenant AND owner = :owner;

-- name: erase_conversations
-- Titles.
DELETE FROM conversation WHERE tenant = :tenant AND owner = :owner;

-- name: erase_effects
-- Effects, applied or not.
DELETE FROM outbox WHERE tenant = :tenant AND owner = :owner;

-- name: erase_owner_key
-- Without it the digests in the audit tell nothing.
DELETE FROM owner_key WHERE tenant = :tenant AND owner = :owner;
