#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A newcomer's way on the live bench, in real time: a rig is made, looked at, calibrated by the hands
# of touchstone-bench, verified, and measures.
#   rig.sh TOUCHSTONE_BENCH TOUCHSTONE FOLDER
set -eu
bench=$1 touchstone=$2 folder=$3
export ASAN_OPTIONS="verify_asan_link_order=0:detect_leaks=0"
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

# live EXIT_CODES ARGUMENT...: runs touchstone over the bench's devices.
live() {
    wanted=$1 code=0
    shift
    "$bench" exec -- "$touchstone" "$@" >out 2>&1 </dev/null || code=$?
    case " $wanted " in
    *" $code "*) ;;
    *)
        echo "touchstone $*: exit $code, not $wanted"
        cat out
        exit 1
        ;;
    esac
}
says() { grep -qF -- "$2" "$1" || { echo "\"$2\" is not in $1:"; cat "$1"; exit 1; }; }

"$touchstone" rig new rig >out
live "0 3" doctor --rig rig # 3: warnings, such as of files that are not there yet
says out "touchstone calibrate stylus --rig rig"
live 0 calibrate all --rig rig
says out "Lay the contact plate"
for kind in clock camera stylus screen noise; do
    [ -s "rig/calibration/$kind.json" ] || { echo "no $kind.json"; exit 1; }
done
live 0 calibrate power --rig rig --load-ma 500 --load-percent 0.2
says out "Put the load"
says rig/calibration/power.json '"shunt_mohm": {"value": 10.'
live 0 verify --rig rig
says out "rig: passed"
cat >plan.yaml <<'PLAN'
name: first
apps:
  - {name: Clock, component: com.android.deskclock/.DeskClock}
launches: 2
PLAN
live 0 run plan.yaml --rig rig --out session
says out "60 taps"
says out "Check standard: in control before and after"
"$touchstone" show session >out
says out "of 2 launches count"
"$touchstone" replay session >out
says out "2 of 2 results are identical"
"$touchstone" explain session 1 >out
says out "process start"
cd / && rm -rf "$folder"
