-- match_words() as before, but that its other conditions are compared row by row: "|| ''" keeps the planner from every
-- other index. The lexemes carry their scope's mark (core.store.words), so the inverted index brings rows of that scope
-- only; the planner, which cannot know, also read every row of the owner from another index and intersected the two.

GRANT CREATE ON SCHEMA chronomemory TO chronomemory_keeper;
-- Its owner replaces it: a role that is no superuser may put the keeper on, but not use its rights without.
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
BEGIN
    RETURN QUERY
    WITH found AS (
        (SELECT m.memory_id, m.words FROM memory m
         WHERE m.words @@ two_words
           AND m.owner || '' = current_setting('app.owner', true) AND m.tenant = current_setting('app.tenant', true)
           AND m.agent || '' = of_agent AND m.status || '' = 'active'
           AND (m.expires_at IS NULL OR m.expires_at > at) AND (m.invalid_at IS NULL OR m.invalid_at > at)
         LIMIT budget)
        UNION ALL
        (SELECT m.memory_id, m.words FROM memory m
         WHERE m.words @@ any_word
           AND m.owner || '' = current_setting('app.owner', true) AND m.tenant = current_setting('app.tenant', true)
           AND m.agent || '' = of_agent AND m.status || '' = 'active'
           AND (m.expires_at IS NULL OR m.expires_at > at) AND (m.invalid_at IS NULL OR m.invalid_at > at)
         LIMIT budget)
    ), ranked AS (
        SELECT f.memory_id, ts_rank(f.words, any_word, 1) AS rank FROM found f
    )
    SELECT r.memory_id, max(r.rank) FROM ranked r GROUP BY r.memory_id ORDER BY 2 DESC, 1 DESC LIMIT top;
END
$$;
RESET ROLE;
REVOKE CREATE ON SCHEMA chronomemory FROM chronomemory_keeper;
