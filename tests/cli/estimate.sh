#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Estimators: a feature table of a session; trained, judged and carried away on launches whose truth
# is known here.
. "$(dirname "$0")/common.sh"

# study SEED LOAD DEVICE FACTOR: 200 launches whose time depends on two features and the app.
study() {
    awk -v seed="$1" -v strain="$2" -v device="$3" -v factor="$4" '
        function uniform() { state = (state * 16807) % 2147483647; return state / 2147483647 }
        BEGIN {
            state = seed
            for (i = 0; i < 10; i++) uniform()
            for (i = 1; i <= 200; i++) {
                app = uniform() < 0.5 ? "Mail" : "Maps"
                cold = uniform() < 0.5
                settled = strain * factor * (cold ? 700 : 200) * (app == "Mail" ? 1 : 1.4)
                settled *= 0.9 + 0.2 * uniform()
                windows = cold ? 2 : 1
                contents = cold ? 1 + int(2 * uniform()) : 1 + int(8 * uniform())
                printf "%s,%s,%s/%d,%s,%.3f,%s,%d,%d,%.1f,%.1f,%.2f\n", device, app, device, i,
                    cold ? "cold" : "hot", settled, cold ? settled * 0.6 : "NA", windows, contents,
                    settled * (0.9 + 0.05 * uniform()), settled / 5 + 20 * uniform(),
                    20 + 10 * uniform()
            }
        }'
}
head='device,app,launch,start_type,settled_ms [ms],time_to_initial_display_ms [ms]'
head="$head,window_count [1],content_count [1],last_event_ms [ms],mean_interval_ms [ms]"
head="$head,temperature_c [degC]"
(echo "$head" && study 1 1 P1 1) >p1.csv
(echo "$head" && study 2 1 P2 1.3) >p2.csv
(echo "$head" && study 3 1.25 P1 1) >heavy.csv
(echo "$head" && study 4 1 P1 1) >control.csv

# Wrong usage, and what cannot be used.
expect 0 estimate --help
expect 2 estimate
expect 2 estimate guess p1.csv
says err guess
expect 2 estimate train p1.csv
says err "-o"
expect 2 estimate train p1.csv -o m --kind crystal
says err crystal
expect 2 estimate evaluate
expect 1 estimate shift p1.csv
says err launched_at_s
expect 2 estimate shift p1.csv p2.csv p3.csv
expect 1 estimate evaluate missing.csv
says err missing.csv
: >empty.csv
expect 1 estimate train empty.csv -o m
says err "empty"
echo "$head" >none.csv
expect 1 estimate train none.csv -o m
says err "no launch"
sed '3s/,cold,\|,hot,/,tepid,/' p1.csv >wrong.csv
expect 1 estimate train wrong.csv -o m
says err "wrong.csv: line 3: \"tepid\""
awk -F, 'NR == 1 || $4 == "cold"' p1.csv >cold.csv
expect 1 estimate train cold.csv --kind start -o m
says err "same target"
[ -e m ] && fail "an estimator was written of nothing"
expect 1 estimate evaluate p1.csv --external P1
says err "nothing is left"
expect 1 estimate evaluate p1.csv --external P9
says err P9
(cat p1.csv && sed 1d p1.csv) >twice.csv
expect 1 estimate evaluate twice.csv
says err "once more"
cut -d, -f1-9 p1.csv >narrow.csv
expect 1 estimate evaluate p1.csv narrow.csv
says err "narrow.csv"

# Any column of numbers is a target; what a launch costs is one, and never a predictor of another.
awk -F, 'BEGIN { OFS = "," } NR == 1 { print $0, "energy_mj [mJ]", "memory_kb [kB]"; next }
    { print $0, 3 * $9 + $7, NR % 7 ? int(90 * $9) : "NA" }' p1.csv >costs.csv
expect 0 estimate train costs.csv --kind spore --target energy_mj -o energy.json
says energy.json '"target": "energy_mj"'
grep -q memory_kb energy.json && fail "a cost predicts a cost"
expect 0 estimate predict energy.json p1.csv
says out "launch,estimate_energy_mj"
awk -F, 'NR == FNR { if (FNR > 1) told[$3] = 3 * $9 + $7; next }
    FNR > 1 && ($2 < 0.95 * told[$1] || $2 > 1.05 * told[$1]) { exit 1 }' p1.csv out ||
    fail "energies are far from what they were made of"
expect 0 estimate train costs.csv --target memory_kb -o memory.json
says out "trained on 172 launches, 28 left out"
expect 0 estimate evaluate costs.csv --target memory_kb --json
says out '"mean_absolute_kB"'
expect 0 estimate train costs.csv --kind spore --target last_event_ms -o event.json
sed -n '/"columns"/,/]/p' event.json | grep -q last_event_ms && fail "a target predicts itself"
expect 1 estimate train p1.csv --target energy_mj -o m
says err "no column energy_mj"
expect 2 estimate train p1.csv --target "" -o m

