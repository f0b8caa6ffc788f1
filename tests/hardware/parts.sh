#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# parts.sh ROOT MESH OUT: every part is drawn without a warning, is a closed body that a printer of
# 220 x 220 x 250 mm makes without much support, and what would make no rig is refused.
set -eu
root=$1 mesh=$2 out=$3
command -v openscad >/dev/null || { echo "openscad is missing"; exit 77; }
rm -rf "$out"
mkdir -p "$out"
bad=0

"$root/hardware/render.sh" "$out/default" >"$out/said" || exit 1
count=$(wc -l <"$out/default/parts.txt")
[ "$count" -ge 15 ] && [ "$(ls "$out"/default/*.stl | wc -l)" = "$count" ] || { echo "$count parts?"; bad=1; }
"$mesh" --fits 220,220,250 --overhang 300 "$out"/default/*.stl || bad=1

# The largest phone of the table, and another camera.
for set in 'phone="Galaxy S23 Ultra"' 'camera="ov9281 3.6mm"'; do
    rm -rf "$out/other"
    mkdir "$out/other"
    for part in bed camera_plate led_holder diode_holder; do
        openscad -D "$set" -D "part=\"$part\"" -o "$out/other/$part.stl" "$root/hardware/rig.scad" 2>"$out/log" &&
            ! grep -E 'WARNING|DEPRECATED' "$out/log" || { cat "$out/log"; bad=1; }
    done
    "$mesh" --fits 220,220,250 "$out"/other/*.stl >/dev/null || bad=1
done

# refused VARIABLE=VALUE WORDS: an assert says why.
refused() {
    if openscad -D 'part="tip"' -D "$1" -o "$out/refused.stl" "$root/hardware/rig.scad" 2>"$out/log"; then
        echo "$1 was taken"
        bad=1
    elif ! grep -q "ERROR: Assertion.*$2" "$out/log"; then
        echo "$1: not told \"$2\" but:"
        cat "$out/log"
        bad=1
    fi
}
refused 'phone="Nokia 3310"' 'no phone is called'
refused 'camera="Box Brownie"' 'no camera is called'
refused 'drop=3.5' 'bounces'
refused 'drop=0.5' 'no free fall'
refused 'rpm_least=40' 'long press'
refused 'rpm_most=220' 'take a slower motor'
refused 'raise_ms=90' 'runs off the collar'
refused 'home_raise_ms=5' 'HOME lifts the tip'
refused 'tap_inset=3' "display's edge"
refused 'tap_inset=18' 'stands over the display'
refused 'custom_phone=["custom",150,45,8.5,5.5,3];phone="custom"' 'would hide the display'
refused 'bed_l=150' 'longer than the bed'
refused 'custom_phone=["custom",150,100,8,6,1.5];phone="custom"' 'wider than the bed'
refused 'low_r=8' 'no room for its screws'
refused 'post_l=200' 'higher than the posts'
refused 'pin_d=8' 'roll off the arm'
refused 'part="spoon"' 'no part is called'
exit $bad
