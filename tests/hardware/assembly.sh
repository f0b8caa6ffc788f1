#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# assembly.sh RIG.scad MESH OUT [VARIABLE=VALUE...]: the pieces of the rig, where they sit: no two
# meet, at rest, held, at the top of the lift and on the glass; and nothing but the stylus stands
# between the lens and the display or the LEDs.
set -eu
rig=$1 mesh=$2 out=$3
shift 3
command -v openscad >/dev/null || { echo "openscad is missing"; exit 77; }
mkdir -p "$out"
cd "$out"
i=$#
while [ $i -gt 0 ]; do
    set -- "$@" -D "$1"
    shift
    i=$((i - 1))
done
bad=0

# piece NAME WHEEL_AT FILE ...
piece() {
    name=$1 at=$2 file=$3
    shift 3
    openscad -q "$@" -D 'part="piece"' -D "which=\"$name\"" -D "wheel_at=$at" -o "$file" "$rig" 2>log ||
        { cat log; echo "$name was not drawn"; exit 1; }
}

# meets A B: their bodies share some room. Nothing at all is an empty object, which openscad
# refuses to write.
meets() {
    printf 'intersection() { import("%s"); import("%s"); }\n' "$PWD/$1" "$PWD/$2" >both.scad
    rm -f both.stl
    if openscad -o both.stl both.scad 2>log && [ -s both.stl ]; then
        return 0
    fi
    grep -q 'top level object is empty' log && return 1
    cat log
    return 0
}

# pairs whose boxes overlap, of the files named, from the mesh program's lines
near() {
    "$mesh" "$@" | awk 'BEGIN { n = 0 } {
        for (i = 0; i < n; i++)
            if ($2 < x1[i] && $5 > x0[i] && $3 < y1[i] && $6 > y0[i] && $4 < z1[i] && $7 > z0[i])
                print name[i], $1
        name[n] = $1; x0[n] = $2; y0[n] = $3; z0[n] = $4; x1[n] = $5; y1[n] = $6; z1[n] = $7; n++
    }'
}

openscad "$@" -D 'part="lists"' -o lists.echo "$rig" 2>log
sed -n 's/^ECHO: piece = "\(.*\)", kind = "\(.*\)"/\2 \1/p' lists.echo >pieces.txt
[ "$(wc -l <pieces.txt)" -gt 20 ] || { echo "no list of pieces"; exit 1; }

# With the photodiodes and the plate, held: everything against everything.
rm -f ./*.stl
while read -r kind name; do
    piece "$name" 36 "$kind-$(echo "$name" | tr ' ' _).stl" "$@"
done <pieces.txt
near ./*.stl >pairs.txt
[ "$(wc -l <pairs.txt)" -gt 15 ] || { echo "the pieces lie too far apart to be a rig"; exit 1; }
tried=0
while read -r a b; do
    tried=$((tried + 1))
    if meets "$a" "$b"; then echo "$a and $b meet"; bad=1; fi
done <pairs.txt

# What moves, on the glass and at the end of the ramp, against everything.
for at in -60 70; do
    mkdir -p moved
    rm -f moved/*
    for name in wheel motor collar tube pin tip accelerometer 'accelerometer mount'; do
        piece "$name" "$at" "moved/$(echo "$name" | tr ' ' _).stl" "$@"
    done
    still=$(ls | grep '^[fcvh]-.*stl$' | grep -v -e wheel -e f-motor.stl)
    near $still moved/* | grep moved >pairs.txt
    while read -r a b; do
        tried=$((tried + 1))
        if meets "$a" "$b"; then echo "$a and $b meet at $at"; bad=1; fi
    done <pairs.txt
done
echo "$tried pairs of pieces looked at"

openscad -q "$@" -D 'part="view"' -o view.stl "$rig" 2>log || { cat log; exit 1; }
for file in f-*.stl h-*.stl c-camera_plate.stl s-accelerometer*.stl s-collar.stl s-pin.stl; do
    if meets "$file" view.stl; then echo "$file stands in the camera's view"; bad=1; fi
done

# The pin and the wheel through the turn, and in the fall.
if openscad "$@" -D 'part="turn"' -o turn.stl "$rig" 2>log; then
    echo "the arm meets the pin outside the law of lift: turn.stl"; bad=1
elif ! grep -q 'top level object is empty' log; then
    cat log; bad=1
fi
exit $bad
