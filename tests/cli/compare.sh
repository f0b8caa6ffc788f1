#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# `touchstone compare`, `gate` and `agreement SESSION`: on CSV files, sessions and a database.
. "$(dirname "$0")/common.sh"

for command in compare gate; do
    expect 0 $command --help
    grep -q 'Exit codes' out || fail "$command --help does not tell its exit codes"
    plain out
    awk 'length > 80 { exit 1 }' out || fail "$command --help is wider than a terminal"
    "$touchstone" --help | grep -q "^  $command " || fail "$command is not in --help"
done
expect 2 compare
expect 2 compare one
expect 2 compare one two --margin much
expect 2 compare one two --metric beauty
expect 2 compare one two --rigs three
expect 2 compare one two --json --csv
expect 2 compare --db results.sqlite
expect 2 compare --db results.sqlite --by colour
expect 64 gate one two
says err "--max-regression"
expect 64 gate one --max-regression 5%
expect 64 gate one two --max-regression x
expect 64 gate one two --max-regression 5% --information 0.5,0.4
expect 64 gate one two --max-regression 5% --looks 0
expect 64 gate --frobnicate
expect 1 compare missing.csv missing.csv
says err missing.csv
# What cannot be read is no regression.
expect 3 gate missing.csv missing.csv --max-regression 5%

# launches SEED FACTOR COUNT SESSIONS: three apps, skewed times.
launches() {
    awk -v seed="$1" -v factor="$2" -v count="$3" -v sessions="$4" 'BEGIN {
        srand(seed)
        print "app,run,settled (ms)"
        for (s = 1; s <= sessions; s++)
            for (i = 0; i < count; i++)
                for (a = 1; a <= 3; a++) {
                    z = 0
                    for (k = 0; k < 12; k++) z += rand()
                    printf "App %d,%d,%.3f\n", a, s, a * 300 * factor * exp(0.08 * (z - 6))
                }
    }'
}
launches 1 1 40 1 >base.csv
launches 2 1 40 1 >same.csv
launches 3 1.2 40 1 >slow.csv
launches 4 1 10 4 >base4.csv
launches 5 1.2 10 4 >slow4.csv
with="--column settled --by app"

expect 0 compare base.csv slow.csv $with
says out "slower"
says out "App 3"
plain out
awk 'length > 80 { exit 1 }' out || fail "compare prints wider than a terminal"
expect 0 compare base.csv same.csv slow.csv $with --json
json out
for key in comparisons apps ratio ratio_interval p p_holm p_not_slower p_equal cliffs_delta \
    hodges_lehmann_ms median_difference_ms outliers launches_needed u_common_ms overall; do
    says out "\"$key\":"
done
cp out first.json
expect 0 compare base.csv same.csv slow.csv $with --json
cmp -s out first.json || fail "the same files give something else"
# What touchstone export says of launches that do not count is believed.
awk 'NR == 1 { print $0 ",counts,usable,warm_up" } NR > 1 { print $0 ",1,1,0" }
    END { print "App 1,1,9000,0,0,0"; print "App 1,1,9000,0,1,1"; print "App 1,1,9000,0,1,0" }' base.csv >counts.csv
expect 0 compare base.csv slow.csv $with --csv
cut -d, -f4- out >all
expect 0 compare counts.csv slow.csv $with --csv
cut -d, -f4- out | cmp -s - all || fail "launches that do not count are compared"
expect 0 compare counts.csv slow.csv $with --json
for why in unusable warm_up excluded; do
    grep -q "\"$why\":1" out || fail "counts.csv: not one launch is $why"
done
expect 0 compare base.csv base.csv $with --margin 10%
says out "same"
expect 0 compare base.csv slow.csv $with --csv
[ "$(wc -l <out)" -eq 4 ] || fail "--csv: not a heading and three apps"
expect 0 compare base4.csv slow4.csv $with --session run --json
says out '"unit":"session"'
says_not out '"unit":"launch"'
expect 0 compare base4.csv,base.csv slow4.csv,slow.csv $with --json
says out '"sessions":2'
# Two builds that took turns in one session, which drifts: CSVs tell of it by two columns.
awk 'BEGIN {
    srand(6)
    print "session,launch,settled" >"turns-a.csv"
    print "session,launch,settled" >"turns-b.csv"
    for (i = 0; i < 60; i++) {
        level = 0.7 * level + 0.2 * (rand() - 0.5)
        second = i % 4 == 1 || i % 4 == 2
        printf "77,%d,%.2f\n", i + 1, 400 * exp(level + i / 100) * (second ? 1.06 : 1) \
            >(second ? "turns-b.csv" : "turns-a.csv")
    }
}'
expect 0 compare turns-a.csv turns-b.csv --column settled --session session --json
json out
says out '"unit":"turn"'
says out '"turns":{"first_launches":30,"second_launches":30,"blocks":31,"sessions":1}'
says out '"verdict":"slower"'
expect 0 compare turns-a.csv turns-b.csv --column settled --session session
says out "took turns"
expect 0 compare turns-a.csv turns-b.csv --column settled --json
says out '"unit":"launch"'
says out '"verdict":"not shown"'
sed 's/launch/place/' turns-b.csv >unnumbered.csv
expect 0 compare turns-a.csv unnumbered.csv --column settled --session session --json
says out '"unit":"launch"'
expect 1 gate turns-a.csv turns-b.csv --column settled --session session --max-regression 1%
expect 0 compare base.csv slow.csv $with --u-common 200 --rigs several
says out "not shown"
says out "Two rigs"
expect 1 compare base.csv slow.csv --by app
says err "--column"
expect 1 compare base.csv slow.csv --column settled --by colour
says err "colour"
printf 'app,settled\nA,1\nA,2\nA,\nA,3\nA,x\n' >broken.csv
expect 1 compare broken.csv broken.csv --column settled --by app
says err "line 6"
printf 'app,settled\nA,1\nA,2\nA,NaN\nA,3\nA,0\nA,4\nA,5\nA,6\n' >zero.csv
expect 0 compare zero.csv zero.csv --column settled --by app
says out "above 0"
says out "without a value"

