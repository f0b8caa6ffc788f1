#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A session given away: nothing private is in it, and everything is made again from it.
. "$(dirname "$0")/common.sh"

write_plan 2 "keep_video: all"
sed -i '/^keep_video: none/d' plan.yaml
expect 0 run plan.yaml --bench sim --seed 9 --out session

# Secrets where a phone and its people leave them.
events=session/launches/0002/events.jsonl
stamp=$(sed -n 's/.*"text":" *\([0-9.]*\) *1000 .*/\1/p' "$events" | tail -n 1)
arrival=$(sed -n 's/^{"i":[0-9]*,"t":\([0-9]*\).*/\1/p' "$events" | tail -n 1)
number=900000
add() {
    number=$((number + 1))
    printf '{"i":%d,"t":%s,"k":"line","stream":"%s","text":"%s"}\n' "$number" "$arrival" "$1" "$2"
}
log() {
    add log "$stamp 10146 4358 4358 I $1"
}
{
    log "SyncService: signed in as zelda.quux@example.org"
    log "NotificationService: text=SECRETNOTE7431"
    log "ActivityManager: START u0 {act=android.intent.action.SENDTO dat=mailto:zelda.quux@example.org cmp=com.whispernet.chat/.Send (has extras)} from uid 10146"
    log "ActivityManager: Displayed com.whispernet.chat/.Inbox: +312ms"
    log "am_create_activity: [0,12,13,com.whispernet.chat/.Send,android.intent.action.VIEW,NULL,geo:52.51637,1]"
    log "am_crash: [4358,0,com.whispernet.chat,1,java.lang.Error,SECRETNOTE7431,F.java,1]"
    log "ANR in com.whispernet.chat (com.whispernet.chat/.SECRETNOTE7431)"
    log "SECRETNOTE7431: touch up 17"
    log "Touchstone: touch up SECRETNOTE7431"
    log "am_proc_start: [0,1,10146,SECRETNOTE7431,SECRETNOTE7431,zelda.quux@example.org]"
    log "input_focus: [Focus entering 1a com.whispernet.chat/SECRETNOTE7431 (server),reason=x]"
    add accessibility "01-03 16:11:57.531 EventType: TYPE_VIEW_CLICKED; EventTime: 38754; PackageName: com.whispernet.chat; MovementGranularity: 0; Action: 0; ContentChangeTypes: []; WindowChangeTypes: [] [ ClassName: android.view.ViewGroup; Text: [SECRETNOTE7431]; ContentDescription: zelda.quux@example.org ]; recordCount: 0"
    printf '{"c":9999,"k":"shell","text":"cmd wifi connect-network HomeNet5G wpa2 SECRETNOTE7431"}\n'
    printf '{"i":%d,"t":%s,"k":"done","command":9999,"status":0,"exit":0,"text":"ro.serialno R58M99SERIAL"}\n' \
        $((number + 1)) "$arrival"
} >>"$events"
sed -i 's/"network":[^,}]*/"network":"HomeNet5G"/' session/launches/*/events.jsonl
sed -i 's/"network": [^,]*/"network": "HomeNet5G"/' session/launches/*/result.json
sed -i 's/"phone": "auto"/"phone": "R58M99SERIAL"/; s/"plan_text": "/&# of zelda.quux@example.org, R58M99SERIAL\\n/' \
    session/session.json
grep -q R58M99SERIAL session/session.json || fail "the serial number was not seeded"
grep -q HomeNet5G session/launches/0002/result.json || fail "the network was not seeded"
expect 0 exclude session 3 --why "zelda.quux@example.org leaned on it"
expect 0 annotate session/launches/0001/video.mkv --by zelda.quux@example.org --first-change 40 \
    --settled 90 --note SECRETNOTE7431
grep -q SECRETNOTE7431 session/launches/0001/annotations.json || fail "no note was seeded"
# Of a rig that somebody named after herself.
mkdir -p session/checks session/rig
echo "the noise calibration is of another rig (zelda, now quux)" >session/rig/forced.txt
echo '{"in_control": false, "why": "settled is 9 ms away on zelda", "certificate_s": 1,
    "before": {"first_visual_change": {"value_ms": 1, "limit_ms": 2},
    "settled": {"value_ms": 9, "limit_ms": 2}}, "after": null}' >session/checks/verdict.json
sed -i 's/"device": null/"device": "zelda"/; s/"rig": null/"rig": "quux"/' session/campaign.json
expect 0 report session

