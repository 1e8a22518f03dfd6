-- Questions to a person, keys that are one, and how far the auditor has read.

-- name: add_question
-- Open one; a slot that has one open keeps it.
INSERT INTO question (question_id, tenant, owner, agent, kind, slot_key, options, state, opened_at, updated_at, until,
                      answer, answered_by, why, version)
VALUES (:question_id, :tenant, :owner, :agent, :kind, :slot_key, :options, 'open', :opened_at, :updated_at, :until, '',
        '', '', 1)
ON CONFLICT DO NOTHING;

-- name: move_question
-- Compare-and-swap on the version.
UPDATE question
   SET kind = :kind, options = :options, state = :state, updated_at = :updated_at, until = :until, answer = :answer,
       answered_by = :answered_by, why = :why, version = version + 1
 WHERE question_id = :question_id AND version = :seen_version;

-- name: question
-- One by id.
SELECT * FROM question WHERE question_id = :question_id;

-- name: open_question
-- The one that a slot has open.
SELECT * FROM question
 WHERE tenant = :tenant AND owner = :owner AND agent = :agent AND slot_key = :slot_key AND state = 'open';

-- name: questions
-- An owner's in some states, last changed first.
SELECT * FROM question
 WHERE tenant = :tenant AND owner = :owner AND state IN (SELECT value FROM json_each(:states))
 ORDER BY updated_at DESC, question_id DESC LIMIT :limit;

-- name: questions_of_slot
-- What was answered about a slot, last first.
SELECT * FROM question
 WHERE tenant = :tenant AND owner = :owner AND slot_key = :slot_key AND state = 'answered'
 ORDER BY updated_at DESC LIMIT :limit;

-- name: held_of_slot
-- What waits for a person in one slot, in order of receipt.
SELECT * FROM item WHERE queue_no IN (
  SELECT queue_no FROM candidate
   WHERE tenant = :tenant AND owner = :owner AND slot_key = :slot_key AND state = 'held')
   AND agent = :agent
 ORDER BY queue_no LIMIT :limit;

-- name: audit_after
-- The chain's next links, oldest first.
SELECT * FROM audit WHERE seq > :seq ORDER BY seq LIMIT :limit;

-- name: cursor
-- How far a reader is.
SELECT seq FROM audit_cursor WHERE name = :name;

-- name: set_cursor
-- It only moves forwards.
INSERT INTO audit_cursor (name, seq) VALUES (:name, :seq)
ON CONFLICT (name) DO UPDATE SET seq = excluded.seq WHERE seq < excluded.seq;

-- name: aliases
-- Which keys of an owner are which others.
SELECT slot_key, canonical FROM key_alias WHERE tenant = :tenant AND owner = :owner ORDER BY slot_key;

-- name: add_alias
-- An owner's yes; a second one for the same key changes it.
INSERT INTO key_alias (tenant, owner, slot_key, canonical, decided_by, at)
VALUES (:tenant, :owner, :slot_key, :canonical, :decided_by, :at)
ON CONFLICT (tenant, owner, slot_key) DO UPDATE
   SET canonical = excluded.canonical, decided_by = excluded.decided_by, at = excluded.at;

-- name: drop_alias
-- Taken back.
DELETE FROM key_alias WHERE tenant = :tenant AND owner = :owner AND slot_key = :slot_key;

-- name: keys_of_owner
-- The keys that an owner's live statements use, with how many use each and the attribute as it was read.
SELECT slot_key, subject, attribute, count(*) AS total FROM candidate
 WHERE tenant = :tenant AND owner = :owner AND state IN ('admitted', 'promoted')
   AND json_extract(proposal, '$.kind') <> 'event'
 GROUP BY slot_key ORDER BY slot_key;

-- --- what a purge and an erasure take with them ---------------------------------------------------------------

-- name: scrub_questions
-- A question about a purged fact goes with it: its key holds the fact's subject.
DELETE FROM question WHERE EXISTS (
  SELECT 1 FROM json_each(question.options) AS option
   WHERE option.value IN ('memory:' || :candidate_id, 'candidate:' || :candidate_id));

-- name: scrub_aliases
-- A key that no statement uses any more is a word that nothing needs.
DELETE FROM key_alias WHERE NOT EXISTS (
  SELECT 1 FROM candidate
   WHERE candidate.tenant = key_alias.tenant AND candidate.owner = key_alias.owner
     AND candidate.slot_key = key_alias.slot_key);

-- name: scrub_key_questions
-- The same for a question about such keys.
DELETE FROM question WHERE kind = 'same_key' AND EXISTS (
  SELECT 1 FROM json_each(question.options) AS option
   WHERE NOT EXISTS (
     SELECT 1 FROM candidate
      WHERE candidate.tenant = question.tenant AND candidate.owner = question.owner
        AND 'key:' || candidate.slot_key = option.value));

-- name: erase_questions
-- All of an owner.
DELETE FROM question WHERE tenant = :tenant AND owner = :owner;

-- name: erase_aliases
-- All of an owner.
DELETE FROM key_alias WHERE tenant = :tenant AND owner = :owner;
