#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# pure.sh NM ALLOWED ARCHIVE...
# Refuses every symbol that the archives need, none of them defines and ALLOWED does not list.
# ALLOWED holds one extended regular expression a line; '#' begins a comment.
nm=$1 allowed=$2
shift 2
if [ $# -eq 0 ]; then
    echo "no pure room to look at"
    exit 1
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
for archive in "$@"; do
    if [ ! -f "$archive" ]; then
        echo "$archive is not built"
        exit 1
    fi
    # --format=posix: NAME TYPE [VALUE SIZE]. Lower-case types are local and defined; what is
    # weak and undefined (w, v) is needed all the same.
    "$nm" --format=posix "$archive" 2>/dev/null |
        awk -v archive="${archive##*/}" -v defined="$work/defined" -v needed="$work/needed" '
            /:$/ { object = $0; next }
            $2 ~ /^[Uwv]$/ { print $1, archive, object >> needed; next }
            $2 ~ /^[A-Z]$/ { print $1 >> defined }'
done
touch "$work/defined" "$work/needed"
grep -v '^#' "$allowed" | grep -v '^$' | sed 's/.*/^(&)$/' >"$work/patterns"
awk -v defined="$work/defined" '
    BEGIN { while ((getline name < defined) > 0) have[name] = 1 }
    !($1 in have)' "$work/needed" | sort -u >"$work/outside"
awk '{ print $1 }' "$work/outside" | sort -u | grep -E -v -f "$work/patterns" >"$work/refused"
if [ -s "$work/refused" ]; then
    echo "pure rooms use what is not memory, string or mathematics:"
    grep -F -w -f "$work/refused" "$work/outside"
    exit 1
fi
