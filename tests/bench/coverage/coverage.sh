#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Campaigns under many conditions on the simulated bench, and how often what they state holds.
#   coverage.sh TOUCHSTONE COVERAGE PLAN FOLDER everyday|all
#
# A line below is a session: its tier, which instrument measures, and the bench's options. A rig is
# calibrated first, into files; `taps` learns the stylus from the taps at its start; `nominal` has
# never seen a contact plate. Two sessions at a time.
set -eu
touchstone=$1 coverage=$2 plan=$3 folder=$4 tier=$5

sessions() {
    cat <<END
everyday 11:125 refresh_hz=90,bridge=ftdi16
everyday 12:120 refresh_hz=60,bridge=16u2
all 11:125 refresh_hz=60,bridge=16u2,phone_step_at_launch=20,mcu_reset_at_launch=60
all 11:125 refresh_hz=90,bridge=ftdi16,ppm=3000
all 11:125 refresh_hz=120,bridge=ftdi1,drop_rate=0.01
all 12:120 refresh_hz=60,bridge=none,jitter_ms=3
all 12:120 refresh_hz=120,bridge=ftdi16,stall_at_launch=30
all 12:120 refresh_hz=90,bridge=16u2,wander_ppm=20
all 13:100 refresh_hz=60,bridge=ftdi1,mcu_reset_at_launch=40
all 13:100 refresh_hz=90,bridge=none,ppm=-3000
all 13:100 refresh_hz=120,bridge=16u2,drop_rate=0.005
all 14:187 refresh_hz=60,bridge=ftdi16,wander_ppm=20
all 14:187 refresh_hz=90,bridge=ftdi1,stall_at_launch=50,stall_ms=300
all 14:187 refresh_hz=120,bridge=16u2,jitter_ms=3,phone_step_at_launch=90
all taps refresh_hz=60,bridge=16u2,rate_hz=125
all taps refresh_hz=120,bridge=none,rate_hz=120,phone_step_at_launch=10
all nominal refresh_hz=90,bridge=ftdi1,rate_hz=125
all nominal refresh_hz=60,bridge=16u2,rate_hz=100
END
}

# The conditions of a session: key=value where there are few values, else the key.
conditions() { # instrument, options
    case $1 in
    *:*) printf 'calibrated,rate_hz=%s' "${1#*:}" ;;
    *) printf '%s' "$1" ;;
    esac
    printf '%s' ",$2" | sed 's/_at_launch//g; s/,stall_ms=[^,]*//; s/\(ppm\|jitter_ms\|drop_rate\|stall\|mcu_reset\|phone_step\)=[^,]*/\1/g'
}

measure() { # number, instrument, options
    name=$folder/$1
    taps=12
    [ "$2" = nominal ] && taps=0
    {
        sed '/^launches:/d; /^plate_taps:/d' "$plan"
        if [ "$tier" = everyday ]; then echo "launches: 7"; else echo "launches: 10"; fi
        printf 'plate_taps: %s\nkeep_video: none\nbench:\n' "$taps"
        printf '%s\n' "$3" | tr , '\n' | sed 's/\(.*\)=/  \1: /'
    } >"$name.yaml"
    set -- "$1" "$2" --seed "$((700 + $1))" --out "$name" --truth "$name.truth"
    case $2 in
    *:*) set -- "$@" --rig "$folder/rig${2%:*}" ;;
    *) set -- "$@" --bench sim ;;
    esac
    shift 2
    "$touchstone" run "$name.yaml" "$@" >"$name.txt" 2>"$name.err"
    rm -f "$name"/launches/*/blocks.bin
}

rm -rf "$folder"
mkdir -p "$folder"
sessions | while read -r of instrument options; do
    [ "$of" = "$tier" ] || continue
    rig=$folder/rig${instrument%:*}
    case $instrument in
    *:*)
        [ -d "$rig" ] && continue
        "$touchstone" rig new "$rig" --bench sim --options "rig=${instrument%:*},rate_hz=${instrument#*:}"
        "$touchstone" calibrate all --rig "$rig" --seed 3 >"$rig.txt" 2>"$rig.err"
        ;;
    esac
done
number=0
sessions | {
    while read -r of instrument options; do
        [ "$of" = "$tier" ] || continue
        number=$((number + 1))
        echo "$(conditions "$instrument" "$options") $folder/$number $folder/$number.truth" >>"$folder/list"
        measure "$number" "$instrument" "$options" &
        [ $((number % 2)) = 0 ] && wait
    done
    wait
}
"$coverage" "$tier" <"$folder/list"
rm -rf "$folder"
