-- What is left of tables when a process ends; as in the other engines.
--
-- The table's id leads the key of every row that an ordinary command writes, so that all of one
-- table lies together; directories (place, sit, record, community, loose_step, kept) have keys of
-- their own. Ids are compared byte by byte. Times are store time in milliseconds; -1 is never.
-- Keys and hashes are unsigned numbers of 64 bits, kept as signed ones.

CREATE SEQUENCE turn; -- what comes later has a greater number

CREATE TABLE store (
    id bigint PRIMARY KEY CHECK (id = 1),
    secret bytea NOT NULL, -- keys hashes; the same for ever
    now_ms bigint NOT NULL
);

CREATE TABLE game (
    table_id text COLLATE "C" PRIMARY KEY,
    version bigint NOT NULL,
    earlier bigint, -- the version that undo goes back to
    opener_network text COLLATE "C" NOT NULL, -- whose share it takes
    opener text COLLATE "C" NOT NULL,
    community text COLLATE "C" NOT NULL,
    rested bigint, -- nobody plays there: the smallest has been left alone for longest
    since_ms bigint NOT NULL, -- since when its time runs
    due_ms bigint NOT NULL, -- what was left then until something falls due
    until_ms bigint NOT NULL, -- when it is looked at whatever its time
    marked_by bigint NOT NULL DEFAULT 0, -- the process that sees to what is due ...
    marked_ms bigint NOT NULL DEFAULT -1, -- ... until then
    look_ms bigint GENERATED ALWAYS AS (
        CASE
            WHEN since_ms < 0 OR due_ms < 0 THEN nullif(until_ms, -1)
            WHEN until_ms < 0 THEN since_ms + due_ms
            ELSE least(since_ms + due_ms, until_ms)
        END
    ) STORED
);
CREATE INDEX game_look ON game (look_ms) WHERE look_ms IS NOT NULL;
CREATE INDEX game_opener ON game (opener_network, opener);
CREATE INDEX game_community ON game (community);
CREATE INDEX game_rested ON game (rested) WHERE rested IS NOT NULL;

-- The table at its version, and at the earlier one.
CREATE TABLE snapshot (
    table_id text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (table_id, version)
);

-- Steps that were committed, and events dealt with in them.
CREATE TABLE step (
    table_id text COLLATE "C" NOT NULL,
    version bigint NOT NULL, -- that it made
    epoch bigint NOT NULL,
    number bigint NOT NULL,
    event bigint, -- its hash
    ms bigint NOT NULL,
    PRIMARY KEY (table_id, version)
);

-- Whether an event was dealt with is one row to look up, however many there were in the last hour.
CREATE INDEX step_event ON step (table_id, event) WHERE event IS NOT NULL;

CREATE TABLE journal (
    table_id text COLLATE "C" NOT NULL,
    piece bigint NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (table_id, piece)
);

-- The latest, for the log.
CREATE TABLE narration (
    table_id text COLLATE "C" NOT NULL,
    line bigint NOT NULL,
    words text NOT NULL,
    PRIMARY KEY (table_id, line)
);

-- Messages whose outcome is not known, in their order.
CREATE TABLE message (
    table_id text COLLATE "C" NOT NULL,
    line bigint NOT NULL,
    epoch bigint NOT NULL,
    number bigint NOT NULL,
    board bigint NOT NULL,
    reader text,
    bytes bytea NOT NULL,
    said bigint, -- the line of the narration that it tells: its words are kept once
    answers bigint NOT NULL DEFAULT 0, -- of an answer: the process that heard the line, or 0
    PRIMARY KEY (table_id, line)
);

-- Where boards are shown.
CREATE TABLE board (
    table_id text COLLATE "C" NOT NULL,
    board bigint NOT NULL,
    reader text NOT NULL,
    message_id text NOT NULL,
    PRIMARY KEY (table_id, board)
);

-- Which table lies at a place; the smallest id is where it has been for longest.
CREATE TABLE place (
    id bigint NOT NULL DEFAULT nextval('turn'),
    network text COLLATE "C" NOT NULL,
    place text COLLATE "C" NOT NULL,
    table_id text COLLATE "C" NOT NULL,
    name text NOT NULL,
    community text NOT NULL,
    PRIMARY KEY (network, place)
);
CREATE INDEX place_table ON place (table_id);

-- Who sits where; the smallest id has sat for longest.
CREATE TABLE sit (
    id bigint NOT NULL DEFAULT nextval('turn'),
    network text COLLATE "C" NOT NULL,
    person text COLLATE "C" NOT NULL,
    table_id text COLLATE "C" NOT NULL,
    chosen boolean NOT NULL, -- among several
    PRIMARY KEY (network, person, table_id)
);
CREATE INDEX sit_table ON sit (table_id);

-- How people played; the smallest id of a community was silent for longest.
CREATE TABLE record (
    id bigint NOT NULL DEFAULT nextval('turn'),
    community text COLLATE "C" NOT NULL,
    network text COLLATE "C" NOT NULL,
    person text COLLATE "C" NOT NULL,
    games bigint NOT NULL,
    wins bigint NOT NULL,
    kills bigint NOT NULL,
    deaths bigint NOT NULL,
    PRIMARY KEY (community, network, person)
);
CREATE INDEX record_silent ON record (community, id);

