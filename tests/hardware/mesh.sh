#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# mesh.sh MESH OUT: the checker of printed bodies takes a good one and finds what is wrong with others.
set -eu
mesh=$1
mkdir -p "$2"
cd "$2"
bad=0

# A block from 0 to X Y Z; face numbers in $4 are left out, in $5 turned over.
block() {
    awk -v x="$1" -v y="$2" -v z="$3" -v omit="${4-}" -v turn="${5-}" '
    function facet(n, a, b, c,    t) {
        if (index(omit, " " n " ")) return
        if (index(turn, " " n " ")) { t = b; b = c; c = t }
        print "facet normal 0 0 0\nouter loop"
        corner(a); corner(b); corner(c)
        print "endloop\nendfacet"
    }
    function corner(i) { print "  vertex", i % 2 ? x : 0, int(i / 2) % 2 ? y : 0, int(i / 4) ? z : 0 }
    BEGIN {
        split("0 2 3 0 3 1 4 5 7 4 7 6 0 1 5 0 5 4 2 6 7 2 7 3 0 4 6 0 6 2 1 3 7 1 7 5", v, " ")
        print "solid block"
        for (i = 0; i < 12; i++) facet(i + 1, v[3 * i + 1], v[3 * i + 2], v[3 * i + 3])
        print "endsolid block"
    }'
}
block 10 20 30 >whole.stl
block 10 20 30 ' 4 ' >open.stl
block 10 20 30 '' ' 7 ' >turned.stl
block 10 20 30 '' ' 1 2 3 4 5 6 7 8 9 10 11 12 ' >inside_out.stl
block 230 20 30 >long.stl
{ block 10 20 30; block 40 50 30 | sed 's/ 30$/ 35/; s/\(vertex .*\) 0$/\1 32/'; } >lid.stl # floats above
echo 'solid nothing' >empty.stl

said=$("$mesh" --fits 220,220,250 --overhang 250 whole.stl)
[ "$said" = "whole.stl  0.00 0.00 0.00  10.00 20.00 30.00  6000  0" ] || { echo "a block: $said"; bad=1; }
refused() { # WORDS FILE OPTION...
    words=$1 file=$2
    shift 2
    if "$mesh" "$@" "$file" >out 2>err; then
        echo "$file was taken"; bad=1
    elif ! grep -q "$words" err; then
        echo "$file: not \"$words\" but: $(cat err)"; bad=1
    fi
}
refused '3 edges are open' open.stl
refused '3 edges are open' turned.stl
refused 'volume -6000' inside_out.stl
refused '230.0 mm along x' long.stl --fits 220,220,250
refused '2000 mm2 hang over' lid.stl --overhang 1999
refused 'no text STL' empty.stl
refused 'no text STL' missing.stl
exit $bad
