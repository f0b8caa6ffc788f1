#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The phone in hand: its settings, what befalls it in mid-campaign, and campaigns that go on after
# they were cut off. All that can befall it only when the fifth argument is "all".
. "$(dirname "$0")/common.sh"

state="$work/state"
values() { grep -v ' $' "$state" | sort; } # those that are not deleted

# A plan of two apps, three launches each, on a phone that keeps its settings in a file.
plan() { # options of the bench, further lines
    cat >plan.yaml <<PLAN
name: phone
apps:
  - {name: Calculator, component: com.android.calculator2/.Calculator}
  - {name: Mail, component: org.example.mail/.InboxActivity}
launches: ${launches:-3}
plate_taps: 5
keep_video: none
bench: {faults: 0, phone_state: $state, $1}
$2
PLAN
}

field() { # session, launch, name: of its result
    sed -n "s/^ *\"$3\": \(.*[^,]\),*\$/\1/p" "$1/launches/000$2/result.json" | head -n 1
}

flags() { # session, launch
    tr -d '\n ' <"$1/launches/000$2/result.json" | sed 's/.*"flags":\[\([^]]*\)\].*/\1/'
}

# ---- check, setup, restore ----

on_phone="--bench sim --options phone_state=$state"
expect 1 phone check $on_phone
says out "screen_off_timeout: is 60000, should be 1800000"
plain out
values >owner
expect 0 phone setup $on_phone
says out "All is as it shall be"
expect 0 phone setup $on_phone
says out "0 settings set"
expect 0 phone check $on_phone --json
json out
says out '"saved": true'
expect 0 phone restore $on_phone
values | cmp - owner || fail "restore did not restore"
expect 0 phone restore $on_phone
says out "Nothing was written down"
expect 2 phone
expect 2 phone mend
expect 2 phone check setup
expect 0 phone --help

# A campaign sets the phone up and gives it back; as does one that is stopped.
plan "" ""
expect 0 run plan.yaml --bench sim --seed 4 --out whole
values | cmp - owner || fail "a campaign did not restore the settings"
grep -q '"text":"settings put system screen_off_timeout 1800000"' whole/calibration/events.jsonl ||
    fail "the campaign did not set the phone up"
expect 0 replay whole --strict

# ---- what befalls the phone, the MCU or the camera in launch 3 ----

befall() { # name, options, flag of launch 3 ("" usable), verdict of launch 5 ("" usable)
    plan "$2" ""
    rm -f "$state"
    expect 0 run plan.yaml --bench sim --seed 5 --out "$1"
    verdict=$(flags "$1" 3)
    if [ -n "$3" ]; then
        echo "$verdict" | grep -q "\"$3\"" || fail "$1: launch 3 has the flags $verdict"
        [ "$(field "$1" 3 usable)" = false ] || fail "$1: launch 3 is usable"
    else
        [ "$(field "$1" 3 usable)" = true ] || fail "$1: launch 3 is not usable: $verdict"
    fi
    [ "$(field "$1" 5 verdict)" = "\"${4:-usable}\"" ] ||
        fail "$1: launch 5 is $(field "$1" 5 verdict)"
    [ "$(field "$1" 1 usable)" = true ] || fail "$1: launch 1 is not usable"
    expect 0 replay "$1" --strict
    values | cmp -s - owner || fail "$1: the settings were not restored"
    [ "$(find "$1/launches" -name result.json | wc -l)" -eq 6 ] || fail "$1: launches are missing"
    rm -rf "$1"
}
happens() { befall "$1" "trouble: $1, trouble_at_launch: 3" "$2" "${3:-}"; }
happens keyguard_before ""
happens keyguard keyguard
happens offline rig_fault
befall mcu_reset "mcu_reset_at_launch: 3" rig_fault
befall camera_stall "camera_stall_at_launch: 3" frames_dropped
if [ "${5:-}" = all ]; then
    happens screen_off_before ""
    happens dialog_before ""
    happens button_refused_before ""
    happens button_refused start_refused
    happens app_refused start_refused
    happens heat ""
    happens screen_off screen_off
    happens anr dialog
    happens app_update app_changed app_changed
    happens sixty_hz display_mode_changed display_mode_changed
    happens reboot rig_fault
    befall mcu_lost "mcu_lost_at_launch: 3" clock_unsure
    befall camera_lost "camera_lost_at_launch: 3" rig_fault
fi

# The line that says how long the launch took comes in two pieces.
plan "trouble: cut_line, trouble_at_launch: 4" ""
expect 0 run plan.yaml --bench sim --seed 5 --out cut
flags cut 4 | grep -q log_lost || fail "a torn line was not noticed"
[ "$(field cut 4 time_to_initial_display_ms)" = null ] || fail "a torn log's number was given"
[ "$(field cut 4 usable)" = true ] || fail "the camera's numbers do not hang on the log"

