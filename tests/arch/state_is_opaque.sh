#!/bin/sh
# Protects the state: what stands in core/state/game_state.h is for core/, core/codec/ and tests/core/ alone.
# Others ask core/loop/query.h and its like, so no include of theirs may lead there, by whatever way.
# Exempt are tests that no door of the core would let in: the parser's, which lay out situations that
# no game reaches, and the planter of faults, which breaks the core from within.
# usage, in the repository's root: state_is_opaque.sh
find core bot adapters tests -name '*.[ch]' | sort | xargs grep -En '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' /dev/null |
awk '
function insider(path) { return path ~ /^(core|tests\/core|tests\/bot\/parse)\// || path == "tests/twins/plant.c" }
function leads(path,   part, count, i, found) {
    if (path == "core/state/game_state.h") return path
    if (path in seen) return way[path]
    seen[path] = 1
    count = split(includes[path], part, " ")
    for (i = 1; i <= count; i++) {
        found = leads(part[i])
        if (found != "") { way[path] = path " > " found; break }
    }
    return way[path]
}
{
    split($0, field, ":"); target = $0; sub(/^[^"]*"/, "", target); sub(/".*$/, "", target)
    includes[field[1]] = includes[field[1]] " " target
}
END {
    if (!("core/game.c" in includes) || leads("core/game.c") == "") { print "nothing leads to core/state/game_state.h: what does this test protect?"; exit 1 }
    for (path in includes) if (!insider(path) && leads(path) != "") { print leads(path); failed = 1 }
    exit failed
}' >&2
