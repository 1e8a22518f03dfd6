-- The inbox is counted at each scrape of its metrics: from an index of what waits alone, never from rows with their texts.

DROP INDEX episode_inbox_owner;
CREATE INDEX episode_inbox_owner ON episode (tenant, owner, serial_no, state, lease_until, received_at)
  WHERE state IN ('new', 'leased');
