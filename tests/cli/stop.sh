#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Ctrl-C, and a kill that nobody can catch: finished launches stay, whole and readable.
. "$(dirname "$0")/common.sh"

# Runs in the background and sends a signal when launch $2 is finished.
stop_at() { # signal, launch, folder
    "$touchstone" run plan.yaml --bench sim --seed 3 --out "$3" >out 2>err </dev/null &
    pid=$!
    patience=600
    while [ ! -e "$3/launches/$2/result.json" ] && [ $patience -gt 0 ]; do
        kill -0 $pid 2>/dev/null || break
        sleep 0.05
        patience=$((patience - 1))
    done
    kill -s "$1" $pid
    wait $pid
    got=$?
}

readable() { # folder
    count=$(find "$1/launches" -name '[0-9][0-9][0-9][0-9]' | wc -l)
    [ "$count" -ge 2 ] || fail "$1: $count finished launches"
    [ "$count" -lt 80 ] || fail "$1: the campaign was over before it was stopped"
    for launch in "$1"/launches/[0-9][0-9][0-9][0-9]; do
        for file in result.json events.jsonl blocks.bin; do
            [ -s "$launch/$file" ] || fail "$launch/$file is missing"
        done
        json "$launch/result.json"
    done
    expect 0 show "$1"
    says out Calculator
    expect 0 replay "$1"
    says out "$count of $count results are identical"
    expect 0 replay "$1" --strict
    expect 3 status "$1"
    says out "$count of 80 launches finished"
    expect 0 status --help
    expect 0 report "$1"
    expect 0 ls "$1"
    says out "$count/80"
}

write_plan 40 ""
stop_at INT 0002 interrupted
[ "$got" -eq 130 ] || fail "SIGINT: exit code $got instead of 130"
says err "stopped"
says err "interrupted"
plain err
find interrupted -name '*.part' | grep -q . && fail "an interrupted run left an open part"
readable interrupted

stop_at TERM 0002 terminated
[ "$got" -eq 130 ] || fail "SIGTERM: exit code $got instead of 130"
readable terminated

stop_at KILL 0003 killed
[ "$got" -eq 137 ] || fail "SIGKILL: exit code $got"
readable killed

# Ctrl-C while the instrument is still being learnt.
mkdir early
"$touchstone" run plan.yaml --bench sim --seed 3 --out early/run >out 2>err </dev/null &
pid=$!
while [ ! -e early/run/session.json ]; do
    kill -0 $pid 2>/dev/null || break
    sleep 0.02
done
kill -s INT $pid
wait $pid
got=$?
[ "$got" -eq 130 ] || fail "SIGINT at the start: exit code $got instead of 130"
expect 3 status early/run
expect 0 show early/run
finish
