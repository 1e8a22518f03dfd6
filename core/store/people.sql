-- Accounts, sessions, throttling and invitations.

-- name: add_person
-- Insert an account; nothing comes back when the name is taken.
INSERT INTO person (user_id, username, username_key, display_name, tenant, role, created_at, disabled, password_hash)
VALUES (%(user_id)s, %(username)s, %(username_key)s, %(display_name)s, %(tenant)s, %(role)s, %(created_at)s, %(disabled)s,
    %(password_hash)s)
ON CONFLICT (username_key) DO NOTHING
RETURNING user_id;

-- name: person_by_username
-- One account by its case-folded name.
SELECT user_id, username, display_name, tenant, role, created_at, disabled, password_hash
FROM person WHERE username_key = %(username_key)s;

-- name: person_by_id
-- One account.
SELECT user_id, username, display_name, tenant, role, created_at, disabled FROM person WHERE user_id = %(user_id)s;

-- name: people_of
-- Every account of a tenant, by name.
SELECT user_id, username, display_name, tenant, role, created_at, disabled
FROM person WHERE tenant = %(tenant)s ORDER BY username_key;

-- name: count_people
-- Accounts in all tenants.
SELECT count(*) AS total FROM person;

-- name: update_person
-- Change the columns that are given.
UPDATE person SET
    role = coalesce(%(role)s::text, role),
    disabled = coalesce(%(disabled)s::boolean, disabled),
    password_hash = coalesce(%(password_hash)s::text, password_hash),
    display_name = coalesce(%(display_name)s::text, display_name)
WHERE user_id = %(user_id)s;

-- name: open_session
-- Insert a session.
INSERT INTO session (session_id, token_hash, user_id, created_at, last_seen_at, address, user_agent)
VALUES (%(session_id)s, %(token_hash)s, %(user_id)s, %(created_at)s, %(last_seen_at)s, %(address)s, %(user_agent)s);

-- part: signed_in
-- A session with its person.
SELECT s.session_id, s.created_at AS opened_at, s.last_seen_at, s.address, s.user_agent,
       p.user_id, p.username, p.display_name, p.tenant, p.role, p.created_at, p.disabled
FROM session AS s JOIN person AS p ON p.user_id = s.user_id

-- name: session_by_token
-- The session of a token.
{{signed_in}}
 WHERE s.token_hash = %(token_hash)s;

-- name: session_by_id
-- One session.
{{signed_in}}
 WHERE s.session_id = %(session_id)s;

-- name: sessions_of
-- A person's sessions, last used first.
SELECT session_id, user_id, created_at AS opened_at, last_seen_at, address, user_agent
FROM session WHERE user_id = %(user_id)s ORDER BY last_seen_at DESC, session_id DESC;

-- name: touch_session
-- Record use; never backwards.
UPDATE session SET last_seen_at = greatest(last_seen_at, %(at)s) WHERE session_id = %(session_id)s;

-- name: end_session
-- End one session: its row goes, so its token opens nothing.
DELETE FROM session WHERE session_id = %(session_id)s;

-- name: end_sessions
-- End a person's sessions, except one if given.
DELETE FROM session WHERE user_id = %(user_id)s AND session_id IS DISTINCT FROM %(but)s::text;

-- name: throttle
-- Failed sign-ins under a key.
SELECT failures, blocked_until FROM throttle WHERE key = %(key)s;

-- name: set_throttle
-- Replace the record.
INSERT INTO throttle (key, failures, blocked_until) VALUES (%(key)s, %(failures)s, %(blocked_until)s)
ON CONFLICT (key) DO UPDATE SET failures = excluded.failures, blocked_until = excluded.blocked_until;

-- name: clear_throttle
-- Forget the failures under a key.
DELETE FROM throttle WHERE key = %(key)s;

-- name: add_invitation
-- Insert an invitation.
INSERT INTO invitation (token_hash, tenant, role, expires_at, created_by, username, extra)
VALUES (%(token_hash)s, %(tenant)s, %(role)s, %(expires_at)s, %(created_by)s, %(username)s, %(extra)s);

-- name: see_invitation
-- An unused, unexpired invitation.
SELECT token_hash, tenant, role, expires_at, created_by, username, extra
FROM invitation WHERE token_hash = %(token_hash)s AND expires_at > %(now)s;

-- name: use_invitation
-- The same, used up in the same statement: of two that hold the link, one gets it.
DELETE FROM invitation WHERE token_hash = %(token_hash)s AND expires_at > %(now)s
RETURNING token_hash, tenant, role, expires_at, created_by, username, extra;

-- name: invitations_of
-- A tenant's invitations that wait, the latest to expire first.
SELECT token_hash, tenant, role, expires_at, created_by, username, extra
FROM invitation WHERE tenant = %(tenant)s AND expires_at > %(now)s ORDER BY expires_at DESC, token_hash;

-- name: remove_invitation
-- Take an invitation back.
DELETE FROM invitation WHERE token_hash = %(token_hash)s;
