-- Every statement of the store. Owner and tenant stand in the text for the planner's sake; row-level security
-- enforces them again. A missing %(at)s means the server's clock.

-- part: measures
-- What the next search decides by: whose vectors these are, and how large scope and store are. The store is what one
-- vector index covers: the table, or the part of it that holds the owner's rows (core.store.partition).
    (SELECT value FROM setting WHERE key = 'embedding_identity') AS identity,
    coalesce((SELECT s.memories FROM scope_stat s WHERE s.owner = %(owner)s AND s.agent = %(agent)s), 0) AS scope_size,
    coalesce((SELECT c.reltuples::bigint FROM pg_class c WHERE c.oid = (
        SELECT v.tableoid FROM memory_embedding v WHERE v.owner = %(owner)s ORDER BY v.memory_id LIMIT 1
    )), 0) AS store_size

-- part: told
-- For ranking: which of the query's words a row holds, how many it has in all, and what was said just before it.
    ARRAY(SELECT m.words @@ one.word FROM unnest(%(each_word)s::text[]::tsquery[]) WITH ORDINALITY AS one(word, nth)
          ORDER BY one.nth) AS held,
    length(m.words) AS length,
    ARRAY(SELECT k.to_id FROM memory_link k
          WHERE k.owner = %(owner)s AND k.from_id = m.memory_id AND k.kind = 'adjacent') AS before

-- part: memory
-- Every column of a memory as core.store.rows reads it, with what its seal needs.
    m.memory_id, m.tenant, m.owner, m.agent, m.kind, m.status, m.subject, m.attribute, m.slot_key, m.value, m.text,
    m.importance, m.effective_trust, m.source_kind, m.source_ref, m.source_title, m.actor, m.episode_id,
    m.conversation_id, m.serial_no, m.roots, m.stated_at, m.created_at, m.vouched_by, m.vouched_at, m.valid_at,
    m.invalid_at, m.expired_at, m.expires_at, m.superseded_by, m.access_count, m.origins, m.language, m.version,
    m.support, m.pinned, m.half_life_days, m.shape, m.impact, m.confirmed_by, m.confirmed_at, m.ledger_seq, m.row_mac

-- name: begin
-- As whom a transaction works, for whom it speaks and how it is planned. %(local)s: all of it is forgotten at the
-- transaction's end, and a pooler may then give the server's connection to anybody. A generic plan would lose the choice
-- of index.
SELECT set_config('role', %(role)s, %(local)s), set_config('search_path', 'chronomemory, public', %(local)s),
    set_config('app.owner', %(owner)s, %(local)s), set_config('app.tenant', %(tenant)s, %(local)s),
    set_config('plan_cache_mode', 'force_custom_plan', %(local)s), set_config('jit', 'off', %(local)s),
    set_config('max_parallel_workers_per_gather', '0', %(local)s),
    set_config('statement_timeout', %(statement_timeout)s, %(local)s),
    set_config('default_transaction_read_only', %(read_only)s, %(local)s),
    set_config('transaction_read_only', %(read_only)s, %(local)s);

-- name: set_scope
-- For whom the rest of the transaction speaks, where it speaks for several in turn.
SELECT set_config('app.owner', %(owner)s, true), set_config('app.tenant', %(tenant)s, true);

-- name: prefer_vector_index
-- The planner prices the index scan too high: left to itself it sorts every row. 120 gives recall@10 .995 at 100,000 rows, 200 .998, 40 gave .86.
-- Relaxed: a near row that a later look into the index brings is kept, not dropped for coming out of order; ranking sorts.
-- Of 100,000 rows among 1,000,000 it brings recall@10 .988 where strict order brings .940, in the same time.
SELECT set_config('hnsw.ef_search', '120', true), set_config('hnsw.iterative_scan', 'relaxed_order', true),
    set_config('hnsw.max_scan_tuples', '100000', true), set_config('enable_sort', 'off', true);

