#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Something goes wrong in launch 2 of a live campaign. Nothing that was finished is lost, the launch
# is flagged and in no median, the campaign goes on or says why not and can be gone on with, and the
# phone is given back as it was. The session stays in FOLDER: the numbers of all are judged at once.
#   trouble.sh TOUCHSTONE_BENCH TOUCHSTONE FOLDER v4l2|ps3eye CASE
# Under the bench it calls itself:
#   trouble.sh inside TOUCHSTONE FOLDER CASE
set -eu
export ASAN_OPTIONS="verify_asan_link_order=0:detect_leaks=0"

fail() {
    cat "$folder/out" "$folder/err" 2>/dev/null || true
    echo "FAIL: $*"
    exit 1
}
values() { grep -v ' $' "$folder/state" | sort; } # those that are not deleted
restored() { values | cmp - "$folder/owner" || fail "the phone's settings are not as they were"; }
sums() { (cd "$session" && find calibration launches/[0-9][0-9][0-9][0-9] -type f | sort | xargs cksum); }
results() { find "$session/launches" -name result.json | wc -l; }

# ---- under the bench: what somebody does while launch 2 is under way ----

start() { # arguments of `touchstone run`
    # An asynchronous command would have no terminal, at which the contact plate is asked for.
    "$touchstone" run "$@" --out "$session" <&3 >>"$folder/out" &
    pid=$!
}
await_launch_2() {
    until [ -e "$session/launches/0002.part" ] || [ -e "$session/launches/0002" ]; do
        kill -0 $pid || fail "launch 2 never came"
        sleep 0.1
    done
    sums >"$folder/before"
    sleep 1
}
ended() { # exit code
    code=0
    wait $pid || code=$?
    [ "$code" -eq "$1" ] || fail "exit code $code, not $1"
    sums | head -n "$(wc -l <"$folder/before")" | cmp - "$folder/before" || fail "a finished launch was touched"
}
resume() {
    start --resume
    wait $pid || fail "it cannot be gone on with"
}

if [ "$1" = inside ]; then
    touchstone=$2 folder=$3 session=$3/session
    exec 3<&0
    trap '' XFSZ # a limit on files stands for a full disk, whose writes fail and do not kill
    start "$folder/plan.yaml" --bench live
    await_launch_2
    case $4 in
    adb_killed)
        adb kill-server
        ended 0
        ;;
    stopped)
        kill -INT $pid
        ended 130
        restored
        resume
        ;;
    killed)
        kill -KILL $pid
        ended 137
        resume
        ;;
    disk_full)
        prlimit --fsize=1000 --pid $pid
        ended 1
        restored
        resume
        ;;
    esac
    exit 0
fi

# ---- one campaign ----

bench=$1 touchstone=$2 folder=$3 camera=$4 case=$5
session=$folder/session
options="" flag="" by_hand=""
case $case in
serial_unplugged) options=mcu_lost_at_launch=2 flag=rig_fault ;;
mcu_reset) options=mcu_reset_at_launch=2 flag=rig_fault ;;
camera_unplugged) options=camera_lost_at_launch=2 flag=rig_fault ;;
camera_stalls) options=camera_stall_at_launch=2 flag=frames_dropped ;;
frames_torn) options=camera_tear_at_launch=2 flag=frames_dropped ;;
phone_offline) options=trouble=offline,trouble_at_launch=2 flag=rig_fault ;;
phone_reboots) options=trouble=reboot,trouble_at_launch=2 flag=rig_fault ;;
line_cut) options=trouble=cut_line,trouble_at_launch=2 flag=log_lost ;;
keyguard) options=trouble=keyguard,trouble_at_launch=2 flag=keyguard ;;
*) by_hand=$case ;;
esac
case $camera in
v4l2) spec='v4l2:/dev/video0' ;;
ps3eye) spec='ps3eye?size=320x240&rate=125' ;;
esac

rm -rf "$folder"
mkdir -p "$folder"
"$touchstone" phone check --bench sim --options "phone_state=$folder/state" >"$folder/out" || true
values >"$folder/owner"
cat >"$folder/plan.yaml" <<PLAN
name: live trouble
apps:
  - {name: Contacts, component: com.android.contacts/.activities.PeopleActivity}
launches: 3
plate_taps: 5
keep_video: none
bench: {camera: '$spec'}
PLAN

if [ -n "$by_hand" ]; then
    set -- "$0" inside "$touchstone" "$folder" "$by_hand"
else
    set -- "$touchstone" run "$folder/plan.yaml" --bench live --out "$session"
fi
code=0
"$bench" exec --seed 21 --camera "$camera" --truth "$folder/truth" --health \
    --options "phone_state=$folder/state,android=14${options:+,$options}" -- "$@" \
    >>"$folder/out" 2>"$folder/err" </dev/null || code=$?
[ $code -eq 0 ] || fail "exit code $code"
tail -n 1 "$folder/err"

flags() { tr -d '\n ' <"$session/launches/000$1/result.json" | sed 's/.*"flags":\[\([^]]*\)\].*/\1/'; }
usable() { grep -q '"usable": true' "$session/launches/000$1/result.json"; }
[ "$(results)" -eq 3 ] || fail "launches are missing"
spoilt=2
case $flag in
"") [ "$case" = adb_killed ] || spoilt=0 ;; # else that launch is done again
log_lost) # the camera's numbers stand, Android's are not given
    flags 2 | grep -q '"log_lost"' || fail "launch 2 has the flags $(flags 2)"
    grep -q '"time_to_initial_display_ms": null' "$session/launches/0002/result.json" ||
        fail "a torn log's number was given"
    ;;
*)
    flags 2 | grep -q "\"$flag\"" || fail "launch 2 has the flags $(flags 2)"
    ! usable 2 || fail "launch 2 is usable"
    ;;
esac
counted=0
for launch in 1 2 3; do
    ! usable $launch || counted=$((counted + 1))
done
grep -q "^$counted of 3 launches count" "$folder/out" || fail "not $counted launches count"
restored
"$touchstone" replay "$session" --strict
echo "$session $folder/truth 3 $spoilt" >"$folder/judge"
