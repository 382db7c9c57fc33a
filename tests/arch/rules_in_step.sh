#!/bin/sh
# Protects the rules that comments and tests cite: core/rules/ledger.md and rulings.md are the shared
# ones, word for word. Only developers have the shared folder; elsewhere there is nothing to compare.
# usage, in the repository's root: rules_in_step.sh
shared=../shared/rules
[ -d "$shared" ] || { echo "no shared rules beside this repository: nothing to compare"; exit 0; }
failed=0
for file in ledger.md rulings.md; do
    cmp "$shared/$file" "core/rules/$file" || failed=1
done
exit "$failed"
