#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Healthy rigs have no warning; whatever is broken is named, with what to do about it.
#   doctor.sh TOUCHSTONE FOLDER RESTAMP FIRST_SEED LAST_SEED
set -u
touchstone=$1 folder=$2 restamp=$3 seed=$4 last=$5
failures=0
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder" || exit 1

wrong() {
    echo "FAILED: $*"
    sed 's/^/    /' out err
    failures=$((failures + 1))
}
doctor() {
    code=$1
    shift
    "$touchstone" doctor "$@" >out 2>err </dev/null
    got=$?
    [ "$got" -eq "$code" ] || wrong "doctor $*: exit code $got instead of $code"
}
# names LEVEL FINDING ADVICE: and nothing else is worse than a note.
names() {
    grep -q "^$1  *$2" out || wrong "no $1 \"$2\""
    tr -s ' \n' '  ' <out | grep -qF -- "$3" || wrong "it does not say \"$3\""
    [ "$(grep -c '^warning\|^failure' out)" -eq 1 ] || wrong "more than $2 is bad"
}

while [ "$seed" -le "$last" ]; do
    doctor 0 --bench sim --seed "$seed"
    grep -q '^ok  *status  *0 bad bytes, 0 unsent, 0 missed' out || wrong "the board was not asked"
    seed=$((seed + 1))
done

broken() {
    code=$1 options=$2
    shift 2
    doctor "$code" --bench sim --seed 5 --options "$options"
    names "$@"
}
broken 3 drop_rate=0.03 warning frames "a USB controller of its own"
broken 1 drop_rate=0.2 failure frames "a USB controller of its own"
broken 3 pwm_hz=240,pwm_depth=0.6,exposure_ms=3 warning flicker "at 240 Hz: raise the phone's"
broken 3 mains_hz=100,mains_depth=0.9,exposure_ms=3 warning flicker "at 100 Hz: switch the room's"
broken 3 bridge=ftdi16 warning "round trip" latency_timer
broken 3 log_step=10ms warning "log clock" "rest nothing on them"
broken 1 fault=missed_touch failure touches "earth the tip"
doctor 1 --bench sim --space 1e8
names failure disk "move old sessions away"
doctor 3 --bench sim --sessions "$folder/nowhere"
names warning disk "say with --sessions"
doctor 1 # live, and no rig is there
grep -q '^failure  *session' out || wrong "a rig that is not there is no failure"
doctor 0 --bench sim --no-phone --keep kept
[ -s kept/session.json ] || wrong "--keep kept nothing"
doctor 1 --bench sim --keep kept
names failure session kept

"$touchstone" rig new rig --bench sim --options rig=7 >out
doctor 3 --rig rig
grep -q '^warning  *camera file' out || wrong "missing calibration is no warning"
"$touchstone" calibrate all --rig rig >out 2>err || wrong "cannot calibrate"
ls -lR rig >before
doctor 0 --rig rig
ls -lR rig >after
cmp -s before after || wrong "doctor left something behind"

# stamped KIND MEMBER VALUE ADVICE
stamped() {
    cp -R rig other
    "$restamp" other "$1" "$2" "$3" || wrong "restamp $*"
    doctor 1 --rig other
    names failure "$1 file" "$4"
    rm -rf other
}
stamped camera days 9 "9 days old, more than 7; run \`touchstone calibrate camera\`"
stamped stylus firmware 0.0.9 "another firmware (0.0.9, now"
stamped clock board mega "another board"
stamped noise host "Old computer" "another computer"
cp -R rig other
sed -i 's/"value": /"value": 1/' other/calibration/stylus.json
doctor 1 --rig other --json
grep -q '"name": "stylus file", "level": "failure"' out || wrong "damage is not named"
grep -q '"verdict": "failure"' out || wrong "no verdict"
doctor 1 --rig other
names failure "stylus file" "run \`touchstone calibrate stylus\`"
sed -i 's/rig/gir/' other/rig.yaml
doctor 1 --rig nothing
doctor 2 --rig rig --bench sim
doctor 2 --space much
doctor 2 rig
cd / && rm -rf "$folder"
exit $((failures > 0))
