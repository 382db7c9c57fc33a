#!/bin/sh
# Protects the order of the core: files are layered as the table "The order" of core/README.md says.
# * A row is a folder; face is core/ itself.
# * A file calls only files of its own row or of rows before it; every file stands in one row.
# * Calls close no circle but those among the files of the row "numbers".
# * The core's headers include no circle.
# What counts is what the archive's members need of each other, so a header never hides an arrow.
# usage, in the repository's root: core_order.sh NM ARCHIVE
readme=core/README.md
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

awk -F'|' '/^\| [0-9]+ / {
    split($2, head, " "); count = split($3, file, " ")
    for (i = 1; i <= count; i++) print file[i], head[1], head[2]
}' "$readme" >"$work/rows"
[ -s "$work/rows" ] || { echo "$readme: the table of the order is gone" >&2; exit 1; }

while read -r file row topic; do
    folder=${file%/*}
    [ "$folder" = "$file" ] && folder=face
    [ "$folder" = "$topic" ] && [ -f "core/$file.c" ] || { echo "$readme: core/$file.c does not stand in row $row, $topic" >&2; exit 1; }
done <"$work/rows" || exit 1

# member symbol D (defines) or U (needs)
"$1" -A -P "$2" | sed -n 's/^[^[]*\[\([^]]*\)\.c\.o\(bj\)\{0,1\}\]: \([^ ]*\) \([A-Za-z]\).*/\1 \3 \4/p' >"$work/symbols"
[ -s "$work/symbols" ] || { echo "no symbols in $2" >&2; exit 1; }

awk -v arrows="$work/arrows" -v readme="$readme" '
FILENAME ~ /rows$/ {
    name = $1; sub(/.*\//, "", name)
    if (name in row) { print readme ": " $1 " stands in two rows"; failed = 1 }
    row[name] = $2; topic[name] = $3; next
}
$3 == "U" { needs[++count] = $1 " " $2 }
$3 ~ /[TDRBC]/ { owner[$2] = $1 }
{ member[$1] = 1 }
END {
    for (name in member) if (!(name in row)) { print readme ": " name ".c stands in no row"; failed = 1 }
    for (name in row) if (!(name in member)) { print readme ": there is no " name ".c"; failed = 1 }
    for (i = 1; i <= count; i++) {
        split(needs[i], part, " "); from = part[1]; to = owner[part[2]]
        if (to == "" || to == from) continue
        if (row[to] > row[from]) {
            print "core/" from ".c (row " row[from] ") calls " part[2] "() of " to ".c (row " row[to] ")"; failed = 1
        }
        a = topic[from] == "numbers" ? "numbers" : from
        b = topic[to] == "numbers" ? "numbers" : to
        if (a != b) print a, b >arrows
    }
    exit failed
}' "$work/rows" "$work/symbols" >&2 || exit 1
tsort "$work/arrows" >/dev/null 2>"$work/loop" ||
    { echo "core: calls go round in a circle:" >&2; cat "$work/loop" >&2; exit 1; }

find core -name '*.h' ! -path 'core/codec/*' | sort | xargs grep -Eo '^#include "core/[^"]*\.h"' | sed 's/:#include "/ /; s/"$//' >"$work/headers"
tsort "$work/headers" >/dev/null 2>"$work/loop" ||
    { echo "core: headers include each other in a circle:" >&2; cat "$work/loop" >&2; exit 1; }
