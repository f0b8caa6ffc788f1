#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Where features come from and are kept: APKs, databases, dates; and what cannot be used.
. "$(dirname "$0")/common.sh"
apk=$(dirname "$touchstone")/touchstone-helper.apk
target="--target time_to_initial_display_ms --trees 10"

# What there is.
expect 0 estimate dictionary
says out "battery_percent    %     state"
plain out
expect 0 estimate dictionary --json
json out
says out '"name":"launched_at_s","unit":"s","probe":"nothing"'
expect 2 estimate dictionary day.csv

# Facts about an app, from its APK.
expect 0 estimate apk "$apk"
says out org.touchstone.helper
says out "apk_activities   3"
expect 0 estimate apk "$apk" --json
json out
says out '"apk_target_sdk":29'
expect 1 estimate apk no.apk
says err "no.apk: is no file"
head -c 9000 "$apk" >cut.apk
expect 1 estimate apk cut.apk
says err "cut.apk: it is no APK"
: >empty.apk
expect 1 estimate apk empty.apk
says err "empty.apk: it is no APK"

# A period of daily use; one of its apps has its APK here, and launches are dated.
expect 0 estimate study daily -o recordings --seed 3
sed 's/com\.whatsapp/org.touchstone.helper/g' "recordings/Nexus 5X light-1.log" >day.log
expect 0 estimate features day.log -o day.csv --apk "$apk" --db lab.sqlite --json
json out
says out '"without_events":0'
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { if ($i == "apk_methods [1]") m = i
                                               if ($i == "launched_at_s [s]") at = i } next }
    { known = $2 == "org.touchstone.helper" ? "145" : "NA"
      if ($m != known) { print "line " NR ": " $m; bad = 1 }
      if (!($at > 1488326400 && $at < 1489000000)) { print "line " NR ": at " $at; bad = 1 } }
    END { exit bad || !m || !at }' day.csv >wrong.txt || fail "$(head -n 3 wrong.txt)"
expect 1 estimate features day.log -o f.csv --apk cut.apk
says err cut.apk

# What came out of a database is what went into it.
same() { # DATABASE
    expect 0 estimate train --db "$1" --kind ratio $target -o of_db.json
    cmp -s of_db.json of_csv.json || fail "$1: another estimator"
    cmp -s of_db.json.ubj of_csv.json.ubj || fail "$1: other trees"
    expect 0 estimate predict of_db.json --db "$1"
    cp out by_db.txt
    expect 0 estimate predict of_csv.json day.csv
    cmp -s out by_db.txt || fail "$1: other estimates"
    expect 0 estimate evaluate --db "$1" $target
    says out internal
}
expect 0 estimate train day.csv --kind ratio $target -o of_csv.json
same lab.sqlite
expect 0 estimate features day.log --apk "$apk" --db lab.sqlite
same lab.sqlite
expect 0 estimate features day.log --db lab.sqlite --device other
expect 0 estimate train --db lab.sqlite $target -o both.json
launches=$(($(wc -l <day.csv) - 1))
says both.json '"devices": "day, other"'
expect 0 estimate predict both.json --db lab.sqlite
[ "$(wc -l <out)" -eq $((2 * launches + 1)) ] || fail "not the launches of both"
expect 1 estimate train --db none.sqlite -o m
expect 1 estimate train --db day.log -o m
says err day.log
write_plan 1 "events: true"
expect 0 run plan.yaml --bench sim --seed 1 --out session
expect 1 estimate train --db session/results.sqlite -o m
says err "estimate features ... --db"
expect 2 estimate train -o m
expect 2 estimate features day.log
says err "-o FILE"
expect 1 estimate features day.log day.log --db lab3.sqlite
says err "are called"
postgres="$source/tests/cli/postgres.sh"
sh "$postgres" stop "$work" # that an earlier run may have left, when it was cut off
uri=$(sh "$postgres" start "$work") || fail "no PostgreSQL server"
trap 'sh "$postgres" stop "$work"' EXIT
expect 0 estimate features day.log --apk "$apk" --db "$uri"
same "$uri"
expect 0 estimate features day.log --apk "$apk" --db "$uri"
same "$uri"
expect 1 estimate train --db postgresql://nobody@/none?host=/nowhere -o m

# Of a session too: dated by the phone's clock, and missing what nobody asked.
expect 0 estimate features session -o f.csv --db lab2.sqlite
awk -F, 'END { exit !($NF > 1e9) }' f.csv || fail "a launch of a session has no date"
expect 1 estimate resources session
says err "nobody polled"
expect 1 estimate resources day.csv
says err "the table of their launches"

# How early, of launches that say nothing.
write_plan 1 ""
expect 0 run plan.yaml --bench sim --seed 1 --out silent
expect 1 estimate early silent
says err "events: true"

# Since when.
awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "mean_interval_ms [ms]") m = i }
    NR > 1 && $NF > 1488326400 + 3600 && $m != "NA" { $m += 200 } { print }' day.csv >slower.csv
expect 0 estimate shift slower.csv
plain out
says out "since 2017-03-01 0"
says out "p = 0.0005"
expect 0 estimate shift slower.csv --json
json out
sed 's/.*"at_s":\([0-9.]*\),"interval_s":\[\([0-9.]*\),\([0-9.]*\)\].*/\1 \2 \3/' out |
    awk '{ exit !($2 <= 1488330000 && 1488330000 <= $3 && $3 - $2 < 1500 && $2 <= $1 && $1 <= $3) }' ||
    fail "not when it was: $(cat out)"
expect 0 estimate shift day.csv
says out "no change"
head -n 5 day.csv >few.csv
expect 1 estimate shift few.csv
says err "it takes 12"
expect 0 estimate shift --db lab.sqlite
says out "other, mean_interval_ms"
finish
