-- Keys of agents.

-- name: add_key
-- Insert a key.
INSERT INTO agent_key (key_id, token_hash, prefix, tenant, user_id, agent, created_at)
VALUES (%(key_id)s, %(token_hash)s, %(prefix)s, %(tenant)s, %(owner)s, %(agent)s, %(created_at)s);

-- name: key_by_token
-- The key of a token, if it is in use.
SELECT key_id, prefix, tenant, user_id AS owner, agent, created_at, last_used_at, revoked_at
FROM agent_key WHERE token_hash = %(token_hash)s AND revoked_at IS NULL;

-- name: key_by_id
-- One key, in use or not.
SELECT key_id, prefix, tenant, user_id AS owner, agent, created_at, last_used_at, revoked_at
FROM agent_key WHERE key_id = %(key_id)s;

-- name: keys_of
-- Keys in use of a tenant (and owner), newest first.
SELECT key_id, prefix, tenant, user_id AS owner, agent, created_at, last_used_at, revoked_at
FROM agent_key
WHERE tenant = %(tenant)s AND (%(owner)s::text IS NULL OR user_id = %(owner)s) AND revoked_at IS NULL
ORDER BY created_at DESC, key_id DESC;

-- name: touch_key
-- Record use; never backwards.
UPDATE agent_key SET last_used_at = greatest(last_used_at, %(at)s) WHERE key_id = %(key_id)s;

-- name: revoke_key
-- End a key for good.
UPDATE agent_key SET revoked_at = %(at)s WHERE key_id = %(key_id)s AND revoked_at IS NULL;