# Cold by starting the phone again: it goes away before each launch, and nothing is lost by that.
launches=1
plan "android: 14" "cold_by: reboot"
rm -f "$state"
expect 0 run plan.yaml --bench sim --seed 5 --out reboot
for launch in 1 2; do
    [ "$(field reboot $launch usable)" = true ] || fail "reboot: $(flags reboot $launch)"
    [ "$(field reboot $launch start_type)" = '"cold"' ] || fail "reboot: launch $launch is not cold"
    [ "$(field reboot $launch time_to_initial_display_ms)" != null ] || fail "reboot: log lost"
    grep -q '"text":"reboot"' reboot/launches/000$launch/events.jsonl || fail "no reboot"
done
expect 0 replay reboot --strict
plan "" "launch_from: am"
expect 0 run plan.yaml --bench sim --seed 5 --out am
[ "$(field am 1 usable)" = true ] || fail "am: $(flags am 1)"
[ "$(field am 2 usable)" = true ] || fail "am: $(flags am 2)"
plan "android: 14, trouble: app_refused, trouble_at_launch: 2" "launch_from: am"
expect 0 run plan.yaml --bench sim --seed 5 --out am_refused
flags am_refused 2 | grep -q start_refused || fail "am: a refusal was not seen: $(flags am_refused 2)"
flags am_refused 2 | grep -q start_not_seen || fail "am: a launch that never began has a beginning"
[ "$(field am_refused 1 usable)" = true ] || fail "am: $(flags am_refused 1)"
plan "" "launch_from: icon"
expect 1 run plan.yaml --bench sim --out icon
says err "one icon only"
sed -i '/Mail/d; $a events: true' plan.yaml
expect 0 run plan.yaml --bench sim --seed 5 --out icon
[ "$(field icon 1 usable)" = true ] || fail "icon: $(flags icon 1)"
grep -q '"text":"input keyevent KEYCODE_HOME"' icon/launches/0001/events.jsonl ||
    fail "icon: the home screen was not shown"
expect 0 explain icon 1 # no helper saw the touch, but the phone's kernel did
says out "touch-up"
says_not out "No evidence of touch-up"
unset launches

# A launch that the guard spoiled is done again at the end.
plan "trouble: keyguard, trouble_at_launch: 3" "repeats: 1"
expect 0 run plan.yaml --bench sim --seed 5 --out again
[ "$(field again 7 app)" = '"Calculator"' ] || fail "launch 3 was not repeated"
[ "$(field again 7 usable)" = true ] || fail "the repeated launch is not usable"
expect 0 replay again --strict

# ---- cut off and resumed ----

cut() { # signal, seconds of waiting after the calibration began
    "$touchstone" run plan.yaml --bench sim --seed 6 --out cutoff >out 2>err </dev/null &
    pid=$!
    while [ ! -e cutoff/session.json ] && kill -0 $pid 2>/dev/null; do sleep 0.02; done
    sleep "$2"
    kill -s "$1" $pid 2>/dev/null
    wait $pid
}
finished() { (cd cutoff && find calibration launches/[0-9][0-9][0-9][0-9] -type f 2>/dev/null | sort); }
sums() { (cd cutoff && cat ../done | xargs -r cksum); }

launches=6
plan "" ""
rm -f "$state"
cut KILL 0.7
for wait in 0.3 1.1 1.9 2.6; do
    finished | grep -v '\.part' >done
    sums >before
    "$touchstone" run --resume --out cutoff >out 2>err </dev/null &
    pid=$!
    sleep $wait
    kill -s KILL $pid 2>/dev/null
    wait $pid
    sums | cmp - before || fail "a finished launch was touched"
done
finished | grep -v '\.part' >done
sums >before
: >cutoff/campaign.json.part # as if killed while it was written
expect 0 run --resume --out cutoff
sums | cmp - before || fail "a finished launch was touched"
[ "$(find cutoff/launches -name result.json | wc -l)" -eq 12 ] || fail "launches lost or doubled"
expect 0 status cutoff
says out "12 of 12"
expect 0 replay cutoff
says out "12 of 12 results are identical"
expect 0 replay cutoff --strict
find cutoff -name '*.part' | grep -q . && fail "an open part was left"
values | cmp - owner || fail "the settings were not restored after kill -9"
[ "$(sqlite3 cutoff/results.sqlite 'select count(*) from launch' 2>/dev/null || echo 12)" -eq 12 ] ||
    fail "results.sqlite"
# Nothing is left to do.
expect 0 run --resume --out cutoff
sums | cmp - before || fail "a finished launch was touched"
# But for the settings, when it was cut off between the last launch and them.
expect 0 phone setup $on_phone
expect 0 run --resume --out cutoff
values | cmp - owner || fail "a campaign cut off at its very end did not restore the settings"
rm -rf cutoff

# Ctrl-C restores the phone at once.
cut INT 1.5
values | cmp - owner || fail "Ctrl-C left the settings changed"
expect 0 run --resume --out cutoff
says out "Calculator"
expect 0 replay cutoff --strict
expect 2 run plan.yaml --resume --out cutoff
expect 1 run --resume --out nowhere
finish
