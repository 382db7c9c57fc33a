#!/bin/sh
# Protects the promise that cards are data: no string in C names a card of any set, so that no rule
# can hang on a name. A string that is a card's name is a fault; so is one that contains a name of
# several words. Comments may name cards, and so may tests; and the texts of the rules, for the rules
# themselves speak of some cards by name.
# usage, in the repository's root: no_card_names.sh
names=$(mktemp) || exit 2
trap 'rm -f "$names"' EXIT
set -- cards/*/doors.json cards/*/treasures.json
sets=$(ls -- "$@" 2>/dev/null)
[ -n "$sets" ] || { echo "no card sets here: nothing to compare"; exit 0; }
# shellcheck disable=SC2086 # the paths hold no blanks
grep -ohE '"name"[[:space:]]*:[[:space:]]*"([^"\\]|\\.)*"' $sets |
    sed -E 's/^"name"[[:space:]]*:[[:space:]]*"//; s/"$//' | sort -u >"$names"
[ -s "$names" ] || { echo "the card sets name no card: has their format changed?" >&2; exit 1; }

find core bot adapters -name '*.[ch]' -o -name '*.def' | grep -vx bot/text/text.en.rules.def | sort | xargs awk -v names="$names" '
BEGIN {
    while ((getline name < names) > 0) {
        known[name] = 1
        if (name ~ / /) several[name] = 1
    }
}
FNR == 1 { in_comment = 0 }
function check(text,   name, at, around) {
    if (text in known) { fault(text, text); return }
    for (name in several) {
        at = index(text, name)
        if (!at) continue
        around = substr(" " text, at, 1) substr(text " ", at + length(name), 1)
        if (around !~ /[A-Za-z0-9]/) { fault(text, name); return }
    }
}
function fault(text, name) {
    print FILENAME ":" FNR ": \"" text "\" names the card " name
    failed = 1
}
{
    rest = $0
    while (rest != "") {
        if (in_comment) {
            end = index(rest, "*/")
            if (!end) break
            rest = substr(rest, end + 2)
            in_comment = 0
        } else if (match(rest, /\/\/|\/\*|"([^"\\]|\\.)*"|\047([^\047\\]|\\.)+\047/)) {
            token = substr(rest, RSTART, RLENGTH)
            rest = substr(rest, RSTART + RLENGTH)
            if (token == "//") break
            if (token == "/*") in_comment = 1
            else if (token ~ /^"/) check(substr(token, 2, length(token) - 2))
        } else break
    }
}
END { exit failed }
' >&2
