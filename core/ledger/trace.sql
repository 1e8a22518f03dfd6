-- What lies in the ledger of one owner, in numbers that every write changes: for the sandbox's proof.

-- name: trace
-- One row a table: how many rows, and what moves when one is added, changed or taken away.
SELECT 'episode' AS name, count(*) AS rows,
       json_array(max(serial_no), sum(attempts), sum(state = 'new'), sum(state = 'leased'), sum(state = 'done')) AS sums
  FROM episode WHERE tenant = :tenant AND owner = :owner
UNION ALL
-- from the queue's index alone: a ruling moves the state or the decision
SELECT 'candidate', count(*),
       json_array(max(queue_no), sum(decision_no), sum(state = 'held'), sum(state = 'admitted'), sum(state = 'promoted'),
                  sum(state = 'rejected'))
  FROM candidate WHERE tenant = :tenant AND owner = :owner
UNION ALL
SELECT 'outbox', count(*),
       json_array(max(outbox_no), (SELECT count(*) FROM outbox AS waiting
                                    WHERE waiting.tenant = :tenant AND waiting.owner = :owner
                                      AND waiting.applied_at IS NULL))
  FROM outbox WHERE tenant = :tenant AND owner = :owner
UNION ALL
SELECT 'conversation', count(*), json_array(max(updated_at), sum(deleted_at IS NULL))
  FROM conversation WHERE tenant = :tenant AND owner = :owner
UNION ALL
SELECT 'pattern', count(*), json_array(max(updated_at), sum(version))
  FROM pattern WHERE tenant = :tenant AND owner = :owner
UNION ALL
SELECT 'run', count(*), json_array(max(updated_at), sum(state = 'running'))
  FROM run WHERE tenant = :tenant AND owner = :owner
UNION ALL
SELECT 'audit', count(*),
       json_array(max(seq), (SELECT hash FROM audit WHERE tenant = :tenant AND owner = :owner ORDER BY seq DESC LIMIT 1))
  FROM audit WHERE tenant = :tenant AND owner = :owner;

-- name: query_only
-- Whether this connection refuses every write.
PRAGMA query_only;
