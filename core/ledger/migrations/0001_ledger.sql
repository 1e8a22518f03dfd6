-- The ledger's first schema: durable inbox, held facts, decisions, audit chain, outbox, conversations and answers.
-- Times are UTC texts with microseconds, so that text order is time order. Bodies are JSON of the frozen values.

-- One random key an owner, so that digests of short facts cannot be guessed back; erasure destroys it (rules §8.1).
CREATE TABLE owner_key (
  tenant TEXT NOT NULL,
  owner  TEXT NOT NULL,
  key    BLOB NOT NULL CHECK (length(key) = 32),
  PRIMARY KEY (tenant, owner)
) STRICT, WITHOUT ROWID;

CREATE TABLE conversation (
  conversation_id TEXT NOT NULL PRIMARY KEY,
  tenant          TEXT NOT NULL,
  owner           TEXT NOT NULL,
  agent           TEXT NOT NULL,
  title           TEXT NOT NULL,
  created_at      TEXT NOT NULL,
  updated_at      TEXT NOT NULL,
  deleted_at      TEXT
) STRICT, WITHOUT ROWID;

CREATE INDEX conversation_list ON conversation (tenant, owner, agent, updated_at) WHERE deleted_at IS NULL;

-- The durable inbox. `kept` episodes are only kept; `new` ones wait for the worker, `leased` ones are in its hands.
CREATE TABLE episode (
  serial_no       INTEGER PRIMARY KEY AUTOINCREMENT,
  episode_id      TEXT NOT NULL UNIQUE,
  tenant          TEXT NOT NULL,
  owner           TEXT NOT NULL,
  agent           TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  idempotency_key TEXT,
  provenance      TEXT NOT NULL CHECK (json_valid(provenance)),
  text            TEXT NOT NULL,
  received_at     TEXT NOT NULL,
  state           TEXT NOT NULL CHECK (state IN ('new', 'leased', 'done', 'kept')),
  lease_owner     TEXT,
  lease_until     TEXT,
  not_before      TEXT,
  attempts        INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  CHECK ((state = 'leased') = (lease_owner IS NOT NULL AND lease_until IS NOT NULL))
) STRICT;

CREATE UNIQUE INDEX episode_idempotency ON episode (tenant, owner, agent, idempotency_key)
  WHERE idempotency_key IS NOT NULL;
CREATE INDEX episode_conversation ON episode (conversation_id, tenant, owner, agent, serial_no);
CREATE INDEX episode_inbox ON episode (serial_no) WHERE state IN ('new', 'leased');
CREATE INDEX episode_inbox_owner ON episode (tenant, owner, serial_no) WHERE state IN ('new', 'leased');

-- Candidates in every state; the columns beside the JSON are what the queue filters and groups by.
CREATE TABLE candidate (
  queue_no     INTEGER PRIMARY KEY AUTOINCREMENT,
  candidate_id TEXT NOT NULL UNIQUE,
  episode_id   TEXT NOT NULL REFERENCES episode (episode_id),
  tenant       TEXT NOT NULL,
  owner        TEXT NOT NULL,
  agent        TEXT NOT NULL,
  state        TEXT NOT NULL CHECK (state IN ('held', 'admitted', 'promoted', 'rejected', 'withdrawn')),
  version      INTEGER NOT NULL CHECK (version >= 1),
  digest       TEXT NOT NULL,
  subject      TEXT NOT NULL,
  attribute    TEXT NOT NULL,
  source_kind  TEXT NOT NULL CHECK (source_kind IN
    ('user_turn', 'agent_turn', 'tool_output', 'third_party', 'external_doc', 'web_content')),
  source_ref   TEXT NOT NULL,
  title        TEXT NOT NULL,
  span_start   INTEGER NOT NULL CHECK (span_start >= 0),
  excerpt      TEXT NOT NULL, -- the episode's text around the span; the cited words are [marked_from, marked_to)
  marked_from  INTEGER NOT NULL CHECK (marked_from >= 0),
  marked_to    INTEGER NOT NULL CHECK (marked_to > marked_from),
  serial_no    INTEGER NOT NULL,
  extractor    TEXT NOT NULL,
  proposal     TEXT NOT NULL CHECK (json_valid(proposal)),
  provenance   TEXT NOT NULL CHECK (json_valid(provenance)),
  decision_no  INTEGER REFERENCES decision (decision_no), -- the latest decision; null only inside a transaction
  created_at   TEXT NOT NULL,
  updated_at   TEXT NOT NULL
) STRICT;

-- Holds every column that the queue filters and groups by, so that counting 10,000 items reads no wide row.
CREATE INDEX candidate_queue ON candidate (tenant, state, queue_no, owner, source_kind, source_ref, decision_no,
  created_at);
CREATE INDEX candidate_episode ON candidate (episode_id, span_start);
CREATE INDEX candidate_declined ON candidate (tenant, owner, agent, digest) WHERE state = 'rejected';

-- Case-folded statement, subject, value, title and source: what free text looks in, narrow for the same reason.
CREATE TABLE candidate_search (
  queue_no INTEGER PRIMARY KEY REFERENCES candidate (queue_no) ON DELETE CASCADE,
  searched TEXT NOT NULL
) STRICT;

