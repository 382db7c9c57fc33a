-- A message that tells a narration does not keep its words a second time.

ALTER TABLE message ADD COLUMN said bigint; -- the narration's line
