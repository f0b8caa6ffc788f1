#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# `touchstone parse` and `touchstone analyze` on files from elsewhere.
. "$(dirname "$0")/common.sh"
logs=$source/fixtures/logs recordings=$source/fixtures/recordings

for log in "$logs"/*.log; do
    name=$(basename "$log")
    expect 0 parse logcat "$log"
    plain out
    [ -s out ] || fail "parse $name: nothing found"
    expect 0 parse logcat "$log" --json
    if [ "$name" = decoys.log ]; then
        [ -s out ] && fail "a decoy passes for an event"
    else
        [ -s out ] || fail "parse --json $name: nothing found"
    fi
    while IFS= read -r line; do
        printf '%s\n' "$line" >line
        json line
        for key in kind component duration_ms total_ms user stamp; do
            grep -qx "$key" keys || fail "parse --json $name: no $key"
        done
    done <out
    cp out from_file
    "$touchstone" parse logcat - --json <"$log" >out || fail "parse $name from standard input"
    cmp -s out from_file || fail "parse $name: standard input gives something else"
done
expect 1 parse logcat missing.log
says err missing.log
expect 0 parse logcat /dev/null --json
[ -s out ] && fail "events in an empty log"
head -c 200000 "$touchstone" >binary
expect 0 parse logcat binary
printf 'x%.0s' $(seq 1 70000) >endless
expect 0 parse logcat endless

# Every recorded launch: within two pictures of what comparing the pictures themselves says.
for video in "$recordings"/*.nut; do
    name=$(basename "$video" .nut)
    tap=$(sed -n 's/.*"tap_ns": \([0-9]*\).*/\1/p' "$recordings/$name.json")
    expect 0 analyze "$video" --json --exposure-ms 0 --readout-ms 0 --frames \
        "$recordings/$name.csv" --tap-ns "$tap" --camera-latency-ms 0
    json out
    for key in first_visual_change last_visual_change settled splash first_app_frame \
        main_content visually_complete_85 speed_index; do
        grep -qx "${key}_ms" keys || fail "analyze $name: no ${key}_ms"
        grep -qx "${key}_u_ms" keys || fail "analyze $name: no ${key}_u_ms"
    done
    for key in endless_blocks episodes frames dropped frame_period_ms rule detector_version \
        verdict flags usable; do
        grep -qx "$key" keys || fail "analyze $name: no $key"
    done
    grep -qx progress keys && fail "analyze $name: a progress curve that nobody asked for"
    first=$(sed -n 's/.*"first_visual_change_ms": \([0-9.]*\).*/\1/p' out)
    after=$(sed -n 's/.*"first_visual_change_after_ms": \([0-9.]*\).*/\1/p' "$recordings/$name.json")
    awk -v a="${first:-none}" -v b="$after" 'BEGIN { exit !(a > b - 18 && a < b + 18) }' ||
        fail "analyze $name: first change at $first ms, the recording says after $after ms"
done

# check_options NAME WIDTH HEIGHT: the other ways to look at a recording.
check_options() {
    video=$recordings/$1.nut
    expect 0 analyze "$video" # from its first frame on
    says out usable
    plain out
    expect 0 analyze "$video" --json --progress --screen "0,0,$2,0,$2,$3,0,$3"
    json out
    grep -qx progress keys || fail "analyze --progress $1: no curve"
    expect 0 analyze "$video" --rule literal
    says out literal
}
check_options xterm 320 240
check_options dillo 480 270
"$touchstone" analyze - --json --exposure-ms 0 <"$video" >piped 2>err ||
    fail "analyze from standard input: $(cat err)"
expect 0 analyze "$video" --json --exposure-ms 0
cmp -s piped out || fail "analyze: standard input gives something else"
printf 'YUV4MPEG2 W20 H20 F60:1 Cmono\n' >still.y4m
for _ in $(seq 1 200); do
    printf 'FRAME\n%400s' ' ' >>still.y4m
done
# shellcheck disable=SC2002 # a pipe, not a file
cat still.y4m | "$touchstone" analyze - >out 2>err || fail "analyze from a pipe: $(cat err)"
says out no_change
expect 1 analyze "$recordings"
says err folder
expect 0 analyze "$video" --screen auto
says out "screen  "
expect 1 analyze - --screen auto
says err "goes through the film twice"
expect 1 analyze "$video" --screen 900,900,950,900,950,950,900,950
says err --screen
expect 1 analyze missing.mp4
says err missing.mp4
expect 1 analyze binary
says err binary
: >empty.mp4
expect 1 analyze empty.mp4
says err empty.mp4
video=$recordings/xterm.nut
expect 1 analyze "$video" --frames missing.csv
says err missing.csv
printf 'frame,seq,arrival_ns\n0,0,1\n' >short.csv
expect 1 analyze "$video" --frames short.csv
says err short.csv
expect 1 analyze "$video" --frames binary
finish
