-- Origins by name, pins, own decay and impact of a memory; what erasing an owner and emptying the store need.

ALTER TABLE memory
    ADD COLUMN support        jsonb   NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(support) = 'array'),
    ADD COLUMN pinned         boolean NOT NULL DEFAULT false,
    ADD COLUMN half_life_days float8,
    ADD COLUMN shape          float8,
    ADD COLUMN impact         jsonb   NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(impact) = 'array');
CREATE INDEX memory_conversation ON memory (owner, agent, conversation_id);

-- The planner's samples are copies of a person's words that no DELETE reaches, and no plan depends on them: every look-up
-- leads with the owner or a unique key. Naming the type again drops the samples that were taken before.
DO $$
DECLARE
    of_column record;
BEGIN
    FOR of_column IN
        SELECT a.attrelid::regclass AS relation, a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type
        FROM pg_attribute a
        WHERE (a.attrelid = 'memory'::regclass AND a.attname = ANY(ARRAY[
                'text', 'value', 'subject', 'subject_key', 'attribute', 'attribute_key', 'slot_key', 'slot_hash', 'words',
                'source_ref', 'source_title', 'roots', 'support', 'actor', 'vouched_by'
            ]))
            OR (a.attrelid = 'memory_embedding'::regclass AND a.attname = 'embedding')
            OR (a.attrelid IN ('person'::regclass, 'session'::regclass, 'throttle'::regclass, 'invitation'::regclass)
                AND a.attnum > 0 AND a.atttypid IN ('text'::regtype, 'jsonb'::regtype))
    LOOP
        EXECUTE format(
            'ALTER TABLE %s ALTER COLUMN %I TYPE %s, ALTER COLUMN %I SET STATISTICS 0',
            of_column.relation, of_column.name, of_column.type, of_column.name
        );
    END LOOP;
END
$$;

-- Erasure removes an owner's rows wherever they are; a rebuild from the ledger empties the tables.
GRANT SELECT, DELETE, TRUNCATE ON memory, memory_embedding, memory_link, scope_stat, applied_effect
    TO chronomemory_keeper;
GRANT SELECT, DELETE ON person, session, throttle, invitation TO chronomemory_keeper;

-- One hop along links, both ways, from the seeds of a search to live memories of the scope (rules §4.2): the links of what
-- was found anyway, and the `top` others by cosine × weight, looked for among the first 4 × top so that a hub costs no
-- more. A function for its cached plan, which the statement around it would make anew each time; it runs as its caller,
-- under the policies.
CREATE FUNCTION linked_memories(seeds text[], cosines float8[], known text[], of_agent text, at timestamptz, top integer)
RETURNS TABLE (memory_id text, was_found boolean, parents text[], weights float8[])
LANGUAGE plpgsql STABLE SECURITY INVOKER ROWS 20
SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH seed AS MATERIALIZED (
        SELECT s.id, s.cosine FROM unnest(seeds, cosines) AS s(id, cosine)
    ), lifted AS MATERIALIZED (
        SELECT l.id, array_agg(l.parent) AS parents, array_agg(l.weight) AS weights, max(l.weight * l.cosine) AS activation,
            l.id = ANY(known) AS was_found
        FROM (
            SELECT k.to_id AS id, k.from_id AS parent, k.weight, seed.cosine
            FROM seed JOIN memory_link k ON k.owner = current_setting('app.owner', true) AND k.from_id = seed.id
            UNION ALL
            SELECT k.from_id, k.to_id, k.weight, seed.cosine
            FROM seed JOIN memory_link k ON k.owner = current_setting('app.owner', true) AND k.to_id = seed.id
        ) l
        GROUP BY l.id
    )
    SELECT l.id, true, l.parents, l.weights FROM lifted l WHERE l.was_found
    UNION ALL
    (SELECT l.id, false, l.parents, l.weights
     FROM (SELECT * FROM lifted WHERE NOT was_found ORDER BY activation DESC, id LIMIT 4 * top) l
     JOIN memory m ON m.owner = current_setting('app.owner', true) AND m.memory_id = l.id
     WHERE m.tenant = current_setting('app.tenant', true)
       AND m.agent = of_agent AND m.status = 'active'
       AND (m.expires_at IS NULL OR m.expires_at > at) AND (m.invalid_at IS NULL OR m.invalid_at > at)
     ORDER BY l.activation DESC, l.id
     LIMIT top);
END
$$;
REVOKE ALL ON FUNCTION linked_memories FROM PUBLIC;
GRANT EXECUTE ON FUNCTION linked_memories TO chronomemory_app, chronomemory_reader;
