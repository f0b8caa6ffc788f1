#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A rig is calibrated; its files are damaged, made old, made another's; and campaigns that use them.
#   calibrate.sh TOUCHSTONE FOLDER RESTAMP DAMAGE PLAN
set -u
touchstone=$1 folder=$2 restamp=$3 damage=$4 plan=$5
failures=0
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder" || exit 1

# expect CODE ARGUMENT...: runs touchstone; its output is in the files out and err.
expect() {
    code=$1
    shift
    "$touchstone" "$@" >out 2>err </dev/null
    got=$?
    [ "$got" -eq "$code" ] || wrong "touchstone $*: exit code $got instead of $code"
}
wrong() {
    echo "FAILED: $*"
    sed 's/^/    /' out err | head -n 20
    failures=$((failures + 1))
}
says() {
    grep -qF -- "$2" "$1" || wrong "\"$2\" is not in $1"
}

expect 0 rig new rig --bench sim --options rig=7,faults=0
begin=$(date +%s)
expect 0 calibrate all --rig rig --seed 3
echo "calibrate all: $(($(date +%s) - begin)) s"
for kind in clock camera stylus screen noise; do
    says out "$kind (n = "
    [ -s "rig/calibration/$kind.json" ] || wrong "there is no $kind.json"
done
[ ! -e rig/calibration/observers.json ] || wrong "all launched apps"
says rig/calibration/noise.json mcu_p999_us
says rig/calibration/noise.json '"host": "'

# The latency is a difference between the LEDs' clock and the host's, and no surer than that clock.
number() { # FILE QUANTITY MEMBER
    sed -n "s/.*\"$2\": {.*\"$3\": \([0-9.e+-]*\).*/\1/p" "rig/calibration/$1.json"
}
latency_u=$(number camera latency_ms u)
clock_u=$(number clock mcu_offset_u_ms value)
awk -v a="$latency_u" -v b="$clock_u" 'BEGIN { exit !(b > 0 && a > 0.9 * b) }' ||
    wrong "the latency's u is $latency_u, the clock's $clock_u ms"

"$damage" rig/calibration/*.json >out 2>err || wrong "damage goes unseen"
grep -v believed$ out >&2
grep -E ' 0 believed$' out | sed 's|.*/||'

# The computer's noise is real; what the rig says is the same again.
cp -R rig again
cp -R rig/calibration/sessions/*/ first
rm -rf again/calibration/sessions
expect 0 calibrate all --rig again --seed 3
cp -R again/calibration/sessions/*/ second
diff -r first second >out 2>&1 || wrong "two sessions of one seed differ"
for kind in clock camera stylus screen; do
    grep -v '"date"\|"checksum"' rig/calibration/$kind.json >a
    grep -v '"date"\|"checksum"' again/calibration/$kind.json >b
    cmp -s a b || wrong "$kind.json differs from the one before"
done
rm -rf first second again

head -c 300 rig/calibration/camera.json >cut.json
cp -R rig cut
mv cut.json cut/calibration/camera.json
expect 1 run "$plan" --rig cut --out never
says err camera.json
rm -rf cut

# refused KIND MEMBER VALUE WHY
refused() {
    cp -R rig other
    "$restamp" other "$1" "$2" "$3" || wrong "restamp $*"
    expect 1 run "$plan" --rig other --out "no-$1-$2"
    says err "$4"
    says err --force
    says err "touchstone calibrate $1"
    rm -rf other
}
refused camera days 8 "8 days old"
refused stylus days 31 "31 days old"
refused screen days -3 "future"
refused stylus board mega "another board (mega, now uno)"
refused stylus firmware 0.0.9 "another firmware (0.0.9, now"
refused camera camera "640x480 at 60" "another camera mode"
refused noise host "Old computer" "another computer (Old computer, now"
refused screen phone "Pixel 9" "another phone (Pixel 9, now Simulated phone"
refused clock rig bench9 "another rig (bench9, now rig)"

cp -R rig other
"$restamp" other stylus firmware 0.0.9
sed -i 's/rig=7/rig=2/' other/rig.yaml # another camera
expect 0 run "$plan" --rig other --out forced --force
says forced/rig/forced.txt "another firmware"
says forced/rig/forced.txt "the camera's"
cmp -s other/calibration/stylus.json forced/rig/stylus.json || wrong "the file was not copied in"

expect 2 calibrate observers camera --rig rig --plan "$plan"
expect 2 calibrate observers --rig rig
expect 2 calibrate noise
expect 0 rig new here --bench live
expect 0 calibrate noise --rig here --json
says out '"p999_us"'
says err "no rig answers"
cd / && rm -rf "$folder"
exit $((failures > 0))
