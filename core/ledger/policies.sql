-- The policy's versions, and the rulings that a dry run looks at again.

-- name: policy_number
-- Number of the newest version.
SELECT coalesce(max(number), 0) AS number FROM policy_version WHERE tenant = :tenant;

-- name: policy_versions
-- Versions, newest first.
SELECT * FROM policy_version WHERE tenant = :tenant ORDER BY number DESC LIMIT :limit;

-- name: add_policy
-- Store the next version; the trigger demands that it follows the last.
INSERT INTO policy_version (tenant, number, kind, digest, body, file_digest, overlay, decided_by, at, note, audit_seq)
VALUES (:tenant, :number, :kind, :digest, :body, :file_digest, :overlay, :decided_by, :at, :note, :audit_seq);

-- name: erase_policy_notes
-- An erased admin's reasons go; what they decided stays, under their id.
UPDATE policy_version SET note = '' WHERE tenant = :tenant AND decided_by = :owner AND note <> '';

-- name: standing_rulings
-- Candidates whose latest decision is the gate's, newest first.
SELECT * FROM item
 WHERE tenant = :tenant AND (:owner IS NULL OR owner = :owner) AND decided_by = 'policy'
 ORDER BY queue_no DESC LIMIT :limit;