expect 0 bundle session -o shared.tar.zst
[ -e shared.tar.zst.part ] && fail "what was staged is still there"
expect 0 reproduce shared.tar.zst -o again
says out "4 of 4 results and 9 of 9 tables and figures are identical"
zstd -qdc shared.tar.zst >shared.tar
mkdir unpacked && tar -xf shared.tar -C unpacked
for secret in R58M99SERIAL SECRETNOTE7431 zelda quux example.org HomeNet5G whispernet mailto 52.51637 \
    "$work" video.mkv; do
    for place in shared.tar.zst shared.tar unpacked again; do
        grep -raqiF "$secret" "$place" && fail "\"$secret\" is in $place"
    done
    find unpacked again | grep -qF "$secret" && fail "\"$secret\" names a file"
done
grep -rqF '"why": "excluded by a person"' unpacked || fail "the exclusion is lost"
# What the page says of the instrument, of the phone and of people's marks, it says again.
for words in "The check standard is out of control" "Simulated phone, Android" "1 person marked 1 of the launches" \
    "calibration files were used"; do
    grep -qF "$words" again/tables/report.html || fail "the page lost: $words"
done
grep -qF '"person 1"' unpacked/session/launches/0001/annotations.json || fail "the marks are lost"

# The same session gives the same bytes; the tables are those of the session that is shared.
expect 0 bundle session -o other.tar.zst
cmp -s shared.tar.zst other.tar.zst || fail "bundles of one session differ"
expect 0 export again/session --format csv
cmp -s out again/tables/launches.csv || fail "launches.csv is not that of the session"
expect 0 show again/session
expect 0 bundle session --with-videos -o films.tar.zst
zstd -qdc films.tar.zst | grep -aqF video.mkv || fail "--with-videos left them out"

# A session with nothing private has the same results once it is shared.
write_plan 2 ""
expect 0 run plan.yaml --bench sim --seed 3 --out plain
expect 0 bundle plain -o plain.tar.zst
says_not out "are not those"

# What does not fit is said.
expect 2 bundle session
expect 2 reproduce shared.tar.zst
expect 1 bundle nowhere -o x
expect 1 reproduce nowhere -o x1
expect 1 reproduce shared.tar.zst -o again
says err "not empty"
expect 1 reproduce plan.yaml -o x2
head -c 3000 shared.tar.zst >cut.tar.zst
expect 1 reproduce cut.tar.zst -o x3

# pack FILE: the folder unpacked as a bundle.
pack() {
    (cd unpacked && find * -type f | tar -cf - -T -) | zstd -qc >"$1"
}
sed -i 's/"settled_ms": {"value": [0-9]/&1/' unpacked/session/launches/0001/result.json
pack forged.tar.zst
expect 1 reproduce forged.tar.zst -o x4
says err "not the file that manifest.json names"
# Forged well: then measuring again tells.
old=$(sha256sum <unpacked/session/launches/0001/result.json | cut -d' ' -f1)
was=$(sed -n 's|.*"session/launches/0001/result.json", *"sha256": *"\([0-9a-f]*\)".*|\1|p' \
    unpacked/manifest.json)
sed -i "s/$was/$old/" unpacked/manifest.json
pack forged.tar.zst
expect 1 reproduce forged.tar.zst -o x5
says out "3 of 4 results"
says out "first that differs: result of launch 1"

# Archives that reach out of their folder.
hostile() {
    zstd -qc hostile.tar >hostile.tar.zst
    expect 1 reproduce hostile.tar.zst -o "h$1"
    says err "what no bundle does"
    [ -e escaped ] && fail "$1: a file escaped"
}
echo x >x.txt
tar -cPf hostile.tar --transform 's|x.txt|../escaped|' x.txt
hostile up
tar -cPf hostile.tar --transform "s|x.txt|$work/escaped|" x.txt
hostile absolute
mkdir -p evil/session
ln -s "$work" evil/session/rig
(cd evil && tar -cf ../hostile.tar session/rig)
hostile link
tar -cf hostile.tar --transform 's|x.txt|session/launches/0001/../../escaped|' x.txt
hostile inside
tar -cf hostile.tar --transform 's|x.txt|session/report.html|' x.txt
hostile other
: >hostile.tar
zstd -qc hostile.tar >hostile.tar.zst
expect 1 reproduce hostile.tar.zst -o empty
says err "no bundle"

finish
