#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Campaigns with meters on the simulated bench: judged; then without the power meter, with one that
# goes away in mid-campaign, and without meters at all.
#   energy.sh TOUCHSTONE JUDGE FOLDER everyday|all
set -eu
touchstone=$1 judge=$2 folder=$3 tier=$4
rm -rf "$folder"
mkdir -p "$folder"
fail() { echo "$*"; exit 1; }

plan() { # NAME LAUNCHES METERS BENCH
    {
        echo "name: $1"
        echo "apps:"
        echo "  - {name: Calculator, component: com.android.calculator2/.Calculator}"
        echo "  - {name: Contacts, component: com.android.contacts/.activities.PeopleActivity}"
        echo "launches: $2"
        echo "keep_video: none"
        [ -z "$3" ] || echo "meters: [$3]"
        echo "bench: {$4}"
    } >"$folder/$1.yaml"
}
run() { # NAME SEED
    "$touchstone" run "$folder/$1.yaml" --bench sim --seed "$2" --out "$folder/$1-$2" \
        --truth "$folder/$1-$2.truth" >"$folder/log" 2>&1 || { cat "$folder/log"; fail "$1: run failed"; }
}
# What result.json of a launch says of a key.
says() { # NAME-SEED LAUNCH KEY
    sed -n "s/^ *\"$3\": *\"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}\$/\1/p" \
        "$folder/$1/launches/000$2/result.json" | head -1
}

if [ "$tier" = all ]; then
    plan many 6 "energy, memory, network, cpu" ""
    pairs=
    for seed in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
        run many $seed
        pairs="$pairs $folder/many-$seed $folder/many-$seed.truth"
    done
    # shellcheck disable=SC2086 # the folders have no blanks
    "$judge" $pairs
    rm -rf "$folder"
    exit 0
fi

plan judged 6 "energy, memory, network, cpu" "faults: 0, android: 14"
run judged 1
plan older 1 "energy, memory, network, cpu" "faults: 0, android: 7, board: mega"
run older 2
"$judge" "$folder/judged-1" "$folder/judged-1.truth" "$folder/older-2" "$folder/older-2.truth"
"$touchstone" replay --strict "$folder/judged-1" >/dev/null || fail "it is not replayed as it was"
"$touchstone" show "$folder/judged-1" 1 | grep -q '^energy  *[0-9]' || fail "show tells no energy"
"$touchstone" show "$folder/judged-1" 1 | grep -q '^processor time' || fail "show tells no time"
grep -q 'What a launch costs' "$folder/judged-1/report.html" || fail "the report has no costs"
"$touchstone" export "$folder/judged-1" --format csv >"$folder/csv"
head -1 "$folder/csv" | grep -q ',energy_mj,energy_u_mj,energy_u_common_mj,.*,cpu_ms,' ||
    fail "export has no columns of costs"

# It goes away after the lift of launch 2 and is away for 6 s: that launch has no energy and says
# why; when it is back, the next one has.
plan lost 2 energy "faults: 0, power_lost_at_launch: 2"
run lost 3
[ "$(says lost-3 1 supply)" = measured ] || fail "launch 1: $(says lost-3 1 supply)"
[ "$(says lost-3 2 supply)" = lost ] || fail "launch 2: $(says lost-3 2 supply)"
[ "$(says lost-3 4 supply)" = measured ] || fail "launch 4: $(says lost-3 4 supply)"
[ "$(says lost-3 2 verdict)" = usable ] || fail "its time is usable all the same"
grep -q '"power_unknown"' "$folder/lost-3/launches/0002/result.json" || fail "no flag"
! grep -q '"power_unknown"' "$folder/lost-3/launches/0001/result.json" || fail "a flag too many"
"$touchstone" show "$folder/lost-3" 2 | grep -q 'silent for a part' || fail "show gives no reason"

plan absent 1 energy "faults: 0, power_meter: absent"
run absent 4
[ "$(says absent-4 1 supply)" = absent ] || fail "absent: $(says absent-4 1 supply)"
[ "$(says absent-4 1 verdict)" = usable ] || fail "absent: not usable"

# Who asks for nothing gets nothing, and nothing is asked of anybody.
plan plain 1 "" "faults: 0"
run plain 5
! grep -q '"costs"\|"supply"' "$folder"/plain-5/launches/*/result.json || fail "costs unasked"
! grep -q '"k":"mcu","type":12,\|meminfo\|netstats\|meters_before' \
    "$folder"/plain-5/launches/*/events.jsonl || fail "meters unasked"
grep -q '"k":"mcu","type":12,' "$folder/lost-3/launches/0001/events.jsonl" || fail "this test is blind"
rm -rf "$folder"
