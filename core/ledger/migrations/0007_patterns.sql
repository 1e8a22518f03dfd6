-- Patterns (rules §5.3): what detectors suppose about an owner, and up to which episode each owner was looked at.

CREATE TABLE pattern (
  pattern_id   TEXT NOT NULL PRIMARY KEY,
  tenant       TEXT NOT NULL,
  owner        TEXT NOT NULL,
  agent        TEXT NOT NULL,
  detector     TEXT NOT NULL,
  key          TEXT NOT NULL, -- may hold words of the owner's: erasure deletes the row, a purge blanks it
  sentence     TEXT NOT NULL,
  state        TEXT NOT NULL CHECK (state IN ('hypothesis', 'proposed', 'retired', 'dismissed')),
  supports     TEXT NOT NULL CHECK (json_valid(supports)),
  against      TEXT NOT NULL CHECK (json_valid(against)),
  sessions     INTEGER NOT NULL CHECK (sessions >= 0),
  seen         TEXT NOT NULL CHECK (json_valid(seen)),
  candidate_id TEXT NOT NULL,
  updated_at   TEXT NOT NULL,
  version      INTEGER NOT NULL CHECK (version >= 1),
  UNIQUE (tenant, owner, agent, detector, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX pattern_candidate ON pattern (candidate_id) WHERE candidate_id <> '';

CREATE TABLE pattern_mark (
  tenant  TEXT NOT NULL,
  owner   TEXT NOT NULL,
  agent   TEXT NOT NULL,
  through INTEGER NOT NULL CHECK (through >= 0), -- serial number of the last episode that was looked at
  policy  TEXT NOT NULL, -- digest of the policy that it was looked at by
  PRIMARY KEY (tenant, owner, agent)
) STRICT, WITHOUT ROWID;

-- Which owner has what, and how far the write path is, without reading a wide row.
CREATE INDEX episode_owner ON episode (tenant, owner, agent, serial_no, state);
