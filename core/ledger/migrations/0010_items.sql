-- What agents keep under a key: the newest value's episode, whose words are read from there alone.

CREATE TABLE kept_item (
  tenant     TEXT NOT NULL,
  owner      TEXT NOT NULL,
  agent      TEXT NOT NULL,
  maker      TEXT NOT NULL, -- the agent that keeps it: two agents that share a memory do not share keys
  namespace  TEXT NOT NULL CHECK (json_valid(namespace)),
  key        TEXT NOT NULL,
  episode_id TEXT NOT NULL,
  digest     TEXT NOT NULL CHECK (length(digest) = 64), -- of the value's words, so that one whose words were taken is seen
  worth      REAL NOT NULL CHECK (worth BETWEEN 0 AND 1), -- trust of the weakest text that it may come from
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  PRIMARY KEY (tenant, owner, agent, maker, namespace, key)
) STRICT, WITHOUT ROWID;