CREATE TABLE decision (
  decision_no   INTEGER PRIMARY KEY AUTOINCREMENT,
  decision_id   TEXT NOT NULL UNIQUE,
  candidate_id  TEXT NOT NULL REFERENCES candidate (candidate_id),
  verdict       TEXT NOT NULL CHECK (verdict IN ('admit', 'hold', 'reject')),
  policy_digest TEXT NOT NULL,
  decided_by    TEXT NOT NULL,
  at            TEXT NOT NULL,
  note          TEXT NOT NULL,
  reasons       TEXT NOT NULL CHECK (json_valid(reasons)),
  steps         TEXT NOT NULL CHECK (json_valid(steps)),
  evidence      TEXT NOT NULL CHECK (json_valid(evidence)),
  effects       TEXT NOT NULL CHECK (json_valid(effects))
) STRICT;

CREATE INDEX decision_candidate ON decision (candidate_id, decision_no);
CREATE INDEX decision_by_people ON decision (at) WHERE decided_by <> 'policy';

-- The reason codes of each decision once more, one a row, for the queue's filter.
CREATE TABLE decision_reason (
  reason      TEXT NOT NULL,
  decision_no INTEGER NOT NULL REFERENCES decision (decision_no) ON DELETE CASCADE,
  PRIMARY KEY (reason, decision_no)
) STRICT, WITHOUT ROWID;

-- A candidate with its latest decision: what the review page draws.
CREATE VIEW item AS
SELECT candidate.queue_no, candidate.candidate_id, candidate.episode_id, candidate.tenant, candidate.owner,
       candidate.agent, candidate.state, candidate.version, candidate.serial_no, candidate.extractor,
       candidate.proposal, candidate.provenance, candidate.span_start, candidate.excerpt, candidate.marked_from,
       candidate.marked_to, candidate.updated_at, decision.decision_id, decision.verdict, decision.policy_digest,
       decision.decided_by, decision.at, decision.note, decision.reasons, decision.steps, decision.evidence,
       decision.effects
  FROM candidate
  JOIN decision ON decision.decision_no = candidate.decision_no;

-- Effects in the order they were decided. ledger_seq and ledger_head are stamped as the transaction commits.
CREATE TABLE outbox (
  outbox_no   INTEGER PRIMARY KEY AUTOINCREMENT,
  effect_id   TEXT NOT NULL UNIQUE,
  effect      TEXT NOT NULL CHECK (json_valid(effect)),
  ledger_seq  INTEGER,
  ledger_head TEXT,
  applied_at  TEXT
) STRICT;

CREATE INDEX outbox_waiting ON outbox (outbox_no) WHERE applied_at IS NULL;

CREATE TABLE run (
  run_id          TEXT NOT NULL PRIMARY KEY,
  conversation_id TEXT NOT NULL,
  tenant          TEXT NOT NULL,
  owner           TEXT NOT NULL,
  agent           TEXT NOT NULL,
  question_id     TEXT NOT NULL,
  state           TEXT NOT NULL CHECK (state IN ('running', 'done', 'stopped', 'failed')),
  text            TEXT NOT NULL,
  started_at      TEXT NOT NULL,
  updated_at      TEXT NOT NULL,
  model           TEXT NOT NULL,
  error           TEXT NOT NULL,
  answer_id       TEXT NOT NULL,
  detail          TEXT NOT NULL CHECK (json_valid(detail))
) STRICT, WITHOUT ROWID;

CREATE INDEX run_conversation ON run (tenant, owner, agent, conversation_id, started_at, run_id);

-- The chain. No constraint but the key may be UNIQUE here: REPLACE deletes whatever row it collides with, and runs no
-- delete trigger while it does.
CREATE TABLE audit (
  seq         INTEGER PRIMARY KEY,
  at          TEXT NOT NULL,
  actor       TEXT NOT NULL,
  attestation TEXT NOT NULL
    CHECK (attestation IN ('none', 'declared', 'config-hash', 'behavioural', 'weight-fingerprint')),
  action      TEXT NOT NULL,
  about       TEXT NOT NULL CHECK (json_valid(about)),
  tenant      TEXT NOT NULL,
  owner       TEXT NOT NULL,
  prev_hash   TEXT NOT NULL,
  hash        TEXT NOT NULL CHECK (length(hash) = 64)
) STRICT;

CREATE INDEX audit_tenant ON audit (tenant, seq);
CREATE INDEX audit_owner ON audit (tenant, owner, seq);

-- Every string in `about`, for the question "which entries name this id?". Filled by the trigger below.
CREATE TABLE audit_ref (
  ref TEXT NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (ref, seq)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit
BEGIN
  SELECT RAISE(ABORT, 'the audit chain is append-only: UPDATE refused');
END;

CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit
BEGIN
  SELECT RAISE(ABORT, 'the audit chain is append-only: DELETE refused');
END;

-- A new entry stands one after the head and names its hash. A row that would replace another stands elsewhere.
CREATE TRIGGER audit_at_the_head BEFORE INSERT ON audit
WHEN NEW.seq <> (SELECT coalesce(max(seq), 0) FROM audit) + 1
  OR NEW.prev_hash <> coalesce((SELECT hash FROM audit ORDER BY seq DESC LIMIT 1), '')
BEGIN
  SELECT RAISE(ABORT, 'the audit chain is append-only: the entry does not follow the head');
END;

CREATE TRIGGER audit_refs AFTER INSERT ON audit
BEGIN
  INSERT INTO audit_ref (ref, seq)
  SELECT DISTINCT atom, NEW.seq FROM json_tree(NEW.about) WHERE type = 'text';
END;

CREATE TRIGGER audit_ref_no_update BEFORE UPDATE ON audit_ref
BEGIN
  SELECT RAISE(ABORT, 'the audit chain is append-only: UPDATE refused');
END;

CREATE TRIGGER audit_ref_no_delete BEFORE DELETE ON audit_ref
BEGIN
  SELECT RAISE(ABORT, 'the audit chain is append-only: DELETE refused');
END;
