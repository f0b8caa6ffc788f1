#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Good rigs, calibrated one day and verified another: 19 of 20 pass, or more.
#   passes.sh TOUCHSTONE FOLDER RIG...
set -u
touchstone=$1 folder=$2
shift 2
passed=0 count=0
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder" || exit 1
for rig in "$@"; do
    count=$((count + 1))
    "$touchstone" rig new "$rig" --bench sim --options "rig=$rig" >/dev/null &&
        "$touchstone" calibrate stylus camera --rig "$rig" --seed "$((rig + 1))" >/dev/null || exit 1
    if "$touchstone" verify --rig "$rig" --seed "$((rig + 2))" >"$rig.txt" 2>"$rig.err"; then
        passed=$((passed + 1))
    else
        echo "rig $rig failed"
        cat "$rig.txt" "$rig.err"
    fi
    rm -rf "$rig"
done
echo "$passed of $count rigs passed"
[ $((passed * 20)) -ge $((count * 19)) ] || exit 1
cd / && rm -rf "$folder"
