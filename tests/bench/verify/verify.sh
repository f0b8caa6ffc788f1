#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# One rig, calibrated, verified, falsified; and the check standard about a campaign with it.
#   verify.sh TOUCHSTONE FALSIFY FOLDER [all]
set -u
touchstone=$1 falsify=$2 folder=$3 what=${4:-some}
here=$(cd "$(dirname "$0")" && pwd)
failures=0
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder" || exit 1

# expect CODE ARGUMENT...
expect() {
    code=$1
    shift
    "$touchstone" "$@" >out 2>err </dev/null
    got=$?
    [ "$got" -eq "$code" ] && return
    echo "FAILED: touchstone $*: exit code $got instead of $code"
    sed 's/^/    /' out err | head -n 60
    failures=$((failures + 1))
}

# says FILE TEXT
says() {
    grep -qF -- "$2" "$1" && return
    echo "FAILED: \"$2\" is not in $1, which says:"
    sed 's/^/    /' "$1" | head -n 60
    failures=$((failures + 1))
}

expect 0 rig new rig --bench sim --options rig=7,faults=0
expect 1 verify --rig rig
says err "calibrate all"
expect 0 calibrate stylus camera --rig rig --seed 31

# Without a certificate a campaign goes unchecked, and says so once.
cat >plan.yaml <<PLAN
name: one
apps:
  - {name: Calculator, component: com.android.calculator2/.Calculator}
launches: 1
keep_video: none
PLAN
expect 0 run plan.yaml --rig rig --seed 4 --out unchecked
says err "has no certificate"
[ -e unchecked/checks ] && echo "FAILED: checks without a certificate" && failures=1

expect 0 verify --rig rig --seed 32 --scenes 18 --operator "B. Example"
says out "passed"
says rig/verify/certificate.json "\"certificate\": \"passed\""
says rig/verify/certificate.html "B. Example"
cp rig/verify/certificate.json certificate.json

# falsified KIND NAME BY: is found, named, and put right again.
falsified() {
    cp -r rig false
    "$falsify" false "$1" "$2" "$3" || failures=1
    expect 1 verify --rig false --seed 33 --scenes 12 --json
    says out "\"certificate\": \"failed\""
    says err "$2"
    rm -rf false
}
falsified stylus lift_delay_ms 5
falsified camera latency_ms -5
if [ "$what" = all ]; then
    falsified stylus lift_delay_ms -5
    falsified stylus contact_offset_ms 5
    falsified stylus contact_offset_ms -5
    falsified camera latency_ms 5
    falsified camera exposure_ms 5
    falsified camera readout_ms 5
    falsified camera readout_ms -5
fi

# A campaign between two checks; its own evidence is the same as without them.
expect 0 run plan.yaml --rig rig --seed 4 --out checked
says checked/checks/verdict.json "\"in_control\": true"
for part in before after; do
    [ -e "checked/checks/$part/session.json" ] || { echo "FAILED: no $part"; failures=1; }
done
cmp checked/checks/certificate.json certificate.json || failures=1
for file in launches/0001/result.json launches/0001/events.jsonl calibration/calibration.json; do
    cmp "checked/$file" "unchecked/$file" || failures=1
done
expect 0 verify --chart --rig rig
says out "before"
says out "after"
expect 0 verify --chart --rig rig --json
says out "\"in_control\": true"

# What a reader of the session's folder, and of the rig's, meets is described.
format=$here/../../../host/store/FORMAT.md
find checked rig -type f | sed 's|.*/||' | sort -u | while read -r name; do
    grep -qF "$name" "$format" || echo "$name"
done >untold
for file in checked/checks/*.json checked/rig/given.json checked/calibration/calibration.json \
    rig/verify/*.json rig/verify/checks.jsonl; do
    grep -o '"[a-z_0-9]*": *' "$file" | tr -d '": ' | sort -u | while read -r member; do
        grep -qF "\`$member\`" "$format" || echo "$file:$member"
    done
done >>untold
[ -s untold ] && { echo "FAILED: not in FORMAT.md: $(tr '\n' ' ' <untold)"; failures=1; }

# And told of to whoever looks at its numbers.
expect 0 show checked
says out "in control before and after"
expect 0 show checked 1 --budget
says out "stylus, from tap to tap"
expect 0 show unchecked
says out "Rig: not verified"
says checked/report.html "Verification passed"
says unchecked/report.html "Not verified"

# A camera whose exposure is another one today: refused, and nothing is measured.
cat >other.yaml <<PLAN
$(cat plan.yaml)
bench: {exposure_ms: 2}
PLAN
expect 1 run other.yaml --rig rig --seed 6 --out refused
says err "was not begun"
[ -e refused ] && echo "FAILED: a refused campaign has a folder" && failures=1

# A damaged certificate is not believed.
sed 's/"rig": "rig"/"rig": "rug"/' certificate.json >rig/verify/certificate.json
expect 1 run plan.yaml --rig rig --seed 7 --out damaged
says err "checksum"

expect 2 verify
expect 2 verify --rig rig --scenes 3
expect 2 verify --repeatability rig
cp certificate.json rig/verify/certificate.json
cp -r rig second
expect 0 verify --repeatability rig second
says out "s_R"
expect 0 verify --repeatability --json rig second
says out "cochran"

[ "$failures" -eq 0 ] || exit 1
cd / && rm -rf "$folder"
