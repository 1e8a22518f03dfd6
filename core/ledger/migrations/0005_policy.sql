-- Every policy that was in force: numbers, who adopted them, on top of which file, and the audit entry that says so.

CREATE TABLE policy_version (
  tenant      TEXT NOT NULL,
  number      INTEGER NOT NULL CHECK (number >= 1),
  kind        TEXT NOT NULL CHECK (kind IN ('loaded', 'adopted')),
  digest      TEXT NOT NULL CHECK (length(digest) = 64),
  body        TEXT NOT NULL CHECK (json_valid(body)),
  file_digest TEXT NOT NULL CHECK (length(file_digest) = 64),
  overlay     TEXT NOT NULL CHECK (json_valid(overlay)),
  decided_by  TEXT NOT NULL,
  at          TEXT NOT NULL,
  note        TEXT NOT NULL, -- the only words here: erasing the person who wrote them blanks them
  audit_seq   INTEGER NOT NULL,
  PRIMARY KEY (tenant, number)
) STRICT, WITHOUT ROWID;

-- Compare-and-swap: of two that adopt on the same version one is refused. REPLACE meets it before it deletes.
CREATE TRIGGER policy_follows BEFORE INSERT ON policy_version
WHEN NEW.number <> (SELECT coalesce(max(number), 0) FROM policy_version WHERE tenant = NEW.tenant) + 1
BEGIN
  SELECT RAISE(ABORT, 'policy versions are append-only: the version does not follow the last');
END;

CREATE TRIGGER policy_no_update
BEFORE UPDATE OF tenant, number, kind, digest, body, file_digest, overlay, decided_by, at, audit_seq ON policy_version
BEGIN
  SELECT RAISE(ABORT, 'policy versions are append-only: UPDATE refused');
END;

CREATE TRIGGER policy_note_only_blanked BEFORE UPDATE OF note ON policy_version WHEN NEW.note <> ''
BEGIN
  SELECT RAISE(ABORT, 'policy versions are append-only: UPDATE refused');
END;

CREATE TRIGGER policy_no_delete BEFORE DELETE ON policy_version
BEGIN
  SELECT RAISE(ABORT, 'policy versions are append-only: DELETE refused');
END;
