-- What the ledger must find again: where words were seen before, which facts rest on which memory, whose effects wait.

-- What was settled once for this file: under "keyed" the fingerprint of the audit chain's key, "" for a plain chain.
CREATE TABLE setting (
  name  TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Whose marks a number stands for: two long ids once an owner instead of once a mark.
CREATE TABLE mark_owner (
  owner_no INTEGER PRIMARY KEY,
  tenant   TEXT NOT NULL,
  owner    TEXT NOT NULL,
  UNIQUE (tenant, owner)
) STRICT;

-- Each episode's fingerprints of word runs and of literals, from which no word is read back (rules §1.4, §1.5).
CREATE TABLE mark (
  owner_no  INTEGER NOT NULL,
  mark      INTEGER NOT NULL CHECK (mark >= 0),
  serial_no INTEGER NOT NULL,
  PRIMARY KEY (owner_no, mark, serial_no)
) STRICT, WITHOUT ROWID;

-- 0: stored before marks were kept, or to be marked anew. A later change of how marks are made sets it back.
ALTER TABLE episode ADD COLUMN marked INTEGER NOT NULL DEFAULT 0 CHECK (marked IN (0, 1));
CREATE INDEX episode_unmarked ON episode (serial_no) WHERE marked = 0;

-- Whether an episode is not wholly the user's own words: another channel's, or a turn with pasted parts.
ALTER TABLE episode ADD COLUMN foreign_words INTEGER GENERATED ALWAYS AS (
  json_extract(provenance, '$.source_kind') IS NOT 'user_turn'
  OR coalesce(json_array_length(provenance, '$.pasted'), 0) > 0
) VIRTUAL;
CREATE INDEX episode_inputs ON episode (conversation_id, tenant, owner, agent, serial_no) WHERE foreign_words;

-- Normalised subject|attribute; "" until the program has computed it (see core.ledger.backfill).
ALTER TABLE candidate ADD COLUMN slot_key TEXT NOT NULL DEFAULT '';
CREATE INDEX candidate_slot ON candidate (tenant, owner, slot_key);
CREATE INDEX candidate_slotless ON candidate (queue_no) WHERE slot_key = '';

-- What a deletion looks up in the other direction.
CREATE INDEX candidate_decision ON candidate (decision_no);
CREATE INDEX decision_reason_decision ON decision_reason (decision_no);

-- The roots of each candidate, as its decisions name them: "memory:<id>" or an episode's id.
CREATE TABLE candidate_root (
  root     TEXT NOT NULL,
  queue_no INTEGER NOT NULL,
  PRIMARY KEY (root, queue_no)
) STRICT, WITHOUT ROWID;

INSERT OR IGNORE INTO candidate_root (root, queue_no)
SELECT json_extract(root.value, '$.episode_id'), candidate.queue_no
  FROM decision JOIN candidate ON candidate.candidate_id = decision.candidate_id,
       json_each(decision.evidence, '$.roots') AS root;

-- The memories whose words a decision's evidence repeats: a purge must find them there too.
CREATE TABLE decision_quote (
  memory_id   TEXT NOT NULL,
  decision_no INTEGER NOT NULL,
  PRIMARY KEY (memory_id, decision_no)
) STRICT, WITHOUT ROWID;

INSERT OR IGNORE INTO decision_quote (memory_id, decision_no)
SELECT json_extract(quoted.value, '$.memory_id'), decision.decision_no
  FROM decision, json_each(decision.evidence, '$.incumbents') AS quoted;

-- Whose effect it is and which memory it changes: as the body says, so the two cannot differ.
ALTER TABLE outbox ADD COLUMN tenant TEXT GENERATED ALWAYS AS (json_extract(effect, '$.scope.tenant')) VIRTUAL;
ALTER TABLE outbox ADD COLUMN owner TEXT GENERATED ALWAYS AS (json_extract(effect, '$.scope.owner')) VIRTUAL;
ALTER TABLE outbox ADD COLUMN memory_id TEXT GENERATED ALWAYS AS (json_extract(effect, '$.memory_id')) VIRTUAL;
CREATE INDEX outbox_owner ON outbox (tenant, owner, outbox_no);
CREATE INDEX outbox_owner_waiting ON outbox (tenant, owner) WHERE applied_at IS NULL;
CREATE INDEX outbox_memory ON outbox (memory_id);
