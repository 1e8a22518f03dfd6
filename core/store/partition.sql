-- What a table is, read from the catalogue, so that it can be made again in parts: nothing of it is written down twice.

-- name: layout
-- The tables that are spread by owner: how each is kept ('r' plain, 'p' in parts) and in how many parts.
SELECT c.relname AS name, c.relkind = 'p' AS parted, count(i.inhrelid) AS parts
FROM pg_class c LEFT JOIN pg_inherits i ON i.inhparent = c.oid
WHERE c.relnamespace = to_regnamespace('chronomemory') AND c.relname = ANY(%(tables)s) AND c.relkind IN ('r', 'p')
GROUP BY c.relname, c.relkind;

-- name: others
-- Programs that use this database beside us.
SELECT count(*) AS total FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND usesysid IS NOT NULL
  AND coalesce(backend_type, 'client backend') = 'client backend';

-- name: bytes
-- How much the tables and their indexes take, in bytes.
SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint AS total FROM pg_class c
WHERE c.relnamespace = to_regnamespace('chronomemory') AND c.relname = ANY(%(tables)s) AND c.relkind = 'r';

-- name: uncarried
-- What a table has that would be lost on the way: rules, publications, a replica identity, parents or children.
SELECT 'the rule ' || rulename AS what FROM pg_rules WHERE schemaname = 'chronomemory' AND tablename = %(table)s
UNION ALL
SELECT 'the publication ' || p.pubname FROM pg_publication p JOIN pg_publication_rel r ON r.prpubid = p.oid
WHERE r.prrelid = %(table)s::regclass
UNION ALL
SELECT 'a replica identity' FROM pg_class WHERE oid = %(table)s::regclass AND relreplident <> 'd'
UNION ALL
SELECT 'inheritance' FROM pg_inherits WHERE %(table)s::regclass IN (inhrelid, inhparent);

-- name: owned_by
-- Whose table it is.
SELECT pg_get_userbyid(relowner) AS name, relowner = current_user::regrole AS ours FROM pg_class
WHERE oid = %(table)s::regclass;

-- name: columns
-- Columns that a row is copied by.
SELECT attname AS name FROM pg_attribute
WHERE attrelid = %(table)s::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum;

-- name: samples
-- How many values of a column the planner may keep, where that is set.
SELECT attname AS name, attstattarget::int AS target FROM pg_attribute
WHERE attrelid = %(table)s::regclass AND attnum > 0 AND NOT attisdropped AND attstattarget >= 0;

-- name: keys
-- Constraints with an index.
SELECT conname AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint
WHERE conrelid = %(table)s::regclass AND contype IN ('p', 'u', 'x') ORDER BY contype, conname;

-- name: references
-- Foreign keys; not those that the server makes for each part of what a key refers to.
SELECT conname AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint
WHERE conrelid = %(table)s::regclass AND contype = 'f' AND conparentid = 0 ORDER BY conname;

-- name: indexes
-- Indexes that no constraint makes.
SELECT pg_get_indexdef(i.indexrelid) AS definition FROM pg_index i
WHERE i.indrelid = %(table)s::regclass
  AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid AND c.conrelid = i.indrelid)
ORDER BY i.indexrelid;

-- name: triggers
-- Triggers that somebody made.
SELECT pg_get_triggerdef(oid) AS definition FROM pg_trigger
WHERE tgrelid = %(table)s::regclass AND NOT tgisinternal ORDER BY tgname;

-- name: policies
-- Row-level security.
SELECT policyname AS name, permissive, roles::text[] AS roles, cmd, qual, with_check FROM pg_policies
WHERE schemaname = 'chronomemory' AND tablename = %(table)s ORDER BY policyname;

-- name: security
-- Whether row-level security is on, and binds the table's owner too.
SELECT relrowsecurity AS enabled, relforcerowsecurity AS forced FROM pg_class WHERE oid = %(table)s::regclass;

-- name: grants
-- Who may do what with a table, or with a column of it.
SELECT a.privilege_type AS privilege, a.is_grantable AS passes, NULL AS of_column,
    CASE a.grantee WHEN 0 THEN NULL ELSE pg_get_userbyid(a.grantee) END AS grantee
FROM pg_class c, aclexplode(c.relacl) a
WHERE c.oid = %(table)s::regclass AND a.grantee <> c.relowner
UNION ALL
SELECT a.privilege_type, a.is_grantable, t.attname,
    CASE a.grantee WHEN 0 THEN NULL ELSE pg_get_userbyid(a.grantee) END
FROM pg_attribute t, aclexplode(t.attacl) a
WHERE t.attrelid = %(table)s::regclass AND NOT t.attisdropped;
