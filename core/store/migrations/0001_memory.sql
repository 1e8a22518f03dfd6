-- Memories, their embeddings and links, the effects that made them, and the three roles.
--
-- Keys lead with the owner, so that the schema can be distributed or partitioned by owner. The roles are shared by every
-- database of a server, hence IF NOT EXISTS and the tolerance of a concurrent creator.
--
--   chronomemory_app     every operation of the product; neither superuser nor owner, so row-level security binds it
--   chronomemory_reader  the sandbox: SELECT only, no TEMP
--   chronomemory_keeper  no one logs in as it: owns match_words() and recomputes embeddings across owners

DO $$
DECLARE
    role_name text;
BEGIN
    FOREACH role_name IN ARRAY ARRAY['chronomemory_app', 'chronomemory_reader', 'chronomemory_keeper'] LOOP
        BEGIN
            IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role_name) THEN
                EXECUTE format(
                    'CREATE ROLE %I NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS', role_name
                );
            END IF;
        EXCEPTION WHEN duplicate_object OR unique_violation THEN
            NULL;
        END;
        -- A superuser can take any role on; others must be given it, and may lack the right: opening the store then says so.
        IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
            BEGIN
                -- Without inheritance: the keeper's policies, which see every owner, must be put on deliberately.
                EXECUTE format('GRANT %I TO CURRENT_USER', role_name)
                    || CASE WHEN current_setting('server_version_num')::int >= 160000
                            THEN ' WITH INHERIT FALSE, SET TRUE' ELSE '' END;
            EXCEPTION WHEN insufficient_privilege THEN
                NULL;
            END;
        END IF;
    END LOOP;
    -- Without effect, and with a warning only, where the connecting role does not own the database; the reader checks.
    EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
END
$$;

REVOKE ALL ON SCHEMA chronomemory FROM PUBLIC;
GRANT USAGE ON SCHEMA chronomemory TO chronomemory_app, chronomemory_reader, chronomemory_keeper;

CREATE TABLE memory (
    owner           text        NOT NULL CHECK (owner <> ''),
    memory_id       text        NOT NULL CHECK (memory_id <> ''),
    tenant          text        NOT NULL CHECK (tenant <> ''),
    agent           text        NOT NULL CHECK (agent <> ''),
    kind            text        NOT NULL,
    status          text        NOT NULL CHECK (status IN ('active', 'superseded', 'archived', 'deleted')),
    subject         text        NOT NULL,
    attribute       text        NOT NULL,
    slot_key        text        NOT NULL,
    value           text        NOT NULL,
    text            text        NOT NULL,
    importance      float8      NOT NULL CHECK (importance BETWEEN 0 AND 1),
    effective_trust float8      NOT NULL CHECK (effective_trust BETWEEN 0 AND 1),
    source_kind     text        NOT NULL,
    source_ref      text        NOT NULL,
    source_title    text        NOT NULL,
    actor           text        NOT NULL,
    episode_id      text        NOT NULL,
    conversation_id text        NOT NULL,
    serial_no       bigint      NOT NULL,
    roots           jsonb       NOT NULL,
    stated_at       timestamptz NOT NULL,
    created_at      timestamptz NOT NULL,
    vouched_by      text,
    vouched_at      timestamptz,
    valid_at        timestamptz,
    invalid_at      timestamptz,
    expired_at      timestamptz,
    expires_at      timestamptz,
    superseded_by   text,
    access_count    bigint      NOT NULL DEFAULT 0 CHECK (access_count >= 0),
    origins         integer     NOT NULL DEFAULT 1 CHECK (origins >= 0),
    language        text        NOT NULL,
    version         integer     NOT NULL DEFAULT 1,
    -- Kept beside the nouns' fields: bounded, comparable forms of unbounded text (an index entry must stay below 2.7 kB).
    subject_key     text        NOT NULL,  -- core.slots.normalise(subject), first 200 characters
    attribute_key   text        NOT NULL,  -- the slot's attribute, first 100 characters
    slot_hash       text        NOT NULL,  -- sha256 of slot_key
    words           tsvector    NOT NULL,  -- core.store.words: lexemes prefixed with the scope's mark
    ledger_seq      bigint      NOT NULL,  -- audit position of the activating effect
    row_mac         text        NOT NULL,  -- rules §8.1; '' when no key was configured
    PRIMARY KEY (owner, memory_id)
);
CREATE INDEX memory_stated ON memory (owner, agent, status, stated_at DESC);
CREATE INDEX memory_slot ON memory (owner, agent, slot_hash);
CREATE INDEX memory_subject ON memory (owner, agent, subject_key);
CREATE INDEX memory_attribute ON memory (owner, agent, attribute_key);
CREATE INDEX memory_episode ON memory (owner, agent, episode_id);
-- fastupdate off: a pending list would be scanned row by row by every search.
CREATE INDEX memory_words ON memory USING gin (words) WITH (fastupdate = off);

-- The dimension is set when the first embedding model is recorded (core.store.schema).
-- active, not_after: copies of memory's status and the earlier of its two ends, so that the exact scan reads one table.
CREATE TABLE memory_embedding (
    owner     text    NOT NULL,
    memory_id text    NOT NULL,
    tenant    text    NOT NULL,
    agent     text    NOT NULL,
    active    boolean NOT NULL,
    not_after timestamptz,
    embedding halfvec NOT NULL,
    PRIMARY KEY (owner, memory_id),
    FOREIGN KEY (owner, memory_id) REFERENCES memory (owner, memory_id) ON DELETE CASCADE
);
ALTER TABLE memory_embedding ALTER COLUMN embedding SET STORAGE PLAIN;
CREATE INDEX memory_embedding_scope ON memory_embedding (owner, agent) WHERE active;

