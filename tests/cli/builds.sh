#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Two builds of one app in one campaign, installed in turns: named in its results and databases,
# compared by name; and what stops it.
. "$(dirname "$0")/common.sh"

apk() { # file, version code, version, lines
    printf 'PK\003\004\npackage=org.example.mail\nversion_code=%s\nversion=%s\n%s\n' "$2" "$3" "$4" >"$1"
}
plan() { # file, lines, launches, block, warm-up
    cat >"$1" <<PLAN
name: builds
apps:
  - {name: Mail, build: A, component: org.example.mail/.InboxActivity, apk: a.apk}
  - {name: Mail, build: B, component: org.example.mail/.InboxActivity, apk: b.apk}
launches: ${3:-2}
block: ${4:-1}
warm_up: ${5:-0}
order: counterbalanced
plate_taps: 5
keep_video: none
$2
PLAN
}
installs() { cat "$1"/launches/*/events.jsonl | grep -c 'pm install'; }

apk a.apk 14 1.4 debuggable=1
apk b.apk 15 1.5 slower=60
plan plan.yaml 'bench: {faults: 0}' 6 3 1
expect 0 plan check plan.yaml
says out "2 apps, 6 launches each and 1 warm-up a block, 16 in all"
expect 0 run plan.yaml --bench sim --seed 5 --out both
says out "Mail (A)"
says out "Mail (B)"
says out "4 warm-up, kept but not counted"
[ "$(installs both)" -eq 4 ] || fail "$(installs both) installs instead of 4"
expect 0 show both --json
says out '"build": "A"'
says both/launches/0001/result.json '"build": "'
expect 0 replay both --strict
says out "16 of 16 results are identical, and control gave the same commands"
expect 0 compare both --by build
says out "first:  A"
says out "second: B"
says out "slower"
expect 0 compare --db both/results.sqlite --by build B A
says out "faster"
expect 0 ingest both --db lab.sqlite
expect 0 compare --db lab.sqlite --by build A B --json
json out
says out '"verdict":"slower"'
expect 0 report both

# Enough turns: what a session goes through cancels.
plan turns.yaml 'bench: {faults: 0}' 10 1
expect 0 run turns.yaml --bench sim --seed 5 --out turns
expect 0 compare turns --by build --json
says out '"unit":"turn"'
says out '"verdict":"slower"'

# The second time that B is wanted there is no room; what was measured stays, and it goes on.
plan full.yaml 'bench: {faults: 0, install_fails_at: 3}'
expect 1 run full.yaml --bench sim --seed 5 --out full
says err "apk cannot be installed: Failure [INSTALL_FAILED_INSUFFICIENT_STORAGE]"
says err "run --resume"
expect 3 status full
expect 0 run --resume --out full
expect 0 replay full --strict

# An older version over a newer one.
apk a.apk 14 1.4 ""
plan plan.yaml 'bench: {faults: 0}'
expect 1 run plan.yaml --bench sim --seed 5 --out older
says err "INSTALL_FAILED_VERSION_DOWNGRADE"
says err "reinstall: clean"
plan clean.yaml 'bench: {faults: 0}
reinstall: clean'
expect 0 run clean.yaml --bench sim --seed 5 --out clean
grep -q 'pm uninstall org.example.mail' clean/launches/0001/events.jsonl || fail "nothing was removed"

# Two names of one package, another app's package, no package, and nothing at all.
cp b.apk a.apk
printf '\n' >>a.apk
cp a.apk b.apk
expect 1 run plan.yaml --bench sim --seed 5 --out same
says err "are the same on the phone once installed"
printf 'hello, world\n' >a.apk
expect 1 run plan.yaml --bench sim --seed 5 --out text
says err "a.apk: is no Android package (APK)"
rm a.apk
expect 1 run plan.yaml --bench sim --seed 5 --out none
says err "a.apk: there is no such package to install"
finish
