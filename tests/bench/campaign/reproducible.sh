#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The same seed gives the same session, byte for byte; with and without reference values being
# written; and replay gives the same results again, videos or not, control's decisions included.
#   reproducible.sh TOUCHSTONE PLAN FOLDER
set -eu
touchstone=$1 plan=$2 folder=$3
rm -rf "$folder"
mkdir -p "$folder"

# Fewer launches will do.
sed 's/^launches: .*/launches: 2/' "$plan" >"$folder/plan.yaml"
plan=$folder/plan.yaml

run() { # name, further arguments
    name=$1
    shift
    "$touchstone" run "$plan" --bench sim --seed 11 --out "$folder/$name" "$@" >"$folder/$name.txt" 2>"$folder/$name.err"
}

run one --truth "$folder/one.truth"
run two --truth "$folder/two.truth"
run blind

# SQLite's file holds counters of its own; its rows are compared through the results.
same() { diff -r --exclude=results.sqlite --exclude=report.html "$folder/$1" "$folder/$2"; }
same one two
same one blind
cmp "$folder/one/report.html" "$folder/blind/report.html"
cmp "$folder/one.truth" "$folder/two.truth"

rm -f "$folder"/one/launches/*/video.mkv
"$touchstone" replay "$folder/one"
"$touchstone" replay "$folder/one" --strict

# A journal that says otherwise is noticed.
sed -i '0,/"k":"shell","text":"am force-stop /s//"k":"shell","text":"am force-stop other./' "$folder/two/launches/0002/events.jsonl"
if "$touchstone" replay "$folder/two" --strict 2>"$folder/strict.err"; then
    echo "replay --strict did not notice a changed command"
    exit 1
fi
cat "$folder/strict.err"

# So is a result that somebody touched.
sed -i 's/"settled_ms": {"value": /&1/' "$folder/blind/launches/0001/result.json"
if "$touchstone" replay "$folder/blind"; then
    echo "replay did not notice a changed result"
    exit 1
fi
test -s "$folder/blind/analysis/"*/0001.json
rm -rf "$folder"
