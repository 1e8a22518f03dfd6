-- match_words() as before, but that it reads one part of a partitioned table (core.store.partition): the one that holds
-- the owner's rows, as the server itself says it. The condition on the owner stays hidden from the planner (0008), so
-- the planner could not tell by itself.

GRANT CREATE ON SCHEMA chronomemory TO chronomemory_keeper;
SET LOCAL ROLE chronomemory_keeper;
CREATE OR REPLACE FUNCTION match_words(
    any_word tsquery, two_words tsquery, of_agent text, at timestamptz, top integer, budget integer
)
RETURNS TABLE (memory_id text, rank real)
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 20
SET search_path = chronomemory, pg_catalog, pg_temp
SET enable_seqscan = off
SET enable_sort = on
SET plan_cache_mode = force_custom_plan
AS $$
#variable_conflict use_column
DECLARE
    of_owner text := current_setting('app.owner', true);
    part regclass := 'memory';
BEGIN
    IF (SELECT relkind FROM pg_class WHERE oid = part) = 'p' THEN
        SELECT m.tableoid INTO part FROM memory m WHERE m.owner = of_owner ORDER BY m.memory_id LIMIT 1;
        IF part IS NULL THEN
            RETURN;
        END IF;
    END IF;
    RETURN QUERY EXECUTE format($found$
        WITH found AS (
            (SELECT m.memory_id, m.words FROM %1$s m
             WHERE m.words @@ $2
               AND m.owner || '' = $7 AND m.tenant = current_setting('app.tenant', true)
               AND m.agent || '' = $3 AND m.status || '' = 'active'
               AND (m.expires_at IS NULL OR m.expires_at > $4) AND (m.invalid_at IS NULL OR m.invalid_at > $4)
             LIMIT $6)
            UNION ALL
            (SELECT m.memory_id, m.words FROM %1$s m
             WHERE m.words @@ $1
               AND m.owner || '' = $7 AND m.tenant = current_setting('app.tenant', true)
               AND m.agent || '' = $3 AND m.status || '' = 'active'
               AND (m.expires_at IS NULL OR m.expires_at > $4) AND (m.invalid_at IS NULL OR m.invalid_at > $4)
             LIMIT $6)
        ), ranked AS (
            SELECT f.memory_id, ts_rank(f.words, $1, 1) AS rank FROM found f
        )
        SELECT r.memory_id, max(r.rank) FROM ranked r GROUP BY r.memory_id ORDER BY 2 DESC, 1 DESC LIMIT $5
    $found$, part) USING any_word, two_words, of_agent, at, top, budget, of_owner;
END
$$;
RESET ROLE;
REVOKE CREATE ON SCHEMA chronomemory FROM chronomemory_keeper;
