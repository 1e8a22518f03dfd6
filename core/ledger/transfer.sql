-- One owner's records in the order in which they came to be, to be carried to another installation and back.

-- name: transfer_conversations
-- Conversations, deleted ones included: their episodes go along too.
SELECT * FROM conversation WHERE tenant = :tenant AND owner = :owner ORDER BY created_at, conversation_id;

-- name: transfer_numbers
-- Serial numbers of the owner's raw inputs, in order of receipt.
SELECT serial_no FROM episode WHERE tenant = :tenant AND owner = :owner ORDER BY serial_no;

-- name: transfer_episodes
-- Raw inputs, in order of receipt.
SELECT * FROM episode WHERE tenant = :tenant AND owner = :owner ORDER BY serial_no;

-- name: transfer_candidates
-- Candidates in order, each with the candidate whose words it holds edited, if it is one.
SELECT candidate.*, coalesce(rewording.original_id, '') AS original_id
  FROM candidate LEFT JOIN rewording ON rewording.candidate_id = candidate.candidate_id
 WHERE candidate.tenant = :tenant AND candidate.owner = :owner ORDER BY candidate.queue_no;

-- name: transfer_removed
-- Memories that left the store for good, with the last effect that took them.
SELECT memory_id, max(outbox_no) AS outbox_no FROM outbox
 WHERE tenant = :tenant AND owner = :owner AND json_extract(effect, '$.kind') = 'remove' GROUP BY memory_id;

-- name: transfer_effects
-- Changes to the store, in the order in which they were decided.
SELECT outbox_no, effect FROM outbox WHERE tenant = :tenant AND owner = :owner ORDER BY outbox_no;

-- name: transfer_audit
-- The owner's entries, as they are stored.
SELECT * FROM audit WHERE tenant = :tenant AND owner = :owner ORDER BY seq;

-- name: every_entry
-- The whole chain, as it is stored.
SELECT * FROM audit ORDER BY seq;

-- name: last_entry
-- The newest entry of the chain.
SELECT at FROM audit ORDER BY seq DESC LIMIT 1;

-- name: wait_again
-- Put a kept raw input before the worker: it waited where it came from too.
UPDATE episode SET state = 'new' WHERE episode_id = :episode_id AND state = 'kept';

-- name: set_updated
-- When a candidate last changed where it came from.
UPDATE candidate SET updated_at = :at WHERE candidate_id = :candidate_id;
