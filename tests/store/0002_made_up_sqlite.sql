-- A second form that there never was: games have a mood, and a word is kept that says so.
ALTER TABLE game ADD COLUMN mood TEXT NOT NULL DEFAULT 'merry';

INSERT INTO kept (word, bytes) VALUES ('made up', x'02');
