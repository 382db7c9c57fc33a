#!/bin/sh
# Protects the pure core: it computes, and neither allocates, reads, writes nor asks the time.
# Fails if the core archive needs anything from outside itself but memory and string primitives.
# usage: core_is_pure.sh NM ARCHIVE
allowed='v?snprintf|__v?snprintf_chk|mem(cpy|move|set|cmp|chr)|str(len|nlen|cmp|ncmp|chr|rchr|str|spn|cspn)|__(memcpy|memmove|memset)_chk|__assert_fail|__stack_chk_fail|_GLOBAL_OFFSET_TABLE_|__(asan|ubsan|tsan|lsan|sanitizer|llvm|gcov)_.*'
defined=$(mktemp) && needed=$(mktemp) || exit 2
trap 'rm -f "$defined" "$needed"' EXIT
"$1" --defined-only -P "$2" | awk 'NF > 1 { print $1 }' | sort -u >"$defined"
"$1" -u -P "$2" | awk 'NF > 1 { print $1 }' | sort -u >"$needed"
outside=$(comm -13 "$defined" "$needed" | grep -Evx "$allowed")
[ -z "$outside" ] && exit 0
printf 'the core reaches outside itself:\n%s\n' "$outside" >&2
exit 1
