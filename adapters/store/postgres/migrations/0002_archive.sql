-- What is left of tables that are gone: with their last version and their journal, and the card
-- files that tables play with.

-- The smallest id was put away first.
CREATE TABLE archive (
    id bigint NOT NULL DEFAULT nextval('turn'),
    table_id text COLLATE "C" PRIMARY KEY,
    community text COLLATE "C" NOT NULL,
    bytes bytea NOT NULL, -- the last version
    pieces bytea[] NOT NULL -- of the journal; the server squeezes them
);
CREATE INDEX archive_community ON archive (community, id);

CREATE TABLE card_file (
    word text COLLATE "C" PRIMARY KEY,
    bytes bytea NOT NULL
);

-- Who plays with them, also in the archive.
CREATE TABLE card_use (
    table_id text COLLATE "C" NOT NULL,
    word text COLLATE "C" NOT NULL,
    PRIMARY KEY (table_id, word)
);
CREATE INDEX card_use_word ON card_use (word);

-- Card files nobody plays with go. Steps that begin to use some share the lock.
CREATE FUNCTION tidy_cards() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM card_file WHERE NOT EXISTS
            (SELECT 1 FROM card_use WHERE card_use.word = card_file.word)) THEN
        PERFORM pg_advisory_xact_lock(hashtextextended('cards', 9));
        DELETE FROM card_file WHERE NOT EXISTS
            (SELECT 1 FROM card_use WHERE card_use.word = card_file.word);
    END IF;
END $$;

-- A table that goes is put away if it has a journal. Of more than 1024 of a community
-- (STORE_ARCHIVE_OF_COMMUNITY) the first is forgotten.
CREATE FUNCTION put_away(gone text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM journal WHERE table_id = gone) THEN
        DELETE FROM card_use WHERE table_id = gone;
        RETURN;
    END IF;
    INSERT INTO archive (table_id, community, bytes, pieces)
        SELECT game.table_id, game.community, snapshot.bytes,
            (SELECT array_agg(journal.bytes ORDER BY piece) FROM journal
            WHERE journal.table_id = gone)
        FROM game JOIN snapshot USING (table_id, version) WHERE game.table_id = gone;
    WITH old AS (DELETE FROM archive WHERE table_id IN (SELECT table_id FROM archive
            WHERE community = (SELECT community FROM archive WHERE table_id = gone)
            ORDER BY id DESC OFFSET 1024) RETURNING table_id)
        DELETE FROM card_use WHERE table_id IN (SELECT table_id FROM old);
END $$;

-- A table with all that belongs to it; directories in the order of their keys.
CREATE OR REPLACE FUNCTION drop_game(gone text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF gone IS NULL THEN
        RETURN;
    END IF;
    PERFORM put_away(gone);
    PERFORM 1 FROM place WHERE table_id = gone ORDER BY network, place FOR UPDATE;
    DELETE FROM place WHERE table_id = gone;
    PERFORM 1 FROM sit WHERE table_id = gone ORDER BY network, person FOR UPDATE;
    DELETE FROM sit WHERE table_id = gone;
    DELETE FROM board WHERE table_id = gone;
    DELETE FROM message WHERE table_id = gone;
    DELETE FROM narration WHERE table_id = gone;
    DELETE FROM journal WHERE table_id = gone;
    DELETE FROM step WHERE table_id = gone;
    DELETE FROM snapshot WHERE table_id = gone;
    DELETE FROM game WHERE table_id = gone;
    PERFORM tidy_cards();
END $$;
