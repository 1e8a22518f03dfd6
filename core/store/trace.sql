-- What lies in the store of one owner, in numbers that every write changes: for the sandbox's proof.

-- name: trace
-- One row a table: how many rows, and the sum of a 64-bit hash of each; a sum does not depend on any order. xmin is the
-- row version's number: it moves with every write to the row, even one that changes no value.
SELECT 'memory' AS name, count(*) AS rows,
    coalesce(sum(hashtextextended(concat_ws('|', t.xmin, t.memory_id, t.status, t.version, t.access_count, t.stated_at,
        t.origins, t.pinned, t.row_mac, t.text), 0)), 0)::text AS sum
FROM memory t WHERE t.owner = %(owner)s AND t.tenant = %(tenant)s
UNION ALL
SELECT 'memory_embedding', count(*),
    coalesce(sum(hashtextextended(concat_ws('|', t.xmin, t.memory_id, t.active, t.not_after), 0)), 0)::text
FROM memory_embedding t WHERE t.owner = %(owner)s AND t.tenant = %(tenant)s
UNION ALL
SELECT 'memory_link', count(*),
    coalesce(sum(hashtextextended(concat_ws('|', t.xmin, t.from_id, t.to_id, t.kind, t.weight), 0)), 0)::text
FROM memory_link t WHERE t.owner = %(owner)s AND t.tenant = %(tenant)s
UNION ALL
-- Only ever added to: neither role may change or delete one.
SELECT 'applied_effect', count(*), concat_ws('|', max(t.ledger_seq), max(t.applied_at))
FROM applied_effect t WHERE t.owner = %(owner)s AND t.tenant = %(tenant)s
UNION ALL
SELECT 'scope_stat', count(*), coalesce(sum(hashtextextended(concat_ws('|', t.xmin, t.agent, t.memories), 0)), 0)::text
FROM scope_stat t WHERE t.owner = %(owner)s AND t.tenant = %(tenant)s;

-- name: rights
-- The role that speaks, every privilege it has on any of the tables, and whether its transactions refuse writes.
SELECT current_user AS role, current_setting('transaction_read_only') = 'on' AS read_only,
    has_database_privilege(current_database(), 'TEMPORARY') AS temporary,
    (SELECT array_agg(p.privilege ORDER BY p.at)
     FROM unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE']) WITH ORDINALITY AS p(privilege, at)
     WHERE EXISTS (
         SELECT FROM pg_class c
         WHERE c.relnamespace = 'chronomemory'::regnamespace AND c.relkind IN ('r', 'p')
           AND has_table_privilege(c.oid, p.privilege)
     )) AS may;
