#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The power meter is calibrated, and energies rest on what that found: right within what they state,
# which is less than the shunt's tolerance would leave.
#   meter.sh TOUCHSTONE FOLDER
set -eu
touchstone=$1 folder=$2
rm -rf "$folder"
mkdir -p "$folder"
fail() { echo "$*"; exit 1; }
cat >"$folder/plan.yaml" <<'PLAN'
name: meter
apps:
  - {name: Contacts, component: com.android.contacts/.activities.PeopleActivity}
launches: 1
keep_video: none
meters: [energy]
bench: {faults: 0}
PLAN

# energy FILE value|u: what a result says of it
energy() { tr -d ' \n"' <"$1" | sed 's/.*[{,]energy_mj:{\([^}]*\)}.*/\1/' | tr ',' '\n' | sed -n "s/^$2://p"; }
for rig in 31 32; do
    "$touchstone" rig new "$folder/$rig" --bench sim --options "rig=$rig" >/dev/null
    "$touchstone" calibrate power --rig "$folder/$rig" --seed $rig --load-ma 500 \
        --load-percent 0.2 >"$folder/log"
    grep -q '^shunt_mohm ' "$folder/log" || fail "calibrate says nothing of the shunt"
    "$touchstone" replay --strict "$folder/$rig"/calibration/sessions/* >/dev/null ||
        fail "its session is not replayed as it was"
    "$touchstone" run "$folder/plan.yaml" --rig "$folder/$rig" --seed $rig \
        --out "$folder/run-$rig" --truth "$folder/run-$rig.truth" >"$folder/log" 2>&1 ||
        { cat "$folder/log"; fail "run failed"; }
    "$touchstone" replay --strict "$folder/run-$rig" >/dev/null || fail "the run is not replayed"
    grep -q 'shunt, as measured' "$folder/run-$rig/report.html" || fail "the report does not say"
    truth=$(tr -d ' "' <"$folder/run-$rig.truth" | tr ',' '\n' | sed -n 's/^energy_mj://p')
    result=$folder/run-$rig/launches/0001/result.json
    echo "rig $rig: $(energy "$result" value) mJ (u $(energy "$result" u)), truth $truth"
    awk "BEGIN { value = $(energy "$result" value); off = value - $truth; u = $(energy "$result" u)
        exit !(off < 2.6 * u && -off < 2.6 * u && u < 0.005 * value) }" || fail "it is not used"
done

"$touchstone" calibrate power --rig "$folder/31" 2>"$folder/log" && fail "without --load-ma"
grep -q -- '--load-ma' "$folder/log" || fail "it does not say what is missing"
"$touchstone" rig new "$folder/bare" --bench sim --options "rig=31,power_meter=absent" >/dev/null
"$touchstone" calibrate power --rig "$folder/bare" --load-ma 500 2>"$folder/log" && fail "absent"
grep -q 'heard 0 times' "$folder/log" || { cat "$folder/log"; fail "absent: no reason"; }
[ ! -e "$folder/bare/calibration/power.json" ] || fail "absent, but there is a file"
rm -rf "$folder"
