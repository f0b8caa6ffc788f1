#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What may befall a launch, each in every launch of a campaign; and a sunset, which befalls none. A
# broken launch is flagged for it and counts in no median, or what befell it came to nothing.
#   faults.sh TOUCHSTONE LIVE_JUDGE FOLDER
set -eu
touchstone=$1 judge=$2 folder=$3
rm -rf "$folder"
mkdir -p "$folder"
list=
for fault in no_contact bounce slow_arm missed_touch dialog crash notification dropped_frames \
    usb_stall refresh_switch no_start still_alive log_lost room_light sunset; do
    option="fault: $fault"
    [ $fault != sunset ] || option="faults: 0, drift_per_s: -0.01"
    cat >"$folder/plan.yaml" <<PLAN
name: $fault
apps:
  - {name: Calculator, component: com.android.calculator2/.Calculator}
  - {name: Contacts, component: com.android.contacts/.activities.PeopleActivity}
launches: 3
plate_taps: 5
keep_video: none
bench: {$option}
PLAN
    "$touchstone" run "$folder/plan.yaml" --bench sim --seed 3 --out "$folder/$fault" \
        --truth "$folder/$fault.truth" >"$folder/$fault.txt" 2>"$folder/$fault.err"
    usable=$(cat "$folder/$fault"/launches/*/result.json | grep -c '"usable": true' || true)
    grep -q "^$usable of 6 launches count" "$folder/$fault.txt"
    list="$list $folder/$fault $folder/$fault.truth 6 0"
done
# shellcheck disable=SC2086 # the folders have no blanks
"$judge" $list
rm -rf "$folder"
