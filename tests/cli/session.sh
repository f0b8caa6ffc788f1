#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A short session and the commands that read it.
. "$(dirname "$0")/common.sh"

write_plan 1 ""
expect 0 run plan.yaml --bench sim --seed 1 --out session
plain out
plain err
says out "2 of 2 launches count"
says out "session/report.html"
says err "launch 2/2"
expect 0 rig new rigs/bench --bench sim # there is no rigs/ yet

# result.json: exactly the members that store/FORMAT.md tells of.
cat >documented <<KEYS
launch app start_type verdict flags usable rule detector_version
contact contact.host_ns contact.u_ns contact.half_95_ns pickup pickup.host_ns pickup.u_ns pickup.half_95_ns lift lift.host_ns lift.u_ns lift.half_95_ns
metrics
metrics.first_visual_change_ms metrics.first_visual_change_ms.value
metrics.first_visual_change_ms.u metrics.first_visual_change_ms.u_common
metrics.first_visual_change_ms.half_95
metrics.last_visual_change_ms metrics.last_visual_change_ms.value
metrics.last_visual_change_ms.u metrics.last_visual_change_ms.u_common
metrics.last_visual_change_ms.half_95
metrics.settled_ms metrics.settled_ms.value metrics.settled_ms.u metrics.settled_ms.u_common
metrics.settled_ms.half_95
metrics.literal_settled_ms metrics.literal_settled_ms.value metrics.literal_settled_ms.u
metrics.literal_settled_ms.u_common
metrics.literal_settled_ms.half_95
metrics.visually_complete_85_ms metrics.visually_complete_85_ms.value
metrics.visually_complete_85_ms.u metrics.visually_complete_85_ms.u_common
metrics.visually_complete_85_ms.half_95
metrics.speed_index_ms metrics.speed_index_ms.value
metrics.speed_index_ms.u metrics.speed_index_ms.u_common
metrics.speed_index_ms.half_95
metrics.splash_ms metrics.splash_ms.value
metrics.splash_ms.u metrics.splash_ms.u_common
metrics.splash_ms.half_95
metrics.first_app_frame_ms metrics.first_app_frame_ms.value
metrics.first_app_frame_ms.u metrics.first_app_frame_ms.u_common
metrics.first_app_frame_ms.half_95
metrics.main_content_ms metrics.main_content_ms.value
metrics.main_content_ms.u metrics.main_content_ms.u_common
metrics.main_content_ms.half_95
android android.time_to_initial_display_ms android.time_to_full_display_ms android.component
conditions conditions.package_version conditions.apk_hash conditions.compiler_filter
conditions.battery_percent conditions.temperature_c conditions.refresh_before_hz
conditions.refresh_after_hz conditions.brightness conditions.thermal_status conditions.night_mode
conditions.rotation conditions.animation_scales conditions.network conditions.observers
conditions.profile conditions.launch_from conditions.guard conditions.mended conditions.stop
budgets
budgets.contact
budgets.contact.lift_tap budgets.contact.lift_tap.u budgets.contact.lift_tap.sensitivity budgets.contact.lift_tap.dof
budgets.contact.lift_delay budgets.contact.lift_delay.u budgets.contact.lift_delay.sensitivity budgets.contact.lift_delay.dof
budgets.contact.plate budgets.contact.plate.u budgets.contact.plate.sensitivity budgets.contact.plate.dof
budgets.contact.host budgets.contact.host.u budgets.contact.host.sensitivity budgets.contact.host.dof
budgets.lift
budgets.start
budgets.lift.lift_tap budgets.lift.lift_tap.u budgets.lift.lift_tap.sensitivity budgets.lift.lift_tap.dof
budgets.lift.lift_delay budgets.lift.lift_delay.u budgets.lift.lift_delay.sensitivity budgets.lift.lift_delay.dof
budgets.lift.plate budgets.lift.plate.u budgets.lift.plate.sensitivity budgets.lift.plate.dof
budgets.lift.host budgets.lift.host.u budgets.lift.host.sensitivity budgets.lift.host.dof
budgets.first_visual_change_ms
budgets.first_visual_change_ms.change budgets.first_visual_change_ms.change.u budgets.first_visual_change_ms.change.sensitivity budgets.first_visual_change_ms.change.dof
budgets.first_visual_change_ms.frames budgets.first_visual_change_ms.frames.u budgets.first_visual_change_ms.frames.sensitivity budgets.first_visual_change_ms.frames.dof
budgets.first_visual_change_ms.exposure budgets.first_visual_change_ms.exposure.u budgets.first_visual_change_ms.exposure.sensitivity budgets.first_visual_change_ms.exposure.dof
budgets.first_visual_change_ms.readout budgets.first_visual_change_ms.readout.u budgets.first_visual_change_ms.readout.sensitivity budgets.first_visual_change_ms.readout.dof
budgets.first_visual_change_ms.lift_tap budgets.first_visual_change_ms.lift_tap.u budgets.first_visual_change_ms.lift_tap.sensitivity budgets.first_visual_change_ms.lift_tap.dof
budgets.first_visual_change_ms.lift_delay budgets.first_visual_change_ms.lift_delay.u budgets.first_visual_change_ms.lift_delay.sensitivity budgets.first_visual_change_ms.lift_delay.dof
budgets.first_visual_change_ms.plate budgets.first_visual_change_ms.plate.u budgets.first_visual_change_ms.plate.sensitivity budgets.first_visual_change_ms.plate.dof
budgets.first_visual_change_ms.clock budgets.first_visual_change_ms.clock.u budgets.first_visual_change_ms.clock.sensitivity budgets.first_visual_change_ms.clock.dof
budgets.settled_ms
budgets.settled_ms.change budgets.settled_ms.change.u budgets.settled_ms.change.sensitivity budgets.settled_ms.change.dof
budgets.settled_ms.frames budgets.settled_ms.frames.u budgets.settled_ms.frames.sensitivity budgets.settled_ms.frames.dof
budgets.settled_ms.exposure budgets.settled_ms.exposure.u budgets.settled_ms.exposure.sensitivity budgets.settled_ms.exposure.dof
budgets.settled_ms.readout budgets.settled_ms.readout.u budgets.settled_ms.readout.sensitivity budgets.settled_ms.readout.dof
budgets.settled_ms.lift_tap budgets.settled_ms.lift_tap.u budgets.settled_ms.lift_tap.sensitivity budgets.settled_ms.lift_tap.dof
budgets.settled_ms.lift_delay budgets.settled_ms.lift_delay.u budgets.settled_ms.lift_delay.sensitivity budgets.settled_ms.lift_delay.dof
budgets.settled_ms.plate budgets.settled_ms.plate.u budgets.settled_ms.plate.sensitivity budgets.settled_ms.plate.dof
budgets.settled_ms.clock budgets.settled_ms.clock.u budgets.settled_ms.clock.sensitivity budgets.settled_ms.clock.dof
conditions.cpu_mhz conditions.cpu_most_mhz progress progress.25_ms progress.50_ms
frames dropped frame_period_ms seed versions versions.touchstone versions.detector
KEYS
tr ' ' '\n' <documented | grep . | sort >expected
for launch in 0001 0002; do
    json session/launches/$launch/result.json
    sort keys | diff expected - || fail "launch $launch: members are not the documented ones"
