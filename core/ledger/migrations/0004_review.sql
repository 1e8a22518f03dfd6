-- What the review desk keeps beside its rulings: the queue's order, near-duplicates, who is at what, who said yes.

-- Near-duplicates: the id of the group's first item, and the claim's signature as a number (core.alike). "" and NULL
-- until the program has computed them (see core.ledger.backfill); what was never held has none.
ALTER TABLE candidate ADD COLUMN alike TEXT NOT NULL DEFAULT '';
ALTER TABLE candidate ADD COLUMN alike_mark INTEGER CHECK (alike_mark >= 0);
-- The place in the queue (core.queueing), and whether it must be decided by itself.
ALTER TABLE candidate ADD COLUMN priority INTEGER NOT NULL DEFAULT 0;
ALTER TABLE candidate ADD COLUMN alone INTEGER NOT NULL DEFAULT 0 CHECK (alone IN (0, 1));
-- Put off until; the user id of who was asked.
ALTER TABLE candidate ADD COLUMN snoozed_until TEXT NOT NULL DEFAULT '';
ALTER TABLE candidate ADD COLUMN assigned_to TEXT NOT NULL DEFAULT '';

CREATE INDEX candidate_unalike ON candidate (queue_no) WHERE state = 'held' AND alike = '';
CREATE INDEX candidate_first ON candidate (tenant, owner, agent, alike_mark, queue_no) WHERE alike = candidate_id;
CREATE INDEX candidate_alike ON candidate (tenant, owner, alike) WHERE state = 'held';
CREATE INDEX candidate_waiting ON candidate (updated_at) WHERE state = 'held';

-- The queue's index holds every column that it filters, groups and orders by.
DROP INDEX candidate_queue;
CREATE INDEX candidate_queue ON candidate (tenant, state, queue_no, owner, source_kind, source_ref, cluster, decision_no,
  created_at, alike, priority, alone, snoozed_until, assigned_to);

-- Who reads an item at the moment, so that nobody else rules on it.
CREATE TABLE reservation (
  candidate_id TEXT NOT NULL PRIMARY KEY REFERENCES candidate (candidate_id) ON DELETE CASCADE,
  user_id      TEXT NOT NULL,
  until        TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Who put an item off or asked a colleague, and why; the time and the colleague stand with the candidate.
CREATE TABLE desk_note (
  candidate_id TEXT NOT NULL REFERENCES candidate (candidate_id) ON DELETE CASCADE,
  kind         TEXT NOT NULL CHECK (kind IN ('snooze', 'assignment')),
  user_id      TEXT NOT NULL,
  at           TEXT NOT NULL,
  note         TEXT NOT NULL,
  PRIMARY KEY (candidate_id, kind)
) STRICT, WITHOUT ROWID;

-- A person's yes to the very bytes of an item that needs two people.
CREATE TABLE approval (
  candidate_id TEXT NOT NULL REFERENCES candidate (candidate_id) ON DELETE CASCADE,
  version      INTEGER NOT NULL,
  digest       TEXT NOT NULL,
  user_id      TEXT NOT NULL,
  at           TEXT NOT NULL,
  note         TEXT NOT NULL,
  PRIMARY KEY (candidate_id, version, user_id)
) STRICT, WITHOUT ROWID;

-- Which candidate holds the edited words of which other.
CREATE TABLE rewording (
  candidate_id TEXT NOT NULL PRIMARY KEY REFERENCES candidate (candidate_id) ON DELETE CASCADE,
  original_id  TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX rewording_original ON rewording (original_id);
