-- Keys of people.

-- part: with_person
-- A key with its person.
SELECT k.key_id, k.prefix, k.tenant, k.user_id, k.name, k.created_at AS made_at, k.last_used_at, k.revoked_at,
       p.username, p.display_name, p.tenant AS person_tenant, p.role, p.created_at, p.disabled
FROM operator_key AS k JOIN person AS p ON p.user_id = k.user_id

-- name: add_operator_key
-- Insert a key.
INSERT INTO operator_key (key_id, token_hash, prefix, tenant, user_id, name, created_at)
VALUES (%(key_id)s, %(token_hash)s, %(prefix)s, %(tenant)s, %(user_id)s, %(name)s, %(created_at)s);

-- name: operator_by_token
-- The key of a token and whose it is, if it is in use.
{{with_person}}
 WHERE k.token_hash = %(token_hash)s AND k.revoked_at IS NULL;

-- name: operator_in_use
-- One key and whose it is, if it is in use.
{{with_person}}
 WHERE k.key_id = %(key_id)s AND k.revoked_at IS NULL;

-- name: operator_by_id
-- One key, in use or not.
SELECT k.key_id, k.prefix, k.tenant, k.user_id, k.name, k.created_at AS made_at, k.last_used_at, k.revoked_at FROM operator_key AS k WHERE k.key_id = %(key_id)s;

-- name: operator_keys_of
-- Keys in use of a tenant or person, newest first.
SELECT k.key_id, k.prefix, k.tenant, k.user_id, k.name, k.created_at AS made_at, k.last_used_at, k.revoked_at FROM operator_key AS k
WHERE (%(tenant)s::text IS NULL OR k.tenant = %(tenant)s) AND (%(user_id)s::text IS NULL OR k.user_id = %(user_id)s)
  AND k.revoked_at IS NULL
ORDER BY k.created_at DESC, k.key_id DESC;

-- name: touch_operator_key
-- Record use; never backwards.
UPDATE operator_key SET last_used_at = greatest(last_used_at, %(at)s) WHERE key_id = %(key_id)s;

-- name: revoke_operator_key
-- End a key for good.
UPDATE operator_key SET revoked_at = %(at)s WHERE key_id = %(key_id)s AND revoked_at IS NULL;
