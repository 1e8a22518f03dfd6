-- Whether an owner is being erased is asked before each text is taken in: an index of these entries alone.

CREATE INDEX audit_erasure ON audit (tenant, owner) WHERE action = 'person:erasure_started';
