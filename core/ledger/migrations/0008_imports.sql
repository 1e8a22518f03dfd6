-- What imports of outside files leave: the runs, what became of each entry, and the version of each item that is known.

CREATE TABLE import_run (
  run_id     TEXT NOT NULL PRIMARY KEY,
  tenant     TEXT NOT NULL,
  owner      TEXT NOT NULL,
  agent      TEXT NOT NULL,
  format     TEXT NOT NULL,
  name       TEXT NOT NULL,
  state      TEXT NOT NULL CHECK (state IN ('waiting', 'running', 'done', 'stopped', 'failed')),
  started_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  counts     TEXT NOT NULL CHECK (json_valid(counts)),
  total      INTEGER NOT NULL CHECK (total >= 0),
  upload     TEXT NOT NULL, -- name of the kept file that the worker reads; '' where the caller reads
  problem    TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX import_run_owner ON import_run (tenant, owner, agent, started_at);
CREATE INDEX import_run_open ON import_run (started_at) WHERE state IN ('waiting', 'running');

CREATE TABLE import_result (
  run_id  TEXT NOT NULL REFERENCES import_run (run_id) ON DELETE CASCADE,
  number  INTEGER NOT NULL CHECK (number >= 1),
  outcome TEXT NOT NULL CHECK (outcome IN ('new', 'changed', 'unchanged', 'broken', 'refused')),
  place   TEXT NOT NULL,
  title   TEXT NOT NULL,
  reason  TEXT NOT NULL,
  PRIMARY KEY (run_id, number)
) STRICT, WITHOUT ROWID;

-- Ids are the outside's own words (paths, addresses), so this goes with its owner's erasure like any text.
CREATE TABLE imported_item (
  tenant    TEXT NOT NULL,
  owner     TEXT NOT NULL,
  agent     TEXT NOT NULL,
  connector TEXT NOT NULL,
  namespace TEXT NOT NULL,
  item_id   TEXT NOT NULL,
  version   INTEGER NOT NULL CHECK (version >= 1),
  digest    TEXT NOT NULL CHECK (length(digest) = 64),
  parts     TEXT NOT NULL CHECK (json_valid(parts)),    -- sha256 of each section → its episode
  outgoing  TEXT NOT NULL CHECK (json_valid(outgoing)), -- episodes of earlier versions, still to be looked at
  at        TEXT NOT NULL,
  PRIMARY KEY (tenant, owner, agent, connector, namespace, item_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX imported_item_outgoing ON imported_item (at) WHERE outgoing <> '[]';
