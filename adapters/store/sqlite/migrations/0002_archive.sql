-- What is left of tables that are gone: with their last version and their journal, and the card
-- files that tables play with.

-- The smallest id was put away first.
CREATE TABLE archive (
    id INTEGER PRIMARY KEY,
    table_id TEXT NOT NULL UNIQUE,
    community TEXT NOT NULL,
    bytes BLOB NOT NULL, -- the last version
    pieces BLOB NOT NULL -- of the journal, packed
) STRICT;
CREATE INDEX archive_community ON archive (community);

CREATE TABLE card_file (
    word TEXT PRIMARY KEY,
    bytes BLOB NOT NULL
) STRICT;

-- Who plays with them, also in the archive.
CREATE TABLE card_use (
    table_id TEXT NOT NULL,
    word TEXT NOT NULL,
    PRIMARY KEY (table_id, word)
) STRICT, WITHOUT ROWID;
CREATE INDEX card_use_word ON card_use (word);
