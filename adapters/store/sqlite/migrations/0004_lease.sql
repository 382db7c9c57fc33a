-- Several processes on one file.

-- Which of them sends what a table says, as long as that process lives and there is something to
-- say; and until when one sees to what is due there.
ALTER TABLE game ADD COLUMN marked_by INTEGER NOT NULL DEFAULT 0;
ALTER TABLE game ADD COLUMN marked_ms INTEGER NOT NULL DEFAULT -1;

-- Of an answer to a line: the process that heard it, or 0.
ALTER TABLE message ADD COLUMN answers INTEGER NOT NULL DEFAULT 0;