-- name: search_exact
-- Hybrid search, every vector of the scope compared: "+ 0" keeps the approximate index out. From the nearest, one hop
-- along the links to live neighbours (rules §4.2).
WITH near AS MATERIALIZED (
    SELECT e.memory_id, (e.embedding <=> %(vector)s::halfvec) + 0 AS distance
    FROM memory_embedding e
    WHERE e.owner = %(owner)s AND e.tenant = %(tenant)s AND e.agent = %(agent)s AND e.active
      AND (e.not_after IS NULL OR e.not_after > %(at)s)
    ORDER BY distance
    LIMIT %(limit)s
), worded AS MATERIALIZED (
    SELECT w.memory_id
    FROM match_words(%(any_word)s::tsquery, %(two_words)s::tsquery, %(agent)s, %(at)s, %(limit)s, %(budget)s) w
), found AS MATERIALIZED (
    SELECT memory_id FROM near UNION SELECT memory_id FROM worded
), linked AS MATERIALIZED (
    SELECT l.memory_id, l.was_found, l.parents, l.weights
    FROM (
        SELECT array_agg(n.memory_id) AS ids, array_agg(1 - n.distance) AS cosines
        FROM (SELECT memory_id, distance FROM near ORDER BY distance LIMIT %(seeds)s) n
    ) seed,
    linked_memories(
        seed.ids, seed.cosines, (SELECT array_agg(memory_id) FROM found), %(agent)s, %(at)s, %(neighbours)s
    ) l
), reached AS (
    SELECT memory_id, true AS found FROM found UNION ALL SELECT memory_id, false FROM linked WHERE NOT was_found
)
SELECT
    {{memory}},
    coalesce(1 - (e.embedding <=> %(vector)s::halfvec), 0) AS cosine,
    coalesce(ts_rank(m.words, %(any_word)s::tsquery, 1), 0) AS lexical,
    {{told}},
    {{measures}},
    reached.found, linked.parents, linked.weights
FROM reached
JOIN memory m ON m.owner = %(owner)s AND m.memory_id = reached.memory_id
LEFT JOIN memory_embedding e ON e.owner = %(owner)s AND e.memory_id = reached.memory_id
LEFT JOIN linked ON linked.memory_id = reached.memory_id
WHERE m.owner = %(owner)s AND m.tenant = %(tenant)s AND m.agent = %(agent)s AND m.status = 'active'
  AND (m.expires_at IS NULL OR m.expires_at > %(at)s)
  AND (m.invalid_at IS NULL OR m.invalid_at > %(at)s);

-- name: search_indexed
-- Hybrid search through the vector index, for scopes too large to scan.
WITH near AS MATERIALIZED (
    SELECT e.memory_id, e.embedding <=> %(vector)s::halfvec AS distance
    FROM memory_embedding e
    WHERE e.owner = %(owner)s AND e.tenant = %(tenant)s AND e.agent = %(agent)s AND e.active
      AND (e.not_after IS NULL OR e.not_after > %(at)s)
    ORDER BY distance
    LIMIT %(limit)s
), worded AS MATERIALIZED (
    SELECT w.memory_id
    FROM match_words(%(any_word)s::tsquery, %(two_words)s::tsquery, %(agent)s, %(at)s, %(limit)s, %(budget)s) w
), found AS MATERIALIZED (
    SELECT memory_id FROM near UNION SELECT memory_id FROM worded
), linked AS MATERIALIZED (
    SELECT l.memory_id, l.was_found, l.parents, l.weights
    FROM (
        SELECT array_agg(n.memory_id) AS ids, array_agg(1 - n.distance) AS cosines
        FROM (SELECT memory_id, distance FROM near ORDER BY distance LIMIT %(seeds)s) n
    ) seed,
    linked_memories(
        seed.ids, seed.cosines, (SELECT array_agg(memory_id) FROM found), %(agent)s, %(at)s, %(neighbours)s
    ) l
), reached AS (
    SELECT memory_id, true AS found FROM found UNION ALL SELECT memory_id, false FROM linked WHERE NOT was_found
)
SELECT
    {{memory}},
    coalesce(1 - (e.embedding <=> %(vector)s::halfvec), 0) AS cosine,
    coalesce(ts_rank(m.words, %(any_word)s::tsquery, 1), 0) AS lexical,
    {{told}},
    {{measures}},
    reached.found, linked.parents, linked.weights
FROM reached
JOIN memory m ON m.owner = %(owner)s AND m.memory_id = reached.memory_id
LEFT JOIN memory_embedding e ON e.owner = %(owner)s AND e.memory_id = reached.memory_id
LEFT JOIN linked ON linked.memory_id = reached.memory_id
WHERE m.owner = %(owner)s AND m.tenant = %(tenant)s AND m.agent = %(agent)s AND m.status = 'active'
  AND (m.expires_at IS NULL OR m.expires_at > %(at)s)
  AND (m.invalid_at IS NULL OR m.invalid_at > %(at)s);