# The forest.
expect 0 estimate train p1.csv p2.csv -o forest.json --seed 5
says out "trained on 400 launches"
json forest.json
says forest.json '"seed": 5'
says forest.json '"P1, P2"'
[ -s forest.json.ubj ] || fail "there are no trees"
cp forest.json.ubj before.ubj
expect 0 estimate train p1.csv p2.csv -o forest.json --seed 5
cmp -s forest.json.ubj before.ubj || fail "the same seed gave other trees"
expect 0 estimate predict forest.json control.csv
[ "$(wc -l <out)" -eq 201 ] || fail "not an estimate for each launch"
expect 1 estimate predict forest.json narrow.csv
says err mean_interval_ms
expect 0 estimate evaluate p1.csv p2.csv --json
json out
says out '"split":"internal","app":"all"'
says out '"split":"P2","app":"Maps"'
expect 0 estimate evaluate p1.csv p2.csv
says out "internal"
plain out
cp out one.txt
expect 0 estimate evaluate p1.csv p2.csv
cmp -s out one.txt || fail "the same seed gave other figures"

# Start types, and what they are for.
expect 0 estimate train p1.csv --kind start -o start.json
expect 0 estimate predict start.json control.csv
says out cold_probability
expect 0 estimate predict forest.json control.csv --gate start.json
grep -q ",NA$" out || fail "the gate let every hot start through"
expect 1 estimate predict forest.json control.csv --gate forest.json
expect 0 estimate evaluate p1.csv p2.csv --kind start --json
json out
says out '"confusion":[['

# Every setting of a formula.
expect 0 estimate train p1.csv -o m.json --kind spore --spore threshold=10
says out "(features"
says_not out " last_event_ms"
expect 0 estimate train p1.csv -o m.json --kind spore --spore threshold=0.001,nu=0.4,error=rmse,fit=relative
says out "last_event_ms"
rm m.json
for wrong in threshold threshold=x error=mean fit=rmse depth=3 nu=-1; do
    expect 2 estimate train p1.csv -o m --kind spore --spore $wrong
    says err "$wrong"
done

# A formula; one whose probe is too dear; rivals.
for kind in spore foba lasso; do
    expect 0 estimate train p1.csv -o $kind.json --kind $kind --degree 2
    says out last_event_ms
done
expect 0 estimate train p1.csv -o cheap.json --kind spore --degree 2 --cost 0.08
says out "rejected: accessibility"
says_not out "last_event_ms +"
says cheap.json '"rejected": "accessibility"'
expect 0 estimate train p1.csv -o dear.json --kind spore --degree 2 --cost 0.01 --json
json out
says out '"rejected":null'
says_not out '"rejected":"'
# Polling tells nearly the time, here, and costs too much; then the events do.
awk -F, -v OFS=, 'NR == 1 { $10 = "load_first_second [1]" }
    NR > 1 { $10 = $5 / 2000 } { print }' p1.csv >polled.csv
expect 0 estimate train polled.csv -o m.json --kind spore --cost polling=0.24 --cost 0.02
says out "round 1: error 0.0 %, probes cost 24.0 %, rejected: polling"
says out "round 2: "
says out "last_event_ms"
says_not out " load_first_second"
rm m.json
expect 0 estimate train polled.csv -o m.json --kind spore --cost 0.02
says out "nobody has measured one of them"
expect 0 estimate emit m.json -o predictor.c --script probes.sh
says probes.sh "cat /proc/stat"
says_not probes.sh "uiautomator"
rm m.json
expect 2 estimate train p1.csv -o m --cost crystal=0.1
says err crystal
expect 0 estimate evaluate p1.csv p2.csv --kind spore --degree 2

# Carried away: a program that needs nothing else says the same.
expect 0 estimate train p1.csv --kind ratio -o ratio.json
for kind in forest ratio spore; do
    expect 0 estimate emit $kind.json -o predictor.c --script probes.sh
    says predictor.c TOUCHSTONE_EVENT_TYPES
    says probes.sh "uiautomator events"
    cat >main.c <<'MAIN'
