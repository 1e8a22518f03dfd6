-- Accounts, sessions, invitations and sign-in throttling. They have no owner: core.accounts authorises, and the
-- sandbox's reader role is given nothing here.

CREATE TABLE person (
    user_id       text        PRIMARY KEY CHECK (user_id <> ''),
    username      text        NOT NULL CHECK (username <> ''),
    username_key  text        NOT NULL UNIQUE,  -- case-folded: two accounts never differ by case alone
    display_name  text        NOT NULL,
    tenant        text        NOT NULL CHECK (tenant <> ''),
    role          text        NOT NULL CHECK (role IN ('member', 'reviewer', 'admin')),
    created_at    timestamptz NOT NULL,
    disabled      boolean     NOT NULL DEFAULT false,
    password_hash text        NOT NULL
);
CREATE INDEX person_tenant ON person (tenant, username_key);

-- Only the sha256 of a cookie's token is kept.
CREATE TABLE session (
    session_id   text        PRIMARY KEY,
    token_hash   text        NOT NULL UNIQUE,
    user_id      text        NOT NULL REFERENCES person (user_id) ON DELETE CASCADE,
    created_at   timestamptz NOT NULL,
    last_seen_at timestamptz NOT NULL,
    address      text        NOT NULL,
    user_agent   text        NOT NULL
);
CREATE INDEX session_person ON session (user_id, last_seen_at DESC);

CREATE TABLE throttle (
    key           text    PRIMARY KEY,
    failures      integer NOT NULL CHECK (failures > 0),
    blocked_until timestamptz
);

CREATE TABLE invitation (
    token_hash text        PRIMARY KEY,
    tenant     text        NOT NULL,
    role       text        NOT NULL CHECK (role IN ('member', 'reviewer', 'admin')),
    expires_at timestamptz NOT NULL,
    created_by text        NOT NULL,
    username   text        NOT NULL DEFAULT '',
    extra      jsonb       NOT NULL DEFAULT '{}'
);

GRANT SELECT, INSERT, UPDATE, DELETE ON person, session, throttle, invitation TO chronomemory_app;
