-- What proves that one owner cannot see another's rows.

-- name: role_facts
-- What the server says of the product's roles.
SELECT rolname, rolsuper, rolbypassrls, has_table_privilege(rolname, 'chronomemory.memory', 'SELECT') AS reads,
    has_table_privilege(rolname, 'chronomemory.memory', 'INSERT')
    OR has_table_privilege(rolname, 'chronomemory.memory', 'UPDATE')
    OR has_table_privilege(rolname, 'chronomemory.memory', 'DELETE') AS writes
FROM pg_roles WHERE rolname = ANY(%(roles)s) ORDER BY rolname DESC;

-- name: forced
-- Whether row-level security binds the table's owner too.
SELECT relrowsecurity AND relforcerowsecurity AS forced FROM pg_class WHERE oid = 'chronomemory.memory'::regclass;

-- name: acting_as
-- The role that the statements run in.
SELECT current_user AS name;

-- name: ids_in_scope
-- Ids of what the transaction's scope shows.
SELECT memory_id FROM memory ORDER BY memory_id LIMIT %(limit)s;

-- name: count_by_id
-- How many of these ids the transaction sees. No owner in it, on purpose.
SELECT count(*) AS total FROM memory WHERE memory_id = ANY(%(ids)s);
