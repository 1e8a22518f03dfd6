-- Numbers for the charts: one owner's rows counted in one scan. No statement here returns a word of a memory.

-- part: kind_fading
-- How each memory kind fades, as the policy says (core.ports.Fading).
    unnest(
        %(kinds)s::text[], %(half_lives)s::float8[], %(etas)s::float8[], %(etas_more)s::float8[], %(shapes)s::float8[]
    ) AS k(kind, half_life, eta, eta_more, shape)

-- part: strength
-- Importance × freshness, as core.decay computes it. Both powers are kept where float8 can hold them: beyond,
-- exp() raises instead of giving 0.
    m.importance * CASE
        WHEN m.pinned OR m.kind = 'pinned' OR (m.half_life_days IS NULL AND m.attribute = ANY(%(never)s)) THEN 1
        ELSE exp(-least(700, exp(least(6.56, greatest(-700,
            coalesce(nullif(m.shape, 0), k.shape) * ln(greatest(1e-12,
                greatest(0, date_part('epoch', %(at)s::timestamptz - m.stated_at) / 86400)
                / least(1 + %(access_gain)s * m.access_count, %(access_cap)s)
                / CASE
                    WHEN coalesce(nullif(m.half_life_days, 0), k.half_life) IS NOT NULL THEN
                        coalesce(nullif(m.half_life_days, 0), k.half_life)
                        / power(ln(2::float8), 1 / coalesce(nullif(m.shape, 0), k.shape))
                    WHEN m.origins > 1 THEN k.eta_more
                    ELSE k.eta
                END
            ))
        )))))
    END

-- name: prefer_hashing
-- One of the five counts is sorted on disk otherwise: 350 ms of processor time instead of 240 at 100,000 rows.
SELECT set_config('work_mem', '32MB', true);

-- name: numbers
-- Five counts of one owner's memories from one scan: trust, how long they stood, trust × strength, what ended a day,
-- source × status. Each row belongs to one of them, named by `sort`.
WITH aged AS (
    SELECT
        m.status, m.source_kind, m.effective_trust, m.vouched_by IS NOT NULL AS vouched, m.created_at, m.expired_at,
        least(
            CASE WHEN m.status <> 'active' THEN coalesce(m.expired_at, m.stated_at) END, m.expires_at, m.invalid_at
        ) AS ends_at,
        CASE WHEN m.status = 'active' THEN
            {{strength}}
        END AS strength
    FROM memory m
    JOIN
    {{kind_fading}} ON k.kind = m.kind
    WHERE m.owner = %(owner)s AND m.tenant = %(tenant)s AND m.source_kind = ANY(%(source_kinds)s)
), cut AS (
    SELECT
        status, source_kind, vouched,
        least(floor(effective_trust * %(bins)s + 1e-9), %(bins)s - 1)::int AS trust_bin,
        CASE WHEN status = 'active' THEN least(floor(strength * %(bins)s + 1e-9), %(bins)s - 1)::int END AS strength_bin,
        status = 'active' AND strength < %(weak_below)s AS weak,
        status <> 'active' OR coalesce(ends_at <= %(at)s::timestamptz, false) AS ended,
        greatest(0, floor(date_part('epoch', least(ends_at, %(at)s::timestamptz) - created_at) / 86400))::int AS days,
        CASE WHEN status IN ('superseded', 'archived') AND expired_at >= %(since)s::timestamptz
            THEN (expired_at AT TIME ZONE 'UTC')::date END AS ended_on
    FROM aged
)
SELECT
    CASE
        WHEN GROUPING(vouched) = 0 THEN 'trust'
        WHEN GROUPING(days) = 0 THEN 'spell'
        WHEN GROUPING(strength_bin) = 0 THEN 'cell'
        WHEN GROUPING(ended_on) = 0 THEN 'ended'
        ELSE 'kept'
    END AS sort,
    status, source_kind, vouched, trust_bin, strength_bin, ended, days, ended_on, count(*) AS total,
    count(*) FILTER (WHERE weak) AS weak
FROM cut
GROUP BY GROUPING SETS (
    (status, vouched, trust_bin), (source_kind, ended, days), (trust_bin, strength_bin), (status, ended_on),
    (source_kind, status)
)
HAVING (GROUPING(strength_bin) = 1 OR strength_bin IS NOT NULL) AND (GROUPING(ended_on) = 1 OR ended_on IS NOT NULL);

-- name: dots
-- A random sample of the scope's active memories, the same each time: ids are hashed, not drawn.
SELECT m.memory_id, m.source_kind, m.effective_trust AS trust,
    {{strength}} AS strength
FROM memory m
JOIN
    {{kind_fading}} ON k.kind = m.kind
WHERE m.owner = %(owner)s AND m.tenant = %(tenant)s AND m.agent = %(agent)s AND m.status = 'active'
  AND m.source_kind = ANY(%(source_kinds)s)
  AND m.memory_id IN (
    SELECT s.memory_id FROM memory s
    WHERE s.owner = %(owner)s AND s.tenant = %(tenant)s AND s.agent = %(agent)s AND s.status = 'active'
    ORDER BY hashtextextended(s.memory_id, 0), s.memory_id
    LIMIT %(limit)s
  )
ORDER BY m.memory_id;

-- name: dots_total
-- Of how many.
SELECT count(*) AS total FROM memory m
WHERE m.owner = %(owner)s AND m.tenant = %(tenant)s AND m.agent = %(agent)s AND m.status = 'active';