#include <stdio.h>
double touchstone_estimate(const double *features);
int main(void)
{
    double f[7];
    while (scanf("%lf,%lf,%lf,%lf,%lf,%lf,%lf", f, f + 1, f + 2, f + 3, f + 4, f + 5, f + 6) == 7)
        printf("%.9g\n", touchstone_estimate(f));
    return 0;
}
MAIN
    cc -std=c11 -Wall -Wextra -Werror -ffp-contract=off -o carried predictor.c main.c -lm ||
        fail "what was emitted does not compile"
    # columns: five features, then app=Mail and app=Maps in the order of training
    first=$(sed -n 's/.*"app=\(.*\)".*/\1/p' $kind.json | head -n 1)
    awk -F, -v first="$first" 'NR > 1 {
        print $7 "," $8 "," $9 "," $10 "," $11 "," ($2 == first) "," ($2 != first) }' control.csv |
        ./carried >carried.txt
    expect 0 estimate predict $kind.json control.csv
    sed 1d out | cut -d, -f2 | cmp -s - carried.txt || fail "$kind: carried away, it says otherwise"
done
expect 1 estimate emit start.json -o predictor.c

# Three types; two of them when the third does not occur, and never one alone.
expect 0 estimate train p1.csv --kind type -o types.json
expect 1 estimate emit types.json -o predictor.c
expect 0 estimate predict types.json control.csv --json
json out
says out '"warm_probability":0.0'
expect 0 estimate predict types.json control.csv
sed 1d out | awk -F, '{ sum = $2 + $3 + $4; if (sum < 0.999 || sum > 1.001) exit 1 }' ||
    fail "probabilities do not add up to one"
expect 0 estimate predict forest.json control.csv --gate types.json
awk -F, -v OFS=, '$4 == "hot" && $8 > 4 { $4 = "warm" } { print }' p1.csv >warm.csv
expect 0 estimate evaluate warm.csv p2.csv --kind type --json
json out
says out '"confusion":[['
expect 0 estimate evaluate warm.csv p2.csv --kind type
says out "cold/warm/hot"
plain out
expect 1 estimate train cold.csv --kind type -o m
says err "same target"

# Left out by app; one app alone leaves nothing to train on.
expect 0 estimate evaluate p1.csv --by app
says out "Mail       all"
says_not out "internal   all"
awk -F, 'NR == 1 || $2 == "Mail"' p1.csv >mail.csv
expect 1 estimate evaluate mail.csv --by app
says err "all launches are of Mail"
expect 2 estimate evaluate p1.csv --by phone
says err phone
expect 0 estimate evaluate mail.csv

# Nothing that varies.
awk -F, -v OFS=, 'NR > 1 { for (i = 7; i <= 11; i++) $i = 3 } { print }' mail.csv >same.csv
for kind in forest ratio spore foba lasso start type; do
    expect 1 estimate train same.csv --kind $kind -o m
    says err "no feature varies"
done
expect 1 estimate evaluate same.csv
says err "no feature varies"
expect 1 estimate evaluate empty.csv
expect 1 estimate shift empty.csv p1.csv
expect 1 estimate predict forest.json empty.csv
says err "empty.csv"

# A formula that follows its phone.
expect 0 estimate follow spore.json control.csv
says out "followed"
says_not out Alarm
awk -F, -v OFS=, 'NR > 1 { $5 *= 1.5 } { print }' control.csv >slower.csv
expect 0 estimate follow spore.json slower.csv -o followed.json
says out "Alarm"
expect 0 estimate follow followed.json slower.csv --json
json out
sed 's/.*before":\([0-9.]*\).*/\1/' out | awk '{ exit !($1 < 0.1) }' ||
    fail "what was learnt was not kept: $(cat out)"
expect 1 estimate follow forest.json p1.csv
says err "--kind spore"
expect 2 estimate follow spore.json

# Memory and load. The launch P1/1 takes as long as p1.csv says; memory is at rest from 900 ms on.
awk 'BEGIN {
    print "launch,at_ms,available_kb,load"
    for (at = 0; at < 2000; at += 40)
        printf "P1/1,%d,%d,%s\n", at, at < 900 ? 2000000 - 500 * at : 1500000,
            at < 1300 ? "0.9" : at < 1400 ? "NA" : "0.1"
}' >trace.csv
expect 0 estimate resources trace.csv p1.csv --json
json out
actual=$(awk -F, '$3 == "P1/1" { print $5 }' p1.csv)
sed 's/.*"ram_stable":{"relative_error":\([0-9.]*\).*"cpu_idle":{"relative_error":\([0-9.]*\).*/\1 \2/' out |
    awk -v t="$actual" 'function off(x) { return (x > t ? x - t : t - x) / t }
        { exit !($1 - off(920) < 1e-6 && off(920) - $1 < 1e-6 && $2 - off(1400) < 1e-6 &&
                 off(1400) - $2 < 1e-6) }' || fail "not the times of the trace: $(cat out)"
