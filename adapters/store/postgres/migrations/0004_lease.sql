-- Processes that serve the store live until then, and until they beat again. Which of them sends
-- what a table says is in game: marked_by, as long as that one lives and there is something to say;
-- until marked_ms it sees to what is due there.
CREATE TABLE process (
    id bigint PRIMARY KEY,
    until_ms bigint NOT NULL
);

-- Of an answer to a line: the process that heard it, or 0.
ALTER TABLE message ADD COLUMN answers bigint NOT NULL DEFAULT 0;

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
CREATE OR REPLACE FUNCTION make_room(
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
