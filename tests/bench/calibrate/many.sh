#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Many rigs, calibrated, against what they are.
#   many.sh TOUCHSTONE TRUTHS FOLDER FIRST LAST
set -eu
touchstone=$1 truths=$2 folder=$3 number=$4 last=$5
rm -rf "$folder"
mkdir -p "$folder"
while [ "$number" -le "$last" ]; do
    rig=$folder/$number
    "$touchstone" rig new "$rig" --bench sim --options "rig=$number,rate_hz=125" >"$folder/out"
    "$touchstone" calibrate camera stylus --rig "$rig" >"$folder/out"
    rm -rf "$rig/calibration/sessions"
    number=$((number + 1))
done
"$truths" "$folder"/[0-9]*
rm -rf "$folder"