CREATE TABLE community (
    id bigint NOT NULL DEFAULT nextval('turn'),
    name text COLLATE "C" PRIMARY KEY
);
CREATE INDEX community_silent ON community (id);

-- Steps of tables that are gone, and of none.
CREATE TABLE loose_step (
    epoch bigint NOT NULL,
    number bigint NOT NULL,
    ms bigint NOT NULL,
    PRIMARY KEY (epoch, number)
);
CREATE INDEX loose_step_ms ON loose_step (ms);

-- What adapters keep; the greatest id was kept last.
CREATE TABLE kept (
    id bigint NOT NULL DEFAULT nextval('turn'),
    word text COLLATE "C" PRIMARY KEY,
    bytes bytea NOT NULL
);

-- A condition of a step that does not hold: the rest of the step does not happen.
CREATE FUNCTION refuse(code text, what text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION USING ERRCODE = code, MESSAGE = what;
END $$;

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
CREATE FUNCTION drop_game(gone text) RETURNS void LANGUAGE plpgsql AS $$
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

-- Processes that serve the store live until then, and until they beat again. Which of them sends
-- what a table says is in game: marked_by, as long as that one lives and there is something to say;
-- until marked_ms it sees to what is due there.
CREATE TABLE process (
    id bigint PRIMARY KEY,
    until_ms bigint NOT NULL
);

CREATE FUNCTION lives(process bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT 1 FROM process AS one, store WHERE one.id = $1 AND one.until_ms > now_ms)
$$;

CREATE FUNCTION speaks(its text) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT 1 FROM message WHERE message.table_id = its AND answers = 0)
$$;

-- Whether there are so many tables, without two. Where they are nearly as many, one step at a time
-- counts them.
CREATE FUNCTION all_tables_are(share bigint, made text, going text) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
    margin CONSTANT bigint := 1000; -- steps that are under way at once are fewer
    there bigint;
BEGIN
    SELECT count(*) INTO there FROM game
        WHERE table_id <> made AND table_id IS DISTINCT FROM going;
    IF there + margin >= share THEN
        PERFORM pg_advisory_xact_lock(hashtextextended('all tables', 5));
        SELECT count(*) INTO there FROM game
            WHERE table_id <> made AND table_id IS DISTINCT FROM going;
    END IF;
    RETURN there >= share;
END $$;

-- The oldest table at which nobody plays makes room for a new one, where a share is used up; a
-- table that goes anyway does not count. Refused with MB004 where none can go. Shares are checked
-- by one step at a time; that of all tables only where it is nearly used up: fewer steps than that
-- are under way at once.
CREATE FUNCTION make_room(
    made text, going text, shares bigint[], OUT gone text
) LANGUAGE plpgsql AS $$
DECLARE
    its game;
    full_share boolean := true;
BEGIN
    SELECT * INTO its FROM game WHERE table_id = made;
    PERFORM pg_advisory_xact_lock(hashtextextended(its.opener_network || ' ' || its.opener, 1));
    PERFORM pg_advisory_xact_lock(hashtextextended(its.community, 2));
    IF (SELECT count(*) FROM game WHERE opener_network = its.opener_network
            AND opener = its.opener AND table_id <> made
            AND table_id IS DISTINCT FROM going) >= shares[1] THEN
        SELECT table_id INTO gone FROM game WHERE opener_network = its.opener_network
            AND opener = its.opener AND rested IS NOT NULL AND table_id <> made
            AND table_id IS DISTINCT FROM going
            ORDER BY rested LIMIT 1 FOR UPDATE SKIP LOCKED;
    ELSIF (SELECT count(*) FROM game WHERE community = its.community AND table_id <> made
            AND table_id IS DISTINCT FROM going) >= shares[2] THEN
        SELECT table_id INTO gone FROM game WHERE community = its.community
            AND rested IS NOT NULL AND table_id <> made AND table_id IS DISTINCT FROM going
            ORDER BY rested LIMIT 1 FOR UPDATE SKIP LOCKED;
    ELSIF all_tables_are(shares[3], made, going) THEN
        SELECT table_id INTO gone FROM game
            WHERE rested IS NOT NULL AND table_id <> made AND table_id IS DISTINCT FROM going
            ORDER BY rested LIMIT 1 FOR UPDATE SKIP LOCKED;
    ELSE
        full_share := false;
    END IF;
    IF full_share AND gone IS NULL THEN
        PERFORM refuse('MB004', 'no table can make room');
    END IF;
    PERFORM drop_game(gone);
END $$;

-- Networks and communities that cannot be heard: their tables' time stands.

-- Since when; community '' is the whole network.
CREATE TABLE away (
    community text COLLATE "C",
    network text COLLATE "C",
    ms bigint NOT NULL,
    PRIMARY KEY (community, network)
);

-- Processes that have a network.
CREATE TABLE present (
    network text COLLATE "C",
    process bigint,
    PRIMARY KEY (network, process)
);
