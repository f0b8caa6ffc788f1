#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What `touchstone run` and `touchstone plan` refuse, and how they say it.
. "$(dirname "$0")/common.sh"

# An existing folder that holds something is left as it is.
write_plan 1 ""
mkdir -p taken/deep
echo precious >taken/deep/file
find taken | sort >before
cksum taken/deep/file >>before
expect 2 run plan.yaml --bench sim --out taken
says err "taken"
{ find taken | sort && cksum taken/deep/file; } | cmp - before || fail "the folder was changed"
echo text >file
expect 2 run plan.yaml --bench sim --out file
[ "$(cat file)" = text ] || fail "a file was overwritten"
expect 1 run plan.yaml --bench sim --out nowhere/deep/session
says err "nowhere/deep/session"

# A plan that is wrong: which file, which key, no folder. Like `plan check`, it is data that is
# wrong and not the command line.
wrong() { # key, what the plan's last line is
    write_plan 1 "$2"
    expect 1 plan check plan.yaml
    says err "plan.yaml"
    says err "$1"
    expect 1 run plan.yaml --bench sim --out o
    says err "plan.yaml"
    says err "$1"
    [ -e o ] && fail "a wrong plan left a folder"
    rm -rf o
}
wrong lanches "lanches: 3"
wrong warm_up "warm_up: many"
wrong warm_up "warm_up: -1"
wrong warm_up "warm_up: 99999999999999999999"
wrong start "start: lukewarm"
wrong order "order: [a, b]"
wrong quiet_ms "quiet_ms: 1"
wrong quiet_ms "quiet_ms: .nan"
wrong timeout_ms "timeout_ms: -5"
wrong phone "phone: {a: b}"

wrong_app() { # what it says, the app
    cat >plan.yaml <<PLAN
apps:
  - $2
PLAN
    expect 1 plan check plan.yaml
    says err "plan.yaml"
    says err "$1"
}
wrong_app component "{name: One, component: 'a.one/.Main; reboot'}"
wrong_app component "{name: One, component: one}"
wrong_app component "{name: One, component: 'a.one/.Main\$(reboot)'}"
wrong_app component "{name: One}"
wrong_app name "{component: a.one/.Main}"
wrong_app colour "{name: One, component: a.one/.Main, colour: red}"
printf 'apps: []\n' >plan.yaml
expect 1 plan check plan.yaml
says err apps
printf 'launches: 3\n' >plan.yaml
expect 1 plan check plan.yaml
says err apps
printf 'apps: [\n' >plan.yaml
expect 1 plan check plan.yaml
says err plan.yaml
: >plan.yaml
expect 1 plan check plan.yaml
expect 1 plan check missing.yaml
says err missing.yaml
expect 1 plan check .

# Options of the simulated bench.
wrong_bench() {
    write_plan 1 ""
    sed -i "s/^bench:.*/bench: {$2}/" plan.yaml
    expect 1 run plan.yaml --bench sim --out o
    says err "$1"
    [ -e o ] && fail "a wrong option left a folder"
}
wrong_bench gravity "gravity: 3"
wrong_bench ppm "ppm: 90000"
wrong_bench bridge "bridge: wooden"
wrong_bench fault "fault: earthquake"

# A new plan is sound and never written over another.
rm plan.yaml
expect 0 plan new
expect 1 plan new
says err "plan.yaml"
expect 0 plan new fresh.yaml
expect 0 plan check fresh.yaml
says out "20 in all"
expect 1 plan new fresh.yaml
expect 0 plan new -
cmp -s out fresh.yaml || fail "plan new - differs from plan new FILE"

# An unplugged phone can be filmed too.
write_plan 1 "phone: none"
expect 0 run plan.yaml --bench sim --seed 1 --out unplugged
expect 0 show unplugged
# On live devices too: nobody asks for a phone, but for a board.
rm plan.yaml
film="file:$source/fixtures/recordings/xlogo.nut"
live_plan() { # what the plan says of its phone
    printf 'name: live\napps: [{name: A, component: a.b/.C}]\nphone: %s\n' "$1"
    printf 'bench: {camera: "%s", mcu: "tcp:localhost:1"}\n' "$film"
}
live_plan none >plan.yaml
expect 1 run plan.yaml --bench live --out live
says err "tcp:localhost:1: Connection refused"
finish
