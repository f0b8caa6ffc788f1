#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What a rig buys: three simulated phones, light and under load. One estimator is trained on what the
# rig measured, one on ActivityManager's numbers; both estimate a phone that neither has seen, and
# the bench's reference values judge.
. "$(dirname "$0")/common.sh"

# campaign NAME SEED OPTIONS
campaign() {
    cat >plan.yaml <<PLAN
name: $1
apps:
  - {name: Calculator, component: com.android.calculator2/.Calculator}
  - {name: Settings, component: com.android.settings/.Settings}
  - {name: Mail, component: org.example.mail/.InboxActivity}
  - {name: Maps, component: org.example.maps/.MapActivity}
  - {name: Gallery, component: com.android.gallery3d/.app.GalleryActivity}
launches: 5
plate_taps: 5
keep_video: none
events: true
bench: {faults: 0, observer_accessibility: 2, $3}
PLAN
    expect 0 run plan.yaml --bench sim --seed "$2" --out "$1" --truth "$1.jsonl"
    sed 's/.*"launch":\([0-9]*\),.*"lift_ns":\([0-9]*\),.*"settled_ns":\([0-9]*\),.*/\1 \2 \3/' \
        "$1.jsonl" | awk -v session="$1" '{ printf "%s/%d,%.3f\n", session, $1, ($3 - $2) / 1e6 }'
}
{
    campaign one-light 1 "phone_unit: 1, android: 7"
    campaign one-heavy 2 "phone_unit: 1, android: 7, observer_log: 25"
    campaign two-light 3 "phone_unit: 2, android: 10, refresh_hz: 90"
    campaign two-heavy 4 "phone_unit: 2, android: 10, refresh_hz: 90, observer_log: 25"
    campaign three-light 5 "phone_unit: 3, android: 14, refresh_hz: 120"
    campaign three-heavy 6 "phone_unit: 3, android: 14, refresh_hz: 120, observer_log: 25"
} >reference.csv
for phone in one two three; do
    expect 0 estimate features $phone-light $phone-heavy --device $phone -o $phone.csv
    says out "0 of them without accessibility events"
done

# estimates TARGET: of each phone by what the other two teach.
estimates() {
    for phone in one two three; do
        expect 0 estimate train $(ls one.csv two.csv three.csv | grep -v "^$phone") \
            --kind ratio --target "$1" -o model.json
        expect 0 estimate predict model.json $phone.csv
        sed 1d out
    done
}
estimates settled_ms >rig.csv
estimates time_to_initial_display_ms >android.csv
for phone in one two three; do sed 1d $phone.csv; done >rows.csv
cut -d, -f3,5 rows.csv >measured.csv
cut -d, -f3,6 rows.csv >displayed.csv

# error FILE: of its times against the reference, relative, in percent
error() {
    awk -F, 'NR == FNR { reference[$1] = $2; next }
        $1 in reference && $2 != "NA" {
            off = $2 - reference[$1]
            relative += (off < 0 ? -off : off) / reference[$1]
            absolute += off < 0 ? -off : off
            count++
        }
        END { printf "%.1f %.0f %d\n", 100 * relative / count, absolute / count, count }' \
        reference.csv "$1"
}
say() { printf '%-52s %6s %% %6s ms  %4s launches\n' "$1" $(error "$2"); }
say "the rig itself" measured.csv
say "events, trained on the rig (other phones)" rig.csv
say "events, trained on ActivityManager (other phones)" android.csv
say "ActivityManager itself" displayed.csv
of() { error "$1" | cut -d. -f1; }
[ "$(error rig.csv | cut -d' ' -f3)" -ge 140 ] || fail "too few launches were judged"
[ "$(of measured.csv)" -lt 2 ] || fail "the rig is off by $(error measured.csv)"
[ "$(of rig.csv)" -lt 20 ] || fail "the rig's estimator is off by $(error rig.csv)"
[ $((2 * $(of rig.csv))) -lt "$(of android.csv)" ] || fail "the rig buys too little"
finish