-- name: nearest_exact
-- What a statement meets: the nearest by meaning alone, every vector of the scope compared.
WITH near AS MATERIALIZED (
    SELECT e.memory_id, (e.embedding <=> %(vector)s::halfvec) + 0 AS distance
    FROM memory_embedding e
    WHERE e.owner = %(owner)s AND e.tenant = %(tenant)s AND e.agent = %(agent)s AND e.active
      AND (e.not_after IS NULL OR e.not_after > %(at)s)
    ORDER BY distance
    LIMIT %(limit)s
)
SELECT
    {{memory}},
    1 - near.distance AS cosine, 0::float8 AS lexical, NULL::boolean[] AS held, 0 AS length, NULL::text[] AS before,
    {{measures}},
    true AS found, NULL::text[] AS parents, NULL::float8[] AS weights
FROM near
JOIN memory m ON m.owner = %(owner)s AND m.memory_id = near.memory_id
WHERE m.owner = %(owner)s AND m.tenant = %(tenant)s AND m.agent = %(agent)s AND m.status = 'active';

-- name: nearest_indexed
-- The same through the vector index, for scopes too large to scan.
WITH near AS MATERIALIZED (
    SELECT e.memory_id, e.embedding <=> %(vector)s::halfvec AS distance
    FROM memory_embedding e
    WHERE e.owner = %(owner)s AND e.tenant = %(tenant)s AND e.agent = %(agent)s AND e.active
      AND (e.not_after IS NULL OR e.not_after > %(at)s)
    ORDER BY distance
    LIMIT %(limit)s
)
SELECT
    {{memory}},
    1 - near.distance AS cosine, 0::float8 AS lexical, NULL::boolean[] AS held, 0 AS length, NULL::text[] AS before,
    {{measures}},
    true AS found, NULL::text[] AS parents, NULL::float8[] AS weights
FROM near
JOIN memory m ON m.owner = %(owner)s AND m.memory_id = near.memory_id
WHERE m.owner = %(owner)s AND m.tenant = %(tenant)s AND m.agent = %(agent)s AND m.status = 'active';

-- part: scanned
-- Of the rows named live, the nearest by meaning and the best by words, every vector compared; without a hop.
), near AS MATERIALIZED (
    SELECT live.memory_id
    FROM live JOIN memory_embedding e ON e.owner = %(owner)s AND e.memory_id = live.memory_id
    ORDER BY (e.embedding <=> %(vector)s::halfvec) + 0
    LIMIT %(limit)s
), worded AS MATERIALIZED (
    SELECT live.memory_id
    FROM live
    WHERE live.words @@ %(any_word)s::tsquery
    ORDER BY ts_rank(live.words, %(any_word)s::tsquery, 1) DESC, live.memory_id DESC
    LIMIT %(limit)s
), found AS MATERIALIZED (
    SELECT memory_id FROM near UNION SELECT memory_id FROM worded
)
SELECT
    {{memory}},
    coalesce(1 - (e.embedding <=> %(vector)s::halfvec), 0) AS cosine,
    coalesce(ts_rank(m.words, %(any_word)s::tsquery, 1), 0) AS lexical,
    {{told}},
    {{measures}},
    true AS found, NULL::text[] AS parents, NULL::float8[] AS weights
FROM found
JOIN memory m ON m.owner = %(owner)s AND m.memory_id = found.memory_id
LEFT JOIN memory_embedding e ON e.owner = %(owner)s AND e.memory_id = found.memory_id
WHERE m.owner = %(owner)s AND m.tenant = %(tenant)s AND m.agent = %(agent)s

