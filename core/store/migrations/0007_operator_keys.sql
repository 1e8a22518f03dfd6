-- Keys of people. Only the sha256 of a token is kept; a key goes with its person's account.

CREATE TABLE operator_key (
    key_id       text        PRIMARY KEY CHECK (key_id <> ''),
    token_hash   text        NOT NULL UNIQUE CHECK (length(token_hash) = 64),
    prefix       text        NOT NULL,
    tenant       text        NOT NULL CHECK (tenant <> ''),
    user_id      text        NOT NULL REFERENCES person (user_id) ON DELETE CASCADE,
    name         text        NOT NULL CHECK (name <> ''),
    created_at   timestamptz NOT NULL,
    last_used_at timestamptz,
    revoked_at   timestamptz
);
CREATE INDEX operator_key_person ON operator_key (user_id) WHERE revoked_at IS NULL;
CREATE INDEX operator_key_tenant ON operator_key (tenant, created_at DESC) WHERE revoked_at IS NULL;

-- No copies in the planner's samples, as for all that a person leaves (0003).
ALTER TABLE operator_key ALTER COLUMN prefix SET STATISTICS 0, ALTER COLUMN name SET STATISTICS 0,
    ALTER COLUMN token_hash SET STATISTICS 0, ALTER COLUMN user_id SET STATISTICS 0;

-- No DELETE: a revoked key stays as a record until its person's account goes. The sandbox's reader is given nothing.
GRANT SELECT, INSERT, UPDATE ON operator_key TO chronomemory_app;
