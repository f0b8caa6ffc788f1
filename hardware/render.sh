#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# render.sh OUT [VARIABLE=VALUE...]: every part of rig.scad to OUT/PART.stl, lying as it prints, and
# OUT/parts.txt: what is printed and how often; prints the measures to build by (mm). A warning is an
# error.
#   hardware/render.sh out/pixel7 'phone="Pixel 7"' 'camera="ov9281 3.6mm"'
set -eu
here=$(dirname "$0")
[ $# -ge 1 ] || { sed -n '3,6s/^# //p' "$0" >&2; exit 2; }
command -v openscad >/dev/null || { echo "render.sh: openscad is missing: apt-get install openscad" >&2; exit 1; }
out=$1
shift
mkdir -p "$out"
i=$#
while [ $i -gt 0 ]; do # VARIABLE=VALUE becomes -D VARIABLE=VALUE
    set -- "$@" -D "$1"
    shift
    i=$((i - 1))
done

draw() { # FILE PART
    target=$1 name=$2
    shift 2
    if ! openscad "$@" -D "part=\"$name\"" -o "$target" "$here/rig.scad" 2>"$out/log" || grep -E 'WARNING|DEPRECATED|manifold' "$out/log" >&2; then
        grep -E 'ERROR|WARNING|TRACE' "$out/log" >&2 || cat "$out/log" >&2
        echo "render.sh: $name was not drawn" >&2
        exit 1
    fi
}

draw "$out/lists.echo" lists "$@"
if grep ERROR "$out/lists.echo" >&2; then exit 1; fi # an echo file is where errors go, and no exit code
sed -n 's/^ECHO: printed = "\(.*\)", count = \(.*\)/\1 \2/p' "$out/lists.echo" >"$out/parts.txt"
while read -r name count; do
    draw "$out/$name.stl" "$name" "$@"
    echo "$name.stl: print $count"
done <"$out/parts.txt"
sed -n 's/^ECHO: measure = "\(.*\)", value = \(.*\)/\2\t\1/p' "$out/lists.echo" | tee "$out/measures.txt"
rm -f "$out/log" "$out/lists.echo"
