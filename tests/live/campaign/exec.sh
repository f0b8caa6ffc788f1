#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What a command finds under `touchstone-bench exec`, and what comes back of it.
#   exec.sh TOUCHSTONE_BENCH
set -eu
bench=$1
export ASAN_OPTIONS="verify_asan_link_order=0:detect_leaks=0"

expect() { # code, what it is about, command...
    wanted=$1 what=$2
    shift 2
    code=0
    "$@" >/dev/null 2>&1 </dev/null || code=$?
    if [ "$code" -ne "$wanted" ]; then
        echo "$what: exit $code, not $wanted"
        exit 1
    fi
}

expect 0 "its own help" "$bench" --help
expect 0 "help" "$bench" exec --help
expect 2 "no command" "$bench" exec
expect 2 "an unknown camera" "$bench" exec --camera brownie -- true
expect 125 "an unknown option of the bench" "$bench" exec --options brownie=1 -- true
expect 7 "a command's exit code" "$bench" exec -- sh -c 'exit 7'
expect 127 "a command that is not there" "$bench" exec -- /nonexistent
expect 143 "a command that is killed" "$bench" exec -- sh -c 'kill -TERM $$'
# shellcheck disable=SC2016 # $$ is the command's
expect 5 "a signal is passed on" "$bench" exec -- \
    sh -c 'trap "exit 5" TERM; kill -TERM $PPID; while :; do sleep 0.1; done'
expect 0 "the devices" "$bench" exec --camera v4l2 -- sh -c 'test -c /dev/ttyACM0 && test -e /dev/video0 && test -t 0'
expect 0 "the phone" "$bench" exec --options android=10 -- \
    sh -c 'test "$(adb shell getprop ro.build.version.release)" = 10'
# Nothing is left: the adb server has gone with the bench.
# shellcheck disable=SC2016 # the command's own variable
port=$("$bench" exec -- sh -c 'echo $ANDROID_ADB_SERVER_PORT' 2>/dev/null </dev/null)
if grep -qi "$(printf ':%04X 00000000:0000 0A' "$port")" /proc/net/tcp; then
    echo "an adb server is left at port $port"
    exit 1
fi
