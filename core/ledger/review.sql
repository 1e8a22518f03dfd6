-- Statements of the review desk: near-duplicates, reservations, notes, approvals. `:name` is a bound value.

-- --- order and near-duplicates ---------------------------------------------------------------------------------

-- name: unplaced
-- Held candidates that an older version stored.
SELECT * FROM item WHERE queue_no IN (
  SELECT queue_no FROM candidate WHERE state = 'held' AND alike = '' ORDER BY queue_no LIMIT :limit)
 ORDER BY queue_no;

-- name: alike_of
-- The group that a candidate is in, if it is in one.
SELECT alike FROM candidate WHERE candidate_id = :candidate_id;

-- name: first_alike
-- The first items of the groups that a claim may belong to, oldest first.
SELECT candidate_id, proposal FROM candidate
 WHERE tenant = :tenant AND owner = :owner AND agent = :agent AND alike_mark = :alike_mark AND alike = candidate_id
 ORDER BY queue_no;

-- name: set_alike
-- Put a candidate into a group; the mark stays with it, so that a later one finds the group by its first item.
UPDATE candidate SET alike = :alike, alike_mark = :alike_mark WHERE candidate_id = :candidate_id;

-- name: set_place
-- Its place in the queue, as its latest decision gives it.
UPDATE candidate SET priority = :priority, alone = :alone WHERE candidate_id = :candidate_id;

-- --- what people do about an item --------------------------------------------------------------------------------

-- name: reserve
-- One reservation an item: nobody's, one's own, one that ran out, or any with force.
INSERT INTO reservation (candidate_id, user_id, until) VALUES (:candidate_id, :user_id, :until)
ON CONFLICT (candidate_id) DO UPDATE SET user_id = excluded.user_id, until = excluded.until
 WHERE :force OR user_id = excluded.user_id OR until <= :now;

-- name: reservation
-- Who holds an item, in time or out of it.
SELECT user_id, until FROM reservation WHERE candidate_id = :candidate_id;

-- name: release_reservation
-- Only one's own.
DELETE FROM reservation WHERE candidate_id = :candidate_id AND user_id = :user_id;

-- name: set_snoozed
-- Put off until, or "" to bring it back; a decided item is not put off.
UPDATE candidate SET snoozed_until = :until WHERE candidate_id = :candidate_id AND state = 'held';

-- name: set_assigned
-- Who was asked, or "".
UPDATE candidate SET assigned_to = :to WHERE candidate_id = :candidate_id AND state = 'held';

-- name: put_desk_note
-- Who did so and why; a later one replaces it.
INSERT INTO desk_note (candidate_id, kind, user_id, at, note) VALUES (:candidate_id, :kind, :user_id, :at, :note)
ON CONFLICT (candidate_id, kind) DO UPDATE SET user_id = excluded.user_id, at = excluded.at, note = excluded.note;

-- name: drop_desk_note
-- Taken back.
DELETE FROM desk_note WHERE candidate_id = :candidate_id AND kind = :kind;

-- name: clear_desk
-- A decided item waits for nobody.
UPDATE candidate SET snoozed_until = '', assigned_to = '' WHERE candidate_id = :candidate_id;

-- name: clear_reservation
-- Whoever's it was.
DELETE FROM reservation WHERE candidate_id = :candidate_id;

-- name: clear_desk_notes
-- Nor is there anything left to remember.
DELETE FROM desk_note WHERE candidate_id = :candidate_id;

-- name: held_version
-- The version of a candidate that is held.
SELECT version FROM candidate WHERE candidate_id = :candidate_id AND state = 'held';

-- name: add_approval
-- Once a person and version, however often they click.
INSERT OR IGNORE INTO approval (candidate_id, version, digest, user_id, at, note)
VALUES (:candidate_id, :version, :digest, :user_id, :at, :note);

-- name: approvals
-- Every yes to these bytes, in order.
SELECT user_id, at, note FROM approval
 WHERE candidate_id = :candidate_id AND version = :version AND digest = :digest ORDER BY at, user_id;

-- name: markings
-- What people are doing about candidates.
SELECT c.candidate_id, c.tenant, c.owner, c.state, c.updated_at, c.snoozed_until, c.assigned_to, c.alike, reservation.user_id AS reserved_by,
       reservation.until AS reserved_until, asked.user_id AS assigned_by, asked.note AS assigned_note,
       (SELECT count(*) FROM candidate AS other INDEXED BY candidate_alike
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

-- name: approvals_of
-- Every yes to the present bytes of candidates, in order.
SELECT approval.candidate_id, approval.user_id, approval.at, approval.note FROM approval
  JOIN candidate USING (candidate_id, version, digest)
 WHERE approval.candidate_id IN (SELECT value FROM json_each(:candidate_ids))
 ORDER BY approval.at, approval.user_id;

-- name: overdue
-- Held since before a time, and nobody is at it.
SELECT * FROM item WHERE queue_no IN (
  SELECT queue_no FROM candidate
   WHERE state = 'held' AND updated_at < :before
     AND NOT EXISTS (SELECT 1 FROM reservation
                      WHERE reservation.candidate_id = candidate.candidate_id AND reservation.until > :now)
   ORDER BY updated_at LIMIT :limit)
 ORDER BY updated_at, queue_no;

-- name: add_rewording
-- Whose words a candidate holds, edited.
INSERT INTO rewording (candidate_id, original_id) VALUES (:candidate_id, :original_id);

-- name: drop_rewording
-- The edit was taken back.
DELETE FROM rewording WHERE candidate_id = :candidate_id;

-- name: rewording_of
-- The edit that a candidate is part of, as original or as edited.
SELECT candidate_id, original_id FROM rewording WHERE candidate_id = :candidate_id OR original_id = :candidate_id;

-- name: runs_citing
-- An owner's last answers that were made with one of some memories.
SELECT * FROM run
 WHERE tenant = :tenant AND owner = :owner AND agent = :agent
   AND EXISTS (SELECT 1 FROM json_each(:memory_ids) AS wanted WHERE instr(run.detail, wanted.value) > 0)
 ORDER BY started_at DESC, run_id LIMIT :limit;

-- --- purge -------------------------------------------------------------------------------------------------------

-- name: scrub_approvals
-- A purged fact keeps who said yes, not what they wrote.
UPDATE approval SET note = '' WHERE candidate_id = :candidate_id;

-- name: scrub_alike
-- No later claim is found to be like it.
UPDATE candidate SET alike_mark = NULL WHERE candidate_id = :candidate_id;
