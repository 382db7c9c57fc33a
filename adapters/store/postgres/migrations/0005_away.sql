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
