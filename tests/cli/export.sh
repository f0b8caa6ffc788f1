#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Results for other programs, and where the time of a launch went.
. "$(dirname "$0")/common.sh"

write_plan 2 "warm_up: 1"
expect 0 run plan.yaml --bench sim --seed 4 --out session

# value LAUNCH METRIC: from its result.
value() {
    sed -n "s/.*\"$2\": {\"value\": \([0-9.]*\).*/\1/p" "session/launches/$1/result.json"
}

# column FILE ROW NAME: a field of a CSV without quotes.
column() {
    awk -F, -v row="$2" -v name="$3" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i }
        NR == row + 1 { print $at }' "$1"
}

# CSV: a row a launch, every column in the dictionary, numbers as in the result.
expect 0 export session --format csv -o launches.csv
[ "$(wc -l <launches.csv)" -eq 7 ] || fail "launches.csv has not a heading and six rows"
expect 0 export --dictionary
cp out dictionary.csv
head -n 1 launches.csv | tr ',' '\n' >heads
tail -n +2 dictionary.csv | cut -d, -f1 >names
cmp -s heads names || fail "headings are not the dictionary's names"
for launch in 1 2 3 4 5 6; do
    [ "$(column launches.csv "$launch" settled_ms)" = "$(value "000$launch" settled_ms)" ] ||
        fail "settled of launch $launch is not that of its result"
done
[ "$(column launches.csv 1 warm_up)$(column launches.csv 3 warm_up)" = 10 ] || fail "warm-up"
[ "$(column launches.csv 1 session)" -gt 0 ] || fail "no number of the session"
[ "$(column launches.csv 1 session)" = "$(column launches.csv 6 session)" ] || fail "session"
[ "$(column launches.csv 1 counts)$(column launches.csv 3 counts)" = 01 ] || fail "counts"

# Texts with commas, quotes and line ends stay one field.
expect 0 exclude session 3 --why 'a "table", leaned
on'
expect 0 export session --format csv
says out '"a ""table"", leaned'

# JSON lines.
expect 0 export session --format jsonl
[ "$(wc -l <out)" -eq 6 ] || fail "jsonl has not six lines"
head -n 1 out >line.json
json line.json
says line.json '"warm_up":true'

# benchmarkData.json: Android's name for Android's number alone.
expect 0 export session --format benchmark-data -o benchmarkData.json
json benchmarkData.json
for key in context benchmarks name className totalRunTimeNs metrics minimum maximum median runs \
    sampledMetrics warmupIterations repeatIterations thermalThrottleSleepSeconds fingerprint sdk \
    cpuCoreCount cpuLocked cpuMaxFreqHz memTotalBytes sustainedPerformanceModeEnabled \
    rigSettledMs rigFirstVisualChangeMs timeToInitialDisplayMs; do
    says benchmarkData.json "\"$key\""
done
says benchmarkData.json "\"runs\": [$(value 0004 settled_ms), $(value 0006 settled_ms)]"
android=$(sed -n 's/.*"time_to_initial_display_ms": \([0-9]*\).*/\1/p' session/launches/0004/result.json)
sed -n '/"timeToInitialDisplayMs"/,/runs/p' benchmarkData.json >display
says display "\"runs\": [$android, "

# JUnit: what does not count is skipped, and says why.
expect 0 export session --format junit
says out '<testsuites name="two" tests="6" failures="0" errors="0" skipped="3"'
says out '<skipped message="warm-up"/>'
says out '&quot;table&quot;'
cp out junit.xml
# A reader of JUnit files takes it, and gives back every case.
junitparser verify junit.xml >told 2>&1 || fail "junitparser: $(cat told)"
junitparser merge junit.xml junit.xml merged.xml >told 2>&1 || fail "junitparser: $(cat told)"
[ "$(grep -o '<testcase ' merged.xml | wc -l)" -eq 12 ] || fail "junitparser lost cases"
[ "$(grep -o '<skipped ' merged.xml | wc -l)" -eq 6 ] || fail "junitparser lost what was skipped"

# Perfetto: a trace a launch, or one alone.
expect 0 export session --format perfetto -o traces
[ "$(ls traces | wc -l)" -eq 6 ] || fail "not six traces"
expect 0 export session --format perfetto --launch 2 -o two.perfetto-trace
cmp -s two.perfetto-trace traces/launch-0002.perfetto-trace || fail "one trace is not as among all"
for words in "on the glass" "lift (time zero)" settled "time to initial display" \
    "am force-stop" Stylus Camera ActivityManager Conditioning; do
    grep -qaF "$words" two.perfetto-trace || fail "the trace lacks \"$words\""
done
[ "$(cat traces/* | wc -c)" -lt 150000 ] || fail "traces are larger than 25 kB each"

# Where the time went.
expect 0 explain session/launches/0004
says out "process start"
says out "first app frame"
expect 0 explain session 4 --json
json out
says out '"touch_up"'
says out "\"at_ms\": $(value 0004 settled_ms)"
expect 0 explain session..session --app Mail
says out "lift to settled"
says out "+0.0"
says_not out Calculator
expect 0 explain session..session --json
json out
mkdir up
expect 0 explain "up/../session..up/../session"

# Two launches in a film. The plan keeps no video, so that of one launch is made from another plan.
sed 's/keep_video: none/keep_video: all/; s/^launches: .*/launches: 1/' plan.yaml >filmed.yaml
sed -i 's/warm_up: 1//' filmed.yaml
expect 0 run filmed.yaml --bench sim --seed 4 --out filmed
expect 0 explain filmed/launches/0001..filmed/launches/0002/ --video pair.mkv --slow 2
says out "pair.mkv: launch 1 beside launch 2, 2 times slower"
expect 0 analyze pair.mkv --json
json out
expect 0 explain filmed..filmed --app Mail --video mail.mkv
says out "launch 2 beside launch 2, 4 times slower"
expect 1 explain session..filmed --video no.mkv
says err keep_video
expect 1 explain session/launches/0004..filmed/launches/0001 --video no.mkv
says err "no video was kept of launch 4"
expect 1 explain filmed/launches/0001..filmed/launches/0003 --video no.mkv
says err "launches 1 to 2"
[ ! -e no.mkv ] || fail "a film of nothing was written"
expect 2 explain filmed/launches/0001..filmed/launches/0002
expect 2 explain filmed 1 --video x.mkv
expect 2 explain filmed..filmed --slow 2
expect 2 explain filmed..filmed --video x.mkv --slow 0
expect 1 explain filmed..filmed --video nowhere/x.mkv

# Wrong usage, no such thing, damage.
expect 2 export session
expect 2 export session --format xls
expect 2 export session --format perfetto
expect 2 export session --format csv --launch 2
expect 2 explain session
expect 2 explain session/launches/none
expect 2 explain "session..nowhere"
expect 1 explain session 9
says err "launches 1 to 6"
expect 1 explain "session..session" --app Maps
expect 1 export nowhere --format csv
expect 1 export session --format perfetto --launch 9
expect 1 export session --format csv -o nowhere/x.csv
printf '{"launch": 1' >session/launches/0006/result.json
expect 1 export session --format csv
says err "0006/result.json"
printf 'nonsense\n' >session/launches/0005/events.jsonl
expect 1 explain session 5
says err events.jsonl
expect 1 export session --format perfetto --launch 5

finish