expect 0 estimate resources trace.csv p1.csv
says out "no answer for 0 of 1"
sed '3s/.*/P1\/1,x,1,1/' trace.csv >bad.csv
expect 1 estimate resources bad.csv p1.csv
says err "bad.csv: line 3"
sed '3s/.*/P1\/1,0,1,1/' trace.csv >bad.csv
expect 1 estimate resources bad.csv p1.csv
says err "in order"
sed 's/P1/P7/' trace.csv >other.csv
expect 1 estimate resources other.csv p1.csv
says err "no launch"
expect 1 estimate resources empty.csv p1.csv
says err "must begin with"
expect 1 estimate resources trace.csv p1.csv --rig nowhere
says err nowhere
expect 0 rig new rig --bench sim
expect 1 estimate resources trace.csv p1.csv --rig rig
says err "calibrate observers"
expect 1 estimate train p1.csv --kind spore --rig rig -o m
says err "calibrate observers"

# Recordings of daily use, and how early their launches can be estimated.
expect 2 estimate study lab
expect 1 estimate study sleep -o recordings
says err sleep
expect 0 estimate study daily -o recordings --seed 3
head -n 3000 "recordings/Nexus 5X light-1.log" >day.log
expect 0 estimate features day.log -o day.csv --device "Nexus 5X"
grep -qE '^"?Nexus 5X"?,com.whatsapp,day/' day.csv || fail "no launch of WhatsApp"
expect 0 estimate early recordings/*.log --target time_to_initial_display_ms --trees 20 --json
json out
says out '"horizon_ms":null'
sed 's/.*"horizon_ms":0.0,"over":[0-9.]*,"relative_error":[0-9.]*,"pearson":\([-0-9.]*\).*"pearson":\([-0-9.]*\)}.*/\1 \2/' out |
    awk '{ exit !($2 > $1) }' || fail "all events tell no more than none"
expect 1 estimate early day.log
says err "settled_ms"
expect 1 estimate early day.log --kind type
expect 1 estimate features empty.csv -o f.csv
says err "recorder"
sed 's/^ *[0-9.]* /03-01 10:00:00.000 /' day.log >undated.log
expect 1 estimate features undated.log -o f.csv
says err "logcat -v epoch"

# Slower, or not.
expect 0 estimate shift p1.csv heavy.csv --json
json out
says out '"p":0.000'
expect 0 estimate shift p1.csv heavy.csv --model forest.json
says out "p = 0.0001"
expect 0 estimate shift p1.csv control.csv
says_not out "p = 0.0001"

# Damaged files.
sed 's/"forest"/"tree"/' forest.json >bad.json
cp forest.json.ubj bad.json.ubj
expect 1 estimate predict bad.json p1.csv
says err bad.json
head -c 300 forest.json.ubj >forest.json.ubj.cut && mv forest.json.ubj.cut forest.json.ubj
expect 1 estimate predict forest.json p1.csv
echo '[' >bad.json
expect 1 estimate predict bad.json p1.csv

# Of a session: reference values and the state before the tap.
write_plan 2 ""
expect 0 run plan.yaml --bench sim --seed 1 --out session
expect 1 estimate features nowhere -o f.csv
expect 0 estimate features session -o f.csv --device "Pixel, 4"
says out "launches"
says f.csv '"Pixel, 4",Mail,session/'
says f.csv "battery_percent [%]"
says out "4 of them without accessibility events"

# With the events that a plan asks for.
write_plan 1 "events: true"
expect 0 run plan.yaml --bench sim --seed 1 --out watched
expect 0 estimate features watched -o f.csv
says out "0 of them without accessibility events"
grep -q '"stream":"input","text":".*ABS_MT_TRACKING_ID *ffffffff' watched/launches/0001/events.jsonl ||
    fail "the touch screen was not watched"

# The same with what an accessibility service would have said of the first launch of Calculator.
events=session/launches/0001/events.jsonl
last=$(sed -n 's/^{"i":\([0-9]*\),"t":\([0-9]*\),.*/\1 \2/p' "$events" | tail -n 1)
for event in VIEW_CLICKED:1000:launcher WINDOW_STATE_CHANGED:1200:com.android.calculator2 \
    WINDOW_CONTENT_CHANGED:1300:com.android.calculator2; do
    last="$((${last% *} + 1)) ${last#* }"
    at=${event#*:}
    printf '{"i":%s,"t":%s,"k":"line","stream":"accessibility","text":"EventType: TYPE_%s; ' \
        ${last% *} ${last#* } "${event%%:*}"
    printf 'EventTime: %s; PackageName: %s; MovementGranularity: 0; Action: 0 [ ClassName: V; ' \
        "${at%:*}" "${at#*:}"
    printf 'Text: []; ]; recordCount: 0"}\n'
done >>"$events"
expect 0 estimate features session -o f.csv
says out "3 of them without accessibility events"
says f.csv ",2,1,1,200,300," # events, windows, contents, first, last
expect 0 estimate features session -o early.csv --horizon-ms 250
says early.csv ",1,1,0,200,200,"
finish
