#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# pictures.sh OUT: the rig from several sides, OUT/*.png. A screen is not needed (xvfb).
set -eu
here=$(dirname "$0")
[ $# = 1 ] || { sed -n '3s/^# //p' "$0" >&2; exit 2; }
for tool in openscad xvfb-run; do
    command -v $tool >/dev/null || { echo "pictures.sh: $tool is missing: apt-get install openscad xvfb xauth" >&2; exit 1; }
done
out=$1
mkdir -p "$out"

picture() { # NAME CAMERA [-D ...]; CAMERA: looked at x,y,z, turned x,y,z, distance
    name=$1 camera=$2
    shift 2
    rm -f "$out/$name.png" # it may say that it has drawn when it has not
    xvfb-run -a -s '-screen 0 1280x1024x24' openscad -q --imgsize=1000,850 --colorscheme=Tomorrow \
        --camera="$camera" "$@" -o "$out/$name.png" "$here/rig.scad" 2>"$out/log" && [ -s "$out/$name.png" ] ||
        { cat "$out/log" >&2; echo "pictures.sh: $name was not drawn" >&2; exit 1; }
    echo "$name.png"
}

picture rig 0,30,112,66,0,30,1080
picture rear 20,40,100,65,0,150,980
picture wheel 26,40,95,80,0,160,330 -D 'without=["motor plate","motor","posts","brackets","crossbar"]'
picture verify 8,5,5,38,0,18,560 -D verifying=true \
    -D 'without=["camera","camera plate","crossbar","posts","brackets","clips","tray"]'
picture hood 0,20,95,68,0,32,980 -D hooded=true
rm -f "$out/log"
