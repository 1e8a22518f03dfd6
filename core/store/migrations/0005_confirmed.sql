-- Who confirmed a memory in answer to a question, and when (rules §5.1). Part of the row's seal from then on.

ALTER TABLE memory
    ADD COLUMN confirmed_by text,
    ADD COLUMN confirmed_at timestamptz,
    ADD CONSTRAINT memory_confirmed CHECK ((confirmed_by IS NULL) = (confirmed_at IS NULL));

-- No copies in the planner's samples, as for all that names a person (0003).
ALTER TABLE memory ALTER COLUMN confirmed_by SET STATISTICS 0;
