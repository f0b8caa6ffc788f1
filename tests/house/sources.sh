#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# sources.sh ROOT: what every source file keeps to. Prints every breach as FILE:LINE: what.
cd "$1" || exit 1
found=0
report() { # MESSAGE LINES
    [ -z "$2" ] && return
    printf '%s\n' "$2" | sed "s|\$|: $1|"
    found=1
}
sources=$(find host firmware calibration fixtures tests cmake -type f \
    \( -name '*.[chS]' -o -name '*.sh' -o -name '*.sql' -o -name CMakeLists.txt -o -name '*.cmake' \) \
    2>/dev/null | sort)
code=$(printf '%s\n' "$sources" | grep '\.[ch]$')
measuring=$(printf '%s\n' "$sources" | grep -E '^(host|calibration|firmware)/')
if [ -z "$code" ]; then
    echo "no sources under $1"
    exit 1
fi

report 'has more than 450 lines' "$(
    printf '%s\n' "$code" | while IFS= read -r file; do
        [ "$(wc -l <"$file")" -le 450 ] || echo "$file"
    done
)"
report 'its first two lines lack the SPDX line' "$(
    printf '%s\n' "$sources" | while IFS= read -r file; do
        head -n 2 "$file" | grep -q 'SPDX-License-Identifier: GPL-3.0-or-later' || echo "$file"
    done
)"
report 'an include with ".."' \
    "$(printf '%s\n' "$code" | xargs grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*["<][^">]*\.\.' | cut -d: -f1,2)"
# What measures must not know the simulated bench, least of all its reference values.
report 'names fixtures/ or the reference values in an include or a path' "$(
    [ -z "$measuring" ] || printf '%s\n' "$measuring" | xargs grep -nE \
        '#[[:space:]]*include[[:space:]]*["<](fixtures|sim_|[^">]*/sim_|[^">]*(truth|reference_values))|"[^" ]*fixtures/|fopen *\([^)]*truth' /dev/null |
        cut -d: -f1,2
)"
exit $found