done
# Each of them is told of in the description.
tr '.' '\n' <expected | sort -u | while read -r word; do
    grep -qF "\`$word\`" "$source/host/store/FORMAT.md" || echo "$word"
done >untold
[ -s untold ] && fail "not in FORMAT.md: $(tr '\n' ' ' <untold)"

for file in session/session.json session/calibration/calibration.json; do
    json "$file"
done

# show
expect 0 show session
says out Calculator
says out Mail
plain out
expect 0 show session 2
says out Mail
plain out
expect 1 show session 3
says err "launches 1 to 2"
for arguments in "show session --json" "show session 1 --json" "status session --json" \
    "ls --json" "replay session --json" "version --json"; do
    # shellcheck disable=SC2086 # split on purpose
    expect 0 $arguments
    json out
    [ -s keys ] || fail "$arguments: no members"
    [ -s err ] && fail "$arguments writes to standard error"
done
expect 0 show session 1 --json
cmp -s out session/launches/0001/result.json || fail "show --json differs from result.json"
expect 0 show session 1 --budget --json
expect 0 show session 1 --budget
grep -q "place of change in the frames" out || fail "show --budget does not tell the terms"
expect 2 show session --budget
NO_COLOR=1 "$touchstone" show session >out && plain out

# The same with --json from run itself.
expect 0 run plan.yaml --bench sim --seed 1 --out again --json
json out
[ -s err ] && fail "run --json writes to standard error"
cmp -s session/launches/0002/result.json again/launches/0002/result.json ||
    fail "the same seed gave another result"

# replay, status, ls
expect 0 replay session
says out "2 of 2 results are identical"
expect 0 replay session --strict
expect 0 status session
says out "2 of 2 launches finished"
expect 0 ls
says out session
says out again
plain out

# exclude
cksum session/launches/0001/result.json >before
expect 0 exclude session 1 --why 'somebody leaned on the table'
cksum session/launches/0001/result.json | cmp -s - before || fail "exclude changed a result"
expect 0 show session
says out "1 of 2 launches count"
says out "1 excluded by hand"
expect 0 report session
says session/report.html "somebody leaned on the table"
expect 0 replay session
expect 0 exclude session 1 --undo
expect 0 show session
says out "2 of 2 launches count"
expect 1 exclude session 3 --why no
expect 0 exclude session 2 --why '<script>alert("x")</script> & co'

# report: one file, no requests.
expect 0 report session
says out session/report.html
expect 0 report session -o page.html
cmp -s page.html session/report.html || fail "the same session gave another page"
if grep -oiE '(src|href|action|poster|data)[[:space:]]*=[[:space:]]*["'\'']?(https?:)?//' page.html ||
    grep -oiE '(@import|url\()[^)]{0,8}//' page.html ||
    grep -oiE '<(link|iframe|object|embed|base)[ >]' page.html; then
    fail "the page asks the net"
fi
says page.html "Calculator"
says_not page.html '<script>alert'
says_not page.html "$work"
expect 1 report session -o nowhere/page.html
says err nowhere/page.html

# Damage is told, never shown as a result.
cp -r again damaged
head -c 300 again/launches/0001/result.json >damaged/launches/0001/result.json
expect 1 show damaged
says err "result.json"
cp again/launches/0001/result.json damaged/launches/0001/result.json
head -c 5000 again/launches/0001/blocks.bin >damaged/launches/0001/blocks.bin
expect 1 replay damaged
says err "blocks.bin"
finish
