-- When a table was put away, so that an operator can have old games deleted. What was put away
-- before this schema is as old as this schema.
ALTER TABLE archive ADD COLUMN put_away_ms @NUMBER@ NOT NULL DEFAULT 0;

UPDATE archive SET put_away_ms = coalesce((SELECT now_ms FROM store), 0);

CREATE INDEX archive_age ON archive (put_away_ms);
