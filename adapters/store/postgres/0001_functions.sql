-- What statements call, as the driver in SQLite has it in C.

-- A condition of a step that does not hold: the rest of the step does not happen.
CREATE FUNCTION refuse(code text, what text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION USING ERRCODE = code, MESSAGE = what;
END $$;

-- Processes that serve the store live until then, and until they beat again.
CREATE TABLE process (
    id bigint PRIMARY KEY,
    until_ms bigint NOT NULL
);

CREATE FUNCTION lives(process bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT 1 FROM process AS one, store WHERE one.id = $1 AND one.until_ms > now_ms)
$$;

-- What is one process's own as long as its session lasts.
CREATE FUNCTION hold(word text) RETURNS boolean LANGUAGE sql AS $$
    SELECT pg_try_advisory_lock(hashtextextended(word, 3))
$$;

-- From here on the step is alone among those that say the same word, or beside those that let
-- others be beside them.
CREATE FUNCTION alone(word text) RETURNS void LANGUAGE sql AS $$
    SELECT pg_advisory_xact_lock(hashtextextended(word, 1))
$$;

CREATE FUNCTION beside(word text) RETURNS void LANGUAGE sql AS $$
    SELECT pg_advisory_xact_lock_shared(hashtextextended(word, 1))
$$;

-- Pieces of a journal as one value, which the server squeezes; and one by one again.
CREATE AGGREGATE parcel(bytea) (SFUNC = array_append, STYPE = bytea[]);

CREATE FUNCTION pieces_of(pieces bytea[]) RETURNS TABLE (n bigint, piece bytea)
LANGUAGE sql IMMUTABLE AS $$
    SELECT its.n - 1, its.piece FROM unnest($1) WITH ORDINALITY AS its(piece, n)
$$;

-- As SQLite has them: members of an object, of which there are few; the greater of two.
CREATE FUNCTION json_each(words text) RETURNS TABLE (key text, value bigint)
LANGUAGE sql ROWS 10 AS $$
    SELECT its.key, its.value::bigint FROM json_each_text($1::json) AS its
$$;

CREATE FUNCTION max(a bigint, b bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
    SELECT greatest(a, b)
$$;
