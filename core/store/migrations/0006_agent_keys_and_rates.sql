-- What a key's texts count as, whose memory it opens, and how often it may ask.

ALTER TABLE agent_key
    ADD COLUMN channel text NOT NULL DEFAULT 'agent_turn' CHECK (channel IN (
        'user_turn', 'agent_turn', 'tool_output', 'third_party', 'external_doc', 'web_content')),
    ADD COLUMN space   text;
UPDATE agent_key SET space = agent;
ALTER TABLE agent_key ALTER COLUMN space SET NOT NULL, ADD CHECK (space <> '');
ALTER TABLE agent_key ALTER COLUMN space SET STATISTICS 0;

-- When a bucket is full again: one row a key or address, changed in place at each request. What a crash loses of it is
-- a minute's count, so it is not logged.
CREATE UNLOGGED TABLE request_rate (
    bucket text        PRIMARY KEY CHECK (bucket <> ''),
    due    timestamptz NOT NULL
) WITH (fillfactor = 50);
GRANT SELECT, INSERT, UPDATE, DELETE ON request_rate TO chronomemory_app;
