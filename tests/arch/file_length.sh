#!/bin/sh
# Protects readers: no C file over 800 lines, no header over 400. Such a file holds two topics: split
# it. Files over 600 lines are named as a warning.
# usage, in the repository's root: file_length.sh
find . \( -path ./build -o -path ./.git \) -prune -o -name '*.[ch]' -print | sort | xargs wc -l /dev/null |
awk '
$2 == "total" || $2 == "/dev/null" { next }
$1 > 800 || ($2 ~ /\.h$/ && $1 > 400) { print $2 ": " $1 " lines are too many"; failed = 1; next }
$1 > 600 { print $2 ": " $1 " lines, close to too many" }
END { exit failed }
'