expect 0 compare --history base.csv same.csv base4.csv base.csv same.csv slow.csv slow.csv slow.csv \
    slow4.csv slow4.csv $with
says out "from slow.csv on"
expect 0 compare --history base.csv same.csv base4.csv base.csv $with --json
json out
expect 1 compare --history base.csv same.csv $with

gate="$with --max-regression 8%"
expect 0 gate base.csv same.csv $gate --junit gate.xml
grep -q 'tests="3" failures="0" errors="0" skipped="0"' gate.xml || fail "gate.xml: $(cat gate.xml)"
expect 1 gate base.csv slow.csv $gate --junit gate.xml
grep -q 'failures="3"' gate.xml || fail "gate.xml: $(cat gate.xml)"
expect 2 gate base.csv same.csv $with --max-regression 0.1%
says out "it takes about"
expect 1 gate base.csv slow.csv $gate --looks 4 --json
json out
says out '"outcome":"slower"'
expect 1 gate base.csv slow.csv $gate --information 0.5
expect 2 gate base.csv same.csv $gate --information 0.02
awk -F, 'NR == 1 || NR % 4 { print } NR > 1 && NR % 4 == 0 { print $1 "," $2 "," }' same.csv >lost.csv
expect 3 gate base.csv lost.csv $gate
says out "not usable"
expect 0 gate base.csv lost.csv $gate --max-unusable 50%
head -n 10 same.csv >few.csv
expect 3 gate base.csv few.csv $gate
expect 0 gate --calibrate base.csv same.csv $gate --trials 60
says out "false alarms"
expect 0 gate --calibrate base4.csv $gate --session run --trials 60 --json
json out

write_plan 6 ""
expect 0 run plan.yaml --bench sim --seed 1 --out first
expect 0 run plan.yaml --bench sim --seed 2 --out second
expect 0 compare first second
says out "Mail"
says out "launches, "
expect 0 compare first second --metric time_to_initial_display --json
json out
expect 0 gate --calibrate first second --max-regression 5% --trials 20
expect 1 compare --db first/results.sqlite --by build
says err "only one group"
sed 's/"robust-[0-9a-z.]*"/"robust-0"/' first/launches/0001/result.json >result.json
mv result.json first/launches/0001/result.json
expect 1 compare first second
says err "detector_version"
expect 0 compare first second --anyway
says out "Unlike"
expect 3 gate first second --max-regression 5%

expect 0 agreement first second
for word in Calculator Mail Deming Passing concordance; do
    says out "$word"
done
awk 'length > 80 { exit 1 }' out || fail "agreement prints wider than a terminal"
expect 0 agreement first --json
json out
for key in apps rig_ms android_ms later_ms bound_broken lazy_loading deming passing_bablok spearman; do
    says out "\"$key\":"
done
printf 'app,settled_ms,settled_u_ms,time_to_initial_display_ms\n' >pairs.csv
awk 'BEGIN { srand(3); for (i = 0; i < 30; i++) { t = 300 + 200 * rand()
    printf "Quick,%.1f,3,%.1f\nLazy,%.1f,3,%.1f\nEarly,%.1f,3,%.1f\n", t + 40, t, t + 500 + 20 * rand(), t, t, t + 30 } }' \
    >>pairs.csv
expect 0 agreement pairs.csv --svg android.svg
says android.svg 'rig minus Android'
says android.svg '</svg>'
expect 1 agreement pairs.csv --svg nowhere/android.svg
says err "nowhere/android.svg"
expect 0 agreement pairs.csv
grep -q 'Lazy.*loads lazily' out || fail "Lazy is not named"
grep -q 'Early.*no lower bound' out || fail "Early is not named"
expect 1 agreement base.csv
finish
