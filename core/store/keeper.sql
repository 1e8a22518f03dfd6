-- Maintenance in the keeper's role, whose policies see every owner: each statement names whose rows it takes.

-- name: person_to_erase
-- The owner's account, if there is one.
SELECT username, username_key FROM person WHERE user_id = %(owner)s AND tenant = %(tenant)s;

-- name: erase_account_throttle
-- Failed sign-ins of the account.
DELETE FROM throttle WHERE key = %(account)s;

-- name: erase_address_throttle
-- Failed sign-ins from addresses that nobody else has signed in from.
DELETE FROM throttle t
WHERE t.key IN (SELECT 'address:' || s.address FROM session s WHERE s.user_id = %(owner)s)
  AND t.key NOT IN (SELECT 'address:' || s.address FROM session s WHERE s.user_id <> %(owner)s);

-- name: erase_sessions
-- The person's sessions.
DELETE FROM session WHERE user_id = %(owner)s;

-- name: erase_invitations
-- Invitations that the person made, or that name them.
DELETE FROM invitation
WHERE tenant = %(tenant)s AND (created_by = %(owner)s OR lower(username) = %(username_key)s);

-- name: erase_person
-- The account.
DELETE FROM person WHERE user_id = %(owner)s AND tenant = %(tenant)s;

-- name: erase_links
-- Edges between the owner's memories.
DELETE FROM memory_link WHERE owner = %(owner)s AND tenant = %(tenant)s;

-- name: erase_embeddings
-- Vectors: they are derived from the words.
DELETE FROM memory_embedding WHERE owner = %(owner)s AND tenant = %(tenant)s;

-- name: erase_effects
-- Which effects were applied.
DELETE FROM applied_effect WHERE owner = %(owner)s AND tenant = %(tenant)s;

-- name: erase_sizes
-- How much the owner had.
DELETE FROM scope_stat WHERE owner = %(owner)s AND tenant = %(tenant)s;

-- name: erase_memories
-- The memories themselves, in every status.
DELETE FROM memory WHERE owner = %(owner)s AND tenant = %(tenant)s;

-- name: clear
-- All of every owner at once: no dead rows are left behind, in tables or indexes.
TRUNCATE memory, memory_embedding, memory_link, scope_stat, applied_effect;
