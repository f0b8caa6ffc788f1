#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Launches by `am start`, judged against when the simulated phone wrote its START line; what is said
# of them, and that nobody compares them with those of a tap.
#   am.sh TOUCHSTONE JUDGE PLAN FOLDER SEED:ANDROID...
set -eu
touchstone=$1 judge=$2 plan=$3 folder=$4
shift 4
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
fail() {
    echo "FAILED: $*"
    exit 1
}
says() { grep -qF -- "$2" "$1" || fail "$1 does not say: $2"; }
refuses() { # words, plan
    "$touchstone" run "$2" --bench sim --out refused >out 2>err && fail "$2 was taken"
    says err "$1"
}

pairs=
for pair in "$@"; do
    seed=${pair%:*}
    {
        sed "s/^launches: .*/launches: 1/" "$plan"
        echo "launch_from: am"
        echo "bench: {android: ${pair#*:}}"
    } >plan.yaml
    "$touchstone" run plan.yaml --bench sim --seed "$seed" --out "$seed" --truth "$seed.truth" \
        >"$seed.txt" 2>"$seed.err"
    pairs="$pairs $seed $seed.truth"
done
# shellcheck disable=SC2086 # the folders have no blanks
"$judge" $pairs

seed=${1%:*}
says "$seed.txt" "Android's start"
grep -q "lift" "$seed.err" && fail "a lift is spoken of"
says "$seed/report.html" "after Android"
launch=$seed/launches/0001
grep -q '"launch_from": "am"' "$launch/result.json" || fail "the result does not say what began it"
grep -q '"text":"am start -W -a android.intent.action.MAIN' "$launch/events.jsonl" ||
    fail "the phone was not told"
taps() { grep -q '"c":[0-9]*,"k":"mcu","type":5,' "$1/launches/0001/events.jsonl"; } # WIRE_TAP
taps "$seed" && fail "there was a tap"
grep -q 'touch up' "$launch/events.jsonl" && fail "there was a touch"
"$touchstone" show "$seed" 1 >out
says out "ms after Android's start"
grep -q contact out && fail "a contact is spoken of"
"$touchstone" show "$seed" 1 --budget >out
says out "phone's clock on the host's"
says out "stamp of Android's start"
"$touchstone" export "$seed" --format csv -o all.csv >out
head -n 1 all.csv | grep -q 'start_u_ms.*launch_from' || fail "the CSV does not say"
"$touchstone" explain "$seed" 1 >out
says out "after Android's start"
"$touchstone" replay "$seed" --strict >out
if "$touchstone" estimate features "$seed" -o features.csv >out 2>err; then
    fail "a launch without a touch became one of an estimator's"
fi
says err "was launched by am start"

# Two launches by a tap are another thing.
{
    sed "s/^launches: .*/launches: 2/; /^  - {/{ /Calculator/!d }" "$plan"
    echo "bench: {faults: 0}"
} >tapped.yaml
"$touchstone" run tapped.yaml --bench sim --seed 1 --out tapped >out 2>err
taps tapped || fail "no tap was found where there was one"
if "$touchstone" compare "$seed" tapped >out 2>err; then fail "unlike times were compared"; fi
says err "zero is Android's start there and lift here"
"$touchstone" report tapped --base "$seed" >out 2>err || true
says tapped/report.html "it counts from Android"

{ cat plan.yaml && echo "phone: none"; } >none.yaml
refuses "launch_from: am tells a phone to start the app, and phone is none" none.yaml
rm -rf "$folder"
