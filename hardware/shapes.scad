// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes that several parts use.
include <params.scad>

$fn = 40;

// A box with rounded upright edges, its middle at x = y = 0, standing on z = 0.
module slab(x, y, z, r = 3) {
    linear_extrude(z) offset(r) square([x - 2 * r, y - 2 * r], center = true);
}

// A round hole along z from z = 0, longer than what it goes through.
module drill(d, h) {
    translate([0, 0, -0.5]) cylinder(d = d, h = h + 1);
}

// A hole from [0, 0] to [dx, dy].
module long_hole(dx, dy, d, h) {
    hull() {
        drill(d, h);
        translate([dx, dy, 0]) drill(d, h);
    }
}

module nut(size, h) {
    cylinder(d = size[0] / cos(30), h = h, $fn = 6);
}

// A slot for a screw with a channel below, in which its nut slides and cannot turn.
module nut_slot(dx, dy, screw, nut_size, h) {
    long_hole(dx, dy, screw, h);
    length = norm([dx, dy]);
    translate([0, 0, -0.5]) rotate([0, 0, atan2(dy, dx)])
        translate([-nut_size[0] / 2, -nut_size[0] / 2, 0])
            cube([length + nut_size[0], nut_size[0], nut_size[1] + 0.5]);
}

// Ears beside a split, drawn together by an M3 screw along y: the split is in the plane y = 0 and
// opens at x = 0 towards positive x. What is cut away comes with solid = false.
module clamp_ears(h, solid) {
    if (solid) {
        translate([0, -6, 0]) cube([8, 12, h]);
    } else {
        translate([-6, -0.75, -0.5]) cube([15, 1.5, h + 1]);
        translate([4.3, -7, h / 2]) rotate([-90, 0, 0]) drill(m3, 14);
        translate([4.3, 6 - 2.2, h / 2]) rotate([-90, 0, 0]) rotate([0, 0, 30]) nut(m3_nut, 3);
    }
}
