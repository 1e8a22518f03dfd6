-- Keys of agents.

-- name: add_key
-- Insert a key.
INSERT INTO agent_key (key_id, token_hash, prefix, tenant, user_id, agent, created_at, channel, space)
VALUES (%(key_id)s, %(token_hash)s, %(prefix)s, %(tenant)s, %(owner)s, %(agent)s, %(created_at)s, %(channel)s, %(space)s);

-- name: key_by_token
-- The key of a token, if it is in use.
SELECT key_id, prefix, tenant, user_id AS owner, agent, created_at, last_used_at, revoked_at, channel, space
FROM agent_key WHERE token_hash = %(token_hash)s AND revoked_at IS NULL;

-- name: key_by_id
-- One key, in use or not.
SELECT key_id, prefix, tenant, user_id AS owner, agent, created_at, last_used_at, revoked_at, channel, space
FROM agent_key WHERE key_id = %(key_id)s;

-- name: keys_of
-- Keys in use of a tenant (and owner), newest first.
SELECT key_id, prefix, tenant, user_id AS owner, agent, created_at, last_used_at, revoked_at, channel, space
FROM agent_key
WHERE tenant = %(tenant)s AND (%(owner)s::text IS NULL OR user_id = %(owner)s) AND revoked_at IS NULL
ORDER BY created_at DESC, key_id DESC;

-- name: touch_key
-- Record use; never backwards.
UPDATE agent_key SET last_used_at = greatest(last_used_at, %(at)s) WHERE key_id = %(key_id)s;

-- name: revoke_key
-- End a key for good.
UPDATE agent_key SET revoked_at = %(at)s WHERE key_id = %(key_id)s AND revoked_at IS NULL;

-- name: take_request
-- One request out of a bucket: no row if it is empty. `due` is when it will be full again; a full one holds `burst`.
INSERT INTO request_rate AS known (bucket, due) VALUES (%(bucket)s, %(at)s::timestamptz + %(step)s::interval)
ON CONFLICT (bucket) DO UPDATE SET due = greatest(known.due, %(at)s) + %(step)s
WHERE known.due <= %(at)s::timestamptz + %(burst)s::interval
RETURNING due;

-- name: request_due
-- When an empty bucket will be full again.
SELECT due FROM request_rate WHERE bucket = %(bucket)s;

-- name: forget_requests
-- Buckets that have been full for long.
DELETE FROM request_rate WHERE due < %(before)s;
