-- What is asked of a person because evidence cannot decide it, which keys of theirs are one, how far the auditor read.

-- One open question a slot. It names memories and candidates by id; their words stand where they stood already.
CREATE TABLE question (
  question_id TEXT NOT NULL PRIMARY KEY,
  tenant      TEXT NOT NULL,
  owner       TEXT NOT NULL,
  agent       TEXT NOT NULL,
  kind        TEXT NOT NULL CHECK (kind IN ('conflict', 'competing', 'faded', 'same_key')),
  slot_key    TEXT NOT NULL,
  options     TEXT NOT NULL CHECK (json_valid(options)), -- "memory:<id>", "candidate:<id>", "key:<slot key>"
  state       TEXT NOT NULL CHECK (state IN ('open', 'answered', 'closed')),
  opened_at   TEXT NOT NULL,
  updated_at  TEXT NOT NULL,
  until       TEXT NOT NULL, -- put off until; '': shown
  answer      TEXT NOT NULL, -- an option, 'both' or 'none'; '' while it is open or closed without one
  answered_by TEXT NOT NULL,
  why         TEXT NOT NULL, -- a code: why it was closed without an answer
  version     INTEGER NOT NULL CHECK (version >= 1),
  CHECK ((state = 'answered') = (answer <> ''))
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX question_open ON question (tenant, owner, agent, slot_key) WHERE state = 'open';
CREATE INDEX question_owner ON question (tenant, owner, state, updated_at);

-- An owner's yes that two keys of one subject mean the same.
CREATE TABLE key_alias (
  tenant     TEXT NOT NULL,
  owner      TEXT NOT NULL,
  slot_key   TEXT NOT NULL,
  canonical  TEXT NOT NULL,
  decided_by TEXT NOT NULL,
  at         TEXT NOT NULL,
  PRIMARY KEY (tenant, owner, slot_key),
  CHECK (slot_key <> canonical)
) STRICT, WITHOUT ROWID;

-- The last audit entry that a reader of the chain has dealt with.
CREATE TABLE audit_cursor (
  name TEXT NOT NULL PRIMARY KEY,
  seq  INTEGER NOT NULL CHECK (seq >= 0)
) STRICT, WITHOUT ROWID;
