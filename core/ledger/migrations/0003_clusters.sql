-- What a reviewer decides together: the key that the policy's evidence names, or the item's own source (core.clusters).

-- "" until a decision names it; the program gives older candidates theirs (see core.ledger.backfill).
ALTER TABLE candidate ADD COLUMN cluster TEXT NOT NULL DEFAULT '';
CREATE INDEX candidate_unclustered ON candidate (queue_no) WHERE cluster = '';

-- The queue's index holds every column that it filters and groups by, so this one is part of it from now on.
DROP INDEX candidate_queue;
CREATE INDEX candidate_queue ON candidate (tenant, state, queue_no, owner, source_kind, source_ref, cluster, decision_no,
  created_at);