CREATE TABLE memory_link (
    owner   text        NOT NULL,
    from_id text        NOT NULL,
    to_id   text        NOT NULL,
    kind    text        NOT NULL,
    tenant  text        NOT NULL,
    weight  float8      NOT NULL CHECK (weight BETWEEN 0 AND 1),
    made_at timestamptz NOT NULL,
    PRIMARY KEY (owner, from_id, to_id, kind),
    FOREIGN KEY (owner, from_id) REFERENCES memory (owner, memory_id) ON DELETE CASCADE,
    FOREIGN KEY (owner, to_id) REFERENCES memory (owner, memory_id) ON DELETE CASCADE
);
CREATE INDEX memory_link_to ON memory_link (owner, to_id);

-- Number of embedded rows of a scope: tells the exact scan from the index scan without counting.
CREATE TABLE scope_stat (
    owner    text   NOT NULL,
    agent    text   NOT NULL,
    tenant   text   NOT NULL,
    memories bigint NOT NULL,
    PRIMARY KEY (owner, agent)
);

CREATE TABLE applied_effect (
    owner       text        NOT NULL,
    effect_id   text        NOT NULL,
    tenant      text        NOT NULL,
    ledger_seq  bigint      NOT NULL,
    ledger_head text        NOT NULL,
    applied_at  timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (owner, effect_id)
);

-- The ledger's head as this store last saw it (rules §8.2). One row, no owner, no words.
CREATE TABLE ledger_witness (
    one         boolean PRIMARY KEY DEFAULT true CHECK (one),
    ledger_seq  bigint NOT NULL,
    ledger_head text   NOT NULL
);

CREATE TABLE setting (
    key   text PRIMARY KEY,
    value text NOT NULL
);

-- No owner set in the transaction: current_setting gives NULL or '', which equals no owner, so nothing is seen.
-- The sub-select makes it one look-up a query instead of one a row.
DO $$
DECLARE
    table_name text;
BEGIN
    FOREACH table_name IN ARRAY ARRAY['memory', 'memory_embedding', 'memory_link', 'scope_stat', 'applied_effect'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', table_name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', table_name);
        EXECUTE format(
            'CREATE POLICY own_rows ON %I FOR ALL TO PUBLIC '
            'USING (owner = (SELECT current_setting(''app.owner'', true)) '
            '  AND tenant = (SELECT current_setting(''app.tenant'', true))) '
            'WITH CHECK (owner = (SELECT current_setting(''app.owner'', true)) '
            '  AND tenant = (SELECT current_setting(''app.tenant'', true)))', table_name
        );
        EXECUTE format('CREATE POLICY keeper ON %I FOR ALL TO chronomemory_keeper USING (true)', table_name);
        EXECUTE format('GRANT SELECT ON %I TO chronomemory_reader', table_name);
    END LOOP;
END
$$;

GRANT SELECT, INSERT, UPDATE, DELETE ON memory, memory_embedding, memory_link, scope_stat TO chronomemory_app;
GRANT SELECT, INSERT ON applied_effect TO chronomemory_app;
GRANT SELECT, INSERT, UPDATE ON ledger_witness TO chronomemory_app;
GRANT SELECT ON setting TO chronomemory_app, chronomemory_reader;
GRANT SELECT ON ledger_witness TO chronomemory_reader;
GRANT SELECT ON memory TO chronomemory_keeper;
GRANT SELECT, INSERT, UPDATE ON memory_embedding, scope_stat TO chronomemory_keeper;

-- The best rows by words. A security-definer function, because under row-level security `@@` is not leak-proof and the
-- planner then may not use the inverted index. It filters on the same owner and tenant that the policies use, returns ids and
-- ranks only, and the caller joins them to memory under the policies.
-- A word that half the rows hold must not cost half the table: at most `budget` rows that match one word and as many
-- that match two are ranked.
CREATE FUNCTION match_words(any_word tsquery, two_words tsquery, of_agent text, at timestamptz, top integer, budget integer)
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
           AND m.owner = current_setting('app.owner', true) AND m.tenant = current_setting('app.tenant', true)
           AND m.agent = of_agent AND m.status = 'active'
           AND (m.expires_at IS NULL OR m.expires_at > at) AND (m.invalid_at IS NULL OR m.invalid_at > at)
         LIMIT budget)
        UNION ALL
        (SELECT m.memory_id, m.words FROM memory m
         WHERE m.words @@ any_word
           AND m.owner = current_setting('app.owner', true) AND m.tenant = current_setting('app.tenant', true)
           AND m.agent = of_agent AND m.status = 'active'
           AND (m.expires_at IS NULL OR m.expires_at > at) AND (m.invalid_at IS NULL OR m.invalid_at > at)
         LIMIT budget)
    ), ranked AS (
        SELECT f.memory_id, ts_rank(f.words, any_word, 1) AS rank FROM found f
    )
    SELECT r.memory_id, max(r.rank) FROM ranked r GROUP BY r.memory_id ORDER BY 2 DESC, 1 DESC LIMIT top;
END
$$;
REVOKE ALL ON FUNCTION match_words FROM PUBLIC;
GRANT EXECUTE ON FUNCTION match_words TO chronomemory_app, chronomemory_reader;
GRANT CREATE ON SCHEMA chronomemory TO chronomemory_keeper;
ALTER FUNCTION match_words OWNER TO chronomemory_keeper;
REVOKE CREATE ON SCHEMA chronomemory FROM chronomemory_keeper;
