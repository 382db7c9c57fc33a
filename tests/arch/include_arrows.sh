#!/bin/sh
# Protects the order of the layers: core <- codec <- bot <- adapters <- main (bot/main.c).
# * A file includes nothing of a layer above its own; core/ nothing outside core/, nor core/codec/.
# * Within bot/ folders stand in the order of the table in bot/README.md; what lies in none is for all.
# * Within bot/hall/, bot/table/, adapters/discord/ and adapters/matrix/ rooms stand in the order of the tables in their READMEs; headers beside the rooms are for all, but for *_impl.h (matrix.h and matrix_impl.h: for the last room).
# * One adapter does not include another; adapters/net/ is for all of them, and adapters/service/ puts them together.
# * The core's system headers are those of a machine without an operating system (and snprintf).
# * The JSON library is the codec's; besides, bot/kept/ and bot/tools/ may use it on files and figures, adapters/discord/ and adapters/matrix/ on what their platforms say, and adapters/service/ for its log.
# * SQLite is known to adapters/store/sqlite/ alone, PostgreSQL to adapters/store/postgres/.
# usage, in the repository's root: include_arrows.sh
find core bot adapters -name '*.[ch]' -o -name '*.def' | sort | xargs grep -En '^[[:space:]]*#[[:space:]]*include' /dev/null |
awk '
function layer(path) {
    if (path ~ /^core\/codec\//) return 1
    if (path ~ /^core\//) return 0
    if (path == "bot/main.c") return 4
    if (path ~ /^bot\//) return 2
    if (path ~ /^adapters\//) return 3
    return -1
}
function row(path) {
    if (path !~ /^bot\/[^\/]*\//) return path == "bot/main.c" ? 99 : 0
    sub(/^bot\//, "", path); sub(/\/.*/, "", path)
    return path in order ? order[path] : -1
}
function room(path) {
    if (path ~ /^adapters\/matrix\/matrix(_impl)?\.h$/) return rooms["matrix/listen"]
    if (path !~ /^(bot\/(hall|table)|adapters\/(discord|matrix))\/[^\/]*\//) return path ~ /\.h$/ && path !~ /_impl\.h$/ ? 0 : 99
    split(path, part, "/")
    return (part[2] "/" part[3]) in rooms ? rooms[part[2] "/" part[3]] : -1
}
function folder(path) { split(path, part, "/"); return part[2] }
BEGIN {
    count = split("hall/live hall/out hall/cluster hall/in hall/step table/value table/play table/lobby table/panel table/show discord/wire discord/rest discord/gateway discord/say matrix/client matrix/say matrix/account matrix/rooms matrix/listen", part, " ")
    while (count > 0) { rooms[part[count]] = count; count-- }
}
BEGIN { count = split("text parse render policy table hall kept cmd tools", part, " "); while (count > 0) { order[part[count]] = count; count-- } }
function fault(why) { print file ":" line ": " why; failed = 1 }
{
    split($0, field, ":"); file = field[1]; line = field[2]
    target = $0; sub(/^[^<"]*[<"]/, "", target); sub(/[>"].*$/, "", target)
    mine = layer(file)
    if ($0 ~ /include[[:space:]]*</) {
        if (target ~ /^(core|bot|adapters|tests)\//) fault("our own \"" target "\" belongs in quotes")
        if (mine == 0 && target !~ /^(assert|inttypes|limits|stdalign|stdarg|stdbool|stddef|stdint|stdio|string)\.h$/)
            fault("the core does without <" target ">")
        if (target ~ /^jansson/ && mine != 1 && file !~ /^(bot\/(kept|tools)|adapters\/(discord|matrix|service))\//)
            fault("only core/codec/ knows the JSON library")
        if (target == "sqlite3.h" && file !~ /^adapters\/store\/sqlite\//)
            fault("only adapters/store/sqlite/ knows SQLite")
        if (target ~ /^(libpq|pg_|postgres)/ && file !~ /^adapters\/store\/postgres\//)
            fault("only adapters/store/postgres/ knows PostgreSQL")
        next
    }
    theirs = layer(target)
    if (theirs < 0) { fault("\"" target "\" is no path from the root of a layer: core/, bot/, adapters/"); next }
    if (theirs > mine) fault("\"" target "\" is of a layer above")
    if (mine == 2 && theirs == 2 && row(file) < 0) fault("its folder stands in no row of bot/README.md")
    if (mine == 2 && theirs == 2 && row(target) > row(file)) fault("\"" target "\" is of a folder above")
    if (layer(file) == layer(target) && folder(file) == folder(target) && folder(file) ~ /^(hall|table|discord|matrix)$/ && (room(file) < 0 || room(target) > room(file)))
        fault("\"" target "\" is of a room above, or its room stands in no row of the README of " folder(file) "/")
    if (mine == 3 && theirs == 3 && folder(file) != folder(target) && folder(target) != "net" && folder(file) != "service") fault("\"" target "\" is of another adapter")
}
END { exit failed }
' >&2
