#!/bin/sh
# Protects the list of licences: each library that CMakeLists.txt looks for has a row in deploy/SECURITY.md.
status=0
for library in $(sed -nE 's/^pkg_check_modules\(([a-z0-9]+) .*/\1/p' CMakeLists.txt); do
    grep -q "^| $library |" deploy/SECURITY.md || { echo "deploy/SECURITY.md: add a row for $library, with its licence" >&2; status=1; }
done
exit $status
