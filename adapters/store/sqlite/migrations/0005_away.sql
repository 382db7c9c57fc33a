-- Networks and communities that cannot be heard: their tables' time stands.

-- Since when; community '' is the whole network.
CREATE TABLE away (
    community TEXT NOT NULL,
    network TEXT NOT NULL,
    ms INTEGER NOT NULL,
    PRIMARY KEY (community, network)
) STRICT, WITHOUT ROWID;

-- Processes that have a network.
CREATE TABLE present (
    network TEXT NOT NULL,
    process INTEGER NOT NULL,
    PRIMARY KEY (network, process)
) STRICT, WITHOUT ROWID;
