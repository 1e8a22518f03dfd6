-- Spreading the tables over several servers with the extension Citus: its rules, read from the catalogue, and its calls.

-- name: extension
-- Whether the extension is in this database, and whether the server could make it.
SELECT (SELECT extversion FROM pg_extension WHERE extname = 'citus') AS made,
    EXISTS (SELECT FROM pg_available_extensions WHERE name = 'citus') AS available;

-- name: obstacles
-- Citus's rules for a table that is distributed by a column, and ours that the column comes first. %(tables)s: the tables.
WITH spread AS (
    SELECT c.oid, c.relname AS name, a.attnum, a.atttypid, a.attnotnull, a.attgenerated, a.attidentity, a.attcollation
    FROM pg_class c LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'owner' AND NOT a.attisdropped
    WHERE c.relnamespace = 'chronomemory'::regnamespace AND c.relname = ANY(%(tables)s) AND c.relkind IN ('r', 'p')
), rule AS (
    SELECT t.name || ' is not there' AS broken FROM unnest(%(tables)s) AS t(name)
    WHERE NOT EXISTS (SELECT FROM spread s WHERE s.name = t.name)
    UNION ALL
    SELECT c.relname || ' has an owner and is not distributed'
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'owner' AND NOT a.attisdropped
    WHERE c.relnamespace = 'chronomemory'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND NOT c.relname = ANY(%(tables)s)
    UNION ALL
    SELECT s.name || ' has no owner that can tell where a row lies: text, never null, nothing that the server makes up'
    FROM spread s LEFT JOIN pg_collation o ON o.oid = s.attcollation
    WHERE s.attnum IS NULL OR s.atttypid <> 'text'::regtype OR NOT s.attnotnull OR s.attgenerated <> ''
      OR s.attidentity <> '' OR NOT coalesce(o.collisdeterministic, true)
    UNION ALL
    SELECT s.name || ': ' || i.indexrelid::regclass::name || ' is unique and does not lead with the owner'
    FROM spread s JOIN pg_index i ON i.indrelid = s.oid
    WHERE (i.indisunique OR i.indisexclusion) AND i.indkey[0] IS DISTINCT FROM s.attnum
    UNION ALL
    SELECT s.name || ': ' || f.conname || ' refers to ' || f.confrelid::regclass::name
        || ', which is not distributed' FROM spread s JOIN pg_constraint f ON f.conrelid = s.oid
    WHERE f.contype = 'f' AND f.conparentid = 0 AND NOT EXISTS (SELECT FROM spread o WHERE o.oid = f.confrelid)
    UNION ALL
    SELECT f.conrelid::regclass::name || ': ' || f.conname || ' refers to ' || s.name || ', which is distributed'
    FROM spread s JOIN pg_constraint f ON f.confrelid = s.oid
    WHERE f.contype = 'f' AND f.conparentid = 0 AND NOT EXISTS (SELECT FROM spread o WHERE o.oid = f.conrelid)
    UNION ALL
    SELECT s.name || ': ' || f.conname || ' does not carry the owner on both sides at one place'
    FROM spread s JOIN pg_constraint f ON f.conrelid = s.oid JOIN spread o ON o.oid = f.confrelid
    WHERE f.contype = 'f' AND f.conparentid = 0
      AND (array_position(f.conkey, s.attnum) IS NULL
        OR array_position(f.conkey, s.attnum) IS DISTINCT FROM array_position(f.confkey, o.attnum))
    UNION ALL
    SELECT s.name || ': ' || f.conname || ' would change the owner of a row that loses what it refers to'
    FROM spread s JOIN pg_constraint f ON f.conrelid = s.oid
    WHERE f.contype = 'f' AND (f.confdeltype IN ('n', 'd') OR f.confupdtype IN ('n', 'd', 'c'))
    UNION ALL
    SELECT s.name || ' has the trigger ' || t.tgname FROM spread s JOIN pg_trigger t ON t.tgrelid = s.oid
    WHERE NOT t.tgisinternal
    UNION ALL
    SELECT s.name || ' has the rule ' || r.rulename FROM spread s JOIN pg_rewrite r ON r.ev_class = s.oid
    UNION ALL
    SELECT s.name || ' numbers its rows: ' || a.attname FROM spread s JOIN pg_attribute a ON a.attrelid = s.oid
    WHERE a.attnum > 0 AND a.attidentity <> ''
    UNION ALL
    -- What the server brings itself leaves no trace in pg_depend: now() does not, a sequence or a function of ours does.
    SELECT s.name || ': the default of ' || a.attname || ' needs a sequence or function of this server'
    FROM spread s JOIN pg_attrdef d ON d.adrelid = s.oid
    JOIN pg_attribute a ON a.attrelid = s.oid AND a.attnum = d.adnum
    WHERE a.attgenerated = '' AND EXISTS (
        SELECT FROM pg_depend p WHERE p.classid = 'pg_attrdef'::regclass AND p.objid = d.oid
          AND (p.refclassid = 'pg_proc'::regclass
            OR (p.refclassid = 'pg_class'::regclass AND p.refobjid <> s.oid)))
)
SELECT broken FROM rule ORDER BY broken;

-- name: placed
-- Which of the tables Citus has distributed, by which column and beside which others.
SELECT c.relname AS name, t.distribution_column AS by_column, t.colocation_id AS beside
FROM citus_tables t JOIN pg_class c ON c.oid = t.table_name
WHERE c.relnamespace = 'chronomemory'::regnamespace AND c.relname = ANY(%(tables)s);

-- name: policies_with_queries
-- Policies that ask a query of their own, which Citus refuses (its commands/policy.c).
SELECT c.relname AS table_name, p.polname AS name, pg_get_expr(p.polqual, p.polrelid) AS qual,
    pg_get_expr(p.polwithcheck, p.polrelid) AS with_check
FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid
WHERE c.relnamespace = 'chronomemory'::regnamespace AND c.relname = ANY(%(tables)s)
  AND (p.polqual::text LIKE '%%SUBLINK%%' OR p.polwithcheck::text LIKE '%%SUBLINK%%')
ORDER BY c.relname, p.polname;

-- name: ask_plainly
-- The same rule without the query.
ALTER POLICY own_rows ON {table} USING (owner = current_setting('app.owner', true)
    AND tenant = current_setting('app.tenant', true))
WITH CHECK (owner = current_setting('app.owner', true) AND tenant = current_setting('app.tenant', true));

-- name: spread_first
-- The table that the others are put beside.
SELECT create_distributed_table(%(table)s::regclass, 'owner');

-- name: spread_beside
-- Rows of one owner lie on one server in all tables.
SELECT create_distributed_table(%(table)s::regclass, 'owner', colocate_with => 'chronomemory.memory');
