#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# When is the app ready: learned from annotated launches, applied to others.
. "$(dirname "$0")/common.sh"

write_plan 4 ""
expect 0 run plan.yaml --bench sim --seed 1 --out session

# value LAUNCH METRIC: from its result.
value() {
    sed -n "s/.*\"$2\": {\"value\": \([0-9.]*\).*/\1/p" "session/launches/$1/result.json"
}

# mark LAUNCH MS...: people say that the launch was over at MS; the last of them is not sure.
mark() {
    file=session/launches/$1/annotations.json
    shift
    separator='['
    for ms in "$@" 1; do
        printf '%s{"by": "p%s", "when": "2026-03-01T09:30:00Z", "first_change_frame": null,' \
            "$separator" "$ms"
        printf ' "settled_frame": 9, "first_change_ms": null, "settled_ms": %s, "zero": "lift",' \
            "$ms"
        printf ' "tap_ns": null, "frames_csv": null, "frames": 300, "note": "",'
        if [ "$ms" = 1 ]; then
            printf ' "cannot_tell": true}]\n'
        else
            printf ' "cannot_tell": false}'
        fi
        separator=', '
    done >"$file"
}

# Too few, the wrong app, wrong usage.
expect 1 ready learn --app Mail session -o rule.json
says err "too few"
[ -e rule.json ] && fail "a rule was written without annotations"
expect 1 ready learn --app Maps session -o rule.json
says err 'no launch of "Maps"'
expect 2 ready
expect 2 ready guess
expect 2 ready learn --app Mail session
expect 2 ready learn session -o rule.json
expect 2 ready apply rule.json
expect 1 ready apply rule.json session
expect 0 ready --help
says out "ready learn"
expect 0 ready learn --help
expect 0 ready apply --help

# People take the first window of Mail for ready (three of them, one far off), in three launches.
for launch in 0002 0004 0006; do
    splash=$(value $launch splash_ms)
    mark $launch "$splash" 9000 "$splash"
done
expect 0 ready learn --app Mail session -o rule.json
says out "The app is ready with the 1st change."
says out "Learned from 3 launches (1 more are not annotated)"
plain out
json rule.json
says rule.json '"app": "Mail"'
says rule.json '"detector_version"'
expect 0 ready apply rule.json session
says out "Ready with the 1st change."
says out " 8 "
says_not out " 7 "
expect 0 ready apply rule.json session --json
json out
value 0008 splash_ms >splash
says out "\"value\": $(cut -d. -f1 <splash)."
[ -s err ] && fail "ready apply --json writes to standard error"

# Where settled is what they mean, no rule is better.
for launch in 0002 0004 0006 0008; do
    settled=$(value $launch settled_ms)
    if [ -n "$settled" ]; then # a launch may be one that never does
        mark $launch "$settled"
    else
        rm -f session/launches/$launch/annotations.json
    fi
done
expect 0 ready learn --app Mail session -o rule.json --json
says out '"beats_settled": false'
json out
expect 0 ready learn --app Mail session -o rule.json
says out "No rule is better than settled"
expect 0 ready apply rule.json session

# Damaged files.
sed 's/"kind": "settled"/"kind": "taste"/' rule.json >wrong.json
expect 1 ready apply wrong.json session
says err wrong.json
sed 's/"detector_version": "[^"]*"/"detector_version": "robust-0"/' rule.json >old.json
expect 0 ready apply old.json session
says err "learn it again"
echo '[{"by"' >session/launches/0002/annotations.json
expect 1 ready learn --app Mail session -o rule.json
says err 0002/annotations.json
finish