-- name: search_scan
-- Hybrid search without an index, for the questions that are rare: archived memories too, or what was current at a time
-- (%(past)s): since it was said to hold, or since it was recorded. A row that left the records later was in them then; a tombstone never comes back (rules §2.6, §3.4).
WITH live AS NOT MATERIALIZED (
    SELECT m.memory_id, m.words
    FROM memory m
    WHERE m.owner = %(owner)s AND m.tenant = %(tenant)s AND m.agent = %(agent)s AND m.status = ANY(%(statuses)s)
      AND (m.expires_at IS NULL OR m.expires_at > %(at)s)
      AND (m.invalid_at IS NULL OR m.invalid_at > %(at)s)
      AND (NOT %(past)s::boolean OR (
          coalesce(m.valid_at, m.created_at) <= %(at)s AND (m.expired_at IS NULL OR m.expired_at > %(at)s)))
{{scanned}};

-- name: left_out
-- What a question would have met if it were still current: replaced, archived, closed or expired; a tombstone never
-- comes back (rules §2.9).
WITH live AS NOT MATERIALIZED (
    SELECT m.memory_id, m.words
    FROM memory m
    WHERE m.owner = %(owner)s AND m.tenant = %(tenant)s AND m.agent = %(agent)s AND m.status <> 'deleted'
      AND (m.status <> 'active' OR m.expires_at <= %(at)s OR m.invalid_at <= %(at)s)
{{scanned}};

-- name: statuses
-- The status of each named memory of the scope.
SELECT m.memory_id, m.status FROM memory m
WHERE m.owner = %(owner)s AND m.tenant = %(tenant)s AND m.agent = %(agent)s
  AND m.memory_id = ANY(%(memory_ids)s);

-- name: by_slot
-- Live facts with one of the attributes, newest statement first.
SELECT
    {{memory}}
FROM memory m
WHERE m.owner = %(owner)s AND m.tenant = %(tenant)s AND m.agent = %(agent)s AND m.status = 'active'
  AND m.attribute_key = ANY(%(attributes)s) AND (%(subject)s::text IS NULL OR m.subject_key = %(subject)s)
  AND (m.expires_at IS NULL OR m.expires_at > coalesce(%(at)s::timestamptz, now()))
  AND (m.invalid_at IS NULL OR m.invalid_at > coalesce(%(at)s::timestamptz, now()))
ORDER BY m.serial_no DESC, m.stated_at DESC, m.memory_id DESC
LIMIT %(limit)s OFFSET %(offset)s;

-- name: about
-- Live memories on one subject, most important first.
SELECT
    {{memory}}
FROM memory m
WHERE m.owner = %(owner)s AND m.tenant = %(tenant)s AND m.agent = %(agent)s AND m.status = 'active' AND m.subject_key = %(subject)s
  AND (m.expires_at IS NULL OR m.expires_at > coalesce(%(at)s::timestamptz, now()))
  AND (m.invalid_at IS NULL OR m.invalid_at > coalesce(%(at)s::timestamptz, now()))
ORDER BY m.importance DESC, m.stated_at DESC, m.memory_id DESC
LIMIT %(limit)s OFFSET %(offset)s;

-- name: slot
-- Memories of one slot in the given statuses, expired ones too: they still occupy it until they are closed.
SELECT
    {{memory}}
FROM memory m
WHERE m.owner = %(owner)s AND m.tenant = %(tenant)s AND m.agent = %(agent)s AND m.status = ANY(%(statuses)s)
  AND m.slot_hash = %(slot_hash)s
ORDER BY m.serial_no DESC, m.memory_id DESC
LIMIT %(limit)s OFFSET %(offset)s;

-- name: get
-- One memory in any status.
SELECT
    {{memory}}
FROM memory m
WHERE m.owner = %(owner)s AND m.tenant = %(tenant)s AND m.agent = %(agent)s AND m.memory_id = %(memory_id)s
LIMIT %(limit)s OFFSET %(offset)s;

-- name: list
-- One page of memories, last stated first.
SELECT
    {{memory}}
FROM memory m
WHERE m.owner = %(owner)s AND m.tenant = %(tenant)s AND m.agent = %(agent)s
  AND m.status = ANY(%(statuses)s)
  AND (%(kinds)s::text[] IS NULL OR m.kind = ANY(%(kinds)s))
  AND (%(source_kinds)s::text[] IS NULL OR m.source_kind = ANY(%(source_kinds)s))
  AND (%(impact)s::text IS NULL OR m.impact ? %(impact)s OR (%(impact)s = 'any' AND m.impact <> '[]'))
  AND (%(pattern)s::text IS NULL OR m.text ILIKE %(pattern)s OR m.value ILIKE %(pattern)s
    OR m.subject ILIKE %(pattern)s OR m.source_title ILIKE %(pattern)s)
ORDER BY m.stated_at DESC, m.memory_id DESC
LIMIT %(limit)s OFFSET %(offset)s;

-- name: list_total
-- How many memories the same filter finds.
SELECT count(*) AS total
FROM memory m
WHERE m.owner = %(owner)s AND m.tenant = %(tenant)s AND m.agent = %(agent)s
  AND m.status = ANY(%(statuses)s)
  AND (%(kinds)s::text[] IS NULL OR m.kind = ANY(%(kinds)s))
  AND (%(source_kinds)s::text[] IS NULL OR m.source_kind = ANY(%(source_kinds)s))
  AND (%(impact)s::text IS NULL OR m.impact ? %(impact)s OR (%(impact)s = 'any' AND m.impact <> '[]'))
  AND (%(pattern)s::text IS NULL OR m.text ILIKE %(pattern)s OR m.value ILIKE %(pattern)s
    OR m.subject ILIKE %(pattern)s OR m.source_title ILIKE %(pattern)s);

-- name: of_episode
-- Active memories that one episode made, its event included.
SELECT
    {{memory}}
FROM memory m
WHERE m.owner = %(owner)s AND m.tenant = %(tenant)s AND m.agent = %(agent)s AND m.status = 'active'
  AND m.episode_id = %(episode_id)s
ORDER BY m.memory_id
LIMIT %(limit)s OFFSET %(offset)s;

-- name: of_conversation
-- Active memories of one conversation, newest first.
SELECT
    {{memory}}
FROM memory m
WHERE m.owner = %(owner)s AND m.tenant = %(tenant)s AND m.agent = %(agent)s AND m.status = 'active'
  AND m.conversation_id = %(conversation_id)s
ORDER BY m.serial_no DESC, m.stated_at DESC, m.memory_id DESC
LIMIT %(limit)s OFFSET %(offset)s;

-- name: recent
-- Live facts, events left out, last stated first.
SELECT
    {{memory}}
FROM memory m
WHERE m.owner = %(owner)s AND m.tenant = %(tenant)s AND m.agent = %(agent)s AND m.status = 'active' AND m.kind <> 'event'
  AND (m.expires_at IS NULL OR m.expires_at > coalesce(%(at)s::timestamptz, now()))
  AND (m.invalid_at IS NULL OR m.invalid_at > coalesce(%(at)s::timestamptz, now()))
ORDER BY m.stated_at DESC, m.serial_no DESC, m.memory_id DESC
LIMIT %(limit)s OFFSET %(offset)s;

-- name: pinned
-- The profile: pinned memories first, then the most important durable facts.
SELECT
    {{memory}}
FROM memory m
WHERE m.owner = %(owner)s AND m.tenant = %(tenant)s AND m.agent = %(agent)s AND m.status = 'active'
  AND (m.pinned OR m.kind = 'pinned' OR (m.kind <> 'event' AND m.attribute_key = ANY(%(durable)s)))
  AND (m.expires_at IS NULL OR m.expires_at > coalesce(%(at)s::timestamptz, now()))
  AND (m.invalid_at IS NULL OR m.invalid_at > coalesce(%(at)s::timestamptz, now()))
ORDER BY (m.pinned OR m.kind = 'pinned') DESC, m.importance DESC, m.stated_at DESC, m.memory_id DESC
LIMIT %(limit)s OFFSET %(offset)s;

-- name: spaces
-- In which of an owner's scopes there are, or were, memories.
SELECT agent FROM scope_stat WHERE owner = %(owner)s AND tenant = %(tenant)s ORDER BY agent;

-- name: count
-- Memories of the scope by status.
SELECT m.status, count(*) AS total
FROM memory m
WHERE m.owner = %(owner)s AND m.tenant = %(tenant)s AND m.agent = %(agent)s
GROUP BY m.status;

-- name: sealed_rows
-- One batch of the scope's rows with their seals, in the order of their ids.
SELECT
    {{memory}}
FROM memory m
WHERE m.owner = %(owner)s AND m.tenant = %(tenant)s AND m.agent = %(agent)s AND m.memory_id > %(after)s
ORDER BY m.memory_id
LIMIT %(limit)s;

-- name: witness
-- The ledger's head as the latest effect or relay brought it.
SELECT ledger_seq, ledger_head FROM ledger_witness;

-- name: embedding_identity
-- Which model made the stored vectors.
SELECT value FROM setting WHERE key = 'embedding_identity';

-- name: record_effect
-- One row comes back only the first time: whoever inserts it applies the effect.
INSERT INTO applied_effect (owner, effect_id, tenant, ledger_seq, ledger_head)
VALUES (%(owner)s, %(effect_id)s, %(tenant)s, %(ledger_seq)s, %(ledger_head)s)
ON CONFLICT DO NOTHING
RETURNING effect_id;

-- name: applied
-- Which of the owner's effects were applied.
SELECT effect_id FROM applied_effect WHERE owner = %(owner)s AND effect_id = ANY(%(effect_ids)s::text[]);

-- name: record_witness
-- Only forwards: a late relay of an old effect does not pull the head back.
INSERT INTO ledger_witness (ledger_seq, ledger_head) VALUES (%(ledger_seq)s, %(ledger_head)s)
ON CONFLICT (one) DO UPDATE SET ledger_seq = excluded.ledger_seq, ledger_head = excluded.ledger_head
WHERE ledger_witness.ledger_seq < excluded.ledger_seq;

-- name: witness_head
-- The same for a head that came without an effect. A store without any stays so: that is how a lost one is known.
UPDATE ledger_witness SET ledger_seq = %(ledger_seq)s, ledger_head = %(ledger_head)s WHERE ledger_seq < %(ledger_seq)s;

-- name: activate
-- Insert the memory, or replace a former one of the same id (promoted again after it was withdrawn).
INSERT INTO memory (
    memory_id, tenant, owner, agent, kind, status, subject, attribute, slot_key, value, text, importance,
    effective_trust, source_kind, source_ref, source_title, actor, episode_id, conversation_id, serial_no, roots,
    stated_at, created_at, vouched_by, vouched_at, valid_at, invalid_at, expired_at, expires_at, superseded_by,
    access_count, origins, language, version, support, pinned, half_life_days, shape, impact, confirmed_by,
    confirmed_at, subject_key, attribute_key, slot_hash, ledger_seq, row_mac, words
) VALUES (
    %(memory_id)s, %(tenant)s, %(owner)s, %(agent)s, %(kind)s, %(status)s, %(subject)s, %(attribute)s,
    %(slot_key)s, %(value)s, %(text)s, %(importance)s, %(effective_trust)s, %(source_kind)s, %(source_ref)s,
    %(source_title)s, %(actor)s, %(episode_id)s, %(conversation_id)s, %(serial_no)s, %(roots)s, %(stated_at)s,
    %(created_at)s, %(vouched_by)s, %(vouched_at)s, %(valid_at)s, %(invalid_at)s, %(expired_at)s, %(expires_at)s,
    %(superseded_by)s, %(access_count)s, %(origins)s, %(language)s, %(version)s, %(support)s, %(pinned)s,
    %(half_life_days)s, %(shape)s, %(impact)s, %(confirmed_by)s, %(confirmed_at)s, %(subject_key)s, %(attribute_key)s, %(slot_hash)s, %(ledger_seq)s,
    %(row_mac)s, array_to_tsvector(%(words)s::text[])
)
ON CONFLICT (owner, memory_id) DO UPDATE SET
    tenant = excluded.tenant, agent = excluded.agent, kind = excluded.kind, status = excluded.status,
    subject = excluded.subject, attribute = excluded.attribute, slot_key = excluded.slot_key,
    value = excluded.value, text = excluded.text, importance = excluded.importance,
    effective_trust = excluded.effective_trust, source_kind = excluded.source_kind,
    source_ref = excluded.source_ref, source_title = excluded.source_title, actor = excluded.actor,
    episode_id = excluded.episode_id, conversation_id = excluded.conversation_id, serial_no = excluded.serial_no,
    roots = excluded.roots, stated_at = excluded.stated_at, created_at = excluded.created_at,
    vouched_by = excluded.vouched_by, vouched_at = excluded.vouched_at, valid_at = excluded.valid_at,
    invalid_at = excluded.invalid_at, expired_at = excluded.expired_at, expires_at = excluded.expires_at,
    superseded_by = excluded.superseded_by, access_count = excluded.access_count, origins = excluded.origins,
    language = excluded.language, version = excluded.version, support = excluded.support, pinned = excluded.pinned,
    half_life_days = excluded.half_life_days, shape = excluded.shape, impact = excluded.impact,
    confirmed_by = excluded.confirmed_by, confirmed_at = excluded.confirmed_at,
    subject_key = excluded.subject_key,
    attribute_key = excluded.attribute_key, slot_hash = excluded.slot_hash, ledger_seq = excluded.ledger_seq,
    row_mac = excluded.row_mac, words = excluded.words;

-- name: embed
-- The vector of a memory, whose row this transaction holds: no other one can put its vector in meanwhile.
INSERT INTO memory_embedding (owner, memory_id, tenant, agent, active, not_after, embedding)
VALUES (%(owner)s, %(memory_id)s, %(tenant)s, %(agent)s, %(status)s = 'active',
    least(%(expires_at)s::timestamptz, %(invalid_at)s::timestamptz), %(vector)s::halfvec)
ON CONFLICT (owner, memory_id) DO UPDATE SET
    active = excluded.active, not_after = excluded.not_after, embedding = excluded.embedding
RETURNING NOT EXISTS (
    SELECT 1 FROM memory_embedding v WHERE v.owner = %(owner)s AND v.memory_id = %(memory_id)s
) AS inserted;

-- name: grow_scope
-- One more embedded memory in the scope.
INSERT INTO scope_stat AS s (owner, agent, tenant, memories) VALUES (%(owner)s, %(agent)s, %(tenant)s, 1)
ON CONFLICT (owner, agent) DO UPDATE SET memories = s.memories + 1;

-- name: shrink_scope
-- One embedded memory less.
UPDATE scope_stat SET memories = greatest(memories - 1, 0) WHERE owner = %(owner)s AND agent = %(agent)s;

-- name: supersede
-- Replaced: out of recall, kept in history with a pointer to what replaced it (rules §3.4).
UPDATE memory SET status = 'superseded', superseded_by = %(by_memory_id)s, expired_at = %(at)s, version = version + 1
WHERE owner = %(owner)s AND tenant = %(tenant)s AND memory_id = %(memory_id)s AND status <> 'deleted';

-- name: retract
-- Closed without a replacement: no longer true from then on (rules §3.4).
UPDATE memory SET status = 'superseded', expired_at = %(at)s, version = version + 1,
    invalid_at = least(invalid_at, coalesce(%(until)s::timestamptz, %(at)s))
WHERE owner = %(owner)s AND tenant = %(tenant)s AND memory_id = %(memory_id)s AND status <> 'deleted';

-- name: confirm
-- Stated again: age counts from now, an archived memory revives (rules §2.2, §2.6), a new origin counts (rules §4.3).
UPDATE memory SET stated_at = greatest(stated_at, %(at)s), version = version + 1,
    status = CASE status WHEN 'archived' THEN 'active' ELSE status END,
    expired_at = CASE status WHEN 'archived' THEN NULL ELSE expired_at END,
    support = CASE WHEN %(origin)s::text = '' OR support ? %(origin)s::text THEN support
        ELSE support || to_jsonb(%(origin)s::text) END,
    origins = CASE WHEN %(origin)s::text = '' THEN origins WHEN support ? %(origin)s::text THEN jsonb_array_length(support)
        ELSE jsonb_array_length(support) + 1 END
WHERE owner = %(owner)s AND tenant = %(tenant)s AND memory_id = %(memory_id)s;

-- name: unconfirm
-- A confirmation is taken back: its origin goes, and the age is the one before it, unless it was stated again since.
UPDATE memory SET version = version + 1,
    stated_at = CASE WHEN stated_at = %(at)s THEN coalesce(%(until)s::timestamptz, stated_at) ELSE stated_at END,
    support = CASE WHEN %(origin)s::text = '' THEN support ELSE support - %(origin)s::text END,
    origins = CASE WHEN %(origin)s::text = '' OR NOT support ? %(origin)s::text THEN origins
        ELSE greatest(1, jsonb_array_length(support) - 1) END
WHERE owner = %(owner)s AND tenant = %(tenant)s AND memory_id = %(memory_id)s;

-- name: sealed_row
-- One row with its seal, kept from others until what it seals is changed and it is sealed anew.
SELECT
    {{memory}}
FROM memory m
WHERE m.owner = %(owner)s AND m.tenant = %(tenant)s AND m.memory_id = %(memory_id)s
FOR UPDATE;

-- name: attest
-- Confirmed by a named person: who and when, under a new seal; it was stated again and revives as with any confirmation.
UPDATE memory SET confirmed_by = %(by)s, confirmed_at = %(at)s, row_mac = %(row_mac)s, version = version + 1,
    stated_at = greatest(stated_at, %(at)s),
    status = CASE status WHEN 'archived' THEN 'active' ELSE status END,
    expired_at = CASE status WHEN 'archived' THEN NULL ELSE expired_at END
WHERE owner = %(owner)s AND tenant = %(tenant)s AND memory_id = %(memory_id)s;

-- name: unattest
-- That is taken back: the age is the one before it, unless it was stated again since.
UPDATE memory SET confirmed_by = NULL, confirmed_at = NULL, row_mac = %(row_mac)s, version = version + 1,
    stated_at = CASE WHEN stated_at = confirmed_at THEN coalesce(%(until)s::timestamptz, stated_at) ELSE stated_at END
WHERE owner = %(owner)s AND tenant = %(tenant)s AND memory_id = %(memory_id)s;

-- name: reinforce
-- Recalled into an answer (rules §2.4). The version stays: a reviewer's view of the row is not stale by it.
UPDATE memory SET access_count = access_count + 1
WHERE owner = %(owner)s AND tenant = %(tenant)s AND memory_id = %(memory_id)s;

-- name: archive
-- Faded: out of recall, restorable (rules §2.6).
UPDATE memory SET status = 'archived', expired_at = %(at)s, version = version + 1
WHERE owner = %(owner)s AND tenant = %(tenant)s AND memory_id = %(memory_id)s AND status = 'active';

-- name: tombstone
-- Forgotten by its owner; restorable until purged, and the grace window counts from now (rules §2.9).
UPDATE memory SET status = 'deleted', version = version + 1, expired_at = %(at)s,
    invalid_at = CASE WHEN invalid_at = expired_at THEN %(at)s ELSE invalid_at END
WHERE owner = %(owner)s AND tenant = %(tenant)s AND memory_id = %(memory_id)s;

-- name: restore
-- Back to active; an end that a retraction set is lifted with it.
UPDATE memory SET status = 'active', superseded_by = NULL, version = version + 1,
    invalid_at = CASE WHEN invalid_at <= expired_at AND superseded_by IS NULL THEN NULL ELSE invalid_at END,
    expired_at = NULL
WHERE owner = %(owner)s AND tenant = %(tenant)s AND memory_id = %(memory_id)s;

-- name: link
-- An edge between two memories of the scope that are both still there; made again, the greater weight stays (rules §4.1).
-- The lock keeps both ends until the edge is in: an end that another transaction removes first is gone, not an error.
INSERT INTO memory_link (owner, from_id, to_id, kind, tenant, weight, made_at)
SELECT a.owner, a.memory_id, b.memory_id, %(link_kind)s, a.tenant, %(weight)s, %(at)s
FROM memory a JOIN memory b ON b.owner = a.owner AND b.tenant = a.tenant AND b.agent = a.agent
WHERE a.owner = %(owner)s AND a.tenant = %(tenant)s AND a.agent = %(agent)s AND a.memory_id = %(memory_id)s
  AND b.memory_id = %(by_memory_id)s AND b.memory_id <> a.memory_id
FOR KEY SHARE OF a, b
ON CONFLICT (owner, from_id, to_id, kind) DO UPDATE SET weight = greatest(memory_link.weight, excluded.weight);

-- name: pin
-- The owner's profile holds it from now on.
UPDATE memory SET pinned = true, version = version + 1
WHERE owner = %(owner)s AND tenant = %(tenant)s AND memory_id = %(memory_id)s AND NOT pinned;

-- name: unpin
-- No longer part of the profile.
UPDATE memory SET pinned = false, version = version + 1
WHERE owner = %(owner)s AND tenant = %(tenant)s AND memory_id = %(memory_id)s AND pinned;

-- name: mirror
-- Carry a memory's status and end over to its vector's row.
UPDATE memory_embedding e SET active = m.status = 'active', not_after = least(m.expires_at, m.invalid_at)
FROM memory m
WHERE m.owner = %(owner)s AND m.memory_id = %(memory_id)s AND e.owner = m.owner AND e.memory_id = m.memory_id;

-- name: remove_embedding
-- The vector leaves first: it is derived from the words.
DELETE FROM memory_embedding WHERE owner = %(owner)s AND tenant = %(tenant)s AND memory_id = %(memory_id)s
RETURNING memory_id;

-- name: remove
-- The row leaves the store, and its links with it.
DELETE FROM memory WHERE owner = %(owner)s AND tenant = %(tenant)s AND memory_id = %(memory_id)s;
