-- What is asked of a streaming replica beside the searches themselves; every statement only reads.

-- name: position
-- How far a server has come, which cluster it is and which database this is. Of a primary that is what has been flushed,
-- which is all that a replica can have; of a replica what it has replayed, which is what its readers see.
SELECT pg_is_in_recovery() AS standby,
    coalesce((CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_flush_lsn() END
        - '0/0'::pg_lsn)::bigint, 0) AS lsn,
    (SELECT system_identifier FROM pg_control_system()) AS cluster,
    (SELECT oid::bigint FROM pg_database WHERE datname = current_database()) AS database;

-- name: holds
-- Whether this server still replays what another one writes, and has replayed the owner's last effect. Effects reach the
-- store in their order and a replica replays whole transactions in theirs: who has the last one has them all.
SELECT pg_is_in_recovery() AND EXISTS (
    SELECT 1 FROM applied_effect WHERE owner = %(owner)s AND effect_id = %(effect_id)s
) AS holds;
