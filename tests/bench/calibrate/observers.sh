#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Observers that cost something are found to, within the stated interval; the others are not.
#   observers.sh TOUCHSTONE FOLDER PLAN
set -eu
touchstone=$1 folder=$2 plan=$3
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
"$touchstone" rig new rig --bench sim \
    --options rig=5,faults=0,observer_log=9,observer_accessibility=0,observer_polling=24 >out
"$touchstone" calibrate observers --rig rig --plan "$plan" --pairs 24 >table
cat table
value() {
    awk -v name="$1" '$1 == name {print $2}' table
}
# What costs, costs from the start of the app on; 30 to 60 of the some 500 ms from lift to settled
# lie before that. 25 polls a second cost 25/20 of what is stated for 20.
holds() {
    awk -v low="$(value "$1_low_percent")" -v high="$(value "$1_high_percent")" -v true="$2" \
        'BEGIN {exit !(low <= true && 0.88 * true <= high && high - low < 25)}' ||
        { echo "FAILED: $1 costs $2 %"; exit 1; }
}
holds logcat 9
holds accessibility 0
holds polling 30
session=$(echo rig/calibration/sessions/*)
# Of 12 launches each of an app, two are without the log, two with the service on, two polled.
for observers in none "logcat accessibility" "logcat polling"; do
    grep -lF "\"observers\": \"$observers\"" "$session"/launches/*/result.json | wc -l |
        awk -v what="$observers" '{if ($1 != 24) {print "FAILED: " $1 " of 24 with " what; exit 1}}'
done
# What was found goes where it is needed: beside the estimators that poll, and into the cost loop.
"$touchstone" estimate features "$session" -o f.csv
# Features of polling are known of the launches that were polled.
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "load_first_second [1]") at = i; next }
    at && $at != "NA" { known++; if (!($at > 0.03 && $at < 1 && $(at - 2) > 1e6)) wrong++ }
    END { exit !(known == 24 && !wrong) }' f.csv || { echo "FAILED: features of polling"; exit 1; }
# The launches that were polled are 24 of the 144; their traces tell the end badly.
"$touchstone" estimate resources "$session" --rig rig | tee text
for what in Memory Processors; do
    sed -n "s/^$what.* off by \([0-9.]*\) % on average, no answer for \([0-9]*\) of 24 .*/\1 \2/p" text |
        awk '{exit !($1 > 20 && $2 < 24)}' || { echo "FAILED: $what does not miss"; exit 1; }
done
polling=$(sed -n 's/^Polling, by paired taps: *makes launches \([0-9.]*\) % longer.*/\1/p' text)
awk -v low="$(value polling_low_percent)" -v high="$(value polling_high_percent)" \
    -v found="$polling" 'BEGIN {exit !(found > 15 && low <= found && found <= high)}' ||
    { echo "FAILED: polling costs \"$polling\" %"; exit 1; }
"$touchstone" estimate train f.csv --kind spore --rig rig -o formula.json | tee text
grep -q "^round 1: .* probes cost" text || { echo "FAILED: no cost loop"; exit 1; }
cd / && rm -rf "$folder"
